//! Which inputs matter.

use super::facts::ReportFacts;
use super::page::{Block, Cell, Head, PageTable};
use super::text;

const MOST: usize = 20;

/// The inputs that matter most, and all others together.
pub(super) fn blocks(facts: &ReportFacts) -> Vec<Block> {
    let table = &facts.importances;
    let (scaled, shares) = (table.numbers("scaled_importance"), table.numbers("percentage"));
    // Of many inputs none has much.
    let decimals = if shares.first().is_some_and(|share| *share < 0.02) { 2 } else { 1 };
    let shown = |share: f64| format!("{:.decimals$}%", share * 100.0);
    let known = table.rows.iter().zip(scaled.iter().zip(&shares)).take(MOST);
    let row = |(row, (scaled, share)): (&Vec<String>, (&f64, &f64))| {
        vec![
            Cell::name(row.first().map_or("", String::as_str)).header(),
            Cell::bar(*scaled),
            Cell::number(*share, shown(*share)),
        ]
    };
    let mut rows: Vec<Vec<Cell>> = known.map(row).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let others = shares.len() - rows.len();
    if others > 0 {
        let rest: f64 = shares[MOST..].iter().sum();
        let name = Cell::text(format!("{} together", text::counted(others, "other"))).header().of_class("rest");
        rows.push(vec![name, Cell::default(), Cell::number(rest, shown(rest))]);
    }
    vec![Block::Table(PageTable {
        caption: "Variable importances".to_owned(),
        class: "bars",
        head: vec![Head::text("input"), Head::text(""), Head::number("share")],
        rows,
        folded: false,
        note: Some(
            "By Gedeon's method: how much of the weights of the first two layers leads from an input to the output. Levels of \
             categories are inputs of their own."
                .to_owned(),
        ),
    })]
}
