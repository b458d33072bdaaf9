//! What the tests of the source are told: golden rows, as numbers.

use model::Model;
use serde::Serialize;

use super::text;
use crate::artifact::Artifact;
use crate::golden::GoldenRow;

/// About so many numbers in all: of rows with many columns there are fewer.
const MOST_NUMBERS: usize = 20_000;

/// Rows with their answers.
#[derive(Debug, Serialize)]
pub(super) struct GoldenFacts {
    golden_rows: usize,
    /// Numbers in an answer.
    golden_width: usize,
    /// The rows as items of a list.
    golden: String,
}

impl GoldenFacts {
    pub fn of(artifact: &Artifact, has_label: bool) -> Self {
        let rows = artifact.golden.as_ref().map_or(&[][..], |golden| &golden.rows);
        let golden_width = rows.first().map_or(0, |row| row.answer.numbers().len());
        let all = rows.len() * (artifact.model.schema.features().len() + golden_width);
        let kept: Vec<&GoldenRow> = rows.iter().step_by(all.div_ceil(MOST_NUMBERS).max(1)).collect();
        let mut golden = String::new();
        for row in &kept {
            let label = match row.answer.label() {
                _ if !has_label => String::new(),
                None => "            None,\n".to_owned(),
                Some(label) => format!("            Some({label}),\n"),
            };
            let (numbers, answer) = (list(&numbers(&artifact.model, row)), list(&row.answer.numbers()));
            golden.extend([
                "        (\n            ",
                &numbers,
                ",\n",
                &label,
                "            ",
                &answer,
                ",\n        ),\n",
            ]);
        }
        Self { golden_rows: kept.len(), golden_width, golden }
    }
}

fn list(values: &[f64]) -> String {
    text::array("            ", values)
}

/// The raw row.
fn numbers(model: &Model, row: &GoldenRow) -> Vec<f64> {
    let cells = model.schema.features().iter().zip(&row.cells);
    cells.map(|(feature, cell)| model.encoding.raw_value(feature, cell.as_cell()).0).collect()
}
