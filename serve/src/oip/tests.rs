//! The protocol, called without a socket.

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode};
use serde_json::{Value, json};

use crate::fixtures::{ask, autoencoder, binomial, get_json, post_json, regression, server};

mod grpc;
mod rest;

/// The answers of the native API to rows.
async fn native(app: &Router, rows: Value) -> Value {
    let (status, answers) = post_json(app, "/score", rows.to_string()).await;
    assert_eq!(status, 200, "{answers}");
    answers
}
