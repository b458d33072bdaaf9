//! One row of training: forward, error, and the update of every layer from the top down.
//!
//! The order is H2O's: a layer's weights change before the layer below sees its error, which was summed from the weights
//! as they were.

use model::{Category, Network, Nonlinearity};

use super::dropout::{draw_mask, drop_inputs, keeps};
use super::loss::Loss;
use super::sparsity::Sparsity;
use super::update::{Adadelta, Manual, Memory, Rule, approximate_root_f32, has_momentum, layer_rate};
use crate::params::TrainParams;
use crate::plan::TrainPlan;

/// The plain engine's state besides the net: what the updates remember, and room for one row.
#[derive(Debug)]
pub(super) struct Step {
    memory: Vec<Memory>,
    /// Activations of each layer, the inputs first.
    activations: Vec<Vec<f64>>,
    /// The error of each hidden layer's units and of the outputs.
    errors: Vec<Vec<f64>>,
    /// The larger channel of each Maxout unit. A dropped unit keeps the one of the row before.
    winners: Vec<Vec<usize>>,
    mask: Vec<u8>,
    /// The inputs of an autoencoder's row before any of them was dropped.
    originals: Vec<f64>,
    sparsity: Option<Sparsity>,
}

/// What an update needs to know besides the row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Settings<'a> {
    pub params: &'a TrainParams,
    pub loss: Loss,
    /// What weights and biases are pulled to, with `elastic_averaging`.
    pub consensus: Option<&'a Network>,
    /// Samples as of the last finished iteration; the rate is annealed by them.
    pub samples: u64,
    /// Of updates with a manual rate.
    pub momentum: f32,
}

/// What a row teaches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Target {
    /// The index of its class.
    Class(usize),
    /// The scaled response, and what is added to the output first.
    Value { value: f64, offset: f64 },
    /// Itself: the inputs of an autoencoder.
    Inputs,
}

impl TrainPlan<'_> {
    /// What a row teaches, on the scale of the net's output.
    pub(super) fn target(&self, row: usize) -> Target {
        let response = self.training.response(row);
        match self.category {
            Category::Binomial | Category::Multinomial => Target::Class(response as usize),
            Category::Regression => Target::Value {
                value: self.response_scaling.map_or(response, |scaling| (response - scaling.sub) * scaling.mul),
                offset: self.scaled_offset(self.training.offset(row)),
            },
            Category::AutoEncoder => Target::Inputs,
        }
    }
}

impl Step {
    pub fn new(params: &TrainParams, network: &Network) -> Self {
        let layers = network.layers();
        Self {
            memory: layers.iter().map(|l| Memory::new(params, l.weights.len(), l.biases.len())).collect(),
            activations: std::iter::once(network.inputs())
                .chain(layers.iter().map(|l| l.units))
                .map(|units| vec![0.0; units])
                .collect(),
            errors: layers.iter().map(|l| vec![0.0; l.units]).collect(),
            winners: layers.iter().map(|l| vec![0; l.units]).collect(),
            mask: Vec::new(),
            originals: Vec::new(),
            sparsity: Sparsity::new(params, network),
        }
    }

    /// What the updates remember of each layer.
    pub fn memory(&self) -> &[Memory] {
        &self.memory
    }

    /// Returns to what was remembered at another time.
    pub fn set_memory(&mut self, memory: Vec<Memory>) {
        self.memory = memory;
    }

    /// All that a net carries from row to row besides its weights and biases.
    pub fn remembered(&mut self) -> (&mut [Memory], Option<&mut Sparsity>) {
        (&mut self.memory, self.sparsity.as_mut())
    }

    /// What an autoencoder's hidden units are held to, where they are.
    pub fn sparsity(&mut self) -> Option<&mut Sparsity> {
        self.sparsity.as_mut()
    }

    /// Where the caller puts the inputs of the row.
    pub fn input(&mut self) -> &mut [f64] {
        &mut self.activations[0]
    }

    /// Forgets which channels won, as H2O does before each pass over a chunk.
    pub fn start_pass(&mut self) {
        for winners in &mut self.winners {
            winners.fill(0);
        }
    }

