//! The distribution of the response: what the output layer's numbers mean.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::math::exp;

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

fn capped_exp(x: f64) -> f64 {
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
