//! From the cells of a row to the inputs of the net.
//!
//! A *raw row* has one number per feature: the value, the code of the level, or NaN for missing. [`Encoding`] says how
//! the columns that a user sends become the model's own; mostly they are. [`InputLayout`] says where each of those goes
//! among the net's inputs. Two encoders fill them:
//!
//! * [`runtime`] follows H2O's scoring runtime: `predict`, `serve` and every artifact;
//! * [`frame`] follows H2O's cluster: the rows that train.
//!
//! They differ in these places only:
//!
//! | cell | `frame`, a row that trains | `runtime` (and H2O's cluster when it scores) |
//! |---|---|---|
//! | missing number | the column's mean, scaled like any value | 0 after scaling |
//! | missing level, first levels dropped (`use_all_factor_levels = false`) | the last level's input | the missing bucket |
//! | level of a code past the domain | cannot occur | the missing bucket |
//! | first input of a row in `sparse` mode | 0 in most rows, see [`FrameEncoder::fill`] | as it is |
//! | missing number in `sparse` mode, where most are missing | 0 | 0 after scaling |
//! | first level, dropped, where levels share slots (`max_categorical_features`) | no slot | a slot of its own |
//! | numbers in `sparse` mode, where levels share slots | those that are not 0 move up, see [`FrameEncoder::fill`] | as they are |
//! | number in `sparse` mode, of an autoencoder | scaled by its range | shifted by its mean first |
//!
//! An autoencoder's error differs as well where a number is missing: the runtime has none, the cluster compares with the 0
//! that the number was taken for (see [`DeepLearning::squared_errors`](crate::DeepLearning::squared_errors)).
//!
//! In the model's own columns the cluster, where it trains and where it scores, differs from the runtime as well:
//!
//! | encoding | cluster | runtime |
//! |---|---|---|
//! | `Binary`, missing level | 0 in every bit | missing in every bit |
//! | `Binary`, unseen level | the bits of a code after those of training | 0 in every bit |
//! | `LabelEncoder`, unseen level | the number that it spells, or a code after those of training | missing |
//! | `Eigen` | projected anew by the levels of each frame | as in training |
//! | `EnumLimited` | limited anew by the levels of each frame | has none: here as in training |

mod categorical;
mod frame;
mod hashing;
mod runtime;

use serde::{Deserialize, Serialize};

pub use categorical::{Encoding, LimitedLevels, number_of_label};
pub use frame::FrameEncoder;
pub use hashing::Hashing;
pub use runtime::{Cell, Remark};

/// Where features go among the inputs of the net, and how numbers are scaled.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct InputLayout {
    /// First input of each categorical, then the first input of the numbers. The last input of each categorical is its
    /// bucket for missing and unseen levels.
    pub cat_offsets: Vec<usize>,
    /// Numeric features; they follow the categoricals.
    pub numerics: usize,
    /// Whether the first level of a categorical has an input of its own.
    pub use_all_factor_levels: bool,
    /// Scaling of the numbers: `(x - sub) * mul`.
    pub scaling: Option<Scaling>,
    /// Where the inputs of levels share slots.
    #[serde(default)]
    pub hashing: Option<Hashing>,
}

/// `(x - sub) * mul`, one pair for each number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Scaling {
    /// Factors.
    #[serde(with = "crate::number::many")]
    pub mul: Vec<f64>,
    /// What is subtracted first.
    #[serde(with = "crate::number::many")]
    pub sub: Vec<f64>,
}

impl InputLayout {
    /// The layout for categoricals with these numbers of levels, followed by so many numbers.
    pub fn new(levels: &[usize], numerics: usize, use_all_factor_levels: bool, scaling: Option<Scaling>) -> Self {
        let mut cat_offsets = vec![0];
        let mut next = 0;
        for &count in levels {
            next += if use_all_factor_levels { count + 1 } else { count.max(1) };
            cat_offsets.push(next);
        }
        Self { cat_offsets, numerics, use_all_factor_levels, scaling, hashing: None }
    }

    /// Categorical features.
    pub fn categoricals(&self) -> usize {
        self.cat_offsets.len() - 1
    }

    /// Inputs of the net.
    pub fn inputs(&self) -> usize {
        self.first_numeric() + self.numerics
    }

    /// The first input of the numbers.
    pub fn first_numeric(&self) -> usize {
        self.hashing.map_or(self.level_inputs(), |hashing| hashing.slots)
    }

    /// Inputs of levels and their missing buckets, before they share slots.
    pub fn level_inputs(&self) -> usize {
        self.cat_offsets.last().copied().unwrap_or(0)
    }

    /// The scaled value of the numeric feature with this index among the numbers.
    pub fn scaled(&self, number: usize, value: f64) -> f64 {
        match &self.scaling {
            Some(scaling) => (value - scaling.sub[number]) * scaling.mul[number],
            None => value,
        }
    }

    /// The input that a level sets; `None` for the first level where it has none. Codes past the last input mean the
    /// missing bucket, as in the runtime.
    fn level_input(&self, categorical: usize, code: usize) -> Option<usize> {
        let (start, end) = (self.cat_offsets[categorical], self.cat_offsets[categorical + 1]);
        let within = if self.use_all_factor_levels { code } else { code.checked_sub(1)? };
        Some(start.saturating_add(within).min(end - 1))
    }

    fn missing_bucket(&self, categorical: usize) -> usize {
        self.cat_offsets[categorical + 1] - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_input_of_a_categorical_is_its_missing_bucket() {
        let layout = InputLayout::new(&[3, 2], 1, true, None);
        assert_eq!(layout.cat_offsets, [0, 4, 7]);
        assert_eq!(layout.inputs(), 8);
        assert_eq!(layout.level_input(1, 1), Some(5));
        assert_eq!(layout.level_input(1, 9), Some(6));
        assert_eq!(layout.missing_bucket(1), 6);
    }

    #[test]
    fn without_all_levels_the_first_sets_nothing() {
        let layout = InputLayout::new(&[3, 2], 0, false, None);
        assert_eq!(layout.cat_offsets, [0, 3, 5]);
        assert_eq!(layout.level_input(0, 0), None);
        assert_eq!(layout.level_input(0, 2), Some(1));
    }
}
