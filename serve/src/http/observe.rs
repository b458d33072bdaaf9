//! What is noted of each request: counts of what was scored, and a line in the access log.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method};
use axum::response::Response;
use tower::{Layer, Service};

use super::reply::Refused;
use crate::metrics::{Outcome, Protocol};
use crate::registry::ServedModel;

/// Which model a response is from.
#[derive(Debug, Clone)]
pub(crate) struct Scored {
    pub served: Arc<ServedModel>,
    pub protocol: Protocol,
    /// Rows that were scored when the answer began.
    pub rows: usize,
}

/// Notes every request, and gives the ids of a request back with its response.
#[derive(Debug, Clone)]
pub(crate) struct Observe {
    pub access_log: bool,
}

impl<S> Layer<S> for Observe {
    type Service = Observed<S>;

    fn layer(&self, inner: S) -> Observed<S> {
        Observed { inner, access_log: self.access_log }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Observed<S> {
    inner: S,
    access_log: bool,
}

impl<S> Service<Request> for Observed<S>
where
    S: Service<Request, Response = Response>,
    S::Future: Send + 'static,
{
    type Response = Response;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let began = Instant::now();
        let ids = Ids::of(request.headers());
        let line = self.access_log.then(|| (request.method().clone(), request.uri().path().to_owned()));
        let answered = self.inner.call(request);
        Box::pin(async move {
            let mut response = answered.await?;
            count(&response, began);
            if let Some((method, path)) = line {
                log(&method, &path, &response, began, &ids);
            }
            ids.give_back(response.headers_mut());
            Ok(response)
        })
    }
}

fn count(response: &Response, began: Instant) {
    let Some(scored) = response.extensions().get::<Scored>() else { return };
    let status = response.status();
    let outcome = match () {
        () if status.is_server_error() => Outcome::Failed,
        () if status.is_client_error() || is_grpc_error(response.headers()) => Outcome::Refused,
        () => Outcome::Answered,
    };
    scored.served.metrics().count(scored.protocol, outcome, began.elapsed());
}

fn is_grpc_error(headers: &HeaderMap) -> bool {
    headers.get("grpc-status").is_some_and(|status| status != "0")
}

fn log(method: &Method, path: &str, response: &Response, began: Instant, ids: &Ids) {
    let scored = response.extensions().get::<Scored>();
    tracing::info!(
        target: "access",
        method = method.as_str(),
        path,
        status = response.status().as_u16(),
        error = response.extensions().get::<Refused>().map(|refused| refused.code),
        micros = began.elapsed().as_micros() as u64,
        model = scored.map(|scored| scored.served.name()),
        version = scored.map(|scored| scored.served.version().as_str()),
        rows = scored.map(|scored| scored.rows),
        request_id = ids.request.as_ref().and_then(|id| id.to_str().ok()),
    );
}

/// What ties a request to the client's own records.
struct Ids {
    request: Option<HeaderValue>,
    trace: Option<HeaderValue>,
}

impl Ids {
    const REQUEST: HeaderName = HeaderName::from_static("x-request-id");
    const TRACE: HeaderName = HeaderName::from_static("traceparent");

    fn of(headers: &HeaderMap) -> Self {
        Self { request: headers.get(Self::REQUEST).cloned(), trace: headers.get(Self::TRACE).cloned() }
    }

    fn give_back(self, headers: &mut HeaderMap) {
        for (name, id) in [(Self::REQUEST, self.request), (Self::TRACE, self.trace)] {
            if let Some(id) = id {
                headers.insert(name, id);
            }
        }
    }
}
