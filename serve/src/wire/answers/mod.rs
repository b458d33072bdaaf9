//! Answers, in each format.

mod columns;
mod csv;
mod json;

use self::columns::ColumnAnswers;
use self::csv::{write_csv, write_csv_header};
pub(crate) use self::json::AnswerJson;
use self::json::{write_json, write_json_list, write_ndjson};
use super::{Format, Writer};
use crate::error::ServeError;
use crate::registry::ServedModel;
use crate::service::{Predictions, Scoring};

/// Writes answers in one of the formats.
pub(crate) enum FormatWriter {
    /// A JSON object for the one row.
    One,
    /// A JSON array.
    Many {
        is_first: bool,
    },
    NdJson,
    Csv,
    Columns(Box<ColumnAnswers>),
}

impl FormatWriter {
    pub fn new(format: Format, scoring: &Scoring) -> Self {
        match format {
            Format::Json => Self::Many { is_first: true },
            Format::NdJson => Self::NdJson,
            Format::Csv => Self::Csv,
            Format::Arrow => Self::Columns(Box::new(ColumnAnswers::arrow(scoring.served()))),
            Format::Parquet => Self::Columns(Box::new(ColumnAnswers::parquet(scoring.served()))),
        }
    }
}

impl Writer for FormatWriter {
    fn start(&mut self, served: &ServedModel, out: &mut Vec<u8>) -> Result<(), ServeError> {
        match self {
            Self::Csv => write_csv_header(served, out),
            Self::Columns(columns) => columns.start(out)?,
            Self::One | Self::Many { .. } | Self::NdJson => {}
        }
        Ok(())
    }

    fn expect_one(&mut self) {
        if matches!(self, Self::Many { .. }) {
            *self = Self::One;
        }
    }

    fn write(&mut self, predictions: Predictions<'_>, out: &mut Vec<u8>) -> Result<(), ServeError> {
        match self {
            Self::One => write_json(predictions, out),
            Self::Many { is_first } => write_json_list(predictions, is_first, out),
            Self::NdJson => write_ndjson(predictions, out),
            Self::Columns(columns) => columns.write(predictions, out),
            Self::Csv => {
                write_csv(predictions, out);
                Ok(())
            }
        }
    }

    fn finish(&mut self, out: &mut Vec<u8>) -> Result<(), ServeError> {
        match self {
            Self::Many { is_first: true } => out.extend_from_slice(b"[]"),
            Self::Many { is_first: false } => out.push(b']'),
            Self::Columns(columns) => columns.finish(out)?,
            Self::One | Self::NdJson | Self::Csv => {}
        }
        Ok(())
    }
}
