//! Which model a path names.

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use serde::Deserialize;

use crate::error::ServeError;

/// The model, and its version, in a path: neither in `/score`.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Named {
    pub name: Option<String>,
    pub version: Option<String>,
}

impl Named {
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    pub fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Named {
    type Rejection = ServeError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ServeError> {
        match Path::from_request_parts(parts, state).await {
            Ok(Path(named)) => Ok(named),
            // Bytes that are no text name no model.
            Err(_) => Err(ServeError::NoRoute),
        }
    }
}
