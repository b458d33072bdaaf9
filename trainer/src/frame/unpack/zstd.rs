use std::io::{self, BufRead, ErrorKind, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// The content of one or more zstd frames, one behind the other. The decoder refuses windows above 128 MiB, as the
/// command `zstd` does.
pub struct ZstdFrames<R> {
    decoder: Box<FrameDecoder>,
    reader: R,
    in_frame: bool,
}

impl<R: BufRead> ZstdFrames<R> {
    pub fn new(reader: R) -> Self {
        Self { decoder: Box::new(FrameDecoder::new()), reader, in_frame: false }
    }

    /// Enters the next frame; false if there is none.
    fn begin_frame(&mut self) -> io::Result<bool> {
        while !self.in_frame {
            if self.reader.fill_buf()?.is_empty() {
                return Ok(false);
            }
            match self.decoder.reset(&mut self.reader) {
                Ok(()) => self.in_frame = true,
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                    let length = u64::from(length);
                    if io::copy(&mut (&mut self.reader).take(length), &mut io::sink())? < length {
                        return Err(ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(error) => return Err(invalid(error)),
            }
        }
        Ok(true)
    }

    fn end_frame(&mut self) -> io::Result<()> {
        self.in_frame = false;
        match (self.decoder.get_checksum_from_data(), self.decoder.get_calculated_checksum()) {
            (Some(expected), Some(found)) if expected != found => {
                Err(io::Error::new(ErrorKind::InvalidData, "the checksum does not fit"))
            }
            _ => Ok(()),
        }
    }
}

impl<R: BufRead> Read for ZstdFrames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        while self.begin_frame()? {
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                self.decoder.decode_blocks(&mut self.reader, BlockDecodingStrategy::UptoBlocks(1)).map_err(invalid)?;
            }
            let count = self.decoder.read(buffer)?;
            if count > 0 {
                return Ok(count);
            }
            self.end_frame()?;
        }
        Ok(0)
    }
}

fn invalid(error: FrameDecoderError) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, error)
}
