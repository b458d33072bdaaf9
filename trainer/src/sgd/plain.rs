//! The plain engine: one row after the other, in H2O's order.

use model::{FrameEncoder, Network};

use super::pass::Pass;
use super::status::{LayerStatus, of_layers};
use super::step::{Settings, Step};
use super::update::Memory;
use crate::params::MissingValuesHandling;
use crate::plan::TrainPlan;

/// Trains a net on the rows of a plan.
#[derive(Debug)]
pub(super) struct PlainEngine<'p> {
    plan: &'p TrainPlan<'p>,
    encoder: FrameEncoder<'p>,
    step: Step,
    row: Vec<f64>,
}

impl<'p> PlainEngine<'p> {
    pub fn new(plan: &'p TrainPlan<'p>, network: &Network) -> Self {
        Self {
            plan,
            encoder: FrameEncoder::new(&plan.layout, &plan.means),
            step: Step::new(&plan.effective, network),
            row: Vec::new(),
        }
    }

    /// Trains on the rows of a pass and returns how many there were. `tick` is told the number so far, now and then.
    pub fn iterate(&mut self, network: &mut Network, pass: Pass, tick: &mut dyn FnMut(u64)) -> u64 {
        const ROWS_PER_TICK: u64 = 256;
        let plan = self.plan;
        let skips_missing = plan.effective.missing_values_handling == MissingValuesHandling::Skip;
        let settings = Settings { params: &plan.effective, category: plan.category, samples: pass.samples };
        let mut done = 0;
        self.step.start_pass();
        for (row, seed) in pass.rows() {
            let target = plan.training.response(row);
            if target.is_nan() {
                continue;
            }
            plan.training.read(row, &mut self.row);
            if skips_missing && self.row.iter().any(|x| x.is_nan()) {
                continue;
            }
            self.encoder.fill(&self.row, self.step.input());
            let target = plan.response_scaling.map_or(target, |scaling| (target - scaling.sub) * scaling.mul);
            self.step.learn(network, target, seed, settings);
            done += 1;
            if done % ROWS_PER_TICK == 0 {
                tick(done);
            }
        }
        done
    }

    /// The table "Status of Neuron Layers".
    pub fn status(&self, network: &Network, samples: u64) -> Vec<LayerStatus> {
        let is_classifier = self.plan.schema.classes().is_some();
        of_layers(network, self.step.memory(), &self.plan.effective, is_classifier, samples)
    }

    /// What the updates remember, to return to.
    pub fn memory(&self) -> Vec<Memory> {
        self.step.memory().to_vec()
    }

    /// Returns to what was remembered at another time.
    pub fn set_memory(&mut self, memory: Vec<Memory>) {
        self.step.set_memory(memory);
    }
}
