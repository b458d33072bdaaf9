use super::builder::{Builder, BuilderValues};
use super::format::Format;
use super::guess::{ColumnLayout, FileLayout};
use super::scanner::{Cell, Scanner};
use super::{Frame, FrameError};

/// The columns of CSV or ARFF files while they are filled.
pub(super) struct Table<'f> {
    columns: Vec<Builder>,
    names: Vec<String>,
    na_strings: &'f [String],
    /// Whether no text for a missing value is a whole number.
    whole_numbers_count: bool,
    max_levels: usize,
    rows: usize,
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
}

impl<'f> Table<'f> {
    pub fn new(columns: &[ColumnLayout], na_strings: &'f [String], max_levels: usize) -> Self {
        Self {
            columns: columns.iter().map(|column| Builder::new(column, max_levels)).collect(),
            names: columns.iter().map(|column| column.name.clone()).collect(),
            na_strings,
            whole_numbers_count: !na_strings.iter().any(|na| na.trim().bytes().all(|byte| byte.is_ascii_digit())),
            max_levels,
            rows: 0,
        }
    }

    /// The rows that are complete.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Takes every cell that is complete and returns the length of what is done with.
    pub fn take(&mut self, file: &mut TableFile<'_>, bytes: &[u8], whole: bool) -> Result<usize, FrameError> {
        loop {
            if self.whole_numbers_count && !file.in_header {
                self.take_whole_numbers(file, bytes)?;
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

    /// The table of all that was taken.
    pub fn finish(self, file: &str) -> Result<Frame, FrameError> {
        if self.rows == 0 {
            return Err(FrameError::NoRows { file: file.to_owned() });
        }
        Frame::from_columns(
            self.columns.into_iter().zip(self.names).map(|(column, name)| column.finish(name)).collect(),
        )
    }

    /// The short way for most cells of large tables; stops at the first cell that is anything else.
    fn take_whole_numbers(&mut self, file: &mut TableFile<'_>, bytes: &[u8]) -> Result<(), FrameError> {
        loop {
            let position = file.scanner.cells();
            let Some(Builder { values: BuilderValues::Numeric(numbers), .. }) = self.columns.get_mut(position) else {
                return Ok(());
            };
            let Some((value, ends_row)) = file.scanner.next_whole_number(bytes) else { return Ok(()) };
            numbers.push_whole(value);
            if ends_row {
                self.count_row(file, position + 1)?;
            }
        }
    }

    fn push(&mut self, file: &TableFile<'_>, position: usize, cell: &Cell<'_>) -> Result<(), FrameError> {
        // A surplus cell is dealt with at the end of the row.
        let Some(column) = self.columns.get_mut(position) else { return Ok(()) };
        let is_missing = (file.question_mark_is_missing && cell.text.trim_ascii() == b"?")
            || super::is_na_string(&cell.text, self.na_strings);
        if is_missing {
            column.push_missing();
            return Ok(());
        }
        column.push(cell).map_err(|_| FrameError::TooManyLevels {
            file: file.name.to_owned(),
            column: self.names[position].clone(),
            limit: self.max_levels,
        })
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
        self.rows += 1;
        Ok(())
    }
}
