//! The fully connected net and its forward pass.

use std::sync::OnceLock;

use crate::activation::{Activation, Nonlinearity};
use crate::dense::{dot, dot_two_channels};
use crate::kernel::{Packed, Terms, Tier};
use crate::model::Category;

/// Layers of a feed-forward net.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    activation: Activation,
    layers: Vec<Layer>,
    packed: PackedLayers,
}

/// The weights once more, in the order in which rows are scored: made when the first one is, and forgotten when weights change.
#[derive(Debug, Default)]
struct PackedLayers(OnceLock<Vec<Packed>>);

/// A copy makes its own when it scores.
impl Clone for PackedLayers {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// They follow from the weights, which are compared.
impl PartialEq for PackedLayers {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Weights and biases between one layer of units and the next.
#[derive(Debug, Clone, PartialEq)]
pub struct Layer {
    /// Units below.
    pub inputs: usize,
    /// Units of this layer.
    pub units: usize,
    /// Weights per connection: two in a hidden Maxout layer, else one.
    pub channels: usize,
    /// Channel `c` of the connection from input `i` to unit `u` is at `channels * (u * inputs + i) + c`.
    pub weights: Vec<f32>,
    /// Channel `c` of unit `u` is at `channels * u + c`.
    pub biases: Vec<f64>,
    /// Share of the units that training dropped; in scoring the outputs are scaled by one minus it.
    pub dropout_ratio: f64,
}

/// A list of layers that makes no net.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the fields are what the messages say")]
pub enum NetworkError {
    #[error("a network needs an output layer")]
    NoLayers,
    #[error("layer {layer}: expected {expected} weights, found {found}")]
    WrongWeightCount { layer: usize, expected: usize, found: usize },
    #[error("layer {layer}: expected {expected} biases, found {found}")]
    WrongBiasCount { layer: usize, expected: usize, found: usize },
    #[error("layer {layer}: it reads {inputs} units, the layer below has {units}")]
    WrongInputs { layer: usize, inputs: usize, units: usize },
    #[error("layer {layer}: expected {expected} channels, found {found}")]
    WrongChannels { layer: usize, expected: usize, found: usize },
}

impl Network {
    /// Hidden layers and the output layer, bottom up, checked to fit each other.
    pub fn new(activation: Activation, layers: Vec<Layer>) -> Result<Self, NetworkError> {
        let output = layers.len().checked_sub(1).ok_or(NetworkError::NoLayers)?;
        let mut below = None;
        for (l, layer) in layers.iter().enumerate() {
            let channels = activation.channels_of(l, output);
            if layer.channels != channels {
                return Err(NetworkError::WrongChannels { layer: l, expected: channels, found: layer.channels });
            }
            if let Some(units) = below.filter(|&units| units != layer.inputs) {
                return Err(NetworkError::WrongInputs { layer: l, inputs: layer.inputs, units });
            }
            let biases = layer.units.saturating_mul(channels);
            if layer.biases.len() != biases {
                return Err(NetworkError::WrongBiasCount { layer: l, expected: biases, found: layer.biases.len() });
            }
            let weights = biases.saturating_mul(layer.inputs);
            if layer.weights.len() != weights {
                return Err(NetworkError::WrongWeightCount { layer: l, expected: weights, found: layer.weights.len() });
            }
            below = Some(layer.units);
        }
        Ok(Self { activation, layers, packed: PackedLayers::default() })
    }

    /// The activation of the hidden layers.
    pub fn activation(&self) -> Activation {
        self.activation
    }

    /// Hidden layers, then the output layer.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// Weights and biases of a layer, to be trained.
    pub fn parameters_mut(&mut self, layer: usize) -> (&mut [f32], &mut [f64]) {
        self.packed = PackedLayers::default();
        let layer = &mut self.layers[layer];
        (&mut layer.weights, &mut layer.biases)
    }

    /// What H2O calls the kind of a layer in its tables. The input layer, which is none of the layers, is of kind `Input`.
    pub fn layer_kind(&self, layer: usize, category: Category) -> &'static str {
        let is_output = layer + 1 == self.layers.len();
        match category {
            Category::Binomial | Category::Multinomial if is_output => "Softmax",
            Category::Regression if is_output => "Linear",
            Category::AutoEncoder if is_output => self.activation.name().trim_end_matches("WithDropout"),
            _ => match self.activation {
                Activation::TanhWithDropout => "TanhDropout",
                Activation::RectifierWithDropout => "RectifierDropout",
                Activation::MaxoutWithDropout => "MaxoutDropout",
                Activation::ExpRectifierWithDropout => "ExpRectifierDropout",
                plain => plain.name(),
            },
        }
    }

