//! What a report is made of. What is not known is empty, and the report says so.

use model::{Model, Profile};
use serde_json::Value;

/// A model and all that is known about its making.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportFacts {
    /// The model.
    pub model: Model,
    /// Its training columns.
    pub profile: Option<Profile>,
    /// The program that trained it, with its version.
    pub trained_by: String,
    /// When, in ISO 8601.
    pub timestamp: String,
    /// How the training went.
    pub run: Option<RunFacts>,
    /// What its user was warned of; `None` where nobody knows.
    pub warnings: Option<Vec<String>>,
    /// H2O's parameters, in its order.
    pub parameters: Vec<ParameterFacts>,
    /// "Scoring History".
    pub history: Table,
    /// "Status of Neuron Layers".
    pub layers: Table,
    /// "Variable Importances".
    pub importances: Table,
    /// On the training sample.
    pub training: FrameFacts,
    /// On the validation sample.
    pub validation: FrameFacts,
    /// On rows that were held out, fold by fold; of models of H2O.
    pub cross_validation: FrameFacts,
}

/// How a training went.
#[derive(Debug, Clone, PartialEq)]
pub struct RunFacts {
    /// The engine with its kernel.
    pub engine: String,
    /// Threads that trained.
    pub threads: u64,
    /// Rows trained on, repeated ones counted again.
    pub samples: u64,
    /// Passes over the data.
    pub epochs: f64,
    /// Seconds of training alone.
    pub training_seconds: f64,
    /// Rows a second of training alone.
    pub samples_per_second: f64,
    /// Why it ended, as half a sentence.
    pub stopped_by: String,
}

/// A parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParameterFacts {
    /// H2O's name.
    pub name: String,
    /// What was asked for.
    pub given: String,
    /// What the run used.
    pub effective: String,
    /// What it is where nobody asks for anything.
    pub default: String,
}

impl ParameterFacts {
    /// A parameter from its values in JSON.
    pub fn from_json(name: &str, given: &Value, effective: &Value, default: &Value) -> Self {
        let name = name.to_owned();
        Self { name, given: value_text(given), effective: value_text(effective), default: value_text(default) }
    }
}

/// A value as people write it.
fn value_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Bool(bool) => bool.to_string(),
        // Whole numbers without a fraction, those that are neither tiny nor huge without an exponent.
        Value::Number(number) => match number.as_f64().filter(|_| number.is_f64()) {
            Some(x) if x == 0.0 || (1e-5..1e15).contains(&x.abs()) => x.to_string(),
            _ => number.to_string(),
        },
        Value::Array(values) => values.iter().map(value_text).collect::<Vec<_>>().join(", "),
        // H2O's references to columns, frames and models.
        Value::Object(entries) if entries.contains_key("__meta") => {
            ["column_name", "name"].iter().find_map(|name| entries.get(*name)).map(value_text).unwrap_or_default()
        }
        Value::Object(entries) => {
            entries.iter().map(|(name, value)| format!("{name}={}", value_text(value))).collect::<Vec<_>>().join(", ")
        }
    }
}

/// The metrics on one frame. Tables have H2O's columns, and are empty where they do not apply.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FrameFacts {
    /// Figures under their keys of `metrics.json`.
    pub metrics: Vec<(String, f64)>,
    /// "Confusion Matrix", with its error and rate columns and its row of totals.
    pub confusion: Table,
    /// "Metrics for Thresholds".
    pub thresholds: Table,
    /// "Gains/Lift Table".
    pub gains_lift: Table,
    /// "Top-K Hit Ratios".
    pub hit_ratios: Table,
    /// "Multinomial AUC".
    pub multinomial_auc: Table,
    /// Rows by `lower` and `upper` residual.
    pub residuals: Table,
    /// Rows by `actual` and `predicted` value, in squares of `side`.
    pub predicted_actual: Table,
    /// Rows by `lower` and `upper` reconstruction error.
    pub reconstruction_errors: Table,
}

impl FrameFacts {
    /// Whether nothing is known of the frame.
    pub fn is_empty(&self) -> bool {
        self.metrics.is_empty()
    }

    pub(super) fn metric(&self, name: &str) -> Option<f64> {
        self.metrics.iter().find(|(key, value)| key == name && !value.is_nan()).map(|&(_, value)| value)
    }
}

/// A header and rows of cells.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table {
    /// The names of the columns.
    pub header: Vec<String>,
    /// As many cells as the header has.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub(super) fn index_of(&self, name: &str) -> Option<usize> {
        self.header.iter().position(|column| column == name)
    }

    /// The numbers of a column, NaN for what is none; nothing where there is no such column.
    pub(super) fn numbers(&self, name: &str) -> Vec<f64> {
        let Some(column) = self.index_of(name) else { return Vec::new() };
        self.rows.iter().map(|row| number(row.get(column))).collect()
    }

    /// The numbers of two columns, side by side.
    pub(super) fn pairs(&self, x: &str, y: &str) -> Vec<(f64, f64)> {
        self.numbers(x).into_iter().zip(self.numbers(y)).collect()
    }
}

pub(super) fn number(cell: Option<&String>) -> f64 {
    cell.and_then(|cell| cell.parse().ok()).unwrap_or(f64::NAN)
}
