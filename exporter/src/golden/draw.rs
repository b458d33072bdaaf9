//! Drawing rows: no row of a training frame ever leaves it. Each column is drawn by itself, so what is drawn is like
//! the column and like no row.

use model::{Algorithm, Domain, Feature, Model, Profile, ValueProfile};

use super::random::SplitMix64;
use super::{Golden, GoldenCell};

/// Rows that are like the training frame.
const DRAWN_ROWS: usize = 100;

/// How often a cell is missing, and a level unseen, where only the schema is known.
const MISSING_RATE: f64 = 0.05;
const UNSEEN_RATE: f64 = 0.02;

/// A row in which some column stands out is drawn for so many columns at most: 700 pixels need no row each.
const MAX_ODD_COLUMNS: usize = 32;

impl Golden {
    /// Draws rows from the profile of the training frame, odd ones added, and has the model answer them. The same
    /// model, profile and seed make the same rows.
    pub fn draw(model: &Model, profile: &Profile, seed: u64) -> Self {
        let columns = model.schema.features().iter().zip(&profile.columns);
        let columns = columns.map(|(feature, column)| {
            let rate = if profile.rows == 0 { 0.0 } else { column.missing as f64 / profile.rows as f64 };
            Column { feature, missing: rate, unseen: 0.0, values: Values::of_profile(feature, &column.values) }
        });
        Self::answered(model, rows(&columns.collect::<Vec<_>>(), seed))
    }

    /// Draws rows for a model that brings no profile: any level, and numbers around the means that it was scaled by.
    pub fn draw_without_profile(model: &Model, seed: u64) -> Self {
        let Algorithm::DeepLearning(deep_learning) = &model.algorithm else { return Self::answered(model, Vec::new()) };
        let scaling = deep_learning.layout.scaling.as_ref();
        let first_numeric = deep_learning.layout.categoricals();
        let first_columns = model.encoding.first_columns(model.schema.features());
        let columns = model.schema.features().iter().zip(first_columns).map(|(feature, column)| {
            let values = match (&feature.domain, scaling, column.checked_sub(first_numeric)) {
                (Some(domain), _, _) => Values::Levels { domain, counts: None },
                (None, Some(scaling), Some(number)) => Values::Around {
                    mean: scaling.sub.get(number).copied().unwrap_or(0.0),
                    spread: 1.0 / scaling.mul.get(number).copied().unwrap_or(1.0),
                },
                (None, _, _) => Values::Around { mean: 0.0, spread: 1.0 },
            };
            Column { feature, missing: MISSING_RATE, unseen: UNSEEN_RATE, values }
        });
        Self::answered(model, rows(&columns.collect::<Vec<_>>(), seed))
    }
}

struct Column<'a> {
    feature: &'a Feature,
    missing: f64,
    unseen: f64,
    values: Values<'a>,
}

enum Values<'a> {
    /// Levels, in proportion to their counts, or each as often as the other.
    Levels { domain: &'a Domain, counts: Option<&'a [u64]> },
    /// Numbers with these quantiles at equal steps of probability.
    Quantiles { quantiles: &'a [f64], whole: bool },
    /// Numbers with this mean and this standard deviation.
    Around { mean: f64, spread: f64 },
}

