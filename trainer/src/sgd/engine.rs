//! The engine of a run.

use std::time::Duration;

use model::Network;

use super::fast::{FastEngine, FastState};
use super::pass::Pass;
use super::plain::PlainEngine;
use super::run::TrainError;
use super::status::LayerStatus;
use super::update::Memory;
use crate::plan::{Rows, TrainPlan};

/// One of the two.
#[derive(Debug)]
pub(super) enum Engine<'p> {
    Plain(Box<PlainEngine<'p>>),
    Fast(Box<FastEngine<'p>>),
}

/// What an engine has at some time besides the weights and biases.
pub(super) enum EngineState {
    Plain(Vec<Memory>),
    Fast(FastState),
}

impl<'p> Engine<'p> {
    pub fn new(plan: &'p TrainPlan<'p>, network: &Network) -> Result<Self, TrainError> {
        Ok(if plan.options.is_plain(&plan.effective) {
            Self::Plain(Box::new(PlainEngine::new(plan, network)))
        } else {
            Self::Fast(Box::new(FastEngine::new(plan, network)?))
        })
    }

    /// Trains on the rows of a pass and returns how many there were. `tick` is told the number so far, now and then.
    ///
    /// The fast engine leaves the network as it was until it is [written](Self::write), unless something in it is no number.
    pub fn iterate(&mut self, network: &mut Network, pass: Pass<'_>, tick: &mut dyn FnMut(u64)) -> u64 {
        match self {
            Self::Plain(engine) => engine.iterate(network, pass, tick),
            Self::Fast(engine) => engine.iterate(pass, tick),
        }
    }

    /// Brings the network up to date.
    pub fn write(&self, network: &mut Network) {
        if let Self::Fast(engine) = self {
            engine.write(network);
        }
    }

    /// Whether the weights are still numbers, as far as the engine knows; the plain one leaves it to the next scoring.
    pub fn is_finite(&self) -> bool {
        match self {
            Self::Plain(_) => true,
            Self::Fast(engine) => engine.is_finite(),
        }
    }

    /// What it takes to synchronise, where that was measured.
    pub fn synchronisation(&self, network: &mut Network) -> Option<Duration> {
        match self {
            Self::Plain(_) => None,
            Self::Fast(engine) => Some(engine.synchronisation(network)),
        }
    }

    /// Takes note of rows that are scored.
    pub fn note_scored(&mut self, network: &Network, rows: &Rows<'_>, scored: &[usize]) {
        match self {
            Self::Plain(engine) => engine.note_scored(network, rows, scored),
            Self::Fast(engine) => engine.note_scored(network, rows, scored),
        }
    }

    /// Whether a run that runs away keeps its last good model.
    pub fn keeps_last_good(&self) -> bool {
        matches!(self, Self::Fast(_))
    }

    /// What it has now, to return to.
    pub fn state(&self) -> EngineState {
        match self {
            Self::Plain(engine) => EngineState::Plain(engine.memory()),
            Self::Fast(engine) => EngineState::Fast(engine.state()),
        }
    }

    /// Returns to another time.
    pub fn set_state(&mut self, state: EngineState) {
        match (self, state) {
            (Self::Plain(engine), EngineState::Plain(memory)) => engine.set_memory(memory),
            (Self::Fast(engine), EngineState::Fast(state)) => engine.set_state(&state),
            (Self::Plain(_), EngineState::Fast(_)) | (Self::Fast(_), EngineState::Plain(_)) => {
                unreachable!("an engine gets back what it gave")
            }
        }
    }

    /// For each categorical whether its missing bucket took part in training: where none did, its weights say nothing.
    pub fn buckets_trained(&self) -> &[bool] {
        match self {
            Self::Plain(engine) => engine.buckets_trained(),
            Self::Fast(engine) => engine.buckets_trained(),
        }
    }

    /// The table "Status of Neuron Layers".
    pub fn status(&self, network: &Network, samples: u64) -> Vec<LayerStatus> {
        match self {
            Self::Plain(engine) => engine.status(network, samples),
            Self::Fast(engine) => engine.status(network, samples),
        }
    }

    pub fn name(&self) -> &'static str {
        match self {
            Self::Plain(_) => "plain",
            Self::Fast(_) => "fast",
        }
    }

    /// The instructions that it uses.
    pub fn kernel(&self) -> &'static str {
        match self {
            Self::Plain(_) => "portable",
            Self::Fast(engine) => engine.tier().name(),
        }
    }

    /// The bytes of rows that lie in a file.
    pub fn spilled_bytes(&self) -> u64 {
        match self {
            Self::Plain(_) => 0,
            Self::Fast(engine) => engine.spilled_bytes(),
        }
    }

    /// Threads that train.
    pub fn threads(&self) -> usize {
        match self {
            Self::Plain(_) => 1,
            Self::Fast(engine) => engine.threads(),
        }
    }
}
