//! What the tests share: a folder of their own, the command run in it, and what came of it.

pub mod answers;
pub mod archive;
pub mod classes;
pub mod clients;
pub mod http;
pub mod java;
pub mod models;
pub mod onnx;
pub mod process;
pub mod random;
pub mod rust_source;
pub mod survey;
pub mod table;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use libtest_mimic::Failed;
use tempfile::TempDir;

/// Trials named `module::function`, one for each function.
macro_rules! trials {
    ($($test:ident),* $(,)?) => {
        vec![$(libtest_mimic::Trial::test(
            // The crate's name says nothing.
            concat!(module_path!(), "::", stringify!($test)).trim_start_matches("e2e::"),
            $test,
        )),*]
    };
}
pub(crate) use trials;

/// A file that is not made for the test.
pub fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// What a variable of the environment says, if it says anything.
pub fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// Where `tests/setup` installs one of the things that tests need: where the variable says, or among the caches.
pub fn cache(variable_name: &str, name: &str) -> Option<PathBuf> {
    let caches = || variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")));
    variable(variable_name).or_else(|| Some(caches()?.join("aqueduct").join(name)))
}

/// A folder that a test has to itself. The command runs in it, so that messages name files as the test does.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Result<Self, Failed> {
        Ok(Self(tempfile::tempdir()?))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> Result<(), Failed> {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap_or(self.0.path()))?;
        Ok(fs::write(path, content)?)
    }

    pub fn read(&self, name: &str) -> Result<String, Failed> {
        fs::read_to_string(self.path(name)).map_err(|error| format!("{name}: {error}").into())
    }

    pub fn bytes(&self, name: &str) -> Result<Vec<u8>, Failed> {
        fs::read(self.path(name)).map_err(|error| format!("{name}: {error}").into())
    }

    pub fn json(&self, name: &str) -> Result<serde_json::Value, Failed> {
        Ok(serde_json::from_str(&self.read(name)?)?)
    }

    /// Every file below the folder with its content, folders without one.
    pub fn contents(&self) -> Result<BTreeMap<PathBuf, Option<Vec<u8>>>, Failed> {
        let mut found = BTreeMap::new();
        let mut folders = vec![self.0.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder)? {
                let path = entry?.path();
                if path.is_dir() {
                    folders.push(path.clone());
                    found.insert(path, None);
                } else {
                    let content = fs::read(&path)?;
                    found.insert(path, Some(content));
                }
            }
        }
        Ok(found)
    }

    /// The command with these arguments, about to run in this folder.
    pub fn command<'a>(&self, args: impl IntoIterator<Item = &'a str>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_aqueduct"));
        command.args(args).current_dir(self.0.path()).stdin(Stdio::null());
        // What the caller has set is not what the test is about.
        command
            .env_remove("AQUEDUCT_CONFIG")
            .env_remove("AQUEDUCT_H2O_JAR")
            .env_remove("AQUEDUCT_PYTHON")
            .env_remove("RUST_LOG")
            .env_remove("TMPDIR");
        command
    }

    /// Runs the command.
    pub fn run<'a>(&self, args: impl IntoIterator<Item = &'a str>) -> Result<Outcome, Failed> {
        outcome(self.command(args))
    }

    /// Runs the command, which has to succeed.
    pub fn succeed<'a>(&self, args: impl IntoIterator<Item = &'a str>) -> Result<Outcome, Failed> {
        let args: Vec<&str> = args.into_iter().collect();
        let outcome = self.run(args.iter().copied())?;
        if outcome.code == Some(0) { Ok(outcome) } else { Err(format!("{args:?}: {outcome:?}").into()) }
    }
}

/// Runs a process to its end, or, where that does not come, until the test's patience is at its.
pub fn outcome(mut command: Command) -> Result<Outcome, Failed> {
    // Files and not pipes, so that nobody has to empty them meanwhile.
    let (mut stdout, mut stderr) = (tempfile::tempfile()?, tempfile::tempfile()?);
    let mut process = command.stdout(stdout.try_clone()?).stderr(stderr.try_clone()?).spawn()?;
    let status = process::wait(&mut process);
    let text = |file: &mut File| -> Result<String, Failed> {
        let mut bytes = Vec::new();
        file.rewind()?;
        file.read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let (stdout, stderr) = (text(&mut stdout)?, text(&mut stderr)?);
    match status {
        Ok(status) => Ok(Outcome { code: status.code(), stdout, stderr }),
        Err(_) => Err(format!("{command:?} does not end; it said: {stdout}{stderr}").into()),
    }
}

/// What a process left: its exit code, `None` for a signal, and what it said.
#[derive(Debug)]
pub struct Outcome {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}
