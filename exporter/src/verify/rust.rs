//! Rows through generated Rust source, compiled by rustc.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use model::{Category, JsonNumber, Model};

use super::ScorerReport;
use super::compare::Comparison;
use super::error::VerifyError;
use super::process::Process;
use crate::artifact::Artifact;
use crate::golden::{Answer, Golden, GoldenCell, output_count};
use crate::pojo::{RustError, RustOptions, rust_replay_source, write_rust};
use crate::tolerance::Parity;

/// How reports call it.
pub(super) const SCORER: &str = "generated Rust";

/// How messages call its processes, and what they need.
pub(super) const COMPILER: &str = "rustc";
pub(super) const PROGRAM: &str = "the generated Rust source";
pub(super) const NEEDED: &str = "a Rust compiler";

/// What the source is called there.
const MODULE: &str = "model";

/// The program: what scores is in its modules.
const MAIN: &str = r#"mod replay;

fn main() {
    let rows = std::env::args().nth(1).expect("a file of rows");
    replay::replay(&std::fs::read_to_string(rows).expect("rows"));
}
"#;

/// A compiler of Rust.
#[derive(Debug, Clone)]
pub struct RustCompiler {
    /// The program.
    pub rustc: PathBuf,
    /// How long it may take, and its program thereafter.
    pub timeout: Duration,
}

impl Default for RustCompiler {
    fn default() -> Self {
        Self { rustc: "rustc".into(), timeout: Duration::from_mins(5) }
    }
}

impl RustCompiler {
    /// Whether there is one.
    pub(super) fn is_there(&self) -> bool {
        let version = Command::new(&self.rustc).arg("--version").output();
        version.is_ok_and(|output| output.status.success())
    }

    /// What there is to report where there is none.
    pub(super) fn missing(&self) -> ScorerReport {
        ScorerReport::skipped(SCORER, &format!("there is no {}", self.rustc.display()))
    }

    /// The answers to the rows of the source in this file, which was generated of the model.
    fn score(&self, model: &Model, source: &Path, golden: &Golden) -> Result<Vec<Answer>, VerifyError> {
        let folder = tempfile::tempdir()?;
        let path = |name: &str| folder.path().join(name);
        fs::copy(source, path(MODULE).with_extension("rs"))?;
        fs::write(path("replay.rs"), rust_replay_source(model, MODULE)?)?;
        fs::write(path("main.rs"), MAIN)?;
        fs::write(path("rows.tsv"), rows_text(model, golden))?;
        let mut rustc = Command::new(&self.rustc);
        // From that folder: in another one a toolchain of its own may be asked for.
        rustc.current_dir(folder.path()).args(["--edition", "2021", "-O", "--cap-lints", "allow", "main.rs", "-o"]);
        rustc.arg(path("program"));
        Process { scorer: COMPILER, needs: NEEDED, timeout: self.timeout }.run(rustc)?.success()?;
        let mut program = Command::new(path("program"));
        program.arg(path("rows.tsv"));
        let ended = Process { scorer: PROGRAM, needs: "its program", timeout: self.timeout }.run(program)?;
        read_answers(&ended.success()?, model, golden.rows.len())
    }
}

/// Replays the golden rows of an artifact through Rust source that was written of it: equal to the bit, or wrong.
pub fn verify_rust(artifact: &Artifact, source: &Path, compiler: &RustCompiler) -> Result<ScorerReport, VerifyError> {
    match &artifact.golden {
        Some(golden) if compiler.is_there() => compiled(&artifact.model, source, golden, compiler),
        Some(_) => Ok(compiler.missing()),
        None => Ok(ScorerReport::skipped(SCORER, "there are no golden rows")),
    }
}

/// Replays rows through the source that would be written of an artifact.
pub(super) fn verify_rust_of(
    artifact: &Artifact,
    golden: &Golden,
    compiler: &RustCompiler,
) -> Result<ScorerReport, VerifyError> {
    if !compiler.is_there() {
        return Ok(compiler.missing());
    }
    let folder = tempfile::tempdir()?;
    let options = RustOptions { module: MODULE.to_owned(), as_crate: false };
    match write_rust(artifact, &options, folder.path()) {
        Err(error @ RustError::Io { .. }) => Err(error.into()),
        // There is no such source to disagree.
        Err(error) => Ok(ScorerReport::skipped(SCORER, &error.to_string())),
        Ok(source) => compiled(&artifact.model, &source, golden, compiler),
    }
}

fn compiled(
    model: &Model,
    source: &Path,
    golden: &Golden,
    compiler: &RustCompiler,
) -> Result<ScorerReport, VerifyError> {
    match compiler.score(model, source, golden) {
        Ok(found) => Ok(Comparison::of(model, Parity::exact(model)).report(SCORER, golden, &found)),
        // Thousands of columns take it long, which says nothing against the source.
        Err(late @ VerifyError::Timeout { scorer: COMPILER, .. }) => {
            Ok(ScorerReport::skipped(SCORER, &late.to_string()))
        }
        Err(error) => Err(error),
    }
}

/// The rows as `templates/rust/replay.rs.tera` reads them.
pub(crate) fn rows_text(model: &Model, golden: &Golden) -> String {
    let mut text = String::new();
    for row in &golden.rows {
        for (column, (feature, cell)) in model.schema.features().iter().zip(&row.cells).enumerate() {
            text.push_str(if column == 0 { "" } else { "\t" });
            let level = match (&feature.domain, cell) {
                (None, _) => {
                    let (value, _) = model.encoding.raw_value(feature, cell.as_cell());
                    let _ = write!(text, "{:x}", value.to_bits());
                    continue;
                }
                (Some(_), GoldenCell::Missing) => continue,
                (Some(_), GoldenCell::Text(level)) => level.clone(),
                (Some(_), GoldenCell::Number(number)) => number.to_string(),
            };
            text.push('=');
            for byte in level.bytes() {
                let _ = write!(text, "{byte:02x}");
            }
        }
        text.push('\n');
    }
    text
}

/// The answers as `templates/rust/replay.rs.tera` prints them.
pub(crate) fn read_answers(text: &str, model: &Model, rows: usize) -> Result<Vec<Answer>, VerifyError> {
    let found = text.lines().count();
    if found != rows {
        return Err(VerifyError::AnswerCount { scorer: PROGRAM, rows, found });
    }
    let read = |(row, line): (usize, &str)| {
        let none = || VerifyError::Answer { scorer: PROGRAM, row, found: line.to_owned() };
        read_answer(line, model).ok_or_else(none)
    };
    (1..).zip(text.lines()).map(read).collect()
}

fn read_answer(line: &str, model: &Model) -> Option<Answer> {
    let mut fields = line.split('\t');
    let label = match fields.next()? {
        "-" => None,
        place => Some(place.parse().ok()?),
    };
    let number = |bits: &str| Some(JsonNumber(f64::from_bits(u64::from_str_radix(bits, 16).ok()?)));
    let mut numbers: Vec<JsonNumber> = fields.map(number).collect::<Option<_>>()?;
    let outputs = output_count(model);
    match model.category {
        Category::Binomial | Category::Multinomial if numbers.len() == outputs => {
            Some(Answer::Class { label, probabilities: numbers })
        }
        Category::Regression => numbers.first().map(|&value| Answer::Value(value)),
        Category::AutoEncoder if numbers.len() == outputs + 1 => {
            let mse = numbers.pop()?;
            Some(Answer::Reconstruction { values: numbers, mse })
        }
        _ => None,
    }
}
