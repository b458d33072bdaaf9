//! `aqueduct verify`: the golden rows through every scorer there is.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use exporter::{OnnxRuntime, Outcome, Report, RustCompiler, ScorerReport, Scorers};
use serde_json::{Value, json};

use crate::args::{ScorerKind, VerifyArgs};
use crate::output::tables::{Table, significant};
use crate::{loaded, output};

pub fn run(args: &VerifyArgs) -> anyhow::Result<ExitCode> {
    let report = if loaded::is_onnx(&args.model) {
        Report { scorers: vec![verify_onnx(&args.model, &args.python.runtime())?] }
    } else if loaded::is_java_source(&args.model) {
        Report { scorers: vec![exporter::verify_java_file(&args.model, &args.java.jdk())?] }
    } else if loaded::is_rust_source(&args.model) {
        Report { scorers: vec![exporter::verify_rust_file(&args.model, &RustCompiler::default())?] }
    } else {
        verify_model(args)?
    };
    if args.json {
        output::json(&as_json(&report));
    } else {
        output::line(table(&report).draw("Golden rows", 100));
    }
    if !report.compared() {
        bail!(
            "nothing was compared: {} has no golden rows, or no scorer was there to replay them; --h2o-jar and --python name some",
            args.model.display()
        );
    }
    Ok(if report.agrees() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Replays the golden rows of a run or a MOJO.
fn verify_model(args: &VerifyArgs) -> anyhow::Result<Report> {
    let asked = |scorer| args.scorers.contains(&scorer);
    let others = Scorers {
        runtime: args.java.runtime().filter(|_| asked(ScorerKind::H2oGenmodel)),
        java: asked(ScorerKind::Java).then(|| args.java.jdk()),
        rust: asked(ScorerKind::Rust).then(RustCompiler::default),
        onnx: asked(ScorerKind::Onnx).then(|| args.python.runtime()),
    };
    if !args.model.is_dir() {
        return verify(&args.model, &others);
    }
    // A run is verified as what others will get of it.
    let folder = tempfile::tempdir()?;
    let mojo = folder.path().join("model.zip");
    exporter::write_mojo(&loaded::run_as_artifact(&args.model)?, &mojo)?;
    verify(&mojo, &others)
}

/// Replays the golden rows of a MOJO.
pub fn verify(mojo: &Path, others: &Scorers) -> anyhow::Result<Report> {
    Ok(exporter::verify(&loaded::mojo(mojo)?, mojo, others)?)
}

/// Replays the golden rows of an ONNX file.
pub fn verify_onnx(path: &Path, runtime: &OnnxRuntime) -> anyhow::Result<ScorerReport> {
    let file = exporter::read_onnx(path).with_context(|| path.display().to_string())?;
    Ok(exporter::verify_onnx(&file, path, runtime)?)
}

/// The report as a person sees it.
pub fn table(report: &Report) -> Table {
    let row = |scorer: &ScorerReport| {
        let outcome = match &scorer.outcome {
            Outcome::Agrees => {
                format!("agrees, largest relative difference {}", significant(scorer.largest_relative_difference))
            }
            Outcome::Disagrees { row, column, expected, found } => {
                format!("disagrees in row {row}, column `{column}`: expected {expected}, found {found}")
            }
            Outcome::Skipped { reason } => format!("skipped: {reason}"),
        };
        vec![scorer.scorer.to_owned(), scorer.rows.to_string(), outcome]
    };
    Table {
        header: ["scorer", "rows", "outcome"].map(str::to_owned).to_vec(),
        rows: report.scorers.iter().map(row).collect(),
    }
}

fn as_json(report: &Report) -> Value {
    let scorer = |s: &ScorerReport| {
        let outcome = match &s.outcome {
            Outcome::Agrees => json!({ "outcome": "agrees" }),
            Outcome::Disagrees { row, column, expected, found } => {
                json!({ "outcome": "disagrees", "row": row, "column": column, "expected": expected, "found": found })
            }
            Outcome::Skipped { reason } => json!({ "outcome": "skipped", "reason": reason }),
        };
        let mut value =
            json!({ "scorer": s.scorer, "rows": s.rows, "largest_relative_difference": s.largest_relative_difference });
        if let (Value::Object(value), Value::Object(outcome)) = (&mut value, outcome) {
            value.extend(outcome);
        }
        value
    };
    json!({ "agrees": report.agrees(), "scorers": report.scorers.iter().map(scorer).collect::<Vec<_>>() })
}
