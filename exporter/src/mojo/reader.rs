//! From an archive to an [`Artifact`].

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::path::Path;

use model::{Category, Domain, Feature, Labelling, Model, Response, Schema, SpecialColumns};

use super::archive::Archive;
use super::error::ReadError;
use super::ini::Ini;
use super::layout::{self, MOJO_VERSION, OLDEST_MOJO_VERSION, entry, key};
use super::values::{lines, unescape};
use super::{deep_learning, own};
use crate::artifact::{Artifact, ArtifactInfo};

/// Reads the MOJO at this path. The errors do not repeat the path.
pub fn read_mojo(path: &Path) -> Result<Artifact, ReadError> {
    read_mojo_from(BufReader::new(File::open(path)?))
}

/// Reads a MOJO from anything that can be read and sought.
pub fn read_mojo_from(reader: impl Read + Seek) -> Result<Artifact, ReadError> {
    let mut archive = Archive::open(reader)?;
    let text = archive.text(entry::MODEL_INI)?;
    let ini = Ini::parse(entry::MODEL_INI, &text)?;
    let version = check_kind(&ini)?;
    let category = read_category(&ini)?;
    let algorithm = deep_learning::read(&ini, version)?;
    let schema = read_schema(&ini, &mut archive)?;
    let model = Model { schema, category, labelling: read_labelling(&ini)?, algorithm };
    model.check()?;

    let or_unknown = |key| ini.optional_text(key).unwrap_or("unknown").to_owned();
    let info = ArtifactInfo {
        h2o_version: or_unknown(key::H2O_VERSION),
        mojo_version: or_unknown(key::MOJO_VERSION),
        algorithm: or_unknown(key::ALGORITHM),
        uuid: or_unknown(key::UUID),
        timestamp: or_unknown(key::TIMESTAMP),
    };
    let profile = own::read_profile(&mut archive, &model)?;
    let golden = own::read_golden(&mut archive, &model)?;
    Ok(Artifact { model, info, profile, golden })
}

/// Checks that this is a Deep Learning model of a version that is read, and gives the version.
fn check_kind(ini: &Ini<'_>) -> Result<f64, ReadError> {
    let algorithm = ini.text(key::ALGORITHM)?;
    if !algorithm.eq_ignore_ascii_case(layout::ALGORITHM) {
        return Err(ReadError::Algorithm { found: algorithm.to_owned() });
    }
    let version = ini.number(key::MOJO_VERSION)?;
    // As doubles, as H2O compares them: 1.1 is 1.10. NaN is none of them.
    let newest: f64 = MOJO_VERSION.parse().unwrap_or(f64::NAN);
    if (OLDEST_MOJO_VERSION..=newest).contains(&version) {
        Ok(version)
    } else {
        Err(ReadError::MojoVersion { found: ini.text(key::MOJO_VERSION)?.to_owned() })
    }
}

fn read_category(ini: &Ini<'_>) -> Result<Category, ReadError> {
    match ini.text(key::CATEGORY)? {
        "Binomial" => Ok(Category::Binomial),
        "Multinomial" => Ok(Category::Multinomial),
        "Regression" => Ok(Category::Regression),
        other => Err(ReadError::Category { found: other.to_owned() }),
    }
}

fn read_labelling(ini: &Ini<'_>) -> Result<Labelling, ReadError> {
    Ok(Labelling {
        default_threshold: ini.number(key::DEFAULT_THRESHOLD)?,
        prior_class_distrib: ini.optional_numbers(key::PRIOR_CLASS_DISTRIB, None)?,
        model_class_distrib: ini.optional_numbers(key::MODEL_CLASS_DISTRIB, None)?,
        balance_classes: ini.flag(key::BALANCE_CLASSES)?,
    })
}

fn read_schema<R: Read + Seek>(ini: &Ini<'_>, archive: &mut Archive<R>) -> Result<Schema, ReadError> {
    let feature_count = ini.count(key::N_FEATURES)?;
    if !ini.flag(key::SUPERVISED)? {
        return Err(ini.value_error(key::SUPERVISED, "`true`"));
    }
    let mut domains = read_domains(ini, archive)?;
    let (Some((&response, others)), Some(response_domain)) = (ini.columns.split_last(), domains.pop()) else {
        return Err(ini.value_error(key::N_COLUMNS, "one or more"));
    };
    if feature_count > others.len() {
        return Err(ini.value_error(key::N_FEATURES, "fewer than `n_columns`"));
    }
    let classes = response_domain.as_ref().map_or(1, Domain::len);
    if ini.count(key::N_CLASSES)? != classes {
        return Err(ini.value_error(key::N_CLASSES, format!("{classes}, by the domain of the response")));
    }
    let (feature_names, specials) = others.split_at(feature_count);
    // Of two columns with one name H2O finds the last: the first is as good as lost.
    let last: HashMap<&str, usize> = ini.columns.iter().enumerate().map(|(index, &name)| (name, index)).collect();
    let found = |(index, &name): (usize, &&str)| if last[name] == index { name.to_owned() } else { String::new() };
    let features = feature_names.iter().enumerate().map(found).zip(domains);
    let features = features.map(|(name, domain)| Feature { name, domain }).collect();
    let response = Response { name: response.to_owned(), domain: response_domain };
    Ok(Schema::new(features, Some(response), read_special_columns(ini, specials)))
}

/// No key names the column of weights: it is the first of the special ones, unless that is the offset or the fold.
fn read_special_columns(ini: &Ini<'_>, specials: &[&str]) -> SpecialColumns {
    let offset = ini.optional_text(key::OFFSET_COLUMN);
    let fold = ini.optional_text(key::FOLD_COLUMN);
    let weights = specials.first().copied().filter(|&name| Some(name) != offset && Some(name) != fold);
    let owned = |name: Option<&str>| name.map(str::to_owned);
    SpecialColumns { weights: owned(weights), offset: owned(offset), fold: owned(fold) }
}

/// The domain of each column.
fn read_domains<R: Read + Seek>(ini: &Ini<'_>, archive: &mut Archive<R>) -> Result<Vec<Option<Domain>>, ReadError> {
    let escaped = ini.optional_text(key::ESCAPE_DOMAIN_VALUES).is_some();
    let escaped = escaped && ini.flag(key::ESCAPE_DOMAIN_VALUES)?;
    let mut domains = vec![None; ini.columns.len()];
    for line in &ini.domains {
        // As in H2O, a domain of a column that is not there is not looked at.
        let Some(domain) = domains.get_mut(line.column) else { continue };
        let entry = entry::domain(line.file);
        let text = archive.text(&entry)?;
        let found = lines(&text).count();
        if found != line.levels {
            return Err(ReadError::DomainLength { entry, expected: line.levels, found });
        }
        let levels = lines(&text).map(|level| if escaped { unescape(level) } else { level.to_owned() });
        *domain = Some(Domain::new(levels.collect()));
    }
    Ok(domains)
}
