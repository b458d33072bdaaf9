//! Golden rows: rows that travel with a model, with the answers that the model gave when it was written. Whoever
//! receives the model replays them.

mod draw;
mod random;

use model::{Category, Cell, JsonNumber, Model, Prediction, Workspace};
use serde::{Deserialize, Serialize};

#[cfg(test)]
pub(crate) use random::SplitMix64;

/// Rows and their answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Golden {
    /// The names of the features, in the order of the schema.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<GoldenRow>,
}

/// One row and its answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GoldenRow {
    /// One for each column.
    pub cells: Vec<GoldenCell>,
    /// What the model made of them.
    pub answer: Answer,
}

/// A cell: in JSON `null`, a number or a text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum GoldenCell {
    /// Nothing.
    Missing,
    /// A finite number.
    Number(f64),
    /// A text.
    Text(String),
}

/// A prediction, kept: every digit of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// Of a classifier.
    Class {
        /// The index of the predicted class; `None` where a probability is not a number.
        label: Option<usize>,
        /// One for each class.
        probabilities: Vec<JsonNumber>,
    },
    /// Of a regression.
    Value(JsonNumber),
    /// Of an autoencoder.
    Reconstruction {
        /// One for each input of the net.
        values: Vec<JsonNumber>,
        /// How far they are from the row.
        mse: JsonNumber,
    },
}

impl Golden {
    /// The answers of this model to these rows.
    pub(crate) fn answered(model: &Model, rows: Vec<Vec<GoldenCell>>) -> Self {
        let mut workspace = Workspace::default();
        let columns = model.schema.features().iter().map(|feature| feature.name.clone()).collect();
        let rows = rows.into_iter().map(|cells| {
            let answer = Answer::of(model, &cells, &mut workspace);
            GoldenRow { cells, answer }
        });
        Self { columns, rows: rows.collect() }
    }

    /// What does not fit between these rows and a model.
    pub(crate) fn problem(&self, model: &Model) -> Option<String> {
        let features = model.schema.features();
        if !self.columns.iter().eq(features.iter().map(|feature| &feature.name)) {
            return Some("its columns are not those of the model".to_owned());
        }
        self.problem_with(features.len(), model.category, output_count(model))
    }

    /// What does not fit between these rows and answers of this category, with so many numbers in a list.
    pub(crate) fn problem_with(&self, columns: usize, category: Category, outputs: usize) -> Option<String> {
        (1..).zip(&self.rows).find_map(|(number, row)| {
            if row.cells.len() != columns {
                return Some(format!("row {number}: expected {columns} cells, found {}", row.cells.len()));
            }
            let fits = match (&row.answer, category) {
                (Answer::Value(_), Category::Regression) => true,
                (Answer::Class { label, probabilities }, Category::Binomial | Category::Multinomial) => {
                    probabilities.len() == outputs && label.is_none_or(|label| label < outputs)
                }
                (Answer::Reconstruction { values, .. }, Category::AutoEncoder) => values.len() == outputs,
                _ => false,
            };
            (!fits).then(|| format!("row {number}: its answer is none that the model could give"))
        })
    }
}

/// The numbers of an answer that come as a list, or 1.
pub(crate) fn output_count(model: &Model) -> usize {
    // Besides them there are the label, the value itself, or an autoencoder's error.
    model.output_names().len().saturating_sub(1).max(1)
}

impl GoldenCell {
    /// The cell as the scorer takes it.
    pub fn as_cell(&self) -> Cell<'_> {
        match self {
            Self::Missing => Cell::Missing,
            Self::Number(value) => Cell::Number(*value),
            Self::Text(text) => Cell::Text(text),
        }
    }
}

impl Answer {
    /// The answer of this model to a row with a cell for each feature.
    pub(crate) fn of(model: &Model, cells: &[GoldenCell], workspace: &mut Workspace) -> Self {
        let features = model.schema.features().iter();
        let value = |(feature, cell): (_, &GoldenCell)| model.encoding.raw_value(feature, cell.as_cell()).0;
        let row: Vec<f64> = features.zip(cells).map(value).collect();
        let kept = |numbers: &[f64]| numbers.iter().map(|&number| JsonNumber(number)).collect();
        match model.score(&row, workspace) {
            Prediction::Value(value) => Self::Value(JsonNumber(value)),
            Prediction::Class { label, probabilities } => Self::Class { label, probabilities: kept(probabilities) },
            Prediction::Reconstruction { values, mse } => {
                Self::Reconstruction { values: kept(values), mse: JsonNumber(mse) }
            }
        }
    }

    /// The numbers in it, in the order of the prediction's columns.
    pub fn numbers(&self) -> Vec<f64> {
        match self {
            Self::Value(value) => vec![value.0],
            Self::Class { probabilities, .. } => probabilities.iter().map(|p| p.0).collect(),
            Self::Reconstruction { values, mse } => values.iter().chain([mse]).map(|value| value.0).collect(),
        }
    }

    /// The predicted class.
    pub fn label(&self) -> Option<usize> {
        match self {
            Self::Value(_) | Self::Reconstruction { .. } => None,
            Self::Class { label, .. } => *label,
        }
    }
}

#[cfg(test)]
mod tests;
