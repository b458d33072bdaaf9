//! Where rows go: they are scored block by block, and their answers written.

use crate::error::ServeError;
use crate::limits::Limits;
use crate::registry::ServedModel;
use crate::service::{Predictions, Scoring};

/// Rows in, answers out.
pub(crate) struct Sink<W> {
    pub scoring: Scoring,
    pub writer: W,
    out: Vec<u8>,
    rows_limit: usize,
    /// What an answer may be long that is not sent while it is made.
    answer_limit: usize,
}

/// How answers are written.
pub(crate) trait Writer {
    /// Writes what stands before the answers.
    fn start(&mut self, _served: &ServedModel, _out: &mut Vec<u8>) -> Result<(), ServeError> {
        Ok(())
    }

    /// There is only one row, and it came as itself and not in a list.
    fn expect_one(&mut self) {}

    /// Writes the answers for a block of rows.
    fn write(&mut self, predictions: Predictions<'_>, out: &mut Vec<u8>) -> Result<(), ServeError>;

    /// Writes what stands after the answers.
    fn finish(&mut self, _out: &mut Vec<u8>) -> Result<(), ServeError> {
        Ok(())
    }
}

impl<W: Writer> Sink<W> {
    pub fn new(scoring: Scoring, writer: W, limits: &Limits) -> Self {
        let (rows_limit, answer_limit) = (limits.rows, limits.answer_bytes);
        Self { scoring, writer, out: Vec::with_capacity(256), rows_limit, answer_limit }
    }

    /// Writes what stands before the answers.
    pub fn start(&mut self) -> Result<(), ServeError> {
        self.writer.start(self.scoring.served(), &mut self.out)
    }

    /// Starts a row, if there may be one more.
    pub fn begin_row(&mut self) -> Result<(), ServeError> {
        self.check_rows(1)?;
        self.scoring.begin_row();
        Ok(())
    }

    /// The row is complete.
    pub fn end_row(&mut self) -> Result<(), ServeError> {
        self.scoring.end_row()?;
        self.end_table_row()
    }

    /// A row of a table is complete, all of whose rows have the same columns.
    pub fn end_table_row(&mut self) -> Result<(), ServeError> {
        if self.scoring.is_full() { self.flush() } else { Ok(()) }
    }

    /// Scores so many rows that come as columns. `fill` is called for each block with where it begins and how many rows it
    /// has.
    pub fn block(
        &mut self,
        rows: usize,
        mut fill: impl FnMut(&mut Scoring, usize, usize) -> Result<(), ServeError>,
    ) -> Result<(), ServeError> {
        self.check_rows(rows)?;
        let most = self.scoring.served().block_rows();
        for start in (0..rows).step_by(most) {
            let rows = most.min(rows - start);
            self.scoring.begin_block(rows);
            fill(&mut self.scoring, start, rows)?;
            self.scoring.end_block();
            self.flush()?;
        }
        Ok(())
    }

    /// Scores what is left, and writes what stands after the answers.
    pub fn finish(&mut self) -> Result<(), ServeError> {
        self.flush()?;
        self.writer.finish(&mut self.out)
    }

    /// The bytes so far.
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.out)
    }

    fn check_rows(&self, more: usize) -> Result<(), ServeError> {
        let limit = self.rows_limit;
        if more > limit.saturating_sub(self.scoring.rows()) { Err(ServeError::TooManyRows { limit }) } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), ServeError> {
        self.writer.write(self.scoring.score(), &mut self.out)?;
        let limit = self.answer_limit;
        if self.out.len() > limit { Err(ServeError::AnswerTooLong { limit }) } else { Ok(()) }
    }
}
