use serde::{Deserialize, Serialize};

use super::error_histogram::ErrorHistogram;
use super::{Metric, ValueBin, nullable};

/// Takes the rows of an autoencoder one by one. All of them count alike: H2O trains none with weights.
#[derive(Debug, Clone, Default)]
pub struct AutoEncoderAccumulator {
    rows: u64,
    error: f64,
    histogram: ErrorHistogram,
}

impl AutoEncoderAccumulator {
    /// Without rows.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the reconstruction error of a row, the mean over the inputs of the net.
    pub fn add(&mut self, error: f64) {
        if !error.is_nan() {
            self.rows += 1;
            self.error += error;
            self.histogram.add(error);
        }
    }

    /// The figures, NaN when no row counted, and how the errors are spread.
    pub fn finish(&self) -> AutoEncoderReport {
        let mse = self.error / self.rows as f64;
        let metrics = AutoEncoderMetrics { mse, rmse: mse.sqrt(), nobs: self.rows };
        AutoEncoderReport { metrics, errors: self.histogram.bins() }
    }
}

/// All there is to say about an autoencoder.
#[derive(Debug, Clone, PartialEq)]
pub struct AutoEncoderReport {
    /// The figures.
    pub metrics: AutoEncoderMetrics,
    /// Rows by their reconstruction errors: bins whose bounds grow by 2.2 % each, those that have rows.
    pub errors: Vec<ValueBin>,
}

/// The figures of an autoencoder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AutoEncoderMetrics {
    /// Mean squared error over rows and inputs.
    #[serde(with = "nullable")]
    pub mse: f64,
    /// Its square root.
    #[serde(with = "nullable")]
    pub rmse: f64,
    /// Rows that counted.
    pub nobs: u64,
}

impl AutoEncoderMetrics {
    pub(super) fn get(&self, metric: Metric) -> Option<f64> {
        match metric {
            Metric::Mse => Some(self.mse),
            Metric::Rmse => Some(self.rmse),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::Metrics;

    #[test]
    fn the_figures_are_means_over_rows_that_have_an_error() {
        let mut accumulator = AutoEncoderAccumulator::new();
        for error in [0.25, f64::NAN, 0.75] {
            accumulator.add(error);
        }
        let metrics = Metrics::AutoEncoder(accumulator.finish().metrics);
        assert_eq!((metrics.get(Metric::Mse), metrics.get(Metric::Mae), metrics.nobs()), (Some(0.5), None, 2));
        let json = serde_json::to_string(&metrics).expect("it is numbers");
        assert_eq!(json, r#"{"mse":0.5,"rmse":0.7071067811865476,"nobs":2}"#);
        assert_eq!(serde_json::from_str::<Metrics>(&json).expect("it was written so"), metrics);
    }

    #[test]
    fn without_rows_there_are_no_figures() {
        assert!(AutoEncoderAccumulator::new().finish().metrics.mse.is_nan());
    }
}
