//! H2O's own runtime, where the machine has Java and the jar.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use libtest_mimic::{Completion, Failed, Trial};
use tempfile::TempDir;

use super::outcome;
use super::table::Table;

/// The release whose jar `tests/setup` installs.
const H2O: &str = "h2o-3.46.0.11";

/// The least version of Java that compiles our programs.
const JAVA: u32 = 11;

/// The program that scores.
const SCORE: &str = include_str!("Score.java");

/// A test that is ignored, with the reason, where there is no Java or no jar.
pub fn trial(name: String, test: impl FnOnce(&Runtime) -> Result<(), Failed> + Send + 'static) -> Trial {
    Trial::ignorable_test(name, move || match runtime() {
        Ok(runtime) => test(runtime).map(|()| Completion::Completed),
        Err(reason) => Ok(Completion::ignored_with(format!("{reason}; tests/setup installs what is needed"))),
    })
}

/// The runtime with our program, compiled once.
pub struct Runtime {
    pub jar: PathBuf,
    classes: TempDir,
}

fn runtime() -> Result<&'static Runtime, &'static str> {
    static RUNTIME: OnceLock<Result<Runtime, String>> = OnceLock::new();
    RUNTIME.get_or_init(Runtime::find).as_ref().map_err(String::as_str)
}

impl Runtime {
    fn find() -> Result<Self, String> {
        check_java()?;
        let jar = jar()?;
        let classes = tempfile::tempdir().map_err(|error| error.to_string())?;
        let source = classes.path().join("Score.java");
        fs::write(&source, SCORE).map_err(|error| error.to_string())?;
        let mut javac = Command::new("javac");
        javac.args(["-encoding", "UTF-8", "-d"]).arg(classes.path()).arg("-cp").arg(&jar).arg(&source);
        let output = javac.output().map_err(|error| format!("javac: {error}"))?;
        // A program that does not compile is our fault, and no reason to ignore a test.
        assert!(output.status.success(), "javac: {}", String::from_utf8_lossy(&output.stderr));
        Ok(Self { jar, classes })
    }

    /// The runtime's answers to the rows of a table, missing cells left out of a row: a line for each row, the label
    /// before the probabilities of a classifier.
    pub fn score(&self, mojo: &Path, table: &Table) -> Result<Vec<Vec<String>>, Failed> {
        let folder = tempfile::tempdir()?;
        let rows = folder.path().join("rows.tsv");
        fs::write(&rows, fields(table))?;
        let path: OsString = [self.classes.path().as_os_str(), self.jar.as_os_str()].join(":".as_ref());
        let mut java = Command::new("java");
        java.args(["-XX:TieredStopAtLevel=1", "-cp"]).arg(path).arg("Score").arg(mojo).arg(&rows);
        let outcome = outcome(java)?;
        if outcome.code != Some(0) {
            return Err(format!("H2O's runtime: {}", outcome.stderr).into());
        }
        Ok(outcome.stdout.lines().map(|line| line.split('\t').map(unescaped).collect()).collect())
    }
}

fn check_java() -> Result<(), String> {
    let output = Command::new("javac").arg("-version").output().map_err(|_| "there is no javac")?;
    // `javac 17.0.15`; up to Java 8 it says `javac 1.8.0`, and on standard error.
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let version = text.trim().trim_start_matches("javac ").split('.').next().and_then(|major| major.parse().ok());
    match version {
        Some(JAVA..) => Ok(()),
        _ => Err(format!("javac is older than {JAVA}")),
    }
}

fn jar() -> Result<PathBuf, String> {
    if let Some(jar) = std::env::var_os("AQUEDUCT_H2O_JAR") {
        let jar = PathBuf::from(jar);
        return if jar.is_file() { Ok(jar) } else { Err(format!("AQUEDUCT_H2O_JAR: no file {}", jar.display())) };
    }
    let environment = super::cache("AQUEDUCT_TEST_VENV", H2O).ok_or("AQUEDUCT_H2O_JAR is not set")?;
    // One `python3.N` in each environment.
    let pythons = fs::read_dir(environment.join("lib")).into_iter().flatten().filter_map(Result::ok);
    let jars = pythons.map(|python| python.path().join("site-packages/h2o/backend/bin/h2o.jar"));
    let found = jars.into_iter().find(|jar| jar.is_file());
    found.ok_or_else(|| format!("AQUEDUCT_H2O_JAR is not set, and there is no h2o.jar in {}", environment.display()))
}

/// A line of names and a line for each row, cells between tabs; a cell that is missing is empty, any other begins with
/// `=`.
fn fields(table: &Table) -> String {
    let mut text = table.header.iter().map(|name| escaped(name)).collect::<Vec<_>>().join("\t") + "\n";
    for row in &table.rows {
        let cell = |cell: &String| match cell.as_str() {
            "" | "NA" | "N/A" | "-" => String::new(),
            cell => format!("={}", escaped(cell)),
        };
        let _ = writeln!(text, "{}", row.iter().map(cell).collect::<Vec<_>>().join("\t"));
    }
    text
}

pub fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r")
}

fn unescaped(text: &str) -> String {
    let mut chars = text.chars();
    let mut plain = String::new();
    while let Some(c) = chars.next() {
        plain.push(match c {
            '\\' => match chars.next() {
                Some('t') => '\t',
                Some('n') => '\n',
                Some('r') => '\r',
                other => other.unwrap_or('\\'),
            },
            c => c,
        });
    }
    plain
}
