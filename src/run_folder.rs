//! The folder that training writes: the model, and what is to be known about its making.

use std::fs::{self, DirEntry};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde_json::json;
use trainer::{Checkpoint, Report, TrainPlan, Trained};

use crate::output::tables;
use crate::report;
use crate::staging::Staging;

/// The file that makes a folder a run.
pub const CHECKPOINT: &str = "checkpoint.safetensors";

const REPORT: &str = "report.html";

const FLAG: &str = "--output";

/// Everything that a run's folder may hold.
const FILES: [&str; 26] = [
    CHECKPOINT,
    "params.json",
    "metrics.json",
    "summary.json",
    "scoring_history.csv",
    "layers.csv",
    "importances.csv",
    "confusion.csv",
    "confusion_validation.csv",
    "thresholds.csv",
    "thresholds_validation.csv",
    "max_criteria.csv",
    "max_criteria_validation.csv",
    "gains_lift.csv",
    "gains_lift_validation.csv",
    "hit_ratios.csv",
    "hit_ratios_validation.csv",
    "multinomial_auc.csv",
    "multinomial_auc_validation.csv",
    "residuals.csv",
    "residuals_validation.csv",
    "predicted_actual.csv",
    "predicted_actual_validation.csv",
    "reconstruction_errors.csv",
    "reconstruction_errors_validation.csv",
    REPORT,
];

/// Whether a folder is the output of a run.
pub fn is_run(path: &Path) -> bool {
    path.join(CHECKPOINT).is_file()
}

/// Checks before a run that its folder can be written.
pub fn check_place(target: &Path, overwrite: bool) -> anyhow::Result<()> {
    check_replaceable(target, overwrite)?;
    // Made and dropped again: days of training must not end at a folder that nobody may write to.
    Staging::create(FLAG, target).map(drop)
}

/// What stands in a run's place is refused, unless it is an earlier run that may be replaced or an empty folder.
fn check_replaceable(target: &Path, overwrite: bool) -> anyhow::Result<()> {
    let shown = target.display();
    if target.symlink_metadata().is_err() {
        return Ok(());
    }
    if !target.is_dir() {
        bail!("--output {shown} exists and is not the output of an earlier run: choose another folder");
    }
    let entries = fs::read_dir(target)?.collect::<io::Result<Vec<_>>>()?;
    if entries.is_empty() {
        return Ok(());
    }
    let is_ours = |entry: &DirEntry| {
        entry.file_type().is_ok_and(|kind| kind.is_file()) && FILES.iter().any(|file| entry.file_name() == *file)
    };
    if let Some(other) = entries.iter().find(|entry| !is_ours(entry)) {
        bail!(
            "--output {shown} exists and holds `{}`, which is not the output of a run: choose another folder",
            other.file_name().display()
        );
    }
    if !overwrite {
        bail!("--output {shown} holds an earlier run: add --overwrite to replace it, or choose another folder");
    }
    Ok(())
}

/// Writes everything about a run, first beside its place. The warnings are those that its user was given.
pub fn write(
    target: &Path,
    overwrite: bool,
    plan: &TrainPlan<'_>,
    trained: &Trained,
    warnings: &[String],
) -> anyhow::Result<()> {
    let run = Run(Staging::create(FLAG, target)?);
    run.write(plan, trained, warnings)?;
    let Run(staging) = run;
    // Somebody else may have been there meanwhile. What was trained is not thrown away for it.
    if let Err(error) = check_replaceable(target, overwrite) {
        let kept = staging.keep();
        return Err(error.context(format!("the run is kept as {}", kept.display())));
    }
    staging.finish()
}

/// A run's folder under construction.
struct Run(Staging);

impl Run {
    fn write(&self, plan: &TrainPlan<'_>, trained: &Trained, warnings: &[String]) -> anyhow::Result<()> {
        let created = trained.history.last().map(|row| row.timestamp).unwrap_or_default();
        let checkpoint = Checkpoint { model: trained.model.clone(), profile: trained.profile.clone(), created };
        checkpoint.write(&self.path(CHECKPOINT))?;
        let summary = &trained.summary;
        // Besides the parameters, what a seed repeats by.
        let engine = json!({
            "engine": summary.engine,
            "kernel": summary.kernel,
            "threads": summary.threads,
            "momentum_schedule": plan.options.momentum_schedule,
            "auto_tune": plan.options.auto_tune,
        });
        let (given, effective) = (plan.given.to_json(), plan.effective.to_json());
        self.json("params.json", &json!({ "given": given, "effective": effective, "engine": engine }))?;
        let mut what_happened = serde_json::to_value(summary)?;
        what_happened["version"] = json!(env!("CARGO_PKG_VERSION"));
        what_happened["warnings"] = json!(warnings);
        self.json("summary.json", &what_happened)?;
        let validation = trained.reports.validation.as_ref().map(Report::metrics);
        self.json(
            "metrics.json",
            &json!({ "training": trained.reports.training.metrics(), "validation": validation }),
        )?;
        self.csv("scoring_history.csv", &tables::history(trained))?;
        self.csv("layers.csv", &tables::layers(&trained.layers))?;
        self.csv("importances.csv", &tables::importances(&trained.importances))?;
        self.report("", &trained.reports.training)?;
        if let Some(report) = &trained.reports.validation {
            self.report("_validation", report)?;
        }
        // Read back, so that `export --report` says the very same of the folder.
        let facts = report::of_run(self.0.folder())?;
        exporter::write_report(&facts, &self.path(REPORT))
            .with_context(|| format!("cannot write {REPORT} of {}", self.0.shown()))?;
        Ok(())
    }

    /// The tables of one frame's metrics, those that have rows.
    fn report(&self, suffix: &str, report: &Report) -> anyhow::Result<()> {
        let mut tables = vec![("confusion", report.confusion().map(tables::confusion).unwrap_or_default())];
        match report {
            Report::Regression(report) => tables.extend([
                ("residuals", tables::value_bins(&report.residuals.histogram)),
                ("predicted_actual", tables::density(&report.residuals.density)),
            ]),
            Report::AutoEncoder(report) => {
                tables.push(("reconstruction_errors", tables::value_bins(&report.errors)));
            }
            Report::Binomial(report) => tables.extend([
                ("thresholds", tables::thresholds(&report.thresholds)),
                ("max_criteria", tables::max_criteria(&report.thresholds)),
                ("gains_lift", tables::gains_lift(&report.gains_lift)),
            ]),
            Report::Multinomial(report) => tables.extend([
                ("hit_ratios", tables::hit_ratios(&report.hit_ratios)),
                ("multinomial_auc", tables::multinomial_auc(&report.auc_table)),
            ]),
        }
        tables.retain(|(_, table)| !table.rows.is_empty());
        tables.iter().try_for_each(|(name, table)| self.csv(&format!("{name}{suffix}.csv"), table))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.folder().join(name)
    }

    fn json(&self, name: &str, value: &serde_json::Value) -> anyhow::Result<()> {
        let mut text = serde_json::to_string_pretty(value)?;
        text.push('\n');
        fs::write(self.path(name), text).with_context(|| format!("cannot write {name} of {}", self.0.shown()))
    }

    fn csv(&self, name: &str, table: &tables::Table) -> anyhow::Result<()> {
        let write = || -> anyhow::Result<()> {
            let mut writer = csv::Writer::from_path(self.path(name))?;
            writer.write_record(&table.header)?;
            for row in &table.rows {
                writer.write_record(row)?;
            }
            Ok(writer.into_inner()?.flush()?)
        };
        write().with_context(|| format!("cannot write {name} of {}", self.0.shown()))
    }
}
