//! A model for people.

use exporter::FrameFacts;
use model::{Encoding, Figures, Model};

use super::description::{Contributions, Description};
use crate::output;
use crate::output::tables::{self, Table};

/// Rows of tables that may be long.
const SHOWN: usize = 12;

pub fn print(description: &Description) {
    let (facts, net) = (&description.facts, description.net());
    let model = &facts.model;
    output::line(format_args!(
        "{}, {}, {} distribution\ntrained by {}, {}{}",
        description.algorithm(),
        model.category.name().to_lowercase(),
        net.distribution,
        description.trained_by(),
        facts.timestamp,
        description.info.as_ref().map_or_else(String::new, |info| format!("; MOJO {}", info.mojo_version)),
    ));
    if let Some(sentence) = &description.sentence {
        output::line(sentence);
    }
    output::line(features(model).draw("\nFeatures", 40));
    let lines: Vec<String> = entries(description).iter().map(|(name, value)| format!("\n{name:<14}{value}")).collect();
    output::line(lines.concat());
    output::line(layers(description).draw("\nLayers", 100));
    let tables = [
        ("\nParameters that differ from the defaults", parameters(description), 100),
        ("\nMetrics", metrics(description), 100),
        ("\nConfusion matrix, training", of_report(&facts.training.confusion), 2 * SHOWN),
        ("\nVariable importances", of_report(&facts.importances), SHOWN),
        ("\nScoring history", tables::short_history(&of_report(&facts.history), model.category), SHOWN),
        ("\nWhat it can become, by flags of `aqueduct export`", exports(description), 100),
    ];
    for (title, table, most_rows) in tables {
        if !table.rows.is_empty() {
            output::line(table.draw(title, most_rows));
        }
    }
}

/// What is no table, by name.
fn entries(description: &Description) -> Vec<(&'static str, String)> {
    let model = &description.facts.model;
    let encoding = (model.encoding != Encoding::Auto).then(|| ("encoding", model.encoding.name().to_owned()));
    let response = model.schema.response();
    let response = response.map(|r| ("response", format!("{}{}", r.name, levels(r.domain.as_ref()))));
    let is_binomial = model.schema.classes().is_some_and(|classes| classes.len() == 2);
    let threshold = is_binomial.then(|| ("threshold", model.labelling.default_threshold.to_string()));
    let special = model.schema.special();
    let column = |name, column: &Option<String>| column.clone().map(|column| (name, column));
    let special =
        [column("weights", &special.weights), column("offset", &special.offset), column("fold", &special.fold)];
    let size = (
        "size",
        format!(
            "{} weights and biases, {} bytes",
            output::thousands(description.net().network.size() as u64),
            output::thousands(description.bytes() as u64)
        ),
    );
    let rows = |rows: usize| if rows == 0 { "none".to_owned() } else { output::thousands(rows as u64) };
    let golden_rows = description.golden_rows.map(|count| ("golden rows", rows(count)));
    let profile = match &description.facts.profile {
        Some(profile) => format!("of {} training rows", output::thousands(profile.rows)),
        None => "none".to_owned(),
    };
    let contributions = match description.contributions {
        Contributions::Profile | Contributions::Scaling => "compared with a row of means, or with a --background-frame",
        Contributions::Background => "compared with a --background-frame: the means of the numbers are not known",
        Contributions::None => "none, as the answer is a row; --per-feature says how far each input is off",
    };
    let known = [size, ("profile", profile), ("contributions", contributions.to_owned())];
    let optional = [encoding, response, threshold].into_iter().chain(special);
    optional.flatten().chain(golden_rows).chain(known).collect()
}

fn features(model: &Model) -> Table {
    let header = ["column", "type", "levels"].map(str::to_owned).to_vec();
    let row = |feature: &model::Feature| {
        let kind = if feature.domain.is_some() { "categorical" } else { "numeric" };
        vec![feature.name.clone(), kind.to_owned(), levels(feature.domain.as_ref()).trim_start_matches(": ").to_owned()]
    };
    Table { header, rows: model.schema.features().iter().map(row).collect() }
}

