//! How the reconstruction errors of an autoencoder are spread.

use std::collections::BTreeMap;

use model::{exp, ln};

use super::axis::Axis;
use super::frames::Frame;
use super::page::{Block, Cell, Figure, Head, PageTable};
use super::svg::{Place, Plot};
use super::text;

/// The most bars of a plot.
const MOST_BARS: i32 = 48;
/// Bins of the files in an octave.
const PER_OCTAVE: f64 = 32.0;
/// The shares of rows whose errors are told.
const SHARES: [f64; 7] = [0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999];

/// A plot for each frame, and the errors below which shares of the rows lie.
pub(super) fn blocks(frames: &[Frame<'_>]) -> Vec<Block> {
    let figures = frames.iter().filter_map(figure);
    Block::figures(figures).into_iter().chain(quantiles(frames)).collect()
}

/// Rows between two errors.
#[derive(Clone, Copy)]
struct Bin {
    lower: f64,
    upper: f64,
    rows: f64,
}

fn bins(frame: &Frame<'_>) -> Vec<Bin> {
    let table = &frame.facts.reconstruction_errors;
    let bounds = table.pairs("lower", "upper").into_iter().zip(table.numbers("rows"));
    bounds.map(|((lower, upper), rows)| Bin { lower, upper, rows }).collect()
}

fn figure(frame: &Frame<'_>) -> Option<Figure> {
    let all = bins(frame);
    // At either end there may be a bin without a logarithm.
    let inside: Vec<_> =
        all.iter().filter(|bin| bin.lower > 0.0 && bin.upper > bin.lower && bin.upper.is_finite()).collect();
    let place = |bin: &Bin| (f64::midpoint(ln(bin.lower), ln(bin.upper)) / ln(2.0) * PER_OCTAVE).floor() as i32;
    let (first, last) = (place(inside.first()?), place(inside.last()?));
    let width = (0..8).map(|power| 1 << power).find(|width| (last - first) / width < MOST_BARS).unwrap_or(256);
    let mut bars: BTreeMap<i32, f64> = BTreeMap::new();
    for bin in inside {
        *bars.entry(place(bin).div_euclid(width)).or_default() += bin.rows;
    }
    let bound = |bar: i32| exp(f64::from(bar * width) / PER_OCTAVE * ln(2.0));
    let (low, high) = (bound(*bars.keys().next()?), bound(bars.keys().next_back()? + 1));
    let most = bars.values().copied().fold(0.0, f64::max);
    let title = format!("Reconstruction errors, {}", frame.name);
    let description = format!(
        "{title}: how the mean squared errors of {} rows are spread, from {} to {}.",
        text::count(all.iter().map(|bin| bin.rows).sum()),
        text::figure(low),
        text::figure(high)
    );
    let x = Axis::logarithmic("mean squared error of a row, logarithmic", low, high);
    let axes = (x, Axis::spanning("rows", 0.0, most, 5));
    let mut plot = Plot::new(&format!("errors-{}", frame.name), &title, &description, axes, 250.0);
    plot.boxes("bar-a", bars.iter().map(|(&bar, &rows)| [(bound(bar), 0.0), (bound(bar + 1), rows)]), 1.0);
    for (share, name) in [(0.5, "median"), (0.99, "99%")] {
        let error = quantile(&all, share);
        plot.line("rule", &[(error, 0.0), (error, most)]);
        plot.note(name, (error, most), Place::Right);
    }
    let exact: f64 = all.iter().filter(|bin| bin.lower == 0.0).map(|bin| bin.rows).sum();
    let note = (exact > 0.0).then(|| format!("{} without an error.", text::counted(exact as usize, "row")));
    Some(Figure { title, keys: Vec::new(), svg: plot.finish(), note })
}

/// The error below which a share of the rows lies, to about a hundredth of itself.
fn quantile(bins: &[Bin], share: f64) -> f64 {
    let wanted = bins.iter().map(|bin| bin.rows).sum::<f64>() * share;
    let mut before = 0.0;
    for bin in bins {
        if before + bin.rows >= wanted {
            let part = (wanted - before) / bin.rows;
            return if bin.lower > 0.0 && bin.upper.is_finite() {
                bin.lower * exp(ln(bin.upper / bin.lower) * part)
            } else {
                bin.lower
            };
        }
        before += bin.rows;
    }
    f64::NAN
}

fn quantiles(frames: &[Frame<'_>]) -> Option<Block> {
    let all: Vec<_> = frames.iter().map(bins).collect();
    let rows = all.first()?.iter().map(|bin| bin.rows).sum::<f64>();
    let told = SHARES.into_iter().filter(|share| rows * (1.0 - share) >= 1.0);
    let row = |share: f64| {
        let cells = all.iter().map(|bins| quantile(bins, share));
        let cells = cells.map(|error| Cell::number(error, text::significant(error, 3)));
        std::iter::once(Cell::text(format!("{}%", text::brief(share * 100.0))).header()).chain(cells).collect()
    };
    let rows: Vec<Vec<Cell>> = told.map(row).collect();
    (!rows.is_empty()).then(|| {
        let names = frames.iter().map(|frame| Head::number(frame.name));
        Block::Table(PageTable {
            caption: "Errors below which these shares of the rows lie".to_owned(),
            class: "figures",
            head: std::iter::once(Head::text("rows")).chain(names).collect(),
            rows,
            folded: false,
            note: Some("A row with a larger error than nearly all of these is like no other.".to_owned()),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::facts::{FrameFacts, Table};

    fn facts(rows: &[[&str; 3]]) -> FrameFacts {
        let header = ["lower", "upper", "rows"].map(str::to_owned).to_vec();
        let rows = rows.iter().map(|row| row.map(str::to_owned).to_vec()).collect();
        FrameFacts { reconstruction_errors: Table { header, rows }, ..FrameFacts::default() }
    }

    #[test]
    fn quantiles_lie_within_their_bins() {
        let facts = facts(&[["0", "9e-13", "1"], ["0.5", "0.51", "49"], ["1", "1.02", "50"]]);
        let frame = Frame { name: "training", class: "first", facts: &facts };
        let bins = bins(&frame);
        assert!((0.5..=0.51).contains(&quantile(&bins, 0.3)) && (1.0..=1.02).contains(&quantile(&bins, 0.9)));
        let figure = figure(&frame).expect("bins");
        assert_eq!(figure.note.as_deref(), Some("1 row without an error."));
        assert!(!figure.svg.contains("NaN"), "{}", figure.svg);
    }

    #[test]
    fn without_bins_there_is_nothing() {
        let facts = facts(&[]);
        assert!(blocks(&[Frame { name: "training", class: "first", facts: &facts }]).is_empty());
    }
}
