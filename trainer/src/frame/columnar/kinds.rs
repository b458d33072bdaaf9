use std::collections::HashSet;

use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, Field, Schema};

use super::super::column::Column;
use super::super::guess::{ColumnLayout, MAX_COLUMNS, position_of, refuse_duplicates, texts_are_varied};
use super::super::{ColumnType, FrameError, ReadOptions, is_na_string};
use super::cells::Cells;

/// What the cells of a column are to a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    Numbers,
    Times,
    Texts,
    /// Texts out of a fixed set.
    Levels,
}

impl Content {
    fn of(file: &str, field: &Field) -> Result<Self, FrameError> {
        Self::of_type(field.data_type()).ok_or_else(|| FrameError::ColumnarType {
            file: file.to_owned(),
            column: field.name().clone(),
            found: spelled(field.data_type()),
        })
    }

    fn of_type(kind: &DataType) -> Option<Self> {
        use DataType as Type;
        Some(match kind {
            Type::Null
            | Type::Boolean
            | Type::Int8
            | Type::Int16
            | Type::Int32
            | Type::Int64
            | Type::UInt8
            | Type::UInt16
            | Type::UInt32
            | Type::UInt64
            | Type::Float16
            | Type::Float32
            | Type::Float64
            | Type::Decimal32(..)
            | Type::Decimal64(..)
            | Type::Decimal128(..)
            | Type::Decimal256(..)
            | Type::Time32(_)
            | Type::Time64(_)
            | Type::Duration(_) => Self::Numbers,
            Type::Date32 | Type::Date64 | Type::Timestamp(..) => Self::Times,
            Type::Utf8
            | Type::LargeUtf8
            | Type::Utf8View
            | Type::Binary
            | Type::LargeBinary
            | Type::BinaryView
            | Type::FixedSizeBinary(_) => Self::Texts,
            Type::Dictionary(_, values) => match Self::of_type(values)? {
                Self::Texts => Self::Levels,
                content => content,
            },
            _ => return None,
        })
    }

    fn name(self) -> &'static str {
        match self {
            Self::Numbers => "numbers",
            Self::Times => "times",
            Self::Texts | Self::Levels => "texts",
        }
    }

    /// Whether the cells may follow each other in one column.
    fn agrees_with(self, other: Self) -> bool {
        self.name() == other.name()
    }

    /// The type of the column while it is filled: texts are read as what is declared, the others converted at the end.
    fn kind(self, declared: Option<ColumnType>, is_varied: bool) -> ColumnType {
        match self {
            Self::Numbers => ColumnType::Numeric,
            Self::Times => ColumnType::Time,
            Self::Levels => declared.unwrap_or(ColumnType::Enum),
            Self::Texts => declared.unwrap_or(if is_varied { ColumnType::String } else { ColumnType::Enum }),
        }
    }
}

/// What is known about the columns of one file, or of several that agree.
pub struct Survey {
    file: String,
    names: Vec<String>,
    contents: Vec<Content>,
    /// For each column how many texts were looked at, and which they are.
    texts: Vec<(usize, HashSet<Box<[u8]>>)>,
    rows: usize,
}

impl Survey {
    pub fn new(file: &str, schema: &Schema) -> Result<Self, FrameError> {
        let found = schema.fields().len();
        if found > MAX_COLUMNS {
            return Err(FrameError::TooManyColumns { file: file.to_owned(), found, limit: MAX_COLUMNS });
        }
        if found == 0 {
            return Err(FrameError::NoColumns { file: file.to_owned() });
        }
        let names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
        refuse_duplicates(&names, file)?;
        let contents = schema.fields().iter().map(|field| Content::of(file, field)).collect::<Result<Vec<_>, _>>()?;
        let texts = vec![(0, HashSet::new()); names.len()];
        Ok(Self { file: file.to_owned(), names, contents, texts, rows: 0 })
    }

    /// Whether types depend on rows that have not been looked at.
    pub fn wants_more(&self) -> bool {
        const LOOKED_AT: usize = 1 << 16;
        self.rows < LOOKED_AT && self.contents.contains(&Content::Texts)
    }

