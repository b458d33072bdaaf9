//! Means and standard deviations of columns, and the scalings made from them.

use model::Scaling;

use super::PlanError;
use crate::frame::Column;

/// Mean and sample standard deviation over the values that are there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Statistics {
    pub mean: f64,
    pub sigma: f64,
}

impl Statistics {
    pub fn of(column: &Column) -> Self {
        let values = || column.numbers().filter(|x| !x.is_nan());
        let count = values().count();
        if count == 0 {
            return Self { mean: 0.0, sigma: 0.0 };
        }
        let mean = values().sum::<f64>() / count as f64;
        let squares: f64 = values().map(|x| (x - mean) * (x - mean)).sum();
        let sigma = if count > 1 { (squares / (count - 1) as f64).sqrt() } else { 0.0 };
        Self { mean, sigma }
    }

    /// One over the standard deviation, 1 where there is none.
    pub fn mul(&self) -> f64 {
        if self.sigma == 0.0 { 1.0 } else { 1.0 / self.sigma }
    }
}

/// The statistics of each column; sums that overflow are refused.
pub(super) fn statistics(columns: &[&Column]) -> Result<Vec<Statistics>, PlanError> {
    columns.iter().map(|column| finite_statistics(column)).collect()
}

/// The statistics of a column; sums that overflow are refused.
pub(super) fn finite_statistics(column: &Column) -> Result<Statistics, PlanError> {
    let statistics = Statistics::of(column);
    if statistics.mean.is_finite() && statistics.sigma.is_finite() && statistics.mul().is_finite() {
        return Ok(statistics);
    }
    Err(PlanError::Overflow { column: column.name().to_owned() })
}

/// Standardisation; with `sparse` without centring, so that zeros stay zeros.
pub(super) fn of_inputs(statistics: &[Statistics], sparse: bool) -> Scaling {
    Scaling {
        mul: statistics.iter().map(Statistics::mul).collect(),
        sub: statistics.iter().map(|s| if sparse { 0.0 } else { s.mean }).collect(),
    }
}
