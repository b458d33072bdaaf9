//! What a cell means: the same in every protocol.

use model::{Cell, Encoding, Feature, Remark};

/// One value of a row, as protocols have it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value<'a> {
    /// Null.
    Missing,
    /// A boolean.
    Bool(bool),
    /// A whole number, kept whole: as the name of a level every digit counts.
    Integer(i128),
    /// Any other number; NaN is missing.
    Number(f64),
    /// A text.
    Text(&'a str),
}

impl Value<'_> {
    /// Whether the value is of the column's own type, or missing.
    pub(super) fn has_type_of(self, column: &Feature) -> bool {
        match self {
            Self::Missing => true,
            Self::Number(value) => value.is_nan() || column.domain.is_none(),
            Self::Integer(_) => column.domain.is_none(),
            Self::Text(_) => column.domain.is_some(),
            Self::Bool(_) => false,
        }
    }

    /// The raw value in this column.
    pub(super) fn read(self, column: &Feature, encoding: &Encoding) -> (f64, Option<Remark>) {
        let raw_value = |cell: Cell<'_>| encoding.raw_value(column, cell);
        let categorical = column.domain.is_some();
        match self {
            Self::Missing => raw_value(Cell::Missing),
            Self::Number(value) if value.is_nan() => raw_value(Cell::Missing),
            Self::Number(value) => raw_value(Cell::Number(value)),
            Self::Text(text) => raw_value(Cell::Text(text)),
            Self::Bool(value) if categorical => raw_value(Cell::Text(if value { "true" } else { "false" })),
            Self::Bool(value) => raw_value(Cell::Number(f64::from(value))),
            Self::Integer(value) if categorical => {
                let (raw, remark) = raw_value(Cell::Text(&value.to_string()));
                (raw, remark.or(Some(Remark::NumberForLevel)))
            }
            Self::Integer(value) => raw_value(Cell::Number(value as f64)),
        }
    }
}
