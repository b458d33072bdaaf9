//! Connections: from a bound address to the routes, until the server is told to stop.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use self::patient::Patient;
use crate::app::{self, AppState};
use crate::limits::Limits;
use crate::registry;

mod patient;

/// A server that does not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what each variant is, the fields are what they name")]
pub enum StartError {
    #[error("address {address} is already in use: choose another with --listen")]
    AddressInUse { address: String },
    #[error("no permission to listen on {address}: ports below 1024 are for root, choose another with --listen")]
    NoPermission { address: String },
    #[error("address {address} is not one of this machine: choose another with --listen")]
    AddressNotAvailable { address: String },
    #[error("`{address}` is no address: expected HOST:PORT such as 127.0.0.1:8080")]
    NoAddress { address: String },
    #[error("cannot listen on {address}")]
    Listen { address: String, source: io::Error },
    #[error("cannot watch for signals")]
    Signals { source: io::Error },
}

/// Listens on `HOST:PORT`. Port 0 lets the system choose one; the listener knows which.
pub async fn bind(address: &str) -> Result<TcpListener, StartError> {
    let bound = TcpListener::bind(address).await;
    let address = address.to_owned();
    bound.map_err(|source| match source.kind() {
        io::ErrorKind::AddrInUse => StartError::AddressInUse { address },
        io::ErrorKind::PermissionDenied => StartError::NoPermission { address },
        io::ErrorKind::AddrNotAvailable => StartError::AddressNotAvailable { address },
        io::ErrorKind::InvalidInput => StartError::NoAddress { address },
        _ => StartError::Listen { address, source },
    })
}

/// Completes on SIGTERM or ctrl-C. From this call on, and not only once it is awaited, these no longer end the process.
pub fn shutdown_signal() -> Result<impl Future<Output = ()> + Send, StartError> {
    let watch = |kind| signal(kind).map_err(|source| StartError::Signals { source });
    let (mut terminate, mut interrupt) = (watch(SignalKind::terminate())?, watch(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

/// Where a server listens.
#[derive(Debug)]
pub struct Listeners {
    /// For every protocol; for all but gRPC, where that has an address of its own.
    pub web: TcpListener,
    /// For gRPC alone.
    pub grpc: Option<TcpListener>,
}

impl From<TcpListener> for Listeners {
    fn from(web: TcpListener) -> Self {
        Self { web, grpc: None }
    }
}

/// Serves until `shutdown` completes. Then `/health/ready` says no, no connection is accepted any more, idle ones are
/// closed, and requests in flight may finish within the deadline of the limits.
///
/// Where the models are in a folder that is `watch`ed, it is looked at so often.
pub async fn run(
    listeners: impl Into<Listeners>,
    state: Arc<AppState>,
    watch: Option<Duration>,
    shutdown: impl Future<Output = ()>,
) {
    let Listeners { web, grpc } = listeners.into();
    let (limits, models) = (*state.service.limits(), state.service.registry().names());
    tracing::info!(address = web.local_addr().ok().map(tracing::field::display), models, "serving");
    let draining = GracefulShutdown::new();
    let registry = state.service.registry();
    // Dropped at the end, it ends what is still open.
    let mut others = JoinSet::new();
    if let Some(interval) = watch.filter(|_| registry.repository().has_folder()) {
        others.spawn(registry::watch(Arc::clone(registry), interval));
    }
    let (mut connections, mut calls) = (JoinSet::new(), JoinSet::new());
    let slots = Arc::new(Semaphore::new(limits.connections));
    let accepting = async {
        let slots = || Arc::clone(&slots);
        match &grpc {
            None => accept(&web, &app::app(Arc::clone(&state)), &limits, slots(), &draining, &mut connections).await,
            Some(grpc) => {
                let (web_routes, grpc_routes) = (app::web(Arc::clone(&state)), app::grpc(&state));
                tokio::join!(
                    accept(&web, &web_routes, &limits, slots(), &draining, &mut connections),
                    accept(grpc, &grpc_routes, &limits, slots(), &draining, &mut calls),
                );
            }
        }
    };
    tokio::select! {
        () = shutdown => {}
        () = accepting => {}
    }
    state.drain();
    drop((web, grpc));
    tracing::info!(connections = draining.count(), "stopping");
    if timeout(limits.shutdown_deadline, draining.shutdown()).await.is_ok() {
        tracing::info!("stopped");
    } else {
        tracing::warn!("stopped at the deadline, with requests in flight");
    }
}

/// Accepts connections for ever.
async fn accept(
    listener: &TcpListener,
    routes: &Router,
    limits: &Limits,
    slots: Arc<Semaphore>,
    draining: &GracefulShutdown,
    connections: &mut JoinSet<()>,
) {
    // The semaphore is never closed.
    while let Ok(slot) = Arc::clone(&slots).acquire_owned().await {
        match listener.accept().await {
            Ok((stream, _)) => {
                // Forget those that have ended.
                while connections.try_join_next().is_some() {}
                let connection = converse(stream, routes.clone(), *limits, draining.watcher());
                connections.spawn(async move {
                    connection.await;
                    drop(slot);
                });
            }
            Err(error) => {
                // Mostly too many open files: it passes when connections end.
                tracing::warn!(%error, "cannot accept a connection");
                sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

/// What the header of a request of HTTP/2 may be long; HTTP/1 has the like by itself.
const HEADER_BYTES: u32 = 64 << 10;

/// Answers the requests of one connection, in HTTP/1 or HTTP/2 as its first bytes say.
async fn converse(stream: TcpStream, routes: Router, limits: Limits, draining: Watcher) {
    // An answer is written in one piece; waiting for more to send would only delay it.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "cannot set TCP_NODELAY");
    }
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(limits.header_timeout);
    // A connection of HTTP/2 has no header to wait for: one whose other end is gone, or does nothing, ends by itself.
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(limits.header_timeout / 2)
        .keep_alive_timeout(limits.write_timeout)
        .max_concurrent_streams(limits.streams)
        .max_header_list_size(HEADER_BYTES);
    let stream = TokioIo::new(Patient::new(stream, limits.write_timeout));
    let connection = builder.serve_connection(stream, TowerToHyperService::new(routes));
    if let Err(error) = draining.watch(connection).await {
        tracing::debug!(%error, "connection broken off");
    }
}

#[cfg(test)]
mod tests;
