//! Predictions as `MLflow` has them.

use model::Prediction;
use serde::Serialize;

use crate::error::ServeError;
use crate::registry::ServedModel;
use crate::service::{Predictions, Setting};
use crate::wire::{AnswerJson, Writer};

/// `{"predictions": […]}`
#[derive(Debug, Default)]
pub(super) struct Predicted {
    pub method: Method,
    has_rows: bool,
}

/// What is given of each row.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Method {
    /// The label or the value; the error of an autoencoder.
    #[default]
    Predict,
    /// The probabilities of the classes.
    Probabilities,
    /// All there is, by name.
    All,
}

impl Method {
    /// What the option `predict_method` says.
    pub fn of(setting: Setting<'_>) -> Result<Self, ServeError> {
        match setting {
            Setting::Text("predict") => Ok(Self::Predict),
            Setting::Text("predict_proba") => Ok(Self::Probabilities),
            Setting::Text("all") => Ok(Self::All),
            _ => {
                let expected = "predict, predict_proba or all".to_owned();
                Err(ServeError::InvalidOption { option: "predict_method".to_owned(), expected })
            }
        }
    }
}

impl Predicted {
    pub fn new(method: Method) -> Self {
        Self { method, has_rows: false }
    }
}

impl Writer for Predicted {
    fn start(&mut self, served: &ServedModel, out: &mut Vec<u8>) -> Result<(), ServeError> {
        if self.method == Method::Probabilities && served.model().schema.classes().is_none() {
            return Err(ServeError::Unsupported { wanted: "predict_proba", needed: "a model of classes" });
        }
        out.extend_from_slice(b"{\"predictions\":[");
        Ok(())
    }

    fn write(&mut self, predictions: Predictions<'_>, out: &mut Vec<u8>) -> Result<(), ServeError> {
        for answer in predictions.iter() {
            if std::mem::replace(&mut self.has_rows, true) {
                out.push(b',');
            }
            match (self.method, answer.prediction) {
                (Method::All, _) => write(&AnswerJson(answer), out)?,
                (Method::Probabilities, Prediction::Class { probabilities, .. }) => write(&probabilities, out)?,
                (_, Prediction::Class { .. }) => write(&answer.label(), out)?,
                (_, Prediction::Value(value)) => write(&value, out)?,
                (_, Prediction::Reconstruction { mse, .. }) => write(&mse, out)?,
            }
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Vec<u8>) -> Result<(), ServeError> {
        out.extend_from_slice(b"]}");
        Ok(())
    }
}

fn write(value: &impl Serialize, out: &mut Vec<u8>) -> Result<(), ServeError> {
    serde_json::to_writer(out, value).map_err(|_| ServeError::Internal)
}
