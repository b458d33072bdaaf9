//! What an ONNX file of ours says of itself.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use model::Category;
use prost::Message;
use serde::de::DeserializeOwned;

use super::metadata::{OnnxColumn, OnnxOutput, VERSION, key};
use super::options::{OnnxInputs, OnnxPrecision};
use super::proto::{ModelProto, StringStringEntryProto};
use super::{MOST_BYTES, OnnxReadError};
use crate::golden::Golden;

/// What an ONNX file of ours says of itself: all that is needed to replay its golden rows.
#[derive(Debug, Clone, PartialEq)]
pub struct OnnxFile {
    /// What kind of answer it gives.
    pub category: Category,
    /// The precision of its answers.
    pub precision: OnnxPrecision,
    /// What its callers send.
    pub inputs: OnnxInputs,
    /// Rows with the answers that the model gave.
    pub golden: Option<Golden>,
    pub(crate) columns: Vec<OnnxColumn>,
    pub(crate) classes: Vec<String>,
    pub(crate) threshold: f64,
    pub(crate) outputs: Vec<OnnxOutput>,
}

/// Reads the papers of an ONNX file that we wrote.
pub fn read_onnx(path: &Path) -> Result<OnnxFile, OnnxReadError> {
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    if length > MOST_BYTES as u64 {
        return Err(OnnxReadError::TooLarge { bytes: length, limit: MOST_BYTES });
    }
    let mut bytes = Vec::with_capacity(length as usize);
    // What grows meanwhile, or has no length, ends there as well.
    file.take(MOST_BYTES as u64).read_to_end(&mut bytes)?;
    let model =
        ModelProto::decode(bytes.as_slice()).map_err(|error| OnnxReadError::Damaged { reason: error.to_string() })?;
    let metadata = Metadata(&model.metadata_props);
    let version = metadata.text(key::VERSION)?;
    if version != VERSION {
        return Err(problem(key::VERSION, format!("version {VERSION} is read, found `{version}`")));
    }
    let file = OnnxFile {
        category: metadata.one_of(key::CATEGORY, &Category::ALL, Category::name)?,
        precision: metadata.one_of(key::PRECISION, &OnnxPrecision::ALL, OnnxPrecision::name)?,
        inputs: metadata.one_of(key::INPUTS, &OnnxInputs::ALL, OnnxInputs::name)?,
        golden: metadata.optional(key::GOLDEN)?,
        columns: metadata.required(key::COLUMNS)?,
        classes: metadata.optional(key::CLASSES)?.unwrap_or_default(),
        threshold: metadata.optional(key::THRESHOLD)?.unwrap_or_default(),
        outputs: metadata.required(key::OUTPUTS)?,
    };
    match file.golden.as_ref().and_then(|golden| file.problem_of(golden)) {
        Some(reason) => Err(problem(key::GOLDEN, reason)),
        None => Ok(file),
    }
}

impl OnnxFile {
    /// What does not fit between golden rows and the file.
    fn problem_of(&self, golden: &Golden) -> Option<String> {
        // An autoencoder's error is no part of its list of numbers.
        let errors = usize::from(self.category == Category::AutoEncoder);
        golden.problem_with(self.columns.len(), self.category, self.outputs.len().saturating_sub(errors))
    }
}

struct Metadata<'a>(&'a [StringStringEntryProto]);

impl Metadata<'_> {
    fn text(&self, key: &'static str) -> Result<&str, OnnxReadError> {
        let entry = self.0.iter().find(|entry| entry.key == key);
        entry.map(|entry| entry.value.as_str()).ok_or(OnnxReadError::MissingKey { key })
    }

    fn required<T: DeserializeOwned>(&self, key: &'static str) -> Result<T, OnnxReadError> {
        serde_json::from_str(self.text(key)?).map_err(|error| problem(key, error.to_string()))
    }

    fn optional<T: DeserializeOwned>(&self, key: &'static str) -> Result<Option<T>, OnnxReadError> {
        if self.0.iter().any(|entry| entry.key == key) { self.required(key).map(Some) } else { Ok(None) }
    }

    fn one_of<T: Copy>(
        &self,
        key: &'static str,
        all: &[T],
        name: impl Fn(T) -> &'static str,
    ) -> Result<T, OnnxReadError> {
        let found = self.text(key)?;
        let known = || all.iter().map(|&value| name(value)).collect::<Vec<_>>().join(", ");
        let value = all.iter().copied().find(|&value| name(value) == found);
        value.ok_or_else(|| problem(key, format!("expected one of {}, found `{found}`", known())))
    }
}

fn problem(key: &'static str, reason: String) -> OnnxReadError {
    OnnxReadError::Value { key, reason }
}
