use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type,
    DurationMicrosecondType, DurationMillisecondType, DurationNanosecondType, DurationSecondType, Float16Type,
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, Time32MillisecondType, Time32SecondType,
    Time64MicrosecondType, Time64NanosecondType, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, PrimitiveArray};
use arrow_schema::{DataType, TimeUnit};

use super::kinds::Content;

/// The cells of a column by their row; `None` where there is no value.
pub enum Cells<'a> {
    /// Times are milliseconds since 1970.
    Numbers(Number<'a>),
    Texts(Text<'a>),
}

impl<'a> Cells<'a> {
    /// What is in a column that holds such content.
    pub fn new(array: &'a ArrayRef, content: Content) -> Self {
        match content {
            Content::Numbers | Content::Times => Self::Numbers(numbers(array)),
            Content::Texts | Content::Levels => Self::Texts(texts(array)),
        }
    }
}

type Number<'a> = Box<dyn Fn(usize) -> Option<f64> + 'a>;

fn numbers(array: &ArrayRef) -> Number<'_> {
    use DataType as Type;
    const MILLIS_OF_DAY: f64 = 86_400_000.0;
    match array.data_type() {
        Type::Boolean => {
            let truths = array.as_boolean();
            Box::new(|row| truths.is_valid(row).then(|| f64::from(u8::from(truths.value(row)))))
        }
        Type::Int8 => primitive::<Int8Type>(array, f64::from),
        Type::Int16 => primitive::<Int16Type>(array, f64::from),
        Type::Int32 => primitive::<Int32Type>(array, f64::from),
        Type::Int64 => primitive::<Int64Type>(array, |value| value as f64),
        Type::UInt8 => primitive::<UInt8Type>(array, f64::from),
        Type::UInt16 => primitive::<UInt16Type>(array, f64::from),
        Type::UInt32 => primitive::<UInt32Type>(array, f64::from),
        Type::UInt64 => primitive::<UInt64Type>(array, |value| value as f64),
        Type::Float16 => primitive::<Float16Type>(array, f64::from),
        Type::Float32 => primitive::<Float32Type>(array, f64::from),
        Type::Float64 => primitive::<Float64Type>(array, |value| value),
        Type::Decimal32(_, scale) => decimals::<Decimal32Type>(array, *scale),
        Type::Decimal64(_, scale) => decimals::<Decimal64Type>(array, *scale),
        Type::Decimal128(_, scale) => decimals::<Decimal128Type>(array, *scale),
        Type::Decimal256(_, scale) => decimals::<Decimal256Type>(array, *scale),
        Type::Date32 => primitive::<Date32Type>(array, |days| f64::from(days) * MILLIS_OF_DAY),
        Type::Date64 => primitive::<Date64Type>(array, |millis| millis as f64),
        Type::Timestamp(unit, _) => match unit {
            TimeUnit::Second => primitive::<TimestampSecondType>(array, |seconds| seconds as f64 * 1000.0),
            TimeUnit::Millisecond => primitive::<TimestampMillisecondType>(array, |millis| millis as f64),
            TimeUnit::Microsecond => {
                primitive::<TimestampMicrosecondType>(array, |micros| micros.div_euclid(1000) as f64)
            }
            TimeUnit::Nanosecond => {
                primitive::<TimestampNanosecondType>(array, |nanos| nanos.div_euclid(1_000_000) as f64)
            }
        },
        Type::Time32(TimeUnit::Second) => primitive::<Time32SecondType>(array, |seconds| f64::from(seconds) * 1000.0),
        Type::Time32(_) => primitive::<Time32MillisecondType>(array, f64::from),
        Type::Time64(TimeUnit::Microsecond) => primitive::<Time64MicrosecondType>(array, |micros| micros as f64 / 1e3),
        Type::Time64(_) => primitive::<Time64NanosecondType>(array, |nanos| nanos as f64 / 1e6),
        Type::Duration(unit) => match unit {
            TimeUnit::Second => primitive::<DurationSecondType>(array, |seconds| seconds as f64 * 1000.0),
            TimeUnit::Millisecond => primitive::<DurationMillisecondType>(array, |millis| millis as f64),
            TimeUnit::Microsecond => primitive::<DurationMicrosecondType>(array, |micros| micros as f64 / 1e3),
            TimeUnit::Nanosecond => primitive::<DurationNanosecondType>(array, |nanos| nanos as f64 / 1e6),
        },
        Type::Dictionary(..) => by_key(array, numbers),
        _ => Box::new(|_| None),
    }
}

fn primitive<T: ArrowPrimitiveType>(array: &ArrayRef, convert: impl Fn(T::Native) -> f64 + 'static) -> Number<'_> {
    let values: &PrimitiveArray<T> = array.as_primitive();
    let number = move |row| convert(values.value(row));
    Box::new(move |row| values.is_valid(row).then(|| number(row)).filter(|value| !value.is_nan()))
}

/// Decimals, each rounded once.
fn decimals<T: ArrowPrimitiveType<Native: std::fmt::Display>>(array: &ArrayRef, scale: i8) -> Number<'_> {
    let values: &PrimitiveArray<T> = array.as_primitive();
    Box::new(move |row| {
        let digits = values.is_valid(row).then(|| values.value(row))?;
        format!("{digits}e{}", -i32::from(scale)).parse().ok()
    })
}

type Text<'a> = Box<dyn Fn(usize) -> Option<&'a [u8]> + 'a>;

fn texts(array: &ArrayRef) -> Text<'_> {
    macro_rules! values {
        ($array:expr, $bytes:expr) => {{
            let values = $array;
            let bytes = $bytes;
            Box::new(move |row| values.is_valid(row).then(|| bytes(values.value(row))))
        }};
    }
    match array.data_type() {
        DataType::Utf8 => values!(array.as_string::<i32>(), str::as_bytes),
        DataType::LargeUtf8 => values!(array.as_string::<i64>(), str::as_bytes),
        DataType::Utf8View => values!(array.as_string_view(), str::as_bytes),
        DataType::Binary => values!(array.as_binary::<i32>(), std::convert::identity),
        DataType::LargeBinary => values!(array.as_binary::<i64>(), std::convert::identity),
        DataType::BinaryView => values!(array.as_binary_view(), std::convert::identity),
        DataType::FixedSizeBinary(_) => values!(array.as_fixed_size_binary(), std::convert::identity),
        DataType::Dictionary(..) => by_key(array, texts),
        _ => Box::new(|_| None),
    }
}

/// The cells of a dictionary, whose rows are keys of its values.
fn by_key<'a, T: 'a>(
    array: &'a ArrayRef,
    cells: impl Fn(&'a ArrayRef) -> Box<dyn Fn(usize) -> Option<T> + 'a>,
) -> Box<dyn Fn(usize) -> Option<T> + 'a> {
    let dictionary = array.as_any_dictionary();
    if dictionary.values().is_empty() {
        return Box::new(|_| None);
    }
    let (keys, values) = (dictionary.normalized_keys(), cells(dictionary.values()));
    Box::new(move |row| dictionary.keys().is_valid(row).then(|| keys[row]).and_then(&values))
}
