//! The folder that `export --weights` writes: weights and biases as tables.

use std::fs;
use std::path::Path;

use anyhow::bail;
use exporter::{Artifact, WeightsFormat};

use crate::output;
use crate::staging::Staging;

const FLAG: &str = "--weights";

/// Refuses a folder that holds anything but tables of weights.
pub fn check_place(target: &Path) -> anyhow::Result<()> {
    let shown = target.display();
    if target.symlink_metadata().is_err() {
        return Ok(());
    }
    if !target.is_dir() {
        bail!("{FLAG} {shown} exists and is no folder: choose another one");
    }
    for entry in fs::read_dir(target)? {
        let entry = entry?;
        let name = entry.file_name();
        if !entry.file_type()?.is_file() || !name.to_str().is_some_and(exporter::is_weights_file) {
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
