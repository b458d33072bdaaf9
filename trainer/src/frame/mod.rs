//! What are rows? A [`Frame`]: named columns of one length, each of numbers, categories, times or text.
//!
//! A file is read in one pass. [`source`] gives its text in blocks of bytes, which [`unpack`] makes of gzip, zip (its
//! first file) and zstd; [`mod@format`] tells CSV, [`arff`] and [`svmlight`] apart, all by content, not by name; [`guess`]
//! settles separator, header and types from the first 4 MiB; [`scanner`] finds cells and lines; [`builder`] turns cells
//! into values, and [`storage`] keeps those in the narrowest type that holds them. [`table`] is where these meet, and
//! [`intake`] has blocks parsed on all threads. Parquet and Arrow come in through [`columnar`], column by column. Several
//! files of one table, or a folder of them, are looked at first, all of them, and then read one behind the other.
//!
//! What a row costs: for each column its value in the narrowest type that holds all of the column exactly.
//!
//! | column | bytes a row |
//! |---|---|
//! | whole numbers of 0 to 255; up to 256 levels | 1 |
//! | whole numbers of 16 bits; up to 65,536 levels; dates | 2 |
//! | whole numbers of 32 bits, and floats that are exact in 32; more levels; times in whole seconds | 4 |
//! | all other numbers and times | 8 |
//! | strings, UUIDs | 0: they are counted, not kept |
//! | missing values | 1/8, from the first row to the last one that misses something |
//! | SVMLight features, mostly 0 | 5 to 12 a value other than 0 |
//!
//! Files are streamed, so that reading takes the table and, beside it, 4 MiB and three batches of blocks of 256 KiB, 8 and
//! 4 a thread: about 20 MB on 2 cores. What is larger than [`SpillOptions`] allows goes to a file: [`spill`].
//!
//! CSV is read as H2O reads it. What differs, and why:
//! - A row with more or fewer cells than there are columns is refused; H2O drops cells or fills up with missing values.
//!   One empty cell too many, behind a separator at the end of the line, is no surplus.
//! - Text behind a closing quote, and a quote that is still open lines later at the end of the file, are refused.
//! - A zero byte is refused; H2O loses what follows it.
//! - A UTF-8 byte order mark is no part of the first name, and doubled quotes in a name are made one.
//! - A leading tab in a file separated by tabs is an empty cell in the header as well.
//! - Numbers are correctly rounded, `1e309` is infinite in any column, and a number needs a digit (a lone `.`, `-` or
//!   `+` is text). `$1.5` and `10%` are numbers also where the header is looked for.
//! - Where no separator fits two of the first lines, the most frequent one of the first line is taken, so that the line
//!   that does not fit is named; H2O takes the space.
//! - Times may be spelled as in ISO 8601, and some that H2O misreads are read right: see [`time`].
//! - In the second and later files of a table, a first row that repeats the names is a header even if all of it is text.
//!
//! ARFF is told and read more widely than in H2O: lines may be indented, words of a header separated by several blanks
//! or tabs, and single quotes hold blanks and separators in rows as in names (H2O keeps them as part of the text). What
//! stands in a header and is not understood is refused; H2O then reads the header as rows.
//!
//! SVMLight in H2O drops the rest of a row behind a mistake, makes rows of comments that are not at the start, and does
//! not know files with `qid:` or comments behind rows; here the mistake is refused and the others are read.

mod arff;
mod builder;
mod categorical;
mod column;
mod columnar;
mod error;
mod files;
mod format;
mod guess;
mod intake;
mod missing;
mod number;
mod options;
mod read;
mod rows;
mod scanner;
mod source;
mod sparse;
mod spill;
mod storage;
mod svmlight;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod time;
mod unpack;
mod uuid;

use std::collections::HashMap;

pub use column::Column;
pub use error::FrameError;
pub use options::{ColumnType, ReadOptions, ReadProgress, SpillOptions};
pub use rows::RowReader;
pub(crate) use spill::{Data, Plain, SpillFile};

/// A table: columns of one length under different names.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    columns: Vec<Column>,
    positions: HashMap<String, usize>,
    rows: usize,
}

impl Frame {
    /// A table of these columns.
    pub fn from_columns(columns: Vec<Column>) -> Result<Self, FrameError> {
        let rows = columns.first().map_or(0, Column::len);
        let mut positions = HashMap::with_capacity(columns.len());
        for (position, column) in columns.iter().enumerate() {
            if column.len() != rows {
                return Err(FrameError::UnequalLengths {
                    column: column.name().to_owned(),
                    expected: rows,
                    found: column.len(),
                });
            }
            if positions.insert(column.name().to_owned(), position).is_some() {
                return Err(FrameError::DuplicateColumn {
                    file: "the table".to_owned(),
                    name: column.name().to_owned(),
                });
            }
        }
        Ok(Self { columns, positions, rows })
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The columns, in the order of the file.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The column of this name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.index_of(name).map(|position| &self.columns[position])
    }

    /// The position of the column of this name.
    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.positions.get(name).copied()
    }

    /// A reader of whole rows, in any order, of the columns at these positions.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn row_reader(&self, positions: &[usize]) -> RowReader<'_> {
        RowReader::new(positions.iter().map(|&position| &self.columns[position]).collect())
    }

    /// The bytes of values in a file, as [`SpillOptions`] asks for.
    pub fn spilled_bytes(&self) -> usize {
        self.columns.iter().map(Column::spilled_bytes).sum()
    }

    /// The memory that the values take, without those in a file.
    pub fn memory_bytes(&self) -> usize {
        self.columns.iter().map(Column::memory_bytes).sum()
    }

    /// The columns, to be used elsewhere.
    pub fn into_columns(self) -> Vec<Column> {
        self.columns
    }
}

/// Whether a cell is one of the texts that the user declared to mean a missing value.
fn is_na_string(text: &[u8], na_strings: &[String]) -> bool {
    !na_strings.is_empty() && na_strings.iter().any(|na| na.as_bytes() == text.trim_ascii())
}
