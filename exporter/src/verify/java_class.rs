//! Rows through a class that was written of a model, compiled by `javac`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use std::{env, io};

use tempfile::TempDir;

use super::compare::Comparison;
use super::error::VerifyError;
use super::java::{self, JavaRuntime};
use super::process::Process;
use super::{Outcome, ScorerReport, our_source};
use crate::artifact::Artifact;
use crate::golden::{Answer, Golden};
use crate::pojo::{JAVA_START, JavaError, JavaOptions, write_java};
use crate::tolerance::Parity;

/// As reports call a class of its own, and one of H2O's runtime.
const SCORER: &str = "generated Java";
const GENMODEL_SCORER: &str = "generated Java (genmodel)";

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
    let scorer = if options.genmodel { GENMODEL_SCORER } else { SCORER };
    let classes = match jdk.compile(source, options.genmodel)? {
        Compiled::Classes(classes) => classes,
        Compiled::Not { reason } => return Ok(ScorerReport::skipped(scorer, &reason)),
    };
    let (model, golden) = (&artifact.model, artifact.golden_rows());
    let Some(jar) = jdk.jar.as_ref().filter(|_| options.genmodel) else {
        let report = jdk.replay(scorer, &classes, &options.class)?;
        return match golden.rows.len() {
            rows if rows == report.rows => Ok(report),
            rows => Err(VerifyError::AnswerCount { scorer: CLASS, rows, found: report.rows }),
        };
    };
    let runtime = JavaRuntime { java: jdk.java.clone(), jar: jar.clone(), timeout: jdk.timeout };
    let class = java::Source::Class { classes: classes.path(), name: &options.class };
    let mut found = runtime.score(model, class, &golden)?;
    expect_errors(&golden, &mut found);
    Ok(Comparison::of(model, Parity::exact(model)).report(scorer, &golden, &found))
}

/// Has a class of ours replay the rows that it carries.
pub fn verify_java_file(source: &Path, jdk: &Jdk) -> Result<ScorerReport, VerifyError> {
    let is_genmodel = our_source(source, JAVA_START)?.contains(" extends GenModel {");
    let scorer = if is_genmodel { GENMODEL_SCORER } else { SCORER };
    let class = source.file_stem().unwrap_or_default().to_string_lossy();
    match jdk.compile(source, is_genmodel)? {
        Compiled::Classes(classes) => jdk.replay(scorer, &classes, &class),
        Compiled::Not { reason } => Ok(ScorerReport::skipped(scorer, &reason)),
    }
}

/// Replays golden rows through the classes that would be written of an artifact.
pub(super) fn verify_java_of(artifact: &Artifact, jdk: &Jdk) -> Result<Vec<ScorerReport>, VerifyError> {
    let report = |(scorer, genmodel)| {
        let folder = tempfile::tempdir()?;
        let options = JavaOptions { class: "Model".to_owned(), genmodel };
        let source = folder.path().join("Model.java");
        match write_java(artifact, &options, &source) {
            Err(error @ JavaError::Io { .. }) => Err(error.into()),
            // There is no such class to disagree.
            Err(error) => Ok(ScorerReport::skipped(scorer, &error.to_string())),
            Ok(()) => verify_java(artifact, &options, &source, jdk),
        }
    };
    [(SCORER, false), (GENMODEL_SCORER, true)].into_iter().map(report).collect()
}

/// What came of a source.
enum Compiled {
    /// The folder of the classes.
    Classes(TempDir),
    /// Something that it takes is not there.
    Not { reason: String },
}

impl Jdk {
    fn compile(&self, source: &Path, is_genmodel: bool) -> Result<Compiled, VerifyError> {
        let classes = tempfile::tempdir()?;
        let mut javac = Command::new(self.java.with_file_name("javac"));
        javac.args(["-encoding", "US-ASCII", "-proc:none", "-d"]).arg(classes.path());
        match &self.jar {
            Some(jar) if is_genmodel => _ = javac.arg("-cp").arg(jar),
            None if is_genmodel => return Ok(Compiled::Not { reason: "no jar of H2O's runtime was given".to_owned() }),
            _ => {}
        }
        // What begins with `@` or `-` would be no source to it.
        javac.arg(std::path::absolute(source)?);
        match self.process(COMPILER).run(javac) {
            Err(VerifyError::Program { program, source, .. }) => {
                Ok(Compiled::Not { reason: format!("cannot run `{}`: {source}", program.display()) })
            }
            Err(late @ VerifyError::Timeout { .. }) => Ok(Compiled::Not { reason: late.to_string() }),
            ended => ended?.success().map(|_| Compiled::Classes(classes)),
        }
    }

    /// Runs a class, which says what came of its rows.
    fn replay(&self, scorer: &'static str, classes: &TempDir, class: &str) -> Result<ScorerReport, VerifyError> {
        let class_path = [Some(classes.path()), self.jar.as_deref()].into_iter().flatten();
        let mut java = Command::new(&self.java);
        java.arg("-cp").arg(env::join_paths(class_path).map_err(io::Error::other)?).arg(class);
        let ended = self.process(CLASS).run(java)?;
        let read = if ended.status.success() { read_agreement } else { read_disagreement };
        match read(ended.printed.trim()) {
            Some((rows, outcome)) => Ok(ScorerReport { scorer, rows, outcome, largest_relative_difference: 0.0 }),
            None => Err(VerifyError::Failed { scorer: CLASS, status: ended.status, message: ended.complaint }),
        }
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

/// `121 rows agree`
fn read_agreement(line: &str) -> Option<(usize, Outcome)> {
    let rows = line.strip_suffix(" rows agree")?.parse().ok().filter(|&rows| rows > 0)?;
    Some((rows, Outcome::Agrees))
}

/// ``row 5 of 121 disagrees in column `good`: expected 0.25, found 0.5``
fn read_disagreement(line: &str) -> Option<(usize, Outcome)> {
    let (row, rest) = line.strip_prefix("row ")?.split_once(" of ")?;
    let (rows, rest) = rest.split_once(" disagrees in column `")?;
    let (column, rest) = rest.rsplit_once("`: expected ")?;
    let (expected, found) = rest.split_once(", found ")?;
    let row = row.parse().ok()?;
    let (column, expected, found) = (column.to_owned(), expected.to_owned(), found.to_owned());
    Some((rows.parse().ok()?, Outcome::Disagrees { row, column, expected, found }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_class_says_of_its_rows_is_read() {
        assert_eq!(read_agreement("121 rows agree"), Some((121, Outcome::Agrees)));
        let (column, expected, found) = ("a`: expected 1".to_owned(), "0.25".to_owned(), "NaN".to_owned());
        assert_eq!(
            read_disagreement("row 5 of 121 disagrees in column `a`: expected 1`: expected 0.25, found NaN"),
            Some((121, Outcome::Disagrees { row: 5, column, expected, found }))
        );
        assert_eq!((read_agreement(""), read_agreement("0 rows agree"), read_disagreement("")), (None, None, None));
    }
}
