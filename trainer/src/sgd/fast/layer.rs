//! The weights of a layer and what the rule remembers of them, laid out for vectors.

use model::Layer;

use crate::kernel::{Lanes, flat, flat_mut};

/// Which index of a weight is the row's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// A row for each input, with the weights to all units: only the rows of inputs that are not zero are touched.
    ByInput,
    /// A row for each unit, with the weights from all inputs: only the rows of units with a gradient are rewritten.
    ByUnit,
}

/// Weights, biases and memories of a layer.
///
/// A unit of two channels counts twice: lane `o` of the outputs is channel `o / padded` of unit `o % padded`, where `padded` is
/// the number of units, rounded up to whole lines. Padding stays zero.
#[derive(Debug, Clone)]
pub(super) struct FastLayer {
    pub layout: Layout,
    pub inputs: usize,
    pub units: usize,
    pub channels: usize,
    /// Lines of a row, for each of the weights and the memories.
    pub lines: usize,
    /// Memories of each weight; with elastic averaging the last is the weight of the model that the net is pulled to.
    pub slots: usize,
    /// Row after row: the line of weights, then those of each memory.
    pub matrix: Vec<Lanes>,
    /// Biases, then each memory of them, each with a lane for each output.
    pub biases: Vec<Lanes>,
    /// The running mean of each unit's activation, in a sparse autoencoder's hidden layers.
    pub means: Vec<Lanes>,
}

impl FastLayer {
    /// Takes over the weights of a layer; memories start at `untrained`.
    pub fn new(layer: &Layer, layout: Layout, slots: usize, untrained: f32) -> Self {
        let (inputs, units, channels) = (layer.inputs, layer.units, layer.channels);
        let outputs = channels * Lanes::count(units);
        let (rows, lines) = match layout {
            Layout::ByInput => (inputs, outputs),
            Layout::ByUnit => (outputs * crate::kernel::LANES, Lanes::count(inputs)),
        };
        let mut fast = Self {
            layout,
            inputs,
            units,
            channels,
            lines,
            slots,
            matrix: vec![Lanes::default(); rows * lines * (1 + slots)],
            biases: vec![Lanes::default(); outputs * (1 + slots)],
            means: Vec::new(),
        };
        for slot in 1..=slots {
            fast.each_weight_mut(slot, |_, memory| *memory = untrained);
            fast.each_bias_mut(slot, |_, memory| *memory = untrained);
        }
        fast.each_weight_mut(0, |index, weight| *weight = layer.weights[index]);
        fast.each_bias_mut(0, |index, bias| *bias = layer.biases[index] as f32);
        fast
    }

    /// The same in another layout.
    pub fn laid_out(&self, layout: Layout) -> Self {
        let (inputs, units, channels) = (self.inputs, self.units, self.channels);
        let weights = vec![0.0; inputs * units * channels];
        let empty = Layer { inputs, units, channels, weights, biases: vec![0.0; units * channels], dropout_ratio: 0.0 };
        let mut other = Self::new(&empty, layout, self.slots, 0.0);
        let mut numbers = empty.weights;
        for slot in 0..=self.slots {
            self.each_weight(slot, |index, x| numbers[index] = x);
            other.each_weight_mut(slot, |index, x| *x = numbers[index]);
        }
        other.biases.clone_from(&self.biases);
        other.means.clone_from(&self.means);
        other
    }

    /// Lines of the outputs.
    pub fn output_lines(&self) -> usize {
        self.channels * Lanes::count(self.units)
    }

    /// Lines from one row to the next.
    pub fn stride(&self) -> usize {
        self.lines * (1 + self.slots)
    }

    /// Calls `take` with each weight (slot 0) or memory, and its index in a [`Layer`].
    pub fn each_weight(&self, slot: usize, mut take: impl FnMut(usize, f32)) {
        let matrix = flat(&self.matrix);
        self.each_place(slot, |index, place| take(index, matrix[place]));
    }

