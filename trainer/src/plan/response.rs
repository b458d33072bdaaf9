//! The column to be predicted.

use model::{Category, Distribution, Domain, Labelling, Response, ResponseScaling};

use super::{PlanError, columns, scaling};
use crate::frame::{Column, ColumnType, Frame};
use crate::params::TrainParams;

/// The response, found to be usable.
#[derive(Debug)]
pub(crate) struct ResponseColumn<'f> {
    index: usize,
    column: &'f Column,
}

impl<'f> ResponseColumn<'f> {
    pub fn new(params: &TrainParams, frame: &'f Frame) -> Result<Self, PlanError> {
        let name = params.response_column.as_deref().unwrap_or_default();
        let index = columns::find(frame, "response_column", name)?;
        let column = &frame.columns()[index];
        let named = || column.name().to_owned();
        if matches!(column.kind(), ColumnType::String | ColumnType::Uuid) {
            return Err(PlanError::TextResponse { column: named() });
        }
        let mut values = column.numbers().filter(|y| !y.is_nan());
        let first = values.next().ok_or_else(|| PlanError::EmptyResponse { column: named() })?;
        if values.all(|y| y == first) {
            return Err(PlanError::ConstantResponse { column: named() });
        }
        if let Some(row) = column.numbers().position(f64::is_infinite) {
            return Err(PlanError::InfiniteResponse { column: named(), row: row + 1, value: column.number(row) });
        }
        Ok(Self { index, column })
    }

    /// Refuses values that the distribution does not have.
    pub fn check_values(&self, distribution: Distribution) -> Result<(), PlanError> {
        if !matches!(distribution, Distribution::Poisson | Distribution::Gamma | Distribution::Tweedie) {
            return Ok(());
        }
        match self.column.numbers().position(|y| y < 0.0) {
            None => Ok(()),
            Some(row) => Err(PlanError::NegativeResponse {
                column: self.column.name().to_owned(),
                row: row + 1,
                value: self.column.number(row),
                distribution: distribution.name(),
            }),
        }
    }

    pub fn name(&self) -> &str {
        self.column.name()
    }

    /// Its place in the frame.
    pub fn column(&self) -> usize {
        self.index
    }

    /// A response of zeros and ones most likely means two classes.
    pub fn warning(&self) -> Option<String> {
        let name = self.column.name();
        let mut found: Vec<f64> = Vec::new();
        for y in self.column.numbers().filter(|y| !y.is_nan()) {
            if !found.contains(&y) {
                found.push(y);
            }
            if found.len() > 2 {
                return None;
            }
        }
        let binary = found.iter().all(|y| [0.0, 1.0].contains(y)) || found.iter().all(|y| [-1.0, 1.0].contains(y));
        (self.category() == Category::Regression && binary).then(|| {
            format!(
                "response `{name}` has only two values: for a classifier, declare it with --column-types `{name}=enum`"
            )
        })
    }

    pub fn category(&self) -> Category {
        match self.column.domain().map(<[String]>::len) {
            None => Category::Regression,
            Some(2) => Category::Binomial,
            Some(_) => Category::Multinomial,
        }
    }

    pub fn outputs(&self) -> usize {
        self.column.domain().map_or(1, <[String]>::len)
    }

    pub fn response(&self) -> Response {
        let domain = self.column.domain().map(|levels| Domain::new(levels.to_vec()));
        Response { name: self.column.name().to_owned(), domain }
    }

    /// One number for each row: the value or the code of the class, NaN where it is missing.
    pub fn values(&self) -> Vec<f64> {
        self.column.numbers().collect()
    }

    /// The scaling of a regression's response.
    pub fn scaling(&self, scaled: bool, weights: Option<&[f64]>) -> Result<Option<ResponseScaling>, PlanError> {
        if self.category() != Category::Regression {
            return Ok(None);
        }
        let statistics = scaling::finite_statistics(self.name(), self.column.numbers(), weights)?;
        Ok(scaled.then(|| ResponseScaling { mul: statistics.mul(), sub: statistics.mean }))
    }
}

/// Class shares, where there are classes; the threshold is known only after training.
pub(super) fn labelling(response: Option<&ResponseColumn<'_>>, weights: Option<&[f64]>) -> Labelling {
    let shares = |response: &ResponseColumn<'_>| {
        let levels = response.column.domain()?;
        Some(class_shares(&response.values(), weights, levels.len()))
    };
    Labelling {
        default_threshold: 0.5,
        prior_class_distrib: response.and_then(shares),
        model_class_distrib: None,
        balance_classes: false,
    }
}

/// The share of each class, weighted, among the rows that have one.
pub(super) fn class_shares(responses: &[f64], weights: Option<&[f64]>, classes: usize) -> Vec<f64> {
    let mut counts = vec![0.0; classes];
    for (row, &class) in responses.iter().enumerate().filter(|(_, class)| !class.is_nan()) {
        counts[class as usize] += weights.map_or(1.0, |weights| weights[row]);
    }
    let total: f64 = counts.iter().sum();
    counts.iter().map(|&count| count / total).collect()
}
