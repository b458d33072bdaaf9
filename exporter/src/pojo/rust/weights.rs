//! The numbers of the layers.

use model::{Feature, InputLayout, Layer, Network};
use serde::Serialize;

use super::text;

/// From so many weights on they are bytes: rustc takes 6 us and 600 bytes of memory for each number, and nothing for a byte.
const MOST_NUMBERS: usize = 250_000;

/// What a layer says of itself.
#[derive(Debug, Serialize)]
pub(super) struct LayerFacts {
    pub name: String,
    pub doc: String,
    pub inputs: usize,
    pub weights: String,
    pub biases: String,
    pub keep: String,
}

/// How weights are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spelling {
    /// As numbers, which a person can read.
    Numbers,
    /// As bytes, which are cheap to compile.
    Bytes,
}

impl Spelling {
    /// As numbers, as long as rustc copes with them.
    pub fn of(network: &Network) -> Self {
        let weights: usize = network.layers().iter().map(|layer| layer.weights.len()).sum();
        if weights > MOST_NUMBERS { Self::Bytes } else { Self::Numbers }
    }
}

/// The layers from the bottom up; the first one's inputs have these names.
pub(super) fn layers(network: &Network, inputs: &[String], spelling: Spelling) -> Vec<LayerFacts> {
    let output = network.layers().len() - 1;
    let facts = |(index, layer): (usize, &Layer)| {
        let of_unit = |unit: usize| match inputs.get(unit) {
            Some(input) if index == 0 => input.clone(),
            _ => format!("unit {unit}"),
        };
        let (name, doc) = if index == output {
            ("OUTPUT".to_owned(), "The outputs.".to_owned())
        } else {
            (format!("HIDDEN_{}", index + 1), format!("Hidden layer {} of {output}.", index + 1))
        };
        LayerFacts {
            name,
            doc,
            inputs: layer.inputs,
            weights: match spelling {
                Spelling::Numbers => numbers(layer, of_unit),
                Spelling::Bytes => bytes(layer),
            },
            biases: format!("&{}", text::array("    ", &layer.biases)),
            keep: text::number(network.keep(index)),
        }
    };
    network.layers().iter().enumerate().map(facts).collect()
}

/// A line or more for each unit below.
fn numbers(layer: &Layer, name: impl Fn(usize) -> String) -> String {
    let mut lines = String::new();
    for input in 0..layer.inputs {
        if input > 0 {
            lines.push('\n');
        }
        lines.extend(["        // ", name(input).as_str()]);
        text::push_numbers(&mut lines, "        ", from(layer, input));
    }
    format!("&[\n{lines}\n    ]")
}

fn bytes(layer: &Layer) -> String {
    // Two and a half characters for each byte.
    let mut text = String::with_capacity(10 * layer.weights.len() + 8);
    text.push_str("b\"");
    text::push_bytes(&mut text, (0..layer.inputs).flat_map(|input| from(layer, input)).flat_map(f32::to_le_bytes));
    text.push('"');
    text
}

/// The weights from a unit below to each unit, or to both of its channels.
fn from(layer: &Layer, input: usize) -> impl Iterator<Item = f32> {
    let channels = layer.channels;
    (0..layer.units).flat_map(move |unit| &layer.weights_of(unit)[channels * input..channels * (input + 1)]).copied()
}

/// A name for each input of the net: its column, and its level where it has one.
pub(super) fn input_names(columns: &[Feature], layout: &InputLayout) -> Vec<String> {
    let dropped = usize::from(!layout.use_all_factor_levels);
    let mut names = Vec::new();
    for Feature { name, domain } in columns {
        let name = text::quoted(name);
        match domain {
            Some(domain) => {
                let levels = domain.levels().iter().skip(dropped);
                names.extend(levels.map(|level| format!("{name}, {}", text::quoted(level))));
                names.push(format!("{name}, missing"));
            }
            None => names.push(name),
        }
    }
    names
}
