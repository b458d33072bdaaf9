//! One file a command.

pub mod export;
pub mod inspect;
pub mod predict;
pub mod quickstart;
pub mod serve;
pub mod train;
pub mod verify;

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::process::ExitCode;

use ::serve::StartError;
use trainer::{ParamError, PlanError};

/// A mistake in the flags that clap cannot see.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UsageError(pub String);

/// 2 for a flag or a rule of parameters, 1 for data or a failed job.
pub fn exit_code(error: &anyhow::Error) -> ExitCode {
    let is_usage = error.chain().any(|cause| {
        cause.is::<UsageError>()
            || cause.is::<ParamError>()
            || cause.downcast_ref::<PlanError>().is_some_and(PlanError::is_parameter_rule)
            || matches!(cause.downcast_ref(), Some(StartError::NoAddress { .. }))
    });
    ExitCode::from(if is_usage { 2 } else { 1 })
}

/// Whether a file stands there that does not start like this: data, say, that would be lost.
pub fn starts_otherwise(path: &Path, expected: &[u8]) -> bool {
    // A pipe would have us wait for somebody to write.
    if !path.is_file() {
        return false;
    }
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(expected.len() as u64).read_to_end(&mut start));
    read.is_ok() && !start.is_empty() && start != expected
}
