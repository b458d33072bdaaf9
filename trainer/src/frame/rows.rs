use super::Column;

/// Reads rows of chosen columns in any order, as training does.
#[derive(Debug, Clone)]
pub struct RowReader<'a> {
    columns: Vec<&'a Column>,
}

impl<'a> RowReader<'a> {
    pub(super) fn new(columns: Vec<&'a Column>) -> Self {
        Self { columns }
    }

    /// The number of values in a row.
    pub fn width(&self) -> usize {
        self.columns.len()
    }

    /// Writes each column's [`number`](Column::number) in this row to `values`, as many as it has room for.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn read(&self, row: usize, values: &mut [f64]) {
        for (value, column) in values.iter_mut().zip(&self.columns) {
            *value = column.number(row);
        }
    }
}
