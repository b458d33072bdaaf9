use std::io;

/// Why a table could not be read or made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FrameError {
    /// The file is not there, or may not be opened.
    #[error("cannot open {file}: {source}")]
    Open {
        /// The file's name.
        file: String,
        /// What the system said.
        source: io::Error,
    },
    /// The path names a folder.
    #[error("{file} is a folder, expected a CSV file")]
    IsFolder {
        /// The folder's name.
        file: String,
    },
    /// Reading stopped with an error.
    #[error("cannot read {file}: {source}")]
    Read {
        /// The file's name.
        file: String,
        /// What the system said.
        source: io::Error,
    },
    /// The file begins as gzip, but is cut off or damaged.
    #[error("{file} is not a whole gzip file: {source}")]
    Gzip {
        /// The file's name.
        file: String,
        /// What the decompressor said.
        source: io::Error,
    },
    /// There is nothing in the file but blank lines and comments.
    #[error("{file} is empty, expected a header and rows")]
    Empty {
        /// The file's name.
        file: String,
    },
    /// There is a header, and nothing below it.
    #[error("{file} has a header but no rows")]
    NoRows {
        /// The file's name.
        file: String,
    },
    /// The file begins with a UTF-16 byte order mark.
    #[error("{file} is UTF-16 text, expected UTF-8")]
    Utf16 {
        /// The file's name.
        file: String,
    },
    /// A zero byte, which no text contains.
    #[error("{file}, line {line}: not a text file (it contains a zero byte), expected CSV")]
    Binary {
        /// The file's name.
        file: String,
        /// The line with the zero byte.
        line: u64,
    },
    /// A row has another number of cells than the table has columns.
    #[error("{file}, line {line}: expected {expected} cells separated by {}, found {found}", spelled(*.separator))]
    CellCount {
        /// The file's name.
        file: String,
        /// The line in which the row begins.
        line: u64,
        /// The number of columns.
        expected: usize,
        /// The number of cells in the row.
        found: usize,
        /// The byte between cells.
        separator: u8,
    },
    /// The end of the file was reached, or a cell grew beyond all measure, within quotes.
    #[error("{file}, line {line}: the quote opened here is never closed")]
    OpenQuote {
        /// The file's name.
        file: String,
        /// The line in which the quote was opened.
        line: u64,
    },
    /// Something other than a separator follows a closing quote.
    #[error(
        "{file}, line {line}, cell {cell}: text after the closing quote, expected a separator \
         (a quote inside quotes is written twice)"
    )]
    TextAfterQuote {
        /// The file's name.
        file: String,
        /// The line of the closing quote.
        line: u64,
        /// The cell's position in its row, from 1.
        cell: usize,
    },
    /// A single cell or line is larger than any real one.
    #[error("{file}, line {line}: no end of the cell or line within {limit} bytes")]
    TooLong {
        /// The file's name.
        file: String,
        /// The line in which it begins.
        line: u64,
        /// The largest size accepted.
        limit: usize,
    },
    /// Two columns have the same name.
    #[error("{file} has two columns named {name:?}, expected different names")]
    DuplicateColumn {
        /// The table's name.
        file: String,
        /// The name that occurs twice.
        name: String,
    },
    /// The rows have more cells than any table that can be trained on.
    #[error("{file} has {found} columns, expected at most {limit}")]
    TooManyColumns {
        /// The file's name.
        file: String,
        /// The number of columns.
        found: usize,
        /// The largest number of columns.
        limit: usize,
    },
    /// A byte that cannot stand between cells.
    #[error("{} cannot separate cells, expected a comma, semicolon, bar, tab, space or the like", spelled(*.separator))]
    Separator {
        /// The byte asked for.
        separator: u8,
    },
    /// A type was asked for a column that is not there.
    #[error("{file} has no column {name:?} to give a type to; it has {}", listed(.columns))]
    UnknownColumn {
        /// The file's name.
        file: String,
        /// The name asked for.
        name: String,
        /// The names there are.
        columns: Vec<String>,
    },
    /// A categorical column has more levels than H2O allows.
    #[error("{file}, column {column:?}: more than {limit} different levels; declare it string or leave it out")]
    TooManyLevels {
        /// The file's name.
        file: String,
        /// The column's name.
        column: String,
        /// The largest number of levels.
        limit: usize,
    },
    /// A name for a column type that does not exist.
    #[error("unknown column type {given:?}, expected numeric, enum, time, string or uuid")]
    UnknownType {
        /// What was given.
        given: String,
    },
    /// Columns of one table differ in length.
    #[error("column {column:?} has {found} rows, expected {expected} as in the first column")]
    UnequalLengths {
        /// The column's name.
        column: String,
        /// The rows of the first column.
        expected: usize,
        /// The rows of this one.
        found: usize,
    },
    /// A category code without a level.
    #[error("column {column:?}, row {row}: code {code} is outside its {levels} levels")]
    CodeOutsideDomain {
        /// The column's name.
        column: String,
        /// The row, from 0.
        row: usize,
        /// The code.
        code: u32,
        /// The number of levels.
        levels: usize,
    },
    /// A numeric column has too many different values to become categorical.
    #[error("column {column:?} has more than {limit} different numbers, too many for a categorical column")]
    TooManyDistinct {
        /// The column's name.
        column: String,
        /// The largest number of values.
        limit: usize,
    },
    /// A column of text cannot become categorical once it is read.
    #[error("column {column:?} is text, which is not kept; declare it enum when reading")]
    NoText {
        /// The column's name.
        column: String,
    },
}

impl FrameError {
    /// The refusal of bytes that begin a cell or a row but hold no end of it.
    pub(super) fn without_end(file: &str, line: u64, bytes: &[u8]) -> Self {
        let file = file.to_owned();
        if bytes.trim_ascii_start().first() == Some(&b'"') {
            Self::OpenQuote { file, line }
        } else {
            Self::TooLong { file, line, limit: bytes.len() }
        }
    }
}

/// The first few names, so that a table of a thousand columns still gives a sentence.
fn listed(columns: &[String]) -> String {
    const SHOWN: usize = 8;
    let names = columns.iter().take(SHOWN).map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
    match columns.len().checked_sub(SHOWN) {
        Some(more @ 1..) => format!("{names} and {more} more"),
        _ => names,
    }
}

fn spelled(separator: u8) -> String {
    match separator {
        b',' => "comma".to_owned(),
        b';' => "semicolon".to_owned(),
        b'|' => "bar".to_owned(),
        b'\t' => "tab".to_owned(),
        b' ' => "space".to_owned(),
        other => format!("{:?}", char::from(other)),
    }
}
