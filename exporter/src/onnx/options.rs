//! What an ONNX file may be asked to be like.

use model::DeepLearning;

use super::proto::tensor_proto::DataType;

/// How an ONNX file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OnnxOptions {
    /// The precision of its answers.
    pub precision: OnnxPrecision,
    /// What its callers send.
    pub inputs: OnnxInputs,
}

/// The precision of answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnnxPrecision {
    /// Double: the model's answers, but for the last digits.
    #[default]
    F64,
    /// Single: probabilities within 1e-5, from a net of half the size. Where training did not standardise numbers, sums of them
    /// would lose more than that in single precision: there the net itself stays in double.
    F32,
}

/// What callers send.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnnxInputs {
    /// The raw columns, each by its name: texts for levels, doubles for numbers. Needs a runtime with the operators of
    /// `ai.onnx.ml`.
    #[default]
    Columns,
    /// A matrix of level codes and one of numbers, for runtimes that have nothing but ONNX's own operators.
    Matrices,
}

impl OnnxOptions {
    /// What the net computes in.
    pub(super) fn computes_in(self, net: &DeepLearning) -> DataType {
        let standardised = net.layout.numerics == 0 || net.layout.scaling.is_some();
        if standardised { self.precision.element() } else { DataType::Double }
    }
}

impl OnnxPrecision {
    /// Every value.
    pub const ALL: [Self; 2] = [Self::F64, Self::F32];

    /// As in the metadata.
    pub fn name(self) -> &'static str {
        match self {
            Self::F64 => "f64",
            Self::F32 => "f32",
        }
    }

    pub(super) fn element(self) -> DataType {
        match self {
            Self::F64 => DataType::Double,
            Self::F32 => DataType::Float,
        }
    }
}

impl OnnxInputs {
    /// Every value.
    pub const ALL: [Self; 2] = [Self::Columns, Self::Matrices];

    /// As in the metadata.
    pub fn name(self) -> &'static str {
        match self {
            Self::Columns => "columns",
            Self::Matrices => "matrices",
        }
    }
}
