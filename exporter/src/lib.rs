//! Writes trained models as artifacts, and reads artifacts back.
//!
//! The main type is [`Artifact`]: a model with its papers. [`write_mojo`] makes an archive of it that H2O's own runtime
//! loads and scores as we do; [`read_mojo`] reads such archives, ours and H2O's. Read `artifact` first, then `mojo`
//! (the format in prose, its writer, its reader), `golden` (rows that travel with a model, with their answers), `pojo` and
//! `onnx` (a model as source code and as a graph), `verify` (the same rows through every scorer there is) and `report` (a
//! page about a model).
//!
//! ```no_run
//! use std::path::Path;
//!
//! let artifact = exporter::read_mojo(Path::new("churn.zip"))?;
//! println!("{} {}", artifact.info.algorithm, artifact.model.category);
//! # Ok::<(), exporter::ReadError>(())
//! ```

mod artifact;
mod atomic;
mod checksum;
mod drawing;
mod exports;
mod golden;
mod mojo;
mod onnx;
mod pojo;
mod report;
#[cfg(test)]
mod samples;
mod text;
mod tolerance;
mod verify;
mod weights;

pub use artifact::{Artifact, ArtifactInfo};
pub use atomic::write as write_atomically;
pub use drawing::{DRAWING_START, write_drawing};
pub use exports::{ExportCheck, possible_exports};
pub use golden::{Answer, Golden, GoldenCell, GoldenRow};
pub use mojo::{
    H2O_VERSION, MOJO_VERSION, ModelDetails, ReadError, WriteError, read_mojo, read_mojo_details, read_mojo_from,
    write_mojo,
};
pub use onnx::{
    OnnxFile, OnnxInputs, OnnxOptions, OnnxPrecision, OnnxReadError, OnnxWriteError, read_onnx, write_onnx,
};
pub use pojo::{
    JAVA_START, JavaError, JavaOptions, RUST_START, RustError, RustOptions, java_class_name, rust_module_name,
    write_java, write_rust,
};
pub use report::{FrameFacts, ParameterFacts, REPORT_START, ReportFacts, RunFacts, Table, write_report};
pub use tolerance::{
    LABEL_ULPS, PARITY_ABSOLUTE, PARITY_ONNX_F32, PARITY_ONNX_F32_NUMBERS, PARITY_ONNX_F64, PARITY_RELATIVE, Parity,
};
pub use verify::{
    JavaRuntime, Jdk, OnnxRuntime, Outcome, Report, RustCompiler, ScorerReport, Scorers, VerifyError, verify,
    verify_java, verify_java_file, verify_onnx, verify_rust, verify_rust_file,
};
pub use weights::{WeightsError, WeightsFormat, is_weights_file, write_weights};
