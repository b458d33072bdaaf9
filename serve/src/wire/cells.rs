//! The columns of Arrow and Parquet, as the features that they are.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Date64Type, Decimal128Type, DurationMicrosecondType, DurationMillisecondType,
    DurationNanosecondType, DurationSecondType, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type,
    Int64Type, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, Schema, TimeUnit};

use crate::error::ServeError;
use crate::service::{Scoring, Value};

/// Which column is which feature.
pub(super) struct Columns {
    places: Vec<Option<usize>>,
}

impl Columns {
    /// Finds the model's columns, and checks that their types can be scored.
    pub fn bind(schema: &Schema, scoring: &mut Scoring) -> Result<Self, ServeError> {
        let places = scoring.bind(schema.fields().iter().map(|field| field.name().as_str()))?;
        for (field, _) in schema.fields().iter().zip(&places).filter(|(_, place)| place.is_some()) {
            if !is_scored(field.data_type()) {
                let found = field.data_type().to_string().split('(').next().unwrap_or_default().to_owned();
                return Err(ServeError::ColumnType { column: field.name().clone(), found });
            }
        }
        Ok(Self { places })
    }

    pub fn places(&self) -> &[Option<usize>] {
        &self.places
    }

    /// The same for a table that has only the columns that the model reads.
    pub fn projected(self) -> Self {
        Self { places: self.places.into_iter().flatten().map(Some).collect() }
    }

    /// Sets the features of a block to the rows of a batch.
    pub fn fill(&self, batch: &RecordBatch, scoring: &mut Scoring) -> Result<(), ServeError> {
        let columns = batch.columns().iter().zip(&self.places);
        columns
            .filter_map(|(array, place)| Some((array, (*place)?)))
            .try_for_each(|(array, feature)| column(array.as_ref(), feature, scoring))
    }
}

fn is_scored(kind: &DataType) -> bool {
    use DataType as Type;
    match kind {
        Type::Dictionary(_, values) => is_text(values),
        Type::Decimal32(..) | Type::Decimal64(..) | Type::Decimal256(..) => false,
        Type::Null | Type::Boolean | Type::Date32 | Type::Date64 | Type::Timestamp(..) | Type::Duration(_) => true,
        kind => is_text(kind) || kind.is_numeric(),
    }
}

