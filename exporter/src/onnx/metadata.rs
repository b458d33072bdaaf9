//! What travels with the graph: how its columns are sent, what its outputs are, and rows with the answers that the model gave.

use model::{Category, DeepLearning, Feature, Model};
use serde::{Deserialize, Serialize};

use super::inputs::named;
use super::levels::Levels;
use super::options::OnnxOptions;
use super::proto::StringStringEntryProto;
use crate::artifact::Artifact;

/// Keys of the metadata.
pub(super) mod key {
    pub(crate) const VERSION: &str = "aqueduct.version";
    pub(crate) const CATEGORY: &str = "aqueduct.category";
    pub(crate) const UUID: &str = "aqueduct.uuid";
    pub(crate) const TIMESTAMP: &str = "aqueduct.timestamp";
    pub(crate) const PRECISION: &str = "aqueduct.precision";
    pub(crate) const INPUTS: &str = "aqueduct.inputs";
    pub(crate) const COLUMNS: &str = "aqueduct.columns";
    pub(crate) const RESPONSE: &str = "aqueduct.response";
    pub(crate) const CLASSES: &str = "aqueduct.classes";
    pub(crate) const THRESHOLD: &str = "aqueduct.threshold";
    pub(crate) const OUTPUTS: &str = "aqueduct.outputs";
    pub(crate) const GOLDEN: &str = "aqueduct.golden";
}

/// The version of what the metadata say.
pub(super) const VERSION: &str = "1";

/// A column that callers send.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct OnnxColumn {
    /// Its name; `None` where no input has one for it.
    pub(crate) name: Option<String>,
    /// Its levels, by code, if it has any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) levels: Option<Vec<String>>,
    /// The text for a missing level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) missing: Option<String>,
}

/// A number of an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct OnnxOutput {
    /// Its name in a table of predictions.
    pub(crate) name: String,
    /// What it is counted in, where that is not 1: a standard deviation of the column that it is about.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub(crate) unit: f64,
}

fn one() -> f64 {
    1.0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_one(unit: &f64) -> bool {
    *unit == 1.0
}

/// The metadata of an artifact, in a fixed order.
pub(super) fn entries(
    artifact: &Artifact,
    net: &DeepLearning,
    options: OnnxOptions,
) -> serde_json::Result<Vec<StringStringEntryProto>> {
    let Artifact { model, info, golden, .. } = artifact;
    let mut entries = Vec::new();
    let mut put = |key: &str, value: String| entries.push(StringStringEntryProto { key: key.to_owned(), value });
    put(key::VERSION, VERSION.to_owned());
    put(key::CATEGORY, model.category.name().to_owned());
    put(key::UUID, info.uuid.clone());
    put(key::TIMESTAMP, info.timestamp.clone());
    put(key::PRECISION, options.precision.name().to_owned());
    put(key::INPUTS, options.inputs.name().to_owned());
    put(key::COLUMNS, serde_json::to_string(&columns(model))?);
    if let Some(response) = model.schema.response() {
        put(key::RESPONSE, response.name.clone());
    }
    if let Some(classes) = model.schema.classes() {
        put(key::CLASSES, serde_json::to_string(classes)?);
    }
    if model.category == Category::Binomial {
        put(key::THRESHOLD, serde_json::to_string(&model.labelling.default_threshold)?);
    }
    put(key::OUTPUTS, serde_json::to_string(&outputs(model, net))?);
    if let Some(golden) = golden {
        put(key::GOLDEN, serde_json::to_string(golden)?);
    }
    Ok(entries)
}

fn columns(model: &Model) -> Vec<OnnxColumn> {
    let features = model.schema.features();
    let mut levels = Levels::all(model).into_iter();
    let column = |(feature, named): (&Feature, bool)| {
        let missing = feature.domain.as_ref().and_then(|_| levels.next()).map(|levels| levels.missing_text());
        let levels = feature.domain.as_ref().map(|domain| domain.levels().to_vec());
        OnnxColumn { name: named.then(|| feature.name.clone()), levels, missing }
    };
    features.iter().zip(named(features)).map(column).collect()
}

/// The numbers of an answer, in their order.
fn outputs(model: &Model, net: &DeepLearning) -> Vec<OnnxOutput> {
    let first = usize::from(model.schema.classes().is_some());
    let names = model.output_names().into_iter().skip(first);
    let units = units(model.category, net);
    names.enumerate().map(|(index, name)| OnnxOutput { name, unit: units.get(index).copied().unwrap_or(1.0) }).collect()
}

/// What each number is counted in. After the last of these it is 1.
fn units(category: Category, net: &DeepLearning) -> Vec<f64> {
    let unit = |mul: f64| Some(1.0 / mul).filter(|unit| unit.is_finite() && *unit > 0.0).unwrap_or(1.0);
    match category {
        Category::Regression if net.distribution.has_identity_link() => {
            net.response_scaling.iter().map(|scaling| unit(scaling.mul)).collect()
        }
        Category::AutoEncoder => {
            let levels = std::iter::repeat_n(1.0, net.layout.first_numeric());
            let scales = net.layout.scaling.iter().flat_map(|scaling| &scaling.mul);
            levels.chain(scales.map(|&mul| unit(mul))).collect()
        }
        Category::Binomial | Category::Multinomial | Category::Regression => Vec::new(),
    }
}
