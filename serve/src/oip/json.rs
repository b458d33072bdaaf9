//! Requests and responses of REST: JSON, and the bytes of binary tensors behind it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::error::Category;
use serde_json::value::RawValue;

use super::invalid;
use super::outputs::{Content, Output, Outputs};
use super::tensor::{Datatype, Elements, Tensor};
use crate::error::ServeError;
use crate::service::{Policy, Setting};
use crate::wire::elements;

/// A request.
#[derive(Debug, Deserialize)]
pub(super) struct Request<'a> {
    #[serde(borrow, default)]
    pub id: Option<Cow<'a, str>>,
    #[serde(default)]
    pub parameters: Parameters,
    #[serde(borrow)]
    inputs: Vec<Input<'a>>,
    #[serde(borrow, default)]
    outputs: Option<Vec<Requested<'a>>>,
}

type Parameters = BTreeMap<String, Value>;

#[derive(Debug, Deserialize)]
struct Input<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    shape: Vec<i64>,
    #[serde(borrow)]
    datatype: Cow<'a, str>,
    #[serde(default)]
    parameters: Parameters,
    #[serde(borrow, default)]
    data: Option<&'a RawValue>,
}

#[derive(Debug, Deserialize)]
struct Requested<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(default)]
    parameters: Parameters,
}

impl<'a> Request<'a> {
    /// Reads the JSON of a request.
    pub fn read(text: &'a [u8]) -> Result<Self, ServeError> {
        let text = crate::wire::json::text(text)?;
        serde_json::from_str(text).map_err(|error| match error.classify() {
            // Its words quote values; where it is says enough.
            Category::Data => {
                let words = error.to_string();
                let field = words.split_once(" at line").map_or(&*words, |(field, _)| field);
                if field.starts_with("missing field") || field.starts_with("duplicate field") {
                    return invalid(field);
                }
                let (line, column) = (error.line(), error.column());
                invalid(format!("a value of the request is of the wrong type at line {line} column {column}"))
            }
            _ => ServeError::NotJson { problem: error.to_string() },
        })
    }

    /// The tensors, whose bytes follow each other where they are binary.
    pub fn tensors(&self, mut binary: &'a [u8]) -> Result<Vec<Tensor<'a>>, ServeError> {
        let mut tensors = Vec::with_capacity(self.inputs.len());
        for input in &self.inputs {
            let Input { name, shape, datatype, parameters, data } = input;
            let datatype = Datatype::named(datatype, name)?;
            let elements = match (parameters.get("binary_data_size"), data) {
                (Some(size), None) => {
                    let size = size.as_u64().and_then(|size| usize::try_from(size).ok());
                    let bytes = size.and_then(|size| binary.split_at_checked(size));
                    let too_long = || invalid(format!("input `{name}`: binary_data_size is more than the body has"));
                    let (bytes, rest) = bytes.ok_or_else(too_long)?;
                    binary = rest;
                    Elements::raw(bytes, datatype, name)?
                }
                (None, Some(data)) => elements_of_json(data, name)?,
                _ => return Err(invalid(format!("input `{name}`: expected either data or binary_data_size"))),
            };
            let mut tensor = Tensor::new(name.clone(), datatype, shape, elements)?;
            tensor.is_json = parameters.get("content_type").and_then(Value::as_str) == Some("json");
            tensors.push(tensor);
        }
        if binary.is_empty() { Ok(tensors) } else { Err(invalid("the body has more bytes than its tensors")) }
    }

    /// The policy of a model, changed by the parameters.
    pub fn policy(&self, mut policy: Policy) -> Result<Policy, ServeError> {
        for (name, value) in &self.parameters {
            if let Some(setting) = Setting::of_json(value) {
                policy.set(name, setting)?;
            }
        }
        Ok(policy)
    }

    /// Microseconds that the client wants to wait at most.
    pub fn timeout_micros(&self) -> Option<u64> {
        self.parameters.get("timeout").and_then(Value::as_u64).filter(|&micros| micros > 0)
    }

    /// The outputs that are asked for, each with whether it is to be binary.
    pub fn outputs(&self, served: &crate::registry::ServedModel) -> Result<Vec<(Output, bool)>, ServeError> {
        let is_set = |parameters: &Parameters, name: &str| parameters.get(name).and_then(Value::as_bool);
        let all_binary = is_set(&self.parameters, "binary_data_output").unwrap_or(false);
        match self.outputs.as_deref() {
            None | Some([]) => Ok(Output::all(served).into_iter().map(|output| (output, all_binary)).collect()),
            Some(requested) => {
                let names: Vec<&str> = requested.iter().map(|requested| &*requested.name).collect();
                let binary = requested.iter().map(|r| is_set(&r.parameters, "binary_data").unwrap_or(all_binary));
                Ok(Output::named(&names, served)?.into_iter().zip(binary).collect())
            }
        }
    }
}

fn elements_of_json<'a>(data: &'a RawValue, name: &str) -> Result<Elements<'a>, ServeError> {
    /// A list for each dimension, of which a table has two.
    const DEEPEST: usize = 8;
    let problem = || invalid(format!("input `{name}`: data: expected a list of numbers, texts, booleans or null"));
    elements(data.get(), DEEPEST).map(Elements::Values).ok_or_else(problem)
}

/// A response: its JSON, and the bytes of binary tensors.
pub(super) struct Response {
    pub json: Vec<u8>,
    pub binary: Vec<u8>,
}

impl Response {
    pub fn new(id: Option<&str>, answers: &Outputs, outputs: &[(Output, bool)]) -> Result<Self, ServeError> {
        let mut binary = Vec::new();
        let tensors = outputs.iter().map(|(output, is_binary)| {
            let size = is_binary.then(|| {
                let bytes = answers.raw(output.content);
                binary.extend_from_slice(&bytes);
                bytes.len()
            });
            OutputJson {
                name: &output.name,
                shape: output.shape(answers.rows as i64),
                datatype: output.datatype(),
                parameters: size.map(|binary_data_size| SizeJson { binary_data_size }),
                data: (!is_binary).then_some(Data { answers, content: output.content }),
            }
        });
        let response = ResponseJson {
            model_name: answers.served.name(),
            model_version: answers.served.version().as_str(),
            id,
            parameters: answers.warnings.as_deref().map(|warnings| WarningsJson { warnings }),
            outputs: tensors.collect(),
        };
        Ok(Self { json: serde_json::to_vec(&response).map_err(|_| ServeError::Internal)?, binary })
    }
}

#[derive(Serialize)]
struct ResponseJson<'a> {
    model_name: &'a str,
    model_version: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameters: Option<WarningsJson<'a>>,
    outputs: Vec<OutputJson<'a>>,
}

#[derive(Serialize)]
struct WarningsJson<'a> {
    warnings: &'a str,
}

#[derive(Serialize)]
struct OutputJson<'a> {
    name: &'a str,
    shape: Vec<i64>,
    datatype: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameters: Option<SizeJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Data<'a>>,
}

#[derive(Serialize)]
struct SizeJson {
    binary_data_size: usize,
}

struct Data<'a> {
    answers: &'a Outputs,
    content: Content,
}

impl Serialize for Data<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.content {
            Content::Labels => serializer.collect_seq(self.answers.labels()),
            // What is not finite becomes null.
            Content::Numbers { first, count, .. } => serializer.collect_seq(self.answers.numbers(first, count)),
        }
    }
}
