//! Models as Rust source: one file that needs nothing but `core`.
//!
//! The file scores typed rows with the answers of `model`, to the bit: it adds in the same order and carries `model`'s own
//! `exp`. Its parts are laid out in `templates/rust`, and what those are told comes from the modules here: the head of the
//! file from [`header`], the row and its levels from [`row`] and [`levels`], the way from columns to the inputs of the net
//! from [`inputs`], the layers and the answer from [`net`], [`weights`] and [`math`], its tests from [`golden`]. [`names`]
//! and [`text`] turn whatever columns and levels are called into Rust.

mod golden;
mod header;
mod inputs;
mod levels;
mod math;
mod names;
mod net;
mod row;
mod text;
mod weights;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use model::{Algorithm, DeepLearning, Model, ShapeError};
use serde::Serialize;
use tera::{Context, Tera};

use self::golden::GoldenFacts;
use self::header::HeaderFacts;
use self::inputs::InputFacts;
use self::levels::Table;
pub use self::names::rust_module_name;
use self::net::{AnswerFacts, NetFacts};
use self::row::RowFacts;
use self::weights::Spelling;
use crate::artifact::Artifact;
use crate::atomic;

/// Templates by the names under which they include each other.
const TEMPLATES: [(&str, &str); 13] = [
    ("model.rs", include_str!("../../../../templates/rust/model.rs.tera")),
    ("header.rs", include_str!("../../../../templates/rust/header.rs.tera")),
    ("row.rs", include_str!("../../../../templates/rust/row.rs.tera")),
    ("prediction.rs", include_str!("../../../../templates/rust/prediction.rs.tera")),
    ("score.rs", include_str!("../../../../templates/rust/score.rs.tera")),
    ("inputs.rs", include_str!("../../../../templates/rust/inputs.rs.tera")),
    ("net.rs", include_str!("../../../../templates/rust/net.rs.tera")),
    ("label.rs", include_str!("../../../../templates/rust/label.rs.tera")),
    ("numbers.rs", include_str!("../../../../templates/rust/numbers.rs.tera")),
    ("golden.rs", include_str!("../../../../templates/rust/golden.rs.tera")),
    ("Cargo.toml", include_str!("../../../../templates/rust/Cargo.toml.tera")),
    ("lib.rs", include_str!("../../../../templates/rust/lib.rs.tera")),
    ("replay.rs", include_str!("../../../../templates/rust/replay.rs.tera")),
];

/// How every source that we write begins.
pub const RUST_START: &str = "// Written by Aqueduct";

/// The test that replays golden rows.
pub(crate) const RUST_TEST: &str = "tests::golden_rows_have_the_answers_of_the_model";

/// What is to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RustOptions {
    /// The name of the module, and before `.rs` that of its file: see [`rust_module_name`].
    pub module: String,
    /// Whether the file is to be the heart of a crate.
    pub as_crate: bool,
}

impl RustOptions {
    /// The files to be written, by their paths in the folder, with how each begins: what scores comes first.
    pub fn files(&self) -> Vec<(PathBuf, &'static [u8])> {
        let source = |name: &str| (Path::new("src").join(name), RUST_START.as_bytes());
        let module = format!("{}.rs", self.module);
        if self.as_crate {
            vec![source(&module), source("lib.rs"), ("Cargo.toml".into(), b"# Written by Aqueduct".as_slice())]
        } else {
            vec![(module.into(), RUST_START.as_bytes())]
        }
    }
}

/// A model that cannot be written as Rust source. Nothing of it remains.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the fields are what the messages say")]
pub enum RustError {
    #[error("no Rust source can be written of a model of algorithm {algorithm}")]
    Algorithm { algorithm: &'static str },
    #[error("no Rust source can be written of a model without columns")]
    NoColumns,
    #[error(
        "no Rust source can be written of levels that share slots (max_categorical_features): write the net out first"
    )]
    Hashed,
    #[error(transparent)]
    Shape(#[from] ShapeError),
    #[error("cannot write `{}`: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
}

