//! Reads tables and trains deep-learning models on them, with the parameters and the meaning of H2O-3 Deep Learning.
//!
//! A [`Frame`] is a table in memory, [`TrainParams`] is what a user asked for, a [`TrainPlan`] is the two of them checked
//! against each other, and [`train`] turns a plan into a [`Trained`] model. Read `frame`, then `plan`, then `sgd`.
//!
//! ```
//! use trainer::{Column, Frame, TrainParams, TrainPlan, train};
//!
//! let x = Column::numeric("x", (0..100).map(f64::from));
//! let y = Column::numeric("y", (0..100).map(|i| f64::from(3 * i)));
//! let frame = Frame::from_columns(vec![x, y])?;
//! let mut params = TrainParams::default();
//! for (name, value) in [("training_frame", "xy.csv"), ("response_column", "y"), ("seed", "1"), ("hidden", "10")] {
//!     params.set_text(name, value)?;
//! }
//! let trained = train(&TrainPlan::new(params, &frame, None)?, &mut ())?;
//! assert!(trained.summary.epochs >= 10.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod checkpoint;
mod frame;
mod importances;
#[expect(unsafe_code, reason = "the room of the training kernels: one line for each instruction")]
mod kernel;
mod params;
mod plan;
mod profile;
mod rng;
mod sgd;

pub use checkpoint::{Checkpoint, CheckpointError};
pub use frame::{Column, ColumnType, Frame, FrameError, ReadOptions, ReadProgress, RowReader, SpillOptions};
pub use importances::Importance;
pub use kernel::{Tier, Traffic};
pub use params::{
    AucType, CategoricalEncoding, ColumnTypes, DistributionChoice, Files, InitialWeightDistribution, LayerFiles, Loss,
    MissingValuesHandling, ModelPath, Names, PARAMETERS, ParamError, Parameter, StoppingMetric, TrainParams,
    ValidationSampling,
};
pub use plan::{PlanError, TrainPlan, check_parameters, frame_rows};
pub use sgd::{
    AutoTune, EngineChoice, HistoryRow, LARGEST_BATCH, LayerFigures, LayerStatus, MomentumSchedule, Observer, Progress,
    Report, Reports, RunOptions, RunSummary, StoppedBy, TrainError, Trained, Tuning, duration_text, history_columns,
    train,
};
