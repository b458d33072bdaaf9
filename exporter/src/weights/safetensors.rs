//! Tables as tensors.

use std::collections::HashMap;
use std::io;

use safetensors::SafeTensorError;
use safetensors::tensor::{Dtype, TensorView};

use super::{Numbers, Table};

/// The key of the names of the inputs: one entry alone has an order.
const COLUMNS: &str = "columns";

pub(super) fn bytes(tables: &[Table<'_>]) -> io::Result<Vec<u8>> {
    let tensors: Vec<(Dtype, Vec<u8>)> = tables.iter().map(numbers).collect();
    let views = tables.iter().zip(&tensors).map(|(table, (kind, bytes))| {
        let shape = vec![table.rows(), table.columns.len()];
        Ok((table.name.as_str(), TensorView::new(*kind, shape, bytes)?))
    });
    let views = views.collect::<Result<Vec<_>, SafeTensorError>>().map_err(io::Error::other)?;
    let columns = serde_json::to_string(tables.first().map_or(&[][..], |table| &table.columns))?;
    let metadata = HashMap::from([(COLUMNS.to_owned(), columns)]);
    safetensors::serialize(views, Some(metadata)).map_err(io::Error::other)
}

fn numbers(table: &Table<'_>) -> (Dtype, Vec<u8>) {
    match table.numbers {
        Numbers::Single(numbers) => (Dtype::F32, numbers.iter().flat_map(|number| number.to_le_bytes()).collect()),
        Numbers::Double(numbers) => (Dtype::F64, numbers.iter().flat_map(|number| number.to_le_bytes()).collect()),
    }
}
