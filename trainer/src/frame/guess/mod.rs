//! What a file looks like, guessed from its beginning by H2O's rules.

mod header;
mod separator;
mod types;

use std::collections::HashSet;

use self::types::{Guess, Tally};
use super::scanner::Scanner;
use super::{ColumnType, FrameError, ReadOptions};

/// How many rows the separator, the header and the number of columns are guessed from.
const SAMPLE_ROWS: usize = 10;

/// More columns than this are a damaged file rather than a table.
const MAX_COLUMNS: usize = 1_000_000;

/// What is settled before the columns are read.
#[derive(Debug, PartialEq)]
pub(super) struct Layout {
    pub separator: u8,
    pub has_header: bool,
    pub columns: Vec<ColumnLayout>,
}

#[derive(Debug, PartialEq)]
pub(super) struct ColumnLayout {
    pub name: String,
    pub kind: ColumnType,
    /// Whether `0` stands for a missing value, which H2O concludes for some columns of text and zeros.
    pub zero_is_missing: bool,
}

/// The first bytes of a file.
#[derive(Clone, Copy)]
pub(super) struct Preview<'a> {
    pub file: &'a str,
    pub text: &'a [u8],
    /// Whether that is all of the file.
    pub whole: bool,
}

impl Preview<'_> {
    /// Whether there is a header and a row, or all there ever will be.
    pub fn is_enough(&self) -> bool {
        self.whole || separator::sample_lines(self.text, false, 2).len() == 2
    }
}

/// Guesses the layout of a file.
pub(super) fn layout(preview: Preview<'_>, options: &ReadOptions) -> Result<Layout, FrameError> {
    let file = || preview.file.to_owned();
    let separator = options
        .separator
        .unwrap_or_else(|| separator::guess(&separator::sample_lines(preview.text, preview.whole, SAMPLE_ROWS)));
    let sample = sample_rows(preview, separator)?;
    let Some(first) = sample.first() else {
        return Err(if preview.whole {
            FrameError::Empty { file: file() }
        } else {
            FrameError::without_end(preview.file, 1, preview.text)
        });
    };
    let has_header = options.header.unwrap_or_else(|| header::guess(&sample));
    if has_header && sample.len() == 1 && preview.whole {
        return Err(FrameError::NoRows { file: file() });
    }
    let width = header::width(&sample);
    if width > MAX_COLUMNS {
        return Err(FrameError::TooManyColumns { file: file(), found: width, limit: MAX_COLUMNS });
    }
    let names = if has_header {
        header::names(first, &sample[1..], width).map_err(|found| FrameError::CellCount {
            file: file(),
            line: first.line,
            expected: width,
            found,
            separator,
        })?
    } else {
        header::positions(width)
    };
    refuse_duplicates(&names, preview.file)?;

    let mut declared = vec![None; width];
    for (name, kind) in &options.known_types {
        if let Some(position) = names.iter().position(|n| n == name) {
            declared[position] = Some(*kind);
        }
    }
    for (name, kind) in &options.column_types {
        declared[position_of(name, &names, preview.file)?] = Some(*kind);
    }
    let rows = sample.len().saturating_sub(usize::from(has_header));
    let counted = if rows > 1 { complete_lines(preview) } else { preview };
    let guesses = guess_types(counted, separator, has_header, width, &options.na_strings)?;
    let columns = names.into_iter().zip(declared).zip(guesses).map(|((name, declared), guess)| match declared {
        Some(kind) => ColumnLayout { name, kind, zero_is_missing: false },
        None => ColumnLayout { name, kind: guess.kind, zero_is_missing: guess.zero_is_missing },
    });
    Ok(Layout { separator, has_header, columns: columns.collect() })
}

/// The preview without a last line that has no end, be it cut off or the end of the file: H2O does not count it.
fn complete_lines(preview: Preview<'_>) -> Preview<'_> {
    match memchr::memrchr2(b'\n', b'\r', preview.text) {
        Some(end) if end + 1 < preview.text.len() => Preview { text: &preview.text[..=end], whole: false, ..preview },
        _ => preview,
    }
}

/// A row of the sample.
pub(super) struct SampleRow {
    line: u64,
    cells: Vec<Vec<u8>>,
}

fn sample_rows(preview: Preview<'_>, separator: u8) -> Result<Vec<SampleRow>, FrameError> {
    let mut scanner = Scanner::new(preview.file, separator);
    let mut rows = Vec::new();
    let mut cells = Vec::new();
    while rows.len() < SAMPLE_ROWS
        && let Some(cell) = scanner.next(preview.text, preview.whole)?
    {
        let ends_row = cell.ends_row;
        cells.push(cell.text.into_owned());
        if ends_row {
            rows.push(SampleRow { line: scanner.row_line(), cells: std::mem::take(&mut cells) });
        }
    }
    Ok(rows)
}

fn guess_types(
    preview: Preview<'_>,
    separator: u8,
    has_header: bool,
    width: usize,
    na_strings: &[String],
) -> Result<Vec<Guess>, FrameError> {
    let mut scanner = Scanner::new(preview.file, separator);
    let mut tallies: Vec<Tally> = (0..width).map(|_| Tally::default()).collect();
    let mut in_header = has_header;
    loop {
        let position = scanner.cells();
        let Some(cell) = scanner.next(preview.text, preview.whole)? else { break };
        if !in_header
            && let Some(tally) = tallies.get_mut(position)
            && !cell.is_empty()
            && !super::is_na_string(&cell.text, na_strings)
        {
            tally.add(&cell.text, cell.quoted);
        }
        in_header = in_header && !cell.ends_row;
    }
    Ok(tallies.iter().map(Tally::guess).collect())
}

fn refuse_duplicates(names: &[String], file: &str) -> Result<(), FrameError> {
    let mut seen = HashSet::with_capacity(names.len());
    match names.iter().find(|name| !seen.insert(name.as_str())) {
        Some(name) => Err(FrameError::DuplicateColumn { file: file.to_owned(), name: name.clone() }),
        None => Ok(()),
    }
}

/// The column of this name, or at this position if the name is `C` and a number and no column has it.
fn position_of(name: &str, names: &[String], file: &str) -> Result<usize, FrameError> {
    let by_name = names.iter().position(|candidate| candidate == name);
    let by_position = || {
        let number: usize = name.strip_prefix('C')?.parse().ok()?;
        number.checked_sub(1).filter(|&position| position < names.len())
    };
    by_name.or_else(by_position).ok_or_else(|| FrameError::UnknownColumn {
        file: file.to_owned(),
        name: name.to_owned(),
        columns: names.to_vec(),
    })
}
