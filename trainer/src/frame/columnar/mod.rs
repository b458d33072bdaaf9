//! Parquet files, Arrow files and Arrow streams: tables whose columns have types.
//!
//! | column of the file | column of the frame |
//! |---|---|
//! | integers, floats, decimals | numeric; what no double holds exactly is rounded to the nearest one |
//! | booleans | numeric, 0 and 1 |
//! | times of day, durations | numeric, in milliseconds |
//! | dates, timestamps | time, in milliseconds since 1970 in UTC, rounded down; a timestamp without a zone is in UTC |
//! | strings and binary, plain, large or views | enum; string where 95 % or more of the first 65,536 texts differ |
//! | dictionaries | as their values; of strings always enum |
//! | null | numeric, all missing |
//! | lists, structs, maps, unions, run-end encoded, intervals | refused |
//!
//! Nulls and NaN are missing. An empty text is a level, unlike in CSV; `na_strings` mean missing values here too. A type
//! that is declared wins: texts may be read as numbers, times or UUIDs, and numbers and times may become each other,
//! levels or strings. The levels are those that occur, in bytewise order.

mod arrow;
mod cells;
mod guard;
mod kinds;
mod parquet;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::Schema;

pub(super) use self::cells::Cells;
use self::kinds::Content;
pub(super) use self::kinds::Survey;
use super::files::Input;
use super::read::Sizes;
use super::table::{Table, TableLayout};
use super::{Frame, FrameError, ReadOptions};

/// What a file is, told from its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnarFormat {
    Parquet,
    /// A file, which holds a stream between its magic numbers.
    ArrowFile,
    ArrowStream,
}

impl ColumnarFormat {
    /// As many bytes as tell the format.
    pub const MAGIC_BYTES: usize = 8;

    pub fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [b'P', b'A', b'R', b'1', ..] => Some(Self::Parquet),
            [b'A', b'R', b'R', b'O', b'W', b'1', 0, 0] => Some(Self::ArrowFile),
            // The mark of a message and its length, which has to be a multiple of 8 and of a sensible size.
            [0xff, 0xff, 0xff, 0xff, length, _, _, 0] if length % 8 == 0 => Some(Self::ArrowStream),
            _ => None,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Parquet => "Parquet",
            Self::ArrowFile | Self::ArrowStream => "Arrow",
        }
    }
}

/// A file whose rows come in batches.
trait Batches {
    fn schema(&self) -> Arc<Schema>;
    /// The next rows, or `None` behind the last.
    fn next(&mut self) -> Result<Option<RecordBatch>, FrameError>;
    /// About how much of the file has been read.
    fn bytes_read(&self) -> u64;
}

/// A file, the batches that were looked at, and those that follow.
pub(super) struct Columns<'r> {
    name: String,
    looked_at: Vec<RecordBatch>,
    batches: Box<dyn Batches + 'r>,
}

impl<'r> Columns<'r> {
    pub fn new(input: Input<'r>, name: &str, format: ColumnarFormat) -> Result<Self, FrameError> {
        let batches: Box<dyn Batches + 'r> = match format {
            ColumnarFormat::Parquet => parquet::open(input, name)?,
            ColumnarFormat::ArrowFile | ColumnarFormat::ArrowStream => {
                Box::new(arrow::Messages::open(input, name, format)?)
            }
        };
        Ok(Self { name: name.to_owned(), looked_at: Vec::new(), batches })
    }

    /// Looks at the columns, and at as many rows as the types depend on.
    pub fn survey(&mut self, options: &ReadOptions) -> Result<Survey, FrameError> {
        let mut survey = Survey::new(&self.name, &self.batches.schema())?;
        while survey.wants_more()
            && let Some(batch) = self.batches.next()?
        {
            survey.look_at(&batch, &options.na_strings);
            self.looked_at.push(batch);
        }
        Ok(survey)
    }

    /// Appends all rows to a table.
    pub fn take_all(
        mut self,
        table: &mut Table,
        contents: &[Content],
        progress: &mut dyn FnMut(u64, usize),
    ) -> Result<u64, FrameError> {
        let mut looked_at = std::mem::take(&mut self.looked_at).into_iter();
        while let Some(batch) = looked_at.next().map_or_else(|| self.batches.next(), |batch| Ok(Some(batch)))? {
            take(table, &batch, contents, &self.name)?;
            progress(self.batches.bytes_read(), table.rows());
        }
        Ok(self.batches.bytes_read())
    }
}

/// An empty table for what was looked at.
pub(super) fn table(survey: &Survey, options: &ReadOptions, sizes: Sizes) -> Result<Table, FrameError> {
    let layout = TableLayout::new(survey.columns(options)?, &options.na_strings, sizes);
    Ok(Table::new(Arc::new(layout), 0).spilling(options.spill.as_ref(), sizes.spilled))
}

/// The columns of a table as they were declared.
pub(super) fn finish(table: Table, survey: &Survey, options: &ReadOptions) -> Result<Frame, FrameError> {
    let columns = table.finish(survey.file())?.into_columns();
    Frame::from_columns(survey.declared(columns, options)?)
}

fn take(table: &mut Table, batch: &RecordBatch, contents: &[Content], name: &str) -> Result<(), FrameError> {
    let rows = batch.num_rows();
    table.count_rows(rows, name)?;
    for (position, (array, content)) in batch.columns().iter().zip(contents).enumerate() {
        table.push_cells(name, position, &Cells::new(array, *content), rows)?;
    }
    table.relieve(name)
}
