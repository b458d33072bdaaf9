//! What a trained model *is*: its columns, how a row becomes the inputs of a net, the net, and what its outputs mean.
//! No files, no threads, no randomness: the trainer fills a [`Model`], the exporter writes and reads it, the server and
//! the command ask it for a [`Prediction`], and all of them get the same bits.
//!
//! Read [`Schema`] first, then `encoding` (rows to inputs), `network` and `dense` (the forward pass and its order of
//! additions), `kernel` (the same at full speed), `deep_learning` (outputs to predictions), `label` (probabilities to a
//! class) and `contributions` (what each column has to do with it).
//!
//! ```
//! use model::{Cell, Domain, Encoding, Feature, Remark};
//!
//! let state = Feature { name: "state".into(), domain: Some(Domain::new(vec!["CA".into(), "NY".into()])) };
//! assert_eq!(Encoding::Auto.raw_value(&state, Cell::Text("NY")), (1.0, None));
//! let (value, remark) = Encoding::Auto.raw_value(&state, Cell::Text("ZZ"));
//! assert!(value.is_nan() && remark == Some(Remark::UnseenLevel));
//! ```

mod activation;
mod contributions;
mod deep_learning;
mod dense;
mod distribution;
mod encoding;
mod figures;
mod importance;
mod insight;
mod java_number;
mod kernel;
mod label;
mod listing;
mod math;
mod mended;
mod metrics;
mod model;
mod network;
mod number;
mod profile;
mod round_step;
mod schema;
mod shape;

pub use activation::{Activation, Nonlinearity, UnknownActivation};
pub use contributions::{ContributionFormat, ExplainError, ExplainOptions, ExplainWorkspace, Explainer};
pub use deep_learning::{DeepLearning, ResponseScaling, scaled_offset, softmax};
pub use dense::{dot, dot_two_channels};
pub use distribution::{Distribution, Shape, UnknownDistribution, capped_exp, capped_ln};
pub use encoding::{
    Cell, Encoding, FrameEncoder, Hashing, InputLayout, LimitedLevels, Remark, Scaling, number_of_label,
};
pub use figures::Figures;
pub use importance::gedeon;
pub use java_number::{JavaNumber, parse_java_double};
pub use kernel::Terms;
pub use label::Labelling;
pub use listing::listed;
pub use math::{EXP_SOURCE, exp, exp_powers, ln};
pub use metrics::{
    AucMean, AucRow, AutoEncoderAccumulator, AutoEncoderMetrics, AutoEncoderReport, BinomialAccumulator,
    BinomialMetrics, BinomialReport, ConfusionMatrix, Criterion, DensityCell, GainsLift, GainsLiftGroup, LiftGroups,
    MAX_AUC_CLASSES, MAX_CLASSES, Maximum, Metric, Metrics, MultinomialAccumulator, MultinomialMetrics,
    MultinomialReport, RegressionAccumulator, RegressionMetrics, RegressionReport, Residuals, Threshold,
    ThresholdTable, ValueBin, quantile,
};
pub use model::{Algorithm, Category, Model, Prediction, Workspace};
pub use network::{Layer, Network, NetworkError};
pub use number::JsonNumber;
pub use profile::{ColumnProfile, Profile, ProfileError, ValueProfile};
pub use round_step::RoundStep;
pub use schema::{Domain, Feature, Response, Schema, SpecialColumns};
pub use shape::ShapeError;
