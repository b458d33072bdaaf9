//! When training ends before its epochs, and which model was the best.

use model::{Category, Metric, Metrics};

use crate::params::TrainParams;
use crate::plan::default_metric;

/// Why training ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StoppedBy {
    /// All epochs were done.
    Epochs,
    /// The moving average of the stopping metric no longer improved.
    StoppingRounds,
    /// The training error of a classifier reached `classification_stop`.
    ClassificationStop,
    /// The training MSE of a regression or an autoencoder reached `regression_stop`.
    RegressionStop,
    /// `max_runtime_secs` was over.
    MaxRuntime,
    /// The user asked for it.
    Interrupted,
    /// The weights ran away; the model is the last one that was scored before.
    Unstable,
}

/// Watches the metrics of a run.
#[derive(Debug)]
pub(super) struct Stopper {
    category: Category,
    metric: Metric,
    rounds: usize,
    tolerance: f64,
    classification_stop: f64,
    regression_stop: f64,
    /// The stopping metric at each scoring, after a placeholder for the untrained model.
    history: Vec<f64>,
}

impl Stopper {
    pub fn new(params: &TrainParams, category: Category) -> Self {
        Self {
            category,
            metric: params.stopping_metric.0.unwrap_or(default_metric(category)),
            rounds: params.stopping_rounds as usize,
            tolerance: params.stopping_tolerance,
            classification_stop: params.classification_stop,
            regression_stop: params.regression_stop,
            history: vec![f64::NAN],
        }
    }

    /// Takes the metrics of a scoring; an answer ends training. The two fixed limits look at the training metrics even
    /// where there is a validation frame.
    pub fn scored(&mut self, training: &Metrics, validation: Option<&Metrics>) -> Option<StoppedBy> {
        self.history.push(value(validation.unwrap_or(training), self.metric));
        match self.category {
            Category::Binomial | Category::Multinomial => {
                if value(training, Metric::ClassificationError) <= self.classification_stop {
                    return Some(StoppedBy::ClassificationStop);
                }
            }
            Category::Regression | Category::AutoEncoder => {
                if value(training, Metric::Mse) <= self.regression_stop {
                    return Some(StoppedBy::RegressionStop);
                }
            }
        }
        stops(&self.history, self.rounds, self.tolerance, self.metric).then_some(StoppedBy::StoppingRounds)
    }

    /// What the best model has least of. As in H2O the RMSE counts as the default metric, and the smaller lift as the
    /// better one.
    pub fn loss(&self, metrics: &Metrics) -> f32 {
        let loss = match self.metric {
            Metric::Auc | Metric::PrAuc => 1.0 - value(metrics, self.metric),
            Metric::Rmse => value(metrics, default_metric(self.category)),
            metric => value(metrics, metric),
        };
        loss as f32
    }
}

/// The value of a metric, NaN where this kind of model has none.
fn value(metrics: &Metrics, metric: Metric) -> f64 {
    metrics.get(metric).unwrap_or(f64::NAN)
}

/// Whether none of the last `rounds` moving averages is better than the one before them.
fn stops(history: &[f64], rounds: usize, tolerance: f64, metric: Metric) -> bool {
    if rounds == 0 || history.len() - 1 < 2 * rounds {
        return false;
    }
    let recent = &history[history.len() - 2 * rounds..];
    let averages: Vec<f64> = recent.windows(rounds).map(|w| w.iter().sum::<f64>() / rounds as f64).collect();
    if averages.iter().any(|average| average.is_nan()) {
        return false;
    }
    let (reference, later) = (averages[0], &averages[1..]);
    if metric.bounded_below_by_zero() && reference == 0.0 {
        return true;
    }
    let min = later.iter().copied().fold(f64::INFINITY, f64::min);
    let max = later.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let extreme = if metric.less_is_better() { min } else { max };
    // A ratio means something only among numbers of one sign.
    if sign(min) != sign(max) || sign(extreme) != sign(reference) {
        return false;
    }
    let ratio = extreme / reference;
    if metric.less_is_better() { ratio >= 1.0 - tolerance } else { ratio <= 1.0 + tolerance }
}

/// -1, 0 or 1.
fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_moving_average_stops_one_scoring_later() {
        let mut history = vec![f64::NAN, 0.9, 0.7, 0.60, 0.598, 0.599];
        assert!(!stops(&history, 2, 0.01, Metric::Logloss));
        history.push(0.5985);
        assert!(stops(&history, 2, 0.01, Metric::Logloss));
    }

    #[test]
    fn a_rising_auc_goes_on_and_a_flat_one_stops() {
        assert!(!stops(&[f64::NAN, 0.6, 0.7], 1, 0.0, Metric::Auc));
        assert!(stops(&[f64::NAN, 0.7, 0.7], 1, 0.0, Metric::Auc));
    }

    #[test]
    fn a_sign_is_none_of_zero() {
        // An average of exactly 0 has another sign than its neighbours, so nothing can be compared.
        assert!(!stops(&[f64::NAN, 0.5, 0.0], 1, 0.0, Metric::Auc));
        assert!(!stops(&[f64::NAN, -0.5, 0.5], 1, 0.0, Metric::MeanResidualDeviance));
    }

    #[test]
    fn too_few_scorings_or_no_rounds_never_stop() {
        assert!(!stops(&[f64::NAN, 1.0, 2.0, 3.0], 2, 0.0, Metric::Mse));
        assert!(!stops(&[f64::NAN, 1.0, 2.0, 3.0], 0, 0.0, Metric::Mse));
    }
}
