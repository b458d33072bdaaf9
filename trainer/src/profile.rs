//! The training profile: each predictor by itself.

use model::{ColumnProfile, Profile, ValueProfile};
use rayon::prelude::*;

use crate::frame::{Column, Frame};
use crate::plan::{Statistics, known};

/// Quantiles at steps of 2.5 percent.
const QUANTILES: usize = 41;
/// Values that the quantiles are taken from; more would tell little and cost a sort.
const MOST_VALUES: usize = 10_000;

/// The profile of these columns of a frame.
pub(crate) fn of_columns(frame: &Frame, columns: &[usize]) -> Profile {
    let columns = columns.par_iter().map(|&index| of_column(&frame.columns()[index])).collect();
    Profile { rows: frame.rows() as u64, columns }
}

fn of_column(column: &Column) -> ColumnProfile {
    let values = match column.domain() {
        Some(levels) => {
            let mut counts = vec![0; levels.len()];
            for code in column.numbers().filter(|code| !code.is_nan()) {
                counts[code as usize] += 1;
            }
            ValueProfile::Categorical { counts }
        }
        None => numeric(column),
    };
    ColumnProfile { name: column.name().to_owned(), missing: column.missing_count() as u64, values }
}

fn numeric(column: &Column) -> ValueProfile {
    let values = known(column.numbers());
    let step = values.len().div_ceil(MOST_VALUES).max(1);
    let mut sample: Vec<f64> = values.iter().copied().step_by(step).collect();
    sample.extend(values.iter().copied().reduce(f64::min));
    sample.extend(values.iter().copied().reduce(f64::max));
    sample.sort_unstable_by(f64::total_cmp);
    let Statistics { mean, sigma } = Statistics::unweighted(&values);
    ValueProfile::Numeric { mean, sigma, quantiles: quantiles(&sample), whole: values.iter().all(|x| x.fract() == 0.0) }
}

/// Interpolated quantiles of sorted values.
fn quantiles(sorted: &[f64]) -> Vec<f64> {
    let Some(last) = sorted.len().checked_sub(1) else { return Vec::new() };
    let quantile = |i: usize| {
        let place = i as f64 / (QUANTILES - 1) as f64 * last as f64;
        let (low, share) = (place.floor() as usize, place.fract());
        let high = (low + 1).min(last);
        sorted[low] * (1.0 - share) + sorted[high] * share
    };
    (0..QUANTILES).map(quantile).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_has_the_range_and_the_counts() {
        let numbers = Column::numeric("n", (0..1000).map(f64::from).chain([f64::NAN]));
        let levels =
            Column::categorical("c", vec!["a".into(), "b".into()], vec![Some(1); 1001]).expect("the codes fit");
        let frame = Frame::from_columns(vec![numbers, levels]).expect("the columns fit");
        let profile = of_columns(&frame, &[1, 0]);
        assert_eq!(profile.columns[0].values, ValueProfile::Categorical { counts: vec![0, 1001] });
        assert_eq!(profile.columns[1].missing, 1);
        let ValueProfile::Numeric { quantiles, whole, .. } = &profile.columns[1].values else {
            unreachable!("a number")
        };
        assert!(whole);
        assert_eq!((quantiles[0], quantiles[20], quantiles[40]), (0.0, 499.5, 999.0));
    }
}
