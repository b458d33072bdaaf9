//! Rows through a class that was written of a model, compiled by `javac`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::compare::Comparison;
use super::error::VerifyError;
use super::java::{self, JavaRuntime};
use super::process::{Ended, Process};
use super::{Outcome, ScorerReport};
use crate::artifact::Artifact;
use crate::golden::{Answer, Golden};
use crate::pojo::JavaOptions;
use crate::tolerance::Parity;

/// As messages call what compiles, and what scores.
const COMPILER: &str = "javac";
const CLASS: &str = "the Java class";

/// Java, and what the classes need that are models of H2O's runtime.
#[derive(Debug, Clone)]
pub struct Jdk {
    /// `java` of a JDK of version 8 or later: its `javac` is in the same folder.
    pub java: PathBuf,
    /// `h2o-genmodel.jar`, or `h2o.jar`, which holds it.
    pub jar: Option<PathBuf>,
    /// How long each of its programs may take.
    pub timeout: Duration,
}

/// Replays golden rows through a class that was written of the artifact: a class of its own replays those that it carries, a
/// model of H2O's runtime is asked there. Where the JDK or the jar is not there, the report says so.
pub fn verify_java(
    artifact: &Artifact,
    options: &JavaOptions,
    source: &Path,
    jdk: &Jdk,
) -> Result<ScorerReport, VerifyError> {
    let jar = jdk.jar.as_deref().filter(|_| options.genmodel);
    let scorer = if options.genmodel { "java-genmodel" } else { "java" };
    if options.genmodel && jar.is_none() {
        return Ok(ScorerReport::skipped(scorer, "no jar of H2O's runtime was given"));
    }
    let classes = tempfile::tempdir()?;
    match jdk.compile(source, classes.path(), jar) {
        Err(VerifyError::Program { program, source, .. }) => {
            let reason = format!("cannot run `{}`: {source}", program.display());
            return Ok(ScorerReport::skipped(scorer, &reason));
        }
        compiled => compiled?,
    }
    let (model, golden) = (&artifact.model, artifact.golden_rows());
    let Some(jar) = jar else {
        let outcome = read_report(jdk.run_main(classes.path(), &options.class)?, golden.rows.len())?;
        return Ok(ScorerReport { scorer, rows: golden.rows.len(), outcome, largest_relative_difference: 0.0 });
    };
    let runtime = JavaRuntime { java: jdk.java.clone(), jar: jar.to_owned(), timeout: jdk.timeout };
    let class = java::Source::Class { classes: classes.path(), name: &options.class };
    let mut found = runtime.score(model, class, &golden)?;
    expect_errors(&golden, &mut found);
    Ok(Comparison::of(model, Parity::exact(model)).report(scorer, &golden, &found))
}

impl Jdk {
    fn compile(&self, source: &Path, classes: &Path, jar: Option<&Path>) -> Result<(), VerifyError> {
        let mut javac = Command::new(self.java.with_file_name("javac"));
        javac.args(["-encoding", "US-ASCII", "-proc:none", "-d"]).arg(classes);
        if let Some(jar) = jar {
            javac.arg("-cp").arg(jar);
        }
        javac.arg(source);
        self.process(COMPILER).run(javac)?.success().map(drop)
    }

    fn run_main(&self, classes: &Path, class: &str) -> Result<Ended, VerifyError> {
        let mut java = Command::new(&self.java);
        java.arg("-cp").arg(classes).arg(class);
        self.process(CLASS).run(java)
    }

    fn process(&self, scorer: &'static str) -> Process {
        Process { scorer, needs: "a JDK of version 8 or later", timeout: self.timeout }
    }
}

/// The runtime has an autoencoder's error for MOJOs alone.
fn expect_errors(golden: &Golden, found: &mut [Answer]) {
    for (row, found) in golden.rows.iter().zip(found) {
        if let (Answer::Reconstruction { mse: expected, .. }, Answer::Reconstruction { mse, .. }) = (&row.answer, found)
        {
            *mse = *expected;
        }
    }
}

/// What a class says of its rows: `121 rows agree`, or ``row 5 of 121 disagrees in column `good`: expected 0.25, found 0.5``.
fn read_report(ended: Ended, rows: usize) -> Result<Outcome, VerifyError> {
    if ended.status.code() != Some(1) {
        let printed = ended.success()?;
        return match printed.trim().strip_suffix(" rows agree").and_then(|rows| rows.parse().ok()) {
            Some(found) if found == rows => Ok(Outcome::Agrees),
            found => Err(VerifyError::AnswerCount { scorer: CLASS, rows, found: found.unwrap_or(0) }),
        };
    }
    match read_disagreement(ended.printed.trim()) {
        Some(disagreement) => Ok(disagreement),
        None => Err(VerifyError::Failed { scorer: CLASS, status: ended.status, message: ended.complaint }),
    }
}

fn read_disagreement(line: &str) -> Option<Outcome> {
    let (row, rest) = line.strip_prefix("row ")?.split_once(" of ")?;
    let (_, rest) = rest.split_once(" disagrees in column `")?;
    let (column, rest) = rest.rsplit_once("`: expected ")?;
    let (expected, found) = rest.split_once(", found ")?;
    Some(Outcome::Disagrees {
        row: row.parse().ok()?,
        column: column.to_owned(),
        expected: expected.to_owned(),
        found: found.to_owned(),
    })
}
