//! The golden rows that a Rust source carries, replayed by its own tests.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::error::VerifyError;
use super::process::{Ended, Process};
use super::rust::{COMPILER, NEEDED, PROGRAM, RustCompiler, SCORER};
use super::{Outcome, ScorerReport, our_source};
use crate::pojo::{RUST_START, RUST_TEST};

/// What the tests print where that of the golden rows was there, and passed.
const ONE_PASSED: &str = "test result: ok. 1 passed";

/// Replays the golden rows that are in Rust source which we wrote. The source is compiled and run.
pub fn verify_rust_file(source: &Path, compiler: &RustCompiler) -> Result<ScorerReport, VerifyError> {
    let text = our_source(source, RUST_START)?;
    let Some(rows) = golden_rows(&text) else { return Ok(ScorerReport::skipped(SCORER, "it holds no golden rows")) };
    if !compiler.is_there() {
        return Ok(compiler.missing());
    }
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("model.rs"), text)?;
    let mut rustc = Command::new(&compiler.rustc);
    // From that folder: in another one a toolchain of its own may be asked for.
    rustc.current_dir(folder.path());
    rustc.args(["--test", "--edition", "2021", "-O", "--cap-lints", "allow", "model.rs", "-o", "tests"]);
    match (Process { scorer: COMPILER, needs: NEEDED, timeout: compiler.timeout }.run(rustc)) {
        Err(late @ VerifyError::Timeout { .. }) => return Ok(ScorerReport::skipped(SCORER, &late.to_string())),
        compiled => compiled?.success()?,
    };
    let mut tests = Command::new(folder.path().join("tests"));
    tests.args([RUST_TEST, "--exact", "--color", "never"]);
    let ended = Process { scorer: PROGRAM, needs: "its program", timeout: compiler.timeout }.run(tests)?;
    let outcome = match ended.status.success() {
        true if ended.printed.contains(ONE_PASSED) => Outcome::Agrees,
        // Tests of another name are as many as none, and none succeed as well.
        true => return Err(VerifyError::AnswerCount { scorer: PROGRAM, rows, found: 0 }),
        false => disagreement(ended)?,
    };
    Ok(ScorerReport { scorer: SCORER, rows, outcome, largest_relative_difference: 0.0 })
}

/// How many there are, as the type of their list says.
fn golden_rows(text: &str) -> Option<usize> {
    let (_, list) = text.rsplit_once("static GOLDEN: [(")?;
    let (kind, _) = list.split_once("] = [")?;
    kind.rsplit_once("; ")?.1.parse().ok()
}

/// What a test that failed says: `golden row 5, output 2: expected 0.5, found 0.25`.
fn disagreement(ended: Ended) -> Result<Outcome, VerifyError> {
    let said = ended.printed.lines().find_map(|line| {
        let (row, rest) = line.strip_prefix("golden row ")?.split_once(", ")?;
        let (column, numbers) = rest.split_once(": expected ")?;
        let (expected, found) = numbers.rsplit_once(", found ")?;
        let (expected, found) = (expected.to_owned(), found.to_owned());
        Some(Outcome::Disagrees { row: row.parse().ok()?, column: column.to_owned(), expected, found })
    });
    match said {
        Some(outcome) => Ok(outcome),
        None => Err(ended.success().err().unwrap_or(VerifyError::AnswerCount { scorer: PROGRAM, rows: 1, found: 0 })),
    }
}
