//! The JSON of an answer.

use model::Prediction;
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::service::Answer;

/// `{"predict": …, "probabilities": {…}, "warnings": […]}`. Doubles that are not finite become null.
pub(super) struct AnswerJson<'a>(pub Answer<'a>);

impl Serialize for AnswerJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Answer { prediction, classes, warnings } = self.0;
        let mut answer = serializer.serialize_map(None)?;
        match prediction {
            Prediction::Value(value) => answer.serialize_entry("predict", &value)?,
            Prediction::Class { label, probabilities } => {
                answer.serialize_entry("predict", &label.and_then(|class| classes.get(class)))?;
                answer.serialize_entry("probabilities", &ByClass { classes, probabilities })?;
            }
        }
        if !warnings.is_empty() {
            answer.serialize_entry("warnings", warnings)?;
        }
        answer.end()
    }
}

/// `{"no": 0.25, "yes": 0.75}`
struct ByClass<'a> {
    classes: &'a [String],
    probabilities: &'a [f64],
}

impl Serialize for ByClass<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.classes.iter().zip(self.probabilities))
    }
}