    pub fn look_at(&mut self, batch: &RecordBatch, na_strings: &[String]) {
        self.rows += batch.num_rows();
        let columns = batch.columns().iter().zip(&self.contents).zip(&mut self.texts);
        for ((array, content), (count, distinct)) in columns.filter(|((_, content), _)| **content == Content::Texts) {
            let Cells::Texts(text) = Cells::new(array, *content) else { continue };
            let texts = (0..array.len()).filter_map(text);
            for text in texts.filter(|text| !is_na_string(text, na_strings)) {
                *count += 1;
                if !distinct.contains(text) {
                    distinct.insert(text.into());
                }
            }
        }
    }

    /// Both files as if they were one, under the name of the first.
    pub fn agreed(mut self, other: Self) -> Result<Self, FrameError> {
        let differ = |expected: String, found: String| FrameError::FilesDiffer {
            first: self.file.clone(),
            other: other.file.clone(),
            expected,
            found,
        };
        if self.names.len() != other.names.len() {
            let has = |survey: &Self| format!("has {} columns", survey.names.len());
            return Err(differ(has(&self), has(&other)));
        }
        if let Some((at, (name, other_name))) =
            self.names.iter().zip(&other.names).enumerate().find(|(_, (a, b))| a != b)
        {
            let calls = |name: &str| format!("calls column {} {name:?}", at + 1);
            return Err(differ(calls(name), calls(other_name)));
        }
        let contents = self.contents.iter().zip(&other.contents);
        if let Some((at, (content, other_content))) = contents.enumerate().find(|(_, (a, b))| !a.agrees_with(**b)) {
            let holds = |content: &Content| format!("holds {} in column {:?}", content.name(), self.names[at]);
            return Err(differ(holds(content), holds(other_content)));
        }
        for (content, other) in self.contents.iter_mut().zip(other.contents) {
            if other == Content::Levels {
                *content = other;
            }
        }
        for ((count, distinct), (more, others)) in self.texts.iter_mut().zip(other.texts) {
            *count += more;
            distinct.extend(others);
        }
        Ok(self)
    }

    pub fn file(&self) -> &str {
        &self.file
    }

    pub fn contents(&self) -> &[Content] {
        &self.contents
    }

    /// The columns as they are filled.
    pub fn columns(&self, options: &ReadOptions) -> Result<Vec<ColumnLayout>, FrameError> {
        let declared = self.declarations(options)?;
        let layout = |(at, declared): (usize, Option<ColumnType>)| {
            let (texts, distinct) = &self.texts[at];
            let kind = self.contents[at].kind(declared, texts_are_varied(*texts, distinct.len()));
            let name = self.names[at].clone();
            ColumnLayout { name, kind, is_declared: declared.is_some(), zero_is_missing: false }
        };
        Ok(declared.into_iter().enumerate().map(layout).collect())
    }

    /// The columns with the types that were declared for them.
    pub fn declared(&self, columns: Vec<Column>, options: &ReadOptions) -> Result<Vec<Column>, FrameError> {
        let declared = self.declarations(options)?;
        columns.into_iter().zip(declared).map(|(column, kind)| self.converted(column, kind)).collect()
    }

    fn converted(&self, column: Column, kind: Option<ColumnType>) -> Result<Column, FrameError> {
        let Some(kind) = kind.filter(|kind| *kind != column.kind()) else { return Ok(column) };
        column
            .converted(kind)?
            .ok_or_else(|| FrameError::UuidType { file: self.file.clone(), column: column.name().to_owned() })
    }

    /// For each column the last type that was declared for it.
    fn declarations(&self, options: &ReadOptions) -> Result<Vec<Option<ColumnType>>, FrameError> {
        let mut declared = vec![None; self.names.len()];
        for (name, kind) in &options.known_types {
            if let Some(position) = self.names.iter().position(|n| n == name) {
                declared[position] = Some(*kind);
            }
        }
        for (name, kind) in &options.column_types {
            declared[position_of(name, &self.names, &self.file)?] = Some(*kind);
        }
        Ok(declared)
    }
}

/// A type that is no column of a frame, in words.
fn spelled(kind: &DataType) -> String {
    match kind {
        DataType::List(_)
        | DataType::LargeList(_)
        | DataType::FixedSizeList(..)
        | DataType::ListView(_)
        | DataType::LargeListView(_) => "lists",
        DataType::Struct(_) => "structs",
        DataType::Map(..) => "maps",
        DataType::Union(..) => "unions",
        DataType::Interval(_) => "intervals",
        DataType::RunEndEncoded(..) => "run-end encoded values",
        DataType::Dictionary(_, values) => return format!("dictionaries of {}", spelled(values)),
        other => return format!("values of type {other}"),
    }
    .to_owned()
}