fn is_text(kind: &DataType) -> bool {
    matches!(kind, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

/// Sets a feature to the values of an array.
fn column(array: &dyn Array, feature: usize, scoring: &mut Scoring) -> Result<(), ServeError> {
    const DAY: f64 = 86_400_000.0;
    use DataType as Type;
    macro_rules! numbers {
        ($kind:ty, $convert:expr) => {
            numbers::<$kind>(array, feature, scoring, $convert)
        };
    }
    macro_rules! whole {
        ($kind:ty) => {
            whole::<$kind>(array, feature, scoring)
        };
    }
    match array.data_type() {
        Type::Boolean => {
            scoring.cells(feature, array.as_boolean().iter().map(|value| value.map_or(Value::Missing, Value::Bool)))
        }
        Type::Int8 => whole!(Int8Type),
        Type::Int16 => whole!(Int16Type),
        Type::Int32 => whole!(Int32Type),
        Type::Int64 => whole!(Int64Type),
        Type::UInt8 => whole!(UInt8Type),
        Type::UInt16 => whole!(UInt16Type),
        Type::UInt32 => whole!(UInt32Type),
        Type::UInt64 => whole!(UInt64Type),
        Type::Float16 => numbers!(Float16Type, f64::from),
        Type::Float32 => numbers!(Float32Type, f64::from),
        Type::Float64 => numbers!(Float64Type, |value| value),
        Type::Decimal128(_, scale) => {
            let power = -i32::from(*scale);
            // Decimals, each rounded once.
            numbers!(Decimal128Type, |digits| format!("{digits}e{power}").parse().unwrap_or(f64::NAN))
        }
        Type::Date32 => numbers!(Date32Type, |days| f64::from(days) * DAY),
        Type::Date64 => numbers!(Date64Type, |millis| millis as f64),
        Type::Timestamp(TimeUnit::Second, _) => numbers!(TimestampSecondType, |seconds| seconds as f64 * 1e3),
        Type::Timestamp(TimeUnit::Millisecond, _) => numbers!(TimestampMillisecondType, |millis| millis as f64),
        Type::Timestamp(TimeUnit::Microsecond, _) => {
            numbers!(TimestampMicrosecondType, |micros| micros.div_euclid(1000) as f64)
        }
        Type::Timestamp(TimeUnit::Nanosecond, _) => {
            numbers!(TimestampNanosecondType, |nanos| nanos.div_euclid(1_000_000) as f64)
        }
        Type::Duration(TimeUnit::Second) => numbers!(DurationSecondType, |seconds| seconds as f64 * 1e3),
        Type::Duration(TimeUnit::Millisecond) => numbers!(DurationMillisecondType, |millis| millis as f64),
        Type::Duration(TimeUnit::Microsecond) => numbers!(DurationMicrosecondType, |micros| micros as f64 / 1e3),
        Type::Duration(TimeUnit::Nanosecond) => numbers!(DurationNanosecondType, |nanos| nanos as f64 / 1e6),
        Type::Utf8 => scoring.cells(feature, array.as_string::<i32>().iter().map(text)),
        Type::LargeUtf8 => scoring.cells(feature, array.as_string::<i64>().iter().map(text)),
        Type::Utf8View => scoring.cells(feature, array.as_string_view().iter().map(text)),
        Type::Dictionary(..) => dictionary(array, feature, scoring),
        // Nothing but nulls: the block begins with them.
        _ => Ok(()),
    }
}

fn text(value: Option<&str>) -> Value<'_> {
    value.map_or(Value::Missing, Value::Text)
}

fn numbers<T: ArrowPrimitiveType>(
    array: &dyn Array,
    feature: usize,
    scoring: &mut Scoring,
    convert: impl Fn(T::Native) -> f64,
) -> Result<(), ServeError> {
    let values = array.as_primitive::<T>();
    if values.null_count() == 0 {
        scoring.numbers(feature, values.values().iter().map(|&value| convert(value)))
    } else {
        scoring.numbers(feature, values.iter().map(|value| value.map_or(f64::NAN, &convert)))
    }
}

/// Whole numbers, which as names of levels keep every digit.
fn whole<T: ArrowPrimitiveType<Native: Into<i128>>>(
    array: &dyn Array,
    feature: usize,
    scoring: &mut Scoring,
) -> Result<(), ServeError> {
    if scoring.is_numeric(feature) {
        return numbers::<T>(array, feature, scoring, |value| value.into() as f64);
    }
    let value = |value: Option<T::Native>| value.map_or(Value::Missing, |value| Value::Integer(value.into()));
    scoring.cells(feature, array.as_primitive::<T>().iter().map(value))
}

/// The texts that the keys of a dictionary stand for.
fn dictionary(array: &dyn Array, feature: usize, scoring: &mut Scoring) -> Result<(), ServeError> {
    let dictionary = array.as_any_dictionary();
    let values = dictionary.values().as_ref();
    if values.is_empty() {
        return Ok(());
    }
    let values: Vec<Option<&str>> = match values.data_type() {
        DataType::Utf8 => values.as_string::<i32>().iter().collect(),
        DataType::LargeUtf8 => values.as_string::<i64>().iter().collect(),
        _ => values.as_string_view_opt().map(|values| values.iter().collect()).unwrap_or_default(),
    };
    let keys = dictionary.keys();
    let normalized = dictionary.normalized_keys();
    let value = |row: usize| values.get(normalized[row]).copied().flatten().filter(|_| keys.is_valid(row));
    scoring.cells(feature, (0..array.len()).map(|row| text(value(row))))
}
