//! All that is known of a model, gathered from wherever it is.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use exporter::{Artifact, ArtifactInfo, ExportCheck, FrameFacts, ModelDetails, ReportFacts, possible_exports};
use model::{Category, DeepLearning, Model, Profile};
use serde_json::{Value, json};
use trainer::Checkpoint;

use crate::loaded::{self, Loaded};
use crate::report;

/// A model, and what is known about it.
pub struct Description {
    pub path: PathBuf,
    /// The papers of a MOJO; a run gets its own when it is exported.
    pub info: Option<ArtifactInfo>,
    /// How many golden rows a MOJO carries; those of a run are drawn when it is exported.
    pub golden_rows: Option<usize>,
    /// H2O's sentence about the model.
    pub sentence: Option<String>,
    pub facts: ReportFacts,
    /// `given` and `effective`; null where nobody knows.
    pub parameters: Value,
    /// By frame; null where nobody knows.
    pub metrics: Value,
    pub exports: Vec<ExportCheck>,
    pub contributions: Contributions,
}

/// What contributions compare rows with where no background is given.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Contributions {
    /// The means of the training profile.
    Profile,
    /// The means by which the model scales its numbers.
    Scaling,
    /// Nothing: a background has to be given.
    Background,
    /// An autoencoder has none.
    None,
}

impl Description {
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        match Loaded::read(path)? {
            Loaded::Run(checkpoint) => Self::of_run(checkpoint, path),
            Loaded::Mojo(artifact) => Self::of_mojo(artifact, path),
        }
    }

    fn of_run(checkpoint: Checkpoint, folder: &Path) -> anyhow::Result<Self> {
        let parameters = read_json(&folder.join("params.json"))?;
        let metrics = read_json(&folder.join("metrics.json"))?;
        // What is too large to be written out is asked about as it is.
        let model = loaded::written_out(checkpoint.model.clone(), folder).unwrap_or_else(|_| checkpoint.model.clone());
        let exports = possible_exports(&Artifact::new(model, loaded::timestamp(&checkpoint)));
        Ok(Self {
            path: folder.to_owned(),
            info: None,
            golden_rows: None,
            sentence: None,
            contributions: Contributions::of(&checkpoint.model, Some(&checkpoint.profile)),
            facts: report::of_checkpoint(checkpoint, folder)?,
            parameters,
            metrics,
            exports,
        })
    }

    fn of_mojo(artifact: Artifact, path: &Path) -> anyhow::Result<Self> {
        let details = loaded::details(path)?;
        Ok(Self {
            path: path.to_owned(),
            info: Some(artifact.info.clone()),
            golden_rows: Some(artifact.golden.as_ref().map_or(0, |golden| golden.rows.len())),
            sentence: details.description.clone(),
            contributions: Contributions::of(&artifact.model, artifact.profile.as_ref()),
            exports: possible_exports(&artifact),
            parameters: details.values.clone(),
            metrics: metrics(&details),
            facts: report::of_mojo(artifact, details),
        })
    }

    pub fn net(&self) -> &DeepLearning {
        self.facts.model.net()
    }

    /// A run has no papers yet, and is of the one algorithm that we train.
    pub fn algorithm(&self) -> &str {
        self.info.as_ref().map_or("Deep Learning", |info| &info.algorithm)
    }

    pub fn trained_by(&self) -> String {
        match self.info.as_ref().map(|info| (info.aqueduct_version(), &info.h2o_version)) {
            None => "aqueduct".to_owned(),
            Some((Some(version), _)) => format!("aqueduct {version}"),
            Some((None, version)) => format!("H2O {version}"),
        }
    }

    /// Bytes of all weights and biases.
    pub fn bytes(&self) -> usize {
        self.net().network.layers().iter().map(model::Layer::bytes).sum()
    }
}

impl Contributions {
    fn of(model: &Model, profile: Option<&Profile>) -> Self {
        match model.reference_row(profile) {
            _ if model.category == Category::AutoEncoder => Self::None,
            None => Self::Background,
            Some(_) if profile.is_some() => Self::Profile,
            Some(_) => Self::Scaling,
        }
    }
}

/// Metrics as the file of a run has them; null where nothing is told of the training.
fn metrics(details: &ModelDetails) -> Value {
    let frames = [
        ("training", &details.training),
        ("validation", &details.validation),
        ("cross_validation", &details.cross_validation),
    ];
    if frames.iter().all(|(_, frame)| frame.is_empty()) {
        return Value::Null;
    }
    let metrics = |frame: &FrameFacts| match frame.metrics.as_slice() {
        [] => Value::Null,
        metrics => metrics.iter().map(|(name, value)| (name.clone(), json!(value))).collect(),
    };
    frames.iter().map(|(name, frame)| ((*name).to_owned(), metrics(frame))).collect()
}

fn read_json(path: &Path) -> anyhow::Result<Value> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is not JSON", path.display()))
}
