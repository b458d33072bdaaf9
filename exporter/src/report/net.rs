//! The net: its layers, its size, and what training it took.

use model::{Algorithm, Network};

use super::facts::{ReportFacts, Table};
use super::page::{Block, Cell, Head, PageTable};
use super::text;

/// The columns of the table of layers, in words.
const COLUMNS: [(&str, &str); 13] = [
    ("layer", "layer"),
    ("units", "units"),
    ("type", "type"),
    ("dropout", "dropout, %"),
    ("l1", "L1"),
    ("l2", "L2"),
    ("mean_rate", "mean rate"),
    ("rate_rms", "rate RMS"),
    ("momentum", "momentum"),
    ("mean_weight", "mean weight"),
    ("weight_rms", "weight RMS"),
    ("mean_bias", "mean bias"),
    ("bias_rms", "bias RMS"),
];

/// More layers than anybody reads.
const MOST_LAYERS: usize = 100;

pub(super) fn blocks(facts: &ReportFacts) -> Vec<Block> {
    let Algorithm::DeepLearning(net) = &facts.model.algorithm else { return Vec::new() };
    let table = if facts.layers.is_empty() { from_network(&net.network, facts) } else { facts.layers.clone() };
    vec![Block::Entries { entries: size(&net.network, facts) }, layers(&table)]
}

/// Units by layer, the input first: `26-32-16-2`.
pub(super) fn units(network: &Network) -> String {
    let layers = network.layers().iter().map(|layer| layer.units);
    std::iter::once(network.inputs()).chain(layers).map(|units| units.to_string()).collect::<Vec<_>>().join("-")
}

fn size(network: &Network, facts: &ReportFacts) -> Vec<(String, String)> {
    let weights: u64 = network.layers().iter().map(|layer| layer.weights.len() as u64).sum();
    let biases: u64 = network.layers().iter().map(|layer| layer.biases.len() as u64).sum();
    // As checkpoints and MOJOs store them.
    let stored = text::bytes(weights * 4 + biases * 8);
    let mut entries = vec![
        ("Units".to_owned(), units(network)),
        ("Weights and biases".to_owned(), format!("{} ({stored})", text::count((weights + biases) as f64))),
    ];
    if let Some(run) = &facts.run {
        entries.push((
            "Trained on".to_owned(),
            format!("{} rows, repeated ones counted again", text::count(run.samples as f64)),
        ));
        entries.push(("Time".to_owned(), format!("{} of training alone", text::duration(run.training_seconds))));
        entries.push(("Speed".to_owned(), format!("{} rows a second", text::count(run.samples_per_second.round()))));
    }
    entries
}

/// What a net says itself.
fn from_network(network: &Network, facts: &ReportFacts) -> Table {
    let input = vec!["1".to_owned(), network.inputs().to_string(), "Input".to_owned(), String::new()];
    let layers = network.layers().iter().enumerate().map(|(l, layer)| {
        let kind = network.layer_kind(l, facts.model.category).to_owned();
        vec![(l + 2).to_string(), layer.units.to_string(), kind, (layer.dropout_ratio * 100.0).to_string()]
    });
    Table {
        header: ["layer", "units", "type", "dropout"].map(str::to_owned).to_vec(),
        rows: std::iter::once(input).chain(layers).collect(),
    }
}

fn layers(table: &Table) -> Block {
    // What is zero or empty in every layer says nothing.
    let is_idle = |column: usize| table.rows.iter().all(|row| matches!(row[column].as_str(), "" | "0" | "0.0"));
    let columns = COLUMNS.iter().filter_map(|(name, title)| Some((table.index_of(name)?, *title)));
    let columns: Vec<_> = columns.filter(|(column, _)| !is_idle(*column)).collect();
    let cell = |text: &String| match text.parse::<f64>() {
        _ if text.is_empty() => Cell::text("").of_class("n"),
        Ok(value) if text.contains(['.', 'e', 'E']) => Cell::number(value, text::figure(value)),
        Ok(value) => Cell::count(value),
        Err(_) => Cell::text(text::shown(text)).of_class("t"),
    };
    let row = |row: &Vec<String>| columns.iter().map(|(column, _)| cell(&row[*column])).collect();
    let head = |(_, title): &(usize, &str)| if *title == "type" { Head::spaced(title) } else { Head::number(title) };
    let more = table.rows.len().saturating_sub(MOST_LAYERS);
    Block::Table(PageTable {
        caption: "Layers".to_owned(),
        class: "figures",
        head: columns.iter().map(head).collect(),
        rows: table.rows.iter().take(MOST_LAYERS).map(row).collect(),
        folded: false,
        note: (more > 0).then(|| format!("And {more} more.")),
    })
}
