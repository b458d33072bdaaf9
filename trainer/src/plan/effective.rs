//! Values of parameters that follow from other parameters and from the kind of model, by H2O's rules.

use model::{Activation, Category, Distribution, Metric};

use crate::params::{DistributionChoice, Loss, TrainParams};

/// What a run uses of what was asked. Its distribution, and its stopping metric where there are rounds, are no longer AUTO.
pub(super) fn effective(given: &TrainParams, category: Category) -> TrainParams {
    let mut params = follow(given);
    params.distribution = DistributionChoice(Some(distribution(&params, category)));
    if params.stopping_rounds > 0 {
        params.stopping_metric.0.get_or_insert(default_metric(category));
    }
    params
}

/// The metric that AUTO means.
pub(crate) fn default_metric(category: Category) -> Metric {
    match category {
        Category::Binomial | Category::Multinomial => Metric::Logloss,
        Category::Regression => Metric::MeanResidualDeviance,
        Category::AutoEncoder => Metric::Mse,
    }
}

/// The distribution that AUTO means.
pub(super) fn distribution(params: &TrainParams, category: Category) -> Distribution {
    params.distribution.0.unwrap_or(match (category, params.loss) {
        (Category::Binomial, _) => Distribution::Bernoulli,
        (Category::Multinomial, _) => Distribution::Multinomial,
        (_, Loss::Absolute) => Distribution::Laplace,
        (_, Loss::Quantile) => Distribution::Quantile,
        (_, Loss::Huber) => Distribution::Huber,
        _ => Distribution::Gaussian,
    })
}

/// The rules that need no data.
fn follow(given: &TrainParams) -> TrainParams {
    let mut params = given.clone();
    if params.seed == -1 {
        params.seed = drawn_seed();
    }
    if params.hidden_dropout_ratios.is_none() && params.activation.has_dropout() {
        params.hidden_dropout_ratios = Some(vec![0.5; params.hidden.len()]);
    }
    if params.adaptive_rate {
        params.rate = 0.0;
        params.rate_annealing = 0.0;
        params.rate_decay = 0.0;
        params.momentum_start = 0.0;
        params.momentum_ramp = 0.0;
        params.momentum_stable = 0.0;
    } else {
        params.rho = 0.0;
        params.epsilon = 0.0;
    }
    params.use_all_factor_levels |= params.autoencoder;
    let rectifier = matches!(params.activation, Activation::Rectifier | Activation::RectifierWithDropout);
    if rectifier && params.max_w2 == f32::INFINITY {
        params.max_w2 = 1000.0;
    }
    if params.reproducible {
        params.score_each_iteration = true;
        if params.train_samples_per_iteration == -2 {
            params.train_samples_per_iteration = -1;
        }
    }
    params
}

/// A seed from the standard library's source of randomness, never -1.
fn drawn_seed() -> i64 {
    use std::hash::{BuildHasher, Hasher, RandomState};
    (RandomState::new().build_hasher().finish() >> 1).cast_signed()
}
