//! Room for the samples that a step learns from.

use super::forward::List;
use super::layer::{FastLayer, Layout};
use crate::kernel::{LANES, Lanes, flat_mut};

/// Numbers of the inputs, and of each layer's units, for each sample of a batch.
#[derive(Debug, Clone)]
pub(super) struct Work {
    /// The inputs of each sample that are not zero.
    pub inputs: Vec<List>,
    /// Of an autoencoder: the same before any of them was dropped.
    pub originals: Vec<List>,
    /// All inputs of each sample, where the first layer is by unit.
    pub dense_inputs: Vec<Lanes>,
    pub layers: Vec<LayerWork>,
}

/// What the units of a layer have, the lines of one sample after those of the other.
#[derive(Debug, Clone)]
pub(super) struct LayerWork {
    pub unit_lines: usize,
    pub output_lines: usize,
    pub activations: Vec<Lanes>,
    /// The activations that are not zero.
    pub lists: Vec<List>,
    pub kept: Vec<Lanes>,
    pub winners: Vec<Lanes>,
    /// What the layer above says of the activations.
    pub errors: Vec<Lanes>,
    /// The derivative of the loss by the net inputs.
    pub gradients: Vec<Lanes>,
    /// The lines of the gradients that are not all zero.
    pub lines: Vec<Vec<u32>>,
    /// The gradients that are not zero, where the layer is by unit.
    pub gradient_lists: Vec<List>,
    pub nets: Vec<Lanes>,
    /// Of all samples together: sums of squared gradients, and 1 for each unit that changes whatever its gradient.
    pub squares: Vec<Lanes>,
    pub touched: Vec<Lanes>,
}

impl Work {
    pub fn new(layers: &[FastLayer], batch: usize, skips_zeros: bool) -> Self {
        let first = &layers[0];
        let is_dense = first.layout == Layout::ByUnit || !skips_zeros;
        let dense_lines = if is_dense { Lanes::count(first.inputs) } else { 0 };
        Self {
            inputs: vec![List::with_room(first.inputs); batch],
            originals: vec![List::default(); batch],
            dense_inputs: vec![Lanes::default(); dense_lines * batch],
            layers: layers.iter().map(|layer| LayerWork::new(layer, batch)).collect(),
        }
    }

    /// Fills the dense inputs of a sample from its list, where they are wanted.
    pub fn spread_inputs(&mut self, sample: usize) {
        if self.dense_inputs.is_empty() {
            return;
        }
        let lines = self.dense_inputs.len() / self.inputs.len();
        let dense = flat_mut(&mut self.dense_inputs[sample * lines..(sample + 1) * lines]);
        dense.fill(0.0);
        let list = &self.inputs[sample];
        for (&place, &value) in list.places().iter().zip(list.values()) {
            dense[place as usize] = value;
        }
    }

    /// What concerns a layer and a sample.
    pub fn parts(&mut self, l: usize, sample: usize) -> Parts<'_> {
        let (below, above) = self.layers.split_at_mut(l);
        let this = &mut above[0];
        if let Some(below) = below.last_mut() {
            let units = below.units(sample);
            let (list, dense) = (&below.lists[sample], &below.activations[units.clone()]);
            return Parts { list, dense, errors: Some(&mut below.errors[units]), this };
        }
        let lines = self.dense_inputs.len() / self.inputs.len();
        let dense = &self.dense_inputs[sample * lines..(sample + 1) * lines];
        Parts { list: &self.inputs[sample], dense, errors: None, this }
    }

    /// What a layer reads of the first samples, as lists and as lines, and the layer.
    pub fn of_samples(&mut self, l: usize, samples: usize) -> (&[List], &[Lanes], &mut LayerWork) {
        let (below, above) = self.layers.split_at_mut(l);
        let (lists, dense, all) = match below.last() {
            Some(below) => (&below.lists, &below.activations, below.lists.len()),
            None => (&self.inputs, &self.dense_inputs, self.inputs.len()),
        };
        (&lists[..samples], &dense[..dense.len() / all * samples], &mut above[0])
    }
}

/// What concerns a layer and a sample.
pub(super) struct Parts<'w> {
    /// The numbers that the layer reads and that are not zero; of hidden units only for a layer by input.
    pub list: &'w List,
    /// All numbers that the layer reads; of the inputs only where they are wanted.
    pub dense: &'w [Lanes],
    /// Where the layer below, if there is one, is told its error.
    pub errors: Option<&'w mut [Lanes]>,
    pub this: &'w mut LayerWork,
}

impl LayerWork {
    fn new(layer: &FastLayer, batch: usize) -> Self {
        let (unit_lines, output_lines) = (Lanes::count(layer.units), layer.output_lines());
        let mut work = Self {
            unit_lines,
            output_lines,
            activations: vec![Lanes::default(); unit_lines * batch],
            lists: vec![List::with_room(layer.units); batch],
            kept: vec![Lanes::default(); unit_lines * batch],
            winners: vec![Lanes::default(); unit_lines * batch],
            errors: vec![Lanes::default(); unit_lines * batch],
            gradients: vec![Lanes::default(); output_lines * batch],
            lines: vec![Vec::new(); batch],
            gradient_lists: vec![List::with_room(output_lines * LANES); batch],
            nets: vec![Lanes::default(); output_lines * batch],
            squares: vec![Lanes::default(); output_lines],
            touched: vec![Lanes::default(); output_lines],
        };
        for sample in work.kept.chunks_mut(unit_lines) {
            flat_mut(sample)[..layer.units].fill(1.0);
        }
        work
    }

    /// The lines of a sample among those of the units.
    pub fn units(&self, sample: usize) -> std::ops::Range<usize> {
        sample * self.unit_lines..(sample + 1) * self.unit_lines
    }

    /// The lines of a sample among those of the outputs.
    pub fn outputs(&self, sample: usize) -> std::ops::Range<usize> {
        sample * self.output_lines..(sample + 1) * self.output_lines
    }
}