    /// Learns from the row whose inputs were put in place.
    pub fn learn(&mut self, network: &mut Network, target: Target, row_seed: i64, settings: Settings<'_>) {
        let params = settings.params;
        let seed = row_seed.wrapping_add(params.seed);
        let is_autoencoder = matches!(target, Target::Inputs);
        if is_autoencoder {
            self.originals.clone_from(&self.activations[0]);
        }
        if params.input_dropout_ratio > 0.0 {
            drop_inputs(&mut self.activations[0], params.input_dropout_ratio, seed);
        }
        self.forward(network, is_autoencoder, seed);
        self.output_error(target, settings.loss);
        for layer in (0..self.memory.len()).rev() {
            self.update_layer(network, layer, settings);
        }
    }

    /// The output layer of an autoencoder has the activation of the hidden ones, without dropout.
    fn forward(&mut self, network: &Network, is_autoencoder: bool, seed: i64) {
        let activation = network.activation();
        let output = network.layers().len() - 1;
        for (l, layer) in network.layers().iter().enumerate() {
            let (below, above) = self.activations.split_at_mut(l + 1);
            let (inputs, outputs) = (&below[l], &mut above[0]);
            let hidden = l < output;
            let drops = hidden && activation.has_dropout();
            if drops {
                draw_mask(&mut self.mask, layer.units, layer.dropout_ratio, activation, seed);
            }
            for (unit, out) in outputs.iter_mut().enumerate() {
                *out = if drops && !keeps(&self.mask, unit) {
                    0.0
                } else if !hidden && !is_autoencoder {
                    layer.net(unit, inputs)
                } else if activation.nonlinearity() == Nonlinearity::Maxout {
                    let nets = layer.net_two_channels(unit, inputs);
                    let winner = usize::from(nets[1] > nets[0]);
                    self.winners[l][unit] = winner;
                    nets[winner]
                } else {
                    activation.nonlinearity().apply(layer.net(unit, inputs))
                };
            }
            if let Some(sparsity) = self.sparsity.as_mut().filter(|_| hidden) {
                sparsity.note(l, outputs);
            }
        }
    }

    /// The error of an autoencoder's output is taken for that of its net input: as in H2O the derivative of the output's
    /// activation is left out.
    fn output_error(&mut self, target: Target, loss: Loss) {
        for errors in &mut self.errors {
            errors.fill(0.0);
        }
        let (Some(outputs), Some(errors)) = (self.activations.last(), self.errors.last_mut()) else { return };
        match target {
            Target::Class(class) => loss.class_errors(outputs, class, errors),
            Target::Value { value, offset } => errors[0] = loss.value_error(outputs[0] + offset, value),
            Target::Inputs => {
                for ((error, &output), &original) in errors.iter_mut().zip(outputs).zip(&self.originals) {
                    *error = loss.value_error(output, original);
                }
            }
        }
    }

    fn update_layer(&mut self, network: &mut Network, layer: usize, settings: Settings<'_>) {
        let params = settings.params;
        let mut memory = std::mem::replace(&mut self.memory[layer], Memory::None);
        match &mut memory {
            Memory::Adadelta { weights, biases } => {
                let (rho, epsilon) = (params.rho as f32, params.epsilon as f32);
                self.update_units(network, layer, settings, &mut Adadelta { weights, biases, rho, epsilon });
            }
            Memory::Momentum { weights, biases } => {
                let rule = &mut manual(settings, layer, weights, biases);
                self.update_units(network, layer, settings, rule);
            }
            Memory::None => {
                let rule = &mut manual(settings, layer, &mut [], &mut []);
                self.update_units(network, layer, settings, rule);
            }
        }
        self.memory[layer] = memory;
    }

