//! A model from disk, whatever it was stored as.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, bail};
use exporter::{Artifact, ModelDetails};
use model::{Algorithm, Model, Profile};
use trainer::Checkpoint;

use crate::run_folder;

/// What an ONNX file begins with.
pub const ONNX_START: u8 = 8;

/// What a path holds.
pub enum Loaded {
    /// The folder of a run.
    Run(Checkpoint),
    /// A MOJO.
    Mojo(Artifact),
}

impl Loaded {
    /// Reads the folder of a run, or a MOJO.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        if path.is_dir() { run(path).map(Self::Run) } else { mojo(path).map(Self::Mojo) }
    }

    pub fn into_model(self) -> Model {
        match self {
            Self::Run(checkpoint) => checkpoint.model,
            Self::Mojo(artifact) => artifact.model,
        }
    }

    pub fn profile(&self) -> Option<&Profile> {
        match self {
            Self::Run(checkpoint) => Some(&checkpoint.profile),
            Self::Mojo(artifact) => artifact.profile.as_ref(),
        }
    }
}

/// Whether a file begins as ONNX files do: with the version of their format.
pub fn is_onnx(path: &Path) -> bool {
    let mut start = [0];
    File::open(path).is_ok_and(|mut file| file.read_exact(&mut start).is_ok() && start == [ONNX_START])
}

/// Whether a path holds the source of a Java class.
pub fn is_java_source(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "java") && path.is_file()
}

/// Whether a path holds Rust source, which is ours if it begins as ours does.
pub fn is_rust_source(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rs") && path.is_file()
}

/// Reads a MOJO.
pub fn mojo(path: &Path) -> anyhow::Result<Artifact> {
    exporter::read_mojo(path).with_context(|| path.display().to_string())
}

/// What a MOJO tells of its making, if anything.
pub fn details(path: &Path) -> anyhow::Result<ModelDetails> {
    let details = exporter::read_mojo_details(path).with_context(|| path.display().to_string())?;
    Ok(details.unwrap_or_default())
}

/// Reads the folder of a run, or a MOJO, as what others are to get of it, with golden rows.
pub fn artifact(path: &Path) -> anyhow::Result<Artifact> {
    if path.is_dir() { run_as_artifact(path) } else { mojo(path).map(Artifact::adopted) }
}

/// Reads the folder of a run as what others get of it, with golden rows.
pub fn run_as_artifact(path: &Path) -> anyhow::Result<Artifact> {
    let checkpoint = run(path)?;
    let timestamp = timestamp(&checkpoint);
    let Checkpoint { model, profile, .. } = checkpoint;
    Ok(Artifact::new(written_out(model, path)?, timestamp).with_profile(profile))
}

/// The same model with an input for each level. Nothing but a run can say how levels share slots.
pub fn written_out(model: Model, path: &Path) -> anyhow::Result<Model> {
    const MOST_WEIGHTS: usize = 100_000_000;
    let Algorithm::DeepLearning(net) = model.algorithm else {
        bail!("{} is no deep-learning model", path.display());
    };
    let Some(net) = net.unhashed(MOST_WEIGHTS) else {
        bail!(
            "{}: written out, its hashed levels (max_categorical_features) need more than {MOST_WEIGHTS} weights",
            path.display()
        );
    };
    Ok(Model { algorithm: Algorithm::DeepLearning(net), ..model })
}

/// When a run ended, as H2O writes times: in UTC, to the millisecond.
pub fn timestamp(run: &Checkpoint) -> String {
    format!("{:.3}", run.created)
}

fn run(path: &Path) -> anyhow::Result<Checkpoint> {
    if !run_folder::is_run(path) {
        bail!("{} is not the output of `aqueduct train`: expected {} in it", path.display(), run_folder::CHECKPOINT);
    }
    Ok(Checkpoint::read(&path.join(run_folder::CHECKPOINT))?)
}
