//! What happens to a request: cells under column names become predictions with warnings. Every protocol comes through
//! here, and only translates.
//!
//! A protocol asks the [`Service`] for a model, and fills the blocks of a [`Scoring`] with it: row by row where rows come as
//! cells, column by column where they come as columns. Nothing but a block is kept, so a request of any length needs the
//! memory of one. What a cell means is decided in one place for all protocols, and a [`Policy`] says what is refused:
//!
//! | cell | in a numeric column | in a categorical column |
//! |---|---|---|
//! | null, absent, NaN | missing | missing |
//! | number | the number | the level of that text (`3` for 3.0), with a warning |
//! | text | the number it reads as, or missing with a warning | the level, or missing with a warning |
//! | boolean | 1 or 0 | the level `true` or `false`, or missing with a warning |

mod compute;
mod policy;
mod predictions;
mod scoring;
mod value;
mod warning;

use std::sync::Arc;

use tokio::time::Instant;

pub use self::compute::Work;
pub use self::policy::{InvalidNumbers, Policy, Setting, UnknownLevels};
pub use self::predictions::{Answer, Predictions};
pub use self::scoring::Scoring;
pub use self::value::Value;
pub use self::warning::{Warning, WarningKind};

use self::compute::Processors;
use crate::error::ServeError;
use crate::limits::Limits;
use crate::registry::{Registry, ServedModel};

/// The models, and the processors that score with them.
#[derive(Debug)]
pub struct Service {
    registry: Arc<Registry>,
    limits: Limits,
    processors: Processors,
}

impl Service {
    /// A service of these models.
    pub fn new(registry: Arc<Registry>, limits: Limits) -> Self {
        Self { registry, limits, processors: Processors::new(limits.waiting_jobs) }
    }

    /// The model of this name, or without a name the only one; in this version or under this label, or else in the version
    /// that it has by default.
    pub fn model(&self, name: Option<&str>, version: Option<&str>) -> Result<Arc<ServedModel>, ServeError> {
        self.registry.find(name, version)
    }

    /// The models.
    pub fn registry(&self) -> &Arc<Registry> {
        &self.registry
    }

    /// What a request may ask for.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// When a request that comes now has to be answered.
    pub fn deadline(&self) -> Instant {
        Instant::now() + self.limits.request_timeout
    }

    /// Does a job: at once where it is small, because handing it over would take longer; else on the pool, where it keeps no
    /// other request waiting, and refused where too many such jobs wait already or the deadline passes first. A job that
    /// panics is an internal error and no more.
    pub async fn compute<T: Send + 'static>(
        &self,
        work: Work,
        deadline: Instant,
        job: impl FnOnce() -> Result<T, ServeError> + Send + 'static,
    ) -> Result<T, ServeError> {
        self.processors.run(work, deadline, job).await
    }
}

#[cfg(test)]
mod tests;
