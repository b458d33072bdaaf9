//! First weights and biases that a user gives.

use super::PlanError;
use crate::frame::{ColumnType, Frame};

/// What a layer starts from.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct InitialLayer {
    pub weights: Vec<f32>,
    pub biases: Vec<f64>,
}

impl InitialLayer {
    /// Reads tables of weights (a row for each unit, twice as many with Maxout, a column for each input) and of biases (one
    /// column). `layer` counts from 1.
    pub fn new(layer: usize, units: usize, inputs: usize, weights: &Frame, biases: &Frame) -> Result<Self, PlanError> {
        let weights = numbers("initial_weights", layer, units, inputs, weights)?;
        let biases = numbers("initial_biases", layer, units, 1, biases)?;
        // H2O keeps biases in single precision on the way.
        Ok(Self { weights, biases: biases.into_iter().map(f64::from).collect() })
    }
}

/// The numbers of a table, row by row.
fn numbers(
    name: &'static str,
    layer: usize,
    rows: usize,
    columns: usize,
    frame: &Frame,
) -> Result<Vec<f32>, PlanError> {
    let (found_rows, found_columns) = (frame.rows(), frame.columns().len());
    let numeric = frame.columns().iter().all(|column| column.kind() == ColumnType::Numeric);
    if (rows, columns) != (found_rows, found_columns) || !numeric {
        return Err(PlanError::InitialShape { name, layer, rows, columns, found_rows, found_columns });
    }
    let mut numbers = Vec::with_capacity(rows * columns);
    for row in 0..rows {
        for (column, values) in frame.columns().iter().enumerate() {
            let number = values.number(row) as f32;
            if !number.is_finite() {
                return Err(PlanError::InitialNumber { name, layer, row: row + 1, column: column + 1 });
            }
            numbers.push(number);
        }
    }
    Ok(numbers)
}