    /// Units of the input layer.
    pub fn inputs(&self) -> usize {
        self.layers.first().map_or(0, |layer| layer.inputs)
    }

    /// Units of the output layer.
    pub fn outputs(&self) -> usize {
        self.layers.last().map_or(0, |layer| layer.units)
    }

    /// Weights and biases in all.
    pub fn size(&self) -> usize {
        self.layers.iter().map(|layer| layer.weights.len() + layer.biases.len()).sum()
    }

    /// What an output unit of an autoencoder makes of its net input: its layer is like a hidden one.
    pub(crate) fn output(&self, net: f64) -> f64 {
        self.activation.nonlinearity().apply(net) * self.keep(self.layers.len() - 1)
    }

    /// What the outputs of a layer are multiplied by in scoring: the share of the units that training kept.
    pub fn keep(&self, layer: usize) -> f64 {
        if self.activation.has_dropout() { 1.0 - self.layers[layer].dropout_ratio } else { 1.0 }
    }

    /// Sets `terms` to what a layer reads of the outputs of the layer below, or of the inputs of the net.
    pub fn read(&self, layer: usize, below: &[f64], terms: &mut Terms) {
        self.begin(layer, terms);
        terms.extend(0, below, self.reads_zeros());
    }

    /// Begins the terms of a layer.
    pub(crate) fn begin(&self, layer: usize, terms: &mut Terms) {
        let Layer { inputs, channels, .. } = self.layers[layer];
        terms.begin(inputs, channels);
    }

    /// Whether inputs of 0 are terms as well: some weight is not finite.
    pub(crate) fn reads_zeros(&self) -> bool {
        !self.packed().iter().all(Packed::is_finite)
    }

    /// Sets `nets` to the net inputs of the output layer, for the inputs that `terms` holds. What it leaves there is undefined.
    pub fn forward(&self, terms: &mut Terms, nets: &mut Vec<f64>) {
        let output = self.layers.len() - 1;
        for hidden in 0..output {
            self.hidden_layer(hidden, terms, nets);
            self.read(hidden + 1, nets, terms);
        }
        self.nets(output, terms, nets);
    }

    /// Sets `outputs` to those of a hidden layer, for the terms that it [reads](Self::read).
    pub fn hidden_layer(&self, layer: usize, terms: &Terms, outputs: &mut Vec<f64>) {
        self.nets(layer, terms, outputs);
        self.activate(layer, outputs);
    }

    /// Replaces the net inputs of a hidden layer by its outputs.
    pub(crate) fn activate(&self, layer: usize, nets: &mut Vec<f64>) {
        let keep = self.keep(layer);
        match self.activation.nonlinearity() {
            Nonlinearity::Maxout => {
                let units = self.layers[layer].units;
                for unit in 0..units {
                    nets[unit] = larger(nets[2 * unit], nets[2 * unit + 1]) * keep;
                }
                nets.truncate(units);
            }
            nonlinearity => nets.iter_mut().for_each(|net| *net = nonlinearity.apply(*net) * keep),
        }
    }

    /// Sets `nets` to the net inputs of all channels of all units of a layer.
    pub(crate) fn nets(&self, layer: usize, terms: &Terms, nets: &mut Vec<f64>) {
        let (packed, biases) = (&self.packed()[layer], &self.layers[layer].biases);
        nets.resize(packed.stride(), 0.0);
        Tier::best().nets(packed, terms, nets);
        nets.truncate(biases.len());
        for (net, bias) in nets.iter_mut().zip(biases) {
            *net += bias;
        }
    }

    fn packed(&self) -> &[Packed] {
        self.packed.0.get_or_init(|| self.layers.iter().map(Packed::new).collect())
    }
}

impl Layer {
    /// The weights into one unit, channels interleaved.
    pub fn weights_of(&self, unit: usize) -> &[f32] {
        let width = self.channels * self.inputs;
        &self.weights[unit * width..(unit + 1) * width]
    }

