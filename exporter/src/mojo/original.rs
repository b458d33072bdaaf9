//! The columns that a user sends, where they are encoded before they are the model's own.

use std::io::{Read, Seek};

use model::{Domain, Encoding, Feature};

use super::archive::Archive;
use super::error::ReadError;
use super::ini::Ini;
use super::layout::{PLAIN_ENCODINGS, VERSION_WITH_ENCODING, entry, key};
use super::values::{lines, trim, unescape};

/// Levels of all such columns: a network that sees bits or single numbers says nothing about how many there are.
const MAX_LEVELS: usize = 1_000_000;

/// Reads which encoding it is; the projections of one that has them are still all that the archive holds.
pub(super) fn read_encoding(ini: &Ini<'_>, version: f64) -> Result<Encoding, ReadError> {
    if version < VERSION_WITH_ENCODING {
        return Ok(Encoding::Auto);
    }
    let name = ini.text(key::GENMODEL_ENCODING)?;
    if PLAIN_ENCODINGS.contains(&name) {
        return Ok(Encoding::Auto);
    }
    for encoding in [Encoding::Auto, Encoding::Binary, Encoding::LabelEncoder] {
        if encoding.name() == name {
            return Ok(encoding);
        }
    }
    let projections = ini.optional_numbers(key::ORIG_PROJECTION_ARRAY, MAX_LEVELS)?;
    let eigen = Encoding::Eigen { projections: projections.unwrap_or_default() };
    if eigen.name() == name { Ok(eigen) } else { Err(ReadError::Encoding { found: name.to_owned() }) }
}

/// Reads the names of the original columns: features, special ones, the response.
pub(super) fn read_names<R: Read + Seek>(ini: &Ini<'_>, archive: &mut Archive<R>) -> Result<Vec<String>, ReadError> {
    let expected = ini.count(key::N_ORIG_NAMES)?;
    // Each makes one of the model's own columns at least.
    if expected > ini.columns.len() {
        return Err(ini.value_error(key::N_ORIG_NAMES, "no more than `n_columns`"));
    }
    let text = archive.text(entry::ORIG_NAMES)?;
    let found = lines(&text).count();
    if found != expected {
        return Err(ReadError::NameCount { entry: entry::ORIG_NAMES.to_owned(), expected, found });
    }
    Ok(read_lines(&text))
}

/// Reads the domains of the original features of these names.
pub(super) fn read_features<R: Read + Seek>(
    ini: &Ini<'_>,
    archive: &mut Archive<R>,
    names: Vec<String>,
) -> Result<Vec<Feature>, ReadError> {
    let mut room = MAX_LEVELS;
    let mut features = Vec::with_capacity(names.len());
    for (column, name) in names.into_iter().enumerate() {
        let expected = ini.count(&key::m_orig_domain_values(column))?;
        let mut domain = None;
        if expected > 0 {
            let entry = entry::orig_domain_values(column);
            if expected > room {
                return Err(ReadError::TooManyLevels { entry, found: expected, limit: room });
            }
            room -= expected;
            let text = archive.text(&entry)?;
            let found = lines(&text).count();
            if found != expected {
                return Err(ReadError::DomainLength { entry, expected, found });
            }
            domain = Some(Domain::new(read_lines(&text)));
        }
        features.push(Feature { name, domain });
    }
    Ok(features)
}

/// Outer blanks are lost here, those of levels, too: as H2O reads them.
fn read_lines(text: &str) -> Vec<String> {
    lines(text).map(|line| trim(&unescape(line)).to_owned()).collect()
}
