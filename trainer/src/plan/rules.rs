//! H2O's rules for the values of parameters.

use model::{Category, Distribution, InputLayout, MAX_AUC_CLASSES, MAX_CLASSES, Metric};

use super::{PlanError, autoencoder};
use crate::params::{CategoricalEncoding, Loss, TrainParams};

/// H2O trains no larger net.
const MOST_WEIGHTS: usize = 100_000_000;
/// Each group of a gains and lift table costs passes over the scored rows.
const MOST_LIFT_GROUPS: i64 = 10_000;

/// Checks what can be checked without data. The warnings are H2O's as well.
pub fn check_parameters(params: &TrainParams) -> Result<Vec<String>, PlanError> {
    check_columns(params)?;
    check_network(params)?;
    check_rates(params)?;
    check_elastic(params)?;
    check_encoding(params)?;
    check_scoring(params)?;
    check_distribution(params)?;
    autoencoder::check(params)?;
    let (weights, biases, layers) = (&params.initial_weights.0, &params.initial_biases.0, params.hidden.len() + 1);
    let given = !weights.is_empty() || !biases.is_empty();
    if given && (weights.len() != layers || biases.len() != layers) {
        return Err(PlanError::InitialLayers { layers });
    }
    let size = params.max_after_balance_size;
    require(size > 0.0, "max_after_balance_size", size, "a number above 0")?;
    if params.class_sampling_factors.is_some() && !params.balance_classes {
        return Err(PlanError::WithoutBalance { name: "class_sampling_factors" });
    }
    require(params.mini_batch_size >= 1, "mini_batch_size", params.mini_batch_size, "a whole number, at least 1")?;
    require(!params.col_major, "col_major", params.col_major, "false")?;
    Ok(warnings(params))
}

fn check_columns(params: &TrainParams) -> Result<(), PlanError> {
    if params.training_frame.0.is_empty() {
        return Err(PlanError::MissingParameter { name: "training_frame", expected: "a CSV file" });
    }
    if params.response_column.is_none() && !params.autoencoder {
        return Err(PlanError::MissingParameter { name: "response_column", expected: "the column to predict" });
    }
    if params.x.is_some() && params.ignored_columns.is_some() {
        return Err(PlanError::Exclusive { first: "x", second: "ignored_columns" });
    }
    Ok(())
}

fn check_network(params: &TrainParams) -> Result<(), PlanError> {
    for &units in &params.hidden {
        require(units > 0, "hidden", units, "layer sizes above 0")?;
    }
    if let Some(ratios) = &params.hidden_dropout_ratios {
        if !params.activation.has_dropout() {
            return Err(PlanError::RatiosWithoutDropout { activation: params.activation.name() });
        }
        if ratios.len() != params.hidden.len() {
            return Err(PlanError::RatiosPerLayer { found: ratios.len(), layers: params.hidden.len() });
        }
        for &ratio in ratios {
            require((0.0..1.0).contains(&ratio), "hidden_dropout_ratios", ratio, RATIO)?;
        }
    }
    let input = params.input_dropout_ratio;
    require((0.0..1.0).contains(&input), "input_dropout_ratio", input, RATIO)?;
    require(params.l1 >= 0.0, "l1", params.l1, NOT_NEGATIVE)?;
    require(params.l2 >= 0.0, "l2", params.l2, NOT_NEGATIVE)?;
    require(params.max_w2 > 0.0, "max_w2", params.max_w2, "a number above 0")?;
    require(
        params.initial_weight_scale.is_finite(),
        "initial_weight_scale",
        params.initial_weight_scale,
        "a finite number",
    )
}

fn check_rates(params: &TrainParams) -> Result<(), PlanError> {
    if params.adaptive_rate {
        require(params.rho != 0.0 && params.rho.is_finite(), "rho", params.rho, "a finite number other than 0")?;
        require(
            params.epsilon != 0.0 && params.epsilon.is_finite(),
            "epsilon",
            params.epsilon,
            "a finite number other than 0",
        )?;
    }
    let finite = [
        ("rate", params.rate),
        ("rate_annealing", params.rate_annealing),
        ("rate_decay", params.rate_decay),
        ("momentum_start", params.momentum_start),
        ("momentum_ramp", params.momentum_ramp),
        ("momentum_stable", params.momentum_stable),
        ("epochs", params.epochs),
    ];
    for (name, value) in finite {
        require(value.is_finite(), name, value, "a finite number")?;
    }
    require(params.epochs >= 0.0, "epochs", params.epochs, NOT_NEGATIVE)?;
    let rows = params.train_samples_per_iteration;
    require(rows >= -2, "train_samples_per_iteration", rows, "-2, -1, 0 or a number of rows")
}