/// The first levels of a domain.
fn levels(domain: Option<&model::Domain>) -> String {
    const SHOWN: usize = 6;
    let Some(domain) = domain else { return String::new() };
    let shown = domain.levels().iter().take(SHOWN).map(|l| format!("{l:?}")).collect::<Vec<_>>().join(", ");
    if domain.len() > SHOWN { format!(": {shown}, ... {} in all", domain.len()) } else { format!(": {shown}") }
}

/// Named, and dropout in percent, as in the table that training prints.
fn layers(description: &Description) -> Table {
    let network = &description.net().network;
    let output = network.layers().len() - 1;
    let names = ["layer", "units", "type", "dropout", "mean_weight", "weight_rms", "mean_bias", "bias_rms"];
    let cells = |Figures { mean, rms }| [mean.to_string(), rms.to_string()];
    let mut rows = vec![vec!["1".to_owned(), network.inputs().to_string(), "Input".to_owned()]];
    rows[0].resize(names.len(), String::new());
    for (l, layer) in network.layers().iter().enumerate() {
        let kind = network.layer_kind(l, description.facts.model.category).to_owned();
        let dropout = if l < output { (layer.dropout_ratio * 100.0).to_string() } else { String::new() };
        let mut row = vec![(l + 2).to_string(), layer.units.to_string(), kind, dropout];
        row.extend(cells(layer.weight_figures()));
        row.extend(cells(layer.bias_figures()));
        rows.push(row);
    }
    Table { header: names.map(str::to_owned).to_vec(), rows }
}

fn parameters(description: &Description) -> Table {
    let header = ["parameter", "given", "effective"].map(str::to_owned).to_vec();
    let changed = description.facts.parameters.iter().filter(|p| p.given != p.default || p.name == "seed");
    let rows = changed.map(|p| vec![p.name.clone(), cut(&p.given), cut(&p.effective)]);
    Table { header, rows: rows.collect() }
}

/// Lists of names may be as long as a table is wide.
fn cut(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// The figures of each frame side by side.
fn metrics(description: &Description) -> Table {
    let facts = &description.facts;
    let frames = [
        ("training", &facts.training),
        ("validation", &facts.validation),
        ("cross_validation", &facts.cross_validation),
    ];
    let frames: Vec<(&str, &FrameFacts)> = frames.into_iter().filter(|(_, frame)| !frame.is_empty()).collect();
    let mut header = vec!["metric".to_owned()];
    header.extend(frames.iter().map(|(name, _)| (*name).to_owned()));
    let figure = |frame: &FrameFacts, name: &str| {
        let found = frame.metrics.iter().find(|(key, value)| key == name && !value.is_nan());
        found.map_or(String::new(), |(_, value)| value.to_string())
    };
    let row = |metric: model::Metric| {
        let figures = frames.iter().map(|(_, frame)| figure(frame, metric.name()));
        std::iter::once(metric.name().to_owned()).chain(figures).collect::<Vec<_>>()
    };
    let rows = model::Metric::all().map(row).filter(|row| row[1..].iter().any(|figure| !figure.is_empty()));
    Table { header, rows: rows.collect() }
}

fn exports(description: &Description) -> Table {
    let row = |check: &exporter::ExportCheck| {
        let outcome = check.refusal.as_ref().map_or_else(|| "yes".to_owned(), |reason| format!("no: {reason}"));
        vec![check.flags.to_owned(), outcome]
    };
    let header = ["flags", "possible"].map(str::to_owned).to_vec();
    Table { header, rows: description.exports.iter().map(row).collect() }
}

fn of_report(table: &exporter::Table) -> Table {
    // H2O's may begin with headers of rows, which have no name.
    let skipped = usize::from(table.header.first().is_some_and(String::is_empty));
    let cell = |cell: &String| if cell == "NaN" { String::new() } else { cell.trim().to_owned() };
    let cells = |cells: &Vec<String>| cells.iter().skip(skipped).map(cell).collect();
    Table { header: cells(&table.header), rows: table.rows.iter().map(cells).collect() }
}
