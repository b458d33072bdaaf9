//! A report about a model: one page of HTML that needs nothing else, to be read, printed and kept.
//!
//! [`ReportFacts`] is all that goes into it. The modules below make a section each of them, of the parts in `page`; plots are
//! drawn by `svg` on the scales of `axis`; `templates/report` lays the page out. Text from outside is shortened by `crate::text`, and
//! escaped by the template or by `svg`. The page is well-formed XML, too, has no script, and names no other file. The same
//! facts make the same page, byte for byte.

mod axis;
mod classes;
mod columns;
mod confusion;
mod curves;
mod errors;
mod facts;
mod frames;
mod headline;
mod history;
mod importances;
mod lift;
mod metrics;
mod net;
mod page;
mod parameters;
mod residuals;
mod svg;
#[cfg(test)]
mod tests;

use std::io::{self, Write};
use std::path::Path;

use model::Category;
use serde::Serialize;
use tera::{Context, Tera};

pub use facts::{FrameFacts, ParameterFacts, ReportFacts, RunFacts, Table};

use crate::{atomic, text};
use frames::frames;
use headline::Headline;
use metrics::Tile;
use page::Section;

/// How our reports begin.
pub const REPORT_START: &str = "<!DOCTYPE html>\n<!-- Written by Aqueduct";

const TEMPLATES: [(&str, &str); 3] = [
    ("page.html", include_str!("../../../templates/report/page.html.tera")),
    ("table.html", include_str!("../../../templates/report/table.html.tera")),
    ("style.css", include_str!("../../../templates/report/style.css")),
];

/// Warnings may list a thousand columns.
const LONGEST_WARNING: usize = 600;

/// Writes the report about a model, and returns its length in bytes.
pub fn write_report(facts: &ReportFacts, path: &Path) -> io::Result<u64> {
    let page = render(facts);
    atomic::write(path, |file| file.write_all(page.as_bytes()))?;
    Ok(page.len() as u64)
}

/// All that the template names.
#[derive(Serialize)]
struct Page {
    start: &'static str,
    version: &'static str,
    title: String,
    headline: Headline,
    tiles: Vec<Tile>,
    warnings: Vec<String>,
    sections: Vec<Section>,
    /// What there is no section of, as nothing is known.
    unknown: Vec<&'static str>,
}

fn render(facts: &ReportFacts) -> String {
    let page = Page::of(facts);
    let mut tera = Tera::default();
    let rendered = tera
        .add_raw_templates(TEMPLATES)
        .and_then(|()| Context::from_serialize(&page))
        .and_then(|page| tera.render("page.html", &page));
    rendered.expect("the templates name nothing but facts, as tests see")
}

impl Page {
    fn of(facts: &ReportFacts) -> Self {
        let headline = Headline::of(facts);
        let frames = frames(facts);
        let category = facts.model.category;
        let is_class = matches!(category, Category::Binomial | Category::Multinomial);
        let is = |wanted| category == wanted;
        let threshold = facts.model.labelling.default_threshold;
        // The last column says whether a model of this kind has such a section if all is known.
        let all = [
            ("metrics", "Metrics", metrics::blocks(facts), true),
            ("history", "Scoring history", history::blocks(facts), true),
            ("curves", "Curves and calibration", curves::blocks(&frames, threshold), is(Category::Binomial)),
            ("confusion", "Confusion", confusion::blocks(&frames), is_class),
            ("classes", "Classes", classes::blocks(&frames), is(Category::Multinomial)),
            ("residuals", "Residuals", residuals::blocks(&frames), is(Category::Regression)),
            ("errors", "Reconstruction errors", errors::blocks(&frames), is(Category::AutoEncoder)),
            ("lift", "Gains and lift", lift::blocks(&frames), false),
            ("importances", "Variable importances", importances::blocks(facts), true),
            ("net", "Net", net::blocks(facts), true),
            ("parameters", "Parameters", parameters::blocks(facts), true),
            ("columns", "Training data", columns::blocks(facts), true),
        ];
        let unknown =
            all.iter().filter(|(.., blocks, expected)| blocks.is_empty() && *expected).map(|(_, title, ..)| *title);
        Self {
            start: REPORT_START,
            version: env!("CARGO_PKG_VERSION"),
            title: headline.title(),
            tiles: metrics::tiles(&frames),
            warnings: facts
                .warnings
                .iter()
                .flatten()
                .map(|warning| text::shortened(warning, LONGEST_WARNING))
                .collect(),
            unknown: unknown.collect(),
            sections: all
                .into_iter()
                .filter(|(.., blocks, _)| !blocks.is_empty())
                .map(|(id, title, blocks, _)| Section { id, title, blocks })
                .collect(),
            headline,
        }
    }
}
