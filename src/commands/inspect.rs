//! `aqueduct inspect`: what is in a model.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use exporter::ArtifactInfo;
use model::{Algorithm, Category, DeepLearning, Encoding, Feature, Model};
use serde_json::{Value, json};

use crate::args::InspectArgs;
use crate::loaded::Loaded;
use crate::output;
use crate::output::tables::Table;

pub fn run(args: &InspectArgs) -> anyhow::Result<ExitCode> {
    let loaded = Loaded::read(&args.model)?;
    let run = matches!(loaded, Loaded::Run(_)).then_some(&*args.model);
    if args.json {
        output::pretty_json(&as_json(&loaded, run)?);
    } else {
        print(&loaded, run)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn as_json(loaded: &Loaded, run: Option<&Path>) -> anyhow::Result<Value> {
    let (model, info) = (loaded.model(), loaded.info());
    let Algorithm::DeepLearning(net) = &model.algorithm else { anyhow::bail!("only deep-learning models are shown") };
    let feature = |f: &Feature| match &f.domain {
        Some(domain) => json!({ "name": f.name, "type": "categorical", "levels": domain.levels() }),
        None => json!({ "name": f.name, "type": "numeric" }),
    };
    let layer = |l: &model::Layer| json!({ "inputs": l.inputs, "units": l.units, "channels": l.channels, "dropout_ratio": l.dropout_ratio });
    let mut value = json!({
        "algorithm": algorithm(info),
        "category": model.category,
        "trained_by": trained_by(info),
        "h2o_version": info.map(|info| &info.h2o_version),
        "mojo_version": info.map(|info| &info.mojo_version),
        "uuid": info.map(|info| &info.uuid),
        "timestamp": loaded.timestamp(),
        "categorical_encoding": model.encoding.name(),
        "features": model.schema.features().iter().map(feature).collect::<Vec<_>>(),
        "response": model.schema.response().map(|r| json!({ "name": r.name, "levels": r.domain })),
        "special_columns": model.schema.special(),
        "outputs": model.output_names(),
        "labelling": model.schema.classes().map(|_| &model.labelling),
        "activation": net.network.activation().name(),
        "distribution": net.distribution.name(),
        "inputs": net.network.inputs(),
        "weights_and_biases": net.network.size(),
        "layers": net.network.layers().iter().map(layer).collect::<Vec<_>>(),
        "standardized": net.layout.scaling.is_some(),
        "use_all_factor_levels": net.layout.use_all_factor_levels,
        "response_scaling": net.response_scaling,
        "profile": loaded.profile(),
        "golden_rows": loaded.golden_rows(),
    });
    if let Some(run) = run {
        value["parameters"] = read_json(&run.join("params.json"))?;
        value["metrics"] = read_json(&run.join("metrics.json"))?;
    }
    Ok(value)
}

fn print(loaded: &Loaded, run: Option<&Path>) -> anyhow::Result<()> {
    let (model, info) = (loaded.model(), loaded.info());
    let Algorithm::DeepLearning(net) = &model.algorithm else { anyhow::bail!("only deep-learning models are shown") };
    output::line(format_args!(
        "{}, {}, {} distribution\ntrained by {}, {}{}\n",
        algorithm(info),
        model.category.name().to_lowercase(),
        net.distribution,
        trained_by(info),
        loaded.timestamp(),
        info.map_or_else(String::new, |info| format!("; MOJO {}", info.mojo_version)),
    ));
    output::line(features(model).draw("Features", 40));
    let facts = facts(loaded);
    if !facts.is_empty() {
        let lines: Vec<String> = facts.iter().map(|(name, value)| format!("\n{name:<13}{value}")).collect();
        output::line(lines.concat());
    }
    output::line(layers(net, model.category).draw("\nLayers", 100));
    if let Some(run) = run {
        output::line(
            parameters(&read_json(&run.join("params.json"))?).draw("\nParameters that differ from the defaults", 100),
        );
        output::line(metrics(&read_json(&run.join("metrics.json"))?).draw("\nMetrics", 100));
    }
    Ok(())
}

/// What is no table, by name.
fn facts(loaded: &Loaded) -> Vec<(&'static str, String)> {
    let model = loaded.model();
    let encoding = (model.encoding != Encoding::Auto).then(|| ("encoding", model.encoding.name().to_owned()));
    let response = model.schema.response();
    let response = response.map(|r| ("response", format!("{}{}", r.name, levels(r.domain.as_ref()))));
    let is_binomial = model.schema.classes().is_some_and(|classes| classes.len() == 2);
    let threshold = is_binomial.then(|| ("threshold", model.labelling.default_threshold.to_string()));
    let golden_rows = loaded.golden_rows().map(|rows| ("golden rows", rows.to_string()));
    [encoding, response, threshold, golden_rows].into_iter().flatten().collect()
}

/// A run has no papers yet, and is of the one algorithm that we train.
fn algorithm(info: Option<&ArtifactInfo>) -> &str {
    info.map_or("Deep Learning", |info| &info.algorithm)
}

fn trained_by(info: Option<&ArtifactInfo>) -> String {
    match info.map(|info| (info.aqueduct_version(), &info.h2o_version)) {
        None => "aqueduct".to_owned(),
        Some((Some(version), _)) => format!("aqueduct {version}"),
        Some((None, version)) => format!("H2O {version}"),
    }
}

fn features(model: &Model) -> Table {
    let header = ["column", "type", "levels"].map(str::to_owned).to_vec();
    let row = |feature: &Feature| {
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
fn layers(net: &DeepLearning, category: Category) -> Table {
    let network = &net.network;
    let output = network.layers().len() - 1;
    let header = ["layer", "units", "type", "dropout"].map(str::to_owned).to_vec();
    let mut rows = vec![vec!["1".to_owned(), network.inputs().to_string(), "Input".to_owned(), String::new()]];
    for (l, layer) in network.layers().iter().enumerate() {
        let kind = network.layer_kind(l, category).to_owned();
        let dropout = if l < output { (layer.dropout_ratio * 100.0).to_string() } else { String::new() };
        rows.push(vec![(l + 2).to_string(), layer.units.to_string(), kind, dropout]);
    }
    Table { header, rows }
}

fn parameters(params: &Value) -> Table {
    let defaults = trainer::TrainParams::default().to_json();
    let header = ["parameter", "given", "effective"].map(str::to_owned).to_vec();
    let cell = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let given = params["given"].as_object().into_iter().flatten();
    let changed = given.filter(|(name, value)| **value != defaults[name.as_str()] || *name == "seed");
    let rows = changed.map(|(name, value)| vec![name.clone(), cell(value), cell(&params["effective"][name])]);
    Table { header, rows: rows.collect() }
}

fn metrics(metrics: &Value) -> Table {
    let mut header = vec!["metric".to_owned(), "training".to_owned()];
    let has_validation = metrics["validation"].is_object();
    header.extend(has_validation.then(|| "validation".to_owned()));
    let training = metrics["training"].as_object().into_iter().flatten();
    let rows = training.map(|(name, value)| {
        let mut row = vec![name.clone(), value.to_string()];
        row.extend(has_validation.then(|| metrics["validation"][name].to_string()));
        row
    });
    Table { header, rows: rows.collect() }
}

fn read_json(path: &Path) -> anyhow::Result<Value> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is not JSON", path.display()))
}
