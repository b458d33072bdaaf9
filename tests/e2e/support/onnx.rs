//! ONNX files in onnxruntime, where the machine has a Python with it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use libtest_mimic::{Completion, Failed, Trial};
use serde_json::{Value, json};

use super::{Folder, outcome};

/// The environment that `tests/setup python` makes.
const ENVIRONMENT: &str = "onnxruntime-1.32.0";

/// The program that checks and scores.
const SCORE: &str = include_str!("onnx.py");

/// A test that is ignored, with the reason, where there is no onnxruntime.
pub fn trial(name: &str, test: impl FnOnce(&Python) -> Result<(), Failed> + Send + 'static) -> Trial {
    Trial::ignorable_test(name, move || match python() {
        Ok(python) => test(python).map(|()| Completion::Completed),
        Err(reason) => Ok(Completion::ignored_with(format!("{reason}; `tests/setup python` installs what is needed"))),
    })
}

/// A Python that has onnx and onnxruntime.
pub struct Python(PathBuf);

fn python() -> Result<&'static Python, &'static str> {
    static PYTHON: OnceLock<Result<Python, String>> = OnceLock::new();
    PYTHON.get_or_init(Python::find).as_ref().map_err(String::as_str)
}

impl Python {
    fn find() -> Result<Self, String> {
        let python = match super::variable("AQUEDUCT_PYTHON") {
            Some(python) => python,
            None => {
                super::cache("AQUEDUCT_ONNX_VENV", ENVIRONMENT).ok_or("AQUEDUCT_PYTHON is not set")?.join("bin/python")
            }
        };
        let mut command = Command::new(&python);
        let found =
            command.args(["-c", "import onnx, onnxruntime"]).output().is_ok_and(|output| output.status.success());
        if found { Ok(Self(python)) } else { Err(format!("{} has no onnx and onnxruntime", python.display())) }
    }

    /// As a flag takes it.
    pub fn path(&self) -> String {
        self.0.display().to_string()
    }

    /// What a program prints that runs in a folder.
    pub fn run(&self, folder: &Folder, program: &str) -> Result<String, Failed> {
        let mut command = Command::new(&self.0);
        command.args(["-c", program]).current_dir(folder.path(""));
        let outcome = outcome(command)?;
        if outcome.code == Some(0) { Ok(outcome.stdout) } else { Err(format!("{outcome:?}").into()) }
    }

    /// The answers of checked ONNX files to their golden rows, or to the rows of a table: as rows of a table of predictions.
    pub fn score(&self, jobs: &[(&Path, Option<&Path>)]) -> Result<Vec<Vec<Vec<String>>>, Failed> {
        let folder = tempfile::tempdir()?;
        let in_folder = |name: &str| folder.path().join(name);
        let job = |(model, input): &(&Path, Option<&Path>)| match input {
            Some(input) => json!({ "model": model, "input": input }),
            None => json!({ "model": model }),
        };
        fs::write(in_folder("onnx_score.py"), SCORE)?;
        fs::write(in_folder("jobs.json"), Value::from(jobs.iter().map(job).collect::<Vec<_>>()).to_string())?;
        let mut command = Command::new(&self.0);
        command.arg(in_folder("onnx_score.py")).arg(in_folder("jobs.json"));
        let outcome = outcome(command)?;
        if outcome.code != Some(0) {
            let at = outcome.stdout.lines().count();
            let model = jobs.get(at).map_or("none", |(model, _)| model.to_str().unwrap_or_default());
            return Err(format!("{model}: {}", outcome.stderr).into());
        }
        outcome.stdout.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
    }
}
