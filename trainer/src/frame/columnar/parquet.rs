use std::fs::File;
use std::io::{BufReader, Read};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::Schema;
use bytes::Bytes;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, Length};

use super::super::FrameError;
use super::super::files::Input;
use super::Batches;
use super::guard::guarded;

const FORMAT: &str = "Parquet";

/// Opens a file. What does not lie on disk is held in memory, as its list of columns is at its end.
pub fn open<'r>(input: Input<'r>, file: &str) -> Result<Box<dyn Batches + 'r>, FrameError> {
    match input {
        Input::File(opened, length) => Ok(Box::new(RowGroups::open(OnDisk { file: opened, length }, file)?)),
        Input::Stream(mut reader) => {
            let mut bytes = Vec::new();
            let failed = |source| FrameError::Read { file: file.to_owned(), source };
            reader.read_to_end(&mut bytes).map_err(failed)?;
            Ok(Box::new(RowGroups::open(Bytes::from(bytes), file)?))
        }
    }
}

/// The rows of all row groups.
struct RowGroups {
    file: String,
    length: u64,
    schema: Arc<Schema>,
    reader: ParquetRecordBatchReader,
    rows_read: u64,
    rows_declared: u64,
}

impl RowGroups {
    fn open(input: impl ChunkReader + 'static, file: &str) -> Result<Self, FrameError> {
        const BATCH_ROWS: usize = 8192;
        let length = input.len();
        guarded(file, FORMAT, move || {
            let builder = ParquetRecordBatchReaderBuilder::try_new(input)?;
            let rows_declared = u64::try_from(builder.metadata().file_metadata().num_rows())?;
            let schema = Arc::clone(builder.schema());
            let reader = builder.with_batch_size(BATCH_ROWS).build()?;
            Ok::<_, ParquetError>(Self { file: file.to_owned(), length, schema, reader, rows_read: 0, rows_declared })
        })
    }
}

impl Batches for RowGroups {
    fn schema(&self) -> Arc<Schema> {
        Arc::clone(&self.schema)
    }

    fn next(&mut self) -> Result<Option<RecordBatch>, FrameError> {
        let batch = guarded(&self.file, FORMAT, || self.reader.next().transpose())?;
        match &batch {
            Some(batch) => self.rows_read += batch.num_rows() as u64,
            None if self.rows_read == self.rows_declared => {}
            None => {
                let problem = format!("it says that it has {} rows and has {}", self.rows_declared, self.rows_read);
                return Err(FrameError::Columnar { file: self.file.clone(), format: FORMAT, problem });
            }
        }
        Ok(batch)
    }

    fn bytes_read(&self) -> u64 {
        let share = self.rows_read as f64 / self.rows_declared.max(1) as f64;
        ((share * self.length as f64) as u64).min(self.length)
    }
}

/// A file of which nothing is read, or memory made for it, beyond its end.
struct OnDisk {
    file: File,
    length: u64,
}

impl Length for OnDisk {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for OnDisk {
    type T = BufReader<File>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        self.file.get_read(start)
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        let rest = self.length.saturating_sub(start);
        if length as u64 > rest {
            return Err(ParquetError::EOF(format!("expected {length} bytes at {start}, found {rest}")));
        }
        self.file.get_bytes(start, length)
    }
}
