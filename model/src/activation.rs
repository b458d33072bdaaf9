//! The non-linearities of the hidden layers.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::math::exp;

/// The `activation` parameter: a non-linearity, with hidden dropout or without.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are H2O's and say all")]
pub enum Activation {
    Tanh,
    TanhWithDropout,
    Rectifier,
    RectifierWithDropout,
    Maxout,
    MaxoutWithDropout,
    ExpRectifier,
    ExpRectifierWithDropout,
}

/// What a hidden unit makes of its net input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nonlinearity {
    /// `1 - 2 / (1 + exp(2 net))`
    Tanh,
    /// `0.5 (net + |net|)`
    Rectifier,
    /// The larger of two channels.
    Maxout,
    /// `net` where it is not negative, else `exp(net) - 1`
    ExpRectifier,
}

impl Activation {
    /// Every value, in H2O's order.
    pub const ALL: [Self; 8] = [
        Self::Tanh,
        Self::TanhWithDropout,
        Self::Rectifier,
        Self::RectifierWithDropout,
        Self::Maxout,
        Self::MaxoutWithDropout,
        Self::ExpRectifier,
        Self::ExpRectifierWithDropout,
    ];

    /// H2O's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tanh => "Tanh",
            Self::TanhWithDropout => "TanhWithDropout",
            Self::Rectifier => "Rectifier",
            Self::RectifierWithDropout => "RectifierWithDropout",
            Self::Maxout => "Maxout",
            Self::MaxoutWithDropout => "MaxoutWithDropout",
            Self::ExpRectifier => "ExpRectifier",
            Self::ExpRectifierWithDropout => "ExpRectifierWithDropout",
        }
    }

    /// The non-linearity, with or without dropout.
    pub fn nonlinearity(self) -> Nonlinearity {
        match self {
            Self::Tanh | Self::TanhWithDropout => Nonlinearity::Tanh,
            Self::Rectifier | Self::RectifierWithDropout => Nonlinearity::Rectifier,
            Self::Maxout | Self::MaxoutWithDropout => Nonlinearity::Maxout,
            Self::ExpRectifier | Self::ExpRectifierWithDropout => Nonlinearity::ExpRectifier,
        }
    }

    /// Whether hidden units are dropped in training, and scaled for it in scoring.
    pub fn has_dropout(self) -> bool {
        matches!(
            self,
            Self::TanhWithDropout
                | Self::RectifierWithDropout
                | Self::MaxoutWithDropout
                | Self::ExpRectifierWithDropout
        )
    }

    /// Weights per connection of a layer: two in the hidden ones of Maxout. Layer `output` is the last one.
    pub fn channels_of(self, layer: usize, output: usize) -> usize {
        if layer < output && self.nonlinearity() == Nonlinearity::Maxout { 2 } else { 1 }
    }
}

impl fmt::Display for Activation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Reads a name as H2O's clients do: in any case, underscores optional.
impl FromStr for Activation {
    type Err = UnknownActivation;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let plain = text.replace('_', "");
        let found = Self::ALL.into_iter().find(|a| a.name().eq_ignore_ascii_case(&plain));
        found.ok_or_else(|| UnknownActivation(text.to_owned()))
    }
}

/// A text that names no activation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown activation `{0}`: expected Tanh, Rectifier, Maxout or ExpRectifier, each optionally followed by WithDropout"
)]
pub struct UnknownActivation(pub String);

impl Nonlinearity {
    /// The output of a unit with one channel. Maxout has no such formula: it takes the larger channel as it is.
    #[inline]
    pub fn apply(self, net: f64) -> f64 {
        match self {
            Self::Tanh => 1.0 - 2.0 / (1.0 + exp(2.0 * net)),
            Self::Rectifier => 0.5 * (net + net.abs()),
            Self::ExpRectifier => {
                if net >= 0.0 {
                    net
                } else {
                    exp(net) - 1.0
                }
            }
            Self::Maxout => net,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_in_any_case_with_or_without_underscores() {
        assert_eq!("rectifier_with_dropout".parse(), Ok(Activation::RectifierWithDropout));
        assert_eq!("TANH".parse(), Ok(Activation::Tanh));
        assert!("relu".parse::<Activation>().is_err());
        for activation in Activation::ALL {
            assert_eq!(activation.name().parse(), Ok(activation));
        }
    }
}
