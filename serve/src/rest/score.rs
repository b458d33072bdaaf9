//! `POST /score` and `POST /models/NAME/score`.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::Response;

use super::{AppState, body, reply, rows};
use crate::error::ServeError;
use crate::service::Work;

pub(super) async fn only(State(state): State<Arc<AppState>>, request: Request) -> Result<Response, ServeError> {
    score(&state, None, request).await
}

pub(super) async fn named(
    State(state): State<Arc<AppState>>,
    name: Result<Path<String>, PathRejection>,
    request: Request,
) -> Result<Response, ServeError> {
    let Path(name) = name.map_err(|_| ServeError::NoRoute)?;
    score(&state, Some(&name), request).await
}

async fn score(state: &AppState, name: Option<&str>, request: Request) -> Result<Response, ServeError> {
    let limits = state.limits;
    // First, so that whatever is refused, the client has sent its body and reads the answer.
    let body = body::read_json(request, &limits).await?;
    let served = state.service.model(name)?;
    let work = Work::new(body.len(), most_rows(&body).min(limits.rows), &served);
    let answers = state.service.compute(work, move || rows::score(&served, &body, &limits)).await?;
    Ok(reply::json(StatusCode::OK, answers))
}

/// A bound on the number of rows: none is without a brace.
#[expect(clippy::naive_bytecount, reason = "next to reading the JSON it is nothing")]
fn most_rows(body: &[u8]) -> usize {
    body.iter().filter(|&&byte| byte == b'{').count()
}
