use std::io;
use std::sync::Arc;

use super::builder::{Builder, BuilderValues};
use super::columnar::Cells;
use super::format::Format;
use super::guess::{ColumnLayout, FileLayout};
use super::number::{self, ShortDecimal};
use super::read::Sizes;
use super::scanner::{Cell, Scanner};
use super::spill::SpillFile;
use super::{Frame, FrameError, SpillOptions};

/// What is known about the columns of CSV or ARFF files before they are filled.
pub(super) struct TableLayout {
    columns: Vec<ColumnLayout>,
    na_strings: Vec<String>,
    /// Whether no text for a missing value is a decimal.
    decimals_count: bool,
    max_levels: usize,
    max_rows: u32,
}

impl TableLayout {
    pub fn new(columns: Vec<ColumnLayout>, na_strings: &[String], sizes: Sizes) -> Self {
        let decimals_count = !na_strings.iter().any(|na| number::parse(na.as_bytes(), false).is_some());
        let (max_levels, max_rows) = (sizes.levels, sizes.rows);
        Self { columns, na_strings: na_strings.to_vec(), decimals_count, max_levels, max_rows }
    }

    /// The number of columns.
    pub fn width(&self) -> usize {
        self.columns.len()
    }

    fn too_many_levels(&self, file: &str, position: usize) -> FrameError {
        let column = self.columns[position].name.clone();
        FrameError::TooManyLevels { file: file.to_owned(), column, limit: self.max_levels }
    }
}

/// The columns of CSV or ARFF files while they are filled, or a part of their rows.
pub(super) struct Table {
    layout: Arc<TableLayout>,
    columns: Vec<Builder>,
    rows: usize,
    spill: Option<Spill>,
}

/// Where the values of a table go that is too large for memory.
struct Spill {
    options: SpillOptions,
    /// The least bytes that are worth moving while others come in.
    least: u64,
    /// What holds the first rows, if they had to leave memory while others came in.
    parts: Option<SpillFile>,
}

impl SpillOptions {
    fn failed(&self, file: &str, source: io::Error) -> FrameError {
        FrameError::Spill { file: file.to_owned(), folder: self.folder.display().to_string(), source }
    }
}

/// A file on its way into a table.
pub(super) struct TableFile<'f> {
    name: &'f str,
    scanner: Scanner<'f>,
    separator: u8,
    in_header: bool,
    /// Whether `?` is a missing value, as in ARFF.
    question_mark_is_missing: bool,
}

impl<'f> TableFile<'f> {
    pub fn new(name: &'f str, layout: &FileLayout) -> Self {
        Self {
            name,
            scanner: Scanner::new(name, layout.dialect, layout.first_line),
            separator: layout.dialect.separator,
            in_header: layout.has_header,
            question_mark_is_missing: layout.format == Format::Arff,
        }
    }

    /// The line, from 1, of the next byte.
    pub fn line(&self) -> u64 {
        self.scanner.line()
    }

    /// Whether the next byte begins a row below the header.
    pub fn is_between_rows(&self) -> bool {
        !self.in_header && self.scanner.cells() == 0
    }

    /// Passes over lines that were read elsewhere.
    pub fn skip_lines(&mut self, lines: u64) {
        self.scanner.skip_lines(lines);
    }
}

impl Table {
    /// An empty table with room for this many rows.
    pub fn new(layout: Arc<TableLayout>, capacity: usize) -> Self {
        let columns = layout.columns.iter().map(|column| Builder::new(column, layout.max_levels, capacity)).collect();
        Self { layout, columns, rows: 0, spill: None }
    }

    /// The same, which goes to a file when it gets too large for memory.
    pub fn spilling(self, options: Option<&SpillOptions>, least: u64) -> Self {
        let spill = options.map(|options| Spill { options: options.clone(), least, parts: None });
        Self { spill, ..self }
    }

    /// The rows that are complete.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Appends the rows of a part of `file`.
    pub fn append(&mut self, part: Self, file: &str) -> Result<(), FrameError> {
        self.count_rows(part.rows, file)?;
        for (position, (column, part)) in self.columns.iter_mut().zip(part.columns).enumerate() {
            column.append(part).map_err(|_| self.layout.too_many_levels(file, position))?;
        }
        self.relieve(file)
    }

    /// Moves all values to a file if they take more memory than they may.
    pub fn relieve(&mut self, file: &str) -> Result<(), FrameError> {
        let bytes = self.spillable_bytes();
        let Some(spill) = self.spill.as_mut().filter(|spill| bytes > spill.options.limit.max(spill.least)) else {
            return Ok(());
        };
        let folder = &spill.options.folder;
        let parts = match &mut spill.parts {
            Some(parts) => Ok(parts),
            none => SpillFile::create(folder).map(|parts| none.insert(parts)),
        };
        let moved = parts.and_then(|parts| self.columns.iter_mut().try_for_each(|column| column.spill(parts)));
        moved.map_err(|source| spill.options.failed(file, source))
    }

