//! The table of parameters.

use model::Activation;
use serde_json::Value;

use super::value::{
    AucType, CategoricalEncoding, ColumnTypes, DistributionChoice, Files, InitialWeightDistribution, LayerFiles, Loss,
    MissingValuesHandling, ModelPath, Names, ParamValue, StoppingMetric, ValidationSampling,
};
use super::{ParamError, Parameter};

/// Makes the struct, its defaults, the list for flags and help, and the ways to set a value by name.
macro_rules! parameters {
    ($($name:ident: $kind:ty = $default:expr, $help:literal;)*) => {
        /// What was asked. A [`TrainPlan`](crate::TrainPlan) is what was checked.
        #[derive(Debug, Clone, PartialEq)]
        #[expect(clippy::doc_markdown, reason = "the texts are the command's help as well, where backticks are noise")]
        pub struct TrainParams { $(#[doc = $help] pub $name: $kind,)* }

        impl Default for TrainParams {
            fn default() -> Self {
                Self { $($name: $default,)* }
            }
        }

        /// Every parameter, in the order of the help text.
        pub const PARAMETERS: &[Parameter] = &[$(Parameter {
            name: stringify!($name),
            help: $help,
            expected: <$kind as ParamValue>::EXPECTED,
            is_switch: <$kind as ParamValue>::IS_SWITCH,
            is_list: <$kind as ParamValue>::IS_LIST,
            default: || { let value: $kind = $default; value.to_text() },
        },)*];

        impl TrainParams {
            /// Sets a parameter from the text of a flag. Names may be in snake or kebab case.
            pub fn set_text(&mut self, name: &str, text: &str) -> Result<(), ParamError> {
                match name.replace('-', "_").as_str() {
                    $(stringify!($name) => {
                        self.$name = <$kind as ParamValue>::from_text(text).ok_or_else(|| ParamError::BadValue {
                            name: stringify!($name),
                            value: text.to_owned(),
                            expected: <$kind as ParamValue>::EXPECTED,
                        })?;
                    })*
                    _ => return Err(ParamError::Unknown { name: name.to_owned() }),
                }
                Ok(())
            }

            /// Sets a parameter from a value in a file. Names may be in snake or kebab case.
            pub fn set_json(&mut self, name: &str, value: &Value) -> Result<(), ParamError> {
                match name.replace('-', "_").as_str() {
                    $(stringify!($name) => {
                        self.$name = <$kind as ParamValue>::from_json(value).ok_or_else(|| ParamError::BadValue {
                            name: stringify!($name),
                            value: value.to_string(),
                            expected: <$kind as ParamValue>::EXPECTED,
                        })?;
                    })*
                    _ => return Err(ParamError::Unknown { name: name.to_owned() }),
                }
                Ok(())
            }

            /// All parameters with their values, under H2O's names.
            pub fn to_json(&self) -> Value {
                let entries = [$((stringify!($name), self.$name.to_json()),)*];
                Value::Object(entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
            }
        }
    };
}

parameters! {
    training_frame: Files = Files::default(),
        "The table to train on: CSV, ARFF or SVMLight, plain or packed by gzip, zip or zstd, Parquet or Arrow; several files or a folder of them are read as one table";
    validation_frame: Files = Files::default(),
        "A table to score while training: early stopping, the best model and the label threshold follow it";
    response_column: Option<String> = None,
        "What to predict: categorical for a classifier, numeric for a regression; an autoencoder needs none";
    x: Option<Names> = None,
        "Predictors; the default is every column that has no other role";
    ignored_columns: Option<Names> = None,
        "Columns to leave out; not together with x";
    weights_column: Option<String> = None,
        "Column of observation weights: numbers that are at least 0. Zeros and ones leave rows out; other weights decide how often a row is drawn for every second step, and count in means and metrics";
    offset_column: Option<String> = None,
        "Column that is added to the output of a regression, on the scale of the response's link; as in H2O only where it is above 0";
    column_types: ColumnTypes = ColumnTypes::default(),
        "Types of columns that the guess from the data would get wrong";
    ignore_const_cols: bool = true,
        "Drop predictors that are constant, all missing or text";
    autoencoder: bool = false,
        "Learn to reconstruct the predictors instead of a response, for anomalies and deep features; a response_column is then a predictor like the others, and numbers are scaled by their range";
    average_activation: f64 = 0.0,
        "Of an autoencoder with sparsity_beta: the mean that the activations of a hidden unit are drawn to, above -1 and below 1, of a Rectifier above 0; as in H2O it is the running mean of all rows that pass, scored ones included";
    sparsity_beta: f64 = 0.0,
        "Of an autoencoder: how strongly the biases of hidden units are drawn to their average_activation; 0 not at all";
    pretrained_autoencoder: ModelPath = ModelPath::default(),
        "An autoencoder whose hidden layers a classifier or a regression starts from; of as many inputs and the same hidden sizes";
    activation: Activation = Activation::Rectifier,
        "Non-linearity of the hidden layers; WithDropout turns hidden dropout on";
    hidden: Vec<i64> = vec![200, 200],
        "Sizes of the hidden layers, each above 0";
    distribution: DistributionChoice = DistributionChoice::default(),
        "Distribution of the response; AUTO goes by its type and the loss";
    loss: Loss = Loss::Automatic,
        "Loss; of a regression the gradient goes by the distribution, which AUTO takes from the loss";
    tweedie_power: f64 = 1.5,
        "Variance power of the tweedie distribution, above 1 and below 2";
    quantile_alpha: f64 = 0.5,
        "The quantile that the quantile distribution predicts, from 0 to 1";
    huber_alpha: f64 = 0.9,
        "Quantile of the errors from which huber's deviance is linear, from 0 to 1; in training the bend is at 1 standard deviation of the response";
    balance_classes: bool = false,
        "Repeat and leave out rows of a classifier until its classes are of one size; probabilities are corrected back";
    class_sampling_factors: Option<Vec<f64>> = None,
        "With balance_classes: how often each class is taken, in the order of the levels; the default makes them equal";
    max_after_balance_size: f32 = 5.0,
        "With balance_classes: most rows after it, relative to those before, above 0";
    epochs: f64 = 10.0,
        "Passes over the data, may be fractional; 0 scores without training; where an iteration takes a part of the rows it draws them, and the last one may go past the end, as in H2O";
    train_samples_per_iteration: i64 = -2,
        "Rows of an iteration, after which the model may be scored: -2 chosen from the data (see --auto-tune), -1 or 0 one epoch, else a number of rows";
    seed: i64 = -1,
        "Seed of all random numbers; -1 draws one and reports it";
    reproducible: bool = false,
        "Follow H2O's reproducible mode operation by operation: the plain engine on one thread, an epoch per iteration, scored each time";
    elastic_averaging: bool = false,
        "The model is a running mean over iterations of the net that trains, which is pulled towards it; not with sparse";
    elastic_averaging_moving_rate: f64 = 0.9,
        "With elastic_averaging: weight of an iteration in the mean, from 0 to 1";
    elastic_averaging_regularization: f64 = 1e-3,
        "With elastic_averaging: strength of the pull, at least 0";
    adaptive_rate: bool = true,
        "ADADELTA, which takes the place of the rate, its annealing and decay, and momentum";
    rho: f64 = 0.99,
        "ADADELTA's decay of past updates; not 0";
    epsilon: f64 = 1e-8,
        "ADADELTA's smoothing; not 0";
    rate: f64 = 0.005,
        "Learning rate, with adaptive_rate false; the step is rate * (1 - momentum)";
    rate_annealing: f64 = 1e-6,
        "The rate is divided by 1 + rate_annealing * samples";
    rate_decay: f64 = 1.0,
        "Factor on the rate from each layer to the next";
    momentum_start: f64 = 0.0,
        "Momentum; as in H2O's code it stays at this value and the ramp shows in the layer status alone, unless --momentum-schedule is documented";
    momentum_ramp: f64 = 1e6,
        "Samples over which momentum rises with --momentum-schedule documented; see momentum_start";
    momentum_stable: f64 = 0.0,
        "Momentum after the ramp; see momentum_start";
    nesterov_accelerated_gradient: bool = true,
        "Which of H2O's two momentum updates is used";
    input_dropout_ratio: f64 = 0.0,
        "Share of the inputs dropped for each row, at least 0 and below 1";
    hidden_dropout_ratios: Option<Vec<f64>> = None,
        "Share of the units dropped in each hidden layer, at least 0 and below 1; 0.5 where a WithDropout activation has none given";
    l1: f64 = 0.0,
        "L1 penalty, at least 0; with fast_mode only weights whose input is not zero feel it";
    l2: f64 = 0.0,
        "L2 penalty, at least 0; with fast_mode only weights whose input is not zero feel it";
    max_w2: f32 = f32::MAX,
        "Cap on the squared sum of the weights into a unit, above 0";
    initial_weight_distribution: InitialWeightDistribution = InitialWeightDistribution::UniformAdaptive,
        "How the first weights are drawn";
    initial_weight_scale: f64 = 1.0,
        "Half width of Uniform, standard deviation of Normal";
    initial_weights: LayerFiles = LayerFiles::default(),
        "First weights of each layer as CSV, a row for each unit and a column for each input; a layer takes them only together with its initial_biases";
    initial_biases: LayerFiles = LayerFiles::default(),
        "First biases of each layer as CSV of one column, in single precision; see initial_weights";
    missing_values_handling: MissingValuesHandling = MissingValuesHandling::MeanImputation,
        "Missing predictors in training: imputed by the column's mean, or their rows skipped";
    standardize: bool = true,
        "Scale numbers, and the response of a regression, to mean 0 and standard deviation 1; numbers of an autoencoder to mean 0 and a range of 1";
    categorical_encoding: CategoricalEncoding = CategoricalEncoding::Automatic,
        "How levels become inputs: AUTO and OneHotInternal by an input each, Binary by the bits of their codes, Eigen by a projection, LabelEncoder by the numbers they spell or their codes, SortByResponse by an input each in the order of their mean response, EnumLimited by an input for each of the most frequent ones";
    max_categorical_levels: i64 = 10,
        "With categorical_encoding EnumLimited: levels that are kept of a categorical that has more, at least 1";
    max_categorical_features: i64 = 2_147_483_647,
        "Most inputs of all levels together, at least 1: where there are more, they share so many slots by a hash; as in H2O importances then have the names of other inputs";
    use_all_factor_levels: bool = true,
        "Give the first level of a categorical an input of its own; an autoencoder does in any case";
    sparse: bool = false,
        "For data that are mostly zeros: numbers are scaled but not centred; as in H2O an autoencoder centres them all the same when it scores";
    fast_mode: bool = true,
        "Skip weights whose input is zero, penalties included";
    shuffle_training_data: bool = false,
        "Take the rows in a new order each iteration; on by itself where an iteration is an epoch";
    overwrite_with_best_model: bool = true,
        "At the end, return to the best model that was scored";
    score_each_iteration: bool = false,
        "Score after every iteration; on with reproducible";
    score_interval: f64 = 5.0,
        "Least seconds between two scorings; scoring by the clock may end two runs of one seed at different epochs";
    score_duty_cycle: f64 = 0.1,
        "Largest share of the time for scoring, from 0 to 1";
    score_training_samples: i64 = 10_000,
        "Training rows to score, 0 for all";
    score_validation_samples: i64 = 0,
        "Validation rows to score, 0 for all";
    classification_stop: f64 = 0.0,
        "Stop when the training error of a classifier is at most this; -1 never";
    regression_stop: f64 = 1e-6,
        "Stop when the training MSE of a regression or an autoencoder is at most this; -1 never";
    stopping_rounds: i64 = 5,
        "Stop when the average of this many scorings no longer improves; 0 never";
    stopping_metric: StoppingMetric = StoppingMetric::default(),
        "The metric that stopping_rounds and the best model look at";
    auc_type: AucType = AucType::Automatic,
        "Which AUC a classifier for more than two classes has: of each class against the rest (OVR) or of each pair (OVO), at most 50 classes; AUTO is NONE";
    gainslift_bins: i64 = -1,
        "Groups of the gains and lift table of two classes: -1 chosen for the highest predictions, 0 no table, at most 10000; as in H2O it drops the fractions of weights";
    stopping_tolerance: f64 = 0.0,
        "Least relative improvement, at least 0 and below 1";
    max_runtime_secs: f64 = 0.0,
        "Stop after the iteration in which this time is over, without the best model's return; 0 never";
    variable_importances: bool = true,
        "Compute the importance of each input";
    mini_batch_size: i64 = 1,
        "Rows to an update, at least 1: the fast engine goes by their mean gradient, of at most 8192; in the plain engine, as in H2O, every row is an update of its own whatever this says";
    score_validation_sampling: ValidationSampling = ValidationSampling::Uniform,
        "How score_validation_samples are drawn; both values draw the same rows, as H2O was seen to do";
    max_confusion_matrix_size: i64 = 20,
        "Deprecated in H2O, without effect";
    diagnostics: bool = true,
        "Deprecated in H2O, always on";
    quiet_mode: bool = false,
        "Of H2O's log, without effect";
    export_weights_and_biases: bool = false,
        "Of H2O's frames, without effect: a checkpoint has all weights and biases";
    col_major: bool = false,
        "Deprecated in H2O, true is refused";
    target_ratio_comm_to_comp: f64 = 0.05,
        "Share of the time that --auto-tune measured has threads spend on meeting, above 0 and below 1 then; of a cluster in H2O";
    force_load_balance: bool = true,
        "Of a cluster, without effect on one node";
    replicate_training_data: bool = true,
        "Of a cluster, without effect on one node";
    single_node_mode: bool = false,
        "Of a cluster, without effect on one node";
}
