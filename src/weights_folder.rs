//! The folder that `export --weights` writes: weights and biases as tables.

use std::fs;
use std::path::Path;

use anyhow::bail;
use exporter::{Artifact, WeightsFormat};

use crate::staging::Staging;
use crate::{output, run_folder};

const FLAG: &str = "--weights";

/// How the files of such a folder begin and end.
const STARTS: [&str; 2] = ["weights.", "biases."];
const ENDS: [&str; 3] = [".csv", ".parquet", ".safetensors"];

/// Refuses a folder that holds anything but tables of weights.
pub fn check_place(target: &Path) -> anyhow::Result<()> {
    let shown = target.display();
    if target.symlink_metadata().is_err() {
        return Ok(());
    }
    if !target.is_dir() {
        bail!("{FLAG} {shown} exists and is no folder: choose another one");
    }
    if run_folder::is_run(target) {
        bail!("{FLAG} {shown} is the run itself: choose another folder");
    }
    for entry in fs::read_dir(target)? {
        let name = entry?.file_name();
        let is_table = name.to_str().is_some_and(|name| {
            STARTS.iter().any(|start| name.starts_with(start)) && ENDS.iter().any(|end| name.ends_with(end))
        });
        if !is_table {
            bail!(
                "{FLAG} {shown} exists and holds `{}`, which is no table of weights: choose another folder",
                name.display()
            );
        }
    }
    Ok(())
}

/// Writes the tables, first beside their place. Those of an earlier export are replaced.
pub fn write(artifact: &Artifact, format: WeightsFormat, target: &Path) -> anyhow::Result<()> {
    let staging = Staging::create(FLAG, target)?;
    let files = exporter::write_weights(artifact, format, staging.folder())?.len();
    // Somebody else may have been there meanwhile.
    check_place(target)?;
    staging.finish()?;
    output::line(format_args!("wrote {} ({files} {})", target.display(), if files == 1 { "file" } else { "files" }));
    Ok(())
}
