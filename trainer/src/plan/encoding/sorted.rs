//! The order of levels of `categorical_encoding = SortByResponse`.

use crate::frame::Column;

/// The levels by rising mean response, weighted; of a classifier by the mean of the class's code. Levels of one mean stay
/// in their order, those without a row come last.
pub(super) fn by_response(
    column: &Column,
    levels: &[String],
    responses: &[f64],
    weights: Option<&[f64]>,
) -> Vec<String> {
    let (mut sums, mut totals) = (vec![0.0; levels.len()], vec![0.0; levels.len()]);
    for (row, (code, response)) in column.numbers().zip(responses).enumerate() {
        if code.is_nan() || response.is_nan() {
            continue;
        }
        let weight = weights.map_or(1.0, |weights| weights[row]);
        sums[code as usize] += weight * response;
        totals[code as usize] += weight;
    }
    let mean = |code: usize| if totals[code] == 0.0 { f64::INFINITY } else { sums[code] / totals[code] };
    let mut order: Vec<usize> = (0..levels.len()).collect();
    order.sort_by(|&a, &b| mean(a).total_cmp(&mean(b)));
    order.into_iter().map(|code| levels[code].clone()).collect()
}