    fn update_units(&mut self, network: &mut Network, l: usize, settings: Settings<'_>, rule: &mut impl Rule) {
        let params = settings.params;
        let consensus = settings.consensus.map(|consensus| &consensus.layers()[l]);
        let nonlinearity = network.activation().nonlinearity();
        let is_hidden = l + 1 < network.layers().len();
        let (inputs, channels) = (network.layers()[l].inputs, network.layers()[l].channels);
        let (weights, biases) = network.parameters_mut(l);
        let (errors_below, errors) = self.errors.split_at_mut(l);
        let mut errors_below = errors_below.last_mut();
        let (l1, l2) = (params.l1 as f32, params.l2 as f32);
        // Without history, momentum and penalties nothing would happen to such a unit.
        let skips_idle = params.fast_mode || (!params.adaptive_rate && !has_momentum(params) && l1 == 0.0 && l2 == 0.0);
        for (unit, &error) in errors[0].iter().enumerate() {
            let factor = if is_hidden { derivative(nonlinearity, self.activations[l + 1][unit]) } else { 1.0 };
            let g = error * factor;
            if skips_idle && g == 0.0 {
                continue;
            }
            let winner = if channels == 2 { self.winners[l][unit] } else { 0 };
            let mut squares = 0.0;
            for (input, &a) in self.activations[l].iter().enumerate() {
                let index = channels * (unit * inputs + input) + winner;
                let w = weights[index];
                if let Some(errors_below) = &mut errors_below {
                    errors_below[input] += g * f64::from(w);
                }
                if params.fast_mode && a == 0.0 {
                    continue;
                }
                let mut gradient = g * a + f64::from(sign(w) * l1) + f64::from(w) * f64::from(l2);
                if let Some(consensus) = consensus {
                    gradient += params.elastic_averaging_regularization * f64::from(w - consensus.weights[index]);
                }
                squares += gradient * gradient;
                weights[index] = rule.weight(index, w, gradient);
            }
            if params.max_w2 < f32::MAX {
                let width = channels * inputs;
                // With two channels H2O takes the slice from the winner's first weight up to its last, exclusive.
                let slice = if channels == 2 { winner..(width - 2 + winner).max(winner) } else { 0..width };
                let of_unit = &mut weights[unit * width..(unit + 1) * width];
                cap_squares(&mut of_unit[slice], params.max_w2);
            }
            let index = channels * unit + winner;
            let b = biases[index];
            let mut gradient = g + f64::from(l1) * if b == 0.0 { 0.0 } else { b.signum() } + b * f64::from(l2);
            if let Some(consensus) = consensus {
                gradient += params.elastic_averaging_regularization * (b - consensus.biases[index]);
            }
            let (b, rate) = rule.bias(index, b, gradient, squares / inputs as f64);
            let excess = self.sparsity.as_ref().map_or(0.0, |sparsity| sparsity.excess(l, unit));
            biases[index] = b - rate * excess;
        }
    }
}

fn manual<'a>(settings: Settings<'_>, layer: usize, weights: &'a mut [f32], biases: &'a mut [f64]) -> Manual<'a> {
    let Settings { params, samples, momentum, .. } = settings;
    let step = layer_rate(params, layer, samples) * (1.0 - momentum);
    Manual { weights, biases, step, momentum, nesterov: params.nesterov_accelerated_gradient }
}

/// The factor of the error, by the unit's activation. A dropped unit has activation 0, so only a rectified one is left
/// alone. That of `ExpRectifier` should be `a + 1` below zero; H2O has `exp(a)`.
fn derivative(nonlinearity: Nonlinearity, a: f64) -> f64 {
    match nonlinearity {
        Nonlinearity::Tanh => 1.0 - a * a,
        Nonlinearity::Rectifier => {
            if a > 0.0 {
                1.0
            } else {
                0.0
            }
        }
        Nonlinearity::ExpRectifier => {
            if a >= 0.0 {
                1.0
            } else {
                model::exp(a)
            }
        }
        Nonlinearity::Maxout => 1.0,
    }
}

fn sign(w: f32) -> f32 {
    if w == 0.0 { 0.0 } else { w.signum() }
}

/// Scales the weights into a unit down where the sum of their squares exceeds `limit`.
fn cap_squares(weights: &mut [f32], limit: f32) {
    let (blocks, rest) = weights.as_chunks::<8>();
    let mut sums = [0.0_f32; 8];
    for block in blocks {
        for lane in 0..8 {
            sums[lane] += block[lane] * block[lane];
        }
    }
    let mut squares = 0.0;
    squares += ((sums[0] + sums[1]) + sums[2]) + sums[3];
    squares += ((sums[4] + sums[5]) + sums[6]) + sums[7];
    for w in rest {
        squares += w * w;
    }
    if squares > limit {
        let scale = approximate_root_f32(limit / squares);
        for w in weights {
            *w *= scale;
        }
    }
}
