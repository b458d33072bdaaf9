//! Which layout a layer gets: what it costs to go through it, in lines of memory.

use super::layer::Layout;
use super::step::{FastStep, StepSettings};
use super::work::Work;
use crate::kernel::flat;

/// A line that is changed costs as much as this many that are read.
const CHANGED: f64 = 2.7;

/// What a line costs that is read for several samples at once.
const TOGETHER: f64 = 0.4;

/// Steps that are looked at; more would tell little.
const LOOKS: usize = 256;

/// How much of each layer took part in some steps.
#[derive(Debug, Clone, Default)]
pub(super) struct Activity {
    /// Steps, of each of which the first sample was looked at.
    steps: usize,
    /// Inputs that were not zero, and units with a gradient, of each layer.
    layers: Vec<(f64, f64)>,
}

impl Activity {
    /// Counts what took part in a step, unless it has seen enough.
    pub fn note(&mut self, work: &Work) {
        if self.steps == LOOKS {
            return;
        }
        self.steps += 1;
        self.layers.resize(work.layers.len(), (0.0, 0.0));
        let mut inputs = work.inputs[0].count;
        let nonzero = |lines| flat(lines).iter().filter(|x| **x != 0.0).count();
        for (seen, layer) in self.layers.iter_mut().zip(&work.layers) {
            seen.0 += inputs as f64;
            seen.1 += nonzero(&layer.gradients[layer.outputs(0)]) as f64;
            inputs = nonzero(&layer.activations[layer.units(0)]);
        }
    }

    /// The cheaper layout of each layer; those that it has where nothing was seen.
    pub fn layouts(&self, step: &FastStep) -> Vec<Layout> {
        if self.steps == 0 {
            return step.layers.iter().map(|layer| layer.layout).collect();
        }
        let layouts = step.layers.iter().zip(&self.layers).map(|(layer, seen)| {
            let (inputs, units) = (seen.0 / self.steps as f64, seen.1 / self.steps as f64);
            let shape = Shape { inputs: layer.inputs, outputs: layer.channels * layer.units, slots: layer.slots };
            shape.layout(&step.settings, inputs, units)
        });
        layouts.collect()
    }
}

/// What the cost of a layer depends on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    pub inputs: usize,
    pub outputs: usize,
    pub slots: usize,
}

impl Shape {
    /// The cheaper layout where so many inputs and units of a sample take part.
    pub fn layout(self, settings: &StepSettings, inputs: f64, units: f64) -> Layout {
        const LANES: f64 = crate::kernel::LANES as f64;
        // The cap is on the weights into a unit, which only a row has side by side.
        if settings.params.max_w2 < f32::MAX {
            return Layout::ByUnit;
        }
        let (input_lines, output_lines) = ((self.inputs as f64 / LANES).ceil(), (self.outputs as f64 / LANES).ceil());
        // Which any of so many have, where one has it with the share of these in all.
        let any = |these: f64, all: usize, of: f64| 1.0 - (1.0 - these / all as f64).max(0.0).powf(of);
        let touched = output_lines * any(units, self.outputs, LANES);
        let changed = CHANGED * (1 + self.slots) as f64;
        let batch = settings.batch as f64;
        let (by_input, by_unit) = if settings.batch == 1 {
            // Forward, error, update; by unit the last two are one.
            let by_input = inputs * (output_lines + touched + changed * touched);
            (by_input, self.outputs as f64 * input_lines + units * input_lines * (1.0 + changed))
        } else {
            // The gradients are added up, and each row that any sample has changes once.
            let rows = |these: f64, all: usize| changed * all as f64 * any(these, all, batch) / batch;
            let by_input = inputs * (output_lines + 2.0 * touched) + rows(inputs, self.inputs) * output_lines;
            let forward = TOGETHER * self.outputs as f64 * input_lines;
            (by_input, forward + units * input_lines * 2.0 + rows(units, self.outputs) * input_lines)
        };
        if by_input <= by_unit { Layout::ByInput } else { Layout::ByUnit }
    }
}
