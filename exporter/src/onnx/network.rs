//! The layers of the net.

use model::{DeepLearning, Layer, Nonlinearity};

use super::graph::{Graph, Value, int};
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
            below = Below::Units(self.activated(graph, &nets, &name));
        }
        self.layer(graph, output, &below, "output")
    }

    /// The net inputs of a layer, those of the first channel before those of the second.
    fn layer(&self, graph: &mut Graph, l: usize, below: &Below<'_>, name: &str) -> Value {
        let layer = &self.net.network.layers()[l];
        let nets = format!("{name}.nets");
        let biases = by_channel(layer, |layer, at| layer.biases[at]);
        let biases = graph.numbers(self.element, &[biases.len()], biases, &format!("{name}.biases"));
        let (numbers, first, levels) = match below {
            // Scoring multiplies outputs by the share of the units that training kept: here their weights are multiplied.
            Below::Units(units) => (Some(units), 0, None),
            Below::Inputs(numbers, inputs) => {
                let levels = self.levels(graph, inputs, layer, name);
                (numbers.map(|numbers| &numbers.filled), self.net.layout.first_numeric(), levels)
            }
        };
        let keep = if l == 0 { 1.0 } else { self.net.network.keep(l - 1) };
        let sum = numbers.map(|numbers| {
            let width = layer.inputs - first;
            let weights = by_channel(layer, |layer, at| {
                let row = &layer.weights[at / layer.channels * layer.channels * layer.inputs..];
                let of_channel = row.iter().skip(at % layer.channels).step_by(layer.channels);
                of_channel.take(layer.inputs).skip(first).map(|&weight| f64::from(weight) * keep)
            });
            let units = layer.biases.len();
            let weights = weights.into_iter().flatten();
            let weights = graph.numbers(self.element, &[units, width], weights, &format!("{name}.weights"));
            graph.node_with("Gemm", &[numbers, &weights, &biases], vec![int("transB", 1)], &nets)
        });
        match (sum, levels) {
            (Some(sum), Some(levels)) => graph.node("Add", &[&levels, &sum], &nets),
            (Some(sum), None) => sum,
            (None, Some(levels)) => graph.node("Add", &[&levels, &biases], &nets),
            (None, None) => biases,
        }
    }

    /// What levels add to the net inputs of the first layer: the sum of the rows that they looked up.
    fn levels(&self, graph: &mut Graph, inputs: &Inputs<'_>, layer: &Layer, name: &str) -> Option<Value> {
        let levels = inputs.rows()?;
        let rows = self.net.layout.first_numeric();
        let units = layer.biases.len();
        // A last row of nothing, for first levels that have no input.
        let mut table = vec![0.0; (rows + 1) * units];
        let by_unit = by_channel(layer, |layer, at| {
            let row = &layer.weights[at / layer.channels * layer.channels * layer.inputs..];
            row.iter().skip(at % layer.channels).step_by(layer.channels).take(rows)
        });
        for (unit, weights) in by_unit.into_iter().enumerate() {
            for (row, &weight) in weights.enumerate() {
                table[row * units + unit] = f64::from(weight);
            }
        }
        let table = graph.numbers(self.element, &[rows + 1, units], table, &format!("{name}.level_weights"));
        let looked_up = graph.node("Gather", &[&table, levels], &format!("{name}.level_rows"));
        let axis = graph.integers(&[1], &[1], "columns.axis");
        let attributes = vec![int("keepdims", 0)];
        Some(graph.node_with("ReduceSum", &[&looked_up, &axis], attributes, &format!("{name}.levels")))
    }

    /// What units make of their net inputs.
    pub(super) fn activated(&self, graph: &mut Graph, nets: &Value, name: &str) -> Value {
        match self.net.network.activation().nonlinearity() {
            Nonlinearity::Tanh => graph.node("Tanh", &[nets], name),
            Nonlinearity::Rectifier => graph.node("Relu", &[nets], name),
            Nonlinearity::Maxout => {
                let [first, second] = graph.halves(nets, [&format!("{name}.first"), &format!("{name}.second")]);
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

/// What there is for each channel of each unit, all units of the first channel before those of the second. In the layer the
/// channels of a unit are side by side.
fn by_channel<'l, T>(layer: &'l Layer, of: impl Fn(&'l Layer, usize) -> T) -> Vec<T> {
    let of = &of;
    let places =
        (0..layer.channels).flat_map(|channel| (0..layer.units).map(move |unit| layer.channels * unit + channel));
    places.map(|place| of(layer, place)).collect()
}
