//! The protocol over REST.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use axum::routing::{get, post};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::describe::{self, Metadata, Statistics};
use super::infer::infer;
use super::{invalid, json as wire};
use crate::app::AppState;
use crate::error::ServeError;
use crate::http::{Incoming, Named, Scored, reply};
use crate::metrics::Protocol;
use crate::registry::ServedModel;
use crate::rest::load_model;
use crate::service::Work;

/// How many bytes of the body are JSON; binary tensors follow.
const JSON_LENGTH: HeaderName = HeaderName::from_static("inference-header-content-length");

pub(crate) fn routes() -> Router<Arc<AppState>> {
    Router::new()
        .route("/v2", get(server))
        .route("/v2/health/live", get(async || reply::json(StatusCode::OK, r#"{"live":true}"#)))
        .route("/v2/health/ready", get(ready))
        .route("/v2/models", get(models))
        .route("/v2/models/stats", get(all_statistics))
        .route("/v2/models/{name}", get(model))
        .route("/v2/models/{name}/ready", get(model_ready))
        .route("/v2/models/{name}/stats", get(statistics))
        .route("/v2/models/{name}/infer", post(score))
        .route("/v2/models/{name}/versions/{version}", get(model))
        .route("/v2/models/{name}/versions/{version}/ready", get(model_ready))
        .route("/v2/models/{name}/versions/{version}/stats", get(statistics))
        .route("/v2/models/{name}/versions/{version}/infer", post(score))
        .route("/v2/repository/index", post(index))
        .route("/v2/repository/models/{name}/load", post(load))
        .route("/v2/repository/models/{name}/unload", post(unload))
}

/// A refusal in the words of the protocol.
struct Refusal(ServeError);

impl From<ServeError> for Refusal {
    fn from(error: ServeError) -> Self {
        Self(error)
    }
}

impl axum::response::IntoResponse for Refusal {
    fn into_response(self) -> Response {
        reply::refusal(&self.0, &json!({ "error": self.0.to_string() }))
    }
}

type Replied = Result<Response, Refusal>;

async fn server() -> Replied {
    let metadata =
        json!({ "name": describe::SERVER, "version": describe::VERSION, "extensions": describe::EXTENSIONS });
    Ok(reply::value(&metadata)?)
}

async fn ready(State(state): State<Arc<AppState>>) -> Response {
    let status = if state.is_ready() { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    reply::json(status, json!({ "ready": state.is_ready() }).to_string())
}

async fn models(State(state): State<Arc<AppState>>) -> Replied {
    Ok(reply::value(&json!({ "models": state.service.registry().models() }))?)
}

fn find(state: &AppState, named: Result<Named, ServeError>) -> Result<Arc<ServedModel>, ServeError> {
    let named = named?;
    state.service.model(named.name(), named.version())
}

async fn model(State(state): State<Arc<AppState>>, named: Result<Named, ServeError>) -> Replied {
    let served = find(&state, named)?;
    Ok(reply::value(&Metadata::of(&served, state.service.registry()))?)
}

async fn model_ready(State(state): State<Arc<AppState>>, named: Result<Named, ServeError>) -> Replied {
    let served = find(&state, named)?;
    Ok(reply::value(&json!({ "name": served.name(), "ready": true }))?)
}

#[derive(Serialize)]
struct StatisticsJson {
    model_stats: Vec<Statistics>,
}

async fn statistics(State(state): State<Arc<AppState>>, named: Result<Named, ServeError>) -> Replied {
    let versioned = named.as_ref().is_ok_and(|named| named.version.is_some());
    let served = find(&state, named)?;
    let versions = if versioned { vec![served] } else { state.service.registry().versions(served.name()) };
    Ok(reply::value(&StatisticsJson { model_stats: Statistics::all(&versions) })?)
}

async fn all_statistics(State(state): State<Arc<AppState>>) -> Replied {
    let registry = state.service.registry();
    let versions: Vec<_> = registry.models().iter().flat_map(|name| registry.versions(name)).collect();
    Ok(reply::value(&StatisticsJson { model_stats: Statistics::all(&versions) })?)
}

#[derive(Default, Deserialize)]
struct IndexRequest {
    #[serde(default)]
    ready: bool,
}

async fn index(State(state): State<Arc<AppState>>, request: Request) -> Replied {
    let (head, body) = request.into_parts();
    let body = Incoming::new(&head.headers, body, state.service.limits())?.whole().await?;
    let asked: IndexRequest = if body.trim_ascii().is_empty() {
        IndexRequest::default()
    } else {
        serde_json::from_slice(&body).map_err(|_| invalid(r#"expected {"ready": true or false}"#))?
    };
    Ok(reply::value(&describe::index(state.service.registry(), asked.ready))?)
}

async fn load(State(state): State<Arc<AppState>>, named: Result<Named, ServeError>) -> Replied {
    load_model(&state, named?.name.unwrap_or_default()).await?;
    Ok(reply::json(StatusCode::OK, "{}"))
}

async fn unload(State(state): State<Arc<AppState>>, named: Result<Named, ServeError>) -> Replied {
    state.check_admin()?;
    state.service.registry().unload_model(named?.name().unwrap_or_default())?;
    Ok(reply::json(StatusCode::OK, "{}"))
}

async fn score(State(state): State<Arc<AppState>>, named: Result<Named, ServeError>, request: Request) -> Replied {
    let (head, body) = request.into_parts();
    let mut incoming = Incoming::new(&head.headers, body, state.service.limits())?;
    let served = match find(&state, named) {
        Ok(served) => served,
        Err(refusal) => {
            incoming.discard().await;
            return Err(refusal.into());
        }
    };
    let answered = answer(&state, &served, &head.headers, &mut incoming).await;
    let (mut response, rows) = match answered {
        Ok(answered) => answered,
        Err(refusal) => {
            incoming.discard().await;
            (axum::response::IntoResponse::into_response(Refusal(refusal)), 0)
        }
    };
    response.extensions_mut().insert(Scored { served, protocol: Protocol::InferenceRest, rows });
    Ok(response)
}

async fn answer(
    state: &AppState,
    served: &Arc<ServedModel>,
    headers: &HeaderMap,
    incoming: &mut Incoming,
) -> Result<(Response, usize), ServeError> {
    let began = Instant::now();
    let body = incoming.whole().await?;
    let json_length = json_length(headers, body.len())?;
    let limits = *state.service.limits();
    // A column of a row is two bytes of JSON at least.
    let work = Work::new(body.len(), body.len() / (2 * served.columns().max(1)), served);
    let served = Arc::clone(served);
    let job = move || {
        let (text, binary) = body.split_at(json_length);
        if text.is_empty() {
            return Err(ServeError::EmptyBody { expected: "an inference request in JSON" });
        }
        let request = wire::Request::read(text)?;
        let patience = request.timeout_micros().map(Duration::from_micros);
        let check =
            || if patience.is_some_and(|most| began.elapsed() > most) { Err(ServeError::Deadline) } else { Ok(()) };
        check()?;
        let (policy, outputs) = (request.policy(served.policy())?, request.outputs(&served)?);
        let answers = infer(&served, policy, &request.tensors(binary)?, &limits)?;
        check()?;
        Ok((wire::Response::new(request.id.as_deref(), &answers, &outputs)?, answers.rows))
    };
    let (response, rows) = state.service.compute(work, state.service.deadline(), job).await?;
    Ok((reply_with(response), rows))
}

/// A body that is JSON alone says nothing about its length.
fn json_length(headers: &HeaderMap, body: usize) -> Result<usize, ServeError> {
    let Some(given) = headers.get(JSON_LENGTH) else { return Ok(body) };
    let length = given.to_str().ok().and_then(|text| text.parse().ok()).filter(|&length: &usize| length <= body);
    length.ok_or_else(|| invalid(format!("{JSON_LENGTH}: expected a number of bytes that the body has")))
}

fn reply_with(response: wire::Response) -> Response {
    let wire::Response { mut json, mut binary } = response;
    if binary.is_empty() {
        return reply::json(StatusCode::OK, json);
    }
    let length = HeaderValue::from(json.len());
    json.append(&mut binary);
    let mut reply = reply::typed(StatusCode::OK, "application/octet-stream", json);
    reply.headers_mut().insert(JSON_LENGTH, length);
    reply
}
