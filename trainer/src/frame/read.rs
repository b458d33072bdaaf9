use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::builder::{Builder, BuilderValues};
use super::guess::{self, Layout, Preview};
use super::scanner::{Cell, Scanner};
use super::source::Source;
use super::{Frame, FrameError, ReadOptions, ReadProgress};

/// How many bytes are looked at and read at a time, and the most of anything that is believed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sizes {
    /// What the guesses are made from.
    pub preview: usize,
    /// What is read at a time behind it.
    pub block: usize,
    /// The longest cell that is believed, and the most that is looked at for two lines.
    pub longest: usize,
    /// The most levels of a categorical column, as in H2O.
    pub levels: usize,
}

impl Default for Sizes {
    fn default() -> Self {
        Self { preview: 4 << 20, block: 1 << 18, longest: 1 << 28, levels: 10_000_000 }
    }
}

impl Frame {
    /// Reads a CSV file, plain or packed by gzip.
    pub fn read(
        path: &Path,
        options: &ReadOptions,
        progress: &mut dyn FnMut(ReadProgress),
    ) -> Result<Self, FrameError> {
        let name = path.display().to_string();
        let opened = File::open(path).and_then(|file| Ok((file.metadata()?, file)));
        match opened {
            Err(source) => Err(FrameError::Open { file: name, source }),
            Ok((metadata, _)) if metadata.is_dir() => Err(FrameError::IsFolder { file: name }),
            Ok((metadata, file)) => {
                let total = metadata.is_file().then_some(metadata.len());
                read(file, &name, total, options, progress, Sizes::default())
            }
        }
    }

    /// Reads CSV text, plain or packed by gzip, from anywhere; errors call it `source_name`.
    pub fn read_from(
        reader: impl Read,
        source_name: &str,
        options: &ReadOptions,
        progress: &mut dyn FnMut(ReadProgress),
    ) -> Result<Self, FrameError> {
        read(reader, source_name, None, options, progress, Sizes::default())
    }
}

/// Reads a table in one pass: the layout is guessed from the first bytes, which are then read like the rest.
pub(super) fn read(
    reader: impl Read,
    file: &str,
    bytes_total: Option<u64>,
    options: &ReadOptions,
    progress: &mut dyn FnMut(ReadProgress),
    sizes: Sizes,
) -> Result<Frame, FrameError> {
    if let Some(separator) = options.separator.filter(|&separator| is_part_of_cells(separator)) {
        return Err(FrameError::Separator { separator });
    }
    let mut source = Source::new(reader, file)?;
    let preview = fill_preview(&mut source, file, sizes)?;
    let layout = guess::layout(preview, options)?;

    let mut scanner = Scanner::new(file, layout.separator);
    let mut table = Table::new(file, &layout, &options.na_strings, sizes.levels);
    loop {
        table.take(&mut scanner, source.bytes(), source.ended())?;
        source.consume(scanner.take_position());
        progress(ReadProgress { bytes_read: source.bytes_read(), bytes_total, rows: table.rows });
        if source.ended() {
            break;
        }
        let waiting = source.bytes().len();
        if waiting > sizes.longest {
            return Err(FrameError::without_end(file, scanner.line(), source.bytes()));
        }
        // A long cell is looked at from its start each time: doubling keeps that linear.
        source.fill_to(waiting + sizes.block.max(waiting), scanner.line())?;
    }
    table.finish()
}

/// Whether a byte means something within cells or rows, so that it cannot stand between cells.
fn is_part_of_cells(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || !byte.is_ascii() || b"\0\n\r\"#+-.$%".contains(&byte)
}

/// Reads what the guesses need: 4 MiB, or more if that is less than two lines.
fn fill_preview<'a, R: Read>(
    source: &'a mut Source<'_, R>,
    file: &'a str,
    sizes: Sizes,
) -> Result<Preview<'a>, FrameError> {
    let mut length = sizes.preview;
    loop {
        source.fill_to(length, 1)?;
        let preview = Preview { file, text: source.bytes(), whole: source.ended() };
        if preview.is_enough() || length >= sizes.longest {
            break;
        }
        length = (length * 2).min(sizes.longest);
    }
    Ok(Preview { file, text: source.bytes(), whole: source.ended() })
}

