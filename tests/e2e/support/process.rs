//! Processes that are told to stop, and waiting for them with an end.

use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use libtest_mimic::Failed;

/// How long anything may take before the test gives up.
pub const PATIENCE: Duration = Duration::from_mins(1);

/// Sends a signal by its name.
pub fn signal(process: &Child, name: &str) -> Result<(), Failed> {
    let status = Command::new("kill").args(["-s", name, &process.id().to_string()]).status()?;
    if status.success() { Ok(()) } else { Err(format!("kill -s {name} failed").into()) }
}

/// Waits for the end of a process, and ends it where it does not come.
pub fn wait(process: &mut Child) -> Result<ExitStatus, Failed> {
    let mut status = None;
    let ended = until("the end of the process", || {
        status = process.try_wait().ok().flatten();
        status.is_some()
    });
    if let Err(error) = ended {
        process.kill()?;
        process.wait()?;
        return Err(error);
    }
    status.ok_or_else(|| "it has ended without a status".into())
}

/// Waits until something holds.
pub fn until(what: &str, mut holds: impl FnMut() -> bool) -> Result<(), Failed> {
    let start = Instant::now();
    while !holds() {
        if start.elapsed() > PATIENCE {
            return Err(format!("waited in vain: {what}").into());
        }
        thread::sleep(Duration::from_millis(5));
    }
    Ok(())
}
