//! A model from disk, whatever it was stored as.

use std::path::Path;

use anyhow::Context;
use exporter::Artifact;
use trainer::Checkpoint;

use crate::run_folder;

/// Reads the folder of a run, or a MOJO.
pub fn load(path: &Path) -> anyhow::Result<Artifact> {
    if path.is_dir() {
        return load_run(path);
    }
    exporter::read_mojo(path).with_context(|| path.display().to_string())
}

/// Reads the folder of a run.
pub fn load_run(path: &Path) -> anyhow::Result<Artifact> {
    if !run_folder::is_run(path) {
        anyhow::bail!(
            "{} is not the output of `aqueduct train`: expected {} in it",
            path.display(),
            run_folder::CHECKPOINT
        );
    }
    let Checkpoint { model, profile, created } = Checkpoint::read(&path.join(run_folder::CHECKPOINT))?;
    Ok(Artifact::new(model, created.to_string()).with_profile(profile))
}
