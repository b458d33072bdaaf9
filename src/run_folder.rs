//! The folder that training writes: the model, and what is to be known about its making.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::json;
use tempfile::TempDir;
use trainer::{Checkpoint, Report, TrainPlan, Trained};

use crate::output::tables;

/// The file that makes a folder a run.
pub const CHECKPOINT: &str = "checkpoint.safetensors";

/// Whether a folder is the output of a run.
pub fn is_run(path: &Path) -> bool {
    path.join(CHECKPOINT).is_file()
}

/// A run's folder under construction, beside its place. Dropped without [`finish`](Self::finish) it leaves nothing.
pub struct RunFolder {
    target: PathBuf,
    staging: TempDir,
}

impl RunFolder {
    /// Starts a folder; what stands in its place is refused, or replaced in the end if it is an earlier run.
    pub fn create(target: &Path, overwrite: bool) -> anyhow::Result<Self> {
        let shown = target.display();
        if target.exists() {
            let replaceable = is_run(target) || (target.is_dir() && fs::read_dir(target)?.next().is_none());
            if !replaceable {
                anyhow::bail!("--output {shown} exists and is not the output of an earlier run: choose another folder");
            }
            if !overwrite && is_run(target) {
                anyhow::bail!(
                    "--output {shown} holds an earlier run: add --overwrite to replace it, or choose another folder"
                );
            }
        }
        let parent = target.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let failed = || format!("cannot write --output {shown}: cannot create a folder in {}", parent.display());
        fs::metadata(parent).with_context(failed)?;
        let staging = tempfile::Builder::new().prefix(".aqueduct-run-").tempdir_in(parent);
        // The kind alone: the message would name the staging folder, which says nothing to anybody.
        let staging = staging.map_err(|error| io::Error::from(error.kind())).with_context(failed)?;
        Ok(Self { target: target.to_owned(), staging })
    }

    /// Writes everything about a run.
    pub fn write(&self, plan: &TrainPlan<'_>, trained: &Trained) -> anyhow::Result<()> {
        let created = trained.history.last().map(|row| row.timestamp).unwrap_or_default();
        let checkpoint = Checkpoint { model: trained.model.clone(), profile: trained.profile.clone(), created };
        checkpoint.write(&self.path(CHECKPOINT))?;
        self.json("params.json", &json!({ "given": plan.given.to_json(), "effective": plan.effective.to_json() }))?;
        let validation = trained.reports.validation.as_ref().map(Report::metrics);
        self.json(
            "metrics.json",
            &json!({ "training": trained.reports.training.metrics(), "validation": validation }),
        )?;
        self.csv("scoring_history.csv", &tables::history(trained))?;
        self.csv("layers.csv", &tables::layers(&trained.layers))?;
        self.csv("importances.csv", &tables::importances(&trained.importances))?;
        if let Some(confusion) = trained.reports.training.confusion() {
            self.csv("confusion.csv", &tables::confusion(confusion))?;
        }
        if let Some(confusion) = trained.reports.validation.as_ref().and_then(Report::confusion) {
            self.csv("confusion_validation.csv", &tables::confusion(confusion))?;
        }
        Ok(())
    }

    /// Puts the folder in its place.
    pub fn finish(self) -> anyhow::Result<()> {
        let shown = self.target.display().to_string();
        let failed = || format!("cannot write --output {shown}");
        set_readable(self.staging.path()).with_context(failed)?;
        if self.target.exists() {
            // Moved aside first, so that at every moment the old run or the new one is whole.
            let aside = self.staging.path().with_extension("old");
            fs::rename(&self.target, &aside).with_context(failed)?;
            fs::rename(self.staging.path(), &self.target).with_context(failed)?;
            fs::remove_dir_all(&aside).with_context(failed)?;
        } else {
            fs::rename(self.staging.path(), &self.target).with_context(failed)?;
        }
        // It has another name now: there is nothing left to remove.
        let _ = self.staging.keep();
        Ok(())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.staging.path().join(name)
    }

    fn json(&self, name: &str, value: &serde_json::Value) -> anyhow::Result<()> {
        let mut text = serde_json::to_string_pretty(value)?;
        text.push('\n');
        fs::write(self.path(name), text)
            .with_context(|| format!("cannot write {name} of --output {}", self.target.display()))
    }

    fn csv(&self, name: &str, table: &tables::Table) -> anyhow::Result<()> {
        let write = || -> anyhow::Result<()> {
            let mut writer = csv::Writer::from_path(self.path(name))?;
            writer.write_record(&table.header)?;
            for row in &table.rows {
                writer.write_record(row)?;
            }
            Ok(writer.into_inner()?.flush()?)
        };
        write().with_context(|| format!("cannot write {name} of --output {}", self.target.display()))
    }
}

/// Temporary folders are for their owner only; a run is as readable as any folder.
#[cfg(unix)]
fn set_readable(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn set_readable(_folder: &Path) -> io::Result<()> {
    Ok(())
}