fn check_encoding(params: &TrainParams) -> Result<(), PlanError> {
    let encoding = params.categorical_encoding;
    let is_of_others = matches!(encoding, CategoricalEncoding::Enum | CategoricalEncoding::OneHotExplicit);
    require(
        !is_of_others,
        "categorical_encoding",
        encoding.name(),
        "AUTO, OneHotInternal, Binary, Eigen, LabelEncoder, SortByResponse or EnumLimited",
    )?;
    let most = params.max_categorical_features;
    let holds = i32::try_from(most).is_ok_and(|most| most >= 1);
    require(holds, "max_categorical_features", most, "a whole number from 1 to 2147483647")?;
    let most = params.max_categorical_levels;
    let holds = u32::try_from(most).is_ok_and(|most| most >= 1);
    require(holds, "max_categorical_levels", most, "a whole number, at least 1")
}

/// Refuses slots for an autoencoder: it could not say which level it remembers. In H2O such a run fails.
pub(super) fn check_hashing(layout: &InputLayout, category: Category) -> Result<(), PlanError> {
    let holds = category != Category::AutoEncoder || layout.hashing.is_none();
    let expected = "of an autoencoder no fewer than its levels have inputs";
    require(holds, "max_categorical_features", layout.first_numeric(), expected)
}

/// Without elastic averaging its other parameters may be anything.
fn check_elastic(params: &TrainParams) -> Result<(), PlanError> {
    if !params.elastic_averaging {
        return Ok(());
    }
    if params.sparse {
        let (name, value, other) = ("elastic_averaging", "true", "sparse".to_owned());
        return Err(PlanError::Mismatch { name, value, other, expected: "one of them false" });
    }
    let (rate, pull) = (params.elastic_averaging_moving_rate, params.elastic_averaging_regularization);
    require((0.0..=1.0).contains(&rate), "elastic_averaging_moving_rate", rate, "a number from 0 to 1")?;
    require(pull >= 0.0, "elastic_averaging_regularization", pull, NOT_NEGATIVE)
}

fn check_scoring(params: &TrainParams) -> Result<(), PlanError> {
    let duty = params.score_duty_cycle;
    require((0.0..=1.0).contains(&duty), "score_duty_cycle", duty, "a number from 0 to 1")?;
    let counts = [
        ("score_training_samples", params.score_training_samples),
        ("score_validation_samples", params.score_validation_samples),
        ("stopping_rounds", params.stopping_rounds),
    ];
    for (name, count) in counts {
        require(count >= 0, name, count, "a whole number, at least 0")?;
    }
    let tolerance = params.stopping_tolerance;
    require((0.0..1.0).contains(&tolerance), "stopping_tolerance", tolerance, RATIO)?;
    require(params.max_runtime_secs >= 0.0, "max_runtime_secs", params.max_runtime_secs, NOT_NEGATIVE)
}

fn check_distribution(params: &TrainParams) -> Result<(), PlanError> {
    let q = params.tweedie_power;
    require(q > 1.0 && q < 2.0, "tweedie_power", q, "a number above 1 and below 2")?;
    let alphas = [
        ("quantile_alpha", params.quantile_alpha, Distribution::Quantile),
        ("huber_alpha", params.huber_alpha, Distribution::Huber),
    ];
    for (name, alpha, distribution) in alphas {
        let used = params.distribution.0 == Some(distribution);
        require(!used || (0.0..=1.0).contains(&alpha), name, alpha, "a number from 0 to 1")?;
    }
    let allowed: &[Loss] = match params.distribution.0 {
        Some(Distribution::Tweedie | Distribution::Gamma | Distribution::Poisson) => &[Loss::Automatic],
        Some(Distribution::Laplace) => &[Loss::Automatic, Loss::Absolute],
        Some(Distribution::Quantile) => &[Loss::Automatic, Loss::Quantile],
        Some(Distribution::Huber) => &[Loss::Automatic, Loss::Huber],
        _ => return Ok(()),
    };
    if allowed.contains(&params.loss) {
        return Ok(());
    }
    let expected = if let [_, other] = allowed { other.name() } else { Loss::Automatic.name() };
    let other = format!("the {} distribution", params.distribution.0.map_or("AUTO", Distribution::name));
    Err(PlanError::Mismatch { name: "loss", value: params.loss.name(), other, expected })
}

