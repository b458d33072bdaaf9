//! Rows through H2O's own runtime, in a Java process.

use std::env;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use model::{Category, JsonNumber, Model, parse_java_double};

use super::error::VerifyError;
use super::process::Process;
use crate::golden::{Answer, Golden, GoldenCell, output_count};

/// The program that scores; `java` compiles it as it starts it.
const REPLAY: &str = include_str!("Replay.java");

/// As messages call it.
const SCORER: &str = "H2O's runtime";

/// What tells H2O's runtime from any other jar.
pub(super) const RUNTIME_CLASS: &str = "hex/genmodel/easy/EasyPredictModelWrapper.class";

/// H2O's runtime: a `java` of version 11 or later, and a jar that holds `hex.genmodel`.
#[derive(Debug, Clone)]
pub struct JavaRuntime {
    /// The program.
    pub java: PathBuf,
    /// `h2o-genmodel.jar`, or `h2o.jar`, which holds it.
    pub jar: PathBuf,
    /// How long it may take in all.
    pub timeout: Duration,
}

/// What the runtime scores with.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    Mojo(&'a Path),
    /// A class of this name, compiled into this folder.
    Class {
        classes: &'a Path,
        name: &'a str,
    },
}

impl JavaRuntime {
    /// The runtime's answers to the rows.
    pub(super) fn score(&self, model: &Model, source: Source<'_>, golden: &Golden) -> Result<Vec<Answer>, VerifyError> {
        self.check_jar()?;
        let folder = tempfile::tempdir()?;
        let path = |name: &str| folder.path().join(name);
        fs::write(path("Replay.java"), REPLAY)?;
        fs::write(path("rows.tsv"), rows_text(golden))?;
        let mut command = Command::new(&self.java);
        command.args(["-Dfile.encoding=UTF-8", "-cp"]);
        match source {
            Source::Mojo(mojo) => command.arg(&self.jar).arg(path("Replay.java")).arg("mojo").arg(mojo),
            Source::Class { classes, name } => {
                let class_path = env::join_paths([self.jar.as_path(), classes]).map_err(io::Error::other)?;
                command.arg(class_path).arg(path("Replay.java")).args(["class", name])
            }
        };
        command.arg(path("rows.tsv"));
        let ended = Process { scorer: SCORER, needs: "Java 11 or later", timeout: self.timeout }.run(command)?;
        read_answers(&ended.success()?, model, golden.rows.len())
    }

    fn check_jar(&self) -> Result<(), VerifyError> {
        let unreadable = |reason: String| VerifyError::Jar { jar: self.jar.clone(), reason };
        let file = File::open(&self.jar).map_err(|error| unreadable(error.to_string()))?;
        let zip = zip::ZipArchive::new(BufReader::new(file)).map_err(|error| unreadable(error.to_string()))?;
        match zip.index_for_name(RUNTIME_CLASS) {
            Some(_) => Ok(()),
            None => Err(VerifyError::NotTheRuntime { jar: self.jar.clone() }),
        }
    }
}

/// A line of names, then a line for each row; fields between tabs. A field is empty for a missing cell, `#` and a
/// number, or `=` and a text.
pub(super) fn rows_text(golden: &Golden) -> String {
    let names: Vec<String> = golden.columns.iter().map(|name| field(name)).collect();
    let mut text = names.join("\t") + "\n";
    for row in &golden.rows {
        let fields = row.cells.iter().map(|cell| match cell {
            GoldenCell::Missing => String::new(),
            GoldenCell::Number(value) => format!("#{value:e}"),
            GoldenCell::Text(text) => format!("={}", field(text)),
        });
        let _ = writeln!(text, "{}", fields.collect::<Vec<_>>().join("\t"));
    }
    text
}

/// A text without tabs and line ends.
fn field(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r")
}

/// A line for each row: the numbers between tabs, the label's index before the probabilities, an
/// autoencoder's error after its reconstruction; or `!` and why not.
pub(super) fn read_answers(text: &str, model: &Model, rows: usize) -> Result<Vec<Answer>, VerifyError> {
    let found = text.lines().count();
    if found != rows {
        return Err(VerifyError::AnswerCount { scorer: SCORER, rows, found });
    }
    (1..).zip(text.lines()).map(|(row, line)| read_answer(line, model, row)).collect()
}

fn read_answer(line: &str, model: &Model, row: usize) -> Result<Answer, VerifyError> {
    let outputs = output_count(model);
    if let Some(message) = line.strip_prefix('!') {
        // The runtime refuses to answer NaN.
        if !message.contains("NaN!") {
            return Err(VerifyError::RowRefused { scorer: SCORER, row, message: message.to_owned() });
        }
        let nan = JsonNumber(f64::NAN);
        return Ok(match model.category {
            Category::Binomial | Category::Multinomial => {
                Answer::Class { label: None, probabilities: vec![nan; outputs] }
            }
            Category::Regression => Answer::Value(nan),
            Category::AutoEncoder => Answer::Reconstruction { values: vec![nan; outputs], mse: nan },
        });
    }
    let none = || VerifyError::Answer { scorer: SCORER, row, found: line.to_owned() };
    let numbers: Option<Vec<f64>> = line.split('\t').map(parse_java_double).collect();
    let kept = |numbers: &[f64]| numbers.iter().map(|&number| JsonNumber(number)).collect();
    match (numbers.ok_or_else(none)?.as_slice(), model.category) {
        (&[value, ..], Category::Regression) => Ok(Answer::Value(JsonNumber(value))),
        (&[label, ref probabilities @ ..], Category::Binomial | Category::Multinomial)
            if probabilities.len() == outputs =>
        {
            Ok(Answer::Class { label: Some(label as usize), probabilities: kept(probabilities) })
        }
        (&[ref values @ .., mse], Category::AutoEncoder) if values.len() == outputs => {
            Ok(Answer::Reconstruction { values: kept(values), mse: JsonNumber(mse) })
        }
        _ => Err(none()),
    }
}
