//! What is in a tensor.

use std::borrow::Cow;

use half::f16;

use super::invalid;
use crate::error::ServeError;
use crate::registry::ServedModel;
use crate::service::{Scoring, Value};
use crate::wire::Element;

/// The type of the elements of a tensor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Datatype {
    Bool,
    Uint8,
    Uint16,
    Uint32,
    Uint64,
    Int8,
    Int16,
    Int32,
    Int64,
    Fp16,
    Fp32,
    Fp64,
    Bytes,
}

/// A tensor of a request.
#[derive(Debug)]
pub(super) struct Tensor<'a> {
    pub name: Cow<'a, str>,
    pub datatype: Datatype,
    pub shape: Vec<usize>,
    /// Whether each element is a row in JSON.
    pub is_json: bool,
    pub elements: Elements<'a>,
}

/// The elements of a tensor, row by row.
#[derive(Debug)]
pub(super) enum Elements<'a> {
    /// Little-endian, of a type of fixed size.
    Raw(&'a [u8]),
    Numbers(Vec<f64>),
    Values(Vec<Element<'a>>),
}

impl Datatype {
    const ALL: [(Self, &'static str); 13] = [
        (Self::Bool, "BOOL"),
        (Self::Uint8, "UINT8"),
        (Self::Uint16, "UINT16"),
        (Self::Uint32, "UINT32"),
        (Self::Uint64, "UINT64"),
        (Self::Int8, "INT8"),
        (Self::Int16, "INT16"),
        (Self::Int32, "INT32"),
        (Self::Int64, "INT64"),
        (Self::Fp16, "FP16"),
        (Self::Fp32, "FP32"),
        (Self::Fp64, "FP64"),
        (Self::Bytes, "BYTES"),
    ];

    pub fn named(name: &str, tensor: &str) -> Result<Self, ServeError> {
        let found = Self::ALL.iter().find(|(_, known)| *known == name).map(|(datatype, _)| *datatype);
        found.ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|(_, name)| *name).collect();
            invalid(format!("input `{tensor}`: datatype: expected one of {}", names.join(", ")))
        })
    }

    /// Bytes of an element; `None` where that depends on it.
    fn size(self) -> Option<usize> {
        Some(match self {
            Self::Bool | Self::Uint8 | Self::Int8 => 1,
            Self::Uint16 | Self::Int16 | Self::Fp16 => 2,
            Self::Uint32 | Self::Int32 | Self::Fp32 => 4,
            Self::Uint64 | Self::Int64 | Self::Fp64 => 8,
            Self::Bytes => return None,
        })
    }
}

impl<'a> Elements<'a> {
    /// The elements in so many bytes.
    pub fn raw(bytes: &'a [u8], datatype: Datatype, name: &str) -> Result<Self, ServeError> {
        if let Some(size) = datatype.size() {
            if !bytes.len().is_multiple_of(size) {
                return Err(invalid(format!("input `{name}`: its bytes are no whole number of elements")));
            }
            return Ok(Self::Raw(bytes));
        }
        let mut texts = Vec::new();
        let mut rest = bytes;
        while !rest.is_empty() {
            let text = rest
                .split_first_chunk::<4>()
                .and_then(|(length, more)| more.split_at_checked(u32::from_le_bytes(*length) as usize));
            let Some((text, more)) = text else {
                return Err(invalid(format!("input `{name}`: its last element breaks off")));
            };
            texts.push(element_of_bytes(text, name)?);
            rest = more;
        }
        Ok(Self::Values(texts))
    }

    fn len(&self, datatype: Datatype) -> usize {
        match self {
            Self::Raw(bytes) => bytes.len() / datatype.size().unwrap_or(1),
            Self::Numbers(numbers) => numbers.len(),
            Self::Values(values) => values.len(),
        }
    }
}

/// A text of a BYTES tensor.
pub(super) fn element_of_bytes<'a>(bytes: &'a [u8], name: &str) -> Result<Element<'a>, ServeError> {
    let text = std::str::from_utf8(bytes).map_err(|_| invalid(format!("input `{name}`: an element is not UTF-8")))?;
    Ok(Element::Text(Cow::Borrowed(text)))
}

impl<'a> Tensor<'a> {
    /// A tensor whose elements are as many as its shape says.
    pub fn new(
        name: Cow<'a, str>,
        datatype: Datatype,
        shape: &[i64],
        elements: Elements<'a>,
    ) -> Result<Self, ServeError> {
        let sizes: Option<Vec<usize>> = shape.iter().map(|&size| usize::try_from(size).ok()).collect();
        let count = |shape: &Vec<usize>| shape.iter().try_fold(1_usize, |count, &size| count.checked_mul(size));
        let found = elements.len(datatype);
        match sizes {
            Some(shape) if !shape.is_empty() && count(&shape) == Some(found) => {
                Ok(Self { name, datatype, shape, is_json: false, elements })
            }
            _ => Err(invalid(format!("input `{name}`: shape {shape:?} is not that of its {found} elements"))),
        }
    }

