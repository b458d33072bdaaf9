//! A body as it arrives, and the answer as it is made.

use super::arrow::Arrow;
use super::csv::Csv;
use super::ndjson::NdJson;
use super::answers::FormatWriter;
use super::{Format, Sink, json, parquet};
use crate::error::ServeError;
use crate::limits::Limits;
use crate::registry::ServedModel;
use crate::service::{Scoring, Warning};

/// Reads rows in one format and answers in another.
pub(crate) struct Exchange {
    body: Body,
    sink: Sink<FormatWriter>,
    /// How long a part may be that cannot be read piece by piece.
    longest: usize,
    finished: bool,
    /// Whether what was noticed is in the answer already, row by row.
    tells_rows: bool,
}

enum Body {
    /// Read when it is there in full.
    Json(Vec<u8>),
    Parquet(Vec<u8>),
    NdJson(NdJson),
    Csv(Box<Csv>),
    Arrow(Box<Arrow>),
}

impl Exchange {
    pub fn new(scoring: Scoring, from: Format, to: Format, limits: &Limits) -> Result<Self, ServeError> {
        let writer = FormatWriter::new(to, &scoring);
        let body = match from {
            Format::Json => Body::Json(Vec::new()),
            Format::Parquet => Body::Parquet(Vec::new()),
            Format::NdJson => Body::NdJson(NdJson::default()),
            Format::Csv => Body::Csv(Box::new(Csv::new())),
            Format::Arrow => Body::Arrow(Box::default()),
        };
        let mut sink = Sink::new(scoring, writer, limits);
        if from.is_streamed() {
            sink.start()?;
        }
        let is_json = |format| matches!(format, Format::Json | Format::NdJson);
        let tells_rows = is_json(from) && is_json(to);
        Ok(Self { body, sink, longest: limits.body_bytes, finished: false, tells_rows })
    }

    /// Takes the next bytes of the body, and gives those of the answer that are ready.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<u8>, ServeError> {
        let Self { body, sink, longest, .. } = self;
        match body {
            Body::Json(whole) | Body::Parquet(whole) => whole.extend_from_slice(bytes),
            Body::NdJson(lines) => lines.push(bytes, sink, *longest)?,
            Body::Csv(table) => table.push(bytes, sink, *longest)?,
            Body::Arrow(stream) => stream.push(bytes, sink, *longest)?,
        }
        Ok(sink.take())
    }

    /// The body is at its end: the rest of the answer.
    pub fn finish(&mut self) -> Result<Vec<u8>, ServeError> {
        let Self { body, sink, longest, .. } = self;
        self.finished = true;
        match body {
            Body::Json(whole) => json::score(whole, sink)?,
            Body::Parquet(whole) => parquet::score(std::mem::take(whole), sink)?,
            Body::NdJson(lines) => {
                lines.finish(sink)?;
                sink.finish()?;
            }
            Body::Csv(table) => {
                table.finish(sink, *longest)?;
                sink.finish()?;
            }
            Body::Arrow(stream) => {
                stream.finish(sink)?;
                sink.finish()?;
            }
        }
        Ok(sink.take())
    }

    /// Takes the whole body, which is the usual case.
    pub fn answer(&mut self, bytes: Vec<u8>) -> Result<Vec<u8>, ServeError> {
        match &mut self.body {
            Body::Json(whole) | Body::Parquet(whole) => {
                *whole = bytes;
                self.finish()
            }
            _ => {
                let mut answer = self.push(&bytes)?;
                answer.append(&mut self.finish()?);
                Ok(answer)
            }
        }
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
