//! `aqueduct inspect`: what is in a model.

mod description;
mod drawing;
mod json;
mod text;

use std::process::ExitCode;

use crate::args::InspectArgs;
use crate::output;
use description::Description;

pub fn run(args: &InspectArgs) -> anyhow::Result<ExitCode> {
    let description = Description::read(&args.model)?;
    if let Some(path) = &args.drawing {
        drawing::write(&description, path, args.json)?;
    }
    if args.json {
        output::pretty_json(&json::of(&description));
    } else {
        text::print(&description);
    }
    Ok(ExitCode::SUCCESS)
}
