//! The layers.

use model::{Category, Layer, Network, Nonlinearity};
use serde::Serialize;

use super::literal::{MOST_PIECES, number, numbers, packed_floats, packed_pieces};
use super::{INNER_FIELD, JavaError};

#[derive(Serialize)]
pub(super) struct NetFacts {
    /// The method of the nonlinearity, where a layer has one.
    activation: Option<&'static str>,
    has_dropout: bool,
    layers: Vec<LayerFacts>,
    /// The most units below a layer, the most units of one, and the most nets: a unit has one for each channel.
    most_inputs: usize,
    most_units: usize,
    most_nets: usize,
}

#[derive(Serialize)]
struct LayerFacts {
    name: String,
    inputs: usize,
    units: usize,
    nets: usize,
    is_maxout: bool,
    is_activated: bool,
    /// The share of units that training kept.
    kept: String,
    weights: Vec<String>,
    biases: String,
}

impl NetFacts {
    pub fn new(category: Category, network: &Network) -> Self {
        let layers = network.layers();
        let output = layers.len() - 1;
        let facts = |(l, layer): (usize, &Layer)| {
            // The weights of each input together: they are multiplied by the same number.
            let nets = layer.biases.len();
            let weights =
                packed_floats((0..layer.weights.len()).map(|i| layer.weights[place(layer, i / nets, i % nets)]));
            LayerFacts {
                name: if l == output { "Output".to_owned() } else { format!("Hidden{}", l + 1) },
                inputs: layer.inputs,
                units: layer.units,
                nets,
                is_maxout: layer.channels == 2,
                is_activated: l < output || category == Category::AutoEncoder,
                kept: number(network.keep(l)),
                weights,
                biases: numbers(&layer.biases, INNER_FIELD),
            }
        };
        let most = |count: fn(&Layer) -> usize| layers.iter().map(count).max().unwrap_or(0);
        let is_activated = output > 0 || category == Category::AutoEncoder;
        Self {
            activation: is_activated.then(|| match network.activation().nonlinearity() {
                Nonlinearity::Tanh => "tanh",
                Nonlinearity::Rectifier => "rectifier",
                Nonlinearity::Maxout => "maxout",
                Nonlinearity::ExpRectifier => "expRectifier",
            }),
            has_dropout: network.activation().has_dropout(),
            most_inputs: most(|layer| layer.inputs.max(layer.units)),
            most_units: most(|layer| layer.units),
            most_nets: most(|layer| layer.biases.len()),
            layers: layers.iter().enumerate().map(facts).collect(),
        }
    }
}

/// Checks that a class can hold the weights.
pub(super) fn check(network: &Network) -> Result<(), JavaError> {
    for (l, layer) in network.layers().iter().enumerate() {
        if layer.weights.iter().any(|weight| !weight.is_finite()) {
            return Err(JavaError::NotFinite { layer: l });
        }
        if packed_pieces(layer.weights.len()) > MOST_PIECES {
            return Err(JavaError::TooLarge { layer: l, weights: layer.weights.len() });
        }
    }
    Ok(())
}

/// Where a layer has the weight from an input to a net.
fn place(layer: &Layer, input: usize, net: usize) -> usize {
    let (unit, channel) = (net / layer.channels, net % layer.channels);
    layer.channels * (unit * layer.inputs + input) + channel
}
