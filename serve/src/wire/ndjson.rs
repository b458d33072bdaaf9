//! Reads rows from lines of JSON.

use super::{Sink, Writer, json};
use crate::error::ServeError;

/// A body of one object on each line. Blank lines are passed over.
pub(super) struct NdJson {
    /// The line that is not complete.
    rest: Vec<u8>,
    line: usize,
    longest: usize,
}

impl NdJson {
    pub fn new(longest: usize) -> Self {
        Self { rest: Vec::new(), line: 0, longest }
    }

    pub fn push<W: Writer>(&mut self, mut bytes: &[u8], sink: &mut Sink<W>) -> Result<(), ServeError> {
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            let (line, rest) = bytes.split_at(end);
            if self.rest.is_empty() {
                self.score(line, sink)?;
            } else {
                self.rest.extend_from_slice(line);
                let line = std::mem::take(&mut self.rest);
                self.score(&line, sink)?;
            }
            bytes = &rest[1..];
        }
        if self.rest.len() + bytes.len() > self.longest {
            return Err(ServeError::BodyTooLong { limit: self.longest });
        }
        self.rest.extend_from_slice(bytes);
        Ok(())
    }

    pub fn finish<W: Writer>(&mut self, sink: &mut Sink<W>) -> Result<(), ServeError> {
        let line = std::mem::take(&mut self.rest);
        self.score(&line, sink)
    }

    fn score<W: Writer>(&mut self, line: &[u8], sink: &mut Sink<W>) -> Result<(), ServeError> {
        self.line += 1;
        let problem = |problem: String| ServeError::LineNotJson { line: self.line, problem };
        let text = match json::text(line) {
            Ok(text) => text.trim_ascii(),
            Err(_) => return Err(problem("it is not UTF-8".to_owned())),
        };
        if text.is_empty() {
            return Ok(());
        }
        if !text.starts_with('{') {
            return Err(problem("expected an object".to_owned()));
        }
        json::rows(text, sink).map_err(|refusal| match refusal {
            // There is but one line to count.
            ServeError::NotJson { problem: found } => problem(found.replace(" at line 1 column ", " at column ")),
            refusal => refusal,
        })
    }
}
