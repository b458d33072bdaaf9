//! `GET /schema` and `GET /models/NAME/schema`.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use model::{Category, ColumnProfile, Feature, ValueProfile};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::app::AppState;
use crate::error::ServeError;
use crate::http::{Named, reply};
use crate::registry::ServedModel;

pub(super) async fn schema(
    State(state): State<Arc<AppState>>,
    named: Result<Named, ServeError>,
) -> Result<Response, ServeError> {
    let named = named?;
    let served = state.service.model(named.name(), named.version())?;
    reply::value(&SchemaJson::of(&served))
}

/// What a client has to know of a model.
#[derive(Serialize)]
struct SchemaJson<'a> {
    name: &'a str,
    version: &'a str,
    algorithm: &'static str,
    category: Category,
    features: Vec<ColumnJson<'a>>,
    response: Option<ColumnJson<'a>>,
    /// The columns of a prediction, as H2O heads them.
    outputs: Vec<String>,
    /// From which probability on the second of two classes is predicted.
    #[serde(skip_serializing_if = "Option::is_none")]
    threshold: Option<f64>,
    /// A row for `POST /score`.
    example: Map<String, Value>,
}

/// A column: its levels where it is categorical, what training saw of it where it is a number.
#[derive(Serialize)]
struct ColumnJson<'a> {
    name: &'a str,
    r#type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    levels: Option<&'a [String]>,
    #[serde(flatten)]
    range: Option<Range>,
}

#[derive(Serialize)]
struct Range {
    minimum: f64,
    maximum: f64,
    mean: f64,
    whole: bool,
}

impl<'a> SchemaJson<'a> {
    fn of(served: &'a ServedModel) -> Self {
        let (model, schema) = (served.model(), &served.model().schema);
        let addressable = || schema.features().iter().enumerate().filter(|(f, _)| served.is_addressable(*f));
        let column = |(index, f): (usize, &'a Feature)| {
            let range = profile(served, index).and_then(Range::of);
            ColumnJson { range, ..ColumnJson::of(&f.name, f.domain.as_ref()) }
        };
        Self {
            name: served.name(),
            version: served.version().as_str(),
            algorithm: model.algorithm_name(),
            category: model.category,
            features: addressable().map(column).collect(),
            response: schema.response().map(|r| ColumnJson::of(&r.name, r.domain.as_ref())),
            outputs: model.output_names(),
            threshold: (model.category == Category::Binomial).then_some(model.labelling.default_threshold),
            example: addressable().map(|(index, f)| (f.name.clone(), example(served, index, f))).collect(),
        }
    }
}

impl<'a> ColumnJson<'a> {
    fn of(name: &'a str, domain: Option<&'a model::Domain>) -> Self {
        match domain {
            Some(domain) => Self { name, r#type: "categorical", levels: Some(domain.levels()), range: None },
            None => Self { name, r#type: "numeric", levels: None, range: None },
        }
    }
}

impl Range {
    fn of(column: &ColumnProfile) -> Option<Self> {
        match &column.values {
            ValueProfile::Numeric { mean, quantiles, whole, .. } => {
                let (&minimum, &maximum) = (quantiles.first()?, quantiles.last()?);
                Some(Self { minimum, maximum, mean: *mean, whole: *whole })
            }
            ValueProfile::Categorical { .. } => None,
        }
    }
}

/// What training saw of a feature, where the file has a profile.
fn profile(served: &ServedModel, index: usize) -> Option<&ColumnProfile> {
    served.profile()?.columns.get(index)
}

/// The first level; the median of a number where the file has a profile, else 0.
fn example(served: &ServedModel, index: usize, feature: &Feature) -> Value {
    if let Some(domain) = &feature.domain {
        return domain.levels().first().map_or(Value::Null, |level| Value::from(level.as_str()));
    }
    match profile(served, index).map(|column| &column.values) {
        Some(ValueProfile::Numeric { quantiles, whole, .. }) if !quantiles.is_empty() => {
            let median = quantiles[quantiles.len() / 2];
            if *whole && median.fract() == 0.0 && median.abs() < 1e15 {
                Value::from(median as i64)
            } else {
                Value::from(median)
            }
        }
        _ => Value::from(0),
    }
}
