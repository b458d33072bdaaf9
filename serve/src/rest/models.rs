//! Models, their versions and labels: what there is, and how it is changed.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use tokio::task::spawn_blocking;

use crate::app::AppState;
use crate::error::ServeError;
use crate::http::{read_json, reply};
use crate::registry::{Listed, RegistryError};

/// `GET /models`
pub(super) async fn list(State(state): State<Arc<AppState>>) -> Result<Response, ServeError> {
    let list = state.service.registry().list();
    reply::value(&Models { models: list.iter().map(ModelJson::of).collect() })
}

#[derive(Serialize)]
struct Models<'a> {
    models: Vec<ModelJson<'a>>,
}

#[derive(Serialize)]
struct ModelJson<'a> {
    name: &'a str,
    version: &'a str,
    labels: &'a [String],
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
}

impl<'a> ModelJson<'a> {
    fn of(listed: &'a Listed) -> Self {
        Self {
            name: &listed.name,
            version: listed.version.as_str(),
            labels: &listed.labels,
            state: if listed.is_served { "ready" } else { "failed" },
            reason: listed.failure.as_deref(),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Target {
    version: String,
}

/// `PUT /models/NAME/labels/LABEL`
pub(super) async fn set_label(
    State(state): State<Arc<AppState>>,
    path: Result<Path<(String, String)>, PathRejection>,
    request: Request,
) -> Result<Response, ServeError> {
    state.check_admin()?;
    let Path((name, label)) = path.map_err(|_| ServeError::NoRoute)?;
    let Target { version } = read_json(request, state.service.limits(), r#"{"version": "…"}"#).await?;
    state.service.registry().set_label(&name, &label, &version)?;
    list(State(state)).await
}

/// `DELETE /models/NAME/labels/LABEL`
pub(super) async fn remove_label(
    State(state): State<Arc<AppState>>,
    path: Result<Path<(String, String)>, PathRejection>,
) -> Result<Response, ServeError> {
    state.check_admin()?;
    let Path((name, label)) = path.map_err(|_| ServeError::NoRoute)?;
    state.service.registry().remove_label(&name, &label)?;
    list(State(state)).await
}

/// `POST /models/NAME/load`
pub(super) async fn load(
    State(state): State<Arc<AppState>>,
    path: Result<Path<String>, PathRejection>,
) -> Result<Response, ServeError> {
    let Path(name) = path.map_err(|_| ServeError::NoRoute)?;
    load_model(&state, name).await?;
    list(State(state)).await
}

/// `POST /models/NAME/unload`
pub(super) async fn unload(
    State(state): State<Arc<AppState>>,
    path: Result<Path<String>, PathRejection>,
) -> Result<Response, ServeError> {
    state.check_admin()?;
    let Path(name) = path.map_err(|_| ServeError::NoRoute)?;
    state.service.registry().unload_model(&name)?;
    Ok(reply::json(StatusCode::OK, "{}"))
}

/// Reads the files of a model anew, where that is allowed.
pub(crate) async fn load_model(state: &Arc<AppState>, name: String) -> Result<(), ServeError> {
    state.check_admin()?;
    let registry = Arc::clone(state.service.registry());
    let asked = name.clone();
    let loaded = spawn_blocking(move || registry.load_model(&asked)).await.map_err(|_| ServeError::Internal)?;
    loaded.map_err(|error| match error {
        RegistryError::NotInRepository { name } => {
            ServeError::UnknownModel { name, served: state.service.registry().names() }
        }
        // The log says more: paths are nobody else's business.
        RegistryError::Golden { .. } => ServeError::NotLoaded {
            reason: format!("`{name}` does not answer its golden rows as it did when it was written"),
        },
        _ => ServeError::NotLoaded { reason: format!("the file of `{name}` is no MOJO that can be read") },
    })
}
