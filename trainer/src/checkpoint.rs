//! A trained model on disk: `checkpoint.safetensors`.
//!
//! Tensors `layers.N.weights` (f32, units x inputs, a trailing dimension of 2 for the channels of Maxout) and
//! `layers.N.biases` (f64, units x channels), N from 0. The header's metadata has one key, `aqueduct`, with a JSON
//! object: `format` (1), `created`, and what the model is besides its tensors. Doubles there are numbers, or one of the texts
//! `NaN`, `Infinity` and `-Infinity`.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use model::{
    Activation, Algorithm, Category, DeepLearning, Distribution, Encoding, Feature, InputLayout, JsonNumber, Labelling,
    Layer, Model, Network, NetworkError, Profile, ProfileError, Response, ResponseScaling, Schema, ShapeError,
    SpecialColumns,
};
use safetensors::tensor::{Dtype, TensorView};
use safetensors::{SafeTensorError, SafeTensors};
use serde::{Deserialize, Serialize};

const FORMAT: u32 = 1;
const KEY: &str = "aqueduct";

/// A model with the columns it was trained on.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint {
    /// The model.
    pub model: Model,
    /// The columns of the training frame.
    pub profile: Profile,
    /// When training ended.
    pub created: Timestamp,
}

/// Why a checkpoint could not be written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the fields are what the messages say")]
pub enum CheckpointError {
    #[error("cannot write {}: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{} is no checkpoint: {reason}", path.display())]
    NotACheckpoint { path: PathBuf, reason: String },
    #[error("{} has format {found}, this version reads format {FORMAT}", path.display())]
    Format { path: PathBuf, found: u32 },
}

/// What the header says.
#[derive(Serialize, Deserialize)]
struct Header {
    format: u32,
    created: Timestamp,
    category: Category,
    features: Vec<Feature>,
    response: Option<Response>,
    special_columns: SpecialColumns,
    #[serde(default)]
    encoding: Encoding,
    labelling: Labelling,
    layout: InputLayout,
    activation: Activation,
    dropout_ratios: Vec<JsonNumber>,
    distribution: Distribution,
    response_scaling: Option<ResponseScaling>,
    mean_imputation: bool,
    profile: Profile,
}

impl Checkpoint {
    /// Writes the file. The folder of a run is put in its place when all of its files are there, so no half of this one is
    /// ever seen.
    pub fn write(&self, path: &Path) -> Result<(), CheckpointError> {
        let failed = |source| CheckpointError::Write { path: path.to_owned(), source };
        let bytes = self.to_bytes().map_err(|e| failed(io::Error::other(e)))?;
        fs::write(path, bytes).map_err(failed)
    }

    /// Reads a file and checks that it is a model.
    pub fn read(path: &Path) -> Result<Self, CheckpointError> {
        let bytes = fs::read(path).map_err(|source| CheckpointError::Read { path: path.to_owned(), source })?;
        Self::from_bytes(&bytes).map_err(|bad| match bad {
            Bad::Format(found) => CheckpointError::Format { path: path.to_owned(), found },
            Bad::Reason(reason) => CheckpointError::NotACheckpoint { path: path.to_owned(), reason },
        })
    }

