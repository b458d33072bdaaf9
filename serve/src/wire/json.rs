//! Reads rows from JSON, block by block: no tree of the body is built.

use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::error::Category;

use super::{Sink, Writer};
use crate::error::ServeError;
use crate::service::Value;

/// Scores a body that is an object, which is one row, or an array of objects.
pub(super) fn body<W: Writer>(body: &[u8], sink: &mut Sink<W>) -> Result<(), ServeError> {
    const EXPECTED: &str = "a JSON object (one row) or an array of objects";
    let text = text(body)?;
    match text.trim_ascii_start().chars().next() {
        None => return Err(ServeError::EmptyBody { expected: EXPECTED }),
        Some('{') => sink.writer.expect_one(),
        Some(_) => {}
    }
    rows(text, sink)
}

/// Scores the rows of a text that is an object or an array of them.
pub(crate) fn rows<W: Writer>(text: &str, sink: &mut Sink<W>) -> Result<(), ServeError> {
    let mut reader = Reader { sink, place: Place::Body, refusal: None };
    let mut json = serde_json::Deserializer::from_str(text);
    let read = json.deserialize_any(BodyVisitor(&mut reader)).and_then(|()| json.end());
    read.map_err(|error| reader.refuse(&error))
}

/// The body as text, without the byte order mark that Windows tools put before it.
pub(crate) fn text(body: &[u8]) -> Result<&str, ServeError> {
    let text = std::str::from_utf8(body).map_err(|e| ServeError::NotUtf8 { offset: e.valid_up_to() })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// Sets cells from JSON values, and keeps the refusal behind an error of the JSON reader.
struct Reader<'x, W> {
    sink: &'x mut Sink<W>,
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

impl<W: Writer> Reader<'_, W> {
    /// Starts the next row, if there may be one.
    fn begin_row<E: serde::de::Error>(&mut self) -> Result<(), E> {
        self.place = Place::Row;
        let begun = self.sink.begin_row();
        self.check(begun)
    }

    /// The refusal behind an error of the JSON reader, whose own words are used for nothing but syntax: elsewhere they
    /// quote values.
    fn refuse(self, error: &serde_json::Error) -> ServeError {
        if let Some(refusal) = self.refusal {
            return refusal;
        }
        let row = self.sink.scoring.rows();
        match (error.classify(), self.place) {
            (Category::Data, Place::Body) => ServeError::NotRows,
            (Category::Data, Place::Row) => ServeError::NotAnObject { row },
            (Category::Data, Place::Cell { feature }) => {
                ServeError::NestedValue { row, column: self.sink.scoring.name(feature).to_owned() }
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
struct BodyVisitor<'r, 'x, W>(&'r mut Reader<'x, W>);

impl<'de, W: Writer> Visitor<'de> for BodyVisitor<'_, '_, W> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or an array of objects")
    }

    fn visit_map<A: MapAccess<'de>>(self, cells: A) -> Result<(), A::Error> {
        self.0.begin_row()?;
        RowSeed(self.0).visit_map(cells)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<(), A::Error> {
        while rows.next_element_seed(RowSeed(self.0))?.is_some() {}
        Ok(())
    }
}

/// One row.
struct RowSeed<'r, 'x, W>(&'r mut Reader<'x, W>);

impl<'de, W: Writer> DeserializeSeed<'de> for RowSeed<'_, '_, W> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.0.begin_row()?;
        deserializer.deserialize_map(self)
    }
}

impl<'de, W: Writer> Visitor<'de> for RowSeed<'_, '_, W> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut cells: A) -> Result<(), A::Error> {
        let Self(reader) = self;
        while let Some(column) = cells.next_key_seed(ColumnSeed(reader))? {
            match column {
                Some(feature) => cells.next_value_seed(CellSeed { reader, feature })?,
                None => cells.next_value::<IgnoredAny>().map(drop)?,
            }
        }
        let ended = reader.sink.end_row();
        reader.check(ended)
    }
}

/// The name of a column, as the feature that it is.
struct ColumnSeed<'r, 'x, W>(&'r mut Reader<'x, W>);

impl<'de, W: Writer> DeserializeSeed<'de> for ColumnSeed<'_, '_, W> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<W: Writer> Visitor<'_> for ColumnSeed<'_, '_, W> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a column")
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Self::Value, E> {
        let found = self.0.sink.scoring.column(name);
        self.0.check(found)
    }
}

/// The value of a column.
struct CellSeed<'r, 'x, W> {
    reader: &'r mut Reader<'x, W>,
    feature: usize,
}

impl<W: Writer> CellSeed<'_, '_, W> {
    fn set<E: serde::de::Error>(self, value: Value<'_>) -> Result<(), E> {
        let Self { reader, feature } = self;
        reader.place = Place::Row;
        let set = reader.sink.scoring.set(feature, value);
        reader.check(set)
    }
}

impl<'de, W: Writer> DeserializeSeed<'de> for CellSeed<'_, '_, W> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.reader.place = Place::Cell { feature: self.feature };
        deserializer.deserialize_any(self)
    }
}

impl<W: Writer> Visitor<'_> for CellSeed<'_, '_, W> {
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
