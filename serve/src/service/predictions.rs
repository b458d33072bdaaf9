//! Answers, row by row and as columns.

use model::{Category, Prediction};

use super::warning::{Notes, Warning, by_kind};
use crate::registry::ServedModel;

/// The answers for a block of rows.
#[derive(Debug, Clone, Copy)]
pub struct Predictions<'a> {
    pub(super) served: &'a ServedModel,
    pub(super) scored: &'a Scored,
}

/// The answer for one row.
#[derive(Debug, Clone, Copy)]
pub struct Answer<'a> {
    /// The prediction.
    pub prediction: Prediction<'a>,
    row: usize,
    of: Predictions<'a>,
}

/// A block of rows that has been scored.
#[derive(Debug, Default)]
pub(super) struct Scored {
    pub rows: usize,
    /// Of a classifier the class of each row.
    pub labels: Vec<Option<u32>>,
    /// Row by row: the probabilities, the value, or what an autoencoder reconstructs and its error.
    pub numbers: Vec<f64>,
    pub notes: Notes,
}

impl<'a> Predictions<'a> {
    /// How many rows there are.
    pub fn rows(self) -> usize {
        self.scored.rows
    }

    /// The class of each row; none of a model that is no classifier.
    pub fn labels(self) -> &'a [Option<u32>] {
        &self.scored.labels
    }

    /// One of the numbers of each row: see [`ServedModel::numbers`].
    pub fn numbers(self, number: usize) -> impl ExactSizeIterator<Item = f64> + 'a {
        self.scored.numbers.iter().skip(number).step_by(self.served.numbers()).copied()
    }

    /// All numbers of all rows, row by row.
    pub(crate) fn all_numbers(self) -> &'a [f64] {
        &self.scored.numbers
    }

    /// The answers, in the order of the rows.
    pub fn iter(self) -> impl Iterator<Item = Answer<'a>> {
        (0..self.rows()).map(move |row| Answer { prediction: self.prediction(row), row, of: self })
    }

    fn prediction(self, row: usize) -> Prediction<'a> {
        let width = self.served.numbers();
        let numbers = &self.scored.numbers[row * width..(row + 1) * width];
        match (self.served.model().category, numbers) {
            (Category::Regression, &[value, ..]) => Prediction::Value(value),
            (Category::AutoEncoder, [values @ .., mse]) => Prediction::Reconstruction { values, mse: *mse },
            (_, probabilities) => {
                Prediction::Class { label: self.scored.labels[row].map(|label| label as usize), probabilities }
            }
        }
    }
}

impl<'a> Answer<'a> {
    /// What the numbers of the prediction are called: the classes, or the columns that an autoencoder reconstructs; empty
    /// for a regression.
    pub fn names(&self) -> &'a [String] {
        self.of.served.names()
    }

    /// The name of the predicted class.
    pub fn label(&self) -> Option<&'a str> {
        match self.prediction {
            Prediction::Class { label, .. } => self.names().get(label?).map(String::as_str),
            Prediction::Value(_) | Prediction::Reconstruction { .. } => None,
        }
    }

    /// What was noticed, one for each kind; mostly nothing.
    pub fn warnings(&self) -> Vec<Warning<'a>> {
        let notes = &self.of.scored.notes;
        if notes.is_empty() { Vec::new() } else { by_kind(notes.of_row(self.row).iter(), self.of.served) }
    }
}
