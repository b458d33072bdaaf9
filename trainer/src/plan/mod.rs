//! From what was asked to what will be done: parameters checked against H2O's rules and against the data, so that
//! training has nothing left to refuse.

mod autoencoder;
mod balance;
mod columns;
mod effective;
mod encoding;
mod error;
mod initial;
mod pretraining;
mod response;
mod rows;
mod rules;
mod scaling;
mod special;

use model::{
    Algorithm, Category, DeepLearning, Distribution, Encoding, FrameEncoder, InputLayout, Labelling, LiftGroups, Model,
    Network, ResponseScaling, Schema,
};

use crate::frame::Frame;
use crate::params::{MissingValuesHandling, TrainParams};
use crate::profile;
use crate::sgd::RunOptions;
use columns::Predictors;
pub(crate) use effective::default_metric;
use encoding::Adaptation;
pub use error::PlanError;
pub(crate) use initial::InitialLayer;
use response::ResponseColumn;
pub(crate) use rows::Rows;
pub use rows::frame_rows;
pub use rules::check_parameters;
pub(crate) use scaling::{Statistics, known};
use special::Special;

/// A training run that can start.
#[derive(Debug)]
pub struct TrainPlan<'f> {
    /// What was asked.
    pub given: TrainParams,
    /// What will be used: H2O's rules for parameters that other parameters decide, and the seed that was drawn.
    pub effective: TrainParams,
    /// What a user should know before the run.
    pub warnings: Vec<String>,
    /// How to train it.
    pub options: RunOptions,
    pub(crate) schema: Schema,
    pub(crate) encoding: Encoding,
    pub(crate) category: Category,
    pub(crate) layout: InputLayout,
    /// The mean of each numeric predictor, for imputation.
    pub(crate) means: Vec<f64>,
    pub(crate) response_scaling: Option<ResponseScaling>,
    pub(crate) distribution: Distribution,
    pub(crate) labelling: Labelling,
    /// Whether each numeric predictor is missing in most rows, which `sparse` rows treat apart.
    pub(crate) mostly_missing: Vec<bool>,
    pub(crate) profile: model::Profile,
    counted_rows: usize,
    pub(crate) training: Rows<'f>,
    pub(crate) validation: Option<Rows<'f>>,
    /// What layers start from, where that was given.
    pub(crate) initial: Vec<Option<InitialLayer>>,
}

