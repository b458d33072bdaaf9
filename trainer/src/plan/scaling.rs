//! Means and standard deviations of columns, and the scalings made from them.

use model::Scaling;

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
    pub fn of<N: Iterator<Item = f64>>(numbers: impl Fn() -> N, weights: Option<&[f64]>) -> Self {
        let weight = |row: usize| weights.map_or(1.0, |weights| weights[row]);
        let rows = || (0..).zip(numbers()).filter(|&(row, x)| !x.is_nan() && weight(row) != 0.0);
        let count = rows().count();
        if count == 0 {
            return Self { mean: 0.0, sigma: 0.0 };
        }
        let total: f64 = rows().map(|(row, _)| weight(row)).sum();
        let mean = rows().map(|(row, x)| weight(row) * x).sum::<f64>() / total;
        let squares: f64 = rows().map(|(row, x)| weight(row) * ((x - mean) * (x - mean))).sum();
        let variance = if weights.is_none() {
            squares / (count - 1).max(1) as f64
        } else {
            count as f64 / (count - 1).max(1) as f64 * (squares / total)
        };
        Self { mean, sigma: if count > 1 { variance.sqrt() } else { 0.0 } }
    }

    /// One over the standard deviation, 1 where there is none.
    pub fn mul(&self) -> f64 {
        if self.sigma == 0.0 { 1.0 } else { 1.0 / self.sigma }
    }
}

/// The statistics of each column; sums that overflow are refused.
pub(super) fn statistics(columns: &[OwnColumn<'_>], weights: Option<&[f64]>) -> Result<Vec<Statistics>, PlanError> {
    let of = |own: &OwnColumn<'_>| finite_statistics(own.column.name(), || own.numbers(), weights);
    columns.iter().map(of).collect()
}

/// The statistics of a column; sums that overflow are refused.
pub(super) fn finite_statistics<N: Iterator<Item = f64>>(
    column: &str,
    numbers: impl Fn() -> N,
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
