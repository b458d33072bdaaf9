//! Responses.

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::json;

use crate::error::ServeError;

/// A response with a body of this content type.
pub(crate) fn typed(status: StatusCode, media_type: &'static str, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    response
}

/// A response with this JSON as its body.
pub(crate) fn json(status: StatusCode, body: impl Into<Body>) -> Response {
    typed(status, "application/json", body)
}

/// A response with a value as JSON.
pub(crate) fn value(value: &impl Serialize) -> Result<Response, ServeError> {
    let body = serde_json::to_vec(value).map_err(|_| ServeError::Internal)?;
    Ok(json(StatusCode::OK, body))
}

/// A refusal in a protocol's own words.
pub(crate) fn refusal(error: &ServeError, body: &serde_json::Value) -> Response {
    let mut response = json(error.status(), body.to_string());
    if let ServeError::Busy { .. } = error {
        // Seconds. What waits takes about as long: bodies are bounded, and so is what a row costs.
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
    }
    response.extensions_mut().insert(Refused { code: error.code() });
    response
}

/// What the access log says of a request that was refused.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Refused {
    pub code: &'static str,
}

/// In the words of the native API.
impl IntoResponse for ServeError {
    fn into_response(self) -> Response {
        refusal(&self, &json!({ "error": { "code": self.code(), "message": self.to_string() } }))
    }
}
