//! Answers, held against those that were expected.

use model::{Domain, Model};

use super::{Outcome, ScorerReport};
use crate::golden::{Answer, Golden};
use crate::tolerance::{Parity, relative_difference};

/// What answers are, and how near they have to be.
pub(super) struct Comparison<'m> {
    /// The columns of a table of predictions.
    pub(super) names: Vec<String>,
    /// The classes of a classifier.
    pub(super) classes: &'m [String],
    pub(super) parity: Parity,
    /// What each number is counted in; after the last of these it is 1.
    pub(super) units: Vec<f64>,
}

impl<'m> Comparison<'m> {
    pub(super) fn of(model: &'m Model, parity: Parity) -> Self {
        let classes = model.schema.classes().map_or(&[][..], Domain::levels);
        Self { names: model.output_names(), classes, parity, units: Vec::new() }
    }

    /// What came of a scorer's answers to golden rows.
    pub(super) fn report(&self, scorer: &'static str, golden: &Golden, answers: &[Answer]) -> ScorerReport {
        let mut outcome = Outcome::Agrees;
        let mut largest_relative_difference: f64 = 0.0;
        for ((row, expected), found) in (1..).zip(golden.rows.iter().map(|row| &row.answer)).zip(answers) {
            for (a, b) in expected.numbers().into_iter().zip(found.numbers()) {
                largest_relative_difference = largest_relative_difference.max(relative_difference(a, b));
            }
            if let (Outcome::Agrees, Some(difference)) = (&outcome, self.first_difference(row, expected, found)) {
                outcome = difference;
            }
        }
        ScorerReport { scorer, rows: golden.rows.len(), outcome, largest_relative_difference }
    }

    fn first_difference(&self, row: usize, expected: &Answer, found: &Answer) -> Option<Outcome> {
        let differs = |column: usize, expected: String, found: String| {
            let column = self.names.get(column).cloned().unwrap_or_default();
            Some(Outcome::Disagrees { row, column, expected, found })
        };
        let (expected_numbers, found_numbers) = (expected.numbers(), found.numbers());
        let first_number = usize::from(!self.classes.is_empty());
        for (index, (&a, &b)) in expected_numbers.iter().zip(&found_numbers).enumerate() {
            let parity = self.parity.in_unit(self.units.get(index).copied().unwrap_or(1.0));
            if !parity.same(a, b) {
                return differs(first_number + index, a.to_string(), b.to_string());
            }
        }
        if !self.parity.same_label(expected.label(), found.label(), &expected_numbers) {
            let name = |label: Option<usize>| {
                let level = label.and_then(|label| self.classes.get(label));
                level.map_or_else(|| "none".to_owned(), |level| format!("`{level}`"))
            };
            return differs(0, name(expected.label()), name(found.label()));
        }
        None
    }
}
