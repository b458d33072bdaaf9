//! A frame as the model sees it: raw rows in model order, and the response.

use model::{Domain, Schema, listed};

use super::PlanError;
use super::columns::Predictors;
use super::response::ResponseColumn;
use super::special::{self, Special};
use crate::frame::{Column, ColumnType, Frame, RowReader};

/// Raw rows and responses.
#[derive(Debug)]
pub(crate) struct Rows<'f> {
    reader: RowReader<'f>,
    /// For each column of the reader its place in a raw row, and the model's code for each of its levels.
    places: Vec<(usize, Option<Vec<f64>>)>,
    width: usize,
    /// What a column that is not there has in every row.
    absent: f64,
    /// Whether the columns of the reader are a raw row as they stand.
    is_direct: bool,
    /// The row of the frame for each row here, where classes were balanced.
    taken: Option<Vec<u32>>,
    count: usize,
    /// The response of each row; an autoencoder has none.
    response: Option<Vec<f64>>,
    /// Observation weights; without them each row has weight 1.
    weights: Option<Vec<f64>>,
    /// Offsets of a regression; without them each is 0.
    offsets: Option<Vec<f64>>,
}

impl<'f> Rows<'f> {
    pub fn of_training(
        frame: &'f Frame,
        predictors: &Predictors<'f>,
        response: Option<&ResponseColumn<'f>>,
        special: Special,
    ) -> Self {
        let columns = predictors.columns();
        let numbers = |index: Option<usize>| Some(frame.columns()[index?].numbers().collect());
        let places = (0..columns.len()).map(|place| (place, None)).collect();
        Self {
            reader: frame.row_reader(&columns),
            places,
            width: columns.len(),
            absent: f64::NAN,
            is_direct: true,
            taken: None,
            count: frame.rows(),
            response: response.map(ResponseColumn::values),
            weights: numbers(special.weights),
            offsets: numbers(special.offset),
        }
    }

    /// Finds the model's columns in another frame by name: a column that is not there is missing in every row, and a
    /// level that the model does not know is missing in its row.
    ///
    /// In `sparse` mode a column that is not there is zero instead.
    pub fn of_validation(
        frame: &'f Frame,
        schema: &Schema,
        sparse: bool,
        warnings: &mut Vec<String>,
    ) -> Result<Self, PlanError> {
        let (mut columns, mut places, mut absent) = (Vec::new(), Vec::new(), Vec::new());
        for (place, feature) in schema.features().iter().enumerate() {
            let Some(index) = frame.index_of(&feature.name) else {
                absent.push(feature.name.clone());
                continue;
            };
            let column = &frame.columns()[index];
            let codes = codes(column, feature.domain.as_ref())?;
            check_finite(column)?;
            if let Some(codes) = &codes {
                let unseen = codes.iter().filter(|code| code.is_nan()).count();
                if unseen > 0 {
                    warnings.push(format!(
                        "validation frame: column `{}` has {unseen} levels that training has not; they count as missing",
                        feature.name
                    ));
                }
            }
            columns.push(index);
            places.push((place, codes));
        }
        if columns.is_empty() {
            return Err(PlanError::ValidationWithoutPredictors);
        }
        if !absent.is_empty() {
            let count_as = if sparse { "zero" } else { "missing" };
            warnings.push(format!("validation frame: no column {}, which counts as {count_as}", listed(&absent)));
        }
        let response = validation_response(frame, schema)?;
        let (reader, width) = (frame.row_reader(&columns), schema.features().len());
        let absent = if sparse { 0.0 } else { f64::NAN };
        let weights = validation_weights(frame, schema, warnings)?;
        let offsets = validation_offsets(frame, schema)?;
        Ok(Self {
            reader,
            places,
            width,
            absent,
            is_direct: false,
            taken: None,
            count: frame.rows(),
            response,
            weights,
            offsets,
        })
    }

    /// Takes these rows of the frame, some of them more than once.
    pub fn take(&mut self, taken: Vec<u32>) {
        for values in [&mut self.response, &mut self.weights, &mut self.offsets].into_iter().flatten() {
            *values = taken.iter().map(|&row| values[row as usize]).collect();
        }
        self.count = taken.len();
        self.taken = Some(taken);
    }

    /// Rows, those without a response included.
    pub fn len(&self) -> usize {
        self.count
    }

    /// The response of each row; nothing of an autoencoder.
    pub fn responses(&self) -> &[f64] {
        self.response.as_deref().unwrap_or_default()
    }

    /// The value or the code of the class; NaN where it is missing, and of an autoencoder.
    pub fn response(&self, row: usize) -> f64 {
        self.response.as_ref().map_or(f64::NAN, |response| response[row])
    }

    /// Whether a row lacks the response that the others have.
    pub fn is_unlabelled(&self, row: usize) -> bool {
        self.response.as_ref().is_some_and(|response| response[row].is_nan())
    }

