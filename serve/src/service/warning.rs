//! What was noticed while rows were scored. They have their answers all the same.

use model::Remark;
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::registry::ServedModel;

/// A kind of thing that was noticed, and where. It names columns, never a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning<'a> {
    /// What was noticed.
    pub kind: WarningKind,
    /// How often: in how many columns of a row, or in how many cells of a request.
    pub count: usize,
    /// The first columns, [`Warning::MAX_COLUMNS`] at most: a row that lacks thousands still has a short answer.
    pub columns: Vec<&'a str>,
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
    /// Every kind.
    pub const ALL: [Self; 6] = [
        Self::UnseenLevel,
        Self::InvalidNumber,
        Self::NumberForLevel,
        Self::AbsentColumn,
        Self::UnknownColumn,
        Self::NonFiniteOutput,
    ];

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

/// A column that a warning is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Column {
    Feature(usize),
    /// A number of the answer.
    Output(usize),
    /// One that the model does not have.
    Other(String),
}

/// A warning as it is kept.
#[derive(Debug, Clone)]
pub(super) struct Note {
    /// Of which row.
    row: usize,
    kind: WarningKind,
    count: usize,
    columns: Vec<Column>,
}

/// What was noticed, row by row.
#[derive(Debug, Default)]
pub(super) struct Notes(Vec<Note>);

impl Notes {
    pub fn clear(&mut self) {
        self.0.clear();
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Notes something of a row, whose earlier notes stand last. `column` is asked for only where it will be kept.
    pub fn note(&mut self, row: usize, kind: WarningKind, column: impl FnOnce() -> Column) {
        let of_row = self.0.iter().rposition(|note| note.row != row).map_or(0, |last| last + 1);
        let known = self.0[of_row..].iter().position(|note| note.kind == kind);
        let at = known.map_or(self.0.len(), |found| of_row + found);
        if known.is_none() {
            self.0.push(Note { row, kind, count: 0, columns: Vec::new() });
        }
        self.0[at].add(1, [column]);
    }

    /// Puts what was noticed column by column in the order of the rows.
    pub fn sort(&mut self) {
        self.0.sort_by_key(|note| note.row);
    }

    /// Notes something of a row, in whatever order: [`sort`](Self::sort) follows.
    pub fn push(&mut self, row: usize, kind: WarningKind, column: Column) {
        self.0.push(Note { row, kind, count: 1, columns: vec![column] });
    }

    /// Those of one row.
    pub fn of_row(&self, row: usize) -> &[Note] {
        let start = self.0.partition_point(|note| note.row < row);
        let length = self.0[start..].partition_point(|note| note.row == row);
        &self.0[start..start + length]
    }

    /// How often each kind was noticed.
    pub fn counts(&self) -> impl Iterator<Item = (WarningKind, usize)> {
        self.0.iter().map(|note| (note.kind, note.count))
    }
}

impl Note {
    fn add<F: FnOnce() -> Column>(&mut self, count: usize, columns: impl IntoIterator<Item = F>) {
        self.count += count;
        let room = Warning::MAX_COLUMNS - self.columns.len();
        self.columns.extend(columns.into_iter().take(room).map(|column| column()));
    }
}

/// One warning for each kind, in the order in which they were noticed.
pub(super) fn by_kind<'a>(notes: impl Iterator<Item = &'a Note>, served: &'a ServedModel) -> Vec<Warning<'a>> {
    let mut warnings: Vec<Warning<'a>> = Vec::new();
    for note in notes {
        let at = warnings.iter().position(|warning| warning.kind == note.kind).unwrap_or_else(|| {
            warnings.push(Warning { kind: note.kind, count: 0, columns: Vec::new() });
            warnings.len() - 1
        });
        let warning = &mut warnings[at];
        warning.count += note.count;
        for column in &note.columns {
            let name = column.name(served);
            if warning.columns.len() < Warning::MAX_COLUMNS && !warning.columns.contains(&name) {
                warning.columns.push(name);
            }
        }
    }
    warnings
}

impl Column {
    fn name<'a>(&'a self, served: &'a ServedModel) -> &'a str {
        match self {
            Self::Feature(feature) => &served.model().schema.features()[*feature].name,
            Self::Output(output) => served.names().get(*output).map_or("predict", String::as_str),
            Self::Other(name) => name,
        }
    }
}

/// What was noticed in a whole request, however many rows it has.
#[derive(Debug, Default)]
pub(super) struct Summary(Vec<Note>);

impl Summary {
    /// Adds the notes of a block of rows.
    pub fn add(&mut self, notes: &Notes) {
        for note in &notes.0 {
            let at = self.0.iter().position(|known| known.kind == note.kind).unwrap_or_else(|| {
                self.0.push(Note { row: 0, kind: note.kind, count: 0, columns: Vec::new() });
                self.0.len() - 1
            });
            let known = &mut self.0[at];
            let new: Vec<Column> =
                note.columns.iter().filter(|column| !known.columns.contains(column)).cloned().collect();
            known.add(note.count, new.into_iter().map(|column| move || column));
        }
    }

    pub fn warnings<'a>(&'a self, served: &'a ServedModel) -> Vec<Warning<'a>> {
        by_kind(self.0.iter(), served)
    }
}
