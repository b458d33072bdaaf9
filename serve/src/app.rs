//! All routes of the server.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;

use crate::error::ServeError;
use crate::http::{Observe, reply};
use crate::service::Service;
use crate::{metrics, rest};

/// What the routes share.
#[derive(Debug)]
pub struct AppState {
    pub(crate) service: Service,
    pub(crate) options: Options,
    draining: AtomicBool,
}

/// What the operator allows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether requests may load and unload models, and move their labels.
    pub admin: bool,
    /// Whether each request is logged.
    pub access_log: bool,
}

impl AppState {
    /// The state of a server that is ready.
    pub fn new(service: Service, options: Options) -> Arc<Self> {
        Arc::new(Self { service, options, draining: AtomicBool::new(false) })
    }

    /// From now on `/health/ready` says no. Requests are answered all the same: those who send them may not know yet.
    pub fn drain(&self) {
        self.draining.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_ready(&self) -> bool {
        !self.draining.load(Ordering::Relaxed)
    }

    /// Refuses what changes models, unless it is allowed.
    pub(crate) fn check_admin(&self) -> Result<(), ServeError> {
        if self.options.admin { Ok(()) } else { Err(ServeError::AdminClosed) }
    }
}

/// All routes.
pub fn app(state: Arc<AppState>) -> Router {
    let observe = Observe { access_log: state.options.access_log };
    rest::routes()
        .route("/metrics", get(prometheus))
        .fallback(async || ServeError::NoRoute)
        .method_not_allowed_fallback(async || ServeError::Method)
        .layer(observe)
        .with_state(state)
}

async fn prometheus(State(state): State<Arc<AppState>>) -> Response {
    let text = metrics::exposition(state.service.registry(), state.is_ready());
    reply::typed(StatusCode::OK, "text/plain; version=0.0.4; charset=utf-8", text)
}
