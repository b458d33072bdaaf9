use std::fs;

use ::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use ::safetensors::SafeTensors;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type};
use model::{Activation, Category, Hashing};

use super::*;
use crate::samples;

fn artifact(activation: Activation) -> Artifact {
    Artifact::new(samples::model(activation, Category::Multinomial), samples::TIMESTAMP)
}

/// The files of an artifact, by name.
fn written(artifact: &Artifact, format: WeightsFormat) -> Vec<(String, Vec<u8>)> {
    let folder = tempfile::tempdir().unwrap();
    let files = write_weights(artifact, format, folder.path()).unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), files.len());
    let content = |path: &PathBuf| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(path).unwrap());
    files.iter().map(content).collect()
}

/// What a table holds, in bits: single precision before double.
fn bits(table: &Table<'_>) -> (Vec<u32>, Vec<u64>) {
    match table.numbers {
        Numbers::Single(numbers) => (numbers.iter().map(|number| number.to_bits()).collect(), Vec::new()),
        Numbers::Double(numbers) => (Vec::new(), numbers.iter().map(|number| number.to_bits()).collect()),
    }
}

#[test]
fn text_reads_back_to_the_bit() {
    for activation in [Activation::Tanh, Activation::Maxout] {
        let artifact = artifact(activation);
        let tables = Table::all(&artifact.model);
        for (table, (name, content)) in tables.iter().zip(written(&artifact, WeightsFormat::Csv)) {
            assert_eq!(name, format!("{}.csv", table.name));
            let text = String::from_utf8(content).unwrap();
            let header = table.columns.iter().map(|name| format!("\"{}\"", name.replace('"', "\"\"")));
            let header = header.collect::<Vec<_>>().join(",") + "\n";
            let lines: Vec<&str> = text.strip_prefix(&header).unwrap().lines().collect();
            assert_eq!(lines.len(), table.rows());
            let cells = || lines.iter().flat_map(|line| line.split(','));
            let found = match table.numbers {
                Numbers::Single(_) => {
                    (cells().map(|cell| cell.parse::<f32>().unwrap().to_bits()).collect(), Vec::new())
                }
                Numbers::Double(_) => {
                    (Vec::new(), cells().map(|cell| cell.parse::<f64>().unwrap().to_bits()).collect())
                }
            };
            assert_eq!(found, bits(table));
        }
    }
}

#[test]
fn parquet_reads_back_to_the_bit() {
    let artifact = artifact(Activation::Maxout);
    for (table, (name, content)) in Table::all(&artifact.model).iter().zip(written(&artifact, WeightsFormat::Parquet)) {
        assert_eq!(name, format!("{}.parquet", table.name));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        let reader = ParquetRecordBatchReaderBuilder::try_new(fs::File::open(path).unwrap()).unwrap();
        let batch = reader.build().unwrap().next().unwrap().unwrap();
        let schema = batch.schema();
        let names: Vec<&String> = schema.fields().iter().map(|field| field.name()).collect();
        assert_eq!(names, table.columns.iter().collect::<Vec<_>>());
        let mut found = (Vec::new(), Vec::new());
        for row in 0..batch.num_rows() {
            for column in batch.columns() {
                match table.numbers {
                    Numbers::Single(_) => found.0.push(column.as_primitive::<Float32Type>().value(row).to_bits()),
                    Numbers::Double(_) => found.1.push(column.as_primitive::<Float64Type>().value(row).to_bits()),
                }
            }
        }
        assert_eq!(found, bits(table));
    }
}

#[test]
fn tensors_read_back_to_the_bit() {
    let artifact = artifact(Activation::ExpRectifier);
    let files = written(&artifact, WeightsFormat::Safetensors);
    let [(name, content)] = &files[..] else { unreachable!("there is one file") };
    assert_eq!(name, "weights.safetensors");
    let tensors = SafeTensors::deserialize(content).unwrap();
    let tables = Table::all(&artifact.model);
    assert_eq!(tensors.len(), tables.len());
    for table in &tables {
        let tensor = tensors.tensor(&table.name).unwrap();
        assert_eq!(tensor.shape(), [table.rows(), table.columns.len()]);
        let (single, double) = bits(table);
        let bytes: Vec<u8> = single
            .iter()
            .flat_map(|bits| bits.to_le_bytes())
            .chain(double.iter().flat_map(|bits| bits.to_le_bytes()))
            .collect();
        assert_eq!(tensor.data(), bytes);
    }
    let (_, metadata) = SafeTensors::read_metadata(content).unwrap();
    let columns = &metadata.metadata().as_ref().unwrap()["columns"];
    assert_eq!(serde_json::from_str::<Vec<String>>(columns).unwrap(), artifact.model.input_names());
}

#[test]
fn tables_are_named_as_h2o_names_them() {
    let artifact = Artifact::new(samples::minimal(), samples::TIMESTAMP);
    let names: Vec<String> = written(&artifact, WeightsFormat::Csv).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["weights.0.csv", "biases.0.csv", "weights.1.csv", "biases.1.csv"]);
    let (_, first) = &written(&artifact, WeightsFormat::Csv)[0];
    let expected = "\"c.a\",\"c.b\",\"c.missing(NA)\",\"n\"\n0.1,0.2,0.3,0.4\n-0.1,0.2,-0.3,0.4\n";
    assert_eq!(String::from_utf8_lossy(first), expected);
}

#[test]
fn the_same_model_makes_the_same_bytes() {
    for format in [WeightsFormat::Csv, WeightsFormat::Parquet, WeightsFormat::Safetensors] {
        assert_eq!(written(&artifact(Activation::Tanh), format), written(&artifact(Activation::Tanh), format));
    }
}

#[test]
fn inputs_without_names_are_refused() {
    let mut artifact = artifact(Activation::Tanh);
    let Algorithm::DeepLearning(net) = &mut artifact.model.algorithm else { unreachable!("it is a net") };
    let first = &mut net.network.layers()[0].clone();
    let slots = first.inputs - net.layout.numerics - 1;
    net.layout.hashing = Some(Hashing { slots, seed: 1 });
    first.inputs -= 1;
    first.weights.truncate(first.units * first.inputs);
    let layers = [std::slice::from_ref(first), &net.network.layers()[1..]].concat();
    net.network = model::Network::new(Activation::Tanh, layers).unwrap();
    let refused = write_weights(&artifact, WeightsFormat::Csv, Path::new("nowhere")).unwrap_err();
    assert!(refused.to_string().contains("have no names"), "{refused}");
    let missing = write_weights(&self::artifact(Activation::Tanh), WeightsFormat::Csv, Path::new("nowhere"));
    assert!(missing.unwrap_err().to_string().starts_with("cannot write `nowhere/weights.0.csv`"));
}