    /// Calls `take` with each bias (slot 0) or memory, and its index in a [`Layer`].
    pub fn each_bias(&self, slot: usize, mut take: impl FnMut(usize, f32)) {
        let biases = flat(&self.biases);
        self.each_bias_place(slot, |index, place| take(index, biases[place]));
    }

    /// Writes back weights and biases, or what a slot has in their place.
    pub fn write(&self, slot: usize, weights: &mut [f32], biases: &mut [f64]) {
        self.each_weight(slot, |index, weight| weights[index] = weight);
        self.each_bias(slot, |index, bias| biases[index] = f64::from(bias));
    }

    /// Sets the model of elastic averaging, in the last slot, to the net.
    pub fn start_consensus(&mut self) {
        let (lines, last) = (self.lines, self.slots * self.lines);
        let stride = self.stride();
        for row in self.matrix.chunks_mut(stride) {
            row.copy_within(..lines, last);
        }
        let outputs = self.output_lines();
        self.biases.copy_within(..outputs, self.slots * outputs);
    }

    /// Moves the model in the last slot to `rate * net + (1 - rate) * model`, and leaves `rate` times the net and its
    /// memories, which start at `untrained`.
    pub fn move_consensus(&mut self, rate: f32, untrained: f32) {
        let (lines, stride, outputs) = (self.lines, self.stride(), self.output_lines());
        let rows = self.matrix.chunks_mut(stride).map(|row| (row, lines));
        for (row, lines) in rows.chain([(self.biases.as_mut_slice(), outputs)]) {
            let (own, model) = row.split_at_mut(self.slots * lines);
            let (weights, memories) = own.split_at_mut(lines);
            for x in flat_mut(memories) {
                *x = rate * (*x - untrained) + untrained;
            }
            for (own, mean) in flat_mut(weights).iter_mut().zip(flat_mut(model)) {
                *own *= rate;
                *mean = *own + *mean * (1.0 - rate);
            }
        }
        for mean in flat_mut(&mut self.means) {
            *mean *= rate;
        }
    }

    fn each_weight_mut(&mut self, slot: usize, mut change: impl FnMut(usize, &mut f32)) {
        let mut matrix = std::mem::take(&mut self.matrix);
        let numbers = flat_mut(&mut matrix);
        self.each_place(slot, |index, place| change(index, &mut numbers[place]));
        self.matrix = matrix;
    }

    fn each_bias_mut(&mut self, slot: usize, mut change: impl FnMut(usize, &mut f32)) {
        let mut biases = std::mem::take(&mut self.biases);
        let numbers = flat_mut(&mut biases);
        self.each_bias_place(slot, |index, place| change(index, &mut numbers[place]));
        self.biases = biases;
    }

    /// The index of each weight in a [`Layer`] and its place in the matrix, the places in order.
    fn each_place(&self, slot: usize, mut take: impl FnMut(usize, usize)) {
        const LANES: usize = crate::kernel::LANES;
        let (Self { inputs, units, channels, .. }, padded) = (self, Lanes::count(self.units) * LANES);
        let (stride, offset) = (self.stride() * LANES, slot * self.lines * LANES);
        let index = |input: usize, unit: usize, channel: usize| channels * (unit * inputs + input) + channel;
        match self.layout {
            Layout::ByInput => {
                for input in 0..*inputs {
                    for channel in 0..*channels {
                        for unit in 0..*units {
                            take(index(input, unit, channel), input * stride + offset + channel * padded + unit);
                        }
                    }
                }
            }
            Layout::ByUnit => {
                for channel in 0..*channels {
                    for unit in 0..*units {
                        for input in 0..*inputs {
                            take(index(input, unit, channel), (channel * padded + unit) * stride + offset + input);
                        }
                    }
                }
            }
        }
    }

    fn each_bias_place(&self, slot: usize, mut take: impl FnMut(usize, usize)) {
        let padded = Lanes::count(self.units) * crate::kernel::LANES;
        for channel in 0..self.channels {
            for unit in 0..self.units {
                take(self.channels * unit + channel, (slot * self.channels + channel) * padded + unit);
            }
        }
    }
}
