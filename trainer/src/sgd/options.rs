//! How to train, besides what is trained.

use super::update::{momentum, training_momentum};
use crate::frame::SpillOptions;
use crate::kernel::Tier;
use crate::params::TrainParams;

/// What changes how fast a model is trained, and with several threads or another schedule the model itself.
#[derive(Debug, Clone, PartialEq)]
pub struct RunOptions {
    /// Which engine trains.
    pub engine: EngineChoice,
    /// Threads that score, and that train where the data are large enough for several.
    pub threads: usize,
    /// The instructions that the fast engine uses.
    pub tier: Tier,
    /// How momentum rises.
    pub momentum_schedule: MomentumSchedule,
    /// What `train_samples_per_iteration = -2` goes by.
    pub auto_tune: AutoTune,
    /// What happens to the packed rows of the fast engine when they are too large for memory, beside the tables, which the limit
    /// does not count. The model does not depend on it. Default: they are held in memory all the same.
    pub spill: Option<SpillOptions>,
}

/// What `train_samples_per_iteration = -2` goes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AutoTune {
    /// The size of the data: the same seed gives the same model.
    #[default]
    Counted,
    /// In the fast engine, the measured time of a row and of a synchronisation: no two runs need to be the same.
    Measured,
}

/// Which engine trains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EngineChoice {
    /// The fast one, unless the run is `reproducible`.
    #[default]
    Auto,
    /// The fast one.
    Fast,
    /// The one that follows H2O's reproducible mode operation by operation.
    Plain,
}

/// How momentum rises in training.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MomentumSchedule {
    /// As in H2O's code: it stays where it starts.
    #[default]
    H2o,
    /// As in H2O's manual: from `momentum_start` to `momentum_stable` over `momentum_ramp` samples.
    Documented,
}

/// The most rows that the fast engine updates by: each thread has room for the units of all of them.
pub const LARGEST_BATCH: usize = 8_192;

impl RunOptions {
    /// Whether the plain engine trains these parameters.
    pub fn is_plain(&self, params: &TrainParams) -> bool {
        match self.engine {
            EngineChoice::Auto => params.reproducible,
            EngineChoice::Fast => false,
            EngineChoice::Plain => true,
        }
    }
}

impl RunOptions {
    /// The momentum of an update after so many samples.
    pub(super) fn momentum(&self, params: &TrainParams, samples: u64) -> f32 {
        match self.momentum_schedule {
            MomentumSchedule::H2o => training_momentum(params),
            MomentumSchedule::Documented => momentum(params, samples as f64),
        }
    }
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            engine: EngineChoice::default(),
            threads: 1,
            tier: Tier::best(),
            momentum_schedule: MomentumSchedule::default(),
            auto_tune: AutoTune::default(),
            spill: None,
        }
    }
}
