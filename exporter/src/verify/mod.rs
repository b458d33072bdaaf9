//! Replays rows through every scorer there is: ours against the answers that travel with the model, and H2O's runtime
//! against ours.

mod java;

use std::borrow::Cow;
use std::fmt;
use std::path::Path;

use model::Model;

pub use java::{JavaRuntime, VerifyError};

use crate::artifact::Artifact;
use crate::checksum::checksum;
use crate::golden::{Answer, Golden};
use crate::tolerance::{Parity, relative_difference};

/// What each scorer made of the rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// Ours, then H2O's.
    pub scorers: Vec<ScorerReport>,
}

/// What one scorer made of the rows.
#[derive(Debug, Clone, PartialEq)]
pub struct ScorerReport {
    /// Whose scorer.
    pub scorer: &'static str,
    /// Rows it scored.
    pub rows: usize,
    /// Whether its answers are the expected ones.
    pub outcome: Outcome,
    /// The largest difference of a number from the expected one, as a share of the larger.
    pub largest_relative_difference: f64,
}

/// Whether a scorer's answers are the expected ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// They are.
    Agrees,
    /// They are not, first of all here.
    Disagrees {
        /// The row, counted from 1.
        row: usize,
        /// The output, as its column is headed.
        column: String,
        /// The expected answer.
        expected: String,
        /// The scorer's answer.
        found: String,
    },
    /// It did not score.
    Skipped {
        /// Why.
        reason: String,
    },
}

/// Replays the golden rows of an artifact that was read from this MOJO. An archive that has none, as those of H2O, is
/// tried with rows that are drawn from its schema.
pub fn verify(artifact: &Artifact, mojo: &Path, runtime: Option<&JavaRuntime>) -> Result<Report, VerifyError> {
    let model = &artifact.model;
    // An archive whose golden rows were taken out has none to compare with.
    let stored = artifact.golden.as_ref().filter(|golden| !golden.rows.is_empty());
    let golden = match stored {
        Some(golden) => Cow::Borrowed(golden),
        None => Cow::Owned(Golden::draw_without_profile(model, checksum(model))),
    };
    let ours = match stored {
        Some(golden) => {
            let cells = golden.rows.iter().map(|row| row.cells.clone()).collect();
            let found: Vec<Answer> = Golden::answered(model, cells).rows.into_iter().map(|row| row.answer).collect();
            compare("aqueduct", model, golden, &found, Parity::exact(model))
        }
        None => ScorerReport::skipped("aqueduct", "the archive holds no golden rows to compare with"),
    };
    let theirs = match runtime {
        Some(runtime) => {
            compare("h2o-genmodel", model, &golden, &runtime.score(model, mojo, &golden)?, Parity::of(model))
        }
        None => ScorerReport::skipped("h2o-genmodel", "no jar of H2O's runtime was given"),
    };
    Ok(Report { scorers: vec![ours, theirs] })
}

fn compare(
    scorer: &'static str,
    model: &Model,
    golden: &Golden,
    answers: &[Answer],
    parity: Parity<'_>,
) -> ScorerReport {
    let mut outcome = Outcome::Agrees;
    let mut largest_relative_difference: f64 = 0.0;
    for ((row, expected), found) in (1..).zip(golden.rows.iter().map(|row| &row.answer)).zip(answers) {
        for (a, b) in expected.numbers().into_iter().zip(found.numbers()) {
            largest_relative_difference = largest_relative_difference.max(relative_difference(a, b));
        }
        if let (Outcome::Agrees, Some(difference)) = (&outcome, first_difference(row, model, expected, found, parity)) {
            outcome = difference;
        }
    }
    ScorerReport { scorer, rows: golden.rows.len(), outcome, largest_relative_difference }
}

fn first_difference(
    row: usize,
    model: &Model,
    expected: &Answer,
    found: &Answer,
    parity: Parity<'_>,
) -> Option<Outcome> {
    let names = model.output_names();
    let differs = |column: usize, expected: String, found: String| {
        let column = names.get(column).cloned().unwrap_or_default();
        Some(Outcome::Disagrees { row, column, expected, found })
    };
    let (expected_numbers, found_numbers) = (expected.numbers(), found.numbers());
    let first_number = usize::from(model.schema.classes().is_some());
    for (index, (&a, &b)) in expected_numbers.iter().zip(&found_numbers).enumerate() {
        if !parity.same(a, b) {
            return differs(first_number + index, a.to_string(), b.to_string());
        }
    }
    if !parity.same_label(expected.label(), found.label(), &expected_numbers) {
        let name = |label: Option<usize>| {
            let level = model.schema.classes().and_then(|classes| classes.levels().get(label?));
            level.map_or_else(|| "none".to_owned(), |level| format!("`{level}`"))
        };
        return differs(0, name(expected.label()), name(found.label()));
    }
    None
}

impl Report {
    /// Whether some scorer had something to compare.
    pub fn compared(&self) -> bool {
        self.scorers.iter().any(|scorer| !matches!(scorer.outcome, Outcome::Skipped { .. }))
    }

    /// Whether no scorer disagrees.
    pub fn agrees(&self) -> bool {
        self.scorers.iter().all(|scorer| !matches!(scorer.outcome, Outcome::Disagrees { .. }))
    }
}

impl ScorerReport {
    fn skipped(scorer: &'static str, reason: &str) -> Self {
        let outcome = Outcome::Skipped { reason: reason.to_owned() };
        Self { scorer, rows: 0, outcome, largest_relative_difference: 0.0 }
    }
}

/// One line: `h2o-genmodel: 135 rows agree, largest relative difference 2.2e-16`.
impl fmt::Display for ScorerReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { scorer, rows, outcome, largest_relative_difference } = self;
        match outcome {
            Outcome::Agrees => {
                write!(f, "{scorer}: {rows} rows agree, largest relative difference {largest_relative_difference:.1e}")
            }
            Outcome::Disagrees { row, column, expected, found } => write!(
                f,
                "{scorer}: row {row} of {rows} disagrees in column `{column}`: expected {expected}, found {found}"
            ),
            Outcome::Skipped { reason } => write!(f, "{scorer}: skipped, {reason}"),
        }
    }
}

#[cfg(test)]
mod tests;
