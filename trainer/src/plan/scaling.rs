//! Means and standard deviations of columns, and the scalings made from them.

use model::Scaling;
use rayon::prelude::*;

use super::PlanError;
use super::encoding::OwnColumn;

/// Mean and sample standard deviation over the values that are there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Statistics {
    pub mean: f64,
    pub sigma: f64,
}

impl Statistics {
    /// Over the values that are there, each with the weight of its row.
    ///
    /// With weights the mean is `sum(w x) / sum(w)` and the variance `n / (n - 1) * sum(w (x - mean)^2) / sum(w)` over the
    /// n rows that have a weight.
    pub fn of(numbers: impl Iterator<Item = f64>, weights: Option<&[f64]>) -> Self {
        let Some(weights) = weights else { return Self::unweighted(&known(numbers)) };
        let rows: Vec<(f64, f64)> =
            weights.iter().copied().zip(numbers).filter(|&(weight, x)| !x.is_nan() && weight != 0.0).collect();
        let total: f64 = rows.iter().map(|&(weight, _)| weight).sum();
        let mean = rows.iter().map(|&(weight, x)| weight * x).sum::<f64>() / total;
        let squares: f64 = rows.iter().map(|&(weight, x)| weight * ((x - mean) * (x - mean))).sum();
        let count = rows.len();
        Self::new(count, mean, count as f64 / count.saturating_sub(1).max(1) as f64 * (squares / total))
    }

    /// Over values that are all there.
    pub fn unweighted(known: &[f64]) -> Self {
        let mean = known.iter().sum::<f64>() / known.len() as f64;
        let squares: f64 = known.iter().map(|x| (x - mean) * (x - mean)).sum();
        Self::new(known.len(), mean, squares / known.len().saturating_sub(1).max(1) as f64)
    }

    fn new(count: usize, mean: f64, variance: f64) -> Self {
        match count {
            0 => Self { mean: 0.0, sigma: 0.0 },
            1 => Self { mean, sigma: 0.0 },
            _ => Self { mean, sigma: variance.sqrt() },
        }
    }

    /// One over the standard deviation, 1 where there is none.
    pub fn mul(&self) -> f64 {
        if self.sigma == 0.0 { 1.0 } else { 1.0 / self.sigma }
    }
}

/// The values that are there. What goes over them more than once goes over a list: a column looks up each of its own.
pub(crate) fn known(numbers: impl Iterator<Item = f64>) -> Vec<f64> {
    numbers.filter(|x| !x.is_nan()).collect()
}

/// The statistics of each column; sums that overflow are refused.
pub(super) fn statistics(columns: &[OwnColumn<'_>], weights: Option<&[f64]>) -> Result<Vec<Statistics>, PlanError> {
    columns.par_iter().map(|own| finite_statistics(own.column.name(), own.numbers(), weights)).collect()
}

/// The statistics of a column; sums that overflow are refused.
pub(super) fn finite_statistics(
    column: &str,
    numbers: impl Iterator<Item = f64>,
    weights: Option<&[f64]>,
) -> Result<Statistics, PlanError> {
    let statistics = Statistics::of(numbers, weights);
    if statistics.mean.is_finite() && statistics.sigma.is_finite() && statistics.mul().is_finite() {
        return Ok(statistics);
    }
    Err(PlanError::Overflow { column: column.to_owned() })
}

/// The scaling of an autoencoder's inputs: by their range, around their mean. It makes them differ by 1 at most.
pub(super) fn of_ranges(columns: &[OwnColumn<'_>], statistics: &[Statistics]) -> Result<Scaling, PlanError> {
    let mul = columns.iter().map(|column| {
        let known = || column.numbers().filter(|x| !x.is_nan());
        let range = known().fold(f64::NEG_INFINITY, f64::max) - known().fold(f64::INFINITY, f64::min);
        match 1.0 / range {
            // Of one value, or of none.
            _ if range <= 0.0 => Ok(1.0),
            mul if mul.is_finite() && range.is_finite() => Ok(mul),
            _ => Err(PlanError::Overflow { column: column.column.name().to_owned() }),
        }
    });
    Ok(Scaling { mul: mul.collect::<Result<_, _>>()?, sub: statistics.iter().map(|s| s.mean).collect() })
}

/// Standardisation; with `sparse` without centring, so that zeros stay zeros.
pub(super) fn of_inputs(statistics: &[Statistics], sparse: bool) -> Scaling {
    Scaling {
        mul: statistics.iter().map(Statistics::mul).collect(),
        sub: statistics.iter().map(|s| if sparse { 0.0 } else { s.mean }).collect(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::frame::Column;

    fn ranges(values: Vec<f64>) -> Result<Scaling, PlanError> {
        let column = Column::numeric("x", values);
        let columns = [OwnColumn { index: 0, column: &column, levels: None }];
        of_ranges(&columns, &statistics(&columns, None)?)
    }

    #[test]
    fn a_range_that_is_none_scales_by_one() {
        for values in [vec![7.0, f64::NAN, 7.0], vec![f64::NAN]] {
            assert_eq!(ranges(values).expect("it has a scaling").mul, [1.0]);
        }
    }

    #[test]
    fn a_range_without_a_reciprocal_is_refused() {
        assert_eq!(ranges(vec![0.0, 1e-310]), Err(PlanError::Overflow { column: "x".into() }));
    }

    proptest! {
        #[test]
        fn scaled_by_their_range_numbers_differ_by_1_at_most(values in prop::collection::vec(-1e9..1e9_f64, 2..50)) {
            let Scaling { mul, sub } = ranges(values.clone()).expect("the numbers are moderate");
            let scaled = || values.iter().map(|value| (value - sub[0]) * mul[0]);
            let (low, high) = (scaled().fold(f64::INFINITY, f64::min), scaled().fold(f64::NEG_INFINITY, f64::max));
            prop_assert!(high - low <= 1.0 + 1e-9 && low <= 1e-9 && high >= -1e-9, "from {} to {}", low, high);
        }
    }
}