    /// The net input of a unit with one channel.
    pub fn net(&self, unit: usize, inputs: &[f64]) -> f64 {
        dot(self.weights_of(unit), inputs) + self.biases[unit]
    }

    /// The net inputs of both channels of a Maxout unit.
    pub fn net_two_channels(&self, unit: usize, inputs: &[f64]) -> [f64; 2] {
        let [first, second] = dot_two_channels(self.weights_of(unit), inputs);
        [first + self.biases[2 * unit], second + self.biases[2 * unit + 1]]
    }
}

/// The output of a Maxout unit: a tie keeps the first channel; a NaN in either stays.
pub(crate) fn larger(first: f64, second: f64) -> f64 {
    if first.is_nan() || first >= second { first } else { second }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layer(inputs: usize, units: usize, channels: usize) -> Layer {
        let biases = units * channels;
        Layer {
            inputs,
            units,
            channels,
            weights: vec![0.5; biases * inputs],
            biases: vec![0.25; biases],
            dropout_ratio: 0.5,
        }
    }

    fn nets(net: &Network, inputs: &[f64]) -> Vec<f64> {
        let (mut terms, mut nets) = (Terms::default(), Vec::new());
        net.read(0, inputs, &mut terms);
        net.forward(&mut terms, &mut nets);
        nets
    }

    #[test]
    fn dropout_ratios_count_only_with_a_dropout_activation() {
        let run = |activation| {
            let net = Network::new(activation, vec![layer(2, 1, 1), layer(1, 1, 1)]).expect("it fits");
            nets(&net, &[1.0, 2.0])
        };
        assert_eq!(run(Activation::Rectifier), [1.125]);
        assert_eq!(run(Activation::RectifierWithDropout), [0.6875]);
    }

    #[test]
    fn layers_are_called_as_h2o_calls_them() {
        let net = |activation: Activation| {
            let layers = vec![layer(2, 1, activation.channels_of(0, 1)), layer(1, 1, 1)];
            Network::new(activation, layers).expect("it fits")
        };
        let kinds = Activation::ALL.map(|activation| net(activation).layer_kind(0, Category::Binomial));
        let dropped = ["TanhDropout", "RectifierDropout", "MaxoutDropout", "ExpRectifierDropout"];
        assert_eq!([1, 3, 5, 7].map(|i| kinds[i]), dropped);
        assert_eq!([0, 2, 4, 6].map(|i| kinds[i]), ["Tanh", "Rectifier", "Maxout", "ExpRectifier"]);
        // The kind of the output layer is that of the model, whatever its units.
        let outputs = Category::ALL.map(|category| net(Activation::TanhWithDropout).layer_kind(1, category));
        assert_eq!(outputs, ["Softmax", "Softmax", "Linear", "Tanh"]);
    }

    #[test]
    fn zeros_are_left_out_until_a_weight_is_infinite() {
        let mut net = Network::new(Activation::Rectifier, vec![layer(40, 1, 1)]).expect("it fits");
        let inputs: Vec<f64> = (0..40).map(|input| f64::from(u8::from(input == 20))).collect();
        let run = |net: &Network| nets(net, &inputs)[0];
        assert_eq!(run(&net), 0.75);
        // Infinity times zero is no number.
        net.parameters_mut(0).0[3] = f32::INFINITY;
        assert!(run(&net).is_nan());
    }

    #[test]
    fn layers_that_do_not_fit_are_refused() {
        let misfit = Network::new(Activation::Tanh, vec![layer(2, 3, 1), layer(2, 1, 1)]);
        assert_eq!(misfit, Err(NetworkError::WrongInputs { layer: 1, inputs: 2, units: 3 }));
        let flat = Network::new(Activation::Maxout, vec![layer(2, 3, 1), layer(3, 1, 1)]);
        assert_eq!(flat, Err(NetworkError::WrongChannels { layer: 0, expected: 2, found: 1 }));
        let mut short = layer(2, 3, 1);
        short.weights.pop();
        let short = Network::new(Activation::Tanh, vec![short, layer(3, 1, 1)]);
        assert_eq!(short, Err(NetworkError::WrongWeightCount { layer: 0, expected: 6, found: 5 }));
    }
}
