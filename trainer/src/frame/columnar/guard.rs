use std::cell::Cell;
use std::fmt::Display;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use super::super::FrameError;

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Decodes something of a file. The libraries panic on some damage: that is a refusal as well, and nothing is printed.
pub fn guarded<T, E: Display>(
    file: &str,
    format: &'static str,
    decode: impl FnOnce() -> Result<T, E>,
) -> Result<T, FrameError> {
    silence();
    let before = GUARDED.replace(true);
    // What a panic leaves half done is not looked at again: the file is refused.
    let outcome = panic::catch_unwind(AssertUnwindSafe(decode));
    GUARDED.set(before);
    let problem = match outcome {
        Ok(Ok(decoded)) => return Ok(decoded),
        Ok(Err(error)) => sentence(&error.to_string()),
        Err(_) => "its content contradicts itself".to_owned(),
    };
    Err(FrameError::Columnar { file: file.to_owned(), format, problem })
}

/// Keeps panics that are caught here off the terminal, and no others.
fn silence() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let others = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !GUARDED.get() {
                others(info);
            }
        }));
    });
}

/// The first line of a message, no longer than fits a sentence.
fn sentence(message: &str) -> String {
    const LONGEST: usize = 200;
    let line = message.lines().next().unwrap_or_default();
    line.chars().take(LONGEST).collect::<String>().trim_end_matches('.').to_owned()
}
