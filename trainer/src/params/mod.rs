//! What a user may ask of a training run: H2O's parameters under H2O's names, with H2O's defaults.
//!
//! [`table`] has a row for each; the command's flags, the keys of a `--params` file and the help texts are made from it.

mod table;
mod value;

use std::fmt;

pub use table::{PARAMETERS, TrainParams};
pub use value::{
    AucType, CategoricalEncoding, ColumnTypes, DistributionChoice, Files, InitialWeightDistribution, LayerFiles, Loss,
    MissingValuesHandling, ModelPath, Names, StoppingMetric, ValidationSampling,
};

/// One row of the table of parameters.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Parameter {
    /// H2O's name, in snake case.
    pub name: &'static str,
    /// What it changes, and what is allowed.
    pub help: &'static str,
    /// What a value looks like, for help and errors.
    pub expected: &'static str,
    /// Whether naming the flag without a value means `true`.
    pub is_switch: bool,
    /// Whether the flag takes several values.
    pub is_list: bool,
    /// Its default as text; empty where there is none.
    pub default: fn() -> String,
}

/// A parameter that does not exist, or a value that it cannot take.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the fields are what the messages say")]
pub enum ParamError {
    #[error("unknown parameter `{name}`{}", Suggestion(.name))]
    Unknown { name: String },
    #[error("{name}: `{value}` is not allowed, expected {expected}")]
    BadValue { name: &'static str, value: String, expected: &'static str },
}

/// The parameter whose name is closest, where one is close.
struct Suggestion<'a>(&'a str);

impl fmt::Display for Suggestion<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let near = PARAMETERS.iter().map(|p| (distance(self.0, p.name), p.name)).min();
        match near {
            Some((distance, name)) if distance <= 3 => write!(f, ", did you mean `{name}`?"),
            _ => Ok(()),
        }
    }
}

/// Levenshtein's edit distance.
pub(crate) fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, &cb) in b.iter().enumerate() {
            let replace = diagonal + usize::from(ca != cb);
            diagonal = row[j + 1];
            row[j + 1] = replace.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests;
