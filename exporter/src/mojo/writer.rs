//! From an [`Artifact`] to an archive.

use std::fmt::{Display, LowerExp};
use std::io::{self, BufWriter, Seek, Write};
use std::path::Path;

use model::{Algorithm, DeepLearning, Domain, Encoding, Feature, JavaNumber, Model};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, System, ZipWriter};

use super::archive::most_unpacked;
use super::error::WriteError;
use super::layout::{self, MOJO_VERSION, entry, key, section};
use super::values::{Counts, Numbers, escape};
use super::{names, own};
use crate::artifact::Artifact;
use crate::atomic;

/// Writes a MOJO to this path: whole, or not at all. A file that is there is replaced.
pub fn write_mojo(artifact: &Artifact, path: &Path) -> Result<(), WriteError> {
    let deep_learning = deep_learning(artifact)?;
    atomic::write(path, |file| write_entries(artifact, deep_learning, file)).map_err(|failure| match failure {
        Failure::Io(source) => WriteError::Io { path: path.to_owned(), source },
        Failure::TooLarge { unpacked, limit } => WriteError::TooLarge { unpacked, limit },
    })
}

/// Checks that a MOJO can say what the model says, unless it becomes too long.
pub(crate) fn check(artifact: &Artifact) -> Result<(), WriteError> {
    deep_learning(artifact).map(drop)
}

/// The net of a model that can be written.
fn deep_learning(artifact: &Artifact) -> Result<&DeepLearning, WriteError> {
    let Algorithm::DeepLearning(deep_learning) = &artifact.model.algorithm else {
        return Err(WriteError::Algorithm { algorithm: artifact.model.algorithm_name() });
    };
    artifact.model.check()?;
    if let encoding @ Encoding::EnumLimited { .. } = &artifact.model.encoding {
        return Err(WriteError::Encoding { encoding: encoding.name() });
    }
    if deep_learning.layout.hashing.is_some() {
        return Err(WriteError::Hashed);
    }
    names::check_columns(&artifact.model)?;
    names::check_info(&artifact.info)?;
    Ok(deep_learning)
}

/// What goes wrong on the way into the file, which is known to the caller.
enum Failure {
    Io(io::Error),
    TooLarge { unpacked: u64, limit: u64 },
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

fn write_entries(artifact: &Artifact, deep_learning: &DeepLearning, file: impl Write + Seek) -> Result<(), Failure> {
    let mut entries = Entries::new(file);
    entries.add(entry::MODEL_INI, |out| write_model_ini(out, artifact, deep_learning))?;
    let columns = artifact.model.encoding.columns(artifact.model.schema.features());
    for (n, (_, domain)) in domains(&artifact.model, &columns).enumerate() {
        entries.add(&entry::domain(&entry::domain_file(n)), |out| write_lines(out, domain.levels()))?;
    }
    if artifact.model.encoding != Encoding::Auto {
        write_original_columns(&mut entries, &artifact.model)?;
    }
    if let Some(profile) = &artifact.profile {
        entries.add(entry::PROFILE, |out| out.write_all(own::profile_text(profile)?.as_bytes()))?;
    }
    if let Some(golden) = &artifact.golden {
        entries.add(entry::GOLDEN, |out| out.write_all(own::golden_text(golden)?.as_bytes()))?;
    }
    entries.finish()
}

/// The entries that name the columns which a user sends, and their levels.
fn write_original_columns<W: Write + Seek>(entries: &mut Entries<W>, model: &Model) -> io::Result<()> {
    entries.add(entry::ORIG_NAMES, |out| write_lines(out, &names::original_columns(model)))?;
    for (column, domain) in original_domains(model) {
        entries.add(&entry::orig_domain_values(column), |out| write_lines(out, domain.levels()))?;
    }
    Ok(())
}

fn write_lines(out: &mut dyn Write, texts: &[impl AsRef<str>]) -> io::Result<()> {
    texts.iter().try_for_each(|text| writeln!(out, "{}", escape(text.as_ref())))
}

/// The entries of an archive, growing.
struct Entries<W: Write + Seek> {
    zip: ZipWriter<W>,
    options: SimpleFileOptions,
    unpacked: u64,
}

impl<W: Write + Seek> Entries<W> {
    fn new(file: W) -> Self {
        // Nothing of the clock or the machine goes in: the same model makes the same bytes.
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default())
            .system(System::Unix)
            .unix_permissions(0o644);
        Self { zip: ZipWriter::new(file), options, unpacked: 0 }
    }

