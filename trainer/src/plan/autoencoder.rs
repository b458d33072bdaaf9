//! H2O's rules for autoencoders.

use model::{Distribution, Metric, Nonlinearity};

use super::PlanError;
use crate::params::{CategoricalEncoding, Loss, TrainParams};

/// Checks the parameters that autoencoders alone have, and those that they lack.
pub(super) fn check(params: &TrainParams) -> Result<(), PlanError> {
    if !params.autoencoder {
        let given = params.sparsity_beta != 0.0;
        return if given { Err(PlanError::WithoutAutoEncoder { name: "sparsity_beta" }) } else { Ok(()) };
    }
    // H2O takes all but balance_classes, and its job fails.
    let lacking = [
        ("weights_column", params.weights_column.is_some(), "all of their rows count alike"),
        ("offset_column", params.offset_column.is_some(), "there is no response to be offset"),
        ("balance_classes", params.balance_classes, "there are no classes"),
        ("pretrained_autoencoder", params.pretrained_autoencoder.0.is_some(), "it starts a classifier or a regression"),
    ];
    if let Some(&(name, _, reason)) = lacking.iter().find(|(_, given, _)| *given) {
        return Err(PlanError::NotForAutoEncoders { name, reason });
    }
    check_choices(params)?;
    check_sparsity(params)
}

fn check_choices(params: &TrainParams) -> Result<(), PlanError> {
    use Distribution as D;
    let mismatch =
        |name, value, expected| Err(PlanError::Mismatch { name, value, other: "an autoencoder".to_owned(), expected });
    if params.activation.nonlinearity() == Nonlinearity::Maxout {
        let expected = "Tanh, Rectifier or ExpRectifier, each optionally followed by WithDropout";
        return mismatch("activation", params.activation.name(), expected);
    }
    if params.categorical_encoding == CategoricalEncoding::SortByResponse {
        let expected = "AUTO, OneHotInternal, Binary, Eigen, LabelEncoder or EnumLimited";
        return mismatch("categorical_encoding", params.categorical_encoding.name(), expected);
    }
    if params.loss == Loss::CrossEntropy {
        return mismatch("loss", params.loss.name(), "Automatic, Quadratic, Absolute, Huber or Quantile");
    }
    let allowed = [D::Gaussian, D::Laplace, D::Quantile, D::Huber];
    if let Some(distribution) = params.distribution.0.filter(|distribution| !allowed.contains(distribution)) {
        return mismatch("distribution", distribution.name(), "AUTO, gaussian, laplace, quantile or huber");
    }
    // Even where there are no rounds.
    if params.stopping_metric.0.is_some_and(|metric| metric != Metric::Mse) {
        return mismatch("stopping_metric", params.stopping_metric.name(), "AUTO or MSE");
    }
    Ok(())
}

/// The mean has to be one that the activation can have.
fn check_sparsity(params: &TrainParams) -> Result<(), PlanError> {
    // One below 0 has no effect, which H2O does not mind.
    if params.sparsity_beta <= 0.0 {
        return Ok(());
    }
    let mean = params.average_activation;
    let (holds, expected) = match params.activation.nonlinearity() {
        Nonlinearity::Rectifier => (mean > 0.0, "a number above 0, as a Rectifier has"),
        Nonlinearity::Tanh | Nonlinearity::ExpRectifier => (mean > -1.0 && mean < 1.0, "a number above -1 and below 1"),
        Nonlinearity::Maxout => return Ok(()),
    };
    if holds {
        return Ok(());
    }
    Err(PlanError::OutOfRange { name: "average_activation", value: mean.to_string(), expected })
}
