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

/// Whether `preview` holds a header and a row, so that there is something to guess from.
pub(super) fn is_enough(preview: &[u8]) -> bool {
    separator::sample_lines(preview, false, 2).len() == 2
}

/// Guesses the layout from the first bytes of a file, `whole` if that is all of it.
pub(super) fn layout(preview: &[u8], whole: bool, file: &str, options: &ReadOptions) -> Result<Layout, FrameError> {
    let separator = match options.separator {
        Some(separator) => separator,
        None => separator::guess(&separator::sample_lines(preview, whole, SAMPLE_ROWS)),
    };
    let sample = sample_rows(preview, whole, file, separator)?;
    let Some(first) = sample.first() else { return Err(FrameError::Empty { file: file.to_owned() }) };
    let has_header = options.header.unwrap_or_else(|| header::guess(&sample));
    if has_header && sample.len() == 1 {
        return Err(FrameError::NoRows { file: file.to_owned() });
    }
    let width = header::width(&sample);
    if width > MAX_COLUMNS {
        return Err(FrameError::TooManyColumns { file: file.to_owned(), found: width, limit: MAX_COLUMNS });
    }
    let names = if has_header { header::names(first, &sample[1..], width, file)? } else { header::positions(width) };
    refuse_duplicates(&names, file)?;

    let mut declared = vec![None; width];
    for (name, kind) in &options.column_types {
        declared[position_of(name, &names, file)?] = Some(*kind);
    }
    let guesses = guess_types(preview, whole, file, separator, has_header, width, &options.na_strings)?;
    let columns = names.into_iter().zip(declared).zip(guesses).map(|((name, declared), guess)| match declared {
        Some(kind) => ColumnLayout { name, kind, zero_is_missing: false },
        None => ColumnLayout { name, kind: guess.kind, zero_is_missing: guess.zero_is_missing },
    });
    Ok(Layout { separator, has_header, columns: columns.collect() })
}

/// A row of the sample.
pub(super) struct SampleRow {
    line: u64,
    cells: Vec<SampleCell>,
}

struct SampleCell {
    text: Vec<u8>,
    quoted: bool,
}

fn sample_rows(preview: &[u8], whole: bool, file: &str, separator: u8) -> Result<Vec<SampleRow>, FrameError> {
    let mut scanner = Scanner::new(file, separator);
    let mut rows = Vec::new();
    let mut cells = Vec::new();
    while rows.len() < SAMPLE_ROWS
        && let Some(cell) = scanner.next(preview, whole)?
    {
        let ends_row = cell.ends_row;
        cells.push(SampleCell { quoted: cell.quoted, text: cell.text.into_owned() });
        if ends_row {
            rows.push(SampleRow { line: scanner.row_line(), cells: std::mem::take(&mut cells) });
        }
    }
    Ok(rows)
}

fn guess_types(
    preview: &[u8],
    whole: bool,
    file: &str,
    separator: u8,
    has_header: bool,
    width: usize,
    na_strings: &[String],
) -> Result<Vec<Guess>, FrameError> {
    let mut scanner = Scanner::new(file, separator);
    let mut tallies: Vec<Tally> = (0..width).map(|_| Tally::default()).collect();
    let mut in_header = has_header;
    let mut rows = 0;
    loop {
        let position = scanner.cells();
        let Some(cell) = scanner.next(preview, whole)? else { break };
        if !in_header && let Some(tally) = tallies.get_mut(position) {
            let missing = cell.is_empty() || super::is_na_string(&cell.text, na_strings);
            tally.add(&cell.text, cell.quoted, missing);
        }
        if cell.ends_row {
            rows += usize::from(!in_header);
            in_header = false;
        }
    }
    Ok(tallies.iter().map(|tally| tally.guess(rows)).collect())
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
