use std::io::Read;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::reader::StreamDecoder;
use arrow_ipc::{CompressionType, Message, root_as_message};
use arrow_schema::Schema;

use super::super::FrameError;
use super::super::files::Input;
use super::guard::guarded;
use super::{Batches, ColumnarFormat};

const FORMAT: &str = "Arrow";

/// What every message begins with: this mark, then the length of its header.
const MARK: [u8; 4] = [0xff; 4];

/// What a stream ends with: a header without length.
const END: [u8; 8] = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];

/// The messages of an Arrow stream. An Arrow file is read as the stream that it holds, from front to end; what follows
/// that, a list of where its batches are, is only looked at to see whether the file is whole.
pub struct Messages<'r> {
    file: String,
    reader: Box<dyn Read + Send + 'r>,
    decoder: StreamDecoder,
    schema: Arc<Schema>,
    /// What the decoder has not seen of a message.
    waiting: Buffer,
    bytes_read: u64,
    has_footer: bool,
    ended: bool,
}

impl<'r> Messages<'r> {
    pub fn open(input: Input<'r>, file: &str, format: ColumnarFormat) -> Result<Self, FrameError> {
        let mut messages = Self {
            file: file.to_owned(),
            reader: input.into_reader(),
            decoder: StreamDecoder::new(),
            schema: Arc::new(Schema::empty()),
            waiting: Buffer::default(),
            bytes_read: 0,
            has_footer: format == ColumnarFormat::ArrowFile,
            ended: false,
        };
        if messages.has_footer {
            // From which the format was told.
            messages.read(ColumnarFormat::MAGIC_BYTES as u64)?;
        }
        messages.read_schema()?;
        Ok(messages)
    }

    /// The first message. It has no body, so the decoder gives it out when it sees the mark of the second.
    fn read_schema(&mut self) -> Result<(), FrameError> {
        self.waiting = self.read_message()?;
        let mut following = Buffer::from_slice_ref(MARK);
        guarded(&self.file, FORMAT, || {
            self.decoder.decode(&mut self.waiting)?;
            self.decoder.decode(&mut following)
        })?;
        match self.decoder.schema() {
            Some(schema) => self.schema = schema,
            None => return Err(self.damaged("it does not begin with its schema")),
        }
        let second = self.read_message()?;
        // Its mark has been seen.
        self.waiting = second.slice(MARK.len());
        Ok(())
    }

    /// Reads a message, length by length, so that no more memory is taken than there are bytes. At the end of the
    /// stream or the file, that is the message of the end.
    fn read_message(&mut self) -> Result<Buffer, FrameError> {
        let mut message = self.read(END.len() as u64)?;
        // Some writers fill the place behind the magic number up to 64 bytes.
        while self.has_footer && self.bytes_read <= 64 && message == [0; END.len()] {
            message = self.read(END.len() as u64)?;
        }
        if message.is_empty() || message == END {
            self.end(message == END)?;
            return Ok(Buffer::from_slice_ref(END));
        }
        let header_bytes = match message[..] {
            [0xff, 0xff, 0xff, 0xff, a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
            _ => return Err(self.damaged("a message does not begin as one")),
        };
        let header = self.read(u64::from(header_bytes))?;
        if header.len() as u64 != u64::from(header_bytes) {
            return Err(self.damaged("it ends within a message"));
        }
        let parsed = root_as_message(&header).map_err(|_| self.damaged("the header of a message is none"))?;
        let body_bytes =
            u64::try_from(parsed.bodyLength()).map_err(|_| self.damaged("a message has a negative length"))?;
        let body = self.read(body_bytes)?;
        if body.len() as u64 != body_bytes {
            return Err(self.damaged("it ends within a message"));
        }
        if !compression_is_credible(&parsed, &body) {
            return Err(self.damaged("a compressed column says that it is longer than it can be"));
        }
        message.extend(header);
        message.extend(body);
        Ok(Buffer::from_vec(message))
    }

    /// The stream is over: whether the file ends as one should.
    fn end(&mut self, is_marked: bool) -> Result<(), FrameError> {
        const MAGIC: &[u8] = b"ARROW1";
        self.ended = true;
        let mut rest = Vec::new();
        loop {
            let more = self.read(1 << 16)?;
            if more.is_empty() {
                break;
            }
            rest.drain(..rest.len().saturating_sub(MAGIC.len()));
            rest.extend(more);
        }
        match (self.has_footer, rest.as_slice()) {
            (true, rest) if is_marked && rest.ends_with(MAGIC) => Ok(()),
            (true, _) => Err(self.damaged("it ends before its footer")),
            (false, []) => Ok(()),
            (false, _) => Err(self.damaged("something follows its end")),
        }
    }

    /// Reads so many bytes, or what there is.
    fn read(&mut self, length: u64) -> Result<Vec<u8>, FrameError> {
        let mut bytes = Vec::new();
        let failed = |source| FrameError::Read { file: self.file.clone(), source };
        self.reader.by_ref().take(length).read_to_end(&mut bytes).map_err(failed)?;
        self.bytes_read += bytes.len() as u64;
        Ok(bytes)
    }

    fn damaged(&self, problem: &str) -> FrameError {
        FrameError::Columnar { file: self.file.clone(), format: FORMAT, problem: problem.to_owned() }
    }
}

impl Batches for Messages<'_> {
    fn schema(&self) -> Arc<Schema> {
        Arc::clone(&self.schema)
    }

    fn next(&mut self) -> Result<Option<RecordBatch>, FrameError> {
        loop {
            let waiting = &mut self.waiting;
            if let Some(batch) = guarded(&self.file, FORMAT, || self.decoder.decode(waiting))? {
                return Ok(Some(batch));
            }
            if self.ended {
                return Ok(None);
            }
            self.waiting = self.read_message()?;
        }
    }

    fn bytes_read(&self) -> u64 {
        self.bytes_read
    }
}

/// Whether what is compressed in a message can be as long as it says: the decoder makes that much room at once.
fn compression_is_credible(message: &Message<'_>, body: &[u8]) -> bool {
    const LONGEST: i64 = 1 << 31;
    const LENGTH_BYTES: usize = 8;
    let batch = message
        .header_as_record_batch()
        .or_else(|| message.header_as_dictionary_batch().and_then(|dictionary| dictionary.data()));
    let Some(batch) = batch else { return true };
    let Some(compression) = batch.compression() else { return true };
    // What a byte of LZ4 or a block header of zstd can stand for.
    let most = if compression.codec() == CompressionType::LZ4_FRAME { 256 } else { 1 << 16 };
    batch.buffers().into_iter().flatten().all(|buffer| {
        let start = usize::try_from(buffer.offset()).unwrap_or(usize::MAX);
        let Some(length) = body.get(start..).and_then(|bytes| bytes.first_chunk::<LENGTH_BYTES>()) else { return true };
        // -1 stands for bytes that are not compressed.
        buffer.length() == 0 || i64::from_le_bytes(*length) <= buffer.length().saturating_mul(most).min(LONGEST)
    })
}
