//! Serves MOJOs over HTTP: rows in, predictions out, the numbers those of [`model::Model::score`].
//!
//! [`Registry`] reads the models, [`Service`] turns requests into predictions whatever the protocol, [`app`] has the routes
//! of all protocols in front of it, and [`run`] is the server around that. Read `service` first, then `wire` (the formats of
//! rows and answers), `rest` (the native API), `registry`, `http` (bodies and replies), `server` (connections and how they
//! end), `error` and `metrics`.
//!
//! ```no_run
//! # async fn serve() -> Result<(), Box<dyn std::error::Error>> {
//! use std::sync::Arc;
//!
//! use serve::{AppState, Limits, Options, Registry, Service};
//!
//! let registry = Arc::new(Registry::load(&["model.zip".into()])?);
//! let state = AppState::new(Service::new(registry, Limits::default()), Options::default());
//! let shutdown = serve::shutdown_signal()?;
//! let listener = serve::bind("127.0.0.1:8080").await?;
//! serve::run(listener, state, None, shutdown).await;
//! # Ok(())
//! # }
//! ```

mod app;
mod config;
mod error;
#[cfg(test)]
mod fixtures;
mod http;
mod limits;
mod metrics;
mod mlflow;
mod oip;
mod registry;
mod rest;
mod server;
mod service;
mod wire;

pub use app::{AppState, Options, app, grpc, web};
pub use config::{Config, ConfigError, LimitsConfig};
pub use error::ServeError;
pub use limits::Limits;
pub use registry::{DEFAULT_LABEL, Listed, ModelOptions, Registry, RegistryError, Repository, ServedModel, Version};
pub use server::{Listeners, StartError, bind, run, shutdown_signal};
pub use service::{
    Answer, InvalidNumbers, Policy, Predictions, Scoring, Service, Setting, UnknownLevels, Value, Warning, WarningKind,
    Work,
};
