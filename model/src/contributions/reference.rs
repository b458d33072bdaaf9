//! The row that explains where nobody gave a background.

use crate::model::{Algorithm, Model};
use crate::profile::{Profile, ValueProfile};

impl Model {
    /// A raw row with every number at its mean and every level missing, by the profile of the training columns or, without
    /// one, by how the model scales its numbers: there a missing number counts as the mean. `None` where neither says what the
    /// means are.
    pub fn reference_row(&self, profile: Option<&Profile>) -> Option<Vec<f64>> {
        if let Some(profile) = profile {
            let mean = |values: &ValueProfile| match values {
                ValueProfile::Numeric { mean, .. } => *mean,
                ValueProfile::Categorical { .. } => f64::NAN,
            };
            return Some(profile.columns.iter().map(|column| mean(&column.values)).collect());
        }
        let Algorithm::DeepLearning(net) = &self.algorithm;
        let has_means = match &net.layout.scaling {
            // Sparse training scales and does not shift.
            Some(scaling) => scaling.sub.is_empty() || scaling.sub.iter().any(|&mean| mean != 0.0),
            None => net.layout.numerics == 0,
        };
        has_means.then(|| vec![f64::NAN; self.schema.features().len()])
    }
}
