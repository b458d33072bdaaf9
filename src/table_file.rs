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
    reader: csv::Reader<Box<dyn Read + Send + Sync>>,
    /// For each feature its cell in a record.
    places: Vec<Option<usize>>,
    /// Cells of the first line.
    width: usize,
    /// The first line, where it is a row.
    first: Option<StringRecord>,
    name: String,
}

impl TableFile {
    /// Opens a file, plain or gzip, and finds the columns of the model in it.
    pub fn open(path: &Path, schema: &Schema, header: HeaderKind) -> anyhow::Result<Self> {
        let name = path.display().to_string();
        if path.is_dir() {
            bail!("{name} is a folder, expected a CSV file");
        }
        let file = File::open(path).with_context(|| format!("cannot open {name}"))?;
        let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(decompressed(file)?);
        let mut first = ByteRecord::new();
        if !reader.read_byte_record(&mut first).with_context(|| format!("cannot read {name}"))? {
            bail!("{name} is empty, expected a header and rows");
        }
        let first = text(&first, &name)?;
        let mut cells: Vec<&str> = first.iter().collect();
        if let Some(cell) = cells.first_mut() {
            *cell = cell.strip_prefix('\u{feff}').unwrap_or(cell);
        }
        let width = cells.len();
        let positions: Vec<String> = (1..=width).map(|number| format!("C{number}")).collect();
        let is_header = is_header(&cells, schema, header);
        let names = if is_header { cells } else { positions.iter().map(String::as_str).collect() };
        let places = places(&names, schema, &name)?;
        let first = (!is_header).then_some(first);
        Ok(Self { reader, places, width, first, name })
    }

    /// The model's columns that the file has not.
    pub fn absent<'s>(&self, schema: &'s Schema) -> Vec<&'s str> {
        let features = schema.features().iter().zip(&self.places);
        features.filter(|(_, place)| place.is_none()).map(|(feature, _)| feature.name.as_str()).collect()
    }

    /// Reads up to `most` rows; none at the end of the file.
    pub fn read(&mut self, most: usize) -> anyhow::Result<Vec<StringRecord>> {
        let mut rows: Vec<StringRecord> = self.first.take().into_iter().collect();
        let mut record = ByteRecord::new();
        while rows.len() < most
            && self.reader.read_byte_record(&mut record).with_context(|| format!("cannot read {}", self.name))?
        {
            rows.push(text(&record, &self.name)?);
        }
        Ok(rows)
    }

    /// The cell of a feature in a record of this file.
    pub fn cell<'r>(&self, record: &'r StringRecord, feature: usize) -> Cell<'r> {
        match self.places[feature].and_then(|place| record.get(place)) {
            None | Some("" | "NA" | "N/A" | "-") => Cell::Missing,
            Some(text) => Cell::Text(text),
        }
    }

    /// Whether a record has as many cells as the first line.
    pub fn is_whole(&self, record: &StringRecord) -> bool {
        record.len() == self.width
    }

    /// Cells of the first line.
    pub fn width(&self) -> usize {
        self.width
    }
}

/// A record of text, in UTF-8 like everything that we read.
fn text(record: &ByteRecord, file: &str) -> anyhow::Result<StringRecord> {
    let line = record.position().map_or(1, csv::Position::line);
    StringRecord::from_byte_record(record.clone()).map_err(|_| anyhow!("{file}, line {line}: not UTF-8 text"))
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