/// Refuses losses and distributions that the kind of model does not have.
pub(super) fn check_category(params: &TrainParams, category: Category) -> Result<(), PlanError> {
    if category == Category::AutoEncoder {
        return Ok(());
    }
    let is_classifier = category != Category::Regression;
    let of_classes = [Distribution::Bernoulli, Distribution::Multinomial];
    if let Some(distribution) = params.distribution.0.filter(|d| of_classes.contains(d) != is_classifier) {
        let (other, expected) = if is_classifier {
            ("a categorical response", "AUTO, bernoulli or multinomial")
        } else {
            (
                "a numeric response",
                "AUTO, gaussian, poisson, gamma, tweedie, laplace, quantile or huber; a classifier needs its response \
                 declared enum in column_types",
            )
        };
        let (name, value) = ("distribution", distribution.name());
        return Err(PlanError::Mismatch { name, value, other: other.to_owned(), expected });
    }
    let allowed: &[Loss] = if is_classifier {
        &[Loss::Automatic, Loss::CrossEntropy, Loss::Quadratic]
    } else {
        &[Loss::Automatic, Loss::Quadratic, Loss::Huber, Loss::Absolute, Loss::Quantile]
    };
    if allowed.contains(&params.loss) {
        return Ok(());
    }
    let (other, expected) = if is_classifier {
        ("a categorical response", "Automatic, CrossEntropy or Quadratic")
    } else {
        ("a numeric response", "Automatic, Quadratic, Huber, Absolute or Quantile")
    };
    Err(PlanError::Mismatch { name: "loss", value: params.loss.name(), other: other.to_owned(), expected })
}

const RATIO: &str = "a number that is at least 0 and below 1";
const NOT_NEGATIVE: &str = "a number that is at least 0";

fn require(
    holds: bool,
    name: &'static str,
    value: impl std::fmt::Display,
    expected: &'static str,
) -> Result<(), PlanError> {
    if holds { Ok(()) } else { Err(PlanError::OutOfRange { name, value: value.to_string(), expected }) }
}

fn warnings(params: &TrainParams) -> Vec<String> {
    let mut warnings = Vec::new();
    if params.adaptive_rate {
        let defaults = TrainParams::default();
        let manual = [
            ("rate", params.rate != defaults.rate),
            ("rate_annealing", params.rate_annealing != defaults.rate_annealing),
            ("rate_decay", params.rate_decay != defaults.rate_decay),
            ("momentum_start", params.momentum_start != defaults.momentum_start),
            ("momentum_ramp", params.momentum_ramp != defaults.momentum_ramp),
            ("momentum_stable", params.momentum_stable != defaults.momentum_stable),
        ];
        let ignored = manual.iter().filter(|(_, given)| *given);
        warnings.extend(ignored.map(|(name, _)| format!("{name} is without effect while adaptive_rate is true")));
    }
    if params.autoencoder && params.response_column.is_some() {
        warnings.push("response_column is a predictor like the others to an autoencoder".to_owned());
    }
    if params.pretrained_autoencoder.0.is_some() && !params.initial_weights.0.is_empty() {
        warnings.push("initial_weights are without effect beside a pretrained_autoencoder".to_owned());
    }
    if !params.diagnostics {
        warnings.push("diagnostics is deprecated and always on".to_owned());
    }
    if params.average_activation != 0.0 && params.sparsity_beta == 0.0 {
        warnings.push("average_activation is without effect while sparsity_beta is 0".to_owned());
    }
    if params.stopping_rounds == 0 {
        let given = [
            ("stopping_metric", params.stopping_metric.0.is_some()),
            ("stopping_tolerance", params.stopping_tolerance != 0.0),
        ];
        let ignored = given.iter().filter(|(_, given)| *given);
        warnings.extend(
            ignored.map(|(name, _)| format!("{name} is without effect on stopping while stopping_rounds is 0")),
        );
    }
    warnings
}