    fn add(&mut self, entry: &str, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        self.zip.start_file(entry, self.options)?;
        let mut out = BufWriter::with_capacity(1 << 16, self);
        content(&mut out)?;
        out.flush()
    }

    /// Ends the archive, if it is one that is read again.
    fn finish(self) -> Result<(), Failure> {
        let unpacked = self.unpacked;
        let mut file = self.zip.finish().map_err(io::Error::from)?;
        let limit = most_unpacked(file.stream_position()?);
        if unpacked > limit { Err(Failure::TooLarge { unpacked, limit }) } else { Ok(file.flush()?) }
    }
}

/// The current entry.
impl<W: Write + Seek> Write for Entries<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.zip.write(bytes)?;
        self.unpacked += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.zip.flush()
    }
}

/// The categorical ones of the model's own columns and the response: the index among all columns, and the domain.
fn domains<'m>(model: &'m Model, columns: &'m [Feature]) -> impl Iterator<Item = (usize, &'m Domain)> {
    domains_before(model, columns, names::columns(model, columns).len().saturating_sub(1))
}

/// The same of the columns that a user sends.
fn original_domains(model: &Model) -> impl Iterator<Item = (usize, &Domain)> {
    let features = model.schema.features();
    domains_before(model, features, features.len())
}

fn domains_before<'m>(
    model: &'m Model,
    features: &'m [Feature],
    response: usize,
) -> impl Iterator<Item = (usize, &'m Domain)> {
    let features = features.iter().enumerate();
    let features = features.filter_map(|(column, feature)| Some((column, feature.domain.as_ref()?)));
    features.chain(model.schema.classes().map(|domain| (response, domain)))
}

fn write_model_ini(out: &mut dyn Write, artifact: &Artifact, deep_learning: &DeepLearning) -> io::Result<()> {
    let model = &artifact.model;
    let columns = model.encoding.columns(model.schema.features());
    writeln!(out, "{}", section::INFO)?;
    let mut info = Info { out };
    write_common(&mut info, artifact, &columns)?;
    write_deep_learning(&mut info, &columns, deep_learning)?;
    write_encoding(&mut info, model)?;
    write!(out, "\n{}\n", section::COLUMNS)?;
    for name in names::columns(model, &columns) {
        writeln!(out, "{name}")?;
    }
    write!(out, "\n{}\n", section::DOMAINS)?;
    for (n, (column, domain)) in domains(model, &columns).enumerate() {
        writeln!(out, "{column}: {} {}", domain.len(), entry::domain_file(n))?;
    }
    Ok(())
}

/// The section `[info]`, growing.
struct Info<'o> {
    out: &'o mut dyn Write,
}

impl Info<'_> {
    fn put(&mut self, key: &str, value: impl Display) -> io::Result<()> {
        writeln!(self.out, "{key} = {value}")
    }

    /// An absent list is `null`: H2O takes `[]` for a text.
    fn put_numbers<T: Into<f64> + LowerExp + Copy>(&mut self, key: &str, values: Option<&[T]>) -> io::Result<()> {
        match values {
            Some(values) => self.put(key, Numbers(values)),
            None => self.put(key, "null"),
        }
    }
}

fn write_common(info: &mut Info<'_>, artifact: &Artifact, columns: &[Feature]) -> io::Result<()> {
    let Artifact { model, info: facts, .. } = artifact;
    let (schema, labelling) = (&model.schema, &model.labelling);
    info.put(key::H2O_VERSION, &facts.h2o_version)?;
    info.put(key::MOJO_VERSION, MOJO_VERSION)?;
    info.put(key::LICENSE, "Apache License Version 2.0")?;
    info.put(key::ALGO, layout::ALGO)?;
    info.put(key::ALGORITHM, layout::ALGORITHM)?;
    info.put(key::ENDIANNESS, "LITTLE_ENDIAN")?;
    info.put(key::CATEGORY, model.category)?;
    info.put(key::UUID, &facts.uuid)?;
    info.put(key::SUPERVISED, schema.response().is_some())?;
    info.put(key::N_FEATURES, columns.len())?;
    info.put(key::N_CLASSES, schema.classes().map_or(1, Domain::len))?;
    info.put(key::N_COLUMNS, names::columns(model, columns).len())?;
    info.put(key::N_DOMAINS, domains(model, columns).count())?;
    for (key, column) in [(key::OFFSET_COLUMN, &schema.special().offset), (key::FOLD_COLUMN, &schema.special().fold)] {
        if let Some(column) = column {
            info.put(key, column)?;
        }
    }
    info.put(key::BALANCE_CLASSES, labelling.balance_classes)?;
    info.put(key::DEFAULT_THRESHOLD, JavaNumber(labelling.default_threshold))?;
    info.put_numbers(key::PRIOR_CLASS_DISTRIB, labelling.prior_class_distrib.as_deref())?;
    info.put_numbers(key::MODEL_CLASS_DISTRIB, labelling.model_class_distrib.as_deref())?;
    info.put(key::TIMESTAMP, &facts.timestamp)?;
    info.put(key::ESCAPE_DOMAIN_VALUES, true)
}

