//! Serves MOJOs over HTTP: rows in, predictions out, the numbers those of [`model::Model::score`].
//!
//! [`Registry`] reads the models, [`Service`] turns requests into predictions whatever the protocol, [`app`] is the REST
//! API in front of it, and [`run`] the server around that. Read `service` first, then `rest` (the wire, its routes and
//! its JSON), `registry`, `server` (connections and how they end), `error` and `warning`.
//!
//! ```no_run
//! # async fn serve() -> Result<(), Box<dyn std::error::Error>> {
//! use serve::{AppState, Limits, Registry, Service};
//!
//! let registry = Registry::load(&["model.zip".into()])?;
//! let state = AppState::new(Service::new(registry), Limits::default());
//! let shutdown = serve::shutdown_signal()?;
//! let listener = serve::bind("127.0.0.1:8080").await?;
//! serve::run(listener, state, shutdown).await;
//! # Ok(())
//! # }
//! ```

mod error;
#[cfg(test)]
mod fixtures;
mod limits;
mod registry;
mod rest;
mod server;
mod service;
mod warning;

pub use error::ServeError;
pub use limits::Limits;
pub use registry::{Registry, RegistryError, ServedModel};
pub use rest::{AppState, app};
pub use server::{StartError, bind, run, shutdown_signal};
pub use service::{Answer, RowScorer, Service, Value, Work};
pub use warning::{Warning, WarningKind};
