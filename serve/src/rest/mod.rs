//! The native REST API: JSON in, JSON out.
//!
//! | route | answer |
//! |---|---|
//! | `POST /score` | an object (one row) gives an object, an array of objects gives an array in the same order |
//! | `GET /schema` | columns, types and levels, classes, and a row that can be posted to `/score` as it is |
//! | `POST /models/NAME/score`, `GET /models/NAME/schema` | the same by name; a must where several models are served |
//! | `GET /health/live` | 200 `{"live":true}` as long as the process answers |
//! | `GET /health/ready` | 200 `{"ready":true}`, or 503 `{"ready":false}` once the server is stopping |
//!
//! A row is an object with values by column name: numbers, texts, booleans or null; see [`crate::Service`] for what they
//! mean. Its answer is `{"predict": "yes", "probabilities": {"no": 0.25, "yes": 0.75}}`, probabilities in the order of
//! the response's levels, or `{"predict": 1.5}` for a regression. An autoencoder answers with
//! `{"reconstruction": {"reconstr_state.CA": 0.9, "reconstr_age": 41.5}, "mse": 0.02}`, by the names that H2O heads its columns
//! with; `mse` is null where a number is missing. Numbers are the shortest decimals that read back as
//! the same double; what is not finite is null. Where something was noticed the answer also has `warnings`, an array of
//! `{"code", "columns", "count", "message"}`, one for each [`crate::WarningKind`]; where nothing was, there is no such
//! key.
//!
//! The body is UTF-8. Its content type may be absent, any kind of JSON, plain text, or what curl sends by itself
//! (`application/x-www-form-urlencoded`): it is read as JSON. Any other is refused, because it was meant as something
//! else.
//!
//! A refused request gets `{"error": {"code": "nested_value", "message": "row 3, column `age`: …"}}` with the status of
//! [`crate::ServeError`], and a `retry-after` header where trying again may help. The first row at fault refuses the request as a whole. Rows are counted from 1.

mod answer;
mod body;
mod reply;
mod rows;
mod schema;
mod score;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};

use crate::error::ServeError;
use crate::limits::Limits;
use crate::service::Service;

/// What the routes share.
#[derive(Debug)]
pub struct AppState {
    pub(crate) service: Service,
    pub(crate) limits: Limits,
    draining: AtomicBool,
}

impl AppState {
    /// The state of a server that is ready.
    pub fn new(service: Service, limits: Limits) -> Arc<Self> {
        let service = service.with_waiting_jobs(limits.waiting_jobs);
        Arc::new(Self { service, limits, draining: AtomicBool::new(false) })
    }

    /// From now on `/health/ready` says no. Requests are answered all the same: those who send them may not know yet.
    pub fn drain(&self) {
        self.draining.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_ready(&self) -> bool {
        !self.draining.load(Ordering::Relaxed)
    }
}

/// All routes.
pub fn app(state: Arc<AppState>) -> Router {
    Router::new()
        .route("/score", post(score::only))
        .route("/schema", get(schema::only))
        .route("/models/{name}/score", post(score::named))
        .route("/models/{name}/schema", get(schema::named))
        .route("/health/live", get(live))
        .route("/health/ready", get(ready))
        .fallback(async || ServeError::NoRoute)
        .method_not_allowed_fallback(async || ServeError::Method)
        .with_state(state)
}

async fn live() -> Response {
    reply::json(StatusCode::OK, r#"{"live":true}"#)
}

async fn ready(State(state): State<Arc<AppState>>) -> Response {
    if state.is_ready() {
        reply::json(StatusCode::OK, r#"{"ready":true}"#)
    } else {
        reply::json(StatusCode::SERVICE_UNAVAILABLE, r#"{"ready":false}"#)
    }
}

#[cfg(test)]
mod tests;
