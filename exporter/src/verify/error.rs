//! Why a scorer gave no answers.

use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

use crate::onnx::OnnxReadError;
use crate::pojo::{JavaError, RustError};

/// Why a scorer gave no answers.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the fields are what the messages say")]
pub enum VerifyError {
    #[error("cannot read the jar `{}`: {reason}", jar.display())]
    Jar { jar: PathBuf, reason: String },
    #[error("the jar `{}` does not hold H2O's runtime, hex.genmodel: expected h2o-genmodel.jar or h2o.jar", jar.display())]
    NotTheRuntime { jar: PathBuf },
    #[error("cannot run `{}`, {needs} is needed: {source}", program.display())]
    Program { program: PathBuf, needs: &'static str, source: io::Error },
    #[error("{scorer} took longer than {} seconds and was stopped", timeout.as_secs())]
    Timeout { scorer: &'static str, timeout: Duration },
    #[error("{scorer} failed ({status}): {message}")]
    Failed { scorer: &'static str, status: ExitStatus, message: String },
    #[error("{scorer} refused row {row}: {message}")]
    RowRefused { scorer: &'static str, row: usize, message: String },
    #[error("{scorer} gave {found} answers to {rows} rows")]
    AnswerCount { scorer: &'static str, rows: usize, found: usize },
    #[error("{scorer} gave an answer to row {row} that is none: `{found}`")]
    Answer { scorer: &'static str, row: usize, found: String },
    #[error("cannot read `{}`: {source}", path.display())]
    Unread { path: PathBuf, source: io::Error },
    #[error("`{}` is no source of ours: expected it to begin with `{start}`", path.display())]
    NotOurs { path: PathBuf, start: &'static str },
    #[error(transparent)]
    Java(#[from] JavaError),
    #[error(transparent)]
    Rust(#[from] RustError),
    #[error(transparent)]
    OnnxRead(#[from] OnnxReadError),
    #[error("cannot exchange files with the scorer: {0}")]
    Io(#[from] io::Error),
}
