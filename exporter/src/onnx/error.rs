//! What can go wrong between a model and its ONNX file.

use std::io;
use std::path::PathBuf;

use model::ShapeError;

/// An ONNX file that cannot be written. Nothing of it remains.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the fields are what the messages say")]
pub enum OnnxWriteError {
    #[error("no ONNX file can be written for a model of algorithm {algorithm}")]
    Algorithm { algorithm: &'static str },
    #[error("no ONNX file can be written of a model without a named column: ONNX finds inputs by their names")]
    NoColumns,
    #[error("layer {layer} has weights that are no finite numbers: its answers would mean nothing")]
    NotFinite { layer: usize },
    #[error(
        "an ONNX file cannot carry it: it would have {bytes} bytes, and protobuf has room for {limit}; {}",
        if *halves { "f32 takes half of that" } else { "train a smaller net" }
    )]
    TooLarge { bytes: usize, limit: usize, halves: bool },
    #[error(transparent)]
    Shape(#[from] ShapeError),
    #[error("cannot write `{}`: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
}

/// A file that is none of our ONNX files. The messages do not name the file: whoever opened it does.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the fields are what the messages say")]
pub enum OnnxReadError {
    #[error("it cannot be read: {0}")]
    Io(#[from] io::Error),
    #[error("it is no ONNX file: it has {bytes} bytes, and protobuf has room for {limit}")]
    TooLarge { bytes: u64, limit: usize },
    #[error("it is no ONNX file, or one that is cut off or damaged ({reason})")]
    Damaged { reason: String },
    #[error("it is no ONNX file of aqueduct: its metadata has no `{key}`")]
    MissingKey { key: &'static str },
    #[error("its metadata `{key}`: {reason}")]
    Value { key: &'static str, reason: String },
}
