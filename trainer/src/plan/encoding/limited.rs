//! The levels of `categorical_encoding = EnumLimited`.

use model::{Domain, LimitedLevels};

use super::counts;
use crate::frame::Column;

/// Fewer rows than this make no level.
const LEAST_ROWS: u64 = 2;
/// The level of all that are not kept.
const OTHER: &str = "other";

/// The most frequent levels of a column that has more than these, and one for the others; `None` where all stay.
pub(super) fn of(column: &Column, most: usize) -> Option<LimitedLevels> {
    let levels = column.domain().filter(|levels| levels.len() > most)?;
    let kept = most_frequent(column, most, |code| code as u32);
    let mut codes = vec![kept.len() as u32; levels.len()];
    for (new, &old) in (0..).zip(&kept) {
        codes[old] = new;
    }
    let names = kept.iter().map(|&code| levels[code].clone()).chain([OTHER.to_owned()]);
    Some(LimitedLevels { domain: Domain::new(names.collect()), codes })
}

/// The names of the levels that a frame would be limited to.
pub(super) fn levels(column: &Column, most: usize, codes: &[u32]) -> Vec<String> {
    let levels = column.domain().unwrap_or_default();
    let kept = most_frequent(column, most, |code| codes[code]).into_iter().map(|code| levels[code].clone());
    kept.chain([OTHER.to_owned()]).collect()
}

/// The code in the model's limited domain for each level of a frame, where H2O scores it. The frame has most frequent
/// levels of its own: any other level is one of the others, and one that is not the model's as well is missing.
///
/// `codes` are those of the model's domain before it was limited.
pub(super) fn codes(column: &Column, most: usize, codes: &[u32], domain: &Domain) -> Vec<f64> {
    let levels = column.domain().unwrap_or_default();
    let code = |level: &str| domain.code(level).map_or(f64::NAN, f64::from);
    let mut found = vec![code(OTHER); levels.len()];
    for kept in most_frequent(column, most, |code| codes[code]) {
        found[kept] = code(&levels[kept]);
    }
    found
}

/// The place of each level among the most frequent ones of a frame, where H2O takes that for the model's code.
pub(super) fn codes_here(column: &Column, most: usize, codes: &[u32]) -> Vec<f64> {
    let kept = most_frequent(column, most, |code| codes[code]);
    let mut found = vec![kept.len() as f64; codes.len()];
    for (place, kept) in kept.into_iter().enumerate() {
        found[kept] = place as f64;
    }
    found
}

/// The codes of the most frequent levels, the most frequent one first, of two alike the one that the model has first.
fn most_frequent(column: &Column, most: usize, of_model: impl Fn(usize) -> u32) -> Vec<usize> {
    let counts = counts(column, column.domain().map_or(0, <[String]>::len));
    let mut codes: Vec<usize> = (0..counts.len()).filter(|&code| counts[code] >= LEAST_ROWS).collect();
    codes.sort_by_key(|&code| (std::cmp::Reverse(counts[code]), of_model(code)));
    codes.truncate(most);
    codes
}
