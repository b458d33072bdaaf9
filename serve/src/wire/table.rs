//! Tables in JSON: rows as lists under the names of their columns, and columns as lists.

use std::borrow::Cow;
use std::fmt;

use serde::Deserializer;
use serde::de::{MapAccess, Visitor};
use serde_json::error::Category;
use serde_json::value::RawValue;

use super::elements::elements;
use super::{Sink, Writer};
use crate::error::ServeError;

/// Scores a list of lists, whose cells are in the order of these names.
pub(crate) fn rows<'n, W: Writer>(
    names: impl Iterator<Item = &'n str>,
    text: &str,
    sink: &mut Sink<W>,
) -> Result<(), ServeError> {
    let places = sink.scoring.bind(names)?;
    let rows: Vec<&RawValue> = read(text, "data: expected a list of lists")?;
    for row in rows {
        let number = sink.scoring.rows() + 1;
        let not_a_list = || invalid(format!("row {number}: expected a list of numbers, texts, booleans or null"));
        let cells: Vec<&RawValue> = serde_json::from_str(row.get()).map_err(|_| not_a_list())?;
        if cells.len() != places.len() {
            return Err(ServeError::WrongWidth { row: number, expected: places.len(), found: cells.len() });
        }
        let cells = elements(row.get(), 1).filter(|values| values.len() == places.len()).ok_or_else(not_a_list)?;
        sink.begin_row()?;
        for (place, cell) in places.iter().zip(&cells) {
            if let Some(feature) = *place {
                sink.scoring.set(feature, cell.value())?;
            }
        }
        sink.end_table_row()?;
    }
    Ok(())
}

/// Scores an object of lists, each a column.
pub(crate) fn columns<W: Writer>(text: &str, sink: &mut Sink<W>) -> Result<(), ServeError> {
    let mut json = serde_json::Deserializer::from_str(text);
    let columns = json.deserialize_map(Pairs).map_err(|error| not_json(&error, "expected an object of lists"))?;
    let places = sink.scoring.bind(columns.iter().map(|(name, _)| &**name))?;
    let mut values = Vec::with_capacity(columns.len());
    for ((name, list), place) in columns.iter().zip(places) {
        let not_a_list = || invalid(format!("column `{name}`: expected a list of numbers, texts, booleans or null"));
        values.push((name, place, elements(list.get(), 2).ok_or_else(not_a_list)?));
    }
    let rows = values.first().map_or(0, |(_, _, values)| values.len());
    if let Some((name, _, found)) = values.iter().find(|(_, _, values)| values.len() != rows) {
        return Err(invalid(format!("column `{name}`: expected {rows} values as in the first, found {}", found.len())));
    }
    sink.block(rows, |scoring, start, rows| {
        for (_, place, values) in &values {
            if let Some(feature) = *place {
                scoring.cells(feature, values[start..start + rows].iter().map(|value| value.value()))?;
            }
        }
        Ok(())
    })
}

/// The entries of an object, in their order.
struct Pairs;

impl<'de> Visitor<'de> for Pairs {
    type Value = Vec<(Cow<'de, str>, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = entries.next_entry()? {
            pairs.push(pair);
        }
        Ok(pairs)
    }
}

fn read<'a, T: serde::Deserialize<'a>>(text: &'a str, expected: &str) -> Result<T, ServeError> {
    serde_json::from_str(text).map_err(|error| not_json(&error, expected))
}

fn not_json(error: &serde_json::Error, expected: &str) -> ServeError {
    match error.classify() {
        // Its words quote values.
        Category::Data => invalid(expected.to_owned()),
        _ => ServeError::NotJson { problem: error.to_string() },
    }
}

fn invalid(problem: String) -> ServeError {
    ServeError::InvalidRequest { problem }
}
