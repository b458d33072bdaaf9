//! The plain engine: one row after the other, in H2O's order.

use model::{FrameEncoder, Network};

use super::elastic::Elastic;
use super::loss::Loss;
use super::pass::Pass;
use super::status::{LayerStatus, of_layers};
use super::step::{Settings, Step};
use super::update::Memory;
use crate::plan::{Rows, TrainPlan};

/// Trains a net on the rows of a plan.
#[derive(Debug)]
pub(super) struct PlainEngine<'p> {
    plan: &'p TrainPlan<'p>,
    encoder: FrameEncoder<'p>,
    step: Step,
    elastic: Option<Elastic>,
    row: Vec<f64>,
    /// Whether a row set the missing bucket of each categorical.
    buckets_trained: Vec<bool>,
}

impl<'p> PlainEngine<'p> {
    pub fn new(plan: &'p TrainPlan<'p>, network: &Network) -> Self {
        Self {
            plan,
            encoder: plan.encoder(),
            step: Step::new(&plan.effective, network),
            elastic: plan.effective.elastic_averaging.then(|| Elastic::new(&plan.effective)),
            row: Vec::new(),
            buckets_trained: vec![false; plan.layout.categoricals()],
        }
    }

    /// Trains on the rows of a pass and returns how many there were. `tick` is told the number so far, now and then.
    pub fn iterate(&mut self, network: &mut Network, pass: Pass<'_>, tick: &mut dyn FnMut(u64)) -> u64 {
        let Some(mut elastic) = self.elastic.take() else { return self.learn(network, None, pass, tick) };
        let done = elastic.train(network, |network, consensus| self.learn(network, consensus, pass, tick));
        let (memory, sparsity) = self.step.remembered();
        elastic.average(network, memory, sparsity);
        self.elastic = Some(elastic);
        done
    }

    fn learn(
        &mut self,
        network: &mut Network,
        consensus: Option<&Network>,
        pass: Pass<'_>,
        tick: &mut dyn FnMut(u64),
    ) -> u64 {
        const ROWS_PER_TICK: u64 = 256;
        let plan = self.plan;
        let loss = Loss::new(&plan.effective, plan.distribution);
        let (params, samples) = (&plan.effective, pass.samples);
        let momentum = plan.options.momentum(params, samples);
        let settings = Settings { params, loss, consensus, samples, momentum };
        let mut done: u64 = 0;
        self.step.start_pass();
        let mut order = pass.order();
        while let Some((row, seed)) = order.next(done) {
            plan.training.read(row, &mut self.row);
            if plan.leaves_out(row, &self.row, &self.encoder) {
                continue;
            }
            self.encoder.fill(&self.row, self.step.input());
            self.note_buckets();
            self.step.learn(network, plan.target(row), seed, settings);
            done += 1;
            if done.is_multiple_of(ROWS_PER_TICK) {
                tick(done);
            }
        }
        done
    }

    /// Takes note of a row that is scored.
    pub fn note_scored(&mut self, network: &Network, rows: &Rows<'_>, scored: &[usize]) {
        // With elastic averaging the model is scored, whose means are not those of the net that trains.
        if self.elastic.as_ref().is_some_and(Elastic::has_own_net) {
            return;
        }
        let Some(sparsity) = self.step.sparsity() else { return };
        for &row in scored {
            rows.read(row, &mut self.row);
            sparsity.note_scored(network, |input| self.plan.layout.fill(&self.row, input));
        }
    }

    /// For each categorical whether its missing bucket took part in training: where none did, its weights say nothing.
    pub fn buckets_trained(&self) -> &[bool] {
        &self.buckets_trained
    }

    /// The table "Status of Neuron Layers".
    pub fn status(&self, network: &Network, samples: u64) -> Vec<LayerStatus> {
        of_layers(network, self.shown_memory(), &self.plan.effective, self.plan.category, samples)
    }

    fn note_buckets(&mut self) {
        for (trained, &code) in self.buckets_trained.iter_mut().zip(&self.row) {
            *trained |= code.is_nan() && self.plan.layout.use_all_factor_levels;
        }
    }

    /// What the updates remember, to return to.
    pub fn memory(&self) -> Vec<Memory> {
        self.shown_memory().to_vec()
    }

    /// Returns to what was remembered at another time.
    pub fn set_memory(&mut self, memory: Vec<Memory>) {
        match &mut self.elastic {
            Some(elastic) => elastic.set_memory(memory),
            None => self.step.set_memory(memory),
        }
    }

    /// What belongs to the model, which is not what trains where the model is a mean.
    fn shown_memory(&self) -> &[Memory] {
        self.elastic.as_ref().map_or(self.step.memory(), Elastic::memory)
    }
}
