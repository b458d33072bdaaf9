//! What happens to a request, whatever the transport.

use std::sync::Arc;

use super::invalid;
use super::outputs::Outputs;
use super::tensor::{Datatype, Elements, Tensor};
use crate::error::ServeError;
use crate::limits::Limits;
use crate::registry::ServedModel;
use crate::service::{Policy, Scoring};
use crate::wire::{Element, Sink, json};

/// How the tensors of a request are a table.
enum Table {
    /// For each tensor the feature that it is.
    Columns(Vec<Option<usize>>),
    Matrix,
    Frame,
}

/// Scores the rows of a request.
pub(super) fn infer(
    served: &Arc<ServedModel>,
    policy: Policy,
    tensors: &[Tensor<'_>],
    limits: &Limits,
) -> Result<Outputs, ServeError> {
    let mut scoring = Scoring::new(Arc::clone(served), policy)?;
    let table = Table::of(tensors, &mut scoring)?;
    let mut sink = Sink::new(scoring, Outputs::new(Arc::clone(served)), limits);
    let first = &tensors[0];
    match table {
        Table::Frame => frame(first, &mut sink)?,
        Table::Matrix => {
            let features: Vec<usize> = (0..first.width()).collect();
            sink.block(first.rows(), |scoring, start, rows| {
                features.iter().try_for_each(|&f| first.fill(scoring, f, f, start..start + rows, true))
            })?;
        }
        Table::Columns(places) => sink.block(first.rows(), |scoring, start, rows| {
            let placed = tensors.iter().zip(&places).filter_map(|(tensor, place)| Some((tensor, (*place)?)));
            placed
                .into_iter()
                .try_for_each(|(tensor, feature)| tensor.fill(scoring, feature, 0, start..start + rows, false))
        })?,
    }
    sink.finish()?;
    sink.writer.keep_warnings(&sink.scoring.warnings());
    Ok(sink.writer)
}

impl Table {
    fn of(tensors: &[Tensor<'_>], scoring: &mut Scoring) -> Result<Self, ServeError> {
        let features = scoring.served().model().schema.features().len();
        match tensors {
            [] => return Err(invalid("inputs: expected at least one tensor")),
            [only] if only.is_json => return Ok(Self::Frame),
            [only] if is_matrix(only, scoring) => {
                if only.width() == features {
                    return Ok(Self::Matrix);
                }
                let found = only.width();
                return Err(invalid(format!("input `{}`: expected {features} columns, found {found}", only.name)));
            }
            _ => {}
        }
        let rows = tensors[0].rows();
        for tensor in tensors {
            if tensor.width() != 1 && rows > 0 {
                return Err(invalid(format!("input `{}`: expected the shape [n] or [n, 1]", tensor.name)));
            }
            if tensor.rows() != rows {
                let (first, found) = (&tensors[0].name, tensor.rows());
                return Err(invalid(format!("input `{}`: it has {found} rows, `{first}` has {rows}", tensor.name)));
            }
        }
        scoring.bind(tensors.iter().map(|tensor| &*tensor.name)).map(Self::Columns)
    }
}

/// Whether a tensor is no column, and of numbers in rows.
fn is_matrix(tensor: &Tensor<'_>, scoring: &Scoring) -> bool {
    let is_column = scoring.served().model().schema.index_of(&tensor.name).is_some();
    !is_column && tensor.shape.len() == 2 && tensor.datatype != Datatype::Bytes
}

/// Scores rows that are objects of JSON.
fn frame(tensor: &Tensor<'_>, sink: &mut Sink<Outputs>) -> Result<(), ServeError> {
    let Elements::Values(values) = &tensor.elements else {
        return Err(invalid(format!("input `{}`: expected BYTES, of JSON", tensor.name)));
    };
    for value in values {
        match value {
            Element::Text(row) if row.trim_start().starts_with('{') => json::rows(row, sink)?,
            _ => return Err(ServeError::NotAnObject { row: sink.scoring.rows() + 1 }),
        }
    }
    Ok(())
}
