//! Answers as JSON.

use model::Prediction;
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::error::ServeError;
use crate::service::{Answer, Predictions};

/// The elements of an array, and its start.
pub(super) fn write_json_list(
    predictions: Predictions<'_>,
    is_first: &mut bool,
    out: &mut Vec<u8>,
) -> Result<(), ServeError> {
    for answer in predictions.iter() {
        out.push(if std::mem::take(is_first) { b'[' } else { b',' });
        serde_json::to_writer(&mut *out, &AnswerJson(answer)).map_err(|_| ServeError::Internal)?;
    }
    Ok(())
}

/// The only row as itself.
pub(super) fn write_json(predictions: Predictions<'_>, out: &mut Vec<u8>) -> Result<(), ServeError> {
    predictions
        .iter()
        .try_for_each(|answer| serde_json::to_writer(&mut *out, &AnswerJson(answer)).map_err(|_| ServeError::Internal))
}

/// A line for each row.
pub(super) fn write_ndjson(predictions: Predictions<'_>, out: &mut Vec<u8>) -> Result<(), ServeError> {
    for answer in predictions.iter() {
        serde_json::to_writer(&mut *out, &AnswerJson(answer)).map_err(|_| ServeError::Internal)?;
        out.push(b'\n');
    }
    Ok(())
}

/// `{"predict": …, "probabilities": {…}, "warnings": […]}`; of an autoencoder `{"reconstruction": {…}, "mse": …}`. Doubles that
/// are not finite become null.
pub(crate) struct AnswerJson<'a>(pub Answer<'a>);

impl Serialize for AnswerJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let names = self.0.names();
        let mut answer = serializer.serialize_map(None)?;
        match self.0.prediction {
            Prediction::Value(value) => answer.serialize_entry("predict", &value)?,
            Prediction::Class { probabilities, .. } => {
                answer.serialize_entry("predict", &self.0.label())?;
                answer.serialize_entry("probabilities", &ByName { names, numbers: probabilities })?;
            }
            Prediction::Reconstruction { values, mse } => {
                answer.serialize_entry("reconstruction", &ByName { names, numbers: values })?;
                answer.serialize_entry("mse", &mse)?;
            }
        }
        let warnings = self.0.warnings();
        if !warnings.is_empty() {
            answer.serialize_entry("warnings", &warnings)?;
        }
        answer.end()
    }
}

/// `{"no": 0.25, "yes": 0.75}`
struct ByName<'a> {
    names: &'a [String],
    numbers: &'a [f64],
}

impl Serialize for ByName<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.names.iter().zip(self.numbers))
    }
}
