//! All routes of the server.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use tokio::sync::watch;

use crate::error::ServeError;
use crate::http::{Observe, reply};
use crate::service::Service;
use crate::{metrics, mlflow, oip, rest};

/// What the routes share.
#[derive(Debug)]
pub struct AppState {
    pub(crate) service: Service,
    pub(crate) options: Options,
    draining: watch::Sender<bool>,
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
        Arc::new(Self { service, options, draining: watch::Sender::new(false) })
    }

    /// From now on `/health/ready` says no. Requests are answered all the same: those who send them may not know yet.
    pub fn drain(&self) {
        self.draining.send_replace(true);
    }

    pub(crate) fn is_ready(&self) -> bool {
        !*self.draining.borrow()
    }

    /// Tells when the server begins to stop.
    pub(crate) fn watch_draining(&self) -> watch::Receiver<bool> {
        self.draining.subscribe()
    }

    /// Refuses what changes models, unless it is allowed.
    pub(crate) fn check_admin(&self) -> Result<(), ServeError> {
        if self.options.admin { Ok(()) } else { Err(ServeError::AdminClosed) }
    }
}

/// The routes of every protocol: those of gRPC are told from the others by their paths.
pub fn app(state: Arc<AppState>) -> Router {
    // A service that there is not is a path that there is not.
    let grpc = grpc(&state).reset_fallback();
    web(state).merge(grpc)
}

/// The routes of every protocol but gRPC.
pub fn web(state: Arc<AppState>) -> Router {
    let observe = Observe { access_log: state.options.access_log };
    rest::routes()
        .merge(oip::rest_routes())
        .merge(mlflow::routes())
        .route("/metrics", get(prometheus))
        .fallback(async || ServeError::NoRoute)
        .method_not_allowed_fallback(async || ServeError::Method)
        .layer(observe)
        .with_state(state)
}

/// The routes of gRPC.
pub fn grpc(state: &Arc<AppState>) -> Router {
    oip::grpc_routes(state)
}

async fn prometheus(State(state): State<Arc<AppState>>) -> Response {
    let text = metrics::exposition(state.service.registry(), state.is_ready());
    reply::typed(StatusCode::OK, "text/plain; version=0.0.4; charset=utf-8", text)
}
