//! Files as they lie on disk: as they are, or packed by gzip, zip or zstd. What a file is packed by is told from its
//! first bytes. Everything is unpacked as it is read; nothing is ever held whole.

mod zip;

use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::bufread::MultiGzDecoder;

use self::zip::ZipEntry;
use super::FrameError;

/// The unpacked bytes of a file.
pub(super) struct Unpacked<'r> {
    reader: Box<dyn Read + Send + 'r>,
    /// What it is packed by, in words; `None` if it is not.
    packing: Option<&'static str>,
    bytes_read: Arc<AtomicU64>,
}

impl<'r> Unpacked<'r> {
    pub fn new(reader: impl Read + Send + 'r, file: &str) -> Result<Self, FrameError> {
        const BUFFER: usize = 1 << 16;
        const LONGEST_MAGIC: usize = 4;

        let bytes_read = Arc::new(AtomicU64::new(0));
        let mut counted = Counted { reader, bytes: Arc::clone(&bytes_read) };
        let mut magic = Vec::with_capacity(LONGEST_MAGIC);
        (&mut counted)
            .take(LONGEST_MAGIC as u64)
            .read_to_end(&mut magic)
            .map_err(|source| FrameError::Read { file: file.to_owned(), source })?;
        let packing = packing(&magic);
        let whole = Cursor::new(magic).chain(counted);
        let buffered = |whole| BufReader::with_capacity(BUFFER, whole);
        let reader: Box<dyn Read + Send + 'r> = match packing {
            Some("gzip") => Box::new(MultiGzDecoder::new(buffered(whole))),
            Some("zip") => Box::new(ZipEntry::first(buffered(whole), file)?),
            Some("zstd") => Box::new(zstd_frames(buffered(whole), file)?),
            _ => Box::new(whole),
        };
        Ok(Self { reader, packing, bytes_read })
    }

    /// How far the file on disk has been read.
    pub fn bytes_read(&self) -> u64 {
        self.bytes_read.load(Ordering::Relaxed)
    }

    /// What a failure to read means.
    pub fn describe(&self, file: &str, source: io::Error) -> FrameError {
        match self.packing {
            Some(packing) => describe(file, packing, source),
            None => FrameError::Read { file: file.to_owned(), source },
        }
    }
}

impl Read for Unpacked<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reader.read(buffer)
    }
}

fn packing(magic: &[u8]) -> Option<&'static str> {
    match magic {
        [0x1f, 0x8b, ..] => Some("gzip"),
        b"PK\x03\x04" | b"PK\x05\x06" => Some("zip"),
        [0x28, 0xb5, 0x2f, 0xfd] => Some("zstd"),
        _ => None,
    }
}

/// The content of one or more zstd frames, one behind the other. Windows above 128 MiB are refused, as the command `zstd`
/// does.
fn zstd_frames<R: BufRead>(reader: R, file: &str) -> Result<impl Read + use<R>, FrameError> {
    zstd::Decoder::with_buffer(reader).map_err(|source| FrameError::Read { file: file.to_owned(), source })
}

/// A failure to read a packed file: it is damaged, or the disk is.
fn describe(file: &str, packing: &'static str, source: io::Error) -> FrameError {
    let damaged = matches!(
        source.kind(),
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof
    );
    let file = file.to_owned();
    if damaged { FrameError::Packed { file, packing, source } } else { FrameError::Read { file, source } }
}

struct Counted<R> {
    reader: R,
    bytes: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        self.bytes.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}
