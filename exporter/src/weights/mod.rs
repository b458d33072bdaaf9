//! Weights and biases as tables, for whoever wants to look at them, to compute with them, or to start from them again.
//!
//! Tables have the names that H2O gives its frames, counted from the first hidden layer on:
//!
//! | table | rows | columns |
//! |---|---|---|
//! | `weights.0` | the units of the layer | the inputs of the net, by their names: `column`, `column.level`, `column.missing(NA)` |
//! | `weights.1` … | the units of the layer | the units of the layer below: `C1`, `C2` … |
//! | `biases.0` … | the units of the layer | `C1` |
//!
//! A hidden Maxout layer has two weights per connection and two biases per unit. Its tables have twice as many rows, filled as H2O
//! fills them: with the weights of a unit in their order, both channels of the first input, both of the second, and so on.
//!
//! Weights are of single precision and biases of double, as in the net. What is written:
//!
//! | [`WeightsFormat`] | files |
//! |---|---|
//! | `Csv` | `weights.0.csv`, `biases.0.csv` …: a line of names in quotes, numbers with as many digits as tell them from all others. `train --initial-weights` and `--initial-biases` take them |
//! | `Parquet` | `weights.0.parquet`, `biases.0.parquet` …: `float` and `double` columns |
//! | `Safetensors` | `weights.safetensors`: a tensor for each table, and the columns of `weights.0` as JSON in the metadata, `columns` |
//!
//! The same model makes the same bytes.

mod csv;
mod parquet;
mod safetensors;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use model::{Algorithm, Model, ShapeError};

use crate::artifact::Artifact;
use crate::atomic;

/// What tables of weights are written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WeightsFormat {
    /// Text, a file a table.
    #[default]
    Csv,
    /// Apache Parquet, a file a table.
    Parquet,
    /// One file of tensors.
    Safetensors,
}

/// Tables that cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the fields are what the messages say")]
pub enum WeightsError {
    #[error("a model of algorithm {algorithm} has no weights of layers")]
    Algorithm { algorithm: &'static str },
    #[error("inputs of levels that share slots (max_categorical_features) have no names: write the net out first")]
    Hashed,
    #[error(transparent)]
    Shape(#[from] ShapeError),
    #[error("cannot write `{}`: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
}

/// The file of safetensors, which has all tables.
const ALL: &str = "weights.safetensors";

/// Writes all weights and biases into this folder, which has to be there, each file whole or not at all. Files that are there
/// are replaced. Returns what was written.
pub fn write_weights(artifact: &Artifact, format: WeightsFormat, folder: &Path) -> Result<Vec<PathBuf>, WeightsError> {
    check(&artifact.model)?;
    let tables = Table::all(&artifact.model);
    let file = |name: &str, write: &dyn Fn(&mut dyn Write) -> io::Result<()>| {
        let path = folder.join(name);
        match atomic::write(&path, |file| write(file)) {
            Ok(()) => Ok(path),
            Err(source) => Err(WeightsError::Io { path, source }),
        }
    };
    match format {
        WeightsFormat::Csv => {
            tables.iter().map(|table| file(&format!("{}.csv", table.name), &|out| csv::write(table, out))).collect()
        }
        WeightsFormat::Parquet => {
            let write = |table: &Table<'_>| {
                file(&format!("{}.parquet", table.name), &|out| out.write_all(&parquet::bytes(table)?))
            };
            tables.iter().map(write).collect()
        }
        WeightsFormat::Safetensors => {
            let all = |out: &mut dyn Write| out.write_all(&safetensors::bytes(&tables)?);
            Ok(vec![file(ALL, &all)?])
        }
    }
}

/// Checks that the tables of a model can be written.
pub(crate) fn check(model: &Model) -> Result<(), WeightsError> {
    let Algorithm::DeepLearning(net) = &model.algorithm else {
        return Err(WeightsError::Algorithm { algorithm: model.algorithm_name() });
    };
    model.check()?;
    if net.layout.hashing.is_some() { Err(WeightsError::Hashed) } else { Ok(()) }
}

/// Whether this is the name of a file that [`write_weights`] writes, for a net of any depth.
pub fn is_weights_file(name: &str) -> bool {
    let is_table = || {
        let (kind, rest) = name.split_once('.')?;
        let (layer, extension) = rest.split_once('.')?;
        let is_layer = layer.parse::<usize>().is_ok_and(|number| number.to_string() == layer);
        Some(["weights", "biases"].contains(&kind) && is_layer && ["csv", "parquet"].contains(&extension))
    };
    name == ALL || is_table().unwrap_or(false)
}

/// A table of numbers.
struct Table<'m> {
    name: String,
    columns: Vec<String>,
    numbers: Numbers<'m>,
}

/// Numbers row by row.
#[derive(Clone, Copy)]
enum Numbers<'m> {
    Single(&'m [f32]),
    Double(&'m [f64]),
}

impl<'m> Table<'m> {
    /// The weights and the biases of each layer.
    fn all(model: &'m Model) -> Vec<Self> {
        let Algorithm::DeepLearning(net) = &model.algorithm else { return Vec::new() };
        let layers = net.network.layers().iter().enumerate();
        let tables = layers.flat_map(|(l, layer)| {
            let columns = if l == 0 { model.input_names() } else { positions(layer.inputs) };
            let weights = Table { name: format!("weights.{l}"), columns, numbers: Numbers::Single(&layer.weights) };
            let biases =
                Table { name: format!("biases.{l}"), columns: positions(1), numbers: Numbers::Double(&layer.biases) };
            [weights, biases]
        });
        tables.collect()
    }

    fn rows(&self) -> usize {
        let numbers = match self.numbers {
            Numbers::Single(numbers) => numbers.len(),
            Numbers::Double(numbers) => numbers.len(),
        };
        numbers / self.columns.len().max(1)
    }
}

/// `C1`, `C2` …
fn positions(count: usize) -> Vec<String> {
    (1..=count).map(|position| format!("C{position}")).collect()
}

#[cfg(test)]
mod tests;
