//! `aqueduct export`: a trained model as an artifact.

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
    let artifact = loaded::run_as_artifact(&args.run)?;
    exporter::write_mojo(&artifact, &args.mojo)?;
    let bytes = std::fs::metadata(&args.mojo)?.len();
    output::line(format_args!("wrote {} ({} bytes)", args.mojo.display(), output::thousands(bytes)));
    Ok(ExitCode::SUCCESS)
}
