//! From an [`Artifact`] to an archive.

use std::fmt::{Display, Write as _};
use std::io::{self, Seek, Write};
use std::path::Path;

use model::{Algorithm, DeepLearning, Domain, Model};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, System, ZipWriter};

use super::error::WriteError;
use super::layout::{self, MOJO_VERSION, entry, key, section};
use super::values::{counts, escape, number, numbers};
use super::{names, own};
use crate::artifact::Artifact;
use crate::atomic;

/// Writes a MOJO to this path: whole, or not at all. A file that is there is replaced.
pub fn write_mojo(artifact: &Artifact, path: &Path) -> Result<(), WriteError> {
    let Algorithm::DeepLearning(deep_learning) = &artifact.model.algorithm else {
        return Err(WriteError::Algorithm { algorithm: artifact.model.algorithm_name() });
    };
    artifact.model.check()?;
    names::check_columns(&artifact.model.schema)?;
    names::check_info(&artifact.info)?;
    atomic::write(path, |file| write_entries(artifact, deep_learning, file))
        .map_err(|source| WriteError::Io { path: path.to_owned(), source })
}

fn write_entries(artifact: &Artifact, deep_learning: &DeepLearning, file: impl Write + Seek) -> io::Result<()> {
    let mut zip = ZipWriter::new(file);
    // Nothing of the clock or the machine goes in: the same model makes the same bytes.
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default())
        .system(System::Unix)
        .unix_permissions(0o644);
    let mut add = |entry: &str, text: &str| {
        zip.start_file(entry, options)?;
        zip.write_all(text.as_bytes())
    };
    add(entry::MODEL_INI, &model_ini(artifact, deep_learning))?;
    for (n, (_, domain)) in domains(&artifact.model).enumerate() {
        let lines: String = domain.levels().iter().map(|level| escape(level) + "\n").collect();
        add(&entry::domain(&entry::domain_file(n)), &lines)?;
    }
    if let Some(profile) = &artifact.profile {
        add(entry::PROFILE, &own::profile_text(profile)?)?;
    }
    if let Some(golden) = &artifact.golden {
        add(entry::GOLDEN, &own::golden_text(golden)?)?;
    }
    zip.finish()?.flush()
}

/// The categorical columns: the index among all columns, and the domain.
fn domains(model: &Model) -> impl Iterator<Item = (usize, &Domain)> {
    let response = names::columns(&model.schema).len() - 1;
    let features = model.schema.features().iter().enumerate();
    let features = features.filter_map(|(column, feature)| Some((column, feature.domain.as_ref()?)));
    features.chain(model.schema.classes().map(|domain| (response, domain)))
}

fn model_ini(artifact: &Artifact, deep_learning: &DeepLearning) -> String {
    let mut info = Info::new();
    push_common(&mut info, artifact);
    push_deep_learning(&mut info, &artifact.model, deep_learning);
    let mut text = info.text;
    let _ = write!(text, "\n{}\n", section::COLUMNS);
    for name in names::columns(&artifact.model.schema) {
        let _ = writeln!(text, "{name}");
    }
    let _ = write!(text, "\n{}\n", section::DOMAINS);
    for (n, (column, domain)) in domains(&artifact.model).enumerate() {
        let _ = writeln!(text, "{column}: {} {}", domain.len(), entry::domain_file(n));
    }
    text
}

/// The section `[info]`, growing.
struct Info {
    text: String,
}

impl Info {
    fn new() -> Self {
        Self { text: format!("{}\n", section::INFO) }
    }

    fn push(&mut self, key: &str, value: impl Display) {
        let _ = writeln!(self.text, "{key} = {value}");
    }

    /// An absent list is `null`: H2O takes `[]` for a text.
    fn push_numbers(&mut self, key: &str, values: Option<&[f64]>) {
        match values {
            Some(values) => self.push(key, numbers(values)),
            None => self.push(key, "null"),
        }
    }
}

