//! What was asked for, and what the run made of it.

use super::facts::{ParameterFacts, ReportFacts};
use super::page::{Block, Cell, Head, PageTable};
use super::text;

/// Values may be lists of a thousand names.
const LONGEST: usize = 300;

/// Parameters that differ from their defaults, then the others.
pub(super) fn blocks(facts: &ReportFacts) -> Vec<Block> {
    if facts.parameters.is_empty() {
        return Vec::new();
    }
    let differs = |p: &&ParameterFacts| p.given != p.default || p.effective != p.default;
    let (changed, others): (Vec<_>, Vec<_>) = facts.parameters.iter().partition(differs);
    let changed = changed.into_iter().map(|p| {
        let used = Cell { text: value(&p.effective), is_name: true, ..Cell::default() };
        let used = if p.given == p.effective { used } else { used.over(given(&p.given)) };
        vec![Cell::text(text::shown(&p.name)).header(), used, Cell::text(value(&p.default))]
    });
    let mut blocks = vec![table(
        "Parameters that differ from their defaults",
        &["parameter", "value", "default"],
        changed.collect(),
        false,
    )];
    let caption = format!("Parameters at their defaults ({})", others.len());
    let others =
        others.into_iter().map(|p| vec![Cell::text(text::shown(&p.name)).header(), Cell::text(value(&p.effective))]);
    blocks.push(table(&caption, &["parameter", "value"], others.collect(), true));
    blocks
}

fn table(caption: &str, head: &[&str], rows: Vec<Vec<Cell>>, folded: bool) -> Block {
    let head = head.iter().map(|text| Head::text(text)).collect();
    Block::Table(PageTable { caption: caption.to_owned(), class: "texts", head, rows, folded, note: None })
}

fn given(text: &str) -> String {
    if text.is_empty() { "not given".to_owned() } else { format!("given: {}", value(text)) }
}

fn value(text: &str) -> String {
    if text.is_empty() { "–".to_owned() } else { text::shortened(text, LONGEST) }
}
