//! Rows through onnxruntime, in a Python process.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use model::{Category, JsonNumber, parse_java_double};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::ScorerReport;
use super::compare::Comparison;
use super::error::VerifyError;
use super::process::Process;
use crate::artifact::Artifact;
use crate::golden::{Answer, Golden, GoldenCell};
use crate::onnx::{
    CODES, NUMBERS, OnnxColumn, OnnxFile, OnnxInputs, OnnxOptions, OnnxPrecision, read_onnx, write_onnx,
};
use crate::tolerance::Parity;

/// The program that scores.
const REPLAY: &str = include_str!("Replay.py");

/// What it exits with where it lacks onnxruntime.
const MISSING: i32 = 3;

/// As messages call it.
const SCORER: &str = "onnxruntime";

/// As reports call it.
fn scorer(precision: OnnxPrecision) -> &'static str {
    match precision {
        OnnxPrecision::F64 => "onnxruntime f64",
        OnnxPrecision::F32 => "onnxruntime f32",
    }
}

/// onnxruntime: a `python` of version 3 that has it.
#[derive(Debug, Clone)]
pub struct OnnxRuntime {
    /// The program.
    pub python: PathBuf,
    /// How long it may take in all.
    pub timeout: Duration,
}

/// Replays the golden rows of an ONNX file that [`read_onnx`](crate::read_onnx) read from this path. Where there is no
/// onnxruntime, the report says so.
pub fn verify_onnx(file: &OnnxFile, path: &Path, runtime: &OnnxRuntime) -> Result<ScorerReport, VerifyError> {
    let Some(golden) = file.golden.as_ref().filter(|golden| !golden.rows.is_empty()) else {
        return Ok(ScorerReport::skipped(scorer(file.precision), "the file holds no golden rows to compare with"));
    };
    let names = file.outputs.iter().map(|output| output.name.clone());
    let label = (!file.classes.is_empty()).then(|| "predict".to_owned());
    let comparison = Comparison {
        names: label.into_iter().chain(names).collect(),
        classes: &file.classes,
        parity: Parity::onnx(file.category, file.precision, file.threshold),
        units: file.outputs.iter().map(|output| output.unit).collect(),
    };
    Ok(match runtime.score(file, path, golden)? {
        Scored::Answers(answers) => comparison.report(scorer(file.precision), golden, &answers),
        Scored::Not(reason) => ScorerReport::skipped(scorer(file.precision), &reason),
    })
}

/// Replays rows of an artifact in the ONNX files that are written of it, of either precision.
pub(super) fn verify_onnx_of(
    artifact: &Artifact,
    golden: &Golden,
    runtime: &OnnxRuntime,
) -> Result<Vec<ScorerReport>, VerifyError> {
    let artifact = Artifact { golden: Some(golden.clone()), ..artifact.clone() };
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("model.onnx");
    let report = |precision| match write_onnx(&artifact, &OnnxOptions { precision, ..OnnxOptions::default() }, &path) {
        Ok(()) => verify_onnx(&read_onnx(&path)?, &path, runtime),
        // What no file can carry is no disagreement.
        Err(error) => Ok(ScorerReport::skipped(scorer(precision), &error.to_string())),
    };
    OnnxPrecision::ALL.into_iter().map(report).collect()
}

enum Scored {
    Answers(Vec<Answer>),
    /// There is no onnxruntime, and why.
    Not(String),
}

/// What the program reads.
#[derive(Serialize)]
struct Request<'a> {
    rows: usize,
    inputs: Map<String, Value>,
    classes: &'a [String],
}

/// What the program prints.
#[derive(Deserialize)]
struct Reply {
    labels: Option<Vec<Option<usize>>>,
    numbers: Vec<Vec<JsonNumber>>,
}

impl OnnxRuntime {
    fn score(&self, file: &OnnxFile, path: &Path, golden: &Golden) -> Result<Scored, VerifyError> {
        let folder = tempfile::tempdir()?;
        let in_folder = |name: &str| folder.path().join(name);
        let request = Request { rows: golden.rows.len(), inputs: inputs(file, golden), classes: &file.classes };
        fs::write(in_folder("Replay.py"), REPLAY)?;
        fs::write(in_folder("rows.json"), serde_json::to_string(&request).map_err(std::io::Error::from)?)?;
        let mut command = Command::new(&self.python);
        command.arg(in_folder("Replay.py")).arg(path).arg(in_folder("rows.json"));
        let process = Process { scorer: SCORER, needs: "Python 3", timeout: self.timeout };
        let ended = match process.run(command) {
            Err(VerifyError::Program { source, .. }) => {
                return Ok(Scored::Not(format!("cannot run `{}`: {source}", self.python.display())));
            }
            ended => ended?,
        };
        if ended.status.code() == Some(MISSING) {
            return Ok(Scored::Not(format!("`{}` has no onnxruntime: {}", self.python.display(), ended.complaint)));
        }
        answers(file, golden.rows.len(), &ended.success()?).map(Scored::Answers)
    }
}