/// All that the templates name.
#[derive(Debug, Serialize)]
struct Facts {
    #[serde(flatten)]
    header: HeaderFacts,
    #[serde(flatten)]
    row: RowFacts,
    #[serde(flatten)]
    inputs: InputFacts,
    #[serde(flatten)]
    net: NetFacts,
    #[serde(flatten)]
    answer: AnswerFacts,
    #[serde(flatten)]
    golden: GoldenFacts,
    tables: Vec<Table>,
}

/// What the template of a replay names.
#[derive(Debug, Serialize)]
struct ReplayFacts<'a> {
    model: &'a str,
    #[serde(flatten)]
    row: RowFacts,
    #[serde(flatten)]
    answer: AnswerFacts,
}

/// Writes the source of a model into a folder, which is there already, and returns the path of what scores. The same
/// artifact makes the same source, byte for byte.
pub fn write_rust(artifact: &Artifact, options: &RustOptions, folder: &Path) -> Result<PathBuf, RustError> {
    let net = deep_learning(&artifact.model)?;
    let facts = Facts::of(artifact, net, &options.module, Spelling::of(&net.network));
    let paths: Vec<PathBuf> = options.files().into_iter().map(|(name, _)| folder.join(name)).collect();
    for (path, template) in paths.iter().zip(["model.rs", "lib.rs", "Cargo.toml"]) {
        let failed = |source| RustError::Io { path: path.clone(), source };
        if let Some(folder) = path.parent().filter(|_| options.as_crate) {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        let text = render(template, &facts);
        atomic::write(path, |file| file.write_all(text.as_bytes())).map_err(failed)?;
    }
    Ok(paths.into_iter().next().unwrap_or_default())
}

/// The source of a module beside the source of a model, which replays rows through it.
pub(crate) fn rust_replay_source(model: &Model, name: &str) -> Result<String, RustError> {
    let net = deep_learning(model)?;
    let (row, _) = RowFacts::of(model);
    let (answer, _) = AnswerFacts::of(model, net, &row.label_type);
    Ok(render("replay.rs", &ReplayFacts { model: name, row, answer }))
}

/// Checks that Rust source can say what the model says.
pub(crate) fn check_rust(model: &Model) -> Result<(), RustError> {
    deep_learning(model).map(drop)
}

/// The net of a model that can be written.
fn deep_learning(model: &Model) -> Result<&DeepLearning, RustError> {
    let Algorithm::DeepLearning(net) = &model.algorithm else {
        return Err(RustError::Algorithm { algorithm: model.algorithm_name() });
    };
    model.check()?;
    if model.schema.features().is_empty() {
        return Err(RustError::NoColumns);
    }
    if net.layout.hashing.is_some() {
        return Err(RustError::Hashed);
    }
    Ok(net)
}

fn render(template: &str, facts: &impl Serialize) -> String {
    let mut tera = Tera::default();
    let rendered = tera
        .add_raw_templates(TEMPLATES)
        .and_then(|()| Context::from_serialize(facts))
        .and_then(|facts| tera.render(template, &facts));
    rendered.expect("the templates name nothing but facts, as tests see")
}

impl Facts {
    fn of(artifact: &Artifact, net: &DeepLearning, name: &str, spelling: Spelling) -> Self {
        let model = &artifact.model;
        let own_features = model.encoding.columns(model.schema.features());
        let (row, mut tables) = RowFacts::of(model);
        let fields: Vec<&str> = row.columns.iter().map(|column| column.field.as_str()).collect();
        let inputs = InputFacts::of(model, net, &own_features, &fields);
        let (answer, classes) = AnswerFacts::of(model, net, &row.label_type);
        tables.extend(classes);
        let net_facts = NetFacts::of(model, net, &own_features, spelling);
        let header = HeaderFacts::of(artifact, name, &net.network, &row, &net_facts, inputs.own_width);
        let golden = GoldenFacts::of(artifact, model.schema.classes().is_some());
        Self { header, row, inputs, net: net_facts, answer, golden, tables }
    }
}

#[cfg(test)]
mod tests;
