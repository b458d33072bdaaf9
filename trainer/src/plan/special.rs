//! Columns that take part in training and are no predictors.

use model::{Category, SpecialColumns};

use super::{PlanError, columns};
use crate::frame::{Column, ColumnType, Frame};
use crate::params::TrainParams;

/// Positions of the weights and of the offset.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Special {
    pub weights: Option<usize>,
    pub offset: Option<usize>,
}

impl Special {
    pub fn new(
        params: &TrainParams,
        frame: &Frame,
        response: Option<usize>,
        category: Category,
    ) -> Result<Self, PlanError> {
        let find = |parameter, name: &Option<String>| {
            name.as_ref().map(|name| columns::find(frame, parameter, name)).transpose()
        };
        let weights = find("weights_column", &params.weights_column)?;
        let offset = find("offset_column", &params.offset_column)?;
        if offset.is_some() && category != Category::Regression {
            return Err(PlanError::OffsetOfClasses);
        }
        if offset.is_some() && weights == offset {
            return Err(PlanError::Exclusive { first: "weights_column", second: "offset_column" });
        }
        for (first, index) in [("weights_column", weights), ("offset_column", offset)] {
            if index.is_some() && index == response {
                return Err(PlanError::Exclusive { first, second: "response_column" });
            }
        }
        if let Some(index) = offset {
            check_numbers("offset_column", &frame.columns()[index])?;
        }
        if let Some(index) = weights {
            check_weights(&frame.columns()[index])?;
        }
        if let Some(index) = weights.filter(|_| params.balance_classes) {
            let column = &frame.columns()[index];
            if let Some(row) = column.numbers().position(|w| w != 0.0 && w != 1.0) {
                let problem =
                    format!("is {} in row {}, expected 0 or 1 beside balance_classes", column.number(row), row + 1);
                return Err(refusal("weights_column", column, problem));
            }
        }
        Ok(Self { weights, offset })
    }

    /// Whether a column has one of these roles.
    pub fn contains(self, index: usize) -> bool {
        [self.weights, self.offset].contains(&Some(index))
    }

    /// The names for the model's schema.
    pub fn names(self, frame: &Frame) -> SpecialColumns {
        let name = |index: Option<usize>| Some(frame.columns()[index?].name().to_owned());
        SpecialColumns { weights: name(self.weights), offset: name(self.offset), fold: None }
    }
}

/// Weights are numbers that are at least 0, and not all 0.
pub(super) fn check_weights(column: &Column) -> Result<(), PlanError> {
    check_numbers("weights_column", column)?;
    let refused = |problem| Err(refusal("weights_column", column, problem));
    if let Some(row) = column.numbers().position(|w| w < 0.0) {
        return refused(format!("is negative in row {}, expected weights that are at least 0", row + 1));
    }
    if column.numbers().all(|w| w == 0.0) {
        return refused("is 0 in every row, expected some weight".to_owned());
    }
    Ok(())
}

/// Weights and offsets are numbers in every row.
pub(super) fn check_numbers(parameter: &'static str, column: &Column) -> Result<(), PlanError> {
    if !matches!(column.kind(), ColumnType::Numeric | ColumnType::Time) {
        return Err(refusal(parameter, column, "is not numeric".to_owned()));
    }
    match column.numbers().position(|x| !x.is_finite()) {
        None => Ok(()),
        Some(row) => Err(refusal(parameter, column, format!("has no finite number in row {}", row + 1))),
    }
}

fn refusal(parameter: &'static str, column: &Column, problem: String) -> PlanError {
    PlanError::SpecialColumn { parameter, column: column.name().to_owned(), problem }
}
