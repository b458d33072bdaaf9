//! What was noticed while a row was scored. The row has its answer all the same.

use std::borrow::Cow;

use model::Remark;
use serde::ser::{Serialize, SerializeStruct, Serializer};

/// A kind of thing that was noticed, and where. It names columns, never a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning<'a> {
    /// What was noticed.
    pub kind: WarningKind,
    /// In how many columns.
    pub count: usize,
    /// The first of them, [`Warning::MAX_COLUMNS`] at most: a row that lacks thousands still has a short answer.
    pub columns: Vec<Cow<'a, str>>,
}

/// What can be noticed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WarningKind {
    /// The value is none of the column's levels.
    UnseenLevel,
    /// The text in a numeric column is no number.
    InvalidNumber,
    /// The value of a categorical column is a number.
    NumberForLevel,
    /// The row does not have the column. (A column that is null is no cause for a warning.)
    AbsentColumn,
    /// The model does not have the column.
    UnknownColumn,
    /// The answer, not the row, has this column, and it is infinite or not a number.
    NonFiniteOutput,
}

impl Warning<'_> {
    /// Columns that a warning names.
    pub const MAX_COLUMNS: usize = 5;
}

impl WarningKind {
    /// Its name, for programs.
    pub fn code(self) -> &'static str {
        match self {
            Self::UnseenLevel => "unseen_level",
            Self::InvalidNumber => "invalid_number",
            Self::NumberForLevel => "number_for_level",
            Self::AbsentColumn => "absent_column",
            Self::UnknownColumn => "unknown_column",
            Self::NonFiniteOutput => "non_finite_output",
        }
    }

    /// What it means, for people.
    pub fn message(self) -> &'static str {
        match self {
            Self::UnseenLevel => "not a level of the column, scored as missing",
            Self::InvalidNumber => "not a number, scored as missing",
            Self::NumberForLevel => "a number in a categorical column, read as the level of that text",
            Self::AbsentColumn => "not in the row, scored as missing",
            Self::UnknownColumn => "not a column of the model, ignored",
            Self::NonFiniteOutput => "infinite or not a number, given as null",
        }
    }
}

impl From<Remark> for WarningKind {
    fn from(remark: Remark) -> Self {
        match remark {
            Remark::UnseenLevel => Self::UnseenLevel,
            Remark::InvalidNumber => Self::InvalidNumber,
            Remark::NumberForLevel => Self::NumberForLevel,
        }
    }
}

/// The warnings for one row, one for each kind.
#[derive(Debug, Default)]
pub(crate) struct Warnings<'a>(Vec<Warning<'a>>);

impl<'a> Warnings<'a> {
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// `column` is asked for only where it will be kept.
    pub(crate) fn note(&mut self, kind: WarningKind, column: impl FnOnce() -> Cow<'a, str>) {
        let known = self.0.iter().position(|warning| warning.kind == kind);
        let at = known.unwrap_or_else(|| {
            self.0.push(Warning { kind, count: 0, columns: Vec::new() });
            self.0.len() - 1
        });
        let warning = &mut self.0[at];
        warning.count += 1;
        if warning.columns.len() < Warning::MAX_COLUMNS {
            warning.columns.push(column());
        }
    }

    pub(crate) fn as_slice(&self) -> &[Warning<'a>] {
        &self.0
    }
}

/// `{"code": "unseen_level", "columns": ["state"], "count": 1, "message": "…"}`
impl Serialize for Warning<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Warning", 4)?;
        fields.serialize_field("code", self.kind.code())?;
        fields.serialize_field("columns", &self.columns)?;
        fields.serialize_field("count", &self.count)?;
        fields.serialize_field("message", self.kind.message())?;
        fields.end()
    }
}
