use std::io;

use super::ColumnType;

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
    /// A folder of files has a folder in it.
    #[error("{file} is a folder within a folder, expected files alone")]
    IsFolder {
        /// The inner folder's name.
        file: String,
    },
    /// A folder without a file.
    #[error(
        "{folder} is a folder without files, expected one at least (names that begin with `.` or `_` do not count)"
    )]
    EmptyFolder {
        /// The folder's name.
        folder: String,
    },
    /// Reading stopped with an error.
    #[error("cannot read {file}: {source}")]
    Read {
        /// The file's name.
        file: String,
        /// What the system said.
        source: io::Error,
    },
    /// A table of no file at all.
    #[error("no file is given, expected at least one")]
    NoFile,
    /// Of several files of one table, one can be read once only.
    #[error("{file} is not a regular file, which it has to be where a table has several files")]
    NotRegular {
        /// The file's name.
        file: String,
    },
    /// Two files of one table do not go together.
    #[error("{other} {found}, but {first} {expected}: the files of a table have to agree")]
    FilesDiffer {
        /// The first of the two files.
        first: String,
        /// The other one.
        other: String,
        /// What the first one has.
        expected: String,
        /// What the other one has instead.
        found: String,
    },
    /// The file begins as gzip, zip or zstd, but is cut off or damaged.
    #[error("{file} is not a whole {packing} file: {source}")]
    Packed {
        /// The file's name.
        file: String,
        /// The kind of archive.
        packing: &'static str,
        /// What the decompressor said.
        source: io::Error,
    },
    /// A Parquet or Arrow file that is cut off or damaged, or uses what is not read.
    #[error("{file} is not a whole {format} file: {problem}")]
    Columnar {
        /// The file's name.
        file: String,
        /// The file's format.
        format: &'static str,
        /// What is wrong with it.
        problem: String,
    },
    /// A column of a Parquet or Arrow file that is no column of a frame.
    #[error(
        "{file}: column {column:?} holds {found}, expected numbers, booleans, texts, dates or times: flatten it or \
         leave it out of the file"
    )]
    ColumnarType {
        /// The file's name.
        file: String,
        /// The column's name.
        column: String,
        /// What the column holds.
        found: String,
    },
    /// UUIDs asked for in a column of numbers or times.
    #[error("{file}: column {column:?} can be numeric, enum, time or string, not uuid")]
    UuidType {
        /// The file's name.
        file: String,
        /// The column's name.
        column: String,
    },
    /// A Parquet or Arrow file in an archive.
    #[error("{file} is a {format} file that is packed once more, expected it unpacked")]
    PackedColumnar {
        /// The file's name.
        file: String,
        /// The format of what is packed.
        format: &'static str,
    },
    /// A table without columns.
    #[error("{file} has no columns")]
    NoColumns {
        /// The file's name.
        file: String,
    },
    /// Values that do not fit into memory cannot be written to a file either.
    #[error("{file} is larger than the memory limit, and cannot be put into a file in {folder}: {source}")]
    Spill {
        /// The table's name.
        file: String,
        /// Where the file would be.
        folder: String,
        /// What the system said.
        source: io::Error,
    },
    /// A zip archive without a file.
    #[error("{file} is a zip archive without a file in it")]
    EmptyZip {
        /// The archive's name.
        file: String,
    },
    /// The first file in a zip archive is packed in a way that is not read.
    #[error("cannot unpack {entry:?} in {file}: {problem}")]
    ZipEntry {
        /// The archive's name.
        file: String,
        /// The name of the file in it.
        entry: String,
        /// What it is.
        problem: &'static str,
    },
    /// A workbook of a spreadsheet program.
    #[error("{file} is an Excel workbook, expected CSV, ARFF or SVMLight: save the sheet as CSV")]
    Workbook {
        /// The file's name.
        file: String,
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
    /// An ARFF file without a `@data` line.
    #[error("{file} has ARFF attributes but no line @data below them")]
    ArffWithoutData {
        /// The file's name.
        file: String,
    },
    /// A line in the header of an ARFF file that does not belong there.
    #[error("{file}, line {line}: expected @attribute NAME TYPE or @data, found {found:?}")]
    ArffLine {
        /// The file's name.
        file: String,
        /// The line.
        line: u64,
        /// What stands there.
        found: String,
    },
    /// An ARFF attribute without a name.
    #[error("{file}, line {line}: expected a name and a type behind @attribute, found {found:?}")]
    ArffAttribute {
        /// The file's name.
        file: String,
        /// The line.
        line: u64,
        /// What stands there.
        found: String,
    },
    /// An ARFF attribute of a type that does not exist, or is not read.
    #[error(
        "{file}, line {line}: unknown attribute type {found:?}, expected numeric, real, integer, date, string, uuid \
         or {{levels}}"
    )]
    ArffType {
        /// The file's name.
        file: String,
        /// The line.
        line: u64,
        /// The type's name.
        found: String,
    },
    /// An ARFF file whose rows are lists of attributes and values.
    #[error("{file}, line {line}: sparse ARFF rows are not read, expected a cell for each attribute")]
    ArffSparse {
        /// The file's name.
        file: String,
        /// The line of the first row.
        line: u64,
    },
    /// A row of SVMLight that does not begin with a number.
    #[error("{file}, line {line}: expected the target, a number, found {found:?}")]
    SvmLightTarget {
        /// The file's name.
        file: String,
        /// The line.
        line: u64,
        /// What stands there.
        found: String,
    },
    /// Something in a row of SVMLight that is no feature, or not in its order.
    #[error("{file}, line {line}: expected INDEX:VALUE with rising indices from 1, found {found:?}")]
    SvmLightFeature {
        /// The file's name.
        file: String,
        /// The line.
        line: u64,
        /// What stands there.
        found: String,
    },
    /// A type that numbers cannot have.
    #[error("{file}: column {column:?} of an SVMLight file can be numeric, enum or time, not {given}")]
    SvmLightType {
        /// The file's name.
        file: String,
        /// The column's name.
        column: String,
        /// The type asked for.
        given: ColumnType,
    },
    /// More rows than can be counted.
    #[error("{file} has more than {limit} rows")]
    TooManyRows {
        /// The file's name.
        file: String,
        /// The largest number of rows.
        limit: u32,
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

pub(super) fn spelled(separator: u8) -> String {
    match separator {
        b',' => "comma".to_owned(),
        b';' => "semicolon".to_owned(),
        b'|' => "bar".to_owned(),
        b'\t' => "tab".to_owned(),
        b' ' => "space".to_owned(),
        other => format!("{:?}", char::from(other)),
    }
}
