//! The JSON of an answer.

use model::Prediction;
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::service::Answer;

/// `{"predict": …, "probabilities": {…}, "warnings": […]}`; of an autoencoder `{"reconstruction": {…}, "mse": …}`. Doubles that are not finite become null.
pub(super) struct AnswerJson<'a>(pub Answer<'a>);

impl Serialize for AnswerJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Answer { prediction, names, warnings } = self.0;
        let mut answer = serializer.serialize_map(None)?;
        match prediction {
            Prediction::Value(value) => answer.serialize_entry("predict", &value)?,
            Prediction::Class { label, probabilities } => {
                answer.serialize_entry("predict", &label.and_then(|class| names.get(class)))?;
                answer.serialize_entry("probabilities", &ByName { names, numbers: probabilities })?;
            }
            Prediction::Reconstruction { values, mse } => {
                answer.serialize_entry("reconstruction", &ByName { names, numbers: values })?;
                answer.serialize_entry("mse", &mse)?;
            }
        }
        if !warnings.is_empty() {
            answer.serialize_entry("warnings", warnings)?;
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
