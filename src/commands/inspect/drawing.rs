//! The drawing of a net, as a file.

use std::path::Path;

use anyhow::{Context, bail};

use super::description::Description;
use crate::commands::starts_otherwise;
use crate::output;

/// Draws the net. Machines that read the JSON are not told.
pub fn write(description: &Description, path: &Path, is_quiet: bool) -> anyhow::Result<()> {
    let shown = path.display();
    if starts_otherwise(path, exporter::DRAWING_START.as_bytes()) {
        bail!("--drawing {shown} exists and is no drawing of ours: choose another file");
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if folder.canonicalize().is_ok_and(|folder| Some(folder) == description.path.canonicalize().ok()) {
        bail!("--drawing {shown} is in the folder of the run itself: choose another place");
    }
    let bytes = exporter::write_drawing(&description.facts.model, path)
        .with_context(|| format!("cannot write --drawing {shown}"))?;
    if !is_quiet {
        output::line(format_args!("wrote {shown} ({} bytes)\n", output::thousands(bytes)));
    }
    Ok(())
}
