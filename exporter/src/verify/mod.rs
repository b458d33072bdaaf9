//! Replays rows through every scorer there is: ours against the answers that travel with the model, and the others
//! against ours.

mod compare;
mod error;
mod java;
mod java_class;
mod onnx;
mod process;
mod rust;
mod rust_file;

use std::borrow::Cow;
use std::path::Path;
use std::{fmt, fs};

use compare::Comparison;
pub use error::VerifyError;
pub use java::JavaRuntime;
pub use java_class::{Jdk, verify_java, verify_java_file};
pub use onnx::{OnnxRuntime, verify_onnx};
pub use rust::{RustCompiler, verify_rust};
#[cfg(test)]
pub(crate) use rust::{read_answers as read_rust_answers, rows_text as rust_rows_text};
pub use rust_file::verify_rust_file;

use crate::artifact::Artifact;
use crate::golden::{Answer, Golden};
use crate::tolerance::Parity;

/// The scorers that are asked besides ours.
#[derive(Debug, Clone, Default)]
pub struct Scorers {
    /// H2O's runtime.
    pub runtime: Option<JavaRuntime>,
    /// What compiles and runs the Java class of a model.
    pub java: Option<Jdk>,
    /// What compiles the Rust source of a model.
    pub rust: Option<RustCompiler>,
    /// onnxruntime.
    pub onnx: Option<OnnxRuntime>,
}

/// What each scorer made of the rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// Ours, H2O's, then those of the formats that a model can be written in.
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
pub fn verify(artifact: &Artifact, mojo: &Path, others: &Scorers) -> Result<Report, VerifyError> {
    let model = &artifact.model;
    let golden = artifact.golden_rows();
    let ours = match &golden {
        Cow::Borrowed(golden) => {
            let cells = golden.rows.iter().map(|row| row.cells.clone()).collect();
            let found: Vec<Answer> = Golden::answered(model, cells).rows.into_iter().map(|row| row.answer).collect();
            Comparison::of(model, Parity::exact(model)).report("aqueduct", golden, &found)
        }
        // An archive whose golden rows were taken out has none to compare with.
        Cow::Owned(_) => ScorerReport::skipped("aqueduct", "the archive holds no golden rows to compare with"),
    };
    let theirs = match &others.runtime {
        Some(runtime) => {
            let found = runtime.score(model, java::Source::Mojo(mojo), &golden)?;
            Comparison::of(model, Parity::of(model)).report("h2o-genmodel", &golden, &found)
        }
        None => ScorerReport::skipped("h2o-genmodel", "no jar of H2O's runtime was given"),
    };
    let mut scorers = vec![ours, theirs];
    if let Some(jdk) = &others.java {
        scorers.extend(java_class::verify_java_of(artifact, jdk)?);
    }
    if let Some(compiler) = &others.rust {
        scorers.push(rust::verify_rust_of(artifact, &golden, compiler)?);
    }
    if let Some(runtime) = &others.onnx {
        scorers.extend(onnx::verify_onnx_of(artifact, &golden, runtime)?);
    }
    Ok(Report { scorers })
}

/// A source that begins as ours do. What is no UTF-8 does not, or its compiler says so.
fn our_source(path: &Path, start: &'static str) -> Result<String, VerifyError> {
    let bytes = fs::read(path).map_err(|source| VerifyError::Unread { path: path.to_owned(), source })?;
    let text = String::from_utf8_lossy(&bytes);
    if !text.starts_with(start) {
        return Err(VerifyError::NotOurs { path: path.to_owned(), start });
    }
    Ok(text.into_owned())
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
