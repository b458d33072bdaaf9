//! The rows of a CSV file that is to be scored: RFC 4180, read as H2O's scoring tools read it.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, anyhow, bail};
use csv::{ByteRecord, StringRecord};
use flate2::bufread::MultiGzDecoder;
use model::{Cell, Model, Schema, parse_java_double};

use crate::args::HeaderKind;
use crate::remarks::Noticed;

/// A CSV file that was opened, with the place of each of the model's columns.
pub struct TableFile {
    lines: Lines,
    /// For each feature its cell in a record.
    places: Vec<Option<usize>>,
    /// The names of the columns, or C1, C2, ...
    names: Vec<String>,
    /// The cell of the offset, where it was asked for.
    offset: Option<usize>,
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
        if !is_header && looks_like_names(&cells, schema) && header == HeaderKind::Auto {
            bail!(
                "{name} seems to begin with column names, and the model's columns have none but C1, C2, ...: remove the \
                 line, or say --header false"
            );
        }
        let names = if is_header { cells } else { positions.iter().map(String::as_str).collect() };
        let places = places(&names, schema, &name)?;
        lines.blank_is_row = width == 1;
        let names = names.into_iter().map(str::to_owned).collect();
        let mut table = Self { lines, places, names, offset: None, width, first: (!is_header).then_some(first) };
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

    /// Finds the column of the offset.
    pub fn find_offset(&mut self, column: &str) -> bool {
        self.offset = self.names.iter().position(|name| name == column);
        self.offset.is_some()
    }

    /// The offset of a row: 0 where there is none, NaN where its cell is no number.
    pub fn offset(&self, row: &Row) -> f64 {
        let Some(place) = self.offset else { return 0.0 };
        row.cells.get(place).and_then(parse_java_double).unwrap_or(f64::NAN)
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
    fn cell<'r>(&self, row: &'r Row, feature: usize) -> Cell<'r> {
        match self.places[feature].and_then(|place| row.cells.get(place)) {
            None | Some("" | "NA" | "N/A" | "-") => Cell::Missing,
            Some(text) => Cell::Text(text),
        }
    }

    /// A row as the model takes it, and what was noticed about it.
    pub fn raw_row(&self, row: &Row, model: &Model) -> (Vec<f64>, Noticed) {
        let mut cells = Vec::new();
        let features = model.schema.features().iter().enumerate();
        let raw = features.map(|(index, feature)| {
            let (value, remark) = model.encoding.raw_value(feature, self.cell(row, index));
            cells.extend(remark.map(|remark| (index, remark)));
            value
        });
        let raw = raw.collect();
        (raw, Noticed { cells, is_whole: row.cells.len() == self.width })
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
    reader: csv::Reader<Bounded>,
    name: String,
    /// The line that comes next.
    line: u64,
    /// Whether a blank line is a row with one empty cell, as it is in a file of one column.
    blank_is_row: bool,
    /// Rows that were read and not yet asked for.
    ahead: Vec<Row>,
    /// Bytes that the row being read has had so far.
    row_bytes: Arc<AtomicU64>,
}

/// Put behind a file: a row that no file has. It gives the last line an end, and is swallowed by a quote that is open.
const END: &str = "\u{0}end of file";

impl Lines {
    fn open(path: &Path, name: &str) -> anyhow::Result<Self> {
        if path.is_dir() {
            bail!("{name} is a folder, expected a CSV file");
        }
        let file = File::open(path).with_context(|| format!("cannot open {name}"))?;
        refuse_tables_that_are_no_text(&file, name)?;
        let bytes = decompressed(file).with_context(|| format!("cannot read {name}"))?;
        let row_bytes = Arc::new(AtomicU64::new(0));
        let end: &[u8] = b"\n\"\0end of file\"\n";
        let bytes = Bounded { inner: Box::new(bytes.chain(end)), row_bytes: Arc::clone(&row_bytes) };
        let reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(bytes);
        Ok(Self { reader, name: name.to_owned(), line: 1, blank_is_row: false, ahead: Vec::new(), row_bytes })
    }

