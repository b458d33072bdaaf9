//! What `MLflow`'s scoring server offers: `/invocations`, `/ping`, `/health` and `/version`.
//!
//! JSON is one of `dataframe_split`, `dataframe_records`, `instances` and `inputs`, with `params` beside it: the options of
//! [`crate::Policy`], and `predict_method`: `predict` for labels or values, `predict_proba` for a list of probabilities, `all`
//! for an object as the native API has it. CSV, Parquet, NDJSON and Arrow streams are tables.

mod json;
mod predictions;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::json;

use self::predictions::Predicted;
use crate::app::AppState;
use crate::error::ServeError;
use crate::http::{Incoming, Scored, reply};
use crate::metrics::Protocol;
use crate::registry::ServedModel;
use crate::service::{Scoring, Work};
use crate::wire::{Format, Reader, Sink};

pub(crate) fn routes() -> Router<Arc<AppState>> {
    Router::new()
        .route("/invocations", post(invocations))
        .route("/ping", get(ping).post(ping))
        .route("/health", get(ping).post(ping))
        .route("/version", get(async || reply::typed(StatusCode::OK, "text/plain; charset=utf-8", VERSION)))
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A refusal in the words of `MLflow`.
struct Refusal(ServeError);

impl From<ServeError> for Refusal {
    fn from(error: ServeError) -> Self {
        Self(error)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let message = self.0.to_string();
        if let ServeError::ContentType { .. } | ServeError::ContentEncoding { .. } = self.0 {
            return reply::typed(self.0.status(), "text/plain; charset=utf-8", message);
        }
        let code = match self.0.status() {
            StatusCode::INTERNAL_SERVER_ERROR => "INTERNAL_ERROR",
            StatusCode::NOT_FOUND => "RESOURCE_DOES_NOT_EXIST",
            StatusCode::SERVICE_UNAVAILABLE => "TEMPORARILY_UNAVAILABLE",
            StatusCode::GATEWAY_TIMEOUT => "DEADLINE_EXCEEDED",
            _ => "BAD_REQUEST",
        };
        reply::refusal(&self.0, &json!({ "error_code": code, "message": message }))
    }
}

async fn ping(State(state): State<Arc<AppState>>) -> Response {
    match (state.is_ready(), state.service.registry().models().is_empty()) {
        (true, false) => reply::json(StatusCode::OK, "\n"),
        (true, true) => reply::json(StatusCode::NOT_FOUND, "\n"),
        (false, _) => reply::json(StatusCode::SERVICE_UNAVAILABLE, "\n"),
    }
}

async fn invocations(State(state): State<Arc<AppState>>, request: Request) -> Result<Response, Refusal> {
    let (head, body) = request.into_parts();
    let mut incoming = Incoming::new(&head.headers, body, state.service.limits())?;
    let served = match state.service.model(None, None) {
        Ok(served) => served,
        Err(refusal) => {
            incoming.discard().await;
            return Err(refusal.into());
        }
    };
    let mut rows = 0;
    let mut response = match answer(&state, &served, &head.headers, &mut incoming, &mut rows).await {
        Ok(response) => response,
        Err(refusal) => {
            incoming.discard().await;
            Refusal(refusal).into_response()
        }
    };
    response.extensions_mut().insert(Scored { served, protocol: Protocol::Mlflow, rows });
    Ok(response)
}

async fn answer(
    state: &AppState,
    served: &Arc<ServedModel>,
    headers: &HeaderMap,
    incoming: &mut Incoming,
    rows: &mut usize,
) -> Result<Response, ServeError> {
    let format = Format::of_body(headers)?;
    let body = incoming.whole().await?;
    let limits = *state.service.limits();
    let work = Work::new(body.len(), body.len() / (2 * served.columns().max(1)), served);
    let served = Arc::clone(served);
    let job = move || {
        if format == Format::Json {
            return json::score(&body, &served, &limits);
        }
        let scoring = Scoring::new(Arc::clone(&served), served.policy())?;
        let mut sink = Sink::new(scoring, Predicted::default(), &limits);
        let mut reader = Reader::new(format, limits.body_bytes);
        sink.start()?;
        reader.push(body, &mut sink)?;
        reader.finish(&mut sink)?;
        sink.finish()?;
        Ok((sink.take(), sink.scoring.rows()))
    };
    let (answer, scored) = state.service.compute(work, state.service.deadline(), job).await?;
    *rows = scored;
    Ok(reply::json(StatusCode::OK, answer))
}

#[cfg(test)]
mod tests;
