//! What a person or a machine sees. Nothing else prints.

pub mod progress;
pub mod tables;

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

use serde_json::Value;
use trainer::StoppedBy;

/// A line of results, on standard output.
pub fn line(text: impl Display) {
    to_stdout(format_args!("{text}\n"));
}

/// A JSON value on one line, on standard output.
pub fn json(value: &Value) {
    line(value);
}

/// A JSON value over several lines, on standard output.
pub fn pretty_json(value: &Value) {
    line(format_args!("{value:#}"));
}

/// Something a user should know, on standard error.
pub fn warning(text: impl Display) {
    let (start, end) = style("33;1");
    note(format_args!("{start}warning:{end} {}", one_line(&text.to_string())));
}

/// A line on standard error.
pub fn note(text: impl Display) {
    // Nobody can be told that standard error is closed.
    let _ = writeln!(io::stderr(), "{text}");
}

/// A line on standard output that nobody has to read, such as that of a server whose output is closed.
pub fn announcement(text: impl Display) {
    let mut stdout = io::stdout();
    let _ = writeln!(stdout, "{text}").and_then(|()| stdout.flush());
}

/// A sentence as one line of bounded length: names in it come from files and may hold anything.
fn one_line(sentence: &str) -> String {
    const LONGEST: usize = 2000;
    let mut line = String::new();
    for c in sentence.chars() {
        if line.len() > LONGEST {
            line.push_str("...");
            break;
        }
        if c.is_control() { line.extend(c.escape_default()) } else { line.push(c) }
    }
    line
}

/// Why training ended, as half a sentence.
pub fn reason(stopped_by: StoppedBy) -> &'static str {
    match stopped_by {
        StoppedBy::Epochs => "all epochs are done",
        StoppedBy::StoppingRounds => "stopped early: the stopping metric no longer improves (stopping_rounds)",
        StoppedBy::ClassificationStop => "stopped early: the training error reached classification_stop",
        StoppedBy::RegressionStop => "stopped early: the training MSE reached regression_stop",
        StoppedBy::MaxRuntime => "stopped early: max_runtime_secs is over",
        StoppedBy::Interrupted => "interrupted: this is the model so far",
        StoppedBy::Unstable => "the weights ran away",
    }
}

/// Why the command failed, in one sentence, on standard error.
pub fn error(error: &anyhow::Error) {
    let mut sentence = String::new();
    for cause in error.chain() {
        let text = cause.to_string();
        // Some messages already end with that of their source.
        if !sentence.ends_with(&text) {
            sentence = if sentence.is_empty() { text } else { format!("{sentence}: {text}") };
        }
    }
    failure(&sentence);
}

/// What went wrong, in one sentence, on standard error.
pub fn failure(sentence: &str) {
    let (start, end) = style("31;1");
    note(format_args!("{start}error:{end} {}", one_line(sentence)));
}

fn style(code: &str) -> (String, &'static str) {
    if io::stderr().is_terminal() { (format!("\u{1b}[{code}m"), "\u{1b}[0m") } else { (String::new(), "") }
}

/// A number with separators between thousands.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Standard output, for rows. Nothing that goes wrong with it comes back: `aqueduct … | head` closes the pipe, which is no
/// failure of ours, and there is nobody left to write to.
pub fn stdout() -> impl Write {
    Stdout(io::BufWriter::new(io::stdout().lock()))
}

struct Stdout(io::BufWriter<io::StdoutLock<'static>>);

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(or_exit(self.0.write(bytes)))
    }

    fn flush(&mut self) -> io::Result<()> {
        or_exit(self.0.flush());
        Ok(())
    }
}

fn or_exit<T>(written: io::Result<T>) -> T {
    written.unwrap_or_else(|error| {
        if error.kind() == io::ErrorKind::BrokenPipe {
            std::process::exit(0);
        }
        note(format_args!("error: cannot write to standard output: {error}"));
        std::process::exit(1);
    })
}

fn to_stdout(text: std::fmt::Arguments<'_>) {
    let mut stdout = io::stdout().lock();
    or_exit(stdout.write_fmt(text).and_then(|()| stdout.flush()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_one_line_whatever_is_in_it() {
        assert_eq!(one_line("column `a\nb\u{1b}[31m` \u{e9}"), "column `a\\nb\\u{1b}[31m` \u{e9}");
        assert!(one_line(&"x".repeat(10_000)).len() < 2100);
    }

    #[test]
    fn thousands_are_separated() {
        assert_eq!([0, 999, 1000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
    }
}
