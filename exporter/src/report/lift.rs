//! Gains and lift: how much of a class is found among the rows with the highest predictions.

use super::axis::Axis;
use super::frames::Frame;
use super::page::{Block, Cell, Figure, Head, PageTable};
use super::svg::Plot;
use super::text;

/// The columns of the table, with what heads them. Shares are in percent.
const COLUMNS: [(&str, &str, bool); 8] = [
    ("cumulative_data_fraction", "rows up to here", true),
    ("lower_threshold", "from probability", false),
    ("lift", "lift", false),
    ("cumulative_lift", "lift up to here", false),
    ("response_rate", "share of the class", true),
    ("capture_rate", "captured", true),
    ("cumulative_capture_rate", "captured up to here", true),
    ("kolmogorov_smirnov", "K-S", false),
];

/// The plots and the tables; nothing where none is known.
pub(super) fn blocks(frames: &[Frame<'_>]) -> Vec<Block> {
    let frames: Vec<_> = frames.iter().filter(|frame| !frame.facts.gains_lift.is_empty()).collect();
    let Some(first) = frames.first() else { return Vec::new() };
    let gains = curve(&frames, "gains", "Cumulative gains", "share of the class captured", "cumulative_capture_rate");
    let lift = curve(&frames, "lift", "Cumulative lift", "times the share of all rows", "cumulative_lift");
    let mut blocks = vec![Block::Figures { figures: vec![gains, lift] }];
    blocks.extend(frames.iter().map(|frame| table(frame, frame.name != first.name)));
    blocks
}

fn curve(frames: &[&Frame<'_>], id: &str, title: &str, label: &str, column: &str) -> Figure {
    let is_gain = column == "cumulative_capture_rate";
    let points = |frame: &Frame<'_>| frame.facts.gains_lift.pairs("cumulative_data_fraction", column);
    let most = frames.iter().flat_map(|frame| points(frame)).map(|point| point.1).fold(1.0, f64::max);
    let y = if is_gain { Axis::of_shares(label) } else { Axis::spanning(label, 0.0, most, 5) };
    let description = format!(
        "{title} over the share of rows, from the highest predictions down: {}.",
        points(frames[0])
            .iter()
            .map(|(x, y)| format!("{} {}", text::percent(*x), text::figure(*y)))
            .collect::<Vec<_>>()
            .join(", ")
    );
    let axes = (Axis::of_shares("share of rows, highest predictions first"), y);
    let mut plot = Plot::new(id, title, &description, axes, 250.0);
    plot.line("reference", if is_gain { &[(0.0, 0.0), (1.0, 1.0)] } else { &[(0.0, 1.0), (1.0, 1.0)] });
    for frame in frames.iter().rev() {
        let mut points = points(frame);
        if is_gain {
            points.insert(0, (0.0, 0.0));
        }
        plot.line(frame.class, &points);
        plot.dots(frame.class, &points[usize::from(is_gain)..]);
    }
    let keys = frames.iter().map(|frame| (frame.class, frame.name.to_owned())).collect();
    Figure { title: title.to_owned(), keys, svg: plot.finish(), note: None }
}

fn table(frame: &Frame<'_>, folded: bool) -> Block {
    let facts = &frame.facts.gains_lift;
    let columns: Vec<_> = COLUMNS.iter().map(|(name, _, is_share)| (facts.numbers(name), *is_share)).collect();
    let row = |row: usize| {
        let cells = columns.iter().map(|(values, is_share)| {
            let value = values.get(row).copied().unwrap_or(f64::NAN);
            Cell::number(value, if *is_share { text::percent(value) } else { text::figure(value) })
        });
        std::iter::once(Cell::count(row as f64 + 1.0).header()).chain(cells).collect()
    };
    Block::Table(PageTable {
        caption: format!("Gains and lift by groups of rows, {}", frame.name),
        class: "figures",
        head: std::iter::once("group").chain(COLUMNS.iter().map(|column| column.1)).map(Head::number).collect(),
        rows: (0..facts.rows.len()).map(row).collect(),
        folded,
        note: None,
    })
}
