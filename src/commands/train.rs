//! `aqueduct train`: parameters, frames, a plan, a run, a folder.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use model::Model;
use serde_json::json;
use trainer::{
    AutoTune, ColumnType, EngineChoice, Files, Frame, LARGEST_BATCH, MomentumSchedule, PlanError, ReadOptions, Report,
    RunOptions, StoppedBy, Tier, TrainParams, TrainPlan, Trained, check_parameters, train,
};

use crate::args::{Engine, HeaderKind, Schedule, TrainArgs, Tune};
use crate::interrupt::Interrupt;
use crate::loaded::Loaded;
use crate::output::progress::Reporter;
use crate::output::{self, tables};
use crate::{memory, params_file, run_folder};

/// The value of `train_samples_per_iteration` that leaves it to us.
const AUTOMATIC_SIZE: i64 = -2;

pub fn run(args: &TrainArgs) -> anyhow::Result<ExitCode> {
    let params = params(args)?;
    check_parameters(&params)?;
    check_share(args, &params)?;
    run_folder::check_place(&args.output, args.overwrite)?;
    let pretrained = pretrained(&params)?;
    let interrupt = Interrupt::watch("stopping after this iteration; press ctrl-C again to stop without a model");
    let reporter = Reporter::new(args.progress, interrupt.flag());

    let header = match args.header {
        HeaderKind::Auto => None,
        HeaderKind::True => Some(true),
        HeaderKind::False => Some(false),
    };
    let column_types = params.column_types.0.clone();
    let spill = memory::spill_options(args.memory_limit, &args.output, &[]);
    let threads = Some(threads(args).min(cores()));
    let options = ReadOptions { column_types, header, threads, spill, ..ReadOptions::default() };
    let training = read(&params.training_frame, &options, &reporter)?.context("--training-frame is missing")?;
    let header = header.or_else(|| has_names(&training).then_some(true));
    let spilled = memory::spill_notice("training", &training, options.spill.as_ref());
    let spill = memory::spill_options(args.memory_limit, &args.output, &[&training]);
    let options = ReadOptions { known_types: special_types(&training), header, spill, ..options };
    let validation = read(&params.validation_frame, &options, &reporter)?;
    let spilled_too =
        validation.as_ref().and_then(|frame| memory::spill_notice("validation", frame, options.spill.as_ref()));

    let mut plan = TrainPlan::new(params, &training, validation.as_ref())?;
    let tables: Vec<&Frame> = std::iter::once(&training).chain(&validation).collect();
    plan.options = run_options(args, &tables);
    if let Some((path, model)) = &pretrained {
        plan.start_from_autoencoder(model).with_context(|| path.display().to_string())?;
    } else {
        start_from_files(&mut plan)?;
    }
    let frames = std::iter::once(&training).chain(&validation);
    let spilled = spilled.into_iter().chain(spilled_too);
    let idle = idle_flags(args, &plan);
    let read = spilled.chain(frames.flat_map(unreadable));
    let warnings: Vec<String> =
        read.chain(plan.warnings.iter().cloned()).chain(idle.into_iter().map(str::to_owned)).collect();
    for warning in &warnings {
        output::warning(warning);
    }
    let mut observer = reporter.training(plan.category(), plan.training_rows(), plan.effective.epochs);
    interrupt.finish_first(true);
    let trained = train(&plan, &mut observer);
    interrupt.finish_first(false);
    observer.finish();
    let trained = trained?;

    run_folder::write(&args.output, args.overwrite, &plan, &trained, &warnings)?;
    report(args, &plan, &trained);
    if let Some(fault) = &trained.fault {
        let epochs = trained.summary.best_epochs.unwrap_or_default();
        output::failure(&format!("{fault}; {} has the model of epoch {epochs:.2}, from before", args.output.display()));
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

/// Defaults, then the file of parameters, then the flags.
fn params(args: &TrainArgs) -> anyhow::Result<TrainParams> {
    let mut params = TrainParams::default();
    if let Some(path) = &args.params {
        for (name, value) in params_file::read(path)? {
            params.set_json(&name, &value).with_context(|| format!("--params {}", path.display()))?;
        }
    }
    for (name, text) in &args.given.0 {
        params.set_text(name, text)?;
    }
    Ok(params)
}

fn read(Files(paths): &Files, options: &ReadOptions, reporter: &Reporter) -> anyhow::Result<Option<Frame>> {
    let shown = match paths.as_slice() {
        [] => return Ok(None),
        [path] => path.display().to_string(),
        [path, others @ ..] => format!("{} and {} more", path.display(), others.len()),
    };
    Ok(Some(reporter.reading(&shown, |progress| Frame::read_all(paths, options, progress))?))
}

/// The model whose hidden layers are to be trained further, and where it is from.
fn pretrained(params: &TrainParams) -> anyhow::Result<Option<(PathBuf, Model)>> {
    let Some(path) = &params.pretrained_autoencoder.0 else { return Ok(None) };
    let model = Loaded::read(path).context("pretrained_autoencoder")?.into_model();
    Ok(Some((path.clone(), model)))
}

/// Reads the weights and biases of the layers that have both.
fn start_from_files(plan: &mut TrainPlan<'_>) -> anyhow::Result<()> {
    let files = plan.given.initial_weights.0.clone().into_iter().zip(plan.given.initial_biases.0.clone());
    for (layer, (weights, biases)) in files.enumerate() {
        let (weights, biases) = match (weights, biases) {
            (Some(weights), Some(biases)) => (weights, biases),
            (None, None) => continue,
            (Some(lonely), None) | (None, Some(lonely)) => {
                output::warning(format_args!(
                    "layer {} starts at random, as in H2O: of initial weights and biases it has {} alone",
                    layer + 1,
                    lonely.display()
                ));
                continue;
            }
        };
        let read = |path: &Path| {
            // Names of inputs may look like numbers, but numbers stand in no quotes.
            let header = begins_with_quote(path).then_some(true);
            Frame::read(path, &ReadOptions { header, ..ReadOptions::default() }, &mut |_| {})
        };
        plan.start_from(layer, &read(&weights)?, &read(&biases)?)
            .with_context(|| format!("{}, {}", weights.display(), biases.display()))?;
    }
    Ok(())
}

fn begins_with_quote(path: &Path) -> bool {
    let mut first = [0];
    File::open(path).is_ok_and(|mut file| file.read_exact(&mut first).is_ok() && first == *b"\"")
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

/// Measured sizes divide by the share, which nothing else looks at.
fn check_share(args: &TrainArgs, params: &TrainParams) -> Result<(), PlanError> {
    let share = params.target_ratio_comm_to_comp;
    if args.auto_tune == Tune::Counted || (share > 0.0 && share < 1.0) {
        return Ok(());
    }
    let (name, expected) = ("target_ratio_comm_to_comp", "a number above 0 and below 1, as --auto-tune measured wants");
    Err(PlanError::OutOfRange { name, value: share.to_string(), expected })
}

/// What was asked of an engine or a rule that does not train this run.
fn idle_flags(args: &TrainArgs, plan: &TrainPlan<'_>) -> Vec<&'static str> {
    let params = &plan.effective;
    let is_plain = plan.options.is_plain(params);
    let measures = args.auto_tune == Tune::Measured;
    [
        (is_plain && args.kernel.is_some(), "--kernel is without effect in the plain engine"),
        (is_plain && measures, "--auto-tune measured is without effect in the plain engine"),
        (
            is_plain && params.mini_batch_size > 1,
            "mini_batch_size is without effect in the plain engine: like H2O it updates after every row",
        ),
        (
            !is_plain && params.mini_batch_size > LARGEST_BATCH as i64,
            "mini_batch_size is 8192 in the fast engine, which updates by no larger batches",
        ),
        (
            !is_plain && measures && params.train_samples_per_iteration != AUTOMATIC_SIZE,
            "--auto-tune measured is without effect unless train_samples_per_iteration is -2",
        ),
        (
            args.momentum_schedule == Schedule::Documented && params.adaptive_rate,
            "--momentum-schedule documented is without effect while adaptive_rate is true",
        ),
        (
            !is_plain && params.reproducible,
            "reproducible is H2O's to the last digit in the plain engine alone: leave --engine fast out for that",
        ),
    ]
    .into_iter()
    .filter_map(|(holds, sentence)| holds.then_some(sentence))
    .collect()
}

fn threads(args: &TrainArgs) -> usize {
    args.threads.map_or_else(cores, usize::from)
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, Into::into)
}

/// How to train.
fn run_options(args: &TrainArgs, tables: &[&Frame]) -> RunOptions {
    RunOptions {
        engine: match args.engine {
            Engine::Auto => EngineChoice::Auto,
            Engine::Fast => EngineChoice::Fast,
            Engine::Plain => EngineChoice::Plain,
        },
        threads: threads(args),
        tier: args.kernel.unwrap_or_else(Tier::best),
        auto_tune: match args.auto_tune {
            Tune::Counted => AutoTune::Counted,
            Tune::Measured => AutoTune::Measured,
        },
        momentum_schedule: match args.momentum_schedule {
            Schedule::H2o => MomentumSchedule::H2o,
            Schedule::Documented => MomentumSchedule::Documented,
        },
        spill: memory::spill_options(args.memory_limit, &args.output, tables),
    }
}

/// What a classifier's metrics have besides the figures.
fn class_tables(frame: &str, report: &Report) {
    const LARGEST: usize = 20;
    // What fits a terminal.
    const OF_LIFT: [&str; 5] = ["group", "lower_threshold", "lift", "cumulative_lift", "capture_rate"];
    const OF_AUC: [&str; 3] = ["type", "auc", "auc_pr"];
    match report.confusion() {
        Some(matrix) if matrix.domain.len() > LARGEST => {
            let classes = matrix.domain.len();
            output::line(format_args!("\nConfusion Matrix ({frame}): {classes} classes, see the file in the run"));
        }
        Some(matrix) => {
            let title = format!("\nConfusion Matrix ({frame}; a row for each actual class)");
            output::line(tables::confusion(matrix).draw(&title, LARGEST + 1));
        }
        None => {}
    }
    let tables = match report {
        Report::Regression(_) | Report::AutoEncoder(_) => Vec::new(),
        Report::Binomial(report) => vec![
            ("Maximum Metrics", tables::max_criteria(&report.thresholds)),
            ("Gains/Lift Table", tables::gains_lift(&report.gains_lift).only(&OF_LIFT)),
        ],
        Report::Multinomial(report) => vec![
            ("Top-K Hit Ratios", tables::hit_ratios(&report.hit_ratios)),
            ("Multinomial AUC", tables::multinomial_auc(&report.auc_table).only(&OF_AUC)),
        ],
    };
    for (title, table) in tables.into_iter().filter(|(_, table)| !table.rows.is_empty()) {
        output::line(table.draw(&format!("\n{title} ({frame})"), LARGEST));
    }
}

fn report(args: &TrainArgs, plan: &TrainPlan<'_>, trained: &Trained) {
    let summary = &trained.summary;
    if args.json {
        output::json(&json!({
            "run": args.output.display().to_string(),
            "engine": summary.engine,
            "kernel": summary.kernel,
            "threads": summary.threads,
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
    output::line(
        tables::short_history(&tables::history(trained), trained.model.category).draw("\nScoring History", 12),
    );
    output::line(
        tables::metrics(&reports.training.metrics(), reports.validation_metrics().as_ref()).draw("\nMetrics", 100),
    );
    for (name, report) in [("training", Some(&reports.training)), ("validation", reports.validation.as_ref())] {
        if let Some(report) = report {
            class_tables(name, report);
        }
    }
    if !trained.importances.is_empty() {
        let mut table = tables::importances(&trained.importances);
        table.rows.truncate(10);
        output::line(table.draw("\nVariable Importances", 10));
    }
    let why = output::reason(summary.stopped_by);
    let which = match summary.stopped_by {
        StoppedBy::Unstable => "the best one that was scored before they did",
        _ => "the best one that was scored (overwrite_with_best_model)",
    };
    let best = summary
        .best_epochs
        .map_or(String::new(), |epochs| format!("\nthe model is that of epoch {epochs:.2}, {which}"));
    output::line(format_args!(
        "\n{:.2} epochs in {:.1} s ({} samples/s), {why}{best}\nwritten to {}",
        summary.epochs,
        summary.training_seconds,
        output::thousands(summary.samples_per_second as u64),
        args.output.display(),
    ));
}
