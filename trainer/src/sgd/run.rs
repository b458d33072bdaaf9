//! The loop: iterate, score where it is time, stop where it is enough, and return to the best model.

use std::path::Path;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use model::{Algorithm, Category, Model, Network, Profile};

use super::engine::{Engine, EngineState};
use super::history::HistoryRow;
use super::options::AutoTune;
use super::pass::Pass;
use super::scoring::{Reports, Scorer};
use super::start;
use super::status::{LayerStatus, check_stable};
use super::stopping::{StoppedBy, Stopper};
use crate::importances::{Importance, importances};
use crate::params::TrainParams;
use crate::plan::{InitialLayer, TrainPlan};

/// What a caller may see of a run, and how it may end it.
pub trait Observer {
    /// Before training: so many bytes of packed rows did not fit into memory and lie in a file in this folder.
    fn spilled(&mut self, _bytes: u64, _folder: &Path) {}
    /// Rows were trained on.
    fn progress(&mut self, _progress: Progress) {}
    /// The model was scored.
    fn scored(&mut self, _row: &HistoryRow) {}
    /// The size of the iterations was chosen by what was measured.
    fn tuned(&mut self, _tuning: Tuning) {}
    /// Whether to end after this iteration.
    fn should_stop(&self) -> bool {
        false
    }
}

/// Nobody watches.
impl Observer for () {}

/// How far a run is.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// Rows trained on so far.
    pub samples: u64,
    /// Passes over the data so far.
    pub epochs: f64,
    /// Time spent on training alone.
    pub training: Duration,
}

/// How the size of the iterations was chosen, with `train_samples_per_iteration = -2` and measured speeds.
#[derive(Debug, Clone, Copy)]
pub struct Tuning {
    /// What a row takes.
    pub row: Duration,
    /// What a synchronisation takes.
    pub synchronisation: Duration,
    /// The rows of an iteration from now on.
    pub rows_per_iteration: u64,
}

/// A finished run.
#[derive(Debug)]
pub struct Trained {
    /// The model, the best one if that was asked for.
    pub model: Model,
    /// The columns it was trained on.
    pub profile: Profile,
    /// Every scoring.
    pub history: Vec<HistoryRow>,
    /// Metrics of the final model.
    pub reports: Reports,
    /// The layers.
    pub layers: Vec<LayerStatus>,
    /// Inputs by falling importance; empty where they were not asked for.
    pub importances: Vec<Importance>,
    /// Counts and times.
    pub summary: RunSummary,
    /// Why the run could not go on, where it [ran away](StoppedBy::Unstable).
    pub fault: Option<TrainError>,
}

/// What a run did.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct RunSummary {
    /// The engine.
    pub engine: &'static str,
    /// The instructions that it used.
    pub kernel: &'static str,
    /// Threads that trained.
    pub threads: usize,
    /// Rows trained on.
    pub samples: u64,
    /// Passes over the data.
    pub epochs: f64,
    /// Iterations.
    pub iterations: u64,
    /// Seconds of training alone, without reading and scoring.
    pub training_seconds: f64,
    /// Rows a second of training alone.
    pub samples_per_second: f64,
    /// Why it ended.
    pub stopped_by: StoppedBy,
    /// The epochs of the model that was returned to, where that is not the last one.
    pub best_epochs: Option<f64>,
}

/// Why a run failed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the fields are what the messages say")]
pub enum TrainError {
    #[error(
        "the {what} of layer {layer} (the input is layer 1) ran away within {samples} samples; try a Tanh activation, a smaller rate, l1, l2, \
         dropout, a smaller max_w2 or another initial_weight_distribution"
    )]
    Unstable { what: &'static str, layer: usize, samples: u64 },
    #[error("the packed rows are larger than the memory limit, and cannot be put into a file in {folder}: {reason}")]
    Spill { folder: String, reason: String },
}

/// Trains a model by a plan.
pub fn train(plan: &TrainPlan<'_>, observer: &mut dyn Observer) -> Result<Trained, TrainError> {
    let mut run = Run::new(plan, observer)?;
    let (mut reports, stopped_by) = match run.iterate() {
        Ok(end) => end,
        Err(fault) => (run.return_to_last_good(fault)?, StoppedBy::Unstable),
    };
    // As in H2O a run that was cut short keeps its last model.
    if !matches!(stopped_by, StoppedBy::MaxRuntime | StoppedBy::Interrupted) {
        reports = run.return_to_best(reports)?;
    }
    Ok(run.finish(reports, stopped_by))
}

struct Run<'r> {
    plan: &'r TrainPlan<'r>,
    observer: &'r mut dyn Observer,
    model: Model,
    engine: Engine<'r>,
    scorer: Scorer<'r>,
    stopper: Stopper,
    history: Vec<HistoryRow>,
    best: Option<Kept>,
    /// The last model that was scored, where a fault may have the run return to it.
    last_good: Option<Kept>,
    fault: Option<TrainError>,
    best_epochs: Option<f64>,
    rows_per_iteration: u64,
    started: Instant,
    training: Duration,
    samples: u64,
    iterations: u64,
}

