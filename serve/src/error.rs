//! What can go wrong with a request, and what each protocol calls it.

use std::time::Duration;

use axum::http::StatusCode;

/// A request that is refused. Messages name rows (counted from 1) and columns, and never a value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what each variant is, the fields are what they name")]
pub enum ServeError {
    #[error("the body is empty: expected a JSON object (one row) or an array of objects")]
    EmptyBody,
    #[error("the body is not UTF-8: byte {offset} (counted from 0) does not fit")]
    NotUtf8 { offset: usize },
    #[error("the body is not JSON: {problem}")]
    NotJson { problem: String },
    #[error("expected a JSON object (one row) or an array of objects")]
    NotRows,
    #[error("row {row}: expected an object with a value for each column")]
    NotAnObject { row: usize },
    #[error(
        "row {row}, column `{column}`: expected a number, a text, true, false or null, found an object or an array"
    )]
    NestedValue { row: usize, column: String },
    #[error("row {row}: column `{column}` is given twice")]
    RepeatedColumn { row: usize, column: String },
    #[error("more than {limit} rows: send them in several requests")]
    TooManyRows { limit: usize },
    #[error("the answer would be longer than {limit} bytes: send fewer rows in a request")]
    AnswerTooLong { limit: usize },
    #[error("the body is longer than {limit} bytes: send fewer rows in a request")]
    BodyTooLong { limit: usize },
    #[error("the body did not arrive within {} s", limit.as_secs_f64())]
    BodyTimeout { limit: Duration },
    #[error("the body broke off")]
    BodyBrokenOff,
    #[error("content type `{given}`: expected application/json")]
    ContentType { given: String },
    #[error("content encoding `{given}`: expected a body that is not compressed")]
    ContentEncoding { given: String },
    #[error("no model `{name}`: this server has {served}")]
    UnknownModel { name: String, served: String },
    #[error("which model? this server has {served}: use /models/NAME/score and /models/NAME/schema")]
    WhichModel { served: String },
    #[error(
        "no such route: expected /score, /schema, /models/NAME/score, /models/NAME/schema, /health/live or /health/ready"
    )]
    NoRoute,
    #[error("the route does not take this method: the `allow` header names those it takes")]
    Method,
    #[error("the server is busy: {limit} requests wait already, try again later")]
    Busy { limit: usize },
    #[error("internal error: the server's log says more")]
    Internal,
}

impl ServeError {
    /// The HTTP status.
    pub fn status(&self) -> StatusCode {
        self.row().0
    }

    /// The name of this kind of error, for programs.
    pub fn code(&self) -> &'static str {
        self.row().1
    }

    /// The one table from error to what is on the wire.
    fn row(&self) -> (StatusCode, &'static str) {
        match self {
            Self::EmptyBody => (StatusCode::BAD_REQUEST, "empty_body"),
            Self::NotUtf8 { .. } | Self::NotJson { .. } => (StatusCode::BAD_REQUEST, "invalid_json"),
            Self::NotRows | Self::NotAnObject { .. } => (StatusCode::BAD_REQUEST, "invalid_row"),
            Self::NestedValue { .. } => (StatusCode::BAD_REQUEST, "nested_value"),
            Self::RepeatedColumn { .. } => (StatusCode::BAD_REQUEST, "repeated_column"),
            Self::TooManyRows { .. } => (StatusCode::BAD_REQUEST, "too_many_rows"),
            Self::AnswerTooLong { .. } => (StatusCode::BAD_REQUEST, "answer_too_long"),
            Self::BodyBrokenOff => (StatusCode::BAD_REQUEST, "body_broken_off"),
            Self::WhichModel { .. } => (StatusCode::BAD_REQUEST, "which_model"),
            Self::UnknownModel { .. } => (StatusCode::NOT_FOUND, "unknown_model"),
            Self::NoRoute => (StatusCode::NOT_FOUND, "no_route"),
            Self::Method => (StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed"),
            Self::BodyTimeout { .. } => (StatusCode::REQUEST_TIMEOUT, "body_timeout"),
            Self::BodyTooLong { .. } => (StatusCode::PAYLOAD_TOO_LARGE, "body_too_long"),
            Self::ContentType { .. } => (StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_content_type"),
            Self::ContentEncoding { .. } => (StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_content_encoding"),
            Self::Busy { .. } => (StatusCode::SERVICE_UNAVAILABLE, "busy"),
            Self::Internal => (StatusCode::INTERNAL_SERVER_ERROR, "internal"),
        }
    }
}
