//! Reads rows from a stream of Arrow record batches.

use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::reader::StreamDecoder;
use arrow_ipc::{CompressionType, Message, root_as_message};

use super::cells::Columns;
use super::{Sink, Writer};
use crate::error::ServeError;

/// What every message begins with: this mark, then the length of its header.
const MARK: [u8; 4] = [0xff; 4];

const PREFIX: usize = 8;

/// A body of Arrow messages, each read when it is there in full.
pub(super) struct Arrow {
    decoder: StreamDecoder,
    /// The message that is not complete.
    rest: Vec<u8>,
    columns: Option<Columns>,
    ended: bool,
    longest: usize,
}

impl Arrow {
    pub fn new(longest: usize) -> Self {
        Self { decoder: StreamDecoder::new(), rest: Vec::new(), columns: None, ended: false, longest }
    }

    pub fn push<W: Writer>(&mut self, bytes: &[u8], sink: &mut Sink<W>) -> Result<(), ServeError> {
        self.rest.extend_from_slice(bytes);
        while let Some(length) = message_length(&self.rest, self.longest)? {
            if self.ended {
                return Err(not_arrow("something follows its end"));
            }
            if self.rest.len() < length {
                break;
            }
            let following = self.rest.split_off(length);
            let message = std::mem::replace(&mut self.rest, following);
            self.message(message, sink)?;
        }
        Ok(())
    }

    pub fn finish<W: Writer>(&mut self, sink: &mut Sink<W>) -> Result<(), ServeError> {
        if !self.rest.is_empty() {
            return Err(not_arrow("it ends within a message"));
        }
        // A schema is known when what follows it begins.
        if !self.ended {
            self.message([MARK, [0; 4]].concat(), sink)?;
        }
        if self.columns.is_some() { Ok(()) } else { Err(ServeError::EmptyBody { expected: "an Arrow stream" }) }
    }

    fn message<W: Writer>(&mut self, message: Vec<u8>, sink: &mut Sink<W>) -> Result<(), ServeError> {
        self.ended = message.len() == PREFIX;
        if !compression_is_credible(&message) {
            return Err(not_arrow("a compressed column says that it is longer than it can be"));
        }
        let mut buffer = Buffer::from_vec(message);
        let batch = guarded("an Arrow stream", || self.decoder.decode(&mut buffer))?;
        if let (None, Some(schema)) = (&self.columns, self.decoder.schema()) {
            self.columns = Some(Columns::bind(&schema, &mut sink.scoring)?);
        }
        match (batch, &self.columns) {
            (Some(batch), Some(columns)) => score_batch(&batch, columns, sink),
            _ => Ok(()),
        }
    }
}

/// Scores a batch, which the library has checked but for what it panics at.
pub(super) fn score_batch<W: Writer>(
    batch: &RecordBatch,
    columns: &Columns,
    sink: &mut Sink<W>,
) -> Result<(), ServeError> {
    sink.block(batch.num_rows(), |scoring, start, rows| columns.fill(&batch.slice(start, rows), scoring))
}

/// Decodes something. The libraries panic at some damage: that is the client's fault as well.
pub(super) fn guarded<T, E: std::fmt::Display>(
    format: &'static str,
    decode: impl FnOnce() -> Result<T, E>,
) -> Result<T, ServeError> {
    const LONGEST: usize = 200;
    // What a panic leaves half done is not looked at again: the body is refused.
    let problem = match catch_unwind(AssertUnwindSafe(decode)) {
        Ok(Ok(decoded)) => return Ok(decoded),
        Ok(Err(error)) => error.to_string().lines().next().unwrap_or_default().chars().take(LONGEST).collect(),
        Err(_) => "its content contradicts itself".to_owned(),
    };
    Err(ServeError::NotFormat { format, problem })
}

/// How long the first message is, once that is known.
fn message_length(bytes: &[u8], longest: usize) -> Result<Option<usize>, ServeError> {
    let Some((prefix, rest)) = bytes.split_first_chunk::<PREFIX>() else { return Ok(None) };
    let [a, b, c, d, lengths @ ..] = *prefix;
    if [a, b, c, d] != MARK {
        return Err(not_arrow("a message does not begin as one"));
    }
    let header = u32::from_le_bytes(lengths) as usize;
    if header == 0 {
        return Ok(Some(PREFIX));
    }
    let too_long = || ServeError::BodyTooLong { limit: longest };
    if header > longest {
        return Err(too_long());
    }
    let Some(header_bytes) = rest.get(..header) else { return Ok(None) };
    let message = root_as_message(header_bytes).map_err(|_| not_arrow("the header of a message is none"))?;
    let body = usize::try_from(message.bodyLength()).map_err(|_| not_arrow("a message has a negative length"))?;
    let length = body.saturating_add(PREFIX + header);
    if length > longest { Err(too_long()) } else { Ok(Some(length)) }
}

/// Whether what is compressed in a message can be as long as it says: the decoder makes that much room at once.
fn compression_is_credible(message: &[u8]) -> bool {
    const LONGEST: i64 = 1 << 28;
    const LENGTH_BYTES: usize = 8;
    let Some(header) = message.get(PREFIX..).filter(|header| !header.is_empty()) else { return true };
    let Ok(parsed) = root_as_message(header) else { return true };
    let Some(batch) = record_batch(&parsed) else { return true };
    let Some(compression) = batch.compression() else { return true };
    let body_start = usize::try_from(parsed.bodyLength()).map_or(0, |body| message.len().saturating_sub(body));
    // What a byte of LZ4 or a block header of zstd can stand for.
    let most = if compression.codec() == CompressionType::LZ4_FRAME { 256 } else { 1 << 16 };
    let mut total = 0_i64;
    batch.buffers().into_iter().flatten().all(|buffer| {
        let start = usize::try_from(buffer.offset()).map_or(usize::MAX, |offset| offset.saturating_add(body_start));
        let Some(length) = message.get(start..).and_then(|bytes| bytes.first_chunk::<LENGTH_BYTES>()) else {
            return true;
        };
        // -1 stands for bytes that are not compressed.
        let length = i64::from_le_bytes(*length);
        total = total.saturating_add(length.max(0));
        buffer.length() == 0 || (length <= buffer.length().saturating_mul(most) && total <= LONGEST)
    })
}

fn record_batch<'a>(message: &Message<'a>) -> Option<arrow_ipc::RecordBatch<'a>> {
    message
        .header_as_record_batch()
        .or_else(|| message.header_as_dictionary_batch().and_then(|dictionary| dictionary.data()))
}

fn not_arrow(problem: &str) -> ServeError {
    ServeError::NotFormat { format: "an Arrow stream", problem: problem.to_owned() }
}
