//! `aqueduct export`: a trained model as an artifact.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::process::ExitCode;

use anyhow::bail;

use crate::args::ExportArgs;
use crate::{loaded, output};

pub fn run(args: &ExportArgs) -> anyhow::Result<ExitCode> {
    let folder = |path: &Path| path.canonicalize().ok();
    let of_mojo = args.mojo.parent().map(|p| if p.as_os_str().is_empty() { Path::new(".") } else { p });
    if of_mojo.and_then(folder).is_some_and(|of_mojo| Some(of_mojo) == folder(&args.run)) {
        bail!("--mojo {} is in the folder of the run itself: choose another place", args.mojo.display());
    }
    if is_other_file(&args.mojo) {
        bail!("--mojo {} exists and is no MOJO: choose another file", args.mojo.display());
    }
    let artifact = loaded::run_as_artifact(&args.run)?;
    if let Some(column) = &artifact.model.schema.special().offset {
        output::warning(format_args!(
            "the offset `{column}` counts in training alone: H2O's runtime leaves it out of every answer, and we do as well but for \
             predict --fix-defects"
        ));
    }
    exporter::write_mojo(&artifact, &args.mojo)?;
    let bytes = std::fs::metadata(&args.mojo)?.len();
    output::line(format_args!("wrote {} ({} bytes)", args.mojo.display(), output::thousands(bytes)));
    Ok(ExitCode::SUCCESS)
}

/// Whether a file stands there that is no archive: data, say, that would be lost.
fn is_other_file(path: &Path) -> bool {
    const OF_ARCHIVES: &[u8] = b"PK";
    let Ok(mut file) = File::open(path).map(|file| file.take(OF_ARCHIVES.len() as u64)) else { return false };
    let mut start = Vec::new();
    path.is_file() && file.read_to_end(&mut start).is_ok() && !start.is_empty() && start != OF_ARCHIVES
}