/// The columns while they are filled.
struct Table<'f> {
    file: &'f str,
    columns: Vec<Builder>,
    names: Vec<String>,
    separator: u8,
    na_strings: &'f [String],
    max_levels: usize,
    in_header: bool,
    rows: usize,
}

impl<'f> Table<'f> {
    fn new(file: &'f str, layout: &Layout, na_strings: &'f [String], max_levels: usize) -> Self {
        let columns = layout.columns.iter();
        Self {
            file,
            columns: columns.map(|column| Builder::new(column.kind, column.zero_is_missing, max_levels)).collect(),
            max_levels,
            names: layout.columns.iter().map(|column| column.name.clone()).collect(),
            separator: layout.separator,
            na_strings,
            in_header: layout.has_header,
            rows: 0,
        }
    }

    /// Takes every cell that is complete.
    fn take(&mut self, scanner: &mut Scanner<'_>, bytes: &[u8], whole: bool) -> Result<(), FrameError> {
        loop {
            if self.na_strings.is_empty() && !self.in_header {
                self.take_whole_numbers(scanner, bytes)?;
            }
            let position = scanner.cells();
            let Some(cell) = scanner.next(bytes, whole)? else { return Ok(()) };
            let ends_row = cell.ends_row;
            if !self.in_header {
                self.push(position, &cell)?;
            }
            if ends_row {
                self.end_row(position + 1, &cell, scanner.row_line())?;
            }
        }
    }

    /// The short way for most cells of large tables; stops at the first cell that is anything else.
    fn take_whole_numbers(&mut self, scanner: &mut Scanner<'_>, bytes: &[u8]) -> Result<(), FrameError> {
        loop {
            let position = scanner.cells();
            let Some(Builder { values: BuilderValues::Numeric(numbers), .. }) = self.columns.get_mut(position) else {
                return Ok(());
            };
            let Some((value, ends_row)) = scanner.next_whole_number(bytes) else { return Ok(()) };
            numbers.push_whole(value);
            if ends_row {
                self.count_row(position + 1, scanner.row_line())?;
            }
        }
    }

    fn push(&mut self, position: usize, cell: &Cell<'_>) -> Result<(), FrameError> {
        // A surplus cell is dealt with at the end of the row.
        let Some(column) = self.columns.get_mut(position) else { return Ok(()) };
        if super::is_na_string(&cell.text, self.na_strings) {
            column.push_missing();
            return Ok(());
        }
        column.push(cell).map_err(|_| FrameError::TooManyLevels {
            file: self.file.to_owned(),
            column: self.names[position].clone(),
            limit: self.max_levels,
        })
    }

    fn end_row(&mut self, cells: usize, last: &Cell<'_>, line: u64) -> Result<(), FrameError> {
        if self.in_header {
            // Its length has been looked at with the guesses.
            self.in_header = false;
            return Ok(());
        }
        // A separator at the end of a row makes an empty cell, which is no surplus.
        let cells = if last.is_empty() && cells == self.columns.len() + 1 { cells - 1 } else { cells };
        self.count_row(cells, line)
    }

    fn count_row(&mut self, cells: usize, line: u64) -> Result<(), FrameError> {
        if cells != self.columns.len() {
            let expected = self.columns.len();
            let file = self.file.to_owned();
            return Err(FrameError::CellCount { file, line, expected, found: cells, separator: self.separator });
        }
        self.rows += 1;
        Ok(())
    }

    fn finish(self) -> Result<Frame, FrameError> {
        if self.rows == 0 {
            return Err(FrameError::NoRows { file: self.file.to_owned() });
        }
        Frame::from_columns(
            self.columns.into_iter().zip(self.names).map(|(column, name)| column.finish(name)).collect(),
        )
    }
}
