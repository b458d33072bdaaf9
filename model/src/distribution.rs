//! The distribution of the response: what the output layer's numbers mean.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::math::{exp, ln};

/// The `distribution` of a trained model, as a MOJO names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are H2O's and say all")]
pub enum Distribution {
    Bernoulli,
    Multinomial,
    Gaussian,
    Poisson,
    Gamma,
    Tweedie,
    Laplace,
    Quantile,
    Huber,
}

impl Distribution {
    /// Every value.
    pub const ALL: [Self; 9] = [
        Self::Bernoulli,
        Self::Multinomial,
        Self::Gaussian,
        Self::Poisson,
        Self::Gamma,
        Self::Tweedie,
        Self::Laplace,
        Self::Quantile,
        Self::Huber,
    ];

    /// H2O's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bernoulli => "bernoulli",
            Self::Multinomial => "multinomial",
            Self::Gaussian => "gaussian",
            Self::Poisson => "poisson",
            Self::Gamma => "gamma",
            Self::Tweedie => "tweedie",
            Self::Laplace => "laplace",
            Self::Quantile => "quantile",
            Self::Huber => "huber",
        }
    }

    /// Whether the output of the net is the mean itself, and not its logarithm or the like.
    pub fn has_identity_link(self) -> bool {
        matches!(self, Self::Gaussian | Self::Laplace | Self::Quantile | Self::Huber)
    }

    /// The deviance of a response from its predicted mean, without the row's weight. Half of H2O's formulas are twice a
    /// log likelihood; Absolute, Quantile and Huber are losses.
    ///
    /// | distribution | deviance |
    /// |---|---|
    /// | gaussian | `(y - mu)^2` |
    /// | laplace | `abs(y - mu)` |
    /// | quantile | `alpha (y - mu)` above, `(1 - alpha) (mu - y)` below |
    /// | huber | `(y - mu)^2` within delta, else `(2 abs(y - mu) - delta) delta` |
    /// | poisson | `2 (y ln(y / mu) - y + mu)` |
    /// | gamma | `2 (ln(mu / y) + y / mu - 1)` |
    /// | tweedie | `2 (y^(2-q) / ((1-q)(2-q)) - y mu^(1-q) / (1-q) + mu^(2-q) / (2-q))` |
    /// | bernoulli | `-2 (y ln mu + (1-y) ln(1-mu))` |
    pub fn deviance(self, shape: Shape, y: f64, mu: f64) -> f64 {
        let error = y - mu;
        match self {
            Self::Gaussian | Self::Multinomial => error * error,
            Self::Laplace => error.abs(),
            Self::Quantile => {
                let alpha = shape.quantile_alpha;
                if y > mu { alpha * error } else { (1.0 - alpha) * -error }
            }
            Self::Huber => {
                let delta = shape.huber_delta;
                if error.abs() <= delta { error * error } else { (2.0 * error.abs() - delta) * delta }
            }
            Self::Poisson => 2.0 * (y * capped_ln(y / mu) - y + mu),
            Self::Gamma => {
                let ratio = if y == 0.0 && mu == 0.0 { 1.0 } else { y / mu };
                2.0 * (capped_ln(1.0 / ratio) + ratio - 1.0)
            }
            Self::Tweedie => {
                let q = shape.tweedie_power;
                2.0 * (power(y, 2.0 - q) / ((1.0 - q) * (2.0 - q)) - y * power(mu, 1.0 - q) / (1.0 - q)
                    + power(mu, 2.0 - q) / (2.0 - q))
            }
            Self::Bernoulli => -2.0 * (y * capped_ln(mu) + (1.0 - y) * capped_ln(1.0 - mu)),
        }
    }

    /// The mean of the response for the (descaled) output `f` of a regression. Exponentials are capped at 1e19, as H2O
    /// caps them.
    pub fn link_inverse(self, f: f64) -> f64 {
        match self {
            Self::Bernoulli => 1.0 / (1.0 + capped_exp(-f)),
            Self::Multinomial | Self::Poisson | Self::Gamma | Self::Tweedie => capped_exp(f),
            Self::Gaussian | Self::Laplace | Self::Quantile | Self::Huber => f,
        }
    }
}

/// What some distributions need to know besides their names.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Shape {
    /// Variance power of tweedie, between 1 and 2.
    pub tweedie_power: f64,
    /// The quantile that is predicted.
    pub quantile_alpha: f64,
    /// Where huber's deviance becomes linear.
    pub huber_delta: f64,
}

/// H2O's logarithm: never below -19.
pub fn capped_ln(x: f64) -> f64 {
    if x <= 0.0 {
        return -19.0;
    }
    let ln = ln(x);
    if ln < -19.0 { -19.0 } else { ln }
}

/// `base^exponent` for a base that is not negative.
fn power(base: f64, exponent: f64) -> f64 {
    if base == 0.0 {
        return if exponent > 0.0 { 0.0 } else { f64::INFINITY };
    }
    exp(exponent * ln(base))
}

/// H2O's exponential: never above 1e19.
pub fn capped_exp(x: f64) -> f64 {
    let e = exp(x);
    // Not `min`: a NaN has to stay one.
    if e > 1e19 { 1e19 } else { e }
}

impl fmt::Display for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Distribution {
    type Err = UnknownDistribution;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|d| d.name().eq_ignore_ascii_case(text));
        found.ok_or_else(|| UnknownDistribution(text.to_owned()))
    }
}

/// A text that names no distribution of a deep-learning model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown distribution `{0}`: expected bernoulli, multinomial, gaussian, poisson, gamma, tweedie, laplace, quantile or huber"
)]
pub struct UnknownDistribution(pub String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_link_is_capped_and_keeps_nan() {
        assert_eq!(Distribution::Poisson.link_inverse(1000.0), 1e19);
        assert!(Distribution::Poisson.link_inverse(f64::NAN).is_nan());
        assert_eq!(Distribution::Laplace.link_inverse(-3.5), -3.5);
    }
}
