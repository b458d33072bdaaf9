//! `aqueduct train`: parameters, frames, a plan, a run, a folder.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use serde_json::{Value, json};
use trainer::{
    ColumnType, Files, Frame, ReadOptions, StoppedBy, TrainParams, TrainPlan, Trained, check_parameters, train,
};

use super::UsageError;
use crate::args::{Engine, TrainArgs};
use crate::output::progress::Reporter;
use crate::output::{self, tables};
use crate::run_folder;

pub fn run(args: &TrainArgs) -> anyhow::Result<ExitCode> {
    let params = params(args)?;
    check_parameters(&params)?;
    run_folder::check_place(&args.output, args.overwrite)?;
    let interrupt = Interrupt::on_ctrl_c();
    let reporter = Reporter::new(args.progress, Arc::clone(&interrupt.stop));

    let options = ReadOptions { column_types: params.column_types.0.clone(), ..ReadOptions::default() };
    let training = read(&params.training_frame, &options, &reporter)?.context("--training-frame is missing")?;
    let header = has_names(&training).then_some(true);
    let options = ReadOptions { known_types: special_types(&training), header, ..options };
    let validation = read(&params.validation_frame, &options, &reporter)?;

    let mut plan = TrainPlan::new(params, &training, validation.as_ref())?;
    plan.threads = threads(args);
    let frames = std::iter::once(&training).chain(&validation);
    for warning in frames.flat_map(unreadable).chain(plan.warnings.iter().cloned()) {
        output::warning(warning);
    }
    let mut observer = reporter.training(plan.category(), plan.training_rows(), plan.effective.epochs);
    interrupt.training.store(true, Ordering::Relaxed);
    let trained = train(&plan, &mut observer);
    interrupt.training.store(false, Ordering::Relaxed);
    observer.finish();
    let trained = trained?;

    run_folder::write(&args.output, args.overwrite, &plan, &trained)?;
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
    const LARGEST: u64 = 16 << 20;
    let usage = |problem: String| UsageError(format!("--params {}: {problem}", path.display()));
    let mut text = String::new();
    let file = File::open(path).map_err(|e| usage(e.to_string()))?;
    file.take(LARGEST + 1).read_to_string(&mut text).map_err(|e| usage(e.to_string()))?;
    if text.len() as u64 > LARGEST {
        return Err(usage(format!("longer than {LARGEST} bytes")).into());
    }
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with('{') {
        return Ok(serde_json::from_str(text).map_err(|e| usage(e.to_string()))?);
    }
    let table: toml::Table = toml::from_str(text).map_err(|e| {
        let line = e.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
        usage(format!("line {line}: {}", e.message()))
    })?;
    Ok(table.into_iter().map(|(name, value)| (name, to_json(value))).collect())
}

/// JSON has no infinities and no dates: they become texts.
fn to_json(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => Value::String(text),
        toml::Value::Integer(number) => json!(number),
        toml::Value::Float(number) if number.is_finite() => json!(number),
        toml::Value::Float(number) => Value::String(number.to_string()),
        toml::Value::Boolean(truth) => Value::Bool(truth),
        toml::Value::Datetime(date) => Value::String(date.to_string()),
        toml::Value::Array(items) => items.into_iter().map(to_json).collect(),
        toml::Value::Table(table) => table.into_iter().map(|(name, value)| (name, to_json(value))).collect(),
    }
}

fn read(Files(paths): &Files, options: &ReadOptions, reporter: &Reporter) -> anyhow::Result<Option<Frame>> {
    let shown = match paths.as_slice() {
        [] => return Ok(None),
        [path] => path.display().to_string(),
        [path, others @ ..] => format!("{} and {} more", path.display(), others.len()),
    };
    Ok(Some(reporter.reading(&shown, |progress| Frame::read_all(paths, options, progress))?))
}

/// Columns that may look otherwise in a validation frame: levels like numbers, times like text.
fn special_types(frame: &Frame) -> Vec<(String, ColumnType)> {
    let special = frame.columns().iter().filter(|column| matches!(column.kind(), ColumnType::Enum | ColumnType::Time));
    special.map(|column| (column.name().to_owned(), column.kind())).collect()
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

/// The engine that trained.
fn engine(args: &TrainArgs) -> &'static str {
    match args.engine {
        Engine::Auto | Engine::Plain => "plain",
    }
}

fn threads(args: &TrainArgs) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, Into::into);
    // More would only wait for each other.
    args.threads.map_or(cores, usize::from).min(cores)
}

/// Ctrl-C and SIGTERM: while training, the first ends it after its iteration and keeps the model; before that, and the
/// second time, the process ends. Nothing is written before training has ended.
struct Interrupt {
    training: Arc<AtomicBool>,
    stop: Arc<AtomicBool>,
}

impl Interrupt {
    fn on_ctrl_c() -> Self {
        let interrupt = Self { training: Arc::default(), stop: Arc::default() };
        let (training, stop) = (Arc::clone(&interrupt.training), Arc::clone(&interrupt.stop));
        let handler = move || {
            if !training.load(Ordering::Relaxed) || stop.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
            output::note("stopping after this iteration; press ctrl-C again to stop without a model");
        };
        // Without the handler ctrl-C ends the process, which leaves nothing behind either.
        if ctrlc::set_handler(handler).is_err() {
            output::warning("ctrl-C will end the run without a model");
        }
        interrupt
    }
}

fn report(args: &TrainArgs, plan: &TrainPlan<'_>, trained: &Trained) {
    let summary = &trained.summary;
    if args.json {
        output::json(&json!({
            "run": args.output.display().to_string(),
            "engine": engine(args),
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