impl<'f> TrainPlan<'f> {
    /// Checks parameters and data against each other.
    pub fn new(given: TrainParams, training: &'f Frame, validation: Option<&'f Frame>) -> Result<Self, PlanError> {
        let mut warnings = check_parameters(&given)?;
        // An autoencoder has none: a column that is named as one is a predictor.
        let response = (!given.autoencoder).then(|| ResponseColumn::new(&given, training)).transpose()?;
        let response = response.as_ref();
        let category = response.map_or(Category::AutoEncoder, ResponseColumn::category);
        let classes = response.map_or(1, ResponseColumn::outputs);
        if let Some(response) = response {
            rules::check_classes(response.name(), classes)?;
            warnings.extend(response.warning());
        }
        rules::check_category(&given, category)?;
        warnings.extend(rules::check_stopping_metric(&given, category, classes)?);
        rules::check_gains_lift(&given, category)?;
        warnings.extend(rules::auc_warning(&given, category, classes));
        let effective = effective::effective(&given, category);
        let distribution = effective::distribution(&effective, category);
        response.map_or(Ok(()), |response| response.check_values(distribution))?;

        let special = Special::new(&effective, training, response.map(ResponseColumn::column), category)?;
        let predictors = Predictors::new(&effective, training, response, special)?;
        warnings.extend(predictors.warning());
        warnings.extend(predictors.time_warning());

        let schema = predictors.schema(response.map(ResponseColumn::response), special);
        let own_columns = predictors.own_columns();
        let level_counts = predictors.level_counts();
        let numeric_columns = &own_columns[level_counts.len()..];
        let mut rows = Rows::of_training(training, &own_columns, response, special);
        if effective.missing_values_handling == MissingValuesHandling::Skip {
            rows.skip_missing();
        }
        // Beside an offset H2O forgets the weights.
        let weights = if special.offset.is_none() { rows.weights() } else { None };
        let numbers = scaling::statistics(numeric_columns, weights)?;
        let layout = InputLayout::new(
            &level_counts,
            numbers.len(),
            effective.use_all_factor_levels,
            effective
                .standardize
                .then(|| match category {
                    Category::AutoEncoder => scaling::of_ranges(numeric_columns, &numbers),
                    _ => Ok(scaling::of_inputs(&numbers, effective.sparse)),
                })
                .transpose()?,
        )
        .hashed(effective.max_categorical_features as usize, effective.seed);
        rules::check_hashing(&layout, category)?;
        let outputs = if category == Category::AutoEncoder { layout.inputs() } else { classes };
        rules::check_size(&layout, &effective, outputs)?;

        let scales_response = effective.standardize && distribution.has_identity_link();
        let response_scaling = response.map_or(Ok(None), |response| response.scaling(scales_response, weights))?;
        let mut labelling = response::labelling(response, rows.weights());
        let share = counted_share(rows.weights());
        if effective.balance_classes {
            let domain = schema.classes().ok_or(PlanError::BalanceOfNumbers)?;
            rows.take(balance::balanced_rows(&effective, rows.responses(), rows.weights(), domain.levels())?);
            labelling.balance_classes = true;
            labelling.model_class_distrib =
                Some(response::class_shares(rows.responses(), rows.weights(), domain.len()));
        }
        let validation = validation.map(|frame| {
            let encoding = predictors.encoding();
            let adaptation = Adaptation::of_validation(category, encoding, schema.features(), frame);
            warnings.extend(adaptation.warning(&effective, encoding));
            let schema = predictors.validation_schema(&schema, adaptation);
            Rows::of_validation(frame, &schema, encoding, adaptation, effective.sparse, &mut warnings)
        });
        let validation = validation.transpose()?;
        let mut plan = Self {
            category,
            means: scaling::statistics(numeric_columns, None)?.iter().map(|n| n.mean).collect(),
            mostly_missing: numeric_columns
                .iter()
                .map(|column| FrameEncoder::is_mostly_missing(training.rows(), column.missing_count()))
                .collect(),
            response_scaling,
            distribution,
            labelling,
            initial: Vec::new(),
            counted_rows: (rows.len() as f64 * share).round() as usize,
            profile: profile::of_columns(training, predictors.columns()),
            schema,
            encoding: predictors.encoding().clone(),
            layout,
            training: rows,
            validation,
            given,
            effective,
            warnings,
            options: RunOptions::default(),
        };
        plan.check_trainable()?;
        // An iteration over all rows of one chunk shuffles them whether asked to or not.
        plan.effective.shuffle_training_data |= plan.rows_per_iteration() == plan.training_rows() as u64;
        Ok(plan)
    }

    /// Has a layer, counted from 0, start from these weights and biases.
    pub fn start_from(&mut self, layer: usize, weights: &Frame, biases: &Frame) -> Result<(), PlanError> {
        let sizes = self.layer_sizes();
        let channels = self.effective.activation.channels_of(layer, sizes.len() - 2);
        let initial = InitialLayer::new(layer + 1, channels * sizes[layer + 1], sizes[layer], weights, biases)?;
        self.initial.resize(sizes.len() - 1, None);
        self.initial[layer] = Some(initial);
        Ok(())
    }

    /// Has the hidden layers start from those of an autoencoder. The output layer stays random.
    pub fn start_from_autoencoder(&mut self, model: &Model) -> Result<(), PlanError> {
        let sizes = self.layer_sizes();
        let hidden = pretraining::hidden_layers(model, self.effective.activation, &sizes)?;
        self.warnings.extend(pretraining::warning(model, &self.schema, &self.encoding, self.effective.activation));
        self.initial.resize(sizes.len() - 1, None);
        for (initial, layer) in self.initial.iter_mut().zip(hidden) {
            *initial = Some(InitialLayer { weights: layer.weights.clone(), biases: layer.biases.clone() });
        }
        Ok(())
    }

