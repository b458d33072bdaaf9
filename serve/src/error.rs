//! What can go wrong with a request, and what each protocol calls it.

use std::time::Duration;

use axum::http::StatusCode;
use tonic::Code;

/// A request that is refused. Messages name rows (counted from 1) and columns, and never a value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what each variant is, the fields are what they name")]
pub enum ServeError {
    // The body as a whole
    #[error("the body is empty: expected {expected}")]
    EmptyBody { expected: &'static str },
    #[error("the body is not UTF-8: byte {offset} (counted from 0) does not fit")]
    NotUtf8 { offset: usize },
    #[error("the body is not JSON: {problem}")]
    NotJson { problem: String },
    #[error("line {line} is not JSON: {problem}")]
    LineNotJson { line: usize, problem: String },
    #[error("the body is not {format}: {problem}")]
    NotFormat { format: &'static str, problem: String },
    #[error(
        "the body is longer than {limit} bytes: send fewer rows in a request, or CSV, NDJSON or an Arrow stream, which may be of any length"
    )]
    BodyTooLong { limit: usize },
    #[error("the body did not arrive within {} s", limit.as_secs_f64())]
    BodyTimeout { limit: Duration },
    #[error("the body broke off")]
    BodyBrokenOff,
    #[error("content type `{given}`: expected {expected}")]
    ContentType { given: String, expected: &'static str },
    #[error("accept `{given}`: there is {available}")]
    NotAcceptable { given: String, available: &'static str },
    #[error("content encoding `{given}`: expected gzip, zstd or a body that is not compressed")]
    ContentEncoding { given: String },
    #[error("the body is not {encoding}, or damaged")]
    Compression { encoding: &'static str },

    // Rows
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
    #[error("column `{column}` is given twice")]
    RepeatedName { column: String },
    #[error("row {row}: the model has no column `{column}`")]
    UnknownColumn { row: usize, column: String },
    #[error("the model has no column `{column}`")]
    UnknownName { column: String },
    #[error("row {row}: column `{column}` is absent")]
    AbsentColumn { row: usize, column: String },
    #[error("column `{column}` is absent")]
    AbsentName { column: String },
    #[error("row {row}, column `{column}`: expected one of its {levels} levels")]
    UnknownLevel { row: usize, column: String, levels: usize },
    #[error("row {row}, column `{column}`: expected a number")]
    InvalidNumber { row: usize, column: String },
    #[error("row {row}, column `{column}`: expected {expected}, found a value of another type")]
    WrongType { row: usize, column: String, expected: &'static str },
    #[error("row {row}: expected {expected} cells, found {found}")]
    WrongWidth { row: usize, expected: usize, found: usize },
    #[error("column `{column}`: values of type {found} cannot be scored")]
    ColumnType { column: String, found: String },
    #[error("more than {limit} rows: send them in several requests")]
    TooManyRows { limit: usize },
    #[error("the answer would be longer than {limit} bytes: send fewer rows in a request")]
    AnswerTooLong { limit: usize },

    // What is asked for
    #[error("{problem}")]
    InvalidRequest { problem: String },
    #[error("option `{option}`: expected {expected}")]
    InvalidOption { option: String, expected: String },
    #[error("no option `{option}`: expected {expected}")]
    UnknownOption { option: String, expected: String },
    #[error("{wanted} needs {needed}")]
    Unsupported { wanted: &'static str, needed: &'static str },
    #[error("no model `{name}`: this server has {served}")]
    UnknownModel { name: String, served: String },
    #[error("model `{name}` has no version or label `{version}`: it has {served}")]
    UnknownVersion { name: String, version: String, served: String },
    #[error("which model? this server has {served}: name it in the path, as in /models/NAME/score")]
    WhichModel { served: String },
    #[error(
        "no such route: POST /score scores rows, GET /schema says of what columns, GET /models lists what is served"
    )]
    NoRoute,
    #[error("the route does not take this method: the `allow` header names those it takes")]
    Method,
    #[error("models are not changed by requests here: start the server with --admin to allow it")]
    AdminClosed,
    #[error("not loaded: {reason}")]
    NotLoaded { reason: String },

    // The server
    #[error("the server is busy: {limit} requests wait already, try again later")]
    Busy { limit: usize },
    #[error("the request was not answered within its time")]
    Deadline,
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

    /// The code of gRPC.
    pub fn grpc_code(&self) -> Code {
        match self.status() {
            StatusCode::FORBIDDEN => Code::PermissionDenied,
            StatusCode::NOT_FOUND => Code::NotFound,
            StatusCode::REQUEST_TIMEOUT | StatusCode::GATEWAY_TIMEOUT => Code::DeadlineExceeded,
            StatusCode::PAYLOAD_TOO_LARGE => Code::ResourceExhausted,
            StatusCode::UNPROCESSABLE_ENTITY => Code::Unimplemented,
            StatusCode::SERVICE_UNAVAILABLE => Code::Unavailable,
            StatusCode::INTERNAL_SERVER_ERROR => Code::Internal,
            _ => Code::InvalidArgument,
        }
    }

    /// The one table from error to what is on the wire.
    fn row(&self) -> (StatusCode, &'static str) {
        const BAD: StatusCode = StatusCode::BAD_REQUEST;
        match self {
            Self::EmptyBody { .. } => (BAD, "empty_body"),
            Self::NotUtf8 { .. } | Self::NotJson { .. } | Self::LineNotJson { .. } => (BAD, "invalid_json"),
            Self::NotFormat { .. } | Self::Compression { .. } => (BAD, "invalid_body"),
            Self::NotRows | Self::NotAnObject { .. } | Self::WrongWidth { .. } => (BAD, "invalid_row"),
            Self::NestedValue { .. } => (BAD, "nested_value"),
            Self::RepeatedColumn { .. } | Self::RepeatedName { .. } => (BAD, "repeated_column"),
            Self::UnknownColumn { .. } | Self::UnknownName { .. } => (BAD, "unknown_column"),
            Self::AbsentColumn { .. } | Self::AbsentName { .. } => (BAD, "absent_column"),
            Self::UnknownLevel { .. } => (BAD, "unknown_level"),
            Self::InvalidNumber { .. } => (BAD, "invalid_number"),
            Self::WrongType { .. } | Self::ColumnType { .. } => (BAD, "wrong_type"),
            Self::TooManyRows { .. } => (BAD, "too_many_rows"),
            Self::AnswerTooLong { .. } => (BAD, "answer_too_long"),
            Self::BodyBrokenOff => (BAD, "body_broken_off"),
            Self::InvalidRequest { .. } => (BAD, "invalid_request"),
            Self::InvalidOption { .. } | Self::UnknownOption { .. } => (BAD, "invalid_option"),
            Self::WhichModel { .. } => (BAD, "which_model"),
            Self::NotLoaded { .. } => (BAD, "not_loaded"),
            Self::AdminClosed => (StatusCode::FORBIDDEN, "admin_closed"),
            Self::UnknownModel { .. } => (StatusCode::NOT_FOUND, "unknown_model"),
            Self::UnknownVersion { .. } => (StatusCode::NOT_FOUND, "unknown_version"),
            Self::NoRoute => (StatusCode::NOT_FOUND, "no_route"),
            Self::Method => (StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed"),
            Self::NotAcceptable { .. } => (StatusCode::NOT_ACCEPTABLE, "not_acceptable"),
            Self::BodyTimeout { .. } => (StatusCode::REQUEST_TIMEOUT, "body_timeout"),
            Self::BodyTooLong { .. } => (StatusCode::PAYLOAD_TOO_LARGE, "body_too_long"),
            Self::ContentType { .. } => (StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_content_type"),
            Self::ContentEncoding { .. } => (StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_content_encoding"),
            Self::Unsupported { .. } => (StatusCode::UNPROCESSABLE_ENTITY, "unsupported"),
            Self::Busy { .. } => (StatusCode::SERVICE_UNAVAILABLE, "busy"),
            Self::Deadline => (StatusCode::GATEWAY_TIMEOUT, "deadline"),
            Self::Internal => (StatusCode::INTERNAL_SERVER_ERROR, "internal"),
        }
    }
}
