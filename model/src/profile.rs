//! What the columns of the training frame looked like, each by itself: enough to draw plausible rows and to notice
//! drift, too little to give a row away.

use serde::{Deserialize, Serialize};

use crate::schema::Schema;

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

/// A profile of other columns than those of the model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the fields are what the messages say")]
pub enum ProfileError {
    #[error("expected {expected} columns, found {found}")]
    Columns { expected: usize, found: usize },
    #[error("column `{profiled}` does not fit the model's column `{feature}`")]
    Column { profiled: String, feature: String },
}

impl Profile {
    /// Checks that this is a profile of the features of a schema.
    pub fn check(&self, schema: &Schema) -> Result<(), ProfileError> {
        let features = schema.features();
        if self.columns.len() != features.len() {
            return Err(ProfileError::Columns { expected: features.len(), found: self.columns.len() });
        }
        for (column, feature) in self.columns.iter().zip(features) {
            let fits = match (&column.values, &feature.domain) {
                (ValueProfile::Numeric { .. }, None) => true,
                (ValueProfile::Categorical { counts }, Some(domain)) => counts.len() == domain.len(),
                _ => false,
            };
            if column.name != feature.name || !fits {
                let (profiled, feature) = (column.name.clone(), feature.name.clone());
                return Err(ProfileError::Column { profiled, feature });
            }
        }
        Ok(())
    }
}
