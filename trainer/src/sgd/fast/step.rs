//! One step: forward, error, and the layers from the top down, each of which tells the one below its error and then
//! changes (`update`). It learns from one sample, or from the mean of a batch.

use model::{Network, Nonlinearity};

use super::forward::Forward;
use super::layer::{FastLayer, Layout};
use super::output::OutputError;
use super::rule::{RuleKind, Schedule, with_rule};
use super::units::{Activate, Derive, Find, MoveMeans};
use super::update::{UpdateLayer, Updater};
use super::work::Work;
use crate::kernel::{Lanes, Simd};
use crate::params::TrainParams;
use crate::sgd::loss::Loss;
use crate::sgd::step::Target;

/// What a step needs to know besides the samples, the same for a whole run.
#[derive(Debug, Clone)]
pub(super) struct StepSettings {
    pub params: TrainParams,
    pub nonlinearity: Nonlinearity,
    pub loss: Loss,
    pub rule: RuleKind,
    /// Rows to an update.
    pub batch: usize,
}

/// The net as the fast engine has it, with room for the samples of a step.
#[derive(Debug, Clone)]
pub(super) struct FastStep {
    pub settings: StepSettings,
    pub layers: Vec<FastLayer>,
    pub work: Work,
    updater: Updater,
}

impl FastStep {
    pub fn new(settings: StepSettings, network: &Network, layouts: &[Layout]) -> Self {
        let params = &settings.params;
        let slots = settings.rule.slots() + usize::from(params.elastic_averaging);
        let untrained = settings.rule.untrained(params);
        let layers = network.layers().iter().zip(layouts);
        let mut layers: Vec<_> =
            layers.map(|(layer, &layout)| FastLayer::new(layer, layout, slots, untrained)).collect();
        if params.autoencoder && params.sparsity_beta > 0.0 {
            let hidden = layers.len() - 1;
            for layer in &mut layers[..hidden] {
                layer.means = Lanes::zeros(layer.units);
            }
        }
        Self {
            work: Work::new(&layers, settings.batch, settings.params.fast_mode),
            updater: Updater::new(&layers, &settings),
            layers,
            settings,
        }
    }

    /// Pulls the net to the model of elastic averaging from now on.
    pub fn set_pull(&mut self, pull: f32) {
        self.updater.set_pull(pull);
    }

    /// Changes the layouts.
    pub fn lay_out(&mut self, layouts: &[Layout]) {
        self.layers = self.layers.iter().zip(layouts).map(|(layer, &layout)| layer.laid_out(layout)).collect();
        self.work = Work::new(&self.layers, self.settings.batch, self.settings.params.fast_mode);
    }

    /// Learns from the first `targets.len()` samples, whose inputs and masks were put in place.
    pub fn learn<S: Simd>(&mut self, simd: S, targets: &[Target], schedule: Schedule) {
        self.forward(simd, targets.len());
        for (sample, &target) in targets.iter().enumerate() {
            self.output_error(simd, sample, target);
        }
        for l in (0..self.layers.len()).rev() {
            for sample in 0..targets.len() {
                self.derive(simd, l, sample);
            }
            let Self { settings, layers, work, updater } = self;
            let update =
                UpdateLayer { simd, settings, updater, layer: &mut layers[l], work, l, samples: targets.len() };
            with_rule(settings.rule, &settings.params, l, schedule, update);
        }
    }

    fn forward<S: Simd>(&mut self, simd: S, samples: usize) {
        for sample in 0..samples {
            self.work.spread_inputs(sample);
        }
        for l in 0..self.layers.len() {
            let (lists, dense, work) = self.work.of_samples(l, samples);
            let outputs = 0..samples * work.output_lines;
            simd.run(Forward { layer: &self.layers[l], lists, dense, nets: &mut work.nets[outputs] });
            if l + 1 < self.layers.len() {
                for sample in 0..samples {
                    self.activate(simd, l, sample);
                }
            }
        }
    }

    fn activate<S: Simd>(&mut self, simd: S, l: usize, sample: usize) {
        let wants_list = self.layers.get(l + 1).is_some_and(|above| above.layout == Layout::ByInput);
        let (layer, work) = (&mut self.layers[l], &mut self.work.layers[l]);
        let (units, outputs) = (work.units(sample), work.outputs(sample));
        simd.run(Activate {
            nonlinearity: self.settings.nonlinearity,
            nets: &work.nets[outputs],
            kept: &work.kept[units.clone()],
            winners: &mut work.winners[units.clone()],
            activations: &mut work.activations[units.clone()],
            list: wants_list.then_some(&mut work.lists[sample]),
        });
        if !layer.means.is_empty() {
            simd.run(MoveMeans { activations: &work.activations[units], means: &mut layer.means });
        }
    }

    fn output_error<S: Simd>(&mut self, simd: S, sample: usize, target: Target) {
        let Work { layers, originals, .. } = &mut self.work;
        let Some((work, layer)) = layers.last_mut().zip(self.layers.last()) else { return };
        let outputs = work.outputs(sample);
        simd.run(OutputError {
            nonlinearity: self.settings.nonlinearity,
            originals: &originals[sample],
            loss: self.settings.loss,
            target,
            units: layer.units,
            nets: &mut work.nets[outputs.clone()],
            gradients: &mut work.gradients[outputs],
        });
    }

    /// From the error of a layer's activations to the gradients of its net inputs, and where those are.
    fn derive<S: Simd>(&mut self, simd: S, l: usize, sample: usize) {
        let is_hidden = l + 1 < self.layers.len();
        let work = &mut self.work.layers[l];
        let (units, outputs) = (work.units(sample), work.outputs(sample));
        if is_hidden {
            simd.run(Derive {
                nonlinearity: self.settings.nonlinearity,
                errors: &work.errors[units.clone()],
                activations: &work.activations[units.clone()],
                winners: &work.winners[units],
                gradients: &mut work.gradients[outputs.clone()],
            });
        }
        let wants_list = self.layers[l].layout == Layout::ByUnit;
        simd.run(Find {
            gradients: &work.gradients[outputs],
            lines: &mut work.lines[sample],
            list: wants_list.then_some(&mut work.gradient_lists[sample]),
        });
    }
}
