//! The native REST API: rows in any format, answers in any format.
//!
//! | route | answer |
//! |---|---|
//! | `POST /score` | the predictions for the rows of the body |
//! | `GET /schema` | columns, types, levels and ranges, classes, and a row that can be posted to `/score` as it is |
//! | `POST /models/NAME/score`, `GET /models/NAME/schema` | the same by name; a must where several models are served |
//! | `…/models/NAME/versions/VERSION/…` | the same of one version, by its name or a label |
//! | `GET /models` | the models, their versions and labels |
//! | `PUT`, `DELETE /models/NAME/labels/LABEL` | moves or removes a label: `{"version": "2"}`; `default` decides what requests get that name no version |
//! | `POST /models/NAME/load`, `POST /models/NAME/unload` | reads the files of a model anew, or takes it out |
//! | `GET /health/live` | 200 `{"live":true}` as long as the process answers |
//! | `GET /health/ready` | 200 `{"ready":true}`, or 503 `{"ready":false}` once the server is stopping |
//! | `GET /health/startup` | as `live`: the server listens when its models are loaded |
//! | `GET /metrics` | counts and times, for Prometheus |
//!
//! A row of JSON is an object with values by column name: numbers, texts, booleans or null; see [`crate::Service`] for what
//! they mean. Its answer is `{"predict": "yes", "probabilities": {"no": 0.25, "yes": 0.75}}`, probabilities in the order of
//! the response's levels, or `{"predict": 1.5}` for a regression. An autoencoder answers with
//! `{"reconstruction": {"reconstr_state.CA": 0.9, "reconstr_age": 41.5}, "mse": 0.02}`, by the names that H2O heads its columns
//! with; `mse` is null where a number is missing. Numbers are the shortest decimals that read back as
//! the same double; what is not finite is null. Where something was noticed the answer also has `warnings`, an array of
//! `{"code", "columns", "count", "message"}`, one for each [`crate::WarningKind`]; where nothing was, there is no such
//! key. Of tables, and in formats that have no place for them, the warnings for all rows are in the header `x-warnings`.
//!
//! The format of the body is that of its content type, JSON without one or with that which curl sends by itself
//! (`application/x-www-form-urlencoded`). The answer has the first format of `accept` that there is, and that of the body
//! without one. JSON and NDJSON are UTF-8; CSV has a header, commas, and nothing, `NA`, `N/A` or `-` where a value is missing.
//!
//! The query may have the options of [`crate::Policy`]: `?unknown_levels=error&threshold=0.3`.
//!
//! A refused request gets `{"error": {"code": "nested_value", "message": "row 3, column `age`: …"}}` with the status of
//! [`crate::ServeError`], and a `retry-after` header where trying again may help. The first row at fault refuses the
//! request as a whole, unless its answer is being sent already: then that breaks off. Rows are counted from 1.

mod models;
mod schema;
mod score;

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post, put};

use crate::app::AppState;
use crate::http::reply;

pub(crate) use self::models::load_model;

pub(crate) fn routes() -> Router<Arc<AppState>> {
    Router::new()
        .route("/score", post(score::score))
        .route("/schema", get(schema::schema))
        .route("/models", get(models::list))
        .route("/models/{name}/score", post(score::score))
        .route("/models/{name}/schema", get(schema::schema))
        .route("/models/{name}/versions/{version}/score", post(score::score))
        .route("/models/{name}/versions/{version}/schema", get(schema::schema))
        .route("/models/{name}/labels/{label}", put(models::set_label).delete(models::remove_label))
        .route("/models/{name}/load", post(models::load))
        .route("/models/{name}/unload", post(models::unload))
        .route("/health/live", get(live))
        .route("/health/startup", get(live))
        .route("/health/ready", get(ready))
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
