//! Training: iterations over the rows, scorings in between, an end.
//!
//! `run` is the loop, `pass` the rows of an iteration, `engine` what trains on them: one of two.
//!
//! The plain engine (`plain`, and `step` for one row) follows H2O's reproducible mode operation by operation: its random
//! numbers, its order, its formulas where they are not the true gradient. The fast engine (`fast`) keeps the meaning and is
//! tested against it; it trains unless a run is `reproducible`.

mod dropout;
mod elastic;
mod engine;
mod fast;
#[cfg(test)]
mod gradients;
mod history;
mod loss;
mod options;
mod pass;
mod plain;
mod run;
mod scoring;
mod sparsity;
mod start;
mod status;
mod step;
mod stopping;
#[cfg(test)]
mod tests;
mod update;

pub use history::{HistoryRow, duration_text, history_columns};
pub use options::{AutoTune, EngineChoice, LARGEST_BATCH, MomentumSchedule, RunOptions};
pub use run::{Observer, Progress, RunSummary, TrainError, Trained, Tuning, train};
pub use scoring::{Report, Reports};
pub use status::{LayerFigures, LayerStatus};
pub use stopping::StoppedBy;