fn push_common(info: &mut Info, artifact: &Artifact) {
    let Artifact { model, info: facts, .. } = artifact;
    let (schema, labelling) = (&model.schema, &model.labelling);
    info.push(key::H2O_VERSION, &facts.h2o_version);
    info.push(key::MOJO_VERSION, MOJO_VERSION);
    info.push(key::LICENSE, "Apache License Version 2.0");
    info.push(key::ALGO, layout::ALGO);
    info.push(key::ALGORITHM, layout::ALGORITHM);
    info.push(key::ENDIANNESS, "LITTLE_ENDIAN");
    info.push(key::CATEGORY, model.category);
    info.push(key::UUID, &facts.uuid);
    info.push(key::SUPERVISED, true);
    info.push(key::N_FEATURES, schema.features().len());
    info.push(key::N_CLASSES, schema.classes().map_or(1, Domain::len));
    info.push(key::N_COLUMNS, names::columns(schema).len());
    info.push(key::N_DOMAINS, domains(model).count());
    for (key, column) in [(key::OFFSET_COLUMN, &schema.special().offset), (key::FOLD_COLUMN, &schema.special().fold)] {
        if let Some(column) = column {
            info.push(key, column);
        }
    }
    info.push(key::BALANCE_CLASSES, labelling.balance_classes);
    info.push(key::DEFAULT_THRESHOLD, number(labelling.default_threshold));
    info.push_numbers(key::PRIOR_CLASS_DISTRIB, labelling.prior_class_distrib.as_deref());
    info.push_numbers(key::MODEL_CLASS_DISTRIB, labelling.model_class_distrib.as_deref());
    info.push(key::TIMESTAMP, &facts.timestamp);
    info.push(key::ESCAPE_DOMAIN_VALUES, true);
}

fn push_deep_learning(info: &mut Info, model: &Model, deep_learning: &DeepLearning) {
    let DeepLearning { layout, network, distribution, response_scaling, mean_imputation } = deep_learning;
    let cats = layout.categoricals();
    // Of the training only, and H2O's reader asks for it.
    info.push(key::MINI_BATCH_SIZE, 1);
    info.push(key::NUMS, layout.numerics);
    info.push(key::CATS, cats);
    info.push(key::CAT_OFFSETS, counts(&layout.cat_offsets));
    info.push_numbers(key::NORM_MUL, layout.scaling.as_ref().map(|scaling| &scaling.mul[..]));
    info.push_numbers(key::NORM_SUB, layout.scaling.as_ref().map(|scaling| &scaling.sub[..]));
    info.push_numbers(key::NORM_RESP_MUL, response_scaling.as_ref().map(|scaling| std::slice::from_ref(&scaling.mul)));
    info.push_numbers(key::NORM_RESP_SUB, response_scaling.as_ref().map(|scaling| std::slice::from_ref(&scaling.sub)));
    info.push(key::USE_ALL_FACTOR_LEVELS, layout.use_all_factor_levels);
    info.push(key::ACTIVATION, network.activation());
    info.push(key::DISTRIBUTION, distribution);
    info.push(key::MEAN_IMPUTATION, mean_imputation);
    if *mean_imputation && cats > 0 {
        // The code that stands for missing: one past the last level that has an input.
        let first = usize::from(!layout.use_all_factor_levels);
        let levels = model.schema.features().iter().filter_map(|feature| feature.domain.as_ref()).map(Domain::len);
        let modes: Vec<usize> = levels.map(|count| count.saturating_sub(first)).collect();
        info.push(key::CAT_MODES, counts(&modes));
    }
    let layers = network.layers();
    let mut sizes = vec![network.inputs()];
    sizes.extend(layers.iter().map(|layer| layer.units));
    info.push(key::NEURAL_NETWORK_SIZES, counts(&sizes));
    for (l, layer) in layers.iter().enumerate() {
        info.push(&key::weight_layer(l), numbers(&layer.weights));
        info.push(&key::bias_layer(l), numbers(&layer.biases));
    }
    let dropout_ratios: Vec<f64> = layers.iter().map(|layer| layer.dropout_ratio).collect();
    info.push(key::HIDDEN_DROPOUT_RATIOS, numbers(&dropout_ratios));
    info.push(key::GENMODEL_ENCODING, layout::PLAIN_ENCODINGS[0]);
    info.push(key::ORIG_PROJECTION_ARRAY, "null");
}
