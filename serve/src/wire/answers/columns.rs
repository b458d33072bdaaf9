//! Answers as columns: Arrow streams and Parquet.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::errors::ParquetError;

use crate::error::ServeError;
use crate::registry::ServedModel;
use crate::service::Predictions;

/// The columns that H2O's prediction frame has: `predict`, a text where it is a class, then doubles.
pub(crate) struct ColumnAnswers {
    schema: SchemaRef,
    served: Arc<ServedModel>,
    writer: Option<Columns>,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    Arrow,
    Parquet,
}

enum Columns {
    Arrow(StreamWriter<Vec<u8>>),
    Parquet(ArrowWriter<Vec<u8>>),
}

impl ColumnAnswers {
    pub fn arrow(served: &Arc<ServedModel>) -> Self {
        Self::new(served, Kind::Arrow)
    }

    pub fn parquet(served: &Arc<ServedModel>) -> Self {
        Self::new(served, Kind::Parquet)
    }

    fn new(served: &Arc<ServedModel>, kind: Kind) -> Self {
        let is_classifier = served.model().schema.classes().is_some();
        let field = |(at, name): (usize, String)| match at {
            0 if is_classifier => Field::new(name, DataType::Utf8, true),
            _ => Field::new(name, DataType::Float64, true),
        };
        let fields: Vec<Field> = served.model().output_names().into_iter().enumerate().map(field).collect();
        Self { schema: Arc::new(Schema::new(fields)), served: Arc::clone(served), writer: None, kind }
    }

    pub fn start(&mut self, out: &mut Vec<u8>) -> Result<(), ServeError> {
        self.writer = Some(match self.kind {
            Kind::Arrow => Columns::Arrow(StreamWriter::try_new(Vec::new(), &self.schema).map_err(|e| internal(&e))?),
            Kind::Parquet => {
                let schema = Arc::clone(&self.schema);
                let writer = ArrowWriter::try_new(Vec::new(), schema, None);
                Columns::Parquet(writer.map_err(|error: ParquetError| internal(&error))?)
            }
        });
        self.hand_over(out);
        Ok(())
    }

    pub fn write(&mut self, predictions: Predictions<'_>, out: &mut Vec<u8>) -> Result<(), ServeError> {
        if predictions.rows() == 0 {
            return Ok(());
        }
        let batch = self.batch(predictions).map_err(|error| internal(&error))?;
        match &mut self.writer {
            Some(Columns::Arrow(writer)) => writer.write(&batch).map_err(|error| internal(&error))?,
            Some(Columns::Parquet(writer)) => {
                const GROUP_ROWS: usize = 1 << 16;
                writer.write(&batch).map_err(|error| internal(&error))?;
                // What a group holds is held until it is complete.
                if writer.in_progress_rows() >= GROUP_ROWS {
                    writer.flush().map_err(|error| internal(&error))?;
                }
            }
            None => return Err(ServeError::Internal),
        }
        self.hand_over(out);
        Ok(())
    }

    pub fn finish(&mut self, out: &mut Vec<u8>) -> Result<(), ServeError> {
        let rest = match self.writer.take() {
            Some(Columns::Arrow(mut writer)) => {
                writer.finish().map_err(|error| internal(&error))?;
                writer.into_inner().map_err(|error| internal(&error))?
            }
            Some(Columns::Parquet(writer)) => writer.into_inner().map_err(|error| internal(&error))?,
            None => return Err(ServeError::Internal),
        };
        out.extend(rest);
        Ok(())
    }

    fn batch(&self, predictions: Predictions<'_>) -> Result<RecordBatch, ArrowError> {
        let mut columns: Vec<ArrayRef> = Vec::with_capacity(self.schema.fields().len());
        if let Some(classes) = self.served.model().schema.classes() {
            let labels = predictions.labels().iter();
            let label =
                |label: &Option<u32>| classes.levels().get(label.as_ref().copied()? as usize).map(String::as_str);
            columns.push(Arc::new(labels.map(label).collect::<StringArray>()));
        }
        let numbers = (0..self.served.numbers())
            .map(|n| Arc::new(Float64Array::from_iter_values(predictions.numbers(n))) as ArrayRef);
        columns.extend(numbers);
        RecordBatch::try_new(Arc::clone(&self.schema), columns)
    }

    /// Moves what has been written so far.
    fn hand_over(&mut self, out: &mut Vec<u8>) {
        match &mut self.writer {
            Some(Columns::Arrow(writer)) => out.append(writer.get_mut()),
            // Parquet counts the bytes that it has written by itself.
            Some(Columns::Parquet(writer)) => out.append(writer.inner_mut()),
            None => {}
        }
    }
}

fn internal(error: &impl std::fmt::Display) -> ServeError {
    tracing::error!(%error, "answers cannot be written");
    ServeError::Internal
}