/// Refuses a metric that makes no sense for the kind of model, and warns of one that has no value there.
pub(super) fn check_stopping_metric(
    params: &TrainParams,
    category: Category,
    classes: usize,
) -> Result<Option<String>, PlanError> {
    use Metric as M;
    let Some(metric) = params.stopping_metric.0.filter(|_| params.stopping_rounds > 0) else { return Ok(None) };
    let name = params.stopping_metric.name();
    let refusal = match category {
        Category::AutoEncoder => None,
        Category::Regression => {
            let of_classes =
                [M::Logloss, M::Auc, M::PrAuc, M::LiftTopGroup, M::ClassificationError, M::MeanPerClassError];
            of_classes.contains(&metric).then_some(("regression", "AUTO, deviance, MSE, RMSE, MAE or RMSLE"))
        }
        Category::Binomial => (metric == M::MeanResidualDeviance).then_some((
            "binomial",
            "AUTO, logloss, MSE, RMSE, AUC, AUCPR, lift_top_group, misclassification or mean_per_class_error",
        )),
        Category::Multinomial => (metric == M::MeanResidualDeviance).then_some((
            "multinomial",
            "AUTO, logloss, MSE, RMSE, misclassification, mean_per_class_error, or with an auc_type AUC or AUCPR",
        )),
    };
    if let Some((category, expected)) = refusal {
        return Err(PlanError::StoppingMetric { metric: name, category, expected });
    }
    let valueless = match category {
        Category::Regression | Category::AutoEncoder => false,
        Category::Binomial => match metric {
            M::LiftTopGroup => params.gainslift_bins == 0,
            _ => matches!(metric, M::Mae | M::Rmsle),
        },
        Category::Multinomial => match metric {
            M::Auc | M::PrAuc => params.auc_type.mean().is_none() || classes > MAX_AUC_CLASSES,
            _ => matches!(metric, M::Mae | M::Rmsle | M::LiftTopGroup),
        },
    };
    Ok(valueless
        .then(|| format!("stopping_metric {name} has no value here: it will neither stop training nor pick a model")))
}

/// Refuses groups of gains and lift that there cannot be. Like H2O it looks only where there is such a table.
pub(super) fn check_gains_lift(params: &TrainParams, category: Category) -> Result<(), PlanError> {
    let groups = params.gainslift_bins;
    let holds = category != Category::Binomial || (-1..=MOST_LIFT_GROUPS).contains(&groups);
    require(holds, "gainslift_bins", groups, "-1, 0 or a number of groups, at most 10000")
}

/// Warns of an AUC that will not be there.
pub(super) fn auc_warning(params: &TrainParams, category: Category, classes: usize) -> Option<String> {
    let is_missing = category == Category::Multinomial && classes > MAX_AUC_CLASSES && params.auc_type.mean().is_some();
    is_missing.then(|| {
        format!("auc_type is without effect on {classes} classes: AUC is computed of at most {MAX_AUC_CLASSES}")
    })
}

/// Refuses more classes than metrics can be computed for. In H2O the run fails when it is scored.
pub(super) fn check_classes(column: &str, outputs: usize) -> Result<(), PlanError> {
    if outputs > MAX_CLASSES {
        return Err(PlanError::TooManyClasses { column: column.to_owned(), classes: outputs, limit: MAX_CLASSES });
    }
    Ok(())
}

/// Refuses nets that are larger than H2O's limit, before anything is allocated for them.
pub(super) fn check_size(layout: &InputLayout, params: &TrainParams, outputs: usize) -> Result<(), PlanError> {
    let mut below = layout.inputs();
    let mut weights = 0_usize;
    for units in params.hidden.iter().map(|&units| units as usize).chain([outputs]) {
        weights = weights.saturating_add(units.saturating_mul(below.saturating_add(1)));
        below = units;
    }
    if weights > MOST_WEIGHTS { Err(PlanError::TooLarge { weights, limit: MOST_WEIGHTS }) } else { Ok(()) }
}
