//! What the head of the file says of the model.

use model::{Category, Domain, Model, Network};
use serde::Serialize;

use super::levels::LevelType;
use super::net::NetFacts;
use super::row::RowFacts;
use super::text;
use crate::artifact::Artifact;
use crate::golden::GoldenCell;

/// Columns that the example of a row names.
const EXAMPLE: usize = 3;

/// Where the model comes from, and how it is used.
#[derive(Debug, Serialize)]
pub(super) struct HeaderFacts {
    module: String,
    purpose: String,
    /// The purpose as a string of TOML.
    description: String,
    net: String,
    uuid: String,
    timestamp: String,
    version: &'static str,
    /// Some fields of a row, and the types that they name.
    example: Vec<ExampleField>,
    imports: String,
    /// In kB.
    stack: usize,
}

/// A field as a program would set it.
#[derive(Debug, Serialize)]
struct ExampleField {
    name: String,
    value: String,
    /// The value without imports.
    qualified: String,
}

impl HeaderFacts {
    pub fn of(
        artifact: &Artifact,
        module: &str,
        network: &Network,
        row: &RowFacts,
        net: &NetFacts,
        own: usize,
    ) -> Self {
        let purpose = purpose(&artifact.model);
        let example = example(artifact, module, row);
        let mut imports: Vec<&str> = example.iter().filter_map(|field| Some(field.value.split_once("::")?.0)).collect();
        imports.push("Row");
        imports.sort_unstable();
        // The units of a layer, the sums of a tile and of a layer, the row and its columns, the outputs and the answer.
        let doubles =
            2 * net.most_units + 8 * net.tile + net.most_nets + row.columns.len() + own + 2 * network.outputs();
        Self {
            module: module.to_owned(),
            description: format!("\"{}\"", purpose.replace('\\', "\\\\").replace('"', "\\\"")),
            purpose,
            net: format!(
                "A net of {}, {} and {}.",
                text::counted(network.inputs(), "input"),
                hidden_layers(network),
                text::counted(network.outputs(), "output")
            ),
            uuid: text::quoted(&artifact.info.uuid),
            timestamp: text::quoted(&artifact.info.timestamp),
            version: env!("CARGO_PKG_VERSION"),
            imports: if imports.len() == 1 { "Row".to_owned() } else { format!("{{{}}}", imports.join(", ")) },
            example,
            stack: (8 * doubles).div_ceil(1000),
        }
    }
}

fn purpose(model: &Model) -> String {
    let columns = text::counted(model.schema.features().len(), "column");
    let response = text::quoted(model.schema.response().map_or("", |response| response.name.as_str()));
    let classes = model.schema.classes().map_or(&[][..], Domain::levels);
    match model.category {
        Category::Binomial => {
            let classes: Vec<String> = classes.iter().map(|class| text::quoted(class)).collect();
            format!("Predicts whether {response} is {} from {columns}.", text::listed(&classes, "or"))
        }
        Category::Multinomial => format!("Predicts which of {} classes {response} is from {columns}.", classes.len()),
        Category::Regression => format!("Predicts the number {response} from {columns}."),
        Category::AutoEncoder => {
            format!("Tells how far a row of {columns} is from those that the model was trained on.")
        }
    }
}

/// `hidden layers of 32 and 16 units (Tanh)`
fn hidden_layers(network: &Network) -> String {
    let (layers, activation) = (network.layers(), network.activation());
    let sizes: Vec<String> = layers[..layers.len() - 1].iter().map(|layer| layer.units.to_string()).collect();
    match sizes.as_slice() {
        [] => "no hidden layer".to_owned(),
        [size] => format!("a hidden layer of {size} units ({activation})"),
        sizes => format!("hidden layers of {} units ({activation})", text::listed(sizes, "and")),
    }
}

/// Some fields of the first golden row, as a program would set them.
fn example(artifact: &Artifact, module: &str, row: &RowFacts) -> Vec<ExampleField> {
    let domains = artifact.model.schema.features().iter().map(|feature| feature.domain.as_ref());
    let golden = artifact.golden.as_ref().and_then(|golden| golden.rows.first());
    let cells = golden.map_or(&[][..], |row| &row.cells);
    let mut types = row.level_types.iter();
    let fields = row.columns.iter().zip(domains).zip(cells).filter_map(|((column, domain), cell)| {
        let of_levels = domain.and_then(|_| types.next());
        let (value, qualified) = match (cell, domain.zip(of_levels)) {
            (GoldenCell::Number(value), None) => {
                let value = text::number(rounded(*value));
                (value.clone(), value)
            }
            (GoldenCell::Text(text), Some((domain, of_levels))) => {
                let value = level(text, domain, of_levels)?;
                (value.clone(), format!("{module}::{value}"))
            }
            _ => return None,
        };
        Some(ExampleField { name: column.field.clone(), value, qualified })
    });
    fields.take(EXAMPLE).collect()
}

/// A level that the model knows.
fn level(text: &str, domain: &Domain, of_levels: &LevelType) -> Option<String> {
    let kind = &of_levels.name;
    Some(match of_levels.variants.get(domain.code(text)? as usize) {
        Some(variant) => format!("{kind}::{}", variant.name),
        None => format!("{kind}::from({})", text::literal(text)),
    })
}

/// To a few digits.
fn rounded(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}
