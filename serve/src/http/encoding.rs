//! Bodies that are compressed, unpacked piece by piece.

use std::io::{self, Write};

use axum::http::HeaderMap;
use axum::http::header::CONTENT_ENCODING;
use flate2::write::MultiGzDecoder;
use zstd::stream::raw::{Decoder as ZstdDecoder, Operation};

use crate::error::ServeError;

/// Unpacks a body.
pub(super) enum Encoding {
    Identity,
    Gzip(Box<MultiGzDecoder<Bounded>>),
    Zstd(Zstd),
}

/// Frames of zstd, one after the other.
pub(super) struct Zstd {
    decoder: ZstdDecoder<'static>,
    unpacked: Bounded,
    /// Whether the last frame is at its end.
    complete: bool,
}

impl Encoding {
    /// How much is best unpacked at once: so little that even what expands a thousandfold stays small.
    pub const PIECE: usize = 4 << 10;

    /// What the header says, for a body that may be so long once it is unpacked, or whose pieces may.
    pub fn of(headers: &HeaderMap, longest: usize) -> Result<Self, ServeError> {
        let Some(given) = headers.get(CONTENT_ENCODING) else { return Ok(Self::Identity) };
        let unpacked = Bounded { bytes: Vec::new(), longest };
        match given.as_bytes().trim_ascii() {
            b"" | b"identity" => Ok(Self::Identity),
            b"gzip" | b"x-gzip" => Ok(Self::Gzip(Box::new(MultiGzDecoder::new(unpacked)))),
            b"zstd" => Ok(Self::Zstd(Zstd::new(unpacked)?)),
            given => Err(ServeError::ContentEncoding { given: String::from_utf8_lossy(given).into_owned() }),
        }
    }

    pub fn is_identity(&self) -> bool {
        matches!(self, Self::Identity)
    }

    /// Unpacks a piece.
    pub fn unpack(&mut self, piece: &[u8]) -> Result<Vec<u8>, ServeError> {
        let unpacked = match self {
            Self::Identity => return Ok(piece.to_vec()),
            Self::Gzip(decoder) => decoder.write_all(piece).and_then(|()| decoder.flush()),
            Self::Zstd(frames) => frames.unpack(piece),
        };
        self.check(unpacked)
    }

    /// The body is at its end, and so has to be what was packed: the rest of it.
    pub fn finish(&mut self) -> Result<Vec<u8>, ServeError> {
        let finished = match self {
            Self::Identity => return Ok(Vec::new()),
            Self::Gzip(decoder) => decoder.try_finish(),
            Self::Zstd(frames) if frames.complete => Ok(()),
            Self::Zstd(_) => Err(io::ErrorKind::UnexpectedEof.into()),
        };
        self.check(finished)
    }

    /// What has been unpacked, unless something was wrong.
    fn check(&mut self, unpacked: io::Result<()>) -> Result<Vec<u8>, ServeError> {
        let (encoding, bounded) = match self {
            Self::Identity => return Ok(Vec::new()),
            Self::Gzip(decoder) => ("gzip", decoder.get_mut()),
            Self::Zstd(frames) => ("zstd", &mut frames.unpacked),
        };
        match unpacked {
            Ok(()) => Ok(std::mem::take(&mut bounded.bytes)),
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
                Err(ServeError::BodyTooLong { limit: bounded.longest })
            }
            Err(_) => Err(ServeError::Compression { encoding }),
        }
    }
}

impl Zstd {
    fn new(unpacked: Bounded) -> Result<Self, ServeError> {
        /// What the decoder is to keep of what it has unpacked, as a power of two: 8 MiB, which every level but those of
        /// `--ultra` keeps to.
        const WINDOW: u32 = 23;
        let mut decoder = ZstdDecoder::new().map_err(|_| ServeError::Internal)?;
        let parameter = zstd::zstd_safe::DParameter::WindowLogMax(WINDOW);
        decoder.set_parameter(parameter).map_err(|_| ServeError::Internal)?;
        Ok(Self { decoder, unpacked, complete: false })
    }

    fn unpack(&mut self, mut piece: &[u8]) -> io::Result<()> {
        let mut room = [0; 8 << 10];
        loop {
            let status = self.decoder.run_on_buffers(piece, &mut room)?;
            self.unpacked.write_all(&room[..status.bytes_written])?;
            piece = &piece[status.bytes_read..];
            // A frame that ended without being followed by one is complete until more comes.
            if status.bytes_read > 0 || status.bytes_written > 0 {
                self.complete = status.remaining == 0;
            }
            if piece.is_empty() && status.bytes_written < room.len() {
                return Ok(());
            }
        }
    }
}

/// Takes so many bytes at a time and no more.
pub(super) struct Bounded {
    bytes: Vec<u8>,
    longest: usize,
}

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() > self.longest.saturating_sub(self.bytes.len()) {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
