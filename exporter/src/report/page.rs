//! The parts of a page, as its template lays them out.

use serde::Serialize;

use super::{svg, text};

/// What has a heading of its own.
#[derive(Debug, Serialize)]
pub(super) struct Section {
    pub id: &'static str,
    pub title: &'static str,
    pub blocks: Vec<Block>,
}

/// A part of a section.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Block {
    /// Plots side by side.
    Figures { figures: Vec<Figure> },
    /// Numbers and texts in rows.
    Table(PageTable),
    /// Names with what they say.
    Entries { entries: Vec<(String, String)> },
    /// A sentence.
    Note { text: String },
}

impl Block {
    /// Plots side by side, or nothing.
    pub(super) fn figures(figures: impl IntoIterator<Item = Figure>) -> Option<Self> {
        let figures: Vec<_> = figures.into_iter().collect();
        (!figures.is_empty()).then_some(Self::Figures { figures })
    }

    pub(super) fn note(text: impl Into<String>) -> Self {
        Self::Note { text: text.into() }
    }
}

/// A plot with its heading.
#[derive(Debug, Serialize)]
pub(super) struct Figure {
    pub title: String,
    /// The classes of its marks with what they stand for.
    pub keys: Vec<(&'static str, String)>,
    pub svg: String,
    pub note: Option<String>,
}

/// A table.
#[derive(Debug, Default, Serialize)]
pub(super) struct PageTable {
    pub caption: String,
    pub class: &'static str,
    /// The heads of the columns; those of numbers stand at the right.
    pub head: Vec<Head>,
    pub rows: Vec<Vec<Cell>>,
    /// Whether only the caption is seen at first.
    pub folded: bool,
    pub note: Option<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct Head {
    pub text: String,
    pub class: &'static str,
    /// Whether it is a name from outside, which may be long.
    pub is_name: bool,
}

impl Head {
    pub(super) fn text(text: &str) -> Self {
        Self { text: text.to_owned(), class: "", is_name: false }
    }

    pub(super) fn number(text: &str) -> Self {
        Self { class: "n", ..Self::text(text) }
    }

    /// That of texts behind a column of numbers.
    pub(super) fn spaced(text: &str) -> Self {
        Self { class: "t", ..Self::text(text) }
    }
}

/// A cell. What is empty is left out.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Cell {
    pub text: String,
    pub class: &'static str,
    /// Whether the row is named by it.
    pub is_header: bool,
    /// Whether the text is from outside, and may be read from right to left.
    pub is_name: bool,
    /// The number in full.
    pub exact: String,
    /// What stands below in small letters.
    pub below: String,
    /// A drawing.
    pub svg: String,
}

impl Cell {
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// A name from outside.
    pub(super) fn name(name: &str) -> Self {
        Self { text: text::shown(name), is_name: true, ..Self::default() }
    }

    /// A number as it is shown, and in full.
    pub(super) fn number(value: f64, shown: String) -> Self {
        let exact = if value.is_finite() { value.to_string() } else { String::new() };
        Self { text: shown, class: "n", exact, ..Self::default() }
    }

    /// A number of which nobody needs more digits.
    pub(super) fn count(value: f64) -> Self {
        Self { text: text::count(value), class: "n", ..Self::default() }
    }

    /// A bar that fills a share of the cell.
    pub(super) fn bar(share: f64) -> Self {
        Self { svg: svg::bar(share), class: "b", ..Self::default() }
    }

    pub(super) fn header(self) -> Self {
        Self { is_header: true, ..self }
    }

    pub(super) fn of_class(self, class: &'static str) -> Self {
        Self { class, ..self }
    }

    pub(super) fn over(self, below: impl Into<String>) -> Self {
        Self { below: below.into(), ..self }
    }
}

/// The classes of a shade, from none to full.
pub(super) const SHADES: [&str; 9] = ["h0", "h1", "h2", "h3", "h4", "h5", "h6", "h7", "h8"];

/// The shade of a share of the most.
pub(super) fn shade(share: f64) -> &'static str {
    if share > 0.0 { SHADES[1 + (share.min(1.0) * 7.999).floor() as usize % 8] } else { SHADES[0] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shades_go_from_none_to_full() {
        assert_eq!([0.0, 0.01, 0.5, 1.0, 2.0, f64::NAN].map(shade), ["h0", "h1", "h4", "h8", "h8", "h0"]);
    }
}
