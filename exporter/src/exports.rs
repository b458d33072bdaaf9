//! What a model can become.

use crate::artifact::Artifact;
use crate::onnx::{OnnxInputs, OnnxOptions, OnnxPrecision};
use crate::pojo::JavaOptions;
use crate::{mojo, onnx, pojo, weights};

/// A format, and whether this model can be written in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportCheck {
    /// The flags of `export` that ask for it.
    pub flags: &'static str,
    /// Why it cannot be written.
    pub refusal: Option<String>,
}

/// Asks every writer. What is only found out while a file is made, such as a full disk, is not known here.
pub fn possible_exports(artifact: &Artifact) -> Vec<ExportCheck> {
    let onnx = |precision| OnnxOptions { precision, inputs: OnnxInputs::Columns };
    let java = |genmodel| JavaOptions { class: "Model".to_owned(), genmodel };
    let model = &artifact.model;
    vec![
        check("--mojo", mojo::check(artifact)),
        check("--pojo java", pojo::check_java(model, &java(false))),
        check("--pojo java --genmodel", pojo::check_java(model, &java(true))),
        check("--pojo rust", pojo::check_rust(model)),
        check("--onnx", onnx::check(model, onnx(OnnxPrecision::F64))),
        check("--onnx --onnx-type f32", onnx::check(model, onnx(OnnxPrecision::F32))),
        check("--weights", weights::check(model)),
    ]
}

fn check<E: std::error::Error>(flags: &'static str, outcome: Result<(), E>) -> ExportCheck {
    ExportCheck { flags, refusal: outcome.err().map(|error| error.to_string()) }
}
