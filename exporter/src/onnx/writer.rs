//! From an [`Artifact`] to an ONNX file.

use std::io::{self, Write};
use std::path::Path;

use model::{Algorithm, DeepLearning, Model};
use prost::Message;

use super::answers::Answers;
use super::graph::{Graph, ML_DOMAIN};
use super::inputs::{CODES, Inputs, NUMBERS, named};
use super::network::Layers;
use super::numbers::Numbers;
use super::options::{OnnxInputs, OnnxOptions, OnnxPrecision};
use super::proto::{GraphProto, ModelProto, OperatorSetIdProto};
use super::{MOST_BYTES, OnnxWriteError, metadata};
use crate::artifact::Artifact;
use crate::atomic;

/// The format of the file, and the operators in it: of July 2022, so that runtimes of some years ago have them.
const IR_VERSION: i64 = 8;
const OPERATORS: i64 = 17;
const ML_OPERATORS: i64 = 3;

/// Writes an ONNX file to this path: whole, or not at all. A file that is there is replaced.
pub fn write_onnx(artifact: &Artifact, options: &OnnxOptions, path: &Path) -> Result<(), OnnxWriteError> {
    let unwritten = |source: io::Error| OnnxWriteError::Io { path: path.to_owned(), source };
    let bytes = encoded(artifact, *options, unwritten)?;
    atomic::write(path, |file| file.write_all(&bytes)).map_err(unwritten)
}

fn encoded(
    artifact: &Artifact,
    options: OnnxOptions,
    unwritten: impl Fn(io::Error) -> OnnxWriteError,
) -> Result<Vec<u8>, OnnxWriteError> {
    let (net, reserved) = parts(&artifact.model, options)?;
    let graph = graph(&artifact.model, net, options, reserved);
    let needs_ml = graph.node.iter().any(|node| node.domain == ML_DOMAIN);
    let operators = |domain: &str, version| OperatorSetIdProto { domain: domain.to_owned(), version };
    let mut opset_import = vec![operators("", OPERATORS)];
    opset_import.extend(needs_ml.then(|| operators(ML_DOMAIN, ML_OPERATORS)));
    let model = ModelProto {
        ir_version: IR_VERSION,
        producer_name: "aqueduct".to_owned(),
        producer_version: env!("CARGO_PKG_VERSION").to_owned(),
        doc_string: format!("{} ({})", artifact.info.algorithm, artifact.model.category),
        graph: Some(graph),
        opset_import,
        metadata_props: metadata::entries(artifact, net, options).map_err(|error| unwritten(error.into()))?,
    };
    let bytes = model.encoded_len();
    if bytes > MOST_BYTES {
        let halves = options.precision == OnnxPrecision::F64;
        return Err(OnnxWriteError::TooLarge { bytes, limit: MOST_BYTES, halves });
    }
    Ok(model.encode_to_vec())
}

/// Checks that an ONNX file can say what the model says, unless it becomes too long.
pub(crate) fn check(model: &Model, options: OnnxOptions) -> Result<(), OnnxWriteError> {
    parts(model, options).map(drop)
}

/// The net of a model that can be written, and the names of its inputs.
fn parts(model: &Model, options: OnnxOptions) -> Result<(&DeepLearning, Vec<String>), OnnxWriteError> {
    let Algorithm::DeepLearning(net) = &model.algorithm else {
        return Err(OnnxWriteError::Algorithm { algorithm: model.algorithm_name() });
    };
    model.check()?;
    for (layer, weights) in net.network.layers().iter().enumerate() {
        // Runtimes differ in what becomes of them.
        if !weights.weights.iter().all(|w| w.is_finite()) || !weights.biases.iter().all(|b| b.is_finite()) {
            return Err(OnnxWriteError::NotFinite { layer });
        }
    }
    let features = model.schema.features();
    let reserved: Vec<String> = match options.inputs {
        OnnxInputs::Columns => {
            let named = features.iter().zip(named(features)).filter(|(_, named)| *named);
            named.map(|(feature, _)| feature.name.clone()).collect()
        }
        OnnxInputs::Matrices => [NUMBERS, CODES].map(str::to_owned).to_vec(),
    };
    if reserved.is_empty() { Err(OnnxWriteError::NoColumns) } else { Ok((net, reserved)) }
}

fn graph(model: &Model, net: &DeepLearning, options: OnnxOptions, reserved: Vec<String>) -> GraphProto {
    let mut graph = Graph::with_reserved(reserved);
    let inputs = Inputs::new(&mut graph, options, model, net);
    let numbers = Numbers::new(&mut graph, options, model, net, &inputs);
    let layers = Layers { net, element: options.computes_in(net) };
    Answers { model, layers, options }.add(&mut graph, &inputs, numbers.as_ref());
    graph.finish(model.algorithm_name())
}
