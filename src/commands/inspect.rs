//! `aqueduct inspect`: what is in a model.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use exporter::Artifact;
use model::{Algorithm, DeepLearning, Feature};
use serde_json::{Value, json};

use crate::args::InspectArgs;
use crate::output::tables::Table;
use crate::{loaded, output, run_folder};

pub fn run(args: &InspectArgs) -> anyhow::Result<ExitCode> {
    let artifact = loaded::load(&args.model)?;
    let run = if run_folder::is_run(&args.model) { Some(&*args.model) } else { None };
    if args.json {
        output::pretty_json(&as_json(&artifact, run)?);
    } else {
        print(&artifact, run)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn as_json(artifact: &Artifact, run: Option<&Path>) -> anyhow::Result<Value> {
    let Artifact { model, info, profile, golden } = artifact;
    let Algorithm::DeepLearning(net) = &model.algorithm else { anyhow::bail!("only deep-learning models are shown") };
    let feature = |f: &Feature| match &f.domain {
        Some(domain) => json!({ "name": f.name, "type": "categorical", "levels": domain.levels() }),
        None => json!({ "name": f.name, "type": "numeric" }),
    };
    let layer = |l: &model::Layer| json!({ "inputs": l.inputs, "units": l.units, "channels": l.channels, "dropout_ratio": l.dropout_ratio });
    let mut value = json!({
        "algorithm": info.algorithm,
        "category": model.category,
        "h2o_version": info.h2o_version,
        "mojo_version": info.mojo_version,
        "uuid": info.uuid,
        "timestamp": info.timestamp,
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
        "profile": profile,
        "golden_rows": golden.as_ref().map_or(0, |golden| golden.rows.len()),
    });
    if let Some(run) = run {
        value["parameters"] = read_json(&run.join("params.json"))?;
        value["metrics"] = read_json(&run.join("metrics.json"))?;
    }
    Ok(value)
}

fn print(artifact: &Artifact, run: Option<&Path>) -> anyhow::Result<()> {
    let Artifact { model, info, golden, .. } = artifact;
    let Algorithm::DeepLearning(net) = &model.algorithm else { anyhow::bail!("only deep-learning models are shown") };
    output::line(format_args!(
        "{}, {}, {} distribution\nwritten by H2O {} as MOJO {}, {}\n",
        info.algorithm,
        model.category.to_string().to_lowercase(),
        net.distribution,
        info.h2o_version,
        info.mojo_version,
        info.timestamp,
    ));
    output::line(features(artifact).draw("Features", 40));
    if let Some(response) = model.schema.response() {
        output::line(format_args!("\nresponse   {}{}", response.name, levels(response.domain.as_ref())));
    }
    if model.schema.classes().is_some_and(|classes| classes.len() == 2) {
        output::line(format_args!("threshold  {}", model.labelling.default_threshold));
    }
    output::line(format_args!("golden rows {}", golden.as_ref().map_or(0, |golden| golden.rows.len())));
    output::line(layers(net).draw("\nLayers", 100));
    if let Some(run) = run {
        output::line(
            parameters(&read_json(&run.join("params.json"))?).draw("\nParameters that differ from the defaults", 100),
        );
        output::line(metrics(&read_json(&run.join("metrics.json"))?).draw("\nMetrics", 100));
    }
    Ok(())
}

fn features(artifact: &Artifact) -> Table {
    let header = ["column", "type", "levels"].map(str::to_owned).to_vec();
    let row = |feature: &Feature| {
        let kind = if feature.domain.is_some() { "categorical" } else { "numeric" };
        vec![feature.name.clone(), kind.to_owned(), levels(feature.domain.as_ref()).trim_start_matches(": ").to_owned()]
    };
    Table { header, rows: artifact.model.schema.features().iter().map(row).collect() }
}

/// The first levels of a domain.
fn levels(domain: Option<&model::Domain>) -> String {
    const SHOWN: usize = 6;
    let Some(domain) = domain else { return String::new() };
    let mut text =
        format!(": {}", domain.levels().iter().take(SHOWN).map(|l| format!("{l:?}")).collect::<Vec<_>>().join(", "));
    if domain.len() > SHOWN {
        text.push_str(&format!(", ... {} in all", domain.len()));
    }
    text
}

fn layers(net: &DeepLearning) -> Table {
    let network = &net.network;
    let output = network.layers().len() - 1;
    let header = ["layer", "units", "type", "dropout"].map(str::to_owned).to_vec();
    let mut rows = vec![vec!["1".to_owned(), network.inputs().to_string(), "Input".to_owned(), String::new()]];
    for (l, layer) in network.layers().iter().enumerate() {
        let kind = match (l == output, layer.units > 1) {
            (false, _) => network.activation().name(),
            (true, true) => "Softmax",
            (true, false) => "Linear",
        };
        let dropout = if l < output && network.activation().has_dropout() {
            layer.dropout_ratio.to_string()
        } else {
            String::new()
        };
        rows.push(vec![(l + 2).to_string(), layer.units.to_string(), kind.to_owned(), dropout]);
    }
    Table { header, rows }
}

fn parameters(params: &Value) -> Table {
    let defaults = trainer::TrainParams::default().to_json();
    let header = ["parameter", "given", "effective"].map(str::to_owned).to_vec();
    let cell = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let effective = params["effective"].as_object().into_iter().flatten();
    let changed = effective.filter(|(name, value)| **value != defaults[name.as_str()]);
    let rows = changed.map(|(name, value)| vec![name.clone(), cell(&params["given"][name]), cell(value)]);
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
