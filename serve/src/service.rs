//! What happens to a request: cells under column names become predictions with warnings. Every protocol comes through
//! here, and only translates.
//!
//! A protocol asks the [`Service`] for a model, and the model for a [`RowScorer`], which takes the cells of a row one by
//! one and answers; nothing is kept from one row to the next, so a request of any length needs the memory of one row.
//! What a cell means is decided in one place for all protocols:
//!
//! | cell | in a numeric column | in a categorical column |
//! |---|---|---|
//! | null, absent, NaN | missing | missing |
//! | number | the number | the level of that text (`3` for 3.0), with a warning |
//! | text | the number it reads as, or missing with a warning | the level, or missing with a warning |
//! | boolean | 1 or 0 | the level `true` or `false`, or missing with a warning |

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::available_parallelism;

use model::{Cell, Encoding, Feature, Prediction, Remark, Workspace};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;

use crate::error::ServeError;
use crate::limits::Limits;
use crate::registry::{Registry, ServedModel};
use crate::warning::{Warning, WarningKind, Warnings};

/// The models, and the processors that score with them.
#[derive(Debug)]
pub struct Service {
    registry: Registry,
    /// One permit for each processor: more large jobs at once would only take turns.
    processors: Arc<Semaphore>,
    /// One permit for each large job that may wait for a processor.
    waiting: Semaphore,
    most_waiting: usize,
}

/// How long a job takes, counted in weights of a net that are multiplied (about a nanosecond each).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Work(usize);

/// One value of a row, as protocols have it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value<'a> {
    /// Null.
    Missing,
    /// A boolean.
    Bool(bool),
    /// A whole number, kept whole: as the name of a level every digit counts.
    Integer(i128),
    /// Any other number; NaN is missing.
    Number(f64),
    /// A text.
    Text(&'a str),
}

/// Scores rows with one model, one row after the other.
#[derive(Debug)]
pub struct RowScorer<'m> {
    served: &'m ServedModel,
    rows: usize,
    values: Vec<f64>,
    /// For each feature the last row that had it.
    given_in: Vec<usize>,
    given: usize,
    /// The feature after the one that was given last: rows mostly come in the order of the schema.
    next: usize,
    warnings: Warnings<'m>,
    workspace: Workspace,
}

/// The answer for one row.
#[derive(Debug, Clone, Copy)]
pub struct Answer<'a> {
    /// The prediction.
    pub prediction: Prediction<'a>,
    /// What the numbers of the prediction are called: the classes, or the columns that an autoencoder reconstructs; empty for
    /// a regression.
    pub names: &'a [String],
    /// What was noticed, one for each kind; mostly nothing.
    pub warnings: &'a [Warning<'a>],
}

impl Service {
    /// A service of these models.
    pub fn new(registry: Registry) -> Self {
        let processors = available_parallelism().map_or(1, usize::from);
        let most_waiting = Limits::default().waiting_jobs;
        Self {
            registry,
            processors: Arc::new(Semaphore::new(processors)),
            waiting: Semaphore::new(most_waiting),
            most_waiting,
        }
    }

    /// The same service with room for so many jobs that wait.
    #[must_use]
    pub fn with_waiting_jobs(self, most_waiting: usize) -> Self {
        let most_waiting = most_waiting.min(Semaphore::MAX_PERMITS);
        Self { waiting: Semaphore::new(most_waiting), most_waiting, ..self }
    }

    /// The model of this name, or without a name the only one.
    pub fn model(&self, name: Option<&str>) -> Result<Arc<ServedModel>, ServeError> {
        self.registry.find(name).cloned()
    }

    /// The models.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Runs a job: at once where it is small, because handing it over would take longer; else where it keeps no other
    /// request waiting, and refused where too many such jobs wait already. A job that panics is an internal error and no
    /// more.
    pub async fn compute<T: Send + 'static>(
        &self,
        work: Work,
        job: impl FnOnce() -> Result<T, ServeError> + Send + 'static,
    ) -> Result<T, ServeError> {
        // What the job had in its hands when it panicked is dropped with it.
        let job = || catch_unwind(AssertUnwindSafe(job)).unwrap_or(Err(ServeError::Internal));
        if work <= Work::SMALL {
            return job();
        }
        let permit = self.processor().await?;
        let job = move || {
            let outcome = job();
            drop(permit);
            outcome
        };
        spawn_blocking(job).await.unwrap_or(Err(ServeError::Internal))
    }

    /// A processor to score with: one that is idle, or the next after those who wait already.
    async fn processor(&self) -> Result<OwnedSemaphorePermit, ServeError> {
        let processors = Arc::clone(&self.processors);
        if let Ok(idle) = Arc::clone(&processors).try_acquire_owned() {
            return Ok(idle);
        }
        let _place = self.waiting.try_acquire().map_err(|_| ServeError::Busy { limit: self.most_waiting })?;
        processors.acquire_owned().await.map_err(|_| ServeError::Internal)
    }
}

