//! `GET /schema` and `GET /models/NAME/schema`.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use model::{Category, Feature, ValueProfile};
use serde::Serialize;
use serde_json::{Map, Value};

use super::{AppState, reply};
use crate::error::ServeError;
use crate::registry::ServedModel;

pub(super) async fn only(State(state): State<Arc<AppState>>) -> Result<Response, ServeError> {
    schema(&state, None)
}

pub(super) async fn named(
    State(state): State<Arc<AppState>>,
    name: Result<Path<String>, PathRejection>,
) -> Result<Response, ServeError> {
    let Path(name) = name.map_err(|_| ServeError::NoRoute)?;
    schema(&state, Some(&name))
}

fn schema(state: &AppState, name: Option<&str>) -> Result<Response, ServeError> {
    let served = state.service.model(name)?;
    let schema = serde_json::to_vec(&SchemaJson::of(&served)).map_err(|_| ServeError::Internal)?;
    Ok(reply::json(StatusCode::OK, schema))
}

/// What a client has to know of a model.
#[derive(Serialize)]
struct SchemaJson<'a> {
    name: &'a str,
    algorithm: &'static str,
    category: Category,
    features: Vec<ColumnJson<'a>>,
    response: Option<ColumnJson<'a>>,
    /// The columns of a prediction, as H2O heads them.
    outputs: Vec<String>,
    /// A row for `POST /score`.
    example: Map<String, Value>,
}

/// A column: its levels where it is categorical.
#[derive(Serialize)]
struct ColumnJson<'a> {
    name: &'a str,
    r#type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    levels: Option<&'a [String]>,
}

impl<'a> SchemaJson<'a> {
    fn of(served: &'a ServedModel) -> Self {
        let (model, schema) = (served.model(), &served.model().schema);
        let addressable = || schema.features().iter().enumerate().filter(|(f, _)| served.is_addressable(*f));
        Self {
            name: served.name(),
            algorithm: model.algorithm_name(),
            category: model.category,
            features: addressable().map(|(_, f)| ColumnJson::of(&f.name, f.domain.as_ref())).collect(),
            response: schema.response().map(|r| ColumnJson::of(&r.name, r.domain.as_ref())),
            outputs: model.output_names(),
            example: addressable().map(|(index, f)| (f.name.clone(), example(served, index, f))).collect(),
        }
    }
}

impl<'a> ColumnJson<'a> {
    fn of(name: &'a str, domain: Option<&'a model::Domain>) -> Self {
        match domain {
            Some(domain) => Self { name, r#type: "categorical", levels: Some(domain.levels()) },
            None => Self { name, r#type: "numeric", levels: None },
        }
    }
}

/// The first level; the median of a number where the file has a profile, else 0.
fn example(served: &ServedModel, index: usize, feature: &Feature) -> Value {
    if let Some(domain) = &feature.domain {
        return domain.levels().first().map_or(Value::Null, |level| Value::from(level.as_str()));
    }
    let column = served.profile().and_then(|profile| profile.columns.get(index));
    match column.map(|column| &column.values) {
        Some(ValueProfile::Numeric { quantiles, .. }) if !quantiles.is_empty() => {
            Value::from(quantiles[quantiles.len() / 2])
        }
        _ => Value::from(0),
    }
}
