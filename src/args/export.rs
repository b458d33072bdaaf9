//! Flags of `export`.

use std::path::PathBuf;

use clap::{ArgGroup, ValueEnum};
use exporter::{OnnxInputs, OnnxOptions, OnnxPrecision, WeightsFormat};

use super::scorers::{JavaArgs, PythonArgs};

#[derive(Debug, clap::Args)]
#[command(group(ArgGroup::new("targets").required(true).multiple(true)))]
pub struct ExportArgs {
    /// Folder that `train` wrote, or a Deep Learning MOJO, H2O's too
    pub model: PathBuf,
    /// Write a MOJO zip, which H2O's own runtime loads
    #[arg(long, value_name = "FILE", group = "targets")]
    pub mojo: Option<PathBuf>,
    /// Write an ONNX file, which onnxruntime and many others run
    #[arg(long, value_name = "FILE", group = "targets")]
    pub onnx: Option<PathBuf>,
    /// What the ONNX file computes in
    #[arg(long, value_enum, default_value_t = OnnxTypeKind::F64, requires = "onnx")]
    pub onnx_type: OnnxTypeKind,
    /// What callers of the ONNX file send
    #[arg(long, value_enum, default_value_t = OnnxInputsKind::Columns, requires = "onnx")]
    pub onnx_inputs: OnnxInputsKind,
    /// Write source code that scores by itself
    #[arg(long, value_enum, value_name = "LANGUAGE", group = "targets", requires = "output")]
    pub pojo: Option<PojoLanguage>,
    /// Folder to write the source code to
    #[arg(long, value_name = "DIR", requires = "pojo")]
    pub output: Option<PathBuf>,
    /// Name of the class or module, made one that the language accepts [default: that of MODEL]
    #[arg(long, value_name = "NAME", requires = "pojo")]
    pub name: Option<String>,
    /// Make the Java class a model of H2O's runtime, for what takes such classes: h2o-genmodel.jar and all that builds on it
    #[arg(long, requires = "pojo")]
    pub genmodel: bool,
    /// Make the Rust source a crate without std: with a Cargo.toml and a src/lib.rs
    #[arg(long = "crate", requires = "pojo")]
    pub as_crate: bool,
    /// Write a folder with the weights and biases of each layer, tables that are named as H2O names its frames
    #[arg(long, value_name = "DIR", group = "targets")]
    pub weights: Option<PathBuf>,
    /// What the tables of weights are written as
    #[arg(long, value_enum, default_value_t = WeightsFormatKind::Csv, requires = "weights")]
    pub weights_format: WeightsFormatKind,
    /// Write a report, one HTML file with plots that needs nothing else, as train puts it into the folder of a run
    #[arg(long, value_name = "FILE", group = "targets")]
    pub report: Option<PathBuf>,
    #[command(flatten)]
    pub java: JavaArgs,
    #[command(flatten)]
    pub python: PythonArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OnnxTypeKind {
    /// Double precision: the model's answers to 9 digits
    F64,
    /// Single precision: half the size, probabilities to 5 digits
    F32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OnnxInputsKind {
    /// The raw columns by their names: texts for levels, doubles for numbers
    Columns,
    /// A matrix of level codes and one of numbers, in ONNX's own operators alone: for tract, onnx2c and other small runtimes
    Matrices,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum WeightsFormatKind {
    /// Text, a file a table, which train --initial-weights and --initial-biases take
    Csv,
    /// Apache Parquet, a file a table
    Parquet,
    /// One file of tensors
    Safetensors,
}

impl WeightsFormatKind {
    pub fn format(self) -> WeightsFormat {
        match self {
            Self::Csv => WeightsFormat::Csv,
            Self::Parquet => WeightsFormat::Parquet,
            Self::Safetensors => WeightsFormat::Safetensors,
        }
    }
}

impl ExportArgs {
    pub fn onnx_options(&self) -> OnnxOptions {
        OnnxOptions {
            precision: match self.onnx_type {
                OnnxTypeKind::F64 => OnnxPrecision::F64,
                OnnxTypeKind::F32 => OnnxPrecision::F32,
            },
            inputs: match self.onnx_inputs {
                OnnxInputsKind::Columns => OnnxInputs::Columns,
                OnnxInputsKind::Matrices => OnnxInputs::Matrices,
            },
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PojoLanguage {
    /// A class for Java 8 and later that needs nothing else
    Java,
    /// A file for Rust of any edition from 2018 on that needs nothing but core
    Rust,
}
