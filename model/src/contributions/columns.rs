//! Which inputs of the net make a contribution together, and what that is called.

use super::{ContributionFormat, ExplainOptions};
use crate::model::{Algorithm, Category, Model};

/// The contributions of a model.
#[derive(Debug, Clone)]
pub(super) struct Columns {
    names: Vec<String>,
    /// For each input of the net, and for the offset where it counts, the contribution that it is part of.
    of_inputs: Vec<usize>,
    has_offset: bool,
}

impl Columns {
    pub(super) fn new(model: &Model, options: ExplainOptions) -> Self {
        let (mut names, mut of_inputs) = match options.format {
            ContributionFormat::Original => {
                let names = model.input_names();
                let of_inputs = (0..names.len()).collect();
                (names, of_inputs)
            }
            ContributionFormat::Compact => compact(model),
        };
        let offset = model.schema.special().offset.as_ref();
        let offset = offset.filter(|_| options.mended && model.category == Category::Regression);
        if let Some(offset) = offset {
            of_inputs.push(names.len());
            names.push(offset.clone());
        }
        Self { names, of_inputs, has_offset: offset.is_some() }
    }

    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    pub(super) fn of_inputs(&self) -> &[usize] {
        &self.of_inputs
    }

    /// Whether the offset is a column as well.
    pub(super) fn has_offset(&self) -> bool {
        self.has_offset
    }
}

/// The model's own columns, each with all of its inputs.
fn compact(model: &Model) -> (Vec<String>, Vec<usize>) {
    let Algorithm::DeepLearning(net) = &model.algorithm;
    let columns = model.encoding.columns(model.schema.features());
    let names = columns.iter().map(|column| column.name.clone()).collect();
    let widths = net.layout.cat_offsets.windows(2).map(|bounds| bounds[1] - bounds[0]);
    let widths = widths.chain(std::iter::repeat_n(1, net.layout.numerics));
    (names, widths.enumerate().flat_map(|(column, width)| std::iter::repeat_n(column, width)).collect())
}
