//! A frame as the model sees it: rows of the model's own columns, and the response.

use model::{Domain, Encoding, Model, Schema, listed};

use super::PlanError;
use super::encoding::{self, Adaptation, LevelValues, OwnColumn};
use super::response::ResponseColumn;
use super::special::{self, Special};
use crate::frame::{Column, ColumnType, Frame, RowReader};

/// Rows and responses.
#[derive(Debug)]
pub(crate) struct Rows<'f> {
    reader: RowReader<'f>,
    /// For each column of the reader its place in a row, and what is in place of its levels.
    places: Vec<(usize, Option<LevelValues>)>,
    /// What a row has where the frame has no column.
    absent: Vec<f64>,
    /// Whether the columns of the reader are a row as they stand.
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
        columns: &[OwnColumn<'f>],
        response: Option<&ResponseColumn<'f>>,
        special: Special,
    ) -> Self {
        let numbers = |index: Option<usize>| Some(frame.columns()[index?].numbers().collect());
        Self {
            reader: frame.row_reader(&columns.iter().map(|own| own.index).collect::<Vec<_>>()),
            places: columns.iter().map(|own| own.levels.clone()).enumerate().collect(),
            absent: vec![f64::NAN; columns.len()],
            is_direct: columns.iter().all(|own| own.levels.is_none()),
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
        encoding: &Encoding,
        adaptation: Adaptation,
        sparse: bool,
        warnings: &mut Vec<String>,
    ) -> Result<Self, PlanError> {
        let (mut indices, mut places, mut absent) = (Vec::new(), Vec::new(), Vec::new());
        let features = schema.features();
        let first = encoding.first_columns(features);
        let mut of_absent = vec![if sparse { 0.0 } else { f64::NAN }; encoding.columns(features).len()];
        for (place, (feature, &first)) in features.iter().zip(&first).enumerate() {
            let Some(index) = frame.index_of(&feature.name) else {
                absent.push(feature.name.clone());
                if feature.domain.is_some() && *encoding == Encoding::Binary {
                    let bits = encoding.columns(std::slice::from_ref(feature)).len();
                    of_absent[first..first + bits].fill(0.0);
                }
                continue;
            };
            let column = &frame.columns()[index];
            check_type(column, feature.domain.as_ref())?;
            check_finite(column)?;
            if let (Some(domain), Some(levels)) = (&feature.domain, column.domain()) {
                encoding::check_other_levels(encoding, column, domain)?;
                let unseen = levels.iter().filter(|level| domain.code(level).is_none()).count();
                if unseen > 0 {
                    warnings.push(unseen_warning(&feature.name, unseen, encoding));
                }
            }
            let own_columns = encoding::own_columns(encoding, features, place, index, column, adaptation);
            for (place, own) in (first..).zip(own_columns) {
                indices.push(own.index);
                places.push((place, own.levels));
            }
        }
        if indices.is_empty() {
            return Err(PlanError::ValidationWithoutPredictors);
        }
        if !absent.is_empty() {
            let count_as = if sparse { "zero" } else { "missing" };
            warnings.push(format!("validation frame: no column {}, which counts as {count_as}", listed(&absent)));
        }
        let response = validation_response(frame, schema)?;
        let reader = frame.row_reader(&indices);
        let weights = validation_weights(frame, schema, warnings)?;
        let offsets = validation_offsets(frame, schema)?;
        Ok(Self {
            reader,
            places,
            absent: of_absent,
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

    /// Sets `values` to the model's own columns of a row.
    pub fn read(&self, row: usize, values: &mut Vec<f64>) {
        values.clear();
        let row = self.taken.as_ref().map_or(row, |taken| taken[row] as usize);
        if self.is_direct {
            values.resize(self.places.len(), f64::NAN);
            self.reader.read(row, values);
            return;
        }
        values.extend(&self.absent);
        // Found values go behind the row for a moment.
        let width = values.len();
        values.resize(width + self.places.len(), f64::NAN);
        self.reader.read(row, &mut values[width..]);
        for (i, (place, levels)) in self.places.iter().enumerate() {
            let value = values[width + i];
            values[*place] = levels.as_ref().map_or(value, |levels| levels.value(value));
        }
        values.truncate(width);
    }
}

/// The model's own columns in every row of a frame that has its response, by the rules of H2O's cluster, for
/// [`Model::score_columns`]. `predict` and every artifact go by those of the runtime instead.
pub fn frame_rows(model: &Model, frame: &Frame) -> Result<Vec<Vec<f64>>, PlanError> {
    let (schema, encoding) = (&model.schema, &model.encoding);
    let rows = Rows::of_validation(frame, schema, encoding, Adaptation::ByName, false, &mut Vec::new())?;
    let read = |row| {
        let mut values = Vec::new();
        rows.read(row, &mut values);
        values
    };
    Ok((0..rows.len()).map(read).collect())
}

fn unseen_warning(column: &str, unseen: usize, encoding: &Encoding) -> String {
    let count_as = match encoding {
        Encoding::Auto => "they count as missing",
        Encoding::EnumLimited { .. } => "frequent ones count as missing",
        Encoding::Binary | Encoding::LabelEncoder => "they are encoded like levels that follow those of training",
        Encoding::Eigen { .. } => "they take part in the projection, which H2O makes anew for each frame",
    };
    format!("validation frame: column `{column}` has {unseen} levels that training has not; {count_as}")
}

/// Refuses numbers for levels and levels for numbers.
fn check_type(column: &Column, domain: Option<&Domain>) -> Result<(), PlanError> {
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
    match (domain, column.kind()) {
        (None, ColumnType::Numeric | ColumnType::Time) | (Some(_), ColumnType::Enum) => Ok(()),
        (None, _) => Err(mismatch("numeric")),
        // A column without any value has no type of its own.
        (Some(_), _) if column.missing_count() == column.len() => Ok(()),
        (Some(_), _) => Err(mismatch("categorical")),
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
    check_type(column, schema.classes())?;
    check_finite(column)?;
    let values: Vec<f64> = match (schema.classes(), column.domain()) {
        (Some(classes), Some(levels)) => {
            let code = |level: &String| classes.code(level).map_or(f64::NAN, f64::from);
            let levels = LevelValues { of_code: levels.iter().map(code).collect(), missing: f64::NAN };
            column.numbers().map(|code| levels.value(code)).collect()
        }
        _ => column.numbers().collect(),
    };
    if values.iter().all(|y| y.is_nan()) {
        return Err(PlanError::ValidationWithoutLabels { column: named() });
    }
    Ok(Some(values))
}
