//! A model as a class of Java: of its own, or one that H2O's runtime takes for one of its models.
//!
//! `facts` and the modules that it names say what a class has, `literal` writes values down as Java, and `templates/java`
//! lays all of it out.

mod answer;
mod facts;
mod genmodel;
mod golden;
mod literal;
mod names;
mod net;
mod row;
mod schema;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use model::{Algorithm, Encoding, Model, ShapeError};
use tera::{Context, Tera};

use facts::Facts;
pub use names::java_class_name;

use crate::artifact::Artifact;
use crate::atomic;

/// How far the fields of the class are indented, and of those within it.
const FIELD: usize = 2;
const INNER_FIELD: usize = 4;

/// How our classes begin.
pub const JAVA_START: &str = "// Written by Aqueduct";

const TEMPLATES: [(&str, &str); 12] = [
    ("pojo", include_str!("../../../../templates/java/pojo.java.tera")),
    ("genmodel", include_str!("../../../../templates/java/genmodel.java.tera")),
    ("main", include_str!("../../../../templates/java/main.java.tera")),
    ("read", include_str!("../../../../templates/java/read.java.tera")),
    ("encode", include_str!("../../../../templates/java/encode.java.tera")),
    ("inputs", include_str!("../../../../templates/java/inputs.java.tera")),
    ("net", include_str!("../../../../templates/java/net.java.tera")),
    ("answer", include_str!("../../../../templates/java/answer.java.tera")),
    ("exp", include_str!("../../../../templates/java/exp.java.tera")),
    ("space", include_str!("../../../../templates/java/space.java.tera")),
    ("layers", include_str!("../../../../templates/java/layers.java.tera")),
    ("golden", include_str!("../../../../templates/java/golden.java.tera")),
];

/// What the class is to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JavaOptions {
    /// Its name, and before `.java` that of its file: see [`java_class_name`].
    pub class: String,
    /// Whether it is a `hex.genmodel.GenModel`.
    pub genmodel: bool,
}

/// A class that cannot be written. Nothing of it remains.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the fields are what the messages say")]
pub enum JavaError {
    #[error("no Java class can be written for a model of algorithm {algorithm}")]
    Algorithm { algorithm: &'static str },
    #[error("two columns are named `{column}`: a row finds columns by their names; rename one in the training frame")]
    DuplicateColumn { column: String },
    #[error(
        "H2O's runtime has no categorical_encoding {encoding}; leave --genmodel out, or train with AUTO, SortByResponse, Binary, \
         Eigen or LabelEncoder"
    )]
    Encoding { encoding: &'static str },
    #[error(
        "no Java class can be written of levels that share slots (max_categorical_features): write the net out first"
    )]
    Hashed,
    #[error("layer {layer} has weights that are no finite numbers: its answers would mean nothing")]
    NotFinite { layer: usize },
    #[error("layer {layer} has {weights} weights, more than a Java class can hold")]
    TooLarge { layer: usize, weights: usize },
    #[error(transparent)]
    Shape(#[from] ShapeError),
    #[error("the template of the Java class does not fit it: {0}")]
    Template(#[from] tera::Error),
    #[error("cannot write `{}`: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
}

/// Writes a class to this path: whole, or not at all. A file that is there is replaced.
pub fn write_java(artifact: &Artifact, options: &JavaOptions, path: &Path) -> Result<(), JavaError> {
    let text = java_text(artifact, options)?;
    atomic::write(path, |file| file.write_all(text.as_bytes()))
        .map_err(|source| JavaError::Io { path: path.to_owned(), source })
}

fn java_text(artifact: &Artifact, options: &JavaOptions) -> Result<String, JavaError> {
    check_java(&artifact.model, options)?;
    let mut tera = Tera::new();
    tera.add_raw_templates(TEMPLATES)?;
    let context = Context::from_serialize(&Facts::new(artifact, options)?)?;
    Ok(tera.render(if options.genmodel { "genmodel" } else { "pojo" }, &context)?)
}

/// Checks that a class can say what the model says.
pub(crate) fn check_java(model: &Model, options: &JavaOptions) -> Result<(), JavaError> {
    model.check()?;
    let Algorithm::DeepLearning(net) = &model.algorithm else {
        return Err(JavaError::Algorithm { algorithm: model.algorithm_name() });
    };
    if net.layout.hashing.is_some() {
        return Err(JavaError::Hashed);
    }
    if let encoding @ Encoding::EnumLimited { .. } = &model.encoding
        && options.genmodel
    {
        return Err(JavaError::Encoding { encoding: encoding.name() });
    }
    net::check(&net.network)?;
    let mut seen = HashSet::new();
    // A name that was lost finds no column, so there may be several.
    let names = model.schema.features().iter().map(|feature| &feature.name).filter(|name| !name.is_empty());
    match names.into_iter().find(|name| !seen.insert(*name)) {
        Some(column) => Err(JavaError::DuplicateColumn { column: column.clone() }),
        None => Ok(()),
    }
}
