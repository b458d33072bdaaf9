//! A row forwards, and the multipliers of a pair of rows backwards.

use super::rules::{maxout_slopes, quotient, tangent};
use crate::activation::Nonlinearity;
use crate::dense::dot;
use crate::kernel::{Packed, Terms, Tier};
use crate::network::{Layer, Network};

/// All that a net computes for a row.
#[derive(Debug, Clone, Default)]
pub(super) struct Trace {
    pub inputs: Vec<f64>,
    /// The net inputs of each layer.
    nets: Vec<Vec<f64>>,
    /// The outputs of each hidden layer.
    hidden: Vec<Vec<f64>>,
    /// The offset in the scale of the output.
    pub offset: f64,
}

impl Trace {
    /// Runs the inputs through the net.
    pub(super) fn fill(&mut self, network: &Network, terms: &mut Terms) {
        let layers = network.layers().len();
        self.nets.resize(layers, Vec::new());
        self.hidden.resize(layers - 1, Vec::new());
        for layer in 0..layers {
            let below = if layer == 0 { &self.inputs } else { &self.hidden[layer - 1] };
            network.read(layer, below, terms);
            network.nets(layer, terms, &mut self.nets[layer]);
            if let Some(hidden) = self.hidden.get_mut(layer) {
                hidden.clone_from(&self.nets[layer]);
                network.activate(layer, hidden);
            }
        }
    }

    /// The net inputs of the output layer.
    pub(super) fn top(&self) -> &[f64] {
        self.nets.last().map_or(&[], Vec::as_slice)
    }
}

/// What a pair of rows has in common for all outputs, and buffers.
#[derive(Debug, Clone, Default)]
pub(super) struct Workspace {
    /// The slopes of each hidden layer, for each channel of each unit.
    slopes: Vec<Vec<f64>>,
    /// The inputs in which the rows differ, and by how much.
    differing: Vec<(usize, f64)>,
    /// What a layer hands down.
    below: Vec<f64>,
    pub terms: Terms,
}

impl Workspace {
    /// Compares a row with a reference.
    pub(super) fn compare(&mut self, network: &Network, x: &Trace, z: &Trace) {
        self.differing.clear();
        // What is equal contributes nothing, whatever its multiplier.
        let pairs = x.inputs.iter().zip(&z.inputs).enumerate().filter(|(_, (x, z))| x != z);
        self.differing.extend(pairs.map(|(input, (x, z))| (input, x - z)));
        self.slopes.resize(x.hidden.len(), Vec::new());
        let nonlinearity = network.activation().nonlinearity();
        for (layer, slopes) in self.slopes.iter_mut().enumerate() {
            let keep = network.keep(layer);
            slopes.clear();
            if nonlinearity == Nonlinearity::Maxout {
                let pairs = x.nets[layer].as_chunks().0.iter().zip(z.nets[layer].as_chunks().0);
                slopes.extend(pairs.flat_map(|(&x, &z)| maxout_slopes(x, z)).map(|slope| slope * keep));
            } else {
                let nets = x.nets[layer].iter().zip(&z.nets[layer]);
                let outputs = x.hidden[layer].iter().zip(&z.hidden[layer]);
                slopes.extend(nets.zip(outputs).map(|((&x, &z), (x_out, z_out))| {
                    quotient(nonlinearity, x, z, x_out - z_out).unwrap_or_else(|| tangent(nonlinearity, x) * keep)
                }));
            }
        }
    }
}

/// The weights of a net, for the way back.
#[derive(Debug, Clone)]
pub(super) struct Backward {
    layers: Vec<BackwardLayer>,
    /// The weights of each input of the net, to all that read it.
    of_inputs: Vec<f32>,
}

/// A layer as one that reads the multipliers of its net inputs and has a unit for each of its inputs.
#[derive(Debug, Clone)]
struct BackwardLayer {
    packed: Packed,
    units: usize,
}

impl Backward {
    pub(super) fn new(network: &Network) -> Self {
        let mut transposed = network.layers().iter().map(transposed);
        let first = transposed.next();
        let layers = first.iter().cloned().chain(transposed).map(|layer| BackwardLayer::new(&layer)).collect();
        Self { layers, of_inputs: first.map_or_else(Vec::new, |first| first.weights) }
    }

    /// Adds the contributions of the inputs, given the multipliers of the net inputs of the output layer.
    pub(super) fn add(&self, into_nets: Vec<f64>, workspace: &mut Workspace, sums: &mut [f64]) {
        let Workspace { slopes, differing, below, terms } = workspace;
        let mut multipliers = into_nets;
        let Some((first, others)) = self.layers.split_first() else { return };
        for (layer, slopes) in others.iter().zip(&*slopes).rev() {
            layer.hand_down(&multipliers, terms, below);
            let channels = slopes.len() / layer.units.max(1);
            multipliers.clear();
            multipliers.extend(slopes.iter().enumerate().map(|(net, slope)| slope * below[net / channels]));
        }
        // A row of levels differs in few inputs, a row of numbers in most.
        if 2 * differing.len() < sums.len() {
            for &(input, difference) in &*differing {
                let weights = &self.of_inputs[input * multipliers.len()..][..multipliers.len()];
                sums[input] += difference * dot(weights, &multipliers);
            }
        } else {
            first.hand_down(&multipliers, terms, below);
            for &(input, difference) in &*differing {
                sums[input] += difference * below[input];
            }
        }
    }
}

impl BackwardLayer {
    fn new(layer: &Layer) -> Self {
        Self { packed: Packed::new(layer), units: layer.units }
    }

    /// The multipliers of the inputs, from those of the net inputs.
    fn hand_down(&self, multipliers: &[f64], terms: &mut Terms, below: &mut Vec<f64>) {
        terms.begin(multipliers.len(), 1);
        terms.extend(0, multipliers, !self.packed.is_finite());
        below.resize(self.packed.stride(), 0.0);
        Tier::best().nets(&self.packed, terms, below);
        below.truncate(self.units);
    }
}

fn transposed(layer: &Layer) -> Layer {
    let Layer { inputs, channels, dropout_ratio, .. } = *layer;
    let nets = layer.biases.len();
    let mut weights = vec![0.0; nets * inputs];
    for (unit, row) in layer.weights.chunks_exact((inputs * channels).max(1)).enumerate() {
        for (input, of_channels) in row.chunks_exact(channels).enumerate() {
            weights[input * nets + unit * channels..][..channels].copy_from_slice(of_channels);
        }
    }
    Layer { inputs: nets, units: inputs, channels: 1, weights, biases: vec![0.0; inputs], dropout_ratio }
}
