//! Reads rows from CSV, as `predict` does: RFC 4180, a header, and `NA`, `N/A`, `-` or nothing for what is missing.

use csv_core::{ReadRecordResult, Reader};

use super::{Sink, Writer};
use crate::error::ServeError;
use crate::service::Value;

/// A body of CSV.
pub(super) struct Csv {
    reader: Reader,
    /// The text of the record that is being read, and how much of it there is.
    text: Vec<u8>,
    text_length: usize,
    /// Where its cells end.
    ends: Vec<usize>,
    cells: usize,
    /// The line after the last record.
    line: u64,
    /// The feature of each cell; `None` until the header has been read.
    places: Option<Vec<Option<usize>>>,
    longest: usize,
}

impl Csv {
    pub fn new(longest: usize) -> Self {
        Self {
            reader: Reader::new(),
            text: vec![0; 1 << 10],
            text_length: 0,
            ends: vec![0; 64],
            cells: 0,
            line: 1,
            places: None,
            longest,
        }
    }

    pub fn push<W: Writer>(&mut self, mut bytes: &[u8], sink: &mut Sink<W>) -> Result<(), ServeError> {
        if self.line == 1 && self.places.is_none() && self.text_length == 0 {
            bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        }
        while !bytes.is_empty() {
            bytes = &bytes[self.read(bytes, sink)?..];
        }
        Ok(())
    }

    pub fn finish<W: Writer>(&mut self, sink: &mut Sink<W>) -> Result<(), ServeError> {
        loop {
            let before = self.reader.line();
            self.read(&[], sink)?;
            if self.text_length == 0 && self.cells == 0 && self.reader.line() == before {
                break;
            }
        }
        if self.places.is_some() { Ok(()) } else { Err(ServeError::EmptyBody { expected: "a header and rows" }) }
    }

    /// Reads on, to the end of a record or of the bytes; how many bytes that were.
    fn read<W: Writer>(&mut self, bytes: &[u8], sink: &mut Sink<W>) -> Result<usize, ServeError> {
        let (text, ends) = (&mut self.text[self.text_length..], &mut self.ends[self.cells..]);
        let (result, read, written, ended) = self.reader.read_record(bytes, text, ends);
        self.text_length += written;
        self.cells += ended;
        match result {
            ReadRecordResult::InputEmpty | ReadRecordResult::End => {}
            ReadRecordResult::OutputFull if self.text.len() >= self.longest => {
                return Err(ServeError::BodyTooLong { limit: self.longest });
            }
            ReadRecordResult::OutputFull => self.text.resize(self.text.len() * 2, 0),
            ReadRecordResult::OutputEndsFull => self.ends.resize(self.ends.len() * 2, 0),
            ReadRecordResult::Record => {
                self.record(sink)?;
                (self.text_length, self.cells) = (0, 0);
                self.line = self.reader.line();
            }
        }
        Ok(read)
    }

    fn record<W: Writer>(&mut self, sink: &mut Sink<W>) -> Result<(), ServeError> {
        let text = &self.text[..self.text_length];
        let row = sink.scoring.rows() + 1;
        let text = std::str::from_utf8(text).map_err(|_| not_csv(format!("line {}: not UTF-8 text", self.line)))?;
        let starts = std::iter::once(&0).chain(&self.ends);
        let cells = starts.zip(&self.ends[..self.cells]).map(|(&start, &end)| text.get(start..end).unwrap_or_default());
        let Some(places) = &self.places else {
            self.places = Some(sink.scoring.bind(cells)?);
            return Ok(());
        };
        if places.len() == 1 {
            // A blank line is a row whose only cell is empty, and the reader passes over it.
            let lines_within = memchr::memchr_iter(b'\n', text.as_bytes()).count() as u64;
            for _ in 0..(self.reader.line() - self.line).saturating_sub(lines_within + 1) {
                sink.begin_row()?;
                sink.end_table_row()?;
            }
        }
        if self.cells != places.len() {
            return Err(ServeError::WrongWidth { row, expected: places.len(), found: self.cells });
        }
        sink.begin_row()?;
        for (&place, cell) in places.iter().zip(cells) {
            if let Some(feature) = place {
                let value = match cell {
                    "" | "NA" | "N/A" | "-" => Value::Missing,
                    text => Value::Text(text),
                };
                sink.scoring.set(feature, value)?;
            }
        }
        sink.end_table_row()
    }
}

fn not_csv(problem: String) -> ServeError {
    ServeError::NotFormat { format: "CSV", problem }
}