/// A model that was scored.
struct Kept {
    loss: f32,
    epochs: f64,
    network: Network,
    state: EngineState,
}

impl<'r> Run<'r> {
    fn new(plan: &'r TrainPlan<'r>, observer: &'r mut dyn Observer) -> Result<Self, TrainError> {
        let mut network = start::network(&plan.effective, &plan.layer_sizes(), plan.schema.classes().is_some());
        for (layer, initial) in plan.initial.iter().enumerate() {
            if let Some(InitialLayer { weights, biases }) = initial {
                let parameters = network.parameters_mut(layer);
                parameters.0.copy_from_slice(weights);
                parameters.1.copy_from_slice(biases);
            }
        }
        let engine = Engine::new(plan, &network)?;
        if let (bytes @ 1.., Some(spill)) = (engine.spilled_bytes(), &plan.options.spill) {
            observer.spilled(bytes, &spill.folder);
        }
        Ok(Self {
            plan,
            observer,
            engine,
            model: plan.model(network),
            scorer: Scorer::new(plan),
            stopper: Stopper::new(&plan.effective, plan.category),
            history: Vec::new(),
            best: None,
            last_good: None,
            fault: None,
            best_epochs: None,
            rows_per_iteration: plan.rows_per_iteration(),
            started: Instant::now(),
            training: Duration::ZERO,
            samples: 0,
            iterations: 0,
        })
    }

    /// Iterates until something says that it is enough; the last thing is always a scoring.
    fn iterate(&mut self) -> Result<(Reports, StoppedBy), TrainError> {
        let params = &self.plan.effective;
        let mut clock = ScoringClock::new(params);
        if self.plan.category != Category::AutoEncoder {
            self.history.push(HistoryRow::untrained());
        } else if params.score_each_iteration || clock.is_due() {
            let start = Instant::now();
            let reports = self.score()?;
            self.keep_if_best(&reports);
            clock.scored(start);
        }
        loop {
            self.iterations += 1;
            self.run_iteration();
            if !self.engine.is_finite() {
                let network = network_mut(&mut self.model);
                self.engine.write(network);
                check_stable(network, self.samples)?;
            }
            self.tune();
            // Unlike H2O, a run that is out of time is scored: its metrics are then those of its model.
            let limit = self.limit();
            if limit.is_none() && !params.score_each_iteration && !clock.is_due() {
                continue;
            }
            let start = Instant::now();
            let reports = self.score()?;
            self.keep_if_best(&reports);
            let enough = self.stopper.scored(&reports.training.metrics(), reports.validation_metrics().as_ref());
            clock.scored(start);
            if let Some(stopped_by) = limit.or(enough) {
                return Ok((reports, stopped_by));
            }
        }
    }

    /// Whether training is over, whatever the metrics say.
    fn limit(&self) -> Option<StoppedBy> {
        let params = &self.plan.effective;
        if self.epochs() >= params.epochs {
            Some(StoppedBy::Epochs)
        } else if self.observer.should_stop() {
            Some(StoppedBy::Interrupted)
        } else if params.max_runtime_secs > 0.0 && self.started.elapsed().as_secs_f64() > params.max_runtime_secs {
            Some(StoppedBy::MaxRuntime)
        } else {
            None
        }
    }

    fn run_iteration(&mut self) {
        let params = &self.plan.effective;
        if params.epochs == 0.0 {
            return;
        }
        let rows = self.plan.training_rows();
        let pass = Pass {
            rows: self.plan.training.len(),
            rows_per_iteration: self.rows_per_iteration,
            shuffle: params.shuffle_training_data,
            weights: self.plan.training.weights(),
            seed: params.seed,
            iteration: self.iterations,
            samples: self.samples,
        };
        let (start, before, trained) = (Instant::now(), self.samples, self.training);
        let observer = &mut *self.observer;
        let mut tick = |done: u64| {
            let samples = before + done;
            let epochs = samples as f64 / rows as f64;
            observer.progress(Progress { samples, epochs, training: trained + start.elapsed() });
        };
        let done = self.engine.iterate(network_mut(&mut self.model), pass, &mut tick);
        self.samples += done;
        self.training += start.elapsed();
    }

    fn score(&mut self) -> Result<Reports, TrainError> {
        self.engine.write(network_mut(&mut self.model));
        check_stable(network(&self.model), self.samples)?;
        let reports = self.scorer.score(&self.model);
        for (rows, scored) in self.scorer.scored() {
            self.engine.note_scored(network(&self.model), rows, scored);
        }
        let row = HistoryRow {
            timestamp: Timestamp::now(),
            duration: self.started.elapsed(),
            training_speed: (self.samples > 0).then(|| self.samples_per_second()),
            epochs: self.epochs(),
            iterations: self.iterations,
            samples: self.samples,
            training: Some(reports.training.metrics()),
            validation: reports.validation_metrics(),
            best_epochs: self.best_epochs,
        };
        self.observer.scored(&row);
        self.history.push(row);
        Ok(reports)
    }

