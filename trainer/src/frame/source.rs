use std::io::{self, BufReader, Chain, Cursor, Read};

use flate2::bufread::MultiGzDecoder;

use super::FrameError;
use super::text::line_ends;

/// The text of a file, unpacked, of which only what is not consumed yet is in memory.
pub(super) struct Source<'f, R> {
    file: &'f str,
    input: Input<R>,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    ended: bool,
}

enum Input<R> {
    Plain(Whole<R>),
    Gzip(Box<MultiGzDecoder<BufReader<Whole<R>>>>),
}

/// A reader whose first bytes have been looked at.
type Whole<R> = Chain<Cursor<Vec<u8>>, Counted<R>>;

struct Counted<R> {
    reader: R,
    bytes: u64,
}

impl<'f, R: Read> Source<'f, R> {
    /// Finds out whether the bytes are packed, and passes over a UTF-8 byte order mark.
    pub fn new(reader: R, file: &'f str) -> Result<Self, FrameError> {
        const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
        const UTF8_MARK: [u8; 3] = [0xef, 0xbb, 0xbf];

        let mut counted = Counted { reader, bytes: 0 };
        let mut magic = Vec::with_capacity(GZIP_MAGIC.len());
        (&mut counted)
            .take(GZIP_MAGIC.len() as u64)
            .read_to_end(&mut magic)
            .map_err(|source| FrameError::Read { file: file.to_owned(), source })?;
        let packed = magic == GZIP_MAGIC;
        let whole = Cursor::new(magic).chain(counted);
        let input = if packed {
            Input::Gzip(Box::new(MultiGzDecoder::new(BufReader::with_capacity(1 << 16, whole))))
        } else {
            Input::Plain(whole)
        };
        let mut source = Self { file, input, buffer: Vec::new(), start: 0, end: 0, ended: false };
        source.read_up_to(UTF8_MARK.len())?;
        match source.bytes() {
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => return Err(FrameError::Utf16 { file: file.to_owned() }),
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
        let whole = match &self.input {
            Input::Plain(whole) => whole,
            Input::Gzip(decoder) => decoder.get_ref().get_ref(),
        };
        whole.get_ref().1.bytes
    }

    fn read_up_to(&mut self, length: usize) -> Result<(), FrameError> {
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

impl<R: Read> Read for Input<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(reader) => reader.read(buffer),
            Self::Gzip(reader) => reader.read(buffer),
        }
    }
}

impl<R> Input<R> {
    fn describe(&self, file: &str, source: io::Error) -> FrameError {
        let damaged = matches!(
            source.kind(),
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof
        );
        let file = file.to_owned();
        match self {
            Self::Gzip(_) if damaged => FrameError::Gzip { file, source },
            _ => FrameError::Read { file, source },
        }
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        self.bytes += count as u64;
        Ok(count)
    }
}
