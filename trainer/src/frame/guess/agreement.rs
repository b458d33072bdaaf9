use std::collections::HashSet;

use super::super::error::spelled;
use super::super::{ColumnType, FrameError, ReadOptions};
use super::types::Tally;
use super::{Survey, header};

/// What is settled about a column before it is read.
#[derive(Debug, PartialEq)]
pub(in super::super) struct ColumnLayout {
    pub name: String,
    pub kind: ColumnType,
    /// Whether that is declared rather than guessed.
    pub is_declared: bool,
    /// Whether `0` stands for a missing value, which H2O concludes for some columns of text and zeros.
    pub zero_is_missing: bool,
}

/// One file or several of one table, which have to agree, as if they were one file. As in H2O the types will be guessed
/// from all of them, and one may give names to those that have none.
pub(in super::super) fn agree(surveys: Vec<Survey<'_>>) -> Result<Survey<'_>, FrameError> {
    let mut surveys = surveys.into_iter();
    let first = surveys.next().ok_or(FrameError::NoFile)?;
    surveys.try_fold(first, agreed)
}

impl Survey<'_> {
    /// The names that the file gives to its columns, if it does.
    pub fn names(&self) -> Option<&[String]> {
        self.names.as_deref()
    }

    /// The columns: those that the user or the file declares, the others as they look.
    pub fn columns(self, options: &ReadOptions) -> Result<Vec<ColumnLayout>, FrameError> {
        let names = self.names.unwrap_or_else(|| header::positions(self.width));
        refuse_duplicates(&names, self.file)?;
        let mut declared = self.kinds.map_or(vec![None; names.len()], |kinds| kinds.into_iter().map(Some).collect());
        for (name, kind) in &options.known_types {
            if let Some(position) = names.iter().position(|n| n == name) {
                declared[position] = Some(*kind);
            }
        }
        for (name, kind) in &options.column_types {
            declared[position_of(name, &names, self.file)?] = Some(*kind);
        }
        let guesses = self.tallies.iter().map(Tally::guess);
        let columns = names.into_iter().zip(declared).zip(guesses).map(|((name, declared), guess)| match declared {
            Some(kind) => ColumnLayout { name, kind, is_declared: true, zero_is_missing: false },
            None => ColumnLayout { name, kind: guess.kind, is_declared: false, zero_is_missing: guess.zero_is_missing },
        });
        Ok(columns.collect())
    }
}

/// Both files as if they were one, under the name of the first.
fn agreed<'f>(mut first: Survey<'f>, other: Survey<'f>) -> Result<Survey<'f>, FrameError> {
    let differ = |expected: String, found: String| FrameError::FilesDiffer {
        first: first.file.to_owned(),
        other: other.file.to_owned(),
        expected,
        found,
    };
    if first.layout.format != other.layout.format {
        let is = |survey: &Survey<'_>| format!("is {}", survey.layout.format.name());
        return Err(differ(is(&first), is(&other)));
    }
    if first.layout.dialect != other.layout.dialect && first.width.max(other.width) > 1 {
        let separates =
            |survey: &Survey<'_>| format!("separates cells by {}", spelled(survey.layout.dialect.separator));
        return Err(differ(separates(&first), separates(&other)));
    }
    if first.width != other.width {
        let has = |survey: &Survey<'_>| format!("has {} columns", survey.width);
        return Err(differ(has(&first), has(&other)));
    }
    if let (Some(names), Some(others)) = (&first.names, &other.names)
        && let Some((at, (name, other_name))) = names.iter().zip(others).enumerate().find(|(_, (a, b))| a != b)
    {
        let calls = |name: &str| format!("calls column {} {name:?}", at + 1);
        return Err(differ(calls(name), calls(other_name)));
    }
    if let (Some(kinds), Some(others)) = (&first.kinds, &other.kinds)
        && let Some((at, (kind, other_kind))) = kinds.iter().zip(others).enumerate().find(|(_, (a, b))| a != b)
    {
        let declares = |kind: &ColumnType| format!("declares attribute {} {kind}", at + 1);
        return Err(differ(declares(kind), declares(other_kind)));
    }
    first.names = first.names.or(other.names);
    for (tally, other) in first.tallies.iter_mut().zip(other.tallies) {
        tally.merge(other);
    }
    Ok(first)
}

pub(in super::super) fn refuse_duplicates(names: &[String], file: &str) -> Result<(), FrameError> {
    let mut seen = HashSet::with_capacity(names.len());
    match names.iter().find(|name| !seen.insert(name.as_str())) {
        Some(name) => Err(FrameError::DuplicateColumn { file: file.to_owned(), name: name.clone() }),
        None => Ok(()),
    }
}

/// The column of this name, or at this position if the name is `C` and a number and no column has it.
pub(in super::super) fn position_of(name: &str, names: &[String], file: &str) -> Result<usize, FrameError> {
    let by_name = names.iter().position(|candidate| candidate == name);
    let by_position = || {
        let number: usize = name.strip_prefix('C')?.parse().ok()?;
        number.checked_sub(1).filter(|&position| position < names.len())
    };
    by_name.or_else(by_position).ok_or_else(|| FrameError::UnknownColumn {
        file: file.to_owned(),
        name: name.to_owned(),
        columns: names.to_vec(),
    })
}