/// The values of each input, row by row.
fn inputs(file: &OnnxFile, golden: &Golden) -> Map<String, Value> {
    let rows = || golden.rows.iter().map(|row| row.cells.iter().zip(&file.columns));
    match file.inputs {
        OnnxInputs::Columns => {
            let columns = file.columns.iter().enumerate();
            let named = columns.filter_map(|(index, column)| Some((index, column, column.name.clone()?)));
            let values = named.map(|(index, column, name)| {
                let cells = golden.rows.iter().map(|row| &row.cells[index]);
                let values = cells.map(|cell| if column.levels.is_some() { text(cell, column) } else { number(cell) });
                (name, Value::Array(values.collect()))
            });
            values.collect()
        }
        OnnxInputs::Matrices => {
            let of_kind =
                |with_levels: bool| rows().flatten().filter(move |(_, column)| column.levels.is_some() == with_levels);
            let numbers: Vec<Value> = of_kind(false).map(|(cell, _)| number(cell)).collect();
            let codes: Vec<Value> = of_kind(true).map(|(cell, column)| Value::from(code(cell, column))).collect();
            let inputs = [(NUMBERS, numbers), (CODES, codes)].into_iter().filter(|(_, values)| !values.is_empty());
            inputs.map(|(name, values)| (name.to_owned(), Value::Array(values))).collect()
        }
    }
}

fn number(cell: &GoldenCell) -> Value {
    match cell {
        GoldenCell::Missing => Value::Null,
        GoldenCell::Number(value) => Value::from(*value),
        GoldenCell::Text(text) => parse_java_double(text).map_or(Value::Null, Value::from),
    }
}

fn text(cell: &GoldenCell, column: &OnnxColumn) -> Value {
    match cell {
        GoldenCell::Missing => Value::from(column.missing.clone().unwrap_or_default()),
        GoldenCell::Number(value) => Value::from(value.to_string()),
        GoldenCell::Text(text) => Value::from(text.clone()),
    }
}

fn code(cell: &GoldenCell, column: &OnnxColumn) -> i64 {
    let levels = column.levels.as_deref().unwrap_or_default();
    let place = |text: &str| levels.iter().position(|level| level == text).unwrap_or(levels.len()) as i64;
    match cell {
        GoldenCell::Missing => -1,
        GoldenCell::Number(value) => place(&value.to_string()),
        GoldenCell::Text(text) => place(text),
    }
}

fn answers(file: &OnnxFile, rows: usize, printed: &str) -> Result<Vec<Answer>, VerifyError> {
    let none = |row: usize, found: &str| VerifyError::Answer { scorer: SCORER, row, found: found.to_owned() };
    let reply: Reply = serde_json::from_str(printed).map_err(|_| none(1, printed))?;
    let labels = reply.labels.unwrap_or_else(|| vec![None; rows]);
    let found = reply.numbers.len().min(labels.len());
    if found != rows {
        return Err(VerifyError::AnswerCount { scorer: SCORER, rows, found });
    }
    let answer = |(row, (mut numbers, label)): (usize, (Vec<JsonNumber>, Option<usize>))| {
        if numbers.len() != file.outputs.len() {
            return Err(none(row, &format!("{numbers:?}")));
        }
        let last = numbers.last().copied();
        Ok(match (file.category, last) {
            (Category::Binomial | Category::Multinomial, _) => Answer::Class { label, probabilities: numbers },
            (Category::Regression, Some(value)) => Answer::Value(value),
            (Category::AutoEncoder, Some(mse)) => {
                numbers.pop();
                Answer::Reconstruction { values: numbers, mse }
            }
            (_, None) => return Err(none(row, "")),
        })
    };
    (1..).zip(reply.numbers.into_iter().zip(labels)).map(answer).collect()
}
