//! Which inputs matter, by Gedeon's measure over the first two layers of weights.

use model::{Network, gedeon};
use serde::Serialize;

use crate::plan::TrainPlan;

/// A row of the table of variable importances.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Importance {
    /// An input: a numeric column, or a level of a categorical as `column.level`.
    pub variable: String,
    /// Relative to the most important one, a bucket for missing values that no row fell into included.
    pub relative_importance: f64,
    /// The same, scaled to 1 for the first row.
    pub scaled_importance: f64,
    /// Share of all importances.
    pub percentage: f64,
}

/// The inputs by falling importance.
///
/// `buckets_trained` says for each categorical whether a row set its bucket for missing values: where none did, the bucket
/// has its random weights still and counts as unimportant.
///
/// Where levels share slots, H2O gives the slots and numbers the names that the first inputs would have without.
pub(crate) fn importances(network: &Network, plan: &TrainPlan<'_>, buckets_trained: &[bool]) -> Vec<Importance> {
    let first = &network.layers()[0];
    let second = network.layers().get(1).map(|layer| (layer.weights.as_slice(), layer.units));
    let mut values = gedeon(&first.weights, first.inputs, first.units, second);
    for (categorical, &trained) in buckets_trained.iter().enumerate() {
        // By the input before levels shared slots: with `max_categorical_features` H2O sets another importance to zero, and
        // fails where there is none.
        let bucket = plan.layout.cat_offsets[categorical + 1] - 1;
        if let Some(value) = values.get_mut(bucket).filter(|_| !trained) {
            *value = 0.0;
        }
    }
    let mut named: Vec<(String, f32)> = input_names(plan).into_iter().zip(values).collect();
    named.sort_by(|a, b| b.1.total_cmp(&a.1));
    let largest = named.first().map_or(1.0, |(_, value)| *value);
    let sum: f32 = named.iter().map(|(_, value)| value).sum();
    let row = |(variable, value): (String, f32)| Importance {
        variable,
        relative_importance: f64::from(value),
        scaled_importance: f64::from(value / largest),
        percentage: f64::from(value / sum),
    };
    named.into_iter().map(row).collect()
}

/// `column.level` for each input of a categorical, `column.missing(NA)` for its last one, then the numeric columns.
fn input_names(plan: &TrainPlan<'_>) -> Vec<String> {
    let mut names = Vec::with_capacity(plan.layout.inputs());
    for feature in &*plan.encoding.columns(plan.schema.features()) {
        match &feature.domain {
            Some(domain) => {
                let skipped = usize::from(!plan.layout.use_all_factor_levels);
                names.extend(domain.levels().iter().skip(skipped).map(|level| format!("{}.{level}", feature.name)));
                names.push(format!("{}.missing(NA)", feature.name));
            }
            None => names.push(feature.name.clone()),
        }
    }
    names
}
