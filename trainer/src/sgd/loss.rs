//! The derivative of the loss by the net inputs of the output layer.

use model::{Distribution, capped_exp, softmax};

use crate::params::Loss as LossParameter;
use crate::params::TrainParams;

/// What training makes smaller.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Loss {
    /// Of a classifier: `-ln p` of the actual class.
    CrossEntropy,
    /// Of a classifier: the squared error of each probability.
    Quadratic,
    /// Of a regression or an autoencoder: the deviance of its distribution, whatever the `loss` parameter says.
    Deviance { distribution: Distribution, tweedie_power: f64, quantile_alpha: f64 },
}

impl Loss {
    pub fn new(params: &TrainParams, distribution: Distribution) -> Self {
        match distribution {
            Distribution::Bernoulli | Distribution::Multinomial if params.loss == LossParameter::Quadratic => {
                Self::Quadratic
            }
            Distribution::Bernoulli | Distribution::Multinomial => Self::CrossEntropy,
            _ => Self::Deviance {
                distribution,
                tweedie_power: params.tweedie_power,
                quantile_alpha: params.quantile_alpha,
            },
        }
    }

    /// Sets `errors` to the derivative for the net inputs of the classes and the index of the actual one.
    pub fn class_errors(self, net: &[f64], actual: usize, errors: &mut Vec<f64>) {
        softmax(net, errors);
        for (class, error) in errors.iter_mut().enumerate() {
            let p = *error;
            let target = if class == actual { 1.0 } else { 0.0 };
            *error = if self == Self::Quadratic { (p - target) * (1.0 - p) * p } else { p - target };
        }
    }

    /// The derivative for one output `f` and its target `y`, both on the scale of the net. Squared errors keep their
    /// factor 2; huber's bend is at 1, whatever `huber_alpha` says; at equality laplace goes down and quantile up.
    pub fn value_error(self, f: f64, y: f64) -> f64 {
        let Self::Deviance { distribution, tweedie_power: q, quantile_alpha: alpha } = self else { return f - y };
        match distribution {
            Distribution::Laplace => {
                if f > y {
                    1.0
                } else {
                    -1.0
                }
            }
            Distribution::Quantile => {
                if y > f {
                    -alpha
                } else {
                    1.0 - alpha
                }
            }
            Distribution::Huber => {
                if (y - f).abs() <= 1.0 {
                    2.0 * (f - y)
                } else if f >= y {
                    2.0
                } else {
                    -2.0
                }
            }
            Distribution::Poisson => 2.0 * (capped_exp(f) - y),
            Distribution::Gamma => 2.0 * (1.0 - y * capped_exp(-f)),
            Distribution::Tweedie => 2.0 * (capped_exp(f * (2.0 - q)) - y * capped_exp(f * (1.0 - q))),
            Distribution::Gaussian | Distribution::Bernoulli | Distribution::Multinomial => 2.0 * (f - y),
        }
    }
}
