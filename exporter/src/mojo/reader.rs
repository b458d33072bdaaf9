//! From an archive to an [`Artifact`].

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::path::Path;

use model::{
    Algorithm, Category, DeepLearning, Domain, Encoding, Feature, Labelling, Model, Response, Schema, SpecialColumns,
};

use super::archive::Archive;
use super::error::ReadError;
use super::ini::Ini;
use super::layout::{self, MOJO_VERSION, OLDEST_MOJO_VERSION, entry, key};
use super::values::{lines, unescape};
use super::{deep_learning, original, own};
use crate::artifact::{Artifact, ArtifactInfo};

/// Columns besides features and response that an archive may have: H2O knows weights, offset, fold and a few more.
const MAX_SPECIAL_COLUMNS: usize = 16;

/// Levels of a column; H2O has no more.
const MAX_LEVELS: usize = 10_000_000;

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
    // The network first: how much else there can be follows from its size, and that is backed by the weights.
    let deep_learning = deep_learning::read(&ini)?;
    let mut encoding = original::read_encoding(&ini, version)?;
    let schema = read_schema(&ini, &mut archive, &deep_learning, &encoding)?;
    if let Encoding::Eigen { projections } = &mut encoding {
        // H2O projects a categorical response, too, and never needs it.
        projections.truncate(schema.features().iter().filter_map(|f| f.domain.as_ref()).map(Domain::len).sum());
    }
    let labelling = read_labelling(&ini, deep_learning.network.outputs())?;
    let model = Model { schema, encoding, category, labelling, algorithm: Algorithm::DeepLearning(deep_learning) };
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
    let name = ini.text(key::CATEGORY)?;
    let found = Category::ALL.into_iter().find(|category| category.name() == name);
    found.ok_or_else(|| ReadError::Category { found: name.to_owned() })
}

fn read_labelling(ini: &Ini<'_>, classes: usize) -> Result<Labelling, ReadError> {
    Ok(Labelling {
        default_threshold: ini.number(key::DEFAULT_THRESHOLD)?,
        prior_class_distrib: ini.optional_numbers(key::PRIOR_CLASS_DISTRIB, classes)?,
        model_class_distrib: ini.optional_numbers(key::MODEL_CLASS_DISTRIB, classes)?,
        balance_classes: ini.flag(key::BALANCE_CLASSES)?,
    })
}

fn read_schema<R: Read + Seek>(
    ini: &Ini<'_>,
    archive: &mut Archive<R>,
    net: &DeepLearning,
    encoding: &Encoding,
) -> Result<Schema, ReadError> {
    let feature_count = ini.count(key::N_FEATURES)?;
    let (response, others) = match ini.columns.split_last() {
        Some((&response, others)) if ini.flag(key::SUPERVISED)? => (Some(response), others),
        _ => (None, &ini.columns[..]),
    };
    if feature_count > others.len() {
        return Err(ini.value_error(key::N_FEATURES, "no more than the columns that are no response"));
    }
    let expected = net.layout.categoricals().saturating_add(net.layout.numerics);
    if feature_count != expected {
        return Err(ini.value_error(key::N_FEATURES, format!("{expected}, by `cats` and `nums`")));
    }
    if others.len() - feature_count > MAX_SPECIAL_COLUMNS {
        let expected = format!("up to {MAX_SPECIAL_COLUMNS} columns besides features and response");
        return Err(ini.value_error(key::N_COLUMNS, expected));
    }
    let room = net.network.inputs().saturating_add(net.network.outputs());
    let (domains, response_domain) = read_domains(ini, archive, feature_count, room)?;
    let classes = response_domain.as_ref().map_or(1, Domain::len);
    if ini.count(key::N_CLASSES)? != classes {
        return Err(ini.value_error(key::N_CLASSES, format!("{classes}, by the domain of the response")));
    }
    let (feature_names, specials) = others.split_at(feature_count);
    let features = match encoding {
        Encoding::Auto => {
            let names = found_by_name(&ini.columns, feature_names.len());
            names.into_iter().zip(domains).map(|(name, domain)| Feature { name, domain }).collect()
        }
        Encoding::LabelEncoder => {
            // The columns keep their names, and H2O's runtime looks for them among the model's own.
            original::read_features(ini, archive, found_by_name(&ini.columns, feature_names.len()))?
        }
        Encoding::Binary | Encoding::Eigen { .. } | Encoding::EnumLimited { .. } => {
            let names = original::read_names(ini, archive)?;
            // The others come last, in archives of H2O the special ones, too.
            let is_other = |name: &str| Some(name) == response || specials.contains(&name);
            let others = names.iter().rev().take_while(|name| is_other(name));
            let features = names.len() - others.count();
            original::read_features(ini, archive, found_by_name(&names, features))?
        }
    };
    let response = response.map(|name| Response { name: name.to_owned(), domain: response_domain });
    Ok(Schema::new(features, response, read_special_columns(ini, specials)))
}

/// The first so many of these names. Of two columns with one name H2O finds the last: the first is as good as lost.
fn found_by_name(columns: &[impl AsRef<str>], features: usize) -> Vec<String> {
    let last: HashMap<&str, usize> = columns.iter().enumerate().map(|(index, name)| (name.as_ref(), index)).collect();
    let found = |(index, name): (usize, &str)| if last[name] == index { name.to_owned() } else { String::new() };
    columns.iter().take(features).map(AsRef::as_ref).enumerate().map(found).collect()
}

/// No key names the column of weights: it is the first of the special ones, unless that is the offset or the fold.
fn read_special_columns(ini: &Ini<'_>, specials: &[&str]) -> SpecialColumns {
    let offset = ini.optional_text(key::OFFSET_COLUMN);
    let fold = ini.optional_text(key::FOLD_COLUMN);
    let weights = specials.first().copied().filter(|&name| Some(name) != offset && Some(name) != fold);
    let owned = |name: Option<&str>| name.map(str::to_owned);
    SpecialColumns { weights: owned(weights), offset: owned(offset), fold: owned(fold) }
}

/// The domain of each feature, and that of the response. All levels together have room in the inputs and outputs of the
/// network.
fn read_domains<R: Read + Seek>(
    ini: &Ini<'_>,
    archive: &mut Archive<R>,
    feature_count: usize,
    mut room: usize,
) -> Result<(Vec<Option<Domain>>, Option<Domain>), ReadError> {
    let escaped = ini.optional_text(key::ESCAPE_DOMAIN_VALUES).is_some();
    let escaped = escaped && ini.flag(key::ESCAPE_DOMAIN_VALUES)?;
    let (mut domains, mut response) = (vec![None; feature_count], None);
    for line in &ini.domains {
        let domain = match domains.get_mut(line.column) {
            Some(domain) => domain,
            None if line.column == ini.columns.len() - 1 => &mut response,
            // Of a column that is not there H2O does not look at it either; of weights and folds nobody needs it.
            None => continue,
        };
        let entry = entry::domain(line.file);
        let limit = room.min(MAX_LEVELS);
        if line.levels > limit {
            return Err(ReadError::TooManyLevels { entry, found: line.levels, limit });
        }
        room -= line.levels;
        let text = archive.text(&entry)?;
        let found = lines(&text).count();
        if found != line.levels {
            return Err(ReadError::DomainLength { entry, expected: line.levels, found });
        }
        let levels = lines(&text).map(|level| if escaped { unescape(level) } else { level.to_owned() });
        *domain = Some(Domain::new(levels.collect()));
    }
    Ok((domains, response))
}
