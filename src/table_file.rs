//! The rows of a CSV file that is to be scored: RFC 4180, read as H2O's scoring tools read it.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use anyhow::{Context, anyhow, bail};
use csv::{ByteRecord, StringRecord};
use flate2::bufread::MultiGzDecoder;
use model::{Cell, Schema};

use crate::args::HeaderKind;

/// A CSV file that was opened, with the place of each of the model's columns.
pub struct TableFile {
    lines: Lines,
    /// For each feature its cell in a record.
    places: Vec<Option<usize>>,
    /// Cells of the first line.
    width: usize,
    /// The first line, where it is a row.
    first: Option<Row>,
}

/// A row of cells.
pub struct Row {
    /// The line in which it begins, from 1.
    pub line: u64,
    /// Its cells.
    pub cells: StringRecord,
}

impl TableFile {
    /// Opens a file, plain or gzip, and finds the columns of the model in it.
    pub fn open(path: &Path, schema: &Schema, header: HeaderKind) -> anyhow::Result<Self> {
        let name = path.display().to_string();
        let mut lines = Lines::open(path, &name)?;
        let Some(first) = lines.next()?.pop() else { bail!("{name} is empty, expected a header and rows") };
        let cells: Vec<&str> = first.cells.iter().collect();
        let width = cells.len();
        let positions: Vec<String> = (1..=width).map(|number| format!("C{number}")).collect();
        let is_header = is_header(&cells, schema, header);
        let names = if is_header { cells } else { positions.iter().map(String::as_str).collect() };
        let places = places(&names, schema, &name)?;
        lines.blank_is_row = width == 1;
        let mut table = Self { lines, places, width, first: (!is_header).then_some(first) };
        if table.first.is_none() {
            let mut rows = table.lines.next()?;
            if rows.is_empty() {
                bail!("{name} has a header but no rows");
            }
            rows.append(&mut table.lines.ahead);
            table.lines.ahead = rows;
        }
        Ok(table)
    }

    /// The model's columns that the file has not.
    pub fn absent<'s>(&self, schema: &'s Schema) -> Vec<&'s str> {
        let features = schema.features().iter().zip(&self.places);
        features.filter(|(_, place)| place.is_none()).map(|(feature, _)| feature.name.as_str()).collect()
    }

    /// Reads at least one and about `most` rows; none at the end of the file.
    pub fn read(&mut self, most: usize) -> anyhow::Result<Vec<Row>> {
        let mut rows: Vec<Row> = self.first.take().into_iter().chain(self.lines.ahead.drain(..)).collect();
        while rows.len() < most {
            let next = self.lines.next()?;
            if next.is_empty() {
                break;
            }
            rows.extend(next);
        }
        Ok(rows)
    }

    /// The cell of a feature in a record of this file.
    pub fn cell<'r>(&self, row: &'r Row, feature: usize) -> Cell<'r> {
        match self.places[feature].and_then(|place| row.cells.get(place)) {
            None | Some("" | "NA" | "N/A" | "-") => Cell::Missing,
            Some(text) => Cell::Text(text),
        }
    }

    /// Whether a row has as many cells as the first line.
    pub fn is_whole(&self, row: &Row) -> bool {
        row.cells.len() == self.width
    }

    /// Cells of the first line.
    pub fn width(&self) -> usize {
        self.width
    }
}

/// The cells of a row as text.
fn text(record: &ByteRecord, line: u64, file: &str) -> anyhow::Result<StringRecord> {
    StringRecord::from_byte_record(record.clone()).map_err(|_| anyhow!("{file}, line {line}: not UTF-8 text"))
}

/// The lines of a file, with their numbers. The reader below passes over blank ones and counts them in a way of its own.
struct Lines {
    reader: csv::Reader<Box<dyn Read + Send + Sync>>,
    name: String,
    /// The line that comes next.
    line: u64,
    /// Whether a blank line is a row with one empty cell, as it is in a file of one column.
    blank_is_row: bool,
    /// Rows that were read and not yet asked for.
    ahead: Vec<Row>,
}

impl Lines {
    fn open(path: &Path, name: &str) -> anyhow::Result<Self> {
        if path.is_dir() {
            bail!("{name} is a folder, expected a CSV file");
        }
        let file = File::open(path).with_context(|| format!("cannot open {name}"))?;
        // With an end to the last line the reader's count of lines is one more than before it, as for any other line.
        let bytes = decompressed(file).with_context(|| format!("cannot read {name}"))?.chain(&b"\n"[..]);
        let bytes: Box<dyn Read + Send + Sync> = Box::new(bytes);
        let reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(bytes);
        Ok(Self { reader, name: name.to_owned(), line: 1, blank_is_row: false, ahead: Vec::new() })
    }

    /// The next row, after the blank ones before it that count; nothing at the end of the file.
    fn next(&mut self) -> anyhow::Result<Vec<Row>> {
        let mut record = ByteRecord::new();
        if !self.reader.read_byte_record(&mut record).with_context(|| format!("cannot read {}", self.name))? {
            return Ok(Vec::new());
        }
        let start = record.position().map_or(0, csv::Position::line);
        // Line ends within quotes belong to the row.
        let within: usize = record.iter().map(|cell| cell.iter().filter(|&&byte| byte == b'\n').count()).sum();
        let within = within as u64;
        let blank = self.reader.position().line().saturating_sub(start + within + 1);
        let mut rows: Vec<Row> = Vec::new();
        if self.blank_is_row {
            rows.extend((self.line..self.line + blank).map(|line| Row { line, cells: StringRecord::from(vec![""]) }));
        }
        self.line += blank;
        let mut cells = text(&record, self.line, &self.name)?;
        if self.line == 1
            && let Some(plain) = cells.get(0).and_then(|cell| cell.strip_prefix('\u{feff}'))
        {
            cells = std::iter::once(plain).chain(cells.iter().skip(1)).collect();
        }
        rows.push(Row { line: self.line, cells });
        self.line += within + 1;
        Ok(rows)
    }
}

fn decompressed(file: File) -> anyhow::Result<Box<dyn Read + Send + Sync>> {
    const MAGIC: [u8; 2] = [0x1f, 0x8b];
    let mut file = BufReader::with_capacity(1 << 16, file);
    let start = std::io::BufRead::fill_buf(&mut file)?;
    Ok(if start.starts_with(&MAGIC) { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) })
}

/// A model whose training file had no names calls its columns C1, C2, ...; so may a file to be scored.
fn is_header(cells: &[&str], schema: &Schema, header: HeaderKind) -> bool {
    match header {
        HeaderKind::True => true,
        HeaderKind::False => false,
        HeaderKind::Auto => {
            let positional = |name: &str| name.strip_prefix('C').is_some_and(|n| n.parse::<u32>().is_ok());
            let found = cells.iter().any(|cell| schema.index_of(cell).is_some());
            found || !schema.features().iter().all(|feature| positional(&feature.name))
        }
    }
}

fn places(names: &[&str], schema: &Schema, file: &str) -> anyhow::Result<Vec<Option<usize>>> {
    let mut places = vec![None; schema.features().len()];
    for (place, name) in names.iter().enumerate() {
        if let Some(feature) = schema.index_of(name) {
            if places[feature].is_some() {
                bail!("{file} has two columns named `{name}`, expected different names");
            }
            places[feature] = Some(place);
        }
    }
    if places.iter().all(Option::is_none) {
        let expected: Vec<String> = schema.features().iter().take(8).map(|f| format!("`{}`", f.name)).collect();
        bail!("{file} has none of the model's columns in its first line, expected {}", expected.join(", "));
    }
    Ok(places)
}