    fn keep_if_best(&mut self, reports: &Reports) {
        let loss = self.stopper.loss(&reports.deciding());
        // Not `<`: a loss that is not a number replaces the best as well.
        let worse = loss >= self.best.as_ref().map_or(f32::INFINITY, |best| best.loss);
        if self.plan.effective.overwrite_with_best_model && !worse {
            let network = network(&self.model).clone();
            self.best = Some(Kept { loss, epochs: self.epochs(), network, state: self.engine.state() });
        }
        // As in H2O the plain engine's run fails as a whole.
        if self.engine.keeps_last_good() {
            let network = network(&self.model).clone();
            self.last_good = Some(Kept { loss, epochs: self.epochs(), network, state: self.engine.state() });
        }
    }

    /// After a fault: returns to the last model that was scored, if there is one.
    fn return_to_last_good(&mut self, fault: TrainError) -> Result<Reports, TrainError> {
        let Some(last) = self.last_good.take() else { return Err(fault) };
        *network_mut(&mut self.model) = last.network;
        self.engine.set_state(last.state);
        self.best_epochs = Some(last.epochs);
        self.fault = Some(fault);
        self.score()
    }

    /// With measured speeds the iterations after the first have the size that those ask for.
    fn tune(&mut self) {
        let plan = self.plan;
        let measures = plan.options.auto_tune == AutoTune::Measured;
        if self.iterations > 1 || self.samples == 0 || !measures || plan.effective.train_samples_per_iteration != -2 {
            return;
        }
        if let Some(synchronisation) = self.engine.synchronisation(network_mut(&mut self.model)) {
            let row = self.training.div_f64(self.samples as f64);
            self.rows_per_iteration = plan.tuned_rows_per_iteration(row.as_secs_f64(), synchronisation.as_secs_f64());
            let rows_per_iteration = self.rows_per_iteration;
            self.observer.tuned(Tuning { row, synchronisation, rows_per_iteration });
        }
    }

    fn return_to_best(&mut self, last: Reports) -> Result<Reports, TrainError> {
        match self.best.take() {
            Some(best) if best.loss < self.stopper.loss(&last.deciding()) => {
                *network_mut(&mut self.model) = best.network;
                self.engine.set_state(best.state);
                self.best_epochs = Some(best.epochs);
                self.score()
            }
            _ => Ok(last),
        }
    }

    fn finish(mut self, reports: Reports, stopped_by: StoppedBy) -> Trained {
        if let Some(threshold) = reports.validation.as_ref().unwrap_or(&reports.training).threshold() {
            self.model.labelling.default_threshold = threshold;
        }
        let network = network(&self.model);
        let wanted = self.plan.effective.variable_importances;
        Trained {
            layers: self.engine.status(network, self.samples),
            importances: if wanted {
                importances(network, self.plan, self.engine.buckets_trained())
            } else {
                Vec::new()
            },
            profile: self.plan.profile.clone(),
            summary: RunSummary {
                engine: self.engine.name(),
                kernel: self.engine.kernel(),
                threads: self.engine.threads(),
                samples: self.samples,
                epochs: self.epochs(),
                iterations: self.iterations,
                training_seconds: self.training.as_secs_f64(),
                samples_per_second: self.samples_per_second(),
                stopped_by,
                best_epochs: self.best_epochs,
            },
            fault: self.fault,
            history: self.history,
            reports,
            model: self.model,
        }
    }

    fn epochs(&self) -> f64 {
        self.samples as f64 / self.plan.training_rows() as f64
    }

    fn samples_per_second(&self) -> f64 {
        if self.samples == 0 { 0.0 } else { self.samples as f64 / self.training.as_secs_f64().max(1e-9) }
    }
}

/// Says when a scoring is due by `score_interval` and `score_duty_cycle`.
struct ScoringClock {
    interval: f64,
    duty_cycle: f64,
    /// Start and seconds of the last scoring.
    last: Option<(Instant, f64)>,
}

impl ScoringClock {
    fn new(params: &TrainParams) -> Self {
        Self { interval: params.score_interval, duty_cycle: params.score_duty_cycle, last: None }
    }

    /// The first scoring is due at once: H2O's clock says that the one before it was in 1970.
    fn is_due(&self) -> bool {
        let Some((start, took)) = self.last else { return self.duty_cycle > 0.0 };
        let since = start.elapsed().as_secs_f64();
        since > self.interval && took / since < self.duty_cycle
    }

    fn scored(&mut self, start: Instant) {
        self.last = Some((start, start.elapsed().as_secs_f64()));
    }
}

fn network(model: &Model) -> &Network {
    let Algorithm::DeepLearning(deep_learning) = &model.algorithm else { unreachable!("the plan made a net") };
    &deep_learning.network
}

fn network_mut(model: &mut Model) -> &mut Network {
    let Algorithm::DeepLearning(deep_learning) = &mut model.algorithm else { unreachable!("the plan made a net") };
    &mut deep_learning.network
}
