//! A body in one of the formats, as it arrives.

use super::arrow::Arrow;
use super::csv::Csv;
use super::ndjson::NdJson;
use super::{Format, Sink, Writer, json, parquet};
use crate::error::ServeError;

/// Reads the rows of a body.
pub(crate) struct Reader(Body);

enum Body {
    /// Read when it is there in full.
    Json(Vec<u8>),
    Parquet(Vec<u8>),
    NdJson(NdJson),
    Csv(Box<Csv>),
    Arrow(Box<Arrow>),
}

impl Reader {
    /// A reader of bodies in a format, no part of which may be longer than so many bytes.
    pub fn new(format: Format, longest: usize) -> Self {
        Self(match format {
            Format::Json => Body::Json(Vec::new()),
            Format::Parquet => Body::Parquet(Vec::new()),
            Format::NdJson => Body::NdJson(NdJson::new(longest)),
            Format::Csv => Body::Csv(Box::new(Csv::new(longest))),
            Format::Arrow => Body::Arrow(Box::new(Arrow::new(longest))),
        })
    }

    /// Takes the next bytes of the body.
    pub fn push<W: Writer>(&mut self, bytes: Vec<u8>, sink: &mut Sink<W>) -> Result<(), ServeError> {
        match &mut self.0 {
            Body::Json(whole) | Body::Parquet(whole) if whole.is_empty() => *whole = bytes,
            Body::Json(whole) | Body::Parquet(whole) => whole.extend(bytes),
            Body::NdJson(lines) => lines.push(&bytes, sink)?,
            Body::Csv(table) => table.push(&bytes, sink)?,
            Body::Arrow(stream) => stream.push(&bytes, sink)?,
        }
        Ok(())
    }

    /// The body is at its end.
    pub fn finish<W: Writer>(&mut self, sink: &mut Sink<W>) -> Result<(), ServeError> {
        match &mut self.0 {
            Body::Json(whole) => json::body(whole, sink),
            Body::Parquet(whole) => parquet::body(std::mem::take(whole), sink),
            Body::NdJson(lines) => lines.finish(sink),
            Body::Csv(table) => table.finish(sink),
            Body::Arrow(stream) => stream.finish(sink),
        }
    }
}
