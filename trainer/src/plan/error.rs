//! Why a training run cannot start.

use std::fmt;

/// A rule of a parameter that is broken, or data that cannot be trained on.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the fields are what the messages say")]
pub enum PlanError {
    // Rules of parameters.
    #[error("{name} is missing: expected {expected}")]
    MissingParameter { name: &'static str, expected: &'static str },
    #[error("{name}: {value} is not allowed, expected {expected}")]
    OutOfRange { name: &'static str, value: String, expected: &'static str },
    #[error("hidden_dropout_ratios: {found} given for {layers} hidden layers, expected one for each")]
    RatiosPerLayer { found: usize, layers: usize },
    #[error(
        "hidden_dropout_ratios needs an activation with dropout, such as {activation}WithDropout, instead of {activation}"
    )]
    RatiosWithoutDropout { activation: &'static str },
    #[error("{first} and {second} exclude each other: give one of them, or different columns")]
    Exclusive { first: &'static str, second: &'static str },
    #[error("stopping_metric: {metric} is not defined for a {category} model, expected {expected}")]
    StoppingMetric { metric: &'static str, category: &'static str, expected: &'static str },
    #[error(
        "initial_weights and initial_biases belong together: give both, with {layers} entries each, some of them empty"
    )]
    InitialLayers { layers: usize },
    #[error("{name} needs balance_classes")]
    WithoutBalance { name: &'static str },
    #[error("balance_classes is for classifiers, the response is numeric")]
    BalanceOfNumbers,
    #[error("class_sampling_factors: {found} given for {classes} classes, expected one for each")]
    FactorsPerClass { found: usize, classes: usize },
    #[error("offset_column is for regressions, the response is categorical")]
    OffsetOfClasses,
    #[error("{name} is not for autoencoders: {reason}")]
    NotForAutoEncoders { name: &'static str, reason: &'static str },
    #[error("{name} is for autoencoders: add autoencoder, or leave it out")]
    WithoutAutoEncoder { name: &'static str },
    #[error("{name}: {value} does not go with {other}, expected {expected}")]
    Mismatch { name: &'static str, value: &'static str, other: String, expected: &'static str },
    #[error("hidden: the net would have {weights} weights and biases, more than {limit}; choose smaller layers")]
    TooLarge { weights: usize, limit: usize },
    // Rules of data.
    #[error("{parameter}: there is no column `{column}`{suggestion}{}", ColumnList(.suggestion, .columns, *.has_names))]
    UnknownColumn { parameter: &'static str, column: String, suggestion: String, columns: String, has_names: bool },
    #[error("response column `{column}` is constant: there is nothing to predict")]
    ConstantResponse { column: String },
    #[error("response column `{column}` has no value")]
    EmptyResponse { column: String },
    #[error(
        "response column `{column}` has {classes} classes, at most {limit} can be told apart; is it an identifier?"
    )]
    TooManyClasses { column: String, classes: usize, limit: usize },
    #[error("response column `{column}` is text: declare it with --column-types `{column}=enum` or `{column}=numeric`")]
    TextResponse { column: String },
    #[error("response column `{column}` has the value {value} in row {row}: only finite numbers can be predicted")]
    InfiniteResponse { column: String, row: usize, value: f64 },
    #[error(
        "response column `{column}` has the value {value} in row {row}: the {distribution} distribution has no negative values"
    )]
    NegativeResponse { column: String, row: usize, value: f64, distribution: &'static str },
    #[error("{parameter}: column `{column}` {problem}")]
    SpecialColumn { parameter: &'static str, column: String, problem: String },
    #[error("validation frame: there is no offset column `{column}`")]
    ValidationWithoutOffset { column: String },
    #[error(
        "categorical_encoding LabelEncoder: level `{level}` of column `{column}` is no whole number as its first level `{first}` is"
    )]
    NoLabel { column: String, level: String, first: String },
    #[error(
        "categorical_encoding Eigen: column `{column}` has {levels} levels, more than {limit}; choose another encoding"
    )]
    EigenLevels { column: String, levels: usize, limit: usize },
    #[error("no predictor is left: {dropped}")]
    NoPredictor { dropped: String },
    #[error(
        "predictor `{column}` has the value {value} in row {row}: declare the column as enum, leave it out, or mend the value"
    )]
    InfinitePredictor { column: String, row: usize, value: f64 },
    #[error("column `{column}`: its values are too large for a mean and a standard deviation; scale them down")]
    Overflow { column: String },
    #[error("validation frame: column `{column}` has the value {value} in row {row}: mend the value")]
    InfiniteValidation { column: String, row: usize, value: f64 },
    #[error(
        "{name}, layer {layer}: expected {rows} rows of {columns} numeric columns, found {found_rows} rows of {found_columns} columns"
    )]
    InitialShape {
        name: &'static str,
        layer: usize,
        rows: usize,
        columns: usize,
        found_rows: usize,
        found_columns: usize,
    },
    #[error("{name}, layer {layer}: row {row}, column {column} is no finite number of single precision")]
    InitialNumber { name: &'static str, layer: usize, row: usize, column: usize },
    #[error("pretrained_autoencoder: it is a {category} model, expected an autoencoder")]
    PretrainedCategory { category: String },
    #[error("pretrained_autoencoder: it is a {algorithm} model, expected a deep-learning one")]
    PretrainedAlgorithm { algorithm: &'static str },
    #[error("pretrained_autoencoder: expected {expected} hidden layers, found {found}")]
    PretrainedLayers { expected: usize, found: usize },
    #[error(
        "pretrained_autoencoder, hidden layer {layer}: expected {inputs} inputs and {units} units{}, found {found_inputs} and {found_units}{}",
        Channels(*.channels), Channels(*.found_channels)
    )]
    PretrainedShape {
        layer: usize,
        inputs: usize,
        units: usize,
        channels: usize,
        found_inputs: usize,
        found_units: usize,
        found_channels: usize,
    },
    #[error("balance_classes: no row of class `{class}` was drawn; raise its factor or max_after_balance_size")]
    EmptyClass { class: String },
    #[error("no row has {needed}")]
    NoTrainableRow { needed: &'static str },
    #[error("validation frame: there is no response column `{column}`")]
    ValidationWithoutResponse { column: String },
    #[error("validation frame: none of the model's columns is there")]
    ValidationWithoutPredictors,
    #[error("validation frame: column `{column}` is {found}, in training it is {expected}")]
    ValidationType { column: String, found: &'static str, expected: &'static str },
    #[error("validation frame: no row has a known value of the response `{column}`")]
    ValidationWithoutLabels { column: String },
}

