//! ONNX: a model as a graph of standard operators, which onnxruntime and many others run.
//!
//! The messages of the format are in `proto/onnx.proto`, under the official numbers. Files are of IR version 8, with ONNX's own
//! operators at version 17 and, where columns come by name, those of `ai.onnx.ml` at version 3.
//!
//! # Inputs
//!
//! The first dimension of every input and output, `batch`, runs over the rows.
//!
//! | [`OnnxInputs`] | inputs | a missing number | a missing level |
//! |---|---|---|---|
//! | `Columns` | each column by its name, a value for each row: `string[batch, 1]` for levels, `double[batch, 1]` for numbers | NaN | any text that is no level, such as an empty one |
//! | `Matrices` | `codes`, `int64[batch, …]`: the place of each level in its column, counted from 0. `numbers`, `double[batch, …]` or `float`: the numeric columns. Both in the order of `aqueduct.columns`, and left out where they would be empty | NaN | any code that is none, such as -1 |
//!
//! Texts are compared as they stand; a level `column.level` is also found as `level`, as in H2O's runtime. With the `Binary` encoding
//! a missing level is something else than a text that is no level: there an empty text, `NA`, `N/A` and `-` are missing, unless
//! they are levels, and of codes those below 0. Where a name was lost, or two columns have one, no input is for the column, and
//! it is missing in every row.
//!
//! # Outputs
//!
//! | category | outputs |
//! |---|---|
//! | Binomial, Multinomial | `label`, `string[batch]` by name or `int64[batch]` by place among the classes; `probabilities`, `[batch, classes]` |
//! | Regression | `predict`, `[batch, 1]` |
//! | `AutoEncoder` | `reconstruction`, `[batch, inputs of the net]`; `mse`, `[batch, 1]`, which is NaN where a number is missing |
//!
//! Where a column has the name of an output, the output has an underscore more. A row of which a probability is not a number has
//! the label of an empty text, or the number of classes. Two differences from H2O's runtime: of classes of equal probability
//! the first is the label, where the runtime draws one by the bits of the row; and a probability that rounding has brought just
//! below the threshold still tells the second class.
//!
//! # The graph
//!
//! A level looks up its row of the first layer's weights: what a one-hot vector would be multiplied by. Levels that an encoding
//! makes numbers look up those. Numbers are scaled in double precision, `(x - sub) * mul`, or in two steps of single precision, and
//! are 0 where they are missing. The weights of a layer are multiplied by the share of units that dropout left in the layer below.
//! A Maxout layer has the weights of all first channels before those of the second ones.
//!
//! # Metadata
//!
//! | key | value |
//! |---|---|
//! | `aqueduct.version` | `1`: the version of what follows |
//! | `aqueduct.category`, `aqueduct.uuid`, `aqueduct.timestamp` | as in the MOJO of the same model |
//! | `aqueduct.precision`, `aqueduct.inputs` | `f64` or `f32`; `columns` or `matrices` |
//! | `aqueduct.columns` | in the order of the model, `[{"name": …, "levels": […], "missing": …}]`: no levels for numbers; the text for a missing level |
//! | `aqueduct.response`, `aqueduct.classes`, `aqueduct.threshold` | its name; the classes, `[…]`; the threshold of two classes |
//! | `aqueduct.outputs` | for each number of an answer `{"name": …, "unit": …}`: its column in a table of predictions, and, if not 1, a standard deviation of what it is |
//! | `aqueduct.golden` | rows, with the answers that the model gave |
//!
//! All of them are JSON, but for texts and numbers that stand alone. The same model makes the same bytes.

mod answers;
mod error;
mod graph;
mod inputs;
mod levels;
mod metadata;
mod network;
mod numbers;
mod options;
mod reader;
mod writer;

/// No message of protobuf is longer, and so no file.
const MOST_BYTES: usize = i32::MAX as usize;

/// The messages of the format.
mod proto {
    #![expect(clippy::doc_markdown, clippy::trivially_copy_pass_by_ref, reason = "generated")]
    include!("proto/onnx.rs");
}

pub use error::{OnnxReadError, OnnxWriteError};
pub(crate) use inputs::{CODES, NUMBERS};
pub(crate) use metadata::OnnxColumn;
pub use options::{OnnxInputs, OnnxOptions, OnnxPrecision};
pub use reader::{OnnxFile, read_onnx};
pub(crate) use writer::check;
pub use writer::write_onnx;

#[cfg(test)]
mod tests;
