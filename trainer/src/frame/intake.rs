//! The rows of files, parsed on all threads.
//!
//! A file is cut into blocks at line ends. While one batch of blocks is parsed, each as if a row began with it, the
//! batch before is joined to the table in order and the batch behind is read and unpacked. Whether a row does begin with
//! a block is known when its turn comes: where the block before ended within quotes, or anything in the block is wrong,
//! its text is parsed again, in order. So neither the table nor the refusal depends on threads or on where blocks end.

use std::sync::Arc;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::format::Format;
use super::guess::{FileLayout, Survey};
use super::read::Sizes;
use super::source::{Block, Source};
use super::table::{Table, TableFile, TableLayout};
use super::text::line_ends;
use super::{Frame, FrameError, ReadOptions, svmlight};

/// The rows of one file or several while they come in.
pub(super) enum Rows {
    Table(Arc<TableLayout>, Table),
    SvmLight(svmlight::Rows),
}

impl Rows {
    pub fn new(survey: Survey<'_>, options: &ReadOptions, sizes: Sizes) -> Result<Self, FrameError> {
        if survey.layout.format == Format::SvmLight {
            return Ok(Self::SvmLight(svmlight::Rows::new()));
        }
        let layout = Arc::new(TableLayout::new(survey.columns(options)?, &options.na_strings, sizes));
        let table = Table::new(Arc::clone(&layout), 0).spilling(options.spill.as_ref(), sizes.spilled);
        Ok(Self::Table(layout, table))
    }

    /// Takes all of a file, telling how many bytes of it are read and how many rows there are; returns the former.
    pub fn take_file(
        &mut self,
        mut source: Source<'_>,
        name: &str,
        layout: &FileLayout,
        sizes: Sizes,
        threads: Option<usize>,
        progress: &mut dyn FnMut(u64, usize),
    ) -> Result<u64, FrameError> {
        source.fill_to(layout.start.max(source.bytes().len()), 1)?;
        source.consume(layout.start.min(source.bytes().len()));
        let threads = Threads::new(threads, source.ended() && source.bytes().len() <= sizes.block);
        let parser = match self {
            Self::Table(columns, _) => Some(Parser { columns: Arc::clone(columns), name, layout }),
            Self::SvmLight(_) => None,
        };
        // What says where rows begin stands in front: a batch of its own lets all others be parsed at once.
        let mut batch = if layout.has_header { vec![source.first_line()] } else { Vec::new() };
        let mut supply = Supply { source, sizes, batch_bytes: threads.batch_blocks() * sizes.block, end: None };
        let mut intake = Intake {
            rows: self,
            file: TableFile::new(name, layout),
            name,
            line: layout.first_line,
            pending: Vec::new(),
            enough: 0,
            longest: sizes.longest,
        };
        let mut parsed = Vec::new();
        loop {
            let ahead = || (intake.take_all(parsed), supply.next_batch());
            let ((taken, next), now_parsed) = threads.join(ahead, batch, |block| Parsed::new(block, parser.as_ref()));
            taken?;
            progress(supply.source.bytes_read(), intake.rows.len());
            (batch, parsed) = (next, now_parsed);
            if batch.is_empty() && parsed.is_empty() {
                break;
            }
        }
        supply.end.unwrap_or(Ok(()))?;
        intake.take(Parsed { block: Block { bytes: Vec::new(), whole: true }, part: None })?;
        progress(supply.source.bytes_read(), self.len());
        Ok(supply.source.bytes_read())
    }

    pub fn finish(self, file: &str, options: &ReadOptions) -> Result<Frame, FrameError> {
        match self {
            Self::Table(_, table) => table.finish(file),
            Self::SvmLight(rows) => Frame::from_columns(rows.finish(file, options)?),
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Table(_, table) => table.rows(),
            Self::SvmLight(rows) => rows.len(),
        }
    }
}

/// The threads that parse.
struct Threads(Option<ThreadPool>);

impl Threads {
    /// As many as there are cores, unless their number is given; none for little text, which is parsed sooner than they
    /// begin.
    fn new(number: Option<usize>, is_little: bool) -> Self {
        const AS_MANY_AS_CORES: usize = 0;
        if is_little {
            return Self(None);
        }
        // Where the system gives no threads, this one has to do.
        Self(ThreadPoolBuilder::new().num_threads(number.unwrap_or(AS_MANY_AS_CORES)).build().ok())
    }

    /// How many blocks are parsed between two moments at which all threads wait for the last of them.
    fn batch_blocks(&self) -> usize {
        8 + 4 * self.0.as_ref().map_or(1, ThreadPool::current_num_threads)
    }

