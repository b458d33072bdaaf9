//! What `model.ini` cannot carry: it escapes nothing.

use std::collections::HashSet;

use model::Schema;

use super::error::WriteError;
use super::layout::{key, section};
use super::values::{is_guessed_as_value, trim};
use crate::artifact::ArtifactInfo;

/// The lines of `[columns]`: features, then weights, offset and fold, the response last.
pub(super) fn columns(schema: &Schema) -> Vec<&str> {
    let special = schema.special();
    let mut names: Vec<&str> = schema.features().iter().map(|feature| feature.name.as_str()).collect();
    names.extend([&special.weights, &special.offset, &special.fold].into_iter().flatten().map(String::as_str));
    names.extend(schema.response().map(|response| response.name.as_str()));
    names
}

/// Checks that the names come back from their lines as they went in.
pub(super) fn check_columns(schema: &Schema) -> Result<(), WriteError> {
    let mut seen = HashSet::new();
    for column in columns(schema) {
        if let Some(reason) = column_problem(column) {
            return Err(WriteError::ColumnName { column: column.to_owned(), reason });
        }
        if !seen.insert(column) {
            return Err(WriteError::DuplicateColumn { column: column.to_owned() });
        }
    }
    let special = schema.special();
    for (what, column) in [(key::OFFSET_COLUMN, &special.offset), (key::FOLD_COLUMN, &special.fold)] {
        if let Some(column) = column {
            check_value(what, column)?;
        }
    }
    Ok(())
}

/// Checks that the texts about the model come back from their lines as they went in.
pub(super) fn check_info(info: &ArtifactInfo) -> Result<(), WriteError> {
    check_value(key::H2O_VERSION, &info.h2o_version)?;
    check_line(key::UUID, &info.uuid)?;
    check_line(key::TIMESTAMP, &info.timestamp)
}

fn column_problem(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        Some("is empty")
    } else if name.contains(['\n', '\r']) {
        Some("contains a line end")
    } else if trim(name) != name {
        Some("begins or ends with a blank or a control character")
    } else if name.starts_with('#') {
        Some("begins with `#`, as comments do")
    } else if section::ALL.contains(&name) {
        Some("is the header of a section of `model.ini`")
    } else {
        None
    }
}

fn check_line(what: &'static str, text: &str) -> Result<(), WriteError> {
    let reason = if text.contains(['\n', '\r']) {
        "contains a line end"
    } else if trim(text) != text || text.is_empty() {
        "is empty, or begins or ends with a blank"
    } else {
        return Ok(());
    };
    Err(WriteError::Text { what, text: text.to_owned(), reason })
}

/// A text that H2O's reader would take for a number, it would refuse.
fn check_value(what: &'static str, text: &str) -> Result<(), WriteError> {
    check_line(what, text)?;
    if is_guessed_as_value(text) {
        let reason = "looks like a number, a list, `null`, `true` or `false`";
        return Err(WriteError::Text { what, text: text.to_owned(), reason });
    }
    Ok(())
}