    /// The encoder of the rows that train.
    pub(crate) fn encoder(&self) -> FrameEncoder<'_> {
        if self.effective.sparse {
            FrameEncoder::sparse(&self.layout, &self.means, self.mostly_missing.clone())
        } else {
            FrameEncoder::new(&self.layout, &self.means)
        }
    }

    /// Whether a row is left out of training: it has no response or no weight, or misses a predictor under
    /// `missing_values_handling = Skip`.
    pub(crate) fn leaves_out(&self, row: usize, raw: &[f64], encoder: &FrameEncoder<'_>) -> bool {
        let categoricals = self.layout.categoricals();
        let counts = |place: usize| place.checked_sub(categoricals).is_none_or(|number| encoder.skips_missing(number));
        let misses = || raw.iter().enumerate().any(|(place, x)| x.is_nan() && counts(place));
        self.training.is_unlabelled(row) || self.training.weight(row) == 0.0 || (!self.imputes_means() && misses())
    }

    fn check_trainable(&self) -> Result<(), PlanError> {
        let (encoder, mut raw) = (self.encoder(), Vec::new());
        let trainable = (0..self.training.len()).any(|row| {
            self.training.read(row, &mut raw);
            !self.leaves_out(row, &raw, &encoder)
        });
        if trainable {
            return Ok(());
        }
        Err(PlanError::NoTrainableRow {
            needed: match (self.category, self.imputes_means()) {
                (Category::AutoEncoder, _) => "all of its predictors, as missing_values_handling Skip wants",
                (_, true) => "a response",
                (_, false) => "a response and all of its predictors, as missing_values_handling Skip wants",
            },
        })
    }

    /// An offset on the scale of the net's output.
    pub(crate) fn scaled_offset(&self, offset: f64) -> f64 {
        model::scaled_offset(offset, self.response_scaling)
    }

    fn imputes_means(&self) -> bool {
        self.effective.missing_values_handling == MissingValuesHandling::MeanImputation
    }

    /// The groups of gains and lift.
    pub(crate) fn lift_groups(&self) -> LiftGroups {
        match usize::try_from(self.effective.gainslift_bins) {
            Err(_) => LiftGroups::Automatic,
            Ok(0) => LiftGroups::Off,
            Ok(groups) => LiftGroups::Equal(groups),
        }
    }

    /// The kind of model.
    pub fn category(&self) -> Category {
        self.category
    }

    /// Rows that training and its epochs count.
    pub fn training_rows(&self) -> usize {
        self.counted_rows
    }

    /// Inputs of the net, its hidden layers, its outputs.
    pub fn layer_sizes(&self) -> Vec<usize> {
        let hidden = self.effective.hidden.iter().map(|&units| units as usize);
        std::iter::once(self.layout.inputs()).chain(hidden).chain([self.outputs()]).collect()
    }

    /// Rows of an iteration by `train_samples_per_iteration`, over one thread of one machine.
    ///
    /// H2O's automatic value follows from measured speeds; what is left of its formula without them are its caps: a
    /// tenth of the run, a hundred thousand rows, and whole epochs where it comes close to one.
    pub(crate) fn rows_per_iteration(&self) -> u64 {
        let rows = self.training_rows() as u64;
        let in_all = (self.effective.epochs * rows as f64).floor();
        match self.effective.train_samples_per_iteration {
            -1 | 0 => rows,
            -2 => self.capped_rows_per_iteration(u64::MAX),
            given => (given.unsigned_abs()).min(in_all as u64).max(1),
        }
    }

    /// Rows of an iteration of which synchronising takes the share `target_ratio_comm_to_comp`, where a row takes so many
    /// seconds and a synchronisation so many; within H2O's caps.
    pub(crate) fn tuned_rows_per_iteration(&self, row: f64, synchronisation: f64) -> u64 {
        let ratio = self.effective.target_ratio_comm_to_comp;
        self.capped_rows_per_iteration(((synchronisation / ratio - synchronisation) / row).floor() as u64)
    }

    fn capped_rows_per_iteration(&self, wanted: u64) -> u64 {
        let rows = self.training_rows() as u64;
        let in_all = (self.effective.epochs * rows as f64).floor();
        let mut wanted = wanted.min(10 * rows);
        if in_all / 10.0 < wanted as f64 {
            wanted = (in_all / 10.0).floor() as u64;
        }
        if wanted > rows && ((wanted % rows) as f64) < 0.2 * rows as f64 {
            wanted -= wanted % rows;
        }
        wanted.clamp(1, 100_000)
    }

    /// The untrained model around a net.
    pub(crate) fn model(&self, network: Network) -> Model {
        Model {
            schema: self.schema.clone(),
            encoding: self.encoding.clone(),
            category: self.category,
            labelling: self.labelling.clone(),
            algorithm: Algorithm::DeepLearning(DeepLearning {
                layout: self.layout.clone(),
                network,
                distribution: self.distribution,
                response_scaling: self.response_scaling,
                mean_imputation: self.imputes_means(),
            }),
        }
    }

    fn outputs(&self) -> usize {
        match self.category {
            Category::AutoEncoder => self.layout.inputs(),
            _ => self.schema.classes().map_or(1, model::Domain::len),
        }
    }
}

/// The share of the rows that epochs count: weights that are zeros and ones leave rows out.
fn counted_share(weights: Option<&[f64]>) -> f64 {
    match weights {
        Some(weights) if weights.iter().all(|&w| w == 0.0 || w == 1.0) => {
            weights.iter().sum::<f64>() / weights.len() as f64
        }
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests;
