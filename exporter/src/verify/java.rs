//! Rows through H2O's own runtime, in a Java process.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use model::{Category, JsonNumber, Model, parse_java_double};

use crate::golden::{Answer, Golden, GoldenCell, output_count};

/// The program that scores; `java` compiles it as it starts it.
const REPLAY: &str = include_str!("Replay.java");

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

/// Why H2O's runtime gave no answers.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the fields are what the messages say")]
pub enum VerifyError {
    #[error("cannot read the jar `{}`: {reason}", jar.display())]
    Jar { jar: PathBuf, reason: String },
    #[error("the jar `{}` does not hold H2O's runtime, hex.genmodel: expected h2o-genmodel.jar or h2o.jar", jar.display())]
    NotTheRuntime { jar: PathBuf },
    #[error("cannot run `{}`, Java 11 or later is needed: {source}", java.display())]
    Java { java: PathBuf, source: io::Error },
    #[error("H2O's runtime took longer than {} seconds and was stopped", timeout.as_secs())]
    Timeout { timeout: Duration },
    #[error("H2O's runtime failed ({status}): {message}")]
    Failed { status: ExitStatus, message: String },
    #[error("H2O's runtime refused row {row}: {message}")]
    RowRefused { row: usize, message: String },
    #[error("H2O's runtime gave {found} answers to {rows} rows")]
    AnswerCount { rows: usize, found: usize },
    #[error("H2O's runtime gave an answer to row {row} that is none: `{found}`")]
    Answer { row: usize, found: String },
    #[error("cannot exchange files with Java: {0}")]
    Io(#[from] io::Error),
}

impl JavaRuntime {
    /// The runtime's answers to the rows.
    pub(super) fn score(&self, model: &Model, mojo: &Path, golden: &Golden) -> Result<Vec<Answer>, VerifyError> {
        self.check_jar()?;
        let folder = tempfile::tempdir()?;
        let path = |name: &str| folder.path().join(name);
        fs::write(path("Replay.java"), REPLAY)?;
        fs::write(path("rows.tsv"), rows_text(golden))?;
        // Into files, not pipes: nobody has to empty them while it runs.
        let child = Command::new(&self.java)
            .args(["-Dfile.encoding=UTF-8", "-cp"])
            .arg(&self.jar)
            .arg(path("Replay.java"))
            .arg(mojo)
            .arg(path("rows.tsv"))
            .stdin(Stdio::null())
            .stdout(File::create(path("answers.tsv"))?)
            .stderr(File::create(path("errors.txt"))?)
            .spawn()
            .map_err(|source| VerifyError::Java { java: self.java.clone(), source })?;
        let status = wait(child, self.timeout)?;
        if !status.success() {
            let errors = String::from_utf8_lossy(&fs::read(path("errors.txt"))?).into_owned();
            return Err(VerifyError::Failed { status, message: first_line(&errors) });
        }
        let answers = String::from_utf8_lossy(&fs::read(path("answers.tsv"))?).into_owned();
        read_answers(&answers, model, golden.rows.len())
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

/// Waits for the process, and stops it when its time is up.
pub(super) fn wait(mut child: Child, timeout: Duration) -> Result<ExitStatus, VerifyError> {
    let deadline = Instant::now() + timeout;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if Instant::now() >= deadline {
            child.kill()?;
            child.wait()?;
            return Err(VerifyError::Timeout { timeout });
        }
        thread::sleep(Duration::from_millis(20));
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
        return Err(VerifyError::AnswerCount { rows, found });
    }
    (1..).zip(text.lines()).map(|(row, line)| read_answer(line, model, row)).collect()
}

fn read_answer(line: &str, model: &Model, row: usize) -> Result<Answer, VerifyError> {
    let outputs = output_count(model);
    if let Some(message) = line.strip_prefix('!') {
        // The runtime refuses to answer NaN.
        if !message.contains("NaN!") {
            return Err(VerifyError::RowRefused { row, message: message.to_owned() });
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
    let none = || VerifyError::Answer { row, found: line.to_owned() };
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

fn first_line(text: &str) -> String {
    let line = text.lines().find(|line| !line.trim().is_empty());
    line.unwrap_or("it said nothing").trim().to_owned()
}
