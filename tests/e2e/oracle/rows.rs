//! A trained model's answers to the first rows of a file.

use std::path::Path;

use csv::StringRecord;
use libtest_mimic::Failed;
use model::{Algorithm, Cell, Encoding, Model, Prediction, Schema, Workspace};
use serde_json::Value;
use trainer::{Frame, frame_rows};

use super::{Differences, TRAINED};

/// The rows of a file.
pub struct Rows {
    header: StringRecord,
    records: Vec<StringRecord>,
    /// The model's own columns, where the cluster encodes a missing or unseen level otherwise than the runtime does.
    encoded: Option<Vec<Vec<f64>>>,
}

/// The model without the encoding that comes before its own columns.
pub fn of_own_columns(model: Model) -> Model {
    let columns = model.encoding.columns(model.schema.features()).into_owned();
    let schema = Schema::new(columns, model.schema.response().cloned(), model.schema.special().clone());
    Model { schema, encoding: Encoding::Auto, ..model }
}

impl Rows {
    /// The rows of a file for a model, and where it encodes them for the model of its own columns.
    pub fn read(file: &Path, model: &Model, frame: &Frame) -> Result<Self, Failed> {
        let mut reader = csv::Reader::from_path(file)?;
        Ok(Self {
            header: reader.headers()?.clone(),
            records: reader.records().collect::<Result<_, _>>()?,
            encoded: (model.encoding != Encoding::Auto).then(|| frame_rows(model, frame)).transpose()?,
        })
    }

    fn cell(&self, row: usize, column: &str) -> Cell<'_> {
        match self.header.iter().position(|name| name == column).and_then(|place| self.records[row].get(place)) {
            None | Some("") => Cell::Missing,
            Some(text) => Cell::Text(text),
        }
    }

    /// A row as the model takes it.
    pub fn raw(&self, row: usize, model: &Model) -> Vec<f64> {
        if let Some(encoded) = &self.encoded {
            return encoded[row].clone();
        }
        let features = model.schema.features().iter();
        features.map(|feature| model.encoding.raw_value(feature, self.cell(row, &feature.name)).0).collect()
    }
}

pub fn predictions(model: &Model, rows: &Rows, expected: &Value, differences: &mut Differences) -> Result<(), Failed> {
    let names = model.output_names();
    let labels = &expected[&names[0]];
    let mut workspace = Workspace::default();
    for i in 0..count(labels) {
        // Rows without weight have no prediction in H2O's frame.
        let weight = model.schema.special().weights.as_ref().map(|weights| rows.cell(i, weights));
        if weight == Some(Cell::Text("0")) {
            continue;
        }
        let row = rows.raw(i, model);
        // Under Skip H2O has taken the weight of these rows.
        let Algorithm::DeepLearning(net) = &model.algorithm else { return Err("no deep learning".into()) };
        if weight.is_some() && !net.mean_imputation && row.iter().any(|x| x.is_nan()) {
            continue;
        }
        // H2O's cluster adds the offset, which its runtime, and so `model.score`, leaves out.
        if let Some(offset) = &model.schema.special().offset {
            let Cell::Text(offset) = rows.cell(i, offset) else { return Err("no offset to score with".into()) };
            let value = net.score_value_with_offset(&row, offset.parse()?, &mut workspace);
            differences.number(format_args!("prediction {i}"), value, &labels[i], TRAINED);
            continue;
        }
        match model.score(&row, &mut workspace) {
            Prediction::Reconstruction { values, .. } => {
                numbers(&format!("reconstruction {i}"), &names, values, expected, i, differences);
            }
            Prediction::Value(value) => {
                differences.number(format_args!("prediction {i}"), value, &labels[i], TRAINED);
            }
            Prediction::Class { label, probabilities } => {
                let levels = model.schema.classes().ok_or("a classifier without classes")?.levels();
                let label = label.map_or("", |label| &levels[label]);
                differences.text(format_args!("prediction {i}"), label, &labels[i]);
                numbers(&format!("prediction {i}"), &names[1..], probabilities, expected, i, differences);
            }
        }
    }
    Ok(())
}

/// The reconstruction errors of rows, and of each input of the first of them.
pub fn anomaly(model: &Model, rows: &Rows, expected: &Value, differences: &mut Differences) {
    let (of_row, of_input) = (&expected["anomaly"]["Reconstruction.MSE"], &expected["anomaly_per_feature"]);
    let names = if of_row.is_null() { Vec::new() } else { model.error_names() };
    let mut workspace = Workspace::default();
    for i in 0..count(of_row) {
        let errors = model.squared_errors(&rows.raw(i, model), &mut workspace);
        let mean = errors.iter().sum::<f64>() / errors.len() as f64;
        differences.number(format_args!("error {i}"), mean, &of_row[i], TRAINED);
        if i < count(&of_input[&names[0]]) {
            numbers(&format!("errors {i}"), &names, errors, of_input, i, differences);
        }
    }
}

/// The outputs of a hidden layer.
pub fn deep_features(model: &Model, layer: usize, rows: &Rows, expected: &Value, differences: &mut Differences) {
    let names = model.deep_feature_names(layer);
    let mut workspace = Workspace::default();
    for i in 0..count(&expected[&names[0]]) {
        let outputs = model.deep_features(layer, &rows.raw(i, model), &mut workspace);
        numbers(&format!("layer {layer}, row {i}"), &names, outputs, expected, i, differences);
    }
}

/// The numbers of a row under their names, in a table that is stored by column.
fn numbers(what: &str, names: &[String], found: &[f64], expected: &Value, row: usize, differences: &mut Differences) {
    for (name, &number) in names.iter().zip(found) {
        differences.number(format_args!("{what}, {name}"), number, &expected[name][row], TRAINED);
    }
}

/// The length of a column.
fn count(column: &Value) -> usize {
    column.as_array().map_or(0, Vec::len)
}