    /// Does something while all blocks are parsed.
    fn join<T: Send>(
        &self,
        meanwhile: impl FnOnce() -> T + Send,
        blocks: Vec<Block>,
        parse: impl Fn(Block) -> Parsed + Send + Sync,
    ) -> (T, Vec<Parsed>) {
        match &self.0 {
            Some(pool) => pool.join(meanwhile, || blocks.into_par_iter().map(parse).collect()),
            None => (meanwhile(), blocks.into_iter().map(parse).collect()),
        }
    }
}

/// Reads a file in batches of blocks.
struct Supply<'f> {
    source: Source<'f>,
    sizes: Sizes,
    batch_bytes: usize,
    /// How the file ended, once it has.
    end: Option<Result<(), FrameError>>,
}

impl Supply<'_> {
    fn next_batch(&mut self) -> Vec<Block> {
        let (mut blocks, mut bytes) = (Vec::new(), 0);
        while self.end.is_none() && bytes < self.batch_bytes {
            match self.source.next_block(self.sizes.block, self.sizes.longest + 1) {
                Ok(Some(block)) => {
                    bytes += block.bytes.len();
                    blocks.push(block);
                }
                Ok(None) => self.end = Some(Ok(())),
                Err(error) => self.end = Some(Err(error)),
            }
        }
        blocks
    }
}

/// What a thread knows that parses a block.
struct Parser<'f> {
    columns: Arc<TableLayout>,
    name: &'f str,
    layout: &'f FileLayout,
}

/// A block, and its rows if it is whole rows when a row begins with it.
struct Parsed {
    block: Block,
    part: Option<Part>,
}

struct Part {
    rows: Table,
    lines: u64,
}

impl Parsed {
    fn new(block: Block, parser: Option<&Parser<'_>>) -> Self {
        let part = parser.and_then(|parser| parser.part(&block));
        Self { block, part }
    }
}

impl Parser<'_> {
    fn part(&self, block: &Block) -> Option<Part> {
        const FIRST_LINE: u64 = 1;
        let bytes = &block.bytes;
        if memchr::memchr(0, bytes).is_some() {
            return None;
        }
        // No row is shorter than a byte a cell.
        let most_rows = bytes.len() / self.columns.width().max(1) + 1;
        let capacity = memchr::memchr_iter(b'\n', bytes).count().min(most_rows);
        let mut rows = Table::new(Arc::clone(&self.columns), capacity);
        let mut file =
            TableFile::new(self.name, &FileLayout { first_line: FIRST_LINE, has_header: false, ..*self.layout });
        let taken = rows.take(&mut file, bytes, block.whole).ok()?;
        let is_whole = taken == bytes.len() && file.is_between_rows();
        is_whole.then(|| Part { rows, lines: file.line() - FIRST_LINE })
    }
}

/// Joins what was parsed, in the order of the file.
struct Intake<'r, 'f> {
    rows: &'r mut Rows,
    file: TableFile<'f>,
    name: &'f str,
    /// The line of the first pending byte.
    line: u64,
    /// Bytes that are no whole cell or line.
    pending: Vec<u8>,
    /// How many pending bytes are worth another look. A long cell is looked at from its start each time: doubling keeps
    /// that linear.
    enough: usize,
    longest: usize,
}

impl Intake<'_, '_> {
    fn take_all(&mut self, parsed: Vec<Parsed>) -> Result<(), FrameError> {
        parsed.into_iter().try_for_each(|parsed| self.take(parsed))
    }

    fn take(&mut self, Parsed { block, part }: Parsed) -> Result<(), FrameError> {
        if let (Rows::Table(_, table), Some(part)) = (&mut *self.rows, part)
            && self.pending.is_empty()
            && self.file.is_between_rows()
        {
            self.file.skip_lines(part.lines);
            self.line = self.file.line();
            return table.append(part.rows, self.name);
        }
        let known = self.pending.len();
        self.pending.extend_from_slice(&block.bytes);
        if let Some(at) = memchr::memchr(0, &self.pending[known..]) {
            let line = self.line + line_ends(&self.pending[..known + at]);
            return Err(FrameError::Binary { file: self.name.to_owned(), line });
        }
        if self.pending.len() >= self.enough || block.whole {
            self.take_pending(block.whole)?;
        }
        Ok(())
    }

    fn take_pending(&mut self, whole: bool) -> Result<(), FrameError> {
        let taken = match &mut *self.rows {
            Rows::Table(_, table) => {
                let taken = table.take(&mut self.file, &self.pending, whole)?;
                self.line = self.file.line();
                table.relieve(self.name)?;
                taken
            }
            Rows::SvmLight(rows) => rows.take(&self.pending, whole, self.name, &mut self.line)?,
        };
        self.pending.drain(..taken);
        if self.pending.len() > self.longest && !whole {
            return Err(FrameError::without_end(self.name, self.line, &self.pending[..self.longest]));
        }
        self.enough = 2 * self.pending.len();
        Ok(())
    }
}
