//! The routes, called without a socket.

use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode};
use serde_json::{Value, json};
use tower::ServiceExt;

use super::*;
use crate::app::{Options, app};
use crate::error::ServeError;
use crate::fixtures::{autoencoder, binomial, multinomial, panicking, registry, regression};
use crate::limits::Limits;
use crate::registry::{Registry, ServedModel};
use crate::service::Service;

mod formats;
mod refusals;
mod routes;
mod scoring;

fn state(registry: Arc<Registry>) -> Arc<AppState> {
    AppState::new(Service::new(registry, Limits::default()), Options::default())
}

/// A server of one model.
fn one(model: model::Model) -> Router {
    app(state(registry([("m", model)])))
}

async fn send(app: &Router, request: Request<Body>) -> (StatusCode, String) {
    let response = app.clone().oneshot(request).await.expect("the routes never fail");
    let status = response.status();
    assert_eq!(response.headers()["content-type"], "application/json");
    let body = to_bytes(response.into_body(), usize::MAX).await.expect("a body");
    (status, String::from_utf8(body.to_vec()).expect("JSON is UTF-8"))
}

fn request(method: Method, path: &str, body: impl Into<Body>) -> Request<Body> {
    Request::builder().method(method).uri(path).body(body.into()).expect("a request")
}

async fn get_json(app: &Router, path: &str) -> (StatusCode, Value) {
    let (status, body) = send(app, request(Method::GET, path, "")).await;
    (status, serde_json::from_str(&body).expect("JSON"))
}

/// The bytes of the answer to a body of one content type in another, and its headers.
async fn exchange(app: &Router, from: &str, to: &str, body: impl Into<Body>) -> (HeaderMap, Vec<u8>) {
    let request = Request::post("/score").header("content-type", from).header("accept", to).body(body.into());
    let response = app.clone().oneshot(request.expect("a request")).await.expect("the routes never fail");
    let (head, body) = response.into_parts();
    let body = to_bytes(body, usize::MAX).await.expect("a body").to_vec();
    assert_eq!(head.status, StatusCode::OK, "{}", String::from_utf8_lossy(&body));
    (head.headers, body)
}

/// The answer to a body that is sent to a path.
async fn post_to(app: &Router, path: &str, body: impl Into<Body>) -> (StatusCode, String) {
    send(app, request(Method::POST, path, body)).await
}

/// The answer to a body that is scored.
async fn scored(app: &Router, body: impl Into<Body>) -> String {
    let (status, body) = post_to(app, "/score", body).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    body
}

/// Status, code and message of a refusal.
async fn refused(app: &Router, request: Request<Body>) -> (u16, String, String) {
    let (status, body) = send(app, request).await;
    let body: Value = serde_json::from_str(&body).expect("JSON");
    let field = |name: &str| body["error"][name].as_str().expect("a text").to_owned();
    (status.as_u16(), field("code"), field("message"))
}