    /// Rows of the table.
    pub fn rows(&self) -> usize {
        self.shape[0]
    }

    /// Elements of a row.
    pub fn width(&self) -> usize {
        self.shape[1..].iter().product()
    }

    /// Sets a feature in a block of rows to one column of the tensor. Where codes stand for levels -1 is missing.
    pub fn fill(
        &self,
        scoring: &mut Scoring,
        feature: usize,
        column: usize,
        block: std::ops::Range<usize>,
        codes: bool,
    ) -> Result<(), ServeError> {
        let width = self.width();
        let stride =
            move |length: usize| (block.start * width + column..length.min(block.end * width)).step_by(width.max(1));
        match &self.elements {
            Elements::Raw(bytes) => self.fill_raw(bytes, scoring, feature, stride, codes),
            Elements::Numbers(numbers) => set(scoring, feature, stride(numbers.len()).map(|at| numbers[at]), codes),
            Elements::Values(values) if codes => {
                let number = |value: &Element<'_>| match *value {
                    Element::Number(number) => number,
                    Element::Integer(number) => number as f64,
                    Element::Bool(value) => f64::from(u8::from(value)),
                    Element::Missing | Element::Text(_) => f64::NAN,
                };
                set(scoring, feature, stride(values.len()).map(|at| number(&values[at])), true)
            }
            Elements::Values(values) => {
                let served = std::sync::Arc::clone(scoring.served());
                let empty_is_level = knows_empty(&served, feature);
                let value = |at: usize| match values[at].value() {
                    Value::Text("") if !empty_is_level => Value::Missing,
                    value => value,
                };
                scoring.cells(feature, stride(values.len()).map(value))
            }
        }
    }

    fn fill_raw<I: Iterator<Item = usize>>(
        &self,
        bytes: &[u8],
        scoring: &mut Scoring,
        feature: usize,
        stride: impl Fn(usize) -> I,
        codes: bool,
    ) -> Result<(), ServeError> {
        macro_rules! numbers {
            ($kind:ty, $convert:expr) => {{
                let (elements, _) = bytes.as_chunks::<{ size_of::<$kind>() }>();
                let number = |at: usize| $convert(<$kind>::from_le_bytes(elements[at]));
                set(scoring, feature, stride(elements.len()).map(number), codes)
            }};
        }
        // As names of levels whole numbers keep every digit.
        macro_rules! whole {
            ($kind:ty, $convert:expr) => {{
                if codes || scoring.is_numeric(feature) {
                    return numbers!($kind, $convert);
                }
                let (elements, _) = bytes.as_chunks::<{ size_of::<$kind>() }>();
                let value = |at: usize| Value::Integer(<$kind>::from_le_bytes(elements[at]).into());
                scoring.cells(feature, stride(elements.len()).map(value))
            }};
        }
        match self.datatype {
            Datatype::Bool if codes => numbers!(u8, |value| f64::from(u8::from(value != 0))),
            Datatype::Bool => scoring.cells(feature, stride(bytes.len()).map(|at| Value::Bool(bytes[at] != 0))),
            Datatype::Uint8 => whole!(u8, f64::from),
            Datatype::Uint16 => whole!(u16, f64::from),
            Datatype::Uint32 => whole!(u32, f64::from),
            Datatype::Uint64 => whole!(u64, |value| value as f64),
            Datatype::Int8 => whole!(i8, f64::from),
            Datatype::Int16 => whole!(i16, f64::from),
            Datatype::Int32 => whole!(i32, f64::from),
            Datatype::Int64 => whole!(i64, |value| value as f64),
            Datatype::Fp16 => numbers!(f16, f64::from),
            Datatype::Fp32 => numbers!(f32, f64::from),
            Datatype::Fp64 => numbers!(f64, std::convert::identity),
            // Their elements are of no fixed size, so they are never raw here.
            Datatype::Bytes => Ok(()),
        }
    }
}

fn set(
    scoring: &mut Scoring,
    feature: usize,
    numbers: impl Iterator<Item = f64>,
    codes: bool,
) -> Result<(), ServeError> {
    if codes && !scoring.is_numeric(feature) {
        return scoring.codes(feature, numbers.map(|code| if code == -1.0 { f64::NAN } else { code }));
    }
    scoring.numbers(feature, numbers)
}

/// Whether the empty text is a level.
fn knows_empty(served: &ServedModel, feature: usize) -> bool {
    let domain = &served.model().schema.features()[feature].domain;
    domain.as_ref().is_some_and(|domain| domain.code("").is_some())
}
