//! The rows that travel with the model.

use model::Model;
use serde::Serialize;

use super::INNER_FIELD;
use super::literal::{packed_numbers, packed_texts};
use crate::artifact::Artifact;
use crate::golden::{Answer, GoldenCell, GoldenRow};

#[derive(Serialize)]
pub(super) struct GoldenFacts {
    /// The cells of all rows, as a user sends them or as the net has them.
    pub cells: String,
    /// The predictions, one after the other.
    answers: String,
}

impl GoldenFacts {
    /// Rows for a class that takes cells by the names of their columns.
    pub fn of_cells(artifact: &Artifact) -> Self {
        let golden = artifact.golden_rows();
        let cells: Vec<String> = golden.rows.iter().flat_map(|row| &row.cells).map(text).collect();
        let answers: Vec<f64> = golden.rows.iter().flat_map(|row| prediction(&row.answer)).collect();
        Self { cells: packed_texts(&cells, INNER_FIELD), answers: packed_numbers(&answers, INNER_FIELD) }
    }

    /// Rows for a class that takes the values of the columns of the net, has no error for an autoencoder, and refuses to
    /// answer what is not a number.
    pub fn of_columns(artifact: &Artifact) -> Self {
        let golden = artifact.golden_rows();
        let is_number = |row: &&GoldenRow| !predicted(&row.answer).iter().any(|number| number.is_nan());
        let rows: Vec<&GoldenRow> = golden.rows.iter().filter(is_number).collect();
        let cells: Vec<f64> = rows.iter().flat_map(|row| columns(&artifact.model, row)).collect();
        let answers: Vec<f64> = rows.iter().flat_map(|row| predicted(&row.answer)).collect();
        Self { cells: packed_numbers(&cells, INNER_FIELD), answers: packed_numbers(&answers, INNER_FIELD) }
    }
}

fn text(cell: &GoldenCell) -> String {
    match cell {
        GoldenCell::Missing => String::new(),
        GoldenCell::Number(number) => format!("#{number:?}"),
        GoldenCell::Text(text) => format!("={text}"),
    }
}

/// The values of the columns of the net.
fn columns(model: &Model, row: &GoldenRow) -> Vec<f64> {
    let features = model.schema.features();
    let raw =
        features.iter().zip(&row.cells).map(|(feature, cell)| model.encoding.raw_value(feature, cell.as_cell()).0);
    model.encoding.encode(features, &raw.collect::<Vec<f64>>(), &mut Vec::new()).to_vec()
}

/// A prediction as one list: the label, NaN where there is none, before the probabilities; the error after what an
/// autoencoder remembers.
fn prediction(answer: &Answer) -> Vec<f64> {
    let mut numbers = answer.numbers();
    if let Answer::Class { label, .. } = answer {
        numbers.insert(0, label.map_or(f64::NAN, |label| label as f64));
    }
    numbers
}

/// The same without the error.
fn predicted(answer: &Answer) -> Vec<f64> {
    let mut numbers = prediction(answer);
    if let Answer::Reconstruction { .. } = answer {
        numbers.pop();
    }
    numbers
}
