//! `aqueduct export`: a trained model as an artifact.

use std::process::ExitCode;

use crate::args::ExportArgs;
use crate::{loaded, output};

pub fn run(args: &ExportArgs) -> anyhow::Result<ExitCode> {
    let artifact = loaded::load_run(&args.run)?;
    exporter::write_mojo(&artifact, &args.mojo)?;
    let bytes = std::fs::metadata(&args.mojo)?.len();
    output::line(format_args!("wrote {} ({} bytes)", args.mojo.display(), output::thousands(bytes)));
    Ok(ExitCode::SUCCESS)
}