/// The rows that are like the frame, then the odd ones.
fn rows(columns: &[Column<'_>], seed: u64) -> Vec<Vec<GoldenCell>> {
    let mut random = SplitMix64::new(seed);
    let mut row = || -> Vec<GoldenCell> { columns.iter().map(|column| column.draw(&mut random)).collect() };
    let mut rows: Vec<_> = (0..DRAWN_ROWS).map(|_| row()).collect();
    rows.push(vec![GoldenCell::Missing; columns.len()]);
    rows.push(columns.iter().map(Column::unseen).collect());
    rows.push(columns.iter().map(|column| column.extreme(-1.0)).collect());
    rows.push(columns.iter().map(|column| column.extreme(1.0)).collect());
    for (index, column) in columns.iter().enumerate().take(MAX_ODD_COLUMNS) {
        let mut one_missing = row();
        one_missing[index] = GoldenCell::Missing;
        rows.push(one_missing);
        if column.feature.domain.is_some() {
            let mut one_unseen = row();
            one_unseen[index] = column.unseen();
            rows.push(one_unseen);
        }
    }
    for (index, column) in columns.iter().enumerate() {
        // No reader finds a column whose name an archive lost.
        if column.feature.name.is_empty() {
            for row in &mut rows {
                row[index] = GoldenCell::Missing;
            }
        }
    }
    rows
}

impl<'a> Values<'a> {
    fn of_profile(feature: &'a Feature, profile: &'a ValueProfile) -> Self {
        match (&feature.domain, profile) {
            (Some(domain), ValueProfile::Categorical { counts }) => Self::Levels { domain, counts: Some(counts) },
            (Some(domain), ValueProfile::Numeric { .. }) => Self::Levels { domain, counts: None },
            (None, ValueProfile::Numeric { quantiles, whole, .. }) => Self::Quantiles { quantiles, whole: *whole },
            (None, ValueProfile::Categorical { .. }) => Self::Around { mean: 0.0, spread: 1.0 },
        }
    }
}

impl Column<'_> {
    fn draw(&self, random: &mut SplitMix64) -> GoldenCell {
        // Two numbers for each cell whatever comes of them: a column does not move the draws of the next.
        let (which, position) = (random.unit(), random.unit());
        if which < self.missing {
            return GoldenCell::Missing;
        }
        if which < self.missing + self.unseen && self.feature.domain.is_some() {
            return self.unseen();
        }
        match self.values {
            Values::Levels { domain, counts } => draw_level(domain, counts, position),
            Values::Quantiles { quantiles, whole } => {
                let value = quantile(quantiles, position);
                number(if whole { value.round() } else { value })
            }
            // A triangle from -1 to 1 has a standard deviation of 1/√6, and so one from -√6 to √6 has 1.
            Values::Around { mean, spread } => number(mean + spread * 6.0_f64.sqrt() * triangle(position)),
        }
    }

    /// A text that is no level; a number, where the column has no levels.
    fn unseen(&self) -> GoldenCell {
        let Some(domain) = &self.feature.domain else { return self.extreme(1.0) };
        let mut text = "unseen level".to_owned();
        while domain.code(&text).is_some() || domain.code(&format!("{}.{text}", self.feature.name)).is_some() {
            text.push('!');
        }
        GoldenCell::Text(text)
    }

    /// A number far beyond what the column had; the first or the last level, where the column has levels.
    fn extreme(&self, side: f64) -> GoldenCell {
        match self.values {
            Values::Levels { domain, .. } => {
                let level = if side < 0.0 { domain.levels().first() } else { domain.levels().last() };
                level.map_or(GoldenCell::Missing, |level| GoldenCell::Text(level.clone()))
            }
            Values::Quantiles { quantiles, .. } => {
                let (low, high) = (quantile(quantiles, 0.0), quantile(quantiles, 1.0));
                let reach = 10.0 * (high - low) + 1.0;
                number(if side < 0.0 { low - reach } else { high + reach })
            }
            Values::Around { mean, spread } => number(mean + side * 100.0 * spread),
        }
    }
}

/// JSON has no number for what is not finite, and a column has no such value.
fn number(value: f64) -> GoldenCell {
    if value.is_finite() { GoldenCell::Number(value) } else { GoldenCell::Missing }
}

fn draw_level(domain: &Domain, counts: Option<&[u64]>, position: f64) -> GoldenCell {
    let total = counts.map_or(0, |counts| counts.iter().fold(0, |sum: u64, &count| sum.saturating_add(count)));
    let index = match counts {
        Some(counts) if total > 0 => {
            let mut left = (position * total as f64) as u64;
            let holds = |&count: &u64| {
                let found = left < count;
                left = left.saturating_sub(count);
                found
            };
            counts.iter().position(holds)
        }
        _ => Some((position * domain.len() as f64) as usize),
    };
    let level = index.and_then(|index| domain.levels().get(index));
    level.map_or(GoldenCell::Missing, |level| GoldenCell::Text(level.clone()))
}

/// The value below which this share of the column lies, between the quantiles in proportion.
fn quantile(quantiles: &[f64], share: f64) -> f64 {
    let Some(last) = quantiles.len().checked_sub(1) else { return f64::NAN };
    let place = share * last as f64;
    let below = (place as usize).min(last);
    let above = (below + 1).min(last);
    let (low, high) = (quantiles[below], quantiles[above]);
    let fraction = place - below as f64;
    if fraction == 0.0 { low } else { low + (high - low) * fraction }
}

/// The inverse of the cumulative distribution of a triangle, which rises from -1 to 0 and falls to 1: a uniform number from 0 to
/// 1 becomes one that is near 0 more often.
fn triangle(uniform: f64) -> f64 {
    if uniform < 0.5 { (2.0 * uniform).sqrt() - 1.0 } else { 1.0 - (2.0 - 2.0 * uniform).sqrt() }
}
