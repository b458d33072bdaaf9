//! What `model.ini` cannot carry: it escapes nothing.

use std::collections::HashSet;

use model::{Domain, Encoding, Feature, Model};

use super::error::WriteError;
use super::layout::{key, section};
use super::values::{is_guessed_as_value, trim};
use crate::artifact::ArtifactInfo;

/// The lines of `[columns]`, for these features: then weights, offset and fold, the response last.
pub(super) fn columns<'m>(model: &'m Model, features: &'m [Feature]) -> Vec<&'m str> {
    let special = model.schema.special();
    let mut names: Vec<&str> = features.iter().map(|feature| feature.name.as_str()).collect();
    names.extend([&special.weights, &special.offset, &special.fold].into_iter().flatten().map(String::as_str));
    names.extend(model.schema.response().map(|response| response.name.as_str()));
    names
}

/// The lines of `_orig_names`: features, the response last. H2O has weights, offset and fold between them, and its runtime
/// then takes them for numbers of the row and puts the bits of levels past its end.
pub(super) fn original_columns(model: &Model) -> Vec<&str> {
    let names = model.schema.features().iter().map(|feature| feature.name.as_str());
    names.chain(model.schema.response().map(|response| response.name.as_str())).collect()
}

/// Checks that the names come back from their lines as they went in.
pub(super) fn check_columns(model: &Model) -> Result<(), WriteError> {
    check_names(&columns(model, model.schema.features()))?;
    if model.encoding != Encoding::Auto {
        check_names(&columns(model, &model.encoding.columns(model.schema.features())))?;
        model.schema.features().iter().try_for_each(check_levels)?;
    }
    let special = model.schema.special();
    for (what, column) in [(key::OFFSET_COLUMN, &special.offset), (key::FOLD_COLUMN, &special.fold)] {
        if let Some(column) = column {
            check_value(what, column)?;
        }
    }
    Ok(())
}

fn check_names(names: &[&str]) -> Result<(), WriteError> {
    let mut seen = HashSet::new();
    for &column in names {
        if let Some(reason) = column_problem(column) {
            return Err(WriteError::ColumnName { column: column.to_owned(), reason });
        }
        if !seen.insert(column) {
            return Err(WriteError::DuplicateColumn { column: column.to_owned() });
        }
    }
    Ok(())
}

/// Where columns are encoded, H2O's reader trims levels.
fn check_levels(feature: &Feature) -> Result<(), WriteError> {
    let levels = feature.domain.iter().flat_map(Domain::levels);
    match levels.into_iter().find(|level| trim(level) != level.as_str()) {
        Some(level) => Err(WriteError::Level { column: feature.name.clone(), level: level.clone() }),
        None => Ok(()),
    }
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
