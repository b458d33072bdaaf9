//! What the server and its models are, for either transport.

use std::sync::Arc;

use serde::Serialize;

use super::outputs::Output;
use crate::registry::{Registry, ServedModel};

/// The name that the server gives itself.
pub(super) const SERVER: &str = "aqueduct";

pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

pub(super) const EXTENSIONS: [&str; 4] = ["binary_tensor_data", "model_repository", "statistics", "parameters"];

pub(super) const PLATFORM: &str = "h2o_mojo";

/// A model's tensors.
#[derive(Debug, Serialize)]
pub(super) struct Metadata {
    pub name: String,
    pub versions: Vec<String>,
    pub platform: &'static str,
    pub inputs: Vec<TensorMetadata>,
    pub outputs: Vec<TensorMetadata>,
}

#[derive(Debug, Serialize)]
pub(super) struct TensorMetadata {
    pub name: String,
    pub datatype: &'static str,
    pub shape: Vec<i64>,
}

impl Metadata {
    pub fn of(served: &ServedModel, registry: &Registry) -> Self {
        let features = served.model().schema.features().iter().enumerate();
        let input = |(_, feature): (usize, &model::Feature)| TensorMetadata {
            name: feature.name.clone(),
            datatype: if feature.domain.is_some() { "BYTES" } else { "FP64" },
            shape: vec![-1],
        };
        let output =
            |output: Output| TensorMetadata { datatype: output.datatype(), shape: output.shape(-1), name: output.name };
        Self {
            name: served.name().to_owned(),
            versions: registry.versions(served.name()).iter().map(|served| served.version().to_string()).collect(),
            platform: PLATFORM,
            inputs: features.filter(|(feature, _)| served.is_addressable(*feature)).map(input).collect(),
            outputs: Output::all(served).into_iter().map(output).collect(),
        }
    }
}

/// What was counted of a version of a model.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Statistics {
    pub name: String,
    pub version: String,
    pub last_inference: u64,
    pub inference_count: u64,
    pub execution_count: u64,
    pub inference_stats: InferenceStatistics,
    /// Batches are not counted by their size.
    pub batch_stats: [(); 0],
}

#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct InferenceStatistics {
    pub success: Count,
    pub fail: Count,
    pub queue: Count,
    pub compute_input: Count,
    pub compute_infer: Count,
    pub compute_output: Count,
    pub cache_hit: Count,
    pub cache_miss: Count,
}

#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(super) struct Count {
    pub count: u64,
    pub ns: u64,
}

impl Statistics {
    pub fn of(served: &ServedModel) -> Self {
        let metrics = served.metrics();
        let (answered, answered_ns) = metrics.answered();
        let (failed, failed_ns) = metrics.failed();
        let (rows, scoring_ns) = metrics.scored();
        // What is not scoring is reading and writing, which alternate.
        let reading_ns = answered_ns.saturating_sub(scoring_ns);
        let zero = Count { count: answered, ns: 0 };
        Self {
            name: served.name().to_owned(),
            version: served.version().to_string(),
            last_inference: metrics.last_millis(),
            inference_count: rows,
            execution_count: answered,
            inference_stats: InferenceStatistics {
                success: Count { count: answered, ns: answered_ns },
                fail: Count { count: failed, ns: failed_ns },
                queue: zero,
                compute_input: Count { count: answered, ns: reading_ns },
                compute_infer: Count { count: answered, ns: scoring_ns },
                compute_output: zero,
                cache_hit: Count::default(),
                cache_miss: Count::default(),
            },
            batch_stats: [],
        }
    }

    /// Those of these versions.
    pub fn all(versions: &[Arc<ServedModel>]) -> Vec<Self> {
        versions.iter().map(|served| Self::of(served)).collect()
    }
}

/// A line of the index of the repository.
#[derive(Debug, Serialize)]
pub(super) struct Indexed {
    pub name: String,
    pub version: String,
    pub state: &'static str,
    pub reason: String,
}

/// The index of the repository; only of what is ready, if that is wanted.
pub(super) fn index(registry: &Registry, only_ready: bool) -> Vec<Indexed> {
    let listed = registry.list().into_iter().filter(|listed| listed.is_served || !only_ready);
    let indexed = listed.map(|listed| Indexed {
        name: listed.name,
        version: listed.version.to_string(),
        state: if listed.is_served { "READY" } else { "UNAVAILABLE" },
        // The log says more: paths are nobody else's business.
        reason: listed.failure.map(|_| "its file was not loaded".to_owned()).unwrap_or_default(),
    });
    indexed.collect()
}
