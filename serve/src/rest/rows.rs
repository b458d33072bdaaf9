//! Reads rows from JSON, and writes the answer of each as soon as the row is read: no tree of the body is built, and the
//! cells of one row are all that is kept of it.

use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::error::Category;

use super::answer::AnswerJson;
use crate::error::ServeError;
use crate::limits::Limits;
use crate::registry::ServedModel;
use crate::service::{RowScorer, Value};

/// The JSON answer to a JSON body.
pub(super) fn score(served: &ServedModel, body: &[u8], limits: &Limits) -> Result<Vec<u8>, ServeError> {
    let text = std::str::from_utf8(body).map_err(|e| ServeError::NotUtf8 { offset: e.valid_up_to() })?;
    // Windows tools put a byte order mark before it.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim_start().is_empty() {
        return Err(ServeError::EmptyBody);
    }
    let mut exchange = Exchange {
        scorer: RowScorer::new(served),
        answers: Vec::with_capacity(256),
        limits,
        place: Place::Body,
        refusal: None,
    };
    let mut json = serde_json::Deserializer::from_str(text);
    let read = json.deserialize_any(BodyVisitor(&mut exchange)).and_then(|()| json.end());
    match read {
        Ok(()) => Ok(exchange.answers),
        Err(error) => Err(exchange.refuse(&error)),
    }
}

struct Exchange<'a> {
    scorer: RowScorer<'a>,
    answers: Vec<u8>,
    limits: &'a Limits,
    place: Place,
    /// What serde's error, which can only hold a text, stands for.
    refusal: Option<ServeError>,
}

/// Where the reader is. It names the fault when a value is of a kind that cannot stand there.
#[derive(Clone, Copy)]
enum Place {
    Body,
    Row,
    Cell { feature: usize },
}

impl Exchange<'_> {
    /// Starts the next row, if there may be one.
    fn begin_row<E: serde::de::Error>(&mut self) -> Result<(), E> {
        self.place = Place::Row;
        let limit = self.limits.rows;
        if self.scorer.rows() == limit {
            return self.check(Err(ServeError::TooManyRows { limit }));
        }
        self.scorer.begin_row();
        Ok(())
    }

    /// Scores the row that has been read.
    fn answer(&mut self) -> Result<(), ServeError> {
        let answer = AnswerJson(self.scorer.finish_row());
        serde_json::to_writer(&mut self.answers, &answer).map_err(|_| ServeError::Internal)?;
        let limit = self.limits.answer_bytes;
        if self.answers.len() > limit { Err(ServeError::AnswerTooLong { limit }) } else { Ok(()) }
    }

    /// The refusal behind an error of the JSON reader, whose own words are used for nothing but syntax: elsewhere they
    /// quote values.
    fn refuse(self, error: &serde_json::Error) -> ServeError {
        if let Some(refusal) = self.refusal {
            return refusal;
        }
        let row = self.scorer.rows();
        match (error.classify(), self.place) {
            (Category::Data, Place::Body) => ServeError::NotRows,
            (Category::Data, Place::Row) => ServeError::NotAnObject { row },
            (Category::Data, Place::Cell { feature }) => {
                ServeError::NestedValue { row, column: self.scorer.name(feature).to_owned() }
            }
            _ => ServeError::NotJson { problem: error.to_string() },
        }
    }

    /// Keeps the refusal, and stops serde.
    fn check<T, E: serde::de::Error>(&mut self, outcome: Result<T, ServeError>) -> Result<T, E> {
        outcome.map_err(|refusal| {
            self.refusal = Some(refusal);
            E::custom("refused")
        })
    }
}

/// One row, or an array of rows.
struct BodyVisitor<'x, 'a>(&'x mut Exchange<'a>);

impl<'de> Visitor<'de> for BodyVisitor<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or an array of objects")
    }

    fn visit_map<A: MapAccess<'de>>(self, cells: A) -> Result<(), A::Error> {
        self.0.begin_row()?;
        RowSeed(self.0).visit_map(cells)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<(), A::Error> {
        let Self(exchange) = self;
        exchange.answers.push(b'[');
        while rows.next_element_seed(RowSeed(exchange))?.is_some() {
            exchange.answers.push(b',');
        }
        // The comma after the last row.
        if exchange.scorer.rows() > 0 {
            exchange.answers.pop();
        }
        exchange.answers.push(b']');
        Ok(())
    }
}

/// One row.
struct RowSeed<'x, 'a>(&'x mut Exchange<'a>);

impl<'de> DeserializeSeed<'de> for RowSeed<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.0.begin_row()?;
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for RowSeed<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut cells: A) -> Result<(), A::Error> {
        let Self(exchange) = self;
        while let Some(column) = cells.next_key_seed(ColumnSeed(&mut exchange.scorer))? {
            match column {
                Some(feature) => cells.next_value_seed(CellSeed { exchange, feature })?,
                None => cells.next_value::<IgnoredAny>().map(drop)?,
            }
        }
        let answered = exchange.answer();
        exchange.check(answered)
    }
}

/// The name of a column, as the feature that it is.
struct ColumnSeed<'x, 'a>(&'x mut RowScorer<'a>);

impl<'de> DeserializeSeed<'de> for ColumnSeed<'_, '_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for ColumnSeed<'_, '_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a column")
    }

    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        Ok(self.0.column(name))
    }
}

/// The value of a column.
struct CellSeed<'x, 'a> {
    exchange: &'x mut Exchange<'a>,
    feature: usize,
}

impl CellSeed<'_, '_> {
    fn set<E: serde::de::Error>(self, value: Value<'_>) -> Result<(), E> {
        let Self { exchange, feature } = self;
        exchange.place = Place::Row;
        let set = exchange.scorer.set(feature, value);
        exchange.check(set)
    }
}

impl<'de> DeserializeSeed<'de> for CellSeed<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.exchange.place = Place::Cell { feature: self.feature };
        deserializer.deserialize_any(self)
    }
}

impl Visitor<'_> for CellSeed<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, a text, a boolean or null")
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<(), E> {
        self.set(Value::Missing)
    }

    fn visit_bool<E: serde::de::Error>(self, value: bool) -> Result<(), E> {
        self.set(Value::Bool(value))
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<(), E> {
        self.set(Value::Integer(value.into()))
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<(), E> {
        self.set(Value::Integer(value.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<(), E> {
        self.set(Value::Number(value))
    }

    fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<(), E> {
        self.set(Value::Text(value))
    }
}
