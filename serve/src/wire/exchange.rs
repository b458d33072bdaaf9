//! A body as it arrives, and the answer as it is made.

use super::answers::FormatWriter;
use super::{Format, Reader, Sink};
use crate::error::ServeError;
use crate::limits::Limits;
use crate::registry::ServedModel;
use crate::service::{Scoring, Warning};

/// Reads rows in one format and answers in another.
pub(crate) struct Exchange {
    reader: Reader,
    sink: Sink<FormatWriter>,
    finished: bool,
    /// Whether what was noticed is in the answer already, row by row.
    tells_rows: bool,
}

impl Exchange {
    pub fn new(scoring: Scoring, from: Format, to: Format, limits: &Limits) -> Result<Self, ServeError> {
        let is_json = |format| matches!(format, Format::Json | Format::NdJson);
        let writer = FormatWriter::new(to, &scoring);
        let mut sink = Sink::new(scoring, writer, limits);
        sink.start()?;
        let reader = Reader::new(from, limits.body_bytes);
        Ok(Self { reader, sink, finished: false, tells_rows: is_json(from) && is_json(to) })
    }

    /// Takes the next bytes of the body, and gives those of the answer that are ready.
    pub fn push(&mut self, bytes: Vec<u8>) -> Result<Vec<u8>, ServeError> {
        self.reader.push(bytes, &mut self.sink)?;
        Ok(self.sink.take())
    }

    /// The body is at its end: the rest of the answer.
    pub fn finish(&mut self) -> Result<Vec<u8>, ServeError> {
        self.finished = true;
        self.reader.finish(&mut self.sink)?;
        self.sink.finish()?;
        Ok(self.sink.take())
    }

    /// The answer to a whole body, which is the usual case.
    pub fn answer(&mut self, body: Vec<u8>) -> Result<Vec<u8>, ServeError> {
        self.reader.push(body, &mut self.sink)?;
        self.finish()
    }

    /// Rows so far.
    pub fn rows(&self) -> usize {
        self.sink.scoring.rows()
    }

    /// Whether the body is at its end.
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// The model that scores.
    pub fn served(&self) -> &ServedModel {
        self.sink.scoring.served()
    }

    /// What was noticed so far, unless the answers say so themselves.
    pub fn warnings(&self) -> Vec<Warning<'_>> {
        if self.tells_rows { Vec::new() } else { self.sink.scoring.warnings() }
    }
}
