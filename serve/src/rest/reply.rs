//! Responses with JSON.

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::error::ServeError;

/// A response with this JSON as its body.
pub(super) fn json(status: StatusCode, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

impl IntoResponse for ServeError {
    fn into_response(self) -> Response {
        let (status, code) = (self.status(), self.code());
        if self == Self::Internal {
            tracing::error!(status = status.as_u16(), code, "request failed");
        } else {
            tracing::debug!(status = status.as_u16(), code, "request refused");
        }
        let body = json!({ "error": { "code": code, "message": self.to_string() } });
        let mut response = json(status, body.to_string());
        if let Self::Busy { .. } = self {
            // Seconds. What waits takes about as long: bodies are bounded, and so is what a row costs.
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}