    fn to_bytes(&self) -> Result<Vec<u8>, Unwritable> {
        let Algorithm::DeepLearning(deep_learning) = &self.model.algorithm else {
            unreachable!("training makes deep-learning models")
        };
        let network = &deep_learning.network;
        let header = Header {
            format: FORMAT,
            created: self.created,
            category: self.model.category,
            features: self.model.schema.features().to_vec(),
            response: self.model.schema.response().cloned(),
            special_columns: self.model.schema.special().clone(),
            encoding: self.model.encoding.clone(),
            labelling: self.model.labelling.clone(),
            layout: deep_learning.layout.clone(),
            activation: network.activation(),
            dropout_ratios: network.layers().iter().map(|layer| JsonNumber(layer.dropout_ratio)).collect(),
            distribution: deep_learning.distribution,
            response_scaling: deep_learning.response_scaling,
            mean_imputation: deep_learning.mean_imputation,
            profile: self.profile.clone(),
        };
        let mut tensors = Vec::new();
        for (l, layer) in network.layers().iter().enumerate() {
            let channels = (layer.channels > 1).then_some(layer.channels);
            let weights: Vec<u8> = layer.weights.iter().flat_map(|w| w.to_le_bytes()).collect();
            let biases: Vec<u8> = layer.biases.iter().flat_map(|b| b.to_le_bytes()).collect();
            let shape = [layer.units, layer.inputs].into_iter().chain(channels).collect();
            tensors.push((format!("layers.{l}.weights"), Dtype::F32, shape, weights));
            let shape = [layer.units].into_iter().chain(channels).collect();
            tensors.push((format!("layers.{l}.biases"), Dtype::F64, shape, biases));
        }
        let views: Result<Vec<_>, SafeTensorError> = tensors
            .iter()
            .map(|(name, kind, shape, bytes)| Ok((name, TensorView::new(*kind, Vec::clone(shape), bytes)?)))
            .collect();
        let json = serde_json::to_string(&header)?;
        Ok(safetensors::serialize(views?, Some(HashMap::from([(KEY.to_owned(), json)])))?)
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, Bad> {
        let tensors = SafeTensors::deserialize(bytes)?;
        let (_, metadata) = SafeTensors::read_metadata(bytes)?;
        let json = metadata.metadata().as_ref().and_then(|m| m.get(KEY));
        let json = json.ok_or_else(|| Bad::Reason(format!("its header has no `{KEY}` entry")))?;
        let Format { format } = serde_json::from_str(json)?;
        if format != FORMAT {
            return Err(Bad::Format(format));
        }
        let header: Header = serde_json::from_str(json)?;
        let output = header.dropout_ratios.len().saturating_sub(1);
        let layers = header.dropout_ratios.iter().enumerate().map(|(l, &JsonNumber(dropout_ratio))| {
            read_layer(&tensors, l, header.activation.channels_of(l, output), dropout_ratio)
        });
        let network = Network::new(header.activation, layers.collect::<Result<_, _>>()?)?;
        let model = Model {
            schema: Schema::new(header.features, header.response, header.special_columns),
            encoding: header.encoding,
            category: header.category,
            labelling: header.labelling,
            algorithm: Algorithm::DeepLearning(DeepLearning {
                layout: header.layout,
                network,
                distribution: header.distribution,
                response_scaling: header.response_scaling,
                mean_imputation: header.mean_imputation,
            }),
        };
        model.check()?;
        header.profile.check(&model.schema)?;
        Ok(Self { model, profile: header.profile, created: header.created })
    }
}

#[derive(Deserialize)]
struct Format {
    format: u32,
}

fn read_layer(tensors: &SafeTensors<'_>, l: usize, channels: usize, dropout_ratio: f64) -> Result<Layer, Bad> {
    let weights = tensors.tensor(&format!("layers.{l}.weights"))?;
    let biases = tensors.tensor(&format!("layers.{l}.biases"))?;
    if (weights.dtype(), biases.dtype()) != (Dtype::F32, Dtype::F64) {
        return Err(Bad::Reason(format!("layer {l} has weights or biases of another type than f32 and f64")));
    }
    let [units, inputs, ..] = *weights.shape() else {
        return Err(Bad::Reason(format!("the weights of layer {l} have fewer than two dimensions")));
    };
    Ok(Layer {
        inputs,
        units,
        channels,
        weights: weights.data().as_chunks::<4>().0.iter().map(|&b| f32::from_le_bytes(b)).collect(),
        biases: biases.data().as_chunks::<8>().0.iter().map(|&b| f64::from_le_bytes(b)).collect(),
        dropout_ratio,
    })
}

/// A checkpoint that has no form on disk.
#[derive(Debug, thiserror::Error)]
enum Unwritable {
    #[error(transparent)]
    Header(#[from] serde_json::Error),
    #[error(transparent)]
    Tensors(#[from] SafeTensorError),
}

enum Bad {
    Format(u32),
    Reason(String),
}

impl From<SafeTensorError> for Bad {
    fn from(error: SafeTensorError) -> Self {
        Self::Reason(error.to_string())
    }
}

impl From<serde_json::Error> for Bad {
    fn from(error: serde_json::Error) -> Self {
        Self::Reason(format!("its header: {error}"))
    }
}

impl From<NetworkError> for Bad {
    fn from(error: NetworkError) -> Self {
        Self::Reason(error.to_string())
    }
}

impl From<ShapeError> for Bad {
    fn from(error: ShapeError) -> Self {
        Self::Reason(error.to_string())
    }
}

impl From<ProfileError> for Bad {
    fn from(error: ProfileError) -> Self {
        Self::Reason(format!("its profile: {error}"))
    }
}

#[cfg(test)]
mod tests;
