//! Tables as Parquet.

use std::io;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float32Array, Float64Array, RecordBatch};
use arrow_schema::{Field, Schema};
use parquet::arrow::ArrowWriter;

use super::{Numbers, Table};

pub(super) fn bytes(table: &Table<'_>) -> io::Result<Vec<u8>> {
    let arrays = (0..table.columns.len()).map(|column| column_of(table, column));
    let arrays: Vec<ArrayRef> = arrays.collect();
    let fields = table.columns.iter().zip(&arrays);
    let fields: Vec<Field> = fields.map(|(name, array)| Field::new(name, array.data_type().clone(), false)).collect();
    let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).map_err(io::Error::other)?;
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), None)?;
    writer.write(&batch)?;
    writer.close()?;
    Ok(bytes)
}

fn column_of(table: &Table<'_>, column: usize) -> ArrayRef {
    let width = table.columns.len();
    match table.numbers {
        Numbers::Single(numbers) => {
            Arc::new(numbers.iter().skip(column).step_by(width).copied().collect::<Float32Array>())
        }
        Numbers::Double(numbers) => {
            Arc::new(numbers.iter().skip(column).step_by(width).copied().collect::<Float64Array>())
        }
    }
}