fn write_deep_learning(info: &mut Info<'_>, columns: &[Feature], deep_learning: &DeepLearning) -> io::Result<()> {
    let DeepLearning { layout, network, distribution, response_scaling, mean_imputation } = deep_learning;
    let cats = layout.categoricals();
    // Of the training only, and H2O's reader asks for it.
    info.put(key::MINI_BATCH_SIZE, 1)?;
    info.put(key::NUMS, layout.numerics)?;
    info.put(key::CATS, cats)?;
    info.put(key::CAT_OFFSETS, Counts(&layout.cat_offsets))?;
    info.put_numbers(key::NORM_MUL, layout.scaling.as_ref().map(|scaling| &scaling.mul[..]))?;
    info.put_numbers(key::NORM_SUB, layout.scaling.as_ref().map(|scaling| &scaling.sub[..]))?;
    info.put_numbers(key::NORM_RESP_MUL, response_scaling.as_ref().map(|scaling| std::slice::from_ref(&scaling.mul)))?;
    info.put_numbers(key::NORM_RESP_SUB, response_scaling.as_ref().map(|scaling| std::slice::from_ref(&scaling.sub)))?;
    info.put(key::USE_ALL_FACTOR_LEVELS, layout.use_all_factor_levels)?;
    info.put(key::ACTIVATION, network.activation())?;
    info.put(key::DISTRIBUTION, distribution)?;
    info.put(key::MEAN_IMPUTATION, mean_imputation)?;
    if *mean_imputation && cats > 0 {
        // The code that stands for missing: one past the last level that has an input.
        let first = usize::from(!layout.use_all_factor_levels);
        let levels = columns.iter().filter_map(|feature| feature.domain.as_ref()).map(Domain::len);
        let modes: Vec<usize> = levels.map(|count| count.saturating_sub(first)).collect();
        info.put(key::CAT_MODES, Counts(&modes))?;
    }
    let layers = network.layers();
    let mut sizes = vec![network.inputs()];
    sizes.extend(layers.iter().map(|layer| layer.units));
    info.put(key::NEURAL_NETWORK_SIZES, Counts(&sizes))?;
    for (l, layer) in layers.iter().enumerate() {
        info.put(&key::weight_layer(l), Numbers(&layer.weights))?;
        info.put(&key::bias_layer(l), Numbers(&layer.biases))?;
    }
    let dropout_ratios: Vec<f64> = layers.iter().map(|layer| layer.dropout_ratio).collect();
    info.put(key::HIDDEN_DROPOUT_RATIOS, Numbers(&dropout_ratios))
}

fn write_encoding(info: &mut Info<'_>, model: &Model) -> io::Result<()> {
    info.put(key::GENMODEL_ENCODING, model.encoding.name())?;
    if model.encoding != Encoding::Auto {
        let mut levels = vec![0; names::original_columns(model).len()];
        info.put(key::N_ORIG_NAMES, levels.len())?;
        info.put(key::N_ORIG_DOMAIN_VALUES, levels.len())?;
        for (column, domain) in original_domains(model) {
            levels[column] = domain.len();
        }
        for (column, count) in levels.into_iter().enumerate() {
            info.put(&key::m_orig_domain_values(column), count)?;
        }
    }
    let projections = if let Encoding::Eigen { projections } = &model.encoding { Some(&projections[..]) } else { None };
    info.put_numbers(key::ORIG_PROJECTION_ARRAY, projections)
}
