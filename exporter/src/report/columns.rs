//! The columns that the model was trained on, each by itself.

use model::{ColumnProfile, Feature, ValueProfile};

use super::facts::ReportFacts;
use super::page::{Block, Cell, Head, PageTable};
use super::{svg, text};

/// So many columns are seen at first; more are folded.
const MOST_OPEN: usize = 30;
/// More columns are left out.
const MOST: usize = 1000;
/// Bars of a small histogram.
const BARS: usize = 24;
/// Levels that are named.
const NAMED_LEVELS: usize = 3;

pub(super) fn blocks(facts: &ReportFacts) -> Vec<Block> {
    let features = facts.model.schema.features();
    let profiles = facts.profile.as_ref().map(|profile| profile.columns.as_slice()).unwrap_or_default();
    let rows = facts.profile.as_ref().map_or(0, |profile| profile.rows);
    let row = |(place, feature): (usize, &Feature)| match profiles.get(place) {
        Some(profile) => profiled(feature, profile, rows),
        None => vec![Cell::name(&feature.name).header().over(kind(feature))],
    };
    let known = features.iter().enumerate().take(MOST).map(row);
    let count = text::counted(features.len(), "column");
    let caption = match profiles {
        [] => count.clone(),
        _ => format!("{count} in {} of training data", text::counted(rows as usize, "row")),
    };
    let left_out = (features.len() > MOST).then(|| format!("These are the first {MOST} of {count}."));
    let unprofiled = profiles.is_empty().then(|| "What their values were like is not known.".to_owned());
    let head =
        if profiles.is_empty() { vec![Head::text("column")] } else { vec![Head::text("column"), Head::text("values")] };
    vec![Block::Table(PageTable {
        caption,
        class: "columns",
        head,
        rows: known.collect(),
        folded: features.len() > MOST_OPEN,
        note: left_out.or(unprofiled),
    })]
}

fn kind(feature: &Feature) -> String {
    match &feature.domain {
        Some(domain) => format!("category of {}", text::counted(domain.len(), "level")),
        None => "number".to_owned(),
    }
}

fn profiled(feature: &Feature, profile: &ColumnProfile, rows: u64) -> Vec<Cell> {
    let missing = match profile.missing {
        0 => "none missing".to_owned(),
        missing => {
            let share = text::percent(missing as f64 / rows.max(1) as f64);
            format!("{} missing ({share})", text::count(missing as f64))
        }
    };
    let name = Cell::name(&feature.name).header().over(format!("{}, {missing}", kind(feature)));
    let values = match (&profile.values, &feature.domain) {
        (ValueProfile::Numeric { mean, sigma, quantiles, whole }, _) => Cell {
            svg: svg::columns("spark", &histogram(quantiles), BARS),
            below: numbers(*mean, *sigma, quantiles, *whole),
            ..Cell::default()
        },
        (ValueProfile::Categorical { counts }, domain) => {
            let levels = domain.as_ref().map_or(&[][..], |domain| domain.levels());
            let (heights, below) = most_frequent(levels, counts);
            Cell { svg: svg::columns("spark levels", &heights, BARS), below, is_name: true, ..Cell::default() }
        }
    };
    vec![name, values]
}

/// The range, the middle and the spread.
fn numbers(mean: f64, sigma: f64, quantiles: &[f64], whole: bool) -> String {
    let (Some(&least), Some(&largest)) = (quantiles.first(), quantiles.last()) else {
        return "no value".to_owned();
    };
    let shown = |value: f64| if whole { text::count(value) } else { text::brief(value) };
    let middle = quantiles[quantiles.len() / 2];
    format!(
        "{} to {}, median {}, mean {}, deviation {}",
        shown(least),
        shown(largest),
        shown(middle),
        text::brief(mean),
        text::brief(sigma)
    )
}

/// The heights of bars between the least and the largest value. The same share of rows lies between any two quantiles.
fn histogram(quantiles: &[f64]) -> Vec<f64> {
    let (Some(&least), Some(&largest)) = (quantiles.first(), quantiles.last()) else { return vec![0.0; BARS] };
    let width = largest - least;
    let place = |value: f64| if width > 0.0 && width.is_finite() { (value - least) / width * BARS as f64 } else { 0.0 };
    let mut bars = vec![0.0; BARS];
    for two in quantiles.windows(2) {
        let (from, to) = (place(two[0]), place(two[1]));
        let (first, last) = ((from as usize).min(BARS - 1), (to as usize).min(BARS - 1));
        for (bar, height) in bars.iter_mut().enumerate().take(last + 1).skip(first) {
            let covered = to.min(bar as f64 + 1.0) - from.max(bar as f64);
            *height += if to > from { covered / (to - from) } else { 1.0 };
        }
    }
    relative(bars)
}

/// The bars of the levels that most rows have, and the names of the first.
fn most_frequent(levels: &[String], counts: &[u64]) -> (Vec<f64>, String) {
    let total: u64 = counts.iter().sum();
    let mut order: Vec<usize> = (0..counts.len()).collect();
    // Stable: of equal counts the first level comes first.
    order.sort_by_key(|&level| std::cmp::Reverse(counts[level]));
    let heights = order.iter().take(BARS).map(|&level| counts[level] as f64).collect();
    let name = |&level: &usize| {
        let name = levels.get(level).map_or_else(String::new, |level| text::shortened(level, 30));
        format!("{name} {}", text::percent(counts[level] as f64 / total.max(1) as f64))
    };
    let mut named: Vec<String> = order.iter().take(NAMED_LEVELS).map(name).collect();
    let others = counts.len().saturating_sub(NAMED_LEVELS);
    if others > 0 {
        let rows: u64 = order[NAMED_LEVELS..].iter().map(|&level| counts[level]).sum();
        named.push(format!("{} {}", text::counted(others, "other"), text::percent(rows as f64 / total.max(1) as f64)));
    }
    (relative(heights), named.join(", "))
}

fn relative(mut bars: Vec<f64>) -> Vec<f64> {
    let largest = bars.iter().copied().fold(0.0, f64::max);
    for bar in bars.iter_mut().filter(|_| largest > 0.0) {
        *bar /= largest;
    }
    bars
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_steps_of_quantiles_are_a_flat_histogram() {
        let quantiles: Vec<f64> = (0..=40).map(f64::from).collect();
        assert!(histogram(&quantiles).iter().all(|height| (height - 1.0).abs() < 1e-9));
    }

    #[test]
    fn a_value_that_most_rows_have_stands_out() {
        let mut quantiles = vec![0.0; 39];
        quantiles.extend([10.0, 24.0]);
        let bars = histogram(&quantiles);
        assert_eq!(bars[0], 1.0);
        assert!(bars[1..].iter().all(|height| *height < 0.01));
        assert_eq!(histogram(&[]), [0.0; BARS]);
        assert_eq!(histogram(&[3.0; 41])[0], 1.0);
    }

    #[test]
    fn levels_are_named_by_falling_frequency() {
        let levels: Vec<String> = ["a", "b", "", "d", "e"].map(str::to_owned).to_vec();
        let (heights, names) = most_frequent(&levels, &[1, 4, 3, 1, 1]);
        assert_eq!(heights, [1.0, 0.75, 0.25, 0.25, 0.25]);
        assert_eq!(names, "b 40.0%, (empty) 30.0%, a 10.0%, 2 others 20.0%");
    }
}
