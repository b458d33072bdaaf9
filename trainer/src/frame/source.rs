use std::io::{self, Read};

use super::FrameError;
use super::columnar::ColumnarFormat;
use super::text::line_ends;
use super::unpack::Unpacked;

/// The text of a file, unpacked, of which only what is not consumed yet is in memory.
pub(super) struct Source<'f> {
    file: &'f str,
    input: Unpacked<'f>,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    ended: bool,
}

/// A piece of a file.
pub(super) struct Block {
    pub bytes: Vec<u8>,
    /// Whether the file ends with it.
    pub whole: bool,
}

impl<'f> Source<'f> {
    /// Begins to unpack a file, and passes over a UTF-8 byte order mark.
    pub fn new(reader: impl Read + Send + 'f, file: &'f str) -> Result<Self, FrameError> {
        const UTF8_MARK: [u8; 3] = [0xef, 0xbb, 0xbf];
        const WORKBOOK_MAGIC: [u8; 8] = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

        let input = Unpacked::new(reader, file)?;
        let mut source = Self { file, input, buffer: Vec::new(), start: 0, end: 0, ended: false };
        source.read_up_to(WORKBOOK_MAGIC.len())?;
        if let Some(format) = ColumnarFormat::of(source.bytes()) {
            return Err(FrameError::PackedColumnar { file: file.to_owned(), format: format.name() });
        }
        match source.bytes() {
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => return Err(FrameError::Utf16 { file: file.to_owned() }),
            bytes if bytes == WORKBOOK_MAGIC => return Err(FrameError::Workbook { file: file.to_owned() }),
            bytes if bytes.starts_with(&UTF8_MARK) => source.consume(UTF8_MARK.len()),
            _ => {}
        }
        source.refuse_zero_bytes(0, 1)?;
        Ok(source)
    }

    /// Reads until `length` bytes are there or the file ends. `line` is the line in which the bytes begin.
    pub fn fill_to(&mut self, length: usize, line: u64) -> Result<(), FrameError> {
        let known = self.bytes().len();
        self.read_up_to(length)?;
        self.refuse_zero_bytes(known, line)
    }

    /// Takes the first line, or all that has been read if that has no end.
    pub fn first_line(&mut self) -> Block {
        let length = memchr::memchr(b'\n', self.bytes()).map_or(self.bytes().len(), |end| end + 1);
        self.take(length)
    }

    /// Reads and takes whole lines of about this length together; `None` at the end of the file. A line that is longer
    /// makes a longer block, up to a limit beyond which it is cut.
    pub fn next_block(&mut self, length: usize, limit: usize) -> Result<Option<Block>, FrameError> {
        let mut length = length;
        loop {
            self.read_up_to(length)?;
            if self.bytes().is_empty() {
                return Ok(None);
            }
            if self.ended && self.bytes().len() <= length {
                return Ok(Some(self.take(self.bytes().len())));
            }
            let bytes = &self.bytes()[..length];
            // A return at the end may be the first half of a line end.
            let end = memchr::memrchr(b'\n', bytes).or_else(|| memchr::memrchr(b'\r', &bytes[..length - 1]));
            match end {
                Some(end) => return Ok(Some(self.take(end + 1))),
                None if length >= limit => return Ok(Some(self.take(length))),
                None => length = length.saturating_mul(2).min(limit),
            }
        }
    }

    fn take(&mut self, length: usize) -> Block {
        let bytes = self.bytes()[..length].to_vec();
        self.consume(length);
        Block { bytes, whole: self.ended && self.bytes().is_empty() }
    }

    /// Drops bytes from the front.
    pub fn consume(&mut self, length: usize) {
        self.start += length;
    }

    /// What has been read and not consumed.
    pub fn bytes(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Whether nothing follows.
    pub fn ended(&self) -> bool {
        self.ended
    }

    /// How far the file on disk has been read.
    pub fn bytes_read(&self) -> u64 {
        self.input.bytes_read()
    }

    fn read_up_to(&mut self, length: usize) -> Result<(), FrameError> {
        if self.bytes().len() >= length {
            return Ok(());
        }
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        if self.buffer.len() < length {
            self.buffer.resize(length, 0);
        }
        while self.end < length && !self.ended {
            match self.input.read(&mut self.buffer[self.end..length]) {
                Ok(0) => self.ended = true,
                Ok(count) => self.end += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(source) => return Err(self.input.describe(self.file, source)),
            }
        }
        Ok(())
    }

    fn refuse_zero_bytes(&self, known: usize, line: u64) -> Result<(), FrameError> {
        let bytes = self.bytes();
        match memchr::memchr(0, bytes.get(known..).unwrap_or_default()) {
            Some(at) => {
                let line = line + line_ends(&bytes[..known + at]);
                Err(FrameError::Binary { file: self.file.to_owned(), line })
            }
            None => Ok(()),
        }
    }
}
