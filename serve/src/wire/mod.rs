//! The formats of rows and of answers, whatever the route: JSON, NDJSON, CSV, Arrow streams and Parquet.
//!
//! An [`Exchange`] takes the bytes of a body as they come, and gives the bytes of the answer. CSV, NDJSON and Arrow are
//! read piece by piece and held nowhere as a whole; JSON and Parquet are read when they are there in full.

mod answers;
mod arrow;
mod cells;
mod csv;
mod elements;
mod exchange;
pub(crate) mod json;
mod ndjson;
mod parquet;
mod reader;
mod sink;
pub(crate) mod table;

pub(crate) use self::answers::AnswerJson;
pub(crate) use self::elements::{Element, elements};
pub(crate) use self::exchange::Exchange;
pub(crate) use self::reader::Reader;
pub(crate) use self::sink::{Sink, Writer};

use axum::http::HeaderMap;
use axum::http::header::{ACCEPT, CONTENT_TYPE};

use crate::error::ServeError;

/// How rows or answers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Json,
    NdJson,
    Csv,
    Arrow,
    Parquet,
}

impl Format {
    const ALL: [Self; 5] = [Self::Json, Self::NdJson, Self::Csv, Self::Arrow, Self::Parquet];

    const NAMES: &'static str = "application/json, application/x-ndjson, text/csv, \
                                 application/vnd.apache.arrow.stream or application/vnd.apache.parquet";

    /// The content type that we send.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::NdJson => "application/x-ndjson",
            Self::Csv => "text/csv; charset=utf-8",
            Self::Arrow => "application/vnd.apache.arrow.stream",
            Self::Parquet => "application/vnd.apache.parquet",
        }
    }

    /// Whether it is read piece by piece.
    pub fn is_streamed(self) -> bool {
        matches!(self, Self::NdJson | Self::Csv | Self::Arrow)
    }

    /// The format of a body. What says nothing, or what curl says by itself, is JSON.
    pub fn of_body(headers: &HeaderMap) -> Result<Self, ServeError> {
        let Some(given) = headers.get(CONTENT_TYPE) else { return Ok(Self::Json) };
        if given == "application/json" {
            return Ok(Self::Json);
        }
        let given = String::from_utf8_lossy(given.as_bytes());
        let unknown = || ServeError::ContentType { given: given.clone().into_owned(), expected: Self::NAMES };
        Self::of_media_type(&given).ok_or_else(unknown)
    }

    fn of_media_type(given: &str) -> Option<Self> {
        let essence = given.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        Some(match essence.as_str() {
            "" | "application/json" | "text/json" | "text/plain" | "application/x-www-form-urlencoded" => Self::Json,
            "application/x-ndjson"
            | "application/ndjson"
            | "application/jsonl"
            | "application/jsonlines"
            | "application/x-jsonlines" => Self::NdJson,
            "text/csv" | "application/csv" => Self::Csv,
            "application/vnd.apache.arrow.stream" => Self::Arrow,
            "application/vnd.apache.parquet" | "application/x-parquet" | "application/parquet" => Self::Parquet,
            other if other.ends_with("+json") => Self::Json,
            _ => return None,
        })
    }

    /// The format of the answer to a body of this one: the first that the client accepts and we have.
    pub fn of_answer(self, headers: &HeaderMap) -> Result<Self, ServeError> {
        let Some(accept) = headers.get(ACCEPT).filter(|accept| *accept != "*/*") else { return Ok(self) };
        let accept = String::from_utf8_lossy(accept.as_bytes());
        let mut ranges: Vec<(&str, f32)> = accept.split(',').map(range).filter(|(_, quality)| *quality > 0.0).collect();
        // Among equals the order stays.
        ranges.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        let found = ranges.into_iter().find_map(|(range, _)| match range.split_once('/') {
            Some(("*", "*")) => Some(self),
            Some((kind, "*")) => {
                [self].into_iter().chain(Self::ALL).find(|format| format.media_type().split('/').next() == Some(kind))
            }
            _ => Self::of_media_type(range),
        });
        found.ok_or_else(|| ServeError::NotAcceptable { given: accept.into_owned(), available: Self::NAMES })
    }
}

/// One part of an `Accept` header, with its quality.
fn range(part: &str) -> (&str, f32) {
    let mut parameters = part.split(';');
    let range = parameters.next().unwrap_or_default().trim();
    let quality = parameters.find_map(|parameter| parameter.trim().strip_prefix("q=")?.parse().ok());
    (range, quality.unwrap_or(1.0))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn answer(accept: &'static str) -> Option<Format> {
        let headers = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static(accept))]);
        Format::Csv.of_answer(&headers).ok()
    }

    #[test]
    fn the_best_format_that_is_accepted_is_answered_with() {
        assert_eq!(Format::Csv.of_answer(&HeaderMap::new()), Ok(Format::Csv));
        assert_eq!(answer("*/*"), Some(Format::Csv));
        assert_eq!(answer("application/json"), Some(Format::Json));
        assert_eq!(
            answer("text/html, application/x-ndjson;q=0.5, application/vnd.apache.parquet"),
            Some(Format::Parquet)
        );
        assert_eq!(answer("application/*"), Some(Format::Json));
        assert_eq!(answer("text/*, application/json"), Some(Format::Csv));
        assert_eq!(answer("application/json;q=0, */*;q=0.1"), Some(Format::Csv));
        assert_eq!(answer("image/png"), None);
        assert_eq!(answer("application/json;q=0"), None);
    }
}
