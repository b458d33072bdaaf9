//! Where the predictions of a regression lie against the actual values, in counts that fit a plot.

use super::RegressionMetrics;
use crate::round_step::RoundStep;

/// All there is to say about a regression.
#[derive(Debug, Clone, PartialEq)]
pub struct RegressionReport {
    /// The figures.
    pub metrics: RegressionMetrics,
    /// How the errors are spread.
    pub residuals: Residuals,
}

/// Counts of rows, whatever their weights. Bounds are round numbers that span about the middle 99 % of the rows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Residuals {
    /// Rows by the actual value less the predicted one, in adjoining bins; one at either end reaches to infinity where rows
    /// lie out there.
    pub histogram: Vec<ValueBin>,
    /// The squares of actual and predicted values in which there are rows. Rows beyond all squares are not counted.
    pub density: Vec<DensityCell>,
}

/// Rows whose values are at least `lower` and below `upper`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ValueBin {
    /// The least value.
    pub lower: f64,
    /// Where the next bin begins.
    pub upper: f64,
    /// Rows.
    pub rows: u64,
}

/// Rows whose actual and predicted values are in a square.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DensityCell {
    /// Its least actual value.
    pub actual: f64,
    /// Its least predicted value.
    pub predicted: f64,
    /// The length of its sides.
    pub side: f64,
    /// Rows.
    pub rows: u64,
}

/// The most bins of the histogram, and squares in a row, between the bounds.
const MOST: usize = 40;

/// The most values that bounds are taken from.
const MOST_VALUES: usize = 10_000;

impl Residuals {
    /// Counts rows: the actual value, the predicted one and the weight of each. Rows without weight and values that are not
    /// finite are left out.
    pub fn of(rows: &[(f64, f64, f64)]) -> Self {
        let known = rows
            .iter()
            .filter(|(actual, predicted, weight)| *weight != 0.0 && (actual - predicted).is_finite())
            .map(|&(actual, predicted, _)| (actual, predicted));
        Self { histogram: histogram(known.clone()), density: density(known) }
    }
}

fn histogram(rows: impl Iterator<Item = (f64, f64)> + Clone) -> Vec<ValueBin> {
    let residuals = rows.map(|(actual, predicted)| actual - predicted);
    let Some((low, high)) = middle(residuals.clone()) else { return Vec::new() };
    let Some(step) = RoundStep::covering(low, high, MOST) else {
        // All alike, but for few.
        return vec![ValueBin { lower: low, upper: high, rows: residuals.count() as u64 }];
    };
    let (first, last) = (step.below(low), step.below(high));
    let mut counts = vec![0; (last - first + 3) as usize];
    for residual in residuals {
        counts[(step.below(residual).clamp(first - 1, last + 1) - first + 1) as usize] += 1;
    }
    let outermost = counts.len() - 1;
    let bin = |(place, rows): (usize, u64)| {
        let lower = if place == 0 { f64::NEG_INFINITY } else { step.times(first + place as i64 - 1) };
        let upper = if place == outermost { f64::INFINITY } else { step.times(first + place as i64) };
        ValueBin { lower, upper, rows }
    };
    let bins = counts.into_iter().enumerate().map(bin);
    bins.filter(|bin| bin.rows > 0 || (bin.lower.is_finite() && bin.upper.is_finite())).collect()
}

fn density(rows: impl Iterator<Item = (f64, f64)> + Clone) -> Vec<DensityCell> {
    let actual = middle(rows.clone().map(|row| row.0));
    let predicted = middle(rows.clone().map(|row| row.1));
    let Some((actual, predicted)) = actual.zip(predicted) else { return Vec::new() };
    let (low, high) = (actual.0.min(predicted.0), actual.1.max(predicted.1));
    let Some(step) = RoundStep::covering(low, high, MOST) else { return Vec::new() };
    let (first, last) = (step.below(low), step.below(high));
    let side = (last - first + 1) as usize;
    let mut counts = vec![0; side * side];
    for row in rows {
        let (actual, predicted) = (step.below(row.0), step.below(row.1));
        if (first..=last).contains(&actual) && (first..=last).contains(&predicted) {
            counts[(actual - first) as usize * side + (predicted - first) as usize] += 1;
        }
    }
    let cell = |(place, rows): (usize, u64)| DensityCell {
        actual: step.times(first + (place / side) as i64),
        predicted: step.times(first + (place % side) as i64),
        side: step.times(1),
        rows,
    };
    counts.into_iter().enumerate().filter(|(_, rows)| *rows > 0).map(cell).collect()
}

/// The bounds of the middle 99 % of values, or of every so many of them where there are more than tell anything; `None`
/// without values.
fn middle(values: impl Iterator<Item = f64> + Clone) -> Option<(f64, f64)> {
    let step = values.clone().count().div_ceil(MOST_VALUES).max(1);
    let mut values: Vec<f64> = values.step_by(step).collect();
    let last = values.len().checked_sub(1)?;
    let cut = values.len() / 200;
    let (_, &mut low, _) = values.select_nth_unstable_by(cut, f64::total_cmp);
    let (_, &mut high, _) = values.select_nth_unstable_by(last - cut, f64::total_cmp);
    Some((low, high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_in_one_bin_and_the_ends_reach_to_infinity() {
        let mut rows: Vec<_> = (0..1000).map(|i| (f64::from(i % 10), 5.0, 1.0)).collect();
        rows.extend([(1e300, 5.0, 1.0), (-1e6, 5.0, 2.0), (7.0, f64::NAN, 1.0), (7.0, 5.0, 0.0)]);
        let Residuals { histogram, density } = Residuals::of(&rows);
        assert_eq!(histogram.iter().map(|bin| bin.rows).sum::<u64>(), 1002);
        let (first, last) = (histogram.first().expect("bins"), histogram.last().expect("bins"));
        assert_eq!((first.lower, first.rows, last.upper, last.rows), (f64::NEG_INFINITY, 1, f64::INFINITY, 1));
        assert!(histogram.windows(2).all(|two| two[0].upper == two[1].lower) && histogram.len() <= MOST + 4);
        assert_eq!(density.iter().map(|cell| cell.rows).sum::<u64>(), 1000);
        assert!(density.iter().all(|cell| cell.predicted == 5.0 && cell.side == 0.5));
    }

    #[test]
    fn rows_that_are_all_alike_are_one_bin() {
        let Residuals { histogram, density } = Residuals::of(&[(3.0, 1.0, 1.0); 7]);
        assert_eq!(histogram, [ValueBin { lower: 2.0, upper: 2.0, rows: 7 }]);
        assert_eq!(density.iter().map(|cell| cell.rows).sum::<u64>(), 7);
        assert_eq!(Residuals::of(&[]), Residuals::default());
    }
}
