//! What of a table could not be read as it stands.

use std::collections::BTreeMap;

use anyhow::bail;
use model::{Model, Remark};

use crate::output;
use crate::table_file::{Row, TableFile};

/// What was noticed while a row was read.
pub struct Noticed {
    /// The columns whose cells are something else than they look like.
    pub cells: Vec<(usize, Remark)>,
    /// Whether the row has as many cells as the first line.
    pub is_whole: bool,
}

impl Noticed {
    /// Refuses a row of which something counts as missing that is not.
    pub fn refuse(&self, place: &str, model: &Model, table: &TableFile, row: &Row) -> anyhow::Result<()> {
        if !self.is_whole {
            bail!("{place}: expected {} cells, found {}", table.width(), row.cells.len());
        }
        for &(column, remark) in &self.cells {
            let column = &model.schema.features()[column].name;
            match remark {
                Remark::UnseenLevel => bail!("{place}, column `{column}`: a level that the model was not trained on"),
                Remark::InvalidNumber => bail!("{place}, column `{column}`: not a number"),
                Remark::NumberForLevel => {}
            }
        }
        Ok(())
    }
}

/// What was taken as missing, counted by column.
#[derive(Default)]
pub struct Remarks {
    columns: BTreeMap<(usize, Remark), u64>,
    broken_rows: u64,
    not_numbers: u64,
}

impl Remarks {
    /// Counts what was noticed about a row, and whether its answer is a number.
    pub fn take(&mut self, noticed: &Noticed, is_number: bool) {
        self.broken_rows += u64::from(!noticed.is_whole);
        self.not_numbers += u64::from(!is_number);
        for &remark in &noticed.cells {
            *self.columns.entry(remark).or_default() += 1;
        }
    }

    /// All of it, if there is anything.
    pub fn sentence(&self, model: &Model) -> Option<String> {
        let mut parts = Vec::new();
        for (&(column, remark), &count) in &self.columns {
            let what = match remark {
                Remark::UnseenLevel => "unseen level",
                Remark::InvalidNumber => "unreadable number",
                Remark::NumberForLevel => continue,
            };
            parts.push(format!("{} in `{}`", counted(count, what), model.schema.features()[column].name));
        }
        if self.broken_rows > 0 {
            parts.push(counted(self.broken_rows, "row of another length than the first line"));
        }
        let mut sentences = Vec::new();
        if !parts.is_empty() {
            sentences.push(format!("taken as missing: {}", parts.join(", ")));
        }
        if self.not_numbers > 0 {
            sentences
                .push(format!("{} without a number, as some input is too large", counted(self.not_numbers, "row")));
        }
        (!sentences.is_empty()).then(|| sentences.join("; "))
    }
}

fn counted(count: u64, what: &str) -> String {
    let plural = if count == 1 {
        what.to_owned()
    } else {
        what.replacen("level", "levels", 1).replacen("number", "numbers", 1).replacen("row", "rows", 1)
    };
    format!("{} {plural}", output::thousands(count))
}
