//! The shapes of JSON that `MLflow` knows.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::error::Category;
use serde_json::value::RawValue;

use super::predictions::{Method, Predicted};
use crate::error::ServeError;
use crate::limits::Limits;
use crate::registry::ServedModel;
use crate::service::{Policy, Scoring, Setting};
use crate::wire::{Sink, json, table};

const EXPECTED: &str = "one of dataframe_split, dataframe_records, instances and inputs";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Body<'a> {
    #[serde(borrow, default)]
    dataframe_split: Option<&'a RawValue>,
    #[serde(borrow, default)]
    dataframe_records: Option<&'a RawValue>,
    #[serde(borrow, default)]
    instances: Option<&'a RawValue>,
    #[serde(borrow, default)]
    inputs: Option<&'a RawValue>,
    #[serde(default)]
    params: Option<BTreeMap<String, serde_json::Value>>,
}

#[derive(Deserialize)]
struct Split<'a> {
    #[serde(borrow)]
    columns: Vec<Cow<'a, str>>,
    #[serde(borrow)]
    data: &'a RawValue,
}

/// Scores a body: the bytes of the answer, and how many rows it had.
pub(super) fn score(body: &[u8], served: &Arc<ServedModel>, limits: &Limits) -> Result<(Vec<u8>, usize), ServeError> {
    let text = json::text(body)?;
    if text.trim_ascii().is_empty() {
        return Err(ServeError::EmptyBody { expected: EXPECTED });
    }
    let body: Body<'_> = read_object(text, EXPECTED)?;
    let (policy, method) = asked(served.policy(), body.params.as_ref())?;
    let scoring = Scoring::new(Arc::clone(served), policy)?;
    let mut sink = Sink::new(scoring, Predicted::new(method), limits);
    sink.start()?;
    match (body.dataframe_split, body.dataframe_records, body.instances, body.inputs) {
        (Some(split), None, None, None) => {
            let split: Split<'_> = read_object(split.get(), "dataframe_split: {\"columns\": […], \"data\": [[…]]}")?;
            table::rows(split.columns.iter().map(|name| &**name), split.data.get(), &mut sink)?;
        }
        (None, Some(records), None, None) => json::rows(records.get(), &mut sink)?,
        (None, None, Some(values), None) | (None, None, None, Some(values)) => free(values.get(), &mut sink)?,
        _ => return Err(invalid(format!("expected {EXPECTED}"))),
    }
    sink.finish()?;
    Ok((sink.take(), sink.scoring.rows()))
}

/// A list of objects, a list of rows in the order of the model, or an object of columns.
fn free(text: &str, sink: &mut Sink<Predicted>) -> Result<(), ServeError> {
    if text.starts_with('{') {
        return table::columns(text, sink);
    }
    let first = text.strip_prefix('[').map(str::trim_ascii_start);
    if first.is_some_and(|first| first.starts_with('[')) {
        let served = Arc::clone(sink.scoring.served());
        let names = served.model().schema.features().iter().map(|feature| feature.name.as_str());
        return table::rows(names, text, sink);
    }
    json::rows(text, sink)
}

fn asked(
    mut policy: Policy,
    params: Option<&BTreeMap<String, serde_json::Value>>,
) -> Result<(Policy, Method), ServeError> {
    let mut method = Method::default();
    for (name, value) in params.into_iter().flatten() {
        match Setting::of_json(value) {
            Some(setting) if name == "predict_method" => method = Method::of(setting)?,
            Some(setting) => {
                // What we do not know is for others.
                policy.set(name, setting)?;
            }
            None => {}
        }
    }
    Ok((policy, method))
}

/// Reads an object; a list of its values would do as well for serde.
fn read_object<'a, T: Deserialize<'a>>(text: &'a str, expected: &str) -> Result<T, ServeError> {
    if text.trim_ascii_start().starts_with('[') {
        return Err(invalid(format!("expected {expected}")));
    }
    serde_json::from_str(text).map_err(|error| match error.classify() {
        // Its words quote values.
        Category::Data => invalid(format!("expected {expected}")),
        _ => ServeError::NotJson { problem: error.to_string() },
    })
}

fn invalid(problem: String) -> ServeError {
    ServeError::InvalidRequest { problem }
}
