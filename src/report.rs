//! What a report says: of a run all that is in its folder, of a MOJO what its archive knows.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use anyhow::Context;
use exporter::{Artifact, FrameFacts, ModelDetails, ParameterFacts, ReportFacts, RunFacts, Table};
use serde_json::Value;
use trainer::{Checkpoint, StoppedBy, TrainParams};

use crate::loaded::{self, Loaded};
use crate::output;
use crate::run_folder::CHECKPOINT;

/// What is known of the folder of a run or a MOJO.
pub fn facts(path: &Path) -> anyhow::Result<ReportFacts> {
    match Loaded::read(path)? {
        Loaded::Run(checkpoint) => of_checkpoint(checkpoint, path),
        Loaded::Mojo(artifact) => Ok(of_mojo(artifact, loaded::details(path)?)),
    }
}

/// What the files of a run say.
pub fn of_run(folder: &Path) -> anyhow::Result<ReportFacts> {
    of_checkpoint(Checkpoint::read(&folder.join(CHECKPOINT))?, folder)
}

/// What the files of a run with this checkpoint say.
pub fn of_checkpoint(checkpoint: Checkpoint, folder: &Path) -> anyhow::Result<ReportFacts> {
    let [params, metrics, summary] =
        ["params.json", "metrics.json", "summary.json"].map(|name| json(&folder.join(name)));
    let (params, metrics, summary) = (params?, metrics?, summary?);
    let version = summary["version"].as_str().map_or_else(String::new, |version| format!(" {version}"));
    let frame = |name: &str, suffix: &str| of_frame(folder, &metrics[name], suffix);
    Ok(ReportFacts {
        model: checkpoint.model,
        profile: Some(checkpoint.profile),
        trained_by: format!("Aqueduct{version}"),
        timestamp: format!("{:.3}", checkpoint.created),
        run: summary.is_object().then(|| of_summary(&summary)),
        warnings: summary["warnings"].as_array().map(|warnings| texts(warnings)),
        parameters: parameters(&params),
        history: table(folder, "scoring_history")?,
        layers: table(folder, "layers")?,
        importances: table(folder, "importances")?,
        training: frame("training", "")?,
        validation: frame("validation", "_validation")?,
        cross_validation: FrameFacts::default(),
    })
}

fn texts(values: &[Value]) -> Vec<String> {
    values.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// What a MOJO says.
pub fn of_mojo(artifact: Artifact, details: ModelDetails) -> ReportFacts {
    let Artifact { model, info, profile, .. } = artifact;
    let trained_by = match info.aqueduct_version() {
        Some(version) => format!("Aqueduct {version}"),
        None => format!("H2O {}", info.h2o_version),
    };
    ReportFacts {
        model,
        profile,
        trained_by,
        timestamp: info.timestamp,
        run: None,
        warnings: None,
        parameters: details.parameters,
        history: details.history,
        layers: details.layers,
        importances: details.importances,
        training: details.training,
        validation: details.validation,
        cross_validation: details.cross_validation,
    }
}

fn of_frame(folder: &Path, metrics: &Value, suffix: &str) -> anyhow::Result<FrameFacts> {
    let table = |name: &str| table(folder, &format!("{name}{suffix}"));
    let metrics = metrics.as_object().into_iter().flatten();
    Ok(FrameFacts {
        metrics: metrics.map(|(name, value)| (name.clone(), value.as_f64().unwrap_or(f64::NAN))).collect(),
        confusion: table("confusion")?,
        thresholds: table("thresholds")?,
        gains_lift: table("gains_lift")?,
        hit_ratios: table("hit_ratios")?,
        multinomial_auc: table("multinomial_auc")?,
        residuals: table("residuals")?,
        predicted_actual: table("predicted_actual")?,
        reconstruction_errors: table("reconstruction_errors")?,
    })
}

fn of_summary(summary: &Value) -> RunFacts {
    let number = |name: &str| summary[name].as_f64().unwrap_or(f64::NAN);
    let whole = |name: &str| summary[name].as_u64().unwrap_or_default();
    let text = |name: &str| summary[name].as_str().unwrap_or_default().to_owned();
    let stopped_by = serde_json::from_value::<StoppedBy>(summary["stopped_by"].clone());
    RunFacts {
        engine: format!("{}, {}", text("engine"), text("kernel")),
        threads: whole("threads"),
        samples: whole("samples"),
        epochs: number("epochs"),
        training_seconds: number("training_seconds"),
        samples_per_second: number("samples_per_second"),
        stopped_by: stopped_by.map_or_else(|_| text("stopped_by"), |why| output::reason(why).to_owned()),
    }
}

fn parameters(params: &Value) -> Vec<ParameterFacts> {
    let defaults = TrainParams::default().to_json();
    let effective = params["effective"].as_object().into_iter().flatten();
    let parameter = |(name, value): (&String, &Value)| {
        ParameterFacts::from_json(name, &params["given"][name], value, &defaults[name.as_str()])
    };
    effective.map(parameter).collect()
}

/// A JSON file of a run; null where there is none.
fn json(path: &Path) -> anyhow::Result<Value> {
    match fs::read_to_string(path) {
        Ok(text) => serde_json::from_str(&text).with_context(|| format!("{} is not JSON", path.display())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Value::Null),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

/// A table of a run; an empty one where there is none.
fn table(folder: &Path, name: &str) -> anyhow::Result<Table> {
    let path = folder.join(name).with_extension("csv");
    let failed = || format!("cannot read {}", path.display());
    let file = match File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Table::default()),
        Err(error) => return Err(error).with_context(failed),
    };
    let mut reader = csv::Reader::from_reader(file);
    let cells = |record: &csv::StringRecord| record.iter().map(str::to_owned).collect();
    let header = cells(reader.headers().with_context(failed)?);
    let rows =
        reader.records().map(|record| Ok(cells(&record.with_context(failed)?))).collect::<anyhow::Result<_>>()?;
    Ok(Table { header, rows })
}
