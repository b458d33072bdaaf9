//! `aqueduct train`: parameters, frames, a plan, a run, a folder.

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use serde_json::{Value, json};
use trainer::{ColumnType, Frame, ReadOptions, StoppedBy, TrainParams, TrainPlan, Trained, check_parameters, train};

use super::UsageError;
use crate::args::TrainArgs;
use crate::output::progress::Reporter;
use crate::output::{self, tables};
use crate::run_folder::RunFolder;

pub fn run(args: &TrainArgs) -> anyhow::Result<ExitCode> {
    let params = params(args)?;
    check_parameters(&params)?;
    let folder = RunFolder::create(&args.output, args.overwrite)?;
    let reporter = Reporter::new(args.progress, stop_on_ctrl_c());

    let options = ReadOptions { column_types: params.column_types.0.clone(), ..ReadOptions::default() };
    let training = read(params.training_frame.as_deref(), &options, &reporter)?.ok_or_else(no_training_frame)?;
    let options = ReadOptions { known_types: kinds(&training), header: Some(has_names(&training)), ..options };
    let validation = read(params.validation_frame.as_deref(), &options, &reporter)?;

    let mut plan = TrainPlan::new(params, &training, validation.as_ref())?;
    plan.threads = threads(args);
    for warning in unreadable(&training).iter().chain(&plan.warnings) {
        output::warning(warning);
    }
    let mut observer = reporter.training(plan.category(), plan.training_rows(), plan.effective.epochs);
    let trained = train(&plan, &mut observer);
    observer.finish();
    let trained = trained?;

    folder.write(&plan, &trained)?;
    folder.finish()?;
    report(args, &plan, &trained);
    Ok(ExitCode::SUCCESS)
}

/// Defaults, then the file of parameters, then the flags.
fn params(args: &TrainArgs) -> anyhow::Result<TrainParams> {
    let mut params = TrainParams::default();
    if let Some(path) = &args.params {
        for (name, value) in read_params(path)? {
            params.set_json(&name, &value).with_context(|| format!("--params {}", path.display()))?;
        }
    }
    for (name, text) in &args.given.0 {
        params.set_text(name, text)?;
    }
    Ok(params)
}

fn read_params(path: &Path) -> anyhow::Result<serde_json::Map<String, Value>> {
    let usage = |problem: String| UsageError(format!("--params {}: {problem}", path.display()));
    let text = fs::read_to_string(path).map_err(|e| usage(e.to_string()))?;
    let value = if text.trim_start().starts_with('{') {
        serde_json::from_str(&text).map_err(|e| usage(e.to_string()))?
    } else {
        toml::from_str(&text).map_err(|e| usage(e.to_string().trim_end().replace('\n', " ")))?
    };
    Ok(value)
}

fn no_training_frame() -> anyhow::Error {
    UsageError("--training-frame is missing: expected a CSV file".to_owned()).into()
}

fn read(path: Option<&Path>, options: &ReadOptions, reporter: &Reporter) -> anyhow::Result<Option<Frame>> {
    let Some(path) = path else { return Ok(None) };
    Ok(Some(reporter.reading(path, |progress| Frame::read(path, options, progress))?))
}

/// The types that a validation frame has to have, too.
fn kinds(frame: &Frame) -> Vec<(String, ColumnType)> {
    frame.columns().iter().map(|column| (column.name().to_owned(), column.kind())).collect()
}

/// Whether the columns are not just C1, C2, ...
fn has_names(frame: &Frame) -> bool {
    (1..).zip(frame.columns()).any(|(number, column)| column.name() != format!("C{number}"))
}

fn unreadable(frame: &Frame) -> Vec<String> {
    let unreadable = frame.columns().iter().filter(|column| column.unreadable_count() > 0);
    unreadable
        .map(|column| {
            let count = output::thousands(column.unreadable_count() as u64);
            let (name, kind) = (column.name(), column.kind());
            let what = match kind {
                ColumnType::Numeric => "numbers",
                ColumnType::Time => "times",
                _ => "UUIDs",
            };
            format!("column `{name}` is {kind} and has {count} cells that are no {what}; they count as missing")
        })
        .collect()
}

fn threads(args: &TrainArgs) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, Into::into);
    args.threads.map_or_else(cores, usize::from)
}

/// The first ctrl-C ends training after its iteration, the second ends the process.
fn stop_on_ctrl_c() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let handler = move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        output::note("stopping after this iteration; press ctrl-C again to stop without a model");
    };
    // Without the handler ctrl-C ends the process, which leaves nothing behind either.
    if ctrlc::set_handler(handler).is_err() {
        output::warning("ctrl-C will end the run without a model");
    }
    stop
}

fn report(args: &TrainArgs, plan: &TrainPlan<'_>, trained: &Trained) {
    let summary = &trained.summary;
    if args.json {
        output::json(&json!({
            "run": args.output.display().to_string(),
            "engine": "plain",
            "kernel": "portable",
            "threads": 1,
            "samples": summary.samples,
            "epochs": summary.epochs,
            "training_seconds": summary.training_seconds,
            "samples_per_second": summary.samples_per_second,
            "stopped_by": summary.stopped_by,
        }));
        return;
    }
    let reports = &trained.reports;
    let size = plan.layer_sizes().iter().map(ToString::to_string).collect::<Vec<_>>().join("-");
    let category = trained.model.category.to_string().to_lowercase();
    output::line(format_args!(
        "Deep learning, {category}, {} {size}, seed {}\n",
        plan.effective.activation, plan.effective.seed
    ));
    output::line(tables::layers(&trained.layers).without_idle_columns().draw("Status of Neuron Layers", 100));
    output::line(tables::short_history(trained).draw("\nScoring History", 12));
    output::line(
        tables::metrics(&reports.training.metrics(), reports.validation_metrics().as_ref()).draw("\nMetrics", 100),
    );
    for (name, report) in [("training", Some(&reports.training)), ("validation", reports.validation.as_ref())] {
        const LARGEST: usize = 20;
        if let Some(matrix) = report.and_then(trainer::Report::confusion).filter(|m| m.domain.len() <= LARGEST) {
            let title = format!("\nConfusion Matrix ({name}; a row for each actual class)");
            output::line(tables::confusion(matrix).draw(&title, LARGEST + 1));
        }
    }
    if !trained.importances.is_empty() {
        let mut table = tables::importances(&trained.importances);
        table.rows.truncate(10);
        output::line(table.draw("\nVariable Importances", 10));
    }
    let why = match summary.stopped_by {
        StoppedBy::Epochs => "all epochs are done",
        StoppedBy::StoppingRounds => "stopped early: the stopping metric no longer improves (stopping_rounds)",
        StoppedBy::ClassificationStop => "stopped early: the training error reached classification_stop",
        StoppedBy::RegressionStop => "stopped early: the training MSE reached regression_stop",
        StoppedBy::MaxRuntime => "stopped early: max_runtime_secs is over",
        StoppedBy::Interrupted => "interrupted: this is the model so far",
    };
    output::line(format_args!(
        "\n{:.2} epochs in {:.1} s ({} samples/s), {why}\nwritten to {}",
        summary.epochs,
        summary.training_seconds,
        output::thousands(summary.samples_per_second as u64),
        args.output.display(),
    ));
}