impl Work {
    /// What is done where the request is read: about a millisecond.
    pub const SMALL: Self = Self(1_000_000);

    /// To read this many bytes of text, and score this many rows.
    pub fn new(bytes: usize, rows: usize, model: &ServedModel) -> Self {
        /// Reading a byte takes about as long as so many weights.
        const BYTE: usize = 8;
        Self(bytes.saturating_mul(BYTE).saturating_add(rows.saturating_mul(model.row_cost())))
    }
}

impl<'m> RowScorer<'m> {
    /// A scorer that has seen no row yet.
    pub fn new(served: &'m ServedModel) -> Self {
        let features = served.model().schema.features().len();
        Self {
            served,
            rows: 0,
            values: vec![f64::NAN; features],
            given_in: vec![0; features],
            given: 0,
            next: 0,
            warnings: Warnings::default(),
            workspace: Workspace::default(),
        }
    }

    /// Starts a row in which every column is still absent.
    pub fn begin_row(&mut self) {
        self.rows += 1;
        self.values.fill(f64::NAN);
        self.given = 0;
        self.next = 0;
        self.warnings.clear();
    }

    /// The feature that a column of the row is; `None` for a column that the model does not read.
    pub fn column(&mut self, name: &str) -> Option<usize> {
        let found = match self.features().get(self.next) {
            Some(feature) if feature.name == name && self.served.is_addressable(self.next) => Some(self.next),
            _ => self.served.model().schema.index_of(name),
        };
        match found {
            Some(feature) => self.next = feature + 1,
            None if self.served.ignores(name) => {}
            None => self.warnings.note(WarningKind::UnknownColumn, || Cow::Owned(name.to_owned())),
        }
        found
    }

    /// Sets the value of a feature, which is one that [`Self::column`] found.
    pub fn set(&mut self, feature: usize, value: Value<'_>) -> Result<(), ServeError> {
        let column = &self.features()[feature];
        if self.given_in[feature] == self.rows {
            return Err(ServeError::RepeatedColumn { row: self.rows, column: column.name.clone() });
        }
        let (raw, remark) = value.read(column, &self.served.model().encoding);
        self.given_in[feature] = self.rows;
        self.given += 1;
        self.values[feature] = raw;
        if let Some(remark) = remark {
            self.warnings.note(remark.into(), || Cow::Borrowed(column.name.as_str()));
        }
        Ok(())
    }

    /// Scores the row.
    pub fn finish_row(&mut self) -> Answer<'_> {
        self.note_absent_columns();
        let model = self.served.model();
        let names = self.served.names();
        let prediction = model.score(&self.values, &mut self.workspace);
        match prediction {
            Prediction::Value(value) if !value.is_finite() => {
                self.warnings.note(WarningKind::NonFiniteOutput, || Cow::Borrowed("predict"));
            }
            // That an error is NaN says no more than that a number is missing.
            Prediction::Class { probabilities: numbers, .. } | Prediction::Reconstruction { values: numbers, .. } => {
                for (name, _) in names.iter().zip(numbers).filter(|(_, number)| !number.is_finite()) {
                    self.warnings.note(WarningKind::NonFiniteOutput, || Cow::Borrowed(name));
                }
            }
            Prediction::Value(_) => {}
        }
        Answer { prediction, names, warnings: self.warnings.as_slice() }
    }

    /// Rows begun so far: the number of the current one.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The name of a feature.
    pub fn name(&self, feature: usize) -> &'m str {
        &self.features()[feature].name
    }

    fn note_absent_columns(&mut self) {
        if self.given == self.served.columns() {
            return;
        }
        for (index, feature) in self.features().iter().enumerate() {
            if self.given_in[index] != self.rows && self.served.is_addressable(index) {
                self.warnings.note(WarningKind::AbsentColumn, || Cow::Borrowed(&feature.name));
            }
        }
    }

    fn features(&self) -> &'m [Feature] {
        self.served.model().schema.features()
    }
}

impl Value<'_> {
    /// The raw value in this column.
    fn read(self, column: &Feature, encoding: &Encoding) -> (f64, Option<Remark>) {
        let raw_value = |cell: Cell<'_>| encoding.raw_value(column, cell);
        let categorical = column.domain.is_some();
        match self {
            Self::Missing => raw_value(Cell::Missing),
            Self::Number(value) => raw_value(Cell::Number(value)),
            Self::Text(text) => raw_value(Cell::Text(text)),
            Self::Bool(value) if categorical => raw_value(Cell::Text(if value { "true" } else { "false" })),
            Self::Bool(value) => raw_value(Cell::Number(f64::from(value))),
            Self::Integer(value) if categorical => {
                let (raw, remark) = raw_value(Cell::Text(&value.to_string()));
                (raw, remark.or(Some(Remark::NumberForLevel)))
            }
            Self::Integer(value) => raw_value(Cell::Number(value as f64)),
        }
    }
}

#[cfg(test)]
mod tests;
