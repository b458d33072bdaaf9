//! What is known of a classifier for many classes besides its confusions.

use super::facts::number;
use super::frames::Frame;
use super::page::{Block, Cell, Head, PageTable};
use super::text;

/// More rows of either table say little.
const MOST_RANKS: usize = 10;
const MOST_AREAS: usize = 60;

/// Hit ratios, and areas under the curves of each class.
pub(super) fn blocks(frames: &[Frame<'_>]) -> Vec<Block> {
    [hit_ratios(frames), areas(frames)].into_iter().flatten().collect()
}

fn hit_ratios(frames: &[Frame<'_>]) -> Option<Block> {
    let columns: Vec<_> = frames.iter().map(|frame| frame.facts.hit_ratios.numbers("hit_ratio")).collect();
    let ranks = columns.first()?.len().min(MOST_RANKS);
    let row = |rank: usize| {
        let mut cells = vec![Cell::count(rank as f64 + 1.0).header()];
        for (place, values) in columns.iter().enumerate() {
            let value = values.get(rank).copied().unwrap_or(f64::NAN);
            cells.push(Cell::number(value, format!("{:.2}%", value * 100.0)));
            if place == 0 {
                cells.push(Cell::bar(value));
            }
        }
        cells
    };
    let mut head = vec![Head::number("k")];
    for (place, frame) in frames.iter().enumerate() {
        head.push(Head::number(frame.name));
        if place == 0 {
            head.push(Head::text(""));
        }
    }
    (ranks > 0).then(|| {
        Block::Table(PageTable {
            caption: "Hit ratios: how often the class is among the k most probable ones".to_owned(),
            class: "figures",
            head,
            rows: (0..ranks).map(row).collect(),
            ..PageTable::default()
        })
    })
}

fn areas(frames: &[Frame<'_>]) -> Option<Block> {
    let first = &frames.first()?.facts.multinomial_auc;
    let is_pair = |row: &Vec<String>| row.iter().skip(1).take(2).all(|class| !class.is_empty());
    let rows: Vec<_> = first.rows.iter().enumerate().filter(|(_, row)| !is_pair(row)).collect();
    let cells = |&(place, row): &(usize, &Vec<String>)| {
        let mut cells = vec![Cell::name(row.first().map_or("", String::as_str)).header()];
        for frame in frames {
            let row = frame.facts.multinomial_auc.rows.get(place);
            let values = [3, 4].map(|column| number(row.and_then(|row| row.get(column))));
            cells.extend(values.map(|value| Cell::number(value, text::figure(value))));
        }
        cells
    };
    let mut head = vec![Head::text("classes")];
    for frame in frames {
        head.extend(["AUC", "PR area"].map(|what| Head::number(&format!("{what}, {}", frame.name))));
    }
    (!rows.is_empty()).then(|| {
        Block::Table(PageTable {
            caption: "Areas under the curves of each class against the rest".to_owned(),
            class: "figures",
            head,
            rows: rows.iter().take(MOST_AREAS).map(cells).collect(),
            folded: rows.len() > MOST_RANKS,
            note: (rows.len() > MOST_AREAS).then(|| format!("The first {MOST_AREAS} of {} rows.", rows.len())),
        })
    })
}