    /// The next row, after the blank ones before it that count; nothing at the end of the file.
    fn next(&mut self) -> anyhow::Result<Vec<Row>> {
        let mut record = ByteRecord::new();
        self.row_bytes.store(0, Ordering::Relaxed);
        let read = self.reader.read_byte_record(&mut record);
        if !read.with_context(|| format!("cannot read {}", self.name))? {
            return Ok(Vec::new());
        }
        let cells = text(&record, self.line, &self.name)?;
        if cells.len() == 1 && &cells[0] == END {
            return Ok(Vec::new());
        }
        if cells.iter().next_back().is_some_and(|cell| cell.contains(END)) {
            bail!("{}, line {}: a quote that is opened in this row is never closed", self.name, self.line);
        }
        let start = record.position().map_or(0, csv::Position::line);
        // Line ends within quotes belong to the row.
        let within = cells.iter().map(|cell| cell.matches('\n').count() as u64).sum::<u64>();
        let blank = self.reader.position().line().saturating_sub(start + within + 1);
        let mut rows: Vec<Row> = Vec::new();
        if self.blank_is_row {
            rows.extend((self.line..self.line + blank).map(|line| Row { line, cells: StringRecord::from(vec![""]) }));
        }
        let line = self.line + blank;
        self.line = line + within + 1;
        rows.push(Row { line, cells: if line == 1 { without_mark(&cells) } else { cells } });
        Ok(rows)
    }
}

/// Training reads these; here, as in H2O's runtime, a cell is a text.
fn refuse_tables_that_are_no_text(file: &File, name: &str) -> anyhow::Result<()> {
    const STARTS: [(&[u8], &str); 3] = [(b"PAR1", "a Parquet"), (b"ARROW1", "an Arrow"), (b"PK\x03\x04", "a zip")];
    // A pipe has no start to come back to.
    if !file.metadata().is_ok_and(|metadata| metadata.is_file()) {
        return Ok(());
    }
    let mut start = [0; 6];
    let length = file.read_at(&mut start, 0).with_context(|| format!("cannot read {name}"))?;
    match STARTS.iter().find(|(magic, _)| start[..length].starts_with(magic)) {
        Some((_, kind)) => bail!("{name} is {kind} file, expected a CSV file, plain or gzip"),
        None => Ok(()),
    }
}

/// Without the byte order mark at the start of a file.
fn without_mark(cells: &StringRecord) -> StringRecord {
    let mut cells: Vec<&str> = cells.iter().collect();
    if let Some(first) = cells.first_mut() {
        *first = first.strip_prefix('\u{feff}').unwrap_or(first);
    }
    StringRecord::from(cells)
}

/// A file that is refused where a row has no end: memory must not follow.
struct Bounded {
    inner: Box<dyn Read + Send + Sync>,
    row_bytes: Arc<AtomicU64>,
}

impl Read for Bounded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        const LONGEST_ROW: u64 = 256 << 20;
        let read = self.inner.read(buffer)?;
        if self.row_bytes.fetch_add(read as u64, Ordering::Relaxed) > LONGEST_ROW {
            return Err(io::Error::other("no end of the row within 256 MiB"));
        }
        Ok(read)
    }
}

fn decompressed(file: File) -> anyhow::Result<Box<dyn Read + Send + Sync>> {
    const MAGIC: [u8; 2] = [0x1f, 0x8b];
    let mut file = BufReader::with_capacity(1 << 16, file);
    let start = file.fill_buf()?;
    Ok(if start.starts_with(&MAGIC) { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) })
}

/// A model whose training file had no names calls its columns C1, C2, ...; so may a file to be scored.
fn is_header(cells: &[&str], schema: &Schema, header: HeaderKind) -> bool {
    match header {
        HeaderKind::True => true,
        HeaderKind::False => false,
        HeaderKind::Auto => {
            let positional = |name: &str| name.strip_prefix('C').is_some_and(|n| n.parse::<u32>().is_ok());
            let is_response = |cell: &str| schema.response().is_some_and(|response| response.name == cell);
            let found = cells.iter().any(|cell| schema.index_of(cell).is_some() || is_response(cell));
            found || !schema.features().iter().all(|feature| positional(&feature.name))
        }
    }
}

/// Whether a line has a text in the place of every number that the model takes.
fn looks_like_names(cells: &[&str], schema: &Schema) -> bool {
    let numeric = |number: usize| {
        let feature = schema.index_of(&format!("C{number}")).map(|index| &schema.features()[index]);
        feature.is_some_and(|feature| feature.domain.is_none())
    };
    let mut numbers = (1..).zip(cells).filter(|(number, _)| numeric(*number)).map(|(_, cell)| cell).peekable();
    let is_text = |cell: &&str| !cell.trim().is_empty() && parse_java_double(cell).is_none();
    numbers.peek().is_some() && numbers.all(is_text)
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
    if let [line] = names
        && let Some(separator) = [';', '\t', '|'].into_iter().find(|&separator| line.contains(separator))
        && places.iter().all(Option::is_none)
    {
        bail!("{file} seems to separate its cells by {separator:?}, expected commas");
    }
    if places.iter().all(Option::is_none) {
        let expected: Vec<String> = schema.features().iter().take(8).map(|f| format!("`{}`", f.name)).collect();
        bail!(
            "{file} has none of the model's columns in its first line, expected {}, separated by commas",
            expected.join(", ")
        );
    }
    Ok(places)
}
