//! Reads rows from a Parquet file.

use bytes::Bytes;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::arrow::{guarded, score_batch};
use super::cells::Columns;
use super::{Sink, Writer};
use crate::error::ServeError;

const FORMAT: &str = "a Parquet file";

/// Scores the rows of a file, of which only the columns that the model reads are decoded.
pub(super) fn body<W: Writer>(body: Vec<u8>, sink: &mut Sink<W>) -> Result<(), ServeError> {
    const BATCH_ROWS: usize = 1 << 12;
    if body.is_empty() {
        return Err(ServeError::EmptyBody { expected: FORMAT });
    }
    let body = Bytes::from(body);
    let file = guarded(FORMAT, || ParquetRecordBatchReaderBuilder::try_new(body))?;
    let columns = Columns::bind(file.schema(), &mut sink.scoring)?;
    let roots = columns.places().iter().enumerate().filter(|(_, place)| place.is_some()).map(|(root, _)| root);
    let wanted = parquet::arrow::ProjectionMask::roots(file.parquet_schema(), roots);
    let rows = file.metadata().file_metadata().num_rows();
    let mut reader = guarded(FORMAT, || file.with_batch_size(BATCH_ROWS).with_projection(wanted).build())?;
    let columns = columns.projected();
    let mut read = 0;
    while let Some(batch) = guarded(FORMAT, || reader.next().transpose())? {
        read += batch.num_rows() as i64;
        score_batch(&batch, &columns, sink)?;
    }
    // Of a file without any column that the model reads only the number of rows is known.
    if read != rows {
        return Err(ServeError::NotFormat { format: FORMAT, problem: "it has fewer rows than it says".to_owned() });
    }
    Ok(())
}