impl PlanError {
    /// Whether a parameter is at fault, whatever the data are.
    pub fn is_parameter_rule(&self) -> bool {
        matches!(
            self,
            Self::MissingParameter { .. }
                | Self::OutOfRange { .. }
                | Self::RatiosPerLayer { .. }
                | Self::RatiosWithoutDropout { .. }
                | Self::Exclusive { .. }
                | Self::StoppingMetric { .. }
                | Self::Mismatch { .. }
                | Self::NotForAutoEncoders { .. }
                | Self::WithoutAutoEncoder { .. }
                | Self::OffsetOfClasses
                | Self::InitialLayers { .. }
                | Self::WithoutBalance { .. }
                | Self::BalanceOfNumbers
                | Self::FactorsPerClass { .. }
                | Self::TooLarge { .. }
        )
    }
}

/// The channels of a layer's units, where there is more than one.
struct Channels(usize);

impl fmt::Display for Channels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 1 { Ok(()) } else { write!(f, " of {} channels", self.0) }
    }
}

/// All columns, where no single one is meant.
struct ColumnList<'a>(&'a str, &'a str, bool);

impl fmt::Display for ColumnList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(suggestion, columns, has_names) = self;
        if !suggestion.is_empty() {
            return Ok(());
        }
        write!(f, "; the columns are {columns}")?;
        if *has_names {
            Ok(())
        } else {
            f.write_str(", as the first line was not taken for names (--header true says it is)")
        }
    }
}
