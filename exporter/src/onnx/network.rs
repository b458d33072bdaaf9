//! The layers of the net.

use std::ops::Range;

use model::{DeepLearning, Layer, Nonlinearity};

use super::graph::{Graph, Value};
use super::inputs::Inputs;
use super::numbers::Numbers;
use super::proto::tensor_proto::DataType;

/// The net, as it is written.
pub(super) struct Layers<'n> {
    pub(super) net: &'n DeepLearning,
    pub(super) element: DataType,
}

/// What a layer reads.
enum Below<'v> {
    /// The inputs of the net: numbers, and what the categorical columns looked up.
    Inputs(Option<&'v Numbers>, &'v Inputs<'v>),
    /// The units of a hidden layer.
    Units(Value),
}

impl Layers<'_> {
    /// The net inputs of the output layer.
    pub(super) fn nets(&self, graph: &mut Graph, numbers: Option<&Numbers>, inputs: &Inputs<'_>) -> Value {
        let output = self.net.network.layers().len() - 1;
        let mut below = Below::Inputs(numbers, inputs);
        for layer in 0..output {
            let name = format!("hidden{}", layer + 1);
            let nets = self.layer(graph, layer, &below, &name);
            below = Below::Units(self.activated(graph, &nets, self.net.network.layers()[layer].units, &name));
        }
        self.layer(graph, output, &below, "output")
    }

    /// The net inputs of a layer, those of the first channel before those of the second.
    fn layer(&self, graph: &mut Graph, l: usize, below: &Below<'_>, name: &str) -> Value {
        let layer = &self.net.network.layers()[l];
        let sums = match below {
            Below::Units(units) => {
                // Scoring multiplies outputs by the share of the units that training kept: here their weights are multiplied.
                let weights = weights(layer, 0..layer.inputs, self.net.network.keep(l - 1));
                vec![self.products(graph, layer, units, weights, name)]
            }
            Below::Inputs(numbers, inputs) => {
                let first_numeric = self.net.layout.first_numeric();
                let levels = inputs.rows().map(|rows| self.levels(graph, layer, rows, name));
                let numbers = numbers.map(|numbers| {
                    let weights = weights(layer, first_numeric..layer.inputs, 1.0);
                    self.products(graph, layer, &numbers.filled, weights, name)
                });
                numbers.into_iter().chain(levels).collect()
            }
        };
        let biases = channels(layer).map(|(channel, unit)| layer.biases[layer.channels * unit + channel]);
        let biases = graph.numbers(self.element, &[layer.biases.len()], biases, &format!("{name}.biases"));
        let add = |sum: Value, more: Value| graph.node("Add", &[&more, &sum], &format!("{name}.nets"));
        sums.into_iter().fold(biases, add)
    }

    /// What the units below add to the net inputs.
    fn products(&self, graph: &mut Graph, layer: &Layer, below: &Value, weights: Vec<f64>, name: &str) -> Value {
        let units = layer.biases.len();
        let dims = [weights.len() / units, units];
        let weights = graph.numbers(self.element, &dims, weights, &format!("{name}.weights"));
        graph.node("MatMul", &[below, &weights], &format!("{name}.products"))
    }

    /// What levels add to the net inputs of the first layer: the sum of the rows that they looked up.
    fn levels(&self, graph: &mut Graph, layer: &Layer, rows: &Value, name: &str) -> Value {
        let units = layer.biases.len();
        let first_numeric = self.net.layout.first_numeric();
        // A last row of nothing, for first levels that have no input.
        let nothing = vec![0.0; units];
        let table = weights(layer, 0..first_numeric, 1.0).into_iter().chain(nothing);
        let table = graph.numbers(self.element, &[first_numeric + 1, units], table, &format!("{name}.level_weights"));
        let looked_up = graph.node("Gather", &[&table, rows], &format!("{name}.level_rows"));
        let axis = graph.integers(&[1], &[1], "columns.axis");
        let sum = graph.node("ReduceSum", &[&looked_up, &axis], &format!("{name}.levels_sum"));
        graph.squeezed(&sum, &format!("{name}.levels"))
    }

    /// What units make of their net inputs.
    pub(super) fn activated(&self, graph: &mut Graph, nets: &Value, units: usize, name: &str) -> Value {
        match self.net.network.activation().nonlinearity() {
            Nonlinearity::Tanh => graph.node("Tanh", &[nets], name),
            Nonlinearity::Rectifier => graph.node("Relu", &[nets], name),
            Nonlinearity::Maxout => {
                let names = [&*format!("{name}.first"), &*format!("{name}.second")];
                let [first, second] = graph.halves(nets, units, names);
                graph.node("Max", &[&first, &second], name)
            }
            // Not `Elu`, which runtimes have for single precision alone.
            Nonlinearity::ExpRectifier => {
                let zero = graph.numbers(self.element, &[1], [0.0], "zero");
                let one = graph.numbers(self.element, &[1], [1.0], "one");
                let is_linear = graph.node("GreaterOrEqual", &[nets, &zero], &format!("{name}.is_linear"));
                let exp = graph.node("Exp", &[nets], &format!("{name}.exp"));
                let curved = graph.node("Sub", &[&exp, &one], &format!("{name}.curved"));
                graph.node("Where", &[&is_linear, nets, &curved], name)
            }
        }
    }
}

/// The weights from these units below, row by row, times a factor.
fn weights(layer: &Layer, below: Range<usize>, factor: f64) -> Vec<f64> {
    let weight = |input: usize, channel: usize, unit: usize| {
        f64::from(layer.weights[layer.channels * (unit * layer.inputs + input) + channel]) * factor
    };
    below.flat_map(|input| channels(layer).map(move |(channel, unit)| weight(input, channel, unit))).collect()
}

/// The channels of a layer with their units: all units of the first channel before those of the second. In the layer the channels
/// of a unit are side by side.
fn channels(layer: &Layer) -> impl Iterator<Item = (usize, usize)> + use<> {
    let (channels, units) = (layer.channels, layer.units);
    (0..channels).flat_map(move |channel| (0..units).map(move |unit| (channel, unit)))
}
