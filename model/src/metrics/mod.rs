//! How good a model is: the figures of H2O's model metrics, on one pass over scored rows in row order.
//!
//! An accumulator takes one row after another and ends in a report: [`RegressionAccumulator`],
//! [`BinomialAccumulator`], [`MultinomialAccumulator`], [`AutoEncoderAccumulator`]. Rows with a missing actual value, a NaN prediction or weight 0
//! are ignored; actual values pass through `f32` as they do in H2O. Means are weighted, `nobs` counts rows.
//!
//! [`Metrics`] is what `metrics.json` keeps of a report: a flat object with one number (or null) a figure.

mod auto_encoder;
mod binomial;
mod confusion;
mod error_histogram;
mod gains_lift;
mod histogram;
mod metric;
mod multinomial;
mod multinomial_auc;
mod quantile;
mod regression;
mod residuals;
mod sums;
mod thresholds;

use serde::{Deserialize, Serialize};

pub use auto_encoder::{AutoEncoderAccumulator, AutoEncoderMetrics, AutoEncoderReport};
pub use binomial::{BinomialAccumulator, BinomialMetrics, BinomialReport};
pub use confusion::ConfusionMatrix;
pub use gains_lift::{GainsLift, GainsLiftGroup, LiftGroups};
pub use metric::Metric;
pub use multinomial::{MAX_CLASSES, MultinomialAccumulator, MultinomialMetrics, MultinomialReport};
pub use multinomial_auc::{AucMean, AucRow, MAX_AUC_CLASSES};
pub use quantile::quantile;
pub use regression::{RegressionAccumulator, RegressionMetrics};
pub use residuals::{DensityCell, RegressionReport, Residuals, ValueBin};
pub use thresholds::{Criterion, Maximum, Threshold, ThresholdTable};

/// The figures of one model on one set of rows.
///
/// As JSON an object without a tag: binomial figures are those with `gini`, multinomial ones those with `logloss` only,
/// those of a regression have a `mae`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Metrics {
    /// Of a classifier for two classes.
    Binomial(BinomialMetrics),
    /// Of a classifier for more classes.
    Multinomial(MultinomialMetrics),
    /// Of a regression.
    Regression(RegressionMetrics),
    /// Of an autoencoder.
    AutoEncoder(AutoEncoderMetrics),
}

impl Metrics {
    /// One figure, `None` where it does not apply to this kind of problem.
    pub fn get(&self, metric: Metric) -> Option<f64> {
        match self {
            Self::Binomial(m) => m.get(metric),
            Self::Multinomial(m) => m.get(metric),
            Self::Regression(m) => m.get(metric),
            Self::AutoEncoder(m) => m.get(metric),
        }
    }

    /// Rows that counted.
    pub fn nobs(&self) -> u64 {
        match self {
            Self::Binomial(m) => m.nobs,
            Self::Multinomial(m) => m.nobs,
            Self::Regression(m) => m.nobs,
            Self::AutoEncoder(m) => m.nobs,
        }
    }
}

/// The class an actual value stands for: `None` when missing or not one of `classes`.
fn class_of(actual: f64, classes: usize) -> Option<usize> {
    // The cast of NaN is 0 and the cast of a negative number is 0: both fail the comparison.
    let class = actual as usize;
    (class < classes && class as f64 == actual).then_some(class)
}

/// What a classifier loses on a row whose actual class it gave the probability 1 - `error`: at most -ln 1e-15.
fn log_loss(error: f64) -> f64 {
    const LARGEST: f64 = 34.538_776_394_910_684;
    let loss = -crate::math::ln(1.0 - error);
    if loss > LARGEST { LARGEST } else { loss }
}

/// For `#[serde(with = …)]`: a double in JSON, null when it is not finite; null reads as NaN.
mod nullable {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    pub(super) fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        value.is_finite().then_some(*value).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Ok(Option::deserialize(deserializer)?.unwrap_or(f64::NAN))
    }
}

#[cfg(test)]
mod tests;
