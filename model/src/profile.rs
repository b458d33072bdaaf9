//! What the columns of the training frame looked like, each by itself: enough to draw plausible rows and to notice
//! drift, too little to give a row away.

use serde::{Deserialize, Serialize};

/// One entry for each feature, in the order of the schema.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Profile {
    /// Rows of the training frame.
    pub rows: u64,
    /// The features.
    pub columns: Vec<ColumnProfile>,
}

/// One feature.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ColumnProfile {
    /// Its name.
    pub name: String,
    /// Rows in which it is missing.
    pub missing: u64,
    /// Its values.
    pub values: ValueProfile,
}

/// The values of a feature.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum ValueProfile {
    /// Numbers. All figures are over the rows that have one.
    Numeric {
        /// Mean.
        #[serde(with = "crate::number::one")]
        mean: f64,
        /// Sample standard deviation.
        #[serde(with = "crate::number::one")]
        sigma: f64,
        /// Quantiles at equal steps of probability, the least and the largest value included.
        #[serde(with = "crate::number::many")]
        quantiles: Vec<f64>,
        /// Whether every value is a whole number.
        whole: bool,
    },
    /// Levels.
    Categorical {
        /// Rows with each level, in the order of the domain.
        counts: Vec<u64>,
    },
}
