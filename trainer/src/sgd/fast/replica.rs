//! A net that trains on rows of its own.

use super::draws::{Draws, threshold};
use super::layout::Activity;
use super::rule::Schedule;
use super::step::FastStep;
use super::store::RowStore;
use crate::kernel::{Simd, flat_mut};
use crate::sgd::step::Target;

/// A net, and the random numbers that drop its inputs and units.
#[derive(Debug, Clone)]
pub(super) struct Replica {
    pub step: FastStep,
    draws: Draws,
    /// Draws below this drop an input.
    input_threshold: u32,
    /// The same for the units of each hidden layer.
    thresholds: Vec<u32>,
    targets: Vec<Target>,
    /// What is seen of the rows, where somebody wants to know.
    pub activity: Option<Activity>,
}

impl Replica {
    pub fn new(step: FastStep, seed: u64) -> Self {
        let params = &step.settings.params;
        let ratios = params.hidden_dropout_ratios.as_deref().unwrap_or_default();
        let has_dropout = params.activation.has_dropout();
        let thresholds = if has_dropout { ratios.iter().map(|&ratio| threshold(ratio)).collect() } else { Vec::new() };
        Self {
            draws: Draws::new(seed),
            input_threshold: threshold(params.input_dropout_ratio),
            thresholds,
            targets: Vec::new(),
            activity: None,
            step,
        }
    }

    /// The same net with other random numbers.
    pub fn with_seed(&self, seed: u64) -> Self {
        Self { draws: Draws::new(seed), activity: None, ..self.clone() }
    }

    /// Learns from rows, one batch after the other.
    pub fn learn<S: Simd>(&mut self, simd: S, store: &RowStore, rows: &[u32], schedule: Schedule) {
        const AHEAD: usize = 2;
        let batch = self.step.settings.batch;
        for (number, rows_of_step) in rows.chunks(batch).enumerate() {
            if let Some(&later) = rows.get((number + AHEAD) * batch) {
                store.prefetch(later);
            }
            self.targets.clear();
            for (sample, &row) in rows_of_step.iter().enumerate() {
                self.targets.push(store.target(row));
                self.prepare(store, row, sample);
            }
            self.step.learn(simd, &self.targets, schedule);
            if let Some(activity) = &mut self.activity {
                activity.note(&self.step.work);
            }
        }
    }

    /// Puts the inputs of a row in place, and draws what it leaves out.
    fn prepare(&mut self, store: &RowStore, row: u32, sample: usize) {
        let work = &mut self.step.work;
        let list = &mut work.inputs[sample];
        store.read(row, list);
        if self.targets[sample] == Target::Inputs {
            work.originals[sample].clone_from(list);
        }
        if self.input_threshold > 0 {
            let (mut kept, count) = (0, list.count);
            let mut done = 0;
            while done < count {
                let draws = self.draws.take((count - done).min(128));
                for &draw in draws {
                    list.places[kept] = list.places[done];
                    list.values[kept] = list.values[done];
                    kept += usize::from(u32::from(draw) >= self.input_threshold);
                    done += 1;
                }
            }
            list.count = kept;
        }
        let hidden = work.layers.iter_mut().zip(&self.step.layers);
        for ((work, layer), &threshold) in hidden.zip(&self.thresholds) {
            let lines = work.units(sample);
            for kept in flat_mut(&mut work.kept[lines])[..layer.units].chunks_mut(128) {
                let draws = self.draws.take(kept.len());
                for (kept, &draw) in kept.iter_mut().zip(draws) {
                    *kept = if u32::from(draw) >= threshold { 1.0 } else { 0.0 };
                }
            }
        }
    }
}
