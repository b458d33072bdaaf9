use serde::{Deserialize, Serialize};

use super::sums::Sums;
use super::{Metric, nullable};
use crate::math::ln;

/// Takes the rows of a regression one by one.
#[derive(Debug, Clone, Default)]
pub struct RegressionAccumulator {
    sums: Sums,
    absolute_error: f64,
    squared_log_error: f64,
    deviance: f64,
}

impl RegressionAccumulator {
    /// Without rows.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one row. `deviance` is that of the model's distribution between the two values, before the weight.
    pub fn add(&mut self, actual: f64, predicted: f64, deviance: f64, weight: f64) {
        if actual.is_nan() || predicted.is_nan() || weight == 0.0 {
            return;
        }
        let actual = f64::from(actual as f32);
        let error = actual - predicted;
        self.sums.add(actual, error, weight);
        self.absolute_error += weight * error.abs();
        let log_error = ln(predicted + 1.0) - ln(actual + 1.0);
        self.squared_log_error += weight * log_error * log_error;
        self.deviance += weight * deviance;
    }

    /// The figures; NaN when no row counted.
    pub fn finish(&self) -> RegressionMetrics {
        let weight = self.sums.weight;
        let mse = self.sums.mse();
        RegressionMetrics {
            mse,
            rmse: mse.sqrt(),
            r2: self.sums.r2(),
            mae: self.absolute_error / weight,
            rmsle: (self.squared_log_error / weight).sqrt(),
            mean_residual_deviance: self.deviance / weight,
            nobs: self.sums.rows,
        }
    }
}

/// The figures of a regression.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RegressionMetrics {
    /// Mean squared error.
    #[serde(with = "nullable")]
    pub mse: f64,
    /// Its square root.
    #[serde(with = "nullable")]
    pub rmse: f64,
    /// 1 - MSE / variance of the actual values.
    #[serde(with = "nullable")]
    pub r2: f64,
    /// Mean absolute error.
    #[serde(with = "nullable")]
    pub mae: f64,
    /// Root of the mean squared difference of ln(1 + value); NaN when a value is below -1.
    #[serde(with = "nullable")]
    pub rmsle: f64,
    /// Mean deviance of the model's distribution.
    #[serde(with = "nullable")]
    pub mean_residual_deviance: f64,
    /// Rows that counted.
    pub nobs: u64,
}

impl RegressionMetrics {
    pub(super) fn get(&self, metric: Metric) -> Option<f64> {
        match metric {
            Metric::Mse => Some(self.mse),
            Metric::Rmse => Some(self.rmse),
            Metric::R2 => Some(self.r2),
            Metric::Mae => Some(self.mae),
            Metric::Rmsle => Some(self.rmsle),
            Metric::MeanResidualDeviance => Some(self.mean_residual_deviance),
            _ => None,
        }
    }
}
