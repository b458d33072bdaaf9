//! Scorers that are processes of their own.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::error::VerifyError;

/// How a scorer is run.
pub(super) struct Process {
    /// As messages call it.
    pub(super) scorer: &'static str,
    /// What has to be there for it to run.
    pub(super) needs: &'static str,
    /// How long it may take in all.
    pub(super) timeout: Duration,
}

/// What a process left.
pub(super) struct Ended {
    scorer: &'static str,
    pub(super) status: ExitStatus,
    /// What it printed.
    pub(super) printed: String,
    /// The first line of what it complained about.
    pub(super) complaint: String,
}

impl Process {
    /// Runs a command to its end, or until its time is up.
    pub(super) fn run(&self, mut command: Command) -> Result<Ended, VerifyError> {
        // Into files, not pipes: nobody has to empty them while it runs.
        let (mut printed, mut complaint) = (tempfile::tempfile()?, tempfile::tempfile()?);
        command.stdin(Stdio::null()).stdout(printed.try_clone()?).stderr(complaint.try_clone()?);
        let child = command.spawn().map_err(|source| VerifyError::Program {
            program: command.get_program().into(),
            needs: self.needs,
            source,
        })?;
        let status = self.wait(child)?;
        let (printed, complaint) = (text(&mut printed)?, first_line(&text(&mut complaint)?));
        Ok(Ended { scorer: self.scorer, status, printed, complaint })
    }

    /// Waits for the process, and stops it when its time is up.
    pub(super) fn wait(&self, mut child: Child) -> Result<ExitStatus, VerifyError> {
        let deadline = Instant::now() + self.timeout;
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(status);
            }
            if Instant::now() >= deadline {
                child.kill()?;
                child.wait()?;
                return Err(VerifyError::Timeout { scorer: self.scorer, timeout: self.timeout });
            }
            thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Ended {
    /// What it printed, if it says that all went well.
    pub(super) fn success(self) -> Result<String, VerifyError> {
        let Self { scorer, status, printed, complaint: message } = self;
        if status.success() { Ok(printed) } else { Err(VerifyError::Failed { scorer, status, message }) }
    }
}

fn text(file: &mut File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn first_line(text: &str) -> String {
    let line = text.lines().find(|line| !line.trim().is_empty());
    line.unwrap_or("it said nothing").trim().to_owned()
}