    /// Takes every cell that is complete and returns the length of what is done with.
    pub fn take(&mut self, file: &mut TableFile<'_>, bytes: &[u8], whole: bool) -> Result<usize, FrameError> {
        loop {
            if self.layout.decimals_count && !file.in_header {
                self.take_decimals(file, bytes)?;
            }
            let position = file.scanner.cells();
            let Some(cell) = file.scanner.next(bytes, whole)? else { return Ok(file.scanner.take_position()) };
            let ends_row = cell.ends_row;
            if !file.in_header {
                self.push(file, position, &cell)?;
            }
            if ends_row {
                self.end_row(file, position + 1, &cell)?;
            }
        }
    }

    /// Appends this many cells to one column, in rows that are [counted](Self::count_rows) once for all columns.
    pub fn push_cells(
        &mut self,
        file: &str,
        position: usize,
        cells: &Cells<'_>,
        rows: usize,
    ) -> Result<(), FrameError> {
        let column = &mut self.columns[position];
        for row in 0..rows {
            match cells {
                Cells::Numbers(number) => match number(row) {
                    Some(value) => column.push_number(value),
                    None => column.push_missing(),
                },
                Cells::Texts(text) => match text(row) {
                    Some(text) if !super::is_na_string(text, &self.layout.na_strings) => {
                        column.push_text(text).map_err(|_| self.layout.too_many_levels(file, position))?;
                    }
                    _ => column.push_missing(),
                },
            }
        }
        Ok(())
    }

    /// Counts rows, which all columns get.
    pub fn count_rows(&mut self, rows: usize, file: &str) -> Result<(), FrameError> {
        self.rows = self.rows.saturating_add(rows);
        let limit = self.layout.max_rows;
        if self.rows > limit as usize {
            return Err(FrameError::TooManyRows { file: file.to_owned(), limit });
        }
        Ok(())
    }

    /// The table of all that was taken.
    pub fn finish(mut self, file: &str) -> Result<Frame, FrameError> {
        if self.rows == 0 {
            return Err(FrameError::NoRows { file: file.to_owned() });
        }
        let bytes = self.spillable_bytes();
        let spill = self.spill.take().filter(|spill| spill.parts.is_some() || bytes > spill.options.limit);
        let named = self.columns.into_iter().zip(&self.layout.columns);
        let columns = match spill {
            None => named.map(|(column, layout)| column.finish(layout.name.clone())).collect(),
            Some(Spill { options, parts, .. }) => {
                let finish = || {
                    parts.map_or(Ok(()), SpillFile::finish)?;
                    let mut file = SpillFile::create(&options.folder)?;
                    let columns = named.map(|(column, layout)| column.finish_spilled(layout.name.clone(), &mut file));
                    let columns = columns.collect::<io::Result<Vec<_>>>()?;
                    file.finish()?;
                    Ok(columns)
                };
                finish().map_err(|source| options.failed(file, source))?
            }
        };
        Frame::from_columns(columns)
    }

    fn spillable_bytes(&self) -> u64 {
        self.columns.iter().map(|column| column.spillable_bytes() as u64).sum()
    }

    /// The short way for most cells of large tables; stops at the first cell that is anything else.
    fn take_decimals(&mut self, file: &mut TableFile<'_>, bytes: &[u8]) -> Result<(), FrameError> {
        loop {
            let position = file.scanner.cells();
            let Some(Builder { values: BuilderValues::Numeric(numbers), .. }) = self.columns.get_mut(position) else {
                return Ok(());
            };
            let Some((number, ends_row)) = file.scanner.next_decimal(bytes) else { return Ok(()) };
            match number {
                ShortDecimal::Whole(value) => numbers.push_whole(value),
                ShortDecimal::Other(value) => numbers.push(value),
            }
            if ends_row {
                self.count_row(file, position + 1)?;
            }
        }
    }

    fn push(&mut self, file: &TableFile<'_>, position: usize, cell: &Cell<'_>) -> Result<(), FrameError> {
        // A surplus cell is dealt with at the end of the row.
        let Some(column) = self.columns.get_mut(position) else { return Ok(()) };
        let is_missing = (file.question_mark_is_missing && cell.text.trim_ascii() == b"?")
            || super::is_na_string(&cell.text, &self.layout.na_strings);
        if is_missing {
            column.push_missing();
            return Ok(());
        }
        column.push(cell).map_err(|_| self.layout.too_many_levels(file.name, position))
    }

    fn end_row(&mut self, file: &mut TableFile<'_>, cells: usize, last: &Cell<'_>) -> Result<(), FrameError> {
        if file.in_header {
            // Its length has been looked at with the guesses.
            file.in_header = false;
            return Ok(());
        }
        // A separator at the end of a row makes an empty cell, which is no surplus.
        let cells = if last.is_empty() && cells == self.columns.len() + 1 { cells - 1 } else { cells };
        self.count_row(file, cells)
    }

    fn count_row(&mut self, file: &TableFile<'_>, cells: usize) -> Result<(), FrameError> {
        let expected = self.columns.len();
        if cells != expected {
            let (line, separator) = (file.scanner.row_line(), file.separator);
            return Err(FrameError::CellCount { file: file.name.to_owned(), line, expected, found: cells, separator });
        }
        self.count_rows(1, file.name)
    }
}