    /// The observation weight.
    pub fn weight(&self, row: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| weights[row])
    }

    /// The observation weights, where there are any.
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// Takes the weight from rows that miss a predictor, as H2O does to its weights column under
    /// `missing_values_handling = Skip`.
    pub fn skip_missing(&mut self) {
        let Some(mut weights) = self.weights.take() else { return };
        let mut raw = Vec::new();
        for (row, weight) in weights.iter_mut().enumerate() {
            self.read(row, &mut raw);
            if raw.iter().any(|x| x.is_nan()) {
                *weight = 0.0;
            }
        }
        self.weights = Some(weights);
    }

    /// Whether there are offsets.
    pub fn has_offsets(&self) -> bool {
        self.offsets.is_some()
    }

    /// What is added to the output of a regression.
    pub fn offset(&self, row: usize) -> f64 {
        self.offsets.as_ref().map_or(0.0, |offsets| offsets[row])
    }

    /// Sets `raw` to the predictors of a row.
    pub fn read(&self, row: usize, raw: &mut Vec<f64>) {
        raw.clear();
        let row = self.taken.as_ref().map_or(row, |taken| taken[row] as usize);
        // Found values go behind the row for a moment, unless they are the row.
        let found = if self.is_direct { 0 } else { self.width };
        raw.resize(found + self.places.len(), self.absent);
        self.reader.read(row, &mut raw[found..]);
        if self.is_direct {
            return;
        }
        for (i, (place, codes)) in self.places.iter().enumerate() {
            let value = raw[found + i];
            raw[*place] = match codes {
                Some(codes) if !value.is_nan() => codes[value as usize],
                _ => value,
            };
        }
        raw.truncate(self.width);
    }
}

/// The model's code for each level of a column; `None` for a number.
fn codes(column: &Column, domain: Option<&Domain>) -> Result<Option<Vec<f64>>, PlanError> {
    let mismatch = |expected| PlanError::ValidationType {
        column: column.name().to_owned(),
        found: match column.kind() {
            ColumnType::Numeric => "numeric",
            ColumnType::Enum => "categorical",
            ColumnType::Time => "time",
            ColumnType::String | ColumnType::Uuid => "text",
        },
        expected,
    };
    match (domain, column.domain()) {
        (None, _) if matches!(column.kind(), ColumnType::Numeric | ColumnType::Time) => Ok(None),
        (None, _) => Err(mismatch("numeric")),
        (Some(domain), Some(levels)) => {
            let code = |level: &String| domain.code(level).map_or(f64::NAN, f64::from);
            Ok(Some(levels.iter().map(code).collect()))
        }
        // A column without any value has no type of its own.
        (Some(_), None) if column.missing_count() == column.len() => Ok(None),
        (Some(_), None) => Err(mismatch("categorical")),
    }
}

fn check_finite(column: &Column) -> Result<(), PlanError> {
    match column.numbers().position(f64::is_infinite) {
        None => Ok(()),
        Some(row) => Err(PlanError::InfiniteValidation {
            column: column.name().to_owned(),
            row: row + 1,
            value: column.number(row),
        }),
    }
}

/// Without the column each row counts once.
fn validation_weights(
    frame: &Frame,
    schema: &Schema,
    warnings: &mut Vec<String>,
) -> Result<Option<Vec<f64>>, PlanError> {
    let Some(name) = &schema.special().weights else { return Ok(None) };
    let Some(column) = frame.column(name) else {
        warnings.push(format!("validation frame: no weights column `{name}`, so each row counts once"));
        return Ok(None);
    };
    special::check_weights(column)?;
    Ok(Some(column.numbers().collect()))
}

fn validation_offsets(frame: &Frame, schema: &Schema) -> Result<Option<Vec<f64>>, PlanError> {
    let Some(name) = &schema.special().offset else { return Ok(None) };
    let column = frame.column(name).ok_or_else(|| PlanError::ValidationWithoutOffset { column: name.clone() })?;
    special::check_numbers("offset_column", column)?;
    Ok(Some(column.numbers().collect()))
}

fn validation_response(frame: &Frame, schema: &Schema) -> Result<Option<Vec<f64>>, PlanError> {
    let Some(response) = schema.response() else { return Ok(None) };
    let named = || response.name.clone();
    let column =
        frame.column(&response.name).ok_or_else(|| PlanError::ValidationWithoutResponse { column: named() })?;
    let codes = codes(column, schema.classes())?;
    check_finite(column)?;
    let known = |y: f64| match &codes {
        Some(codes) if !y.is_nan() => codes[y as usize],
        _ => y,
    };
    let values: Vec<f64> = column.numbers().map(known).collect();
    if values.iter().all(|y| y.is_nan()) {
        return Err(PlanError::ValidationWithoutLabels { column: named() });
    }
    Ok(Some(values))
}
