//! Tables of text.

use std::path::Path;

use libtest_mimic::Failed;

/// A header and rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// Reads a CSV file that we or H2O wrote.
    pub fn read(path: &Path) -> Result<Self, Failed> {
        let failed = |error: csv::Error| format!("{}: {error}", path.display());
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_path(path).map_err(failed)?;
        let mut records = reader.records().map(|record| Ok(record?.iter().map(str::to_owned).collect()));
        let header = records.next().ok_or("no header")?.map_err(failed)?;
        Ok(Self { header, rows: records.collect::<Result<_, csv::Error>>().map_err(failed)? })
    }

    /// The table as RFC 4180 has it.
    pub fn to_csv(&self) -> String {
        let line = |cells: &Vec<String>| cells.iter().map(|cell| quoted(cell)).collect::<Vec<_>>().join(",") + "\n";
        line(&self.header) + &self.rows.iter().map(line).collect::<String>()
    }

    pub fn column(&self, name: &str) -> Result<Vec<&str>, Failed> {
        let index = self.header.iter().position(|header| header == name).ok_or_else(|| format!("no column {name}"))?;
        Ok(self.rows.iter().map(|row| row[index].as_str()).collect())
    }
}

/// In quotes where it has to be, and where outer blanks or an empty text would be lost.
fn quoted(cell: &str) -> String {
    let needs = cell.contains(['"', ',', '\n', '\r']) || cell.trim() != cell;
    if needs { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_owned() }
}

/// A number of a table of predictions; `NA` is NaN.
pub fn number(cell: &str) -> Result<f64, Failed> {
    if cell == "NA" {
        return Ok(f64::NAN);
    }
    // H2O's tables have Java's words for what is not finite; Rust reads these as well.
    cell.parse().map_err(|error| format!("`{cell}`: {error}").into())
}
