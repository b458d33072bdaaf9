//! A net that trains on rows of its own.

use super::draws::{Draws, threshold};
use super::forward::List;
use super::layout::Activity;
use super::rule::Schedule;
use super::step::FastStep;
use super::store::{ReadRow, RowStore};
use crate::kernel::{Kernel, LANES, Lanes, Simd, flat_mut};
use crate::sgd::step::Target;

/// A net, and the random numbers that drop its inputs and units.
#[derive(Debug, Clone)]
pub(super) struct Replica {
    pub step: FastStep,
    draws: Draws,
    /// Draws below this drop an input.
    input_threshold: u16,
    /// The same for the units of each hidden layer.
    thresholds: Vec<u16>,
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
        // Steps ahead of which the numbers of a row are asked for, and before that where they begin.
        const AHEAD: usize = 3;
        const FAR_AHEAD: usize = 8;
        let batch = self.step.settings.batch;
        for (number, rows_of_step) in rows.chunks(batch).enumerate() {
            for &later in rows.iter().skip((number + FAR_AHEAD) * batch).take(batch) {
                store.prefetch_start(later);
            }
            for &later in rows.iter().skip((number + AHEAD) * batch).take(batch) {
                store.prefetch(later);
            }
            self.targets.clear();
            for (sample, &row) in rows_of_step.iter().enumerate() {
                self.targets.push(store.target(row));
                self.prepare(simd, store, row, sample);
            }
            self.step.learn(simd, &self.targets, schedule);
            if let Some(activity) = &mut self.activity {
                activity.note(&self.step.work);
            }
        }
    }

    /// Puts the inputs of a row in place, and draws what it leaves out.
    fn prepare<S: Simd>(&mut self, simd: S, store: &RowStore, row: u32, sample: usize) {
        let Self { step, draws, input_threshold, thresholds, targets, .. } = self;
        let work = &mut step.work;
        let list = &mut work.inputs[sample];
        simd.run(ReadRow { store, row, list });
        if targets[sample] == Target::Inputs {
            work.originals[sample].clone_from(list);
        }
        if *input_threshold > 0 {
            simd.run(DropInputs { list, draws, least: *input_threshold });
        }
        for ((work, layer), &least) in work.layers.iter_mut().zip(&step.layers).zip(&*thresholds) {
            let lines = work.units(sample);
            simd.run(KeepUnits { kept: &mut work.kept[lines], units: layer.units, draws, least });
        }
    }
}

/// Drops numbers of a list whose draw is below `least`.
struct DropInputs<'a> {
    list: &'a mut List,
    draws: &'a mut Draws,
    least: u16,
}

impl Kernel for DropInputs<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let List { places, values, count } = self.list;
        let mut kept = 0;
        for start in (0..*count).step_by(LANES) {
            let (Some(&numbers), Some(&lanes)) = (places[start..].first_chunk(), values[start..].first_chunk()) else {
                break;
            };
            let (chosen, lanes) = (simd.not_below(self.draws.next(simd), self.least), simd.load(&Lanes(lanes)));
            let found = simd.append(chosen, &numbers, lanes, kept, places, values);
            // The last vector may end past the list.
            let rest = *count - start;
            let beyond = if rest < LANES { simd.bits(chosen) >> rest } else { 0 };
            kept += found - beyond.count_ones() as usize;
        }
        *count = kept;
    }
}

/// Sets `kept` to 1 for the units whose draw is not below `least`, and to 0 for the others.
struct KeepUnits<'a> {
    kept: &'a mut [Lanes],
    units: usize,
    draws: &'a mut Draws,
    least: u16,
}

impl Kernel for KeepUnits<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let (zero, one) = (simd.splat(0.0), simd.splat(1.0));
        for line in &mut *self.kept {
            let chosen = simd.not_below(self.draws.next(simd), self.least);
            simd.store(line, simd.select(chosen, one, zero));
        }
        flat_mut(self.kept)[self.units..].fill(0.0);
    }
}
