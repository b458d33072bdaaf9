//! The scoring history.

use std::time::Duration;

use jiff::Timestamp;
use model::{Category, Metric, Metrics};

/// The state of a run at one scoring.
#[derive(Debug, Clone, PartialEq)]
pub struct HistoryRow {
    /// When it was scored.
    pub timestamp: Timestamp,
    /// Training time so far.
    pub duration: Duration,
    /// Samples a second, scoring and preparation left out; none before the first sample.
    pub training_speed: Option<f64>,
    /// Passes over the data.
    pub epochs: f64,
    /// Iterations.
    pub iterations: u64,
    /// Rows trained on, repeated ones counted again.
    pub samples: u64,
    /// Metrics of the training sample; none for an untrained model, unless it is an autoencoder.
    pub training: Option<Metrics>,
    /// Metrics of the validation sample.
    pub validation: Option<Metrics>,
    /// The epochs after which the scored model was trained, where that is an earlier one: the best, which training
    /// returned to at its end.
    pub best_epochs: Option<f64>,
}

/// The names of the columns of H2O's history table for a kind of model.
pub fn history_columns(category: Category, has_validation: bool) -> Vec<String> {
    let fixed = ["timestamp", "duration", "training_speed", "epochs", "iterations", "samples"];
    let metrics = metrics_of(category);
    let prefixed = |prefix: &'static str| metrics.iter().map(move |(name, _)| format!("{prefix}_{name}"));
    let mut columns: Vec<String> = fixed.map(str::to_owned).to_vec();
    columns.extend(prefixed("training"));
    if has_validation {
        columns.extend(prefixed("validation"));
    }
    columns
}

impl HistoryRow {
    /// The first row of a history, but for that of an autoencoder: nothing was done, so there are no metrics.
    pub(super) fn untrained() -> Self {
        Self {
            timestamp: Timestamp::now(),
            duration: Duration::ZERO,
            training_speed: None,
            epochs: 0.0,
            iterations: 0,
            samples: 0,
            training: None,
            validation: None,
            best_epochs: None,
        }
    }

    /// The cells under [`history_columns`]; a figure that does not exist is empty.
    pub fn cells(&self, category: Category, has_validation: bool) -> Vec<String> {
        let mut cells = vec![
            self.timestamp.strftime("%Y-%m-%d %H:%M:%S").to_string(),
            duration_text(self.duration),
            self.training_speed.map_or(String::new(), speed_text),
            self.epochs.to_string(),
            self.iterations.to_string(),
            self.samples.to_string(),
        ];
        cells.extend(metric_cells(self.training.as_ref(), category));
        if has_validation {
            cells.extend(metric_cells(self.validation.as_ref(), category));
        }
        cells
    }
}

/// The metrics of a kind of model, by H2O's names in its history.
fn metrics_of(category: Category) -> &'static [(&'static str, Metric)] {
    match category {
        Category::Regression => &[
            ("rmse", Metric::Rmse),
            ("deviance", Metric::MeanResidualDeviance),
            ("mae", Metric::Mae),
            ("r2", Metric::R2),
        ],
        Category::Binomial => &[
            ("rmse", Metric::Rmse),
            ("logloss", Metric::Logloss),
            ("r2", Metric::R2),
            ("auc", Metric::Auc),
            ("pr_auc", Metric::PrAuc),
            ("lift", Metric::LiftTopGroup),
            ("classification_error", Metric::ClassificationError),
        ],
        Category::Multinomial => &[
            ("rmse", Metric::Rmse),
            ("logloss", Metric::Logloss),
            ("r2", Metric::R2),
            ("classification_error", Metric::ClassificationError),
            ("auc", Metric::Auc),
            ("pr_auc", Metric::PrAuc),
        ],
        Category::AutoEncoder => &[("rmse", Metric::Rmse), ("mse", Metric::Mse)],
    }
}

fn metric_cells(metrics: Option<&Metrics>, category: Category) -> Vec<String> {
    let value = |metric| metrics?.get(metric).filter(|x| !x.is_nan());
    let cell = |&(_, metric): &(&str, Metric)| value(metric).map_or(String::new(), |x| x.to_string());
    metrics_of(category).iter().map(cell).collect()
}

/// ` 0.123 sec`, ` 1 min  2.345 sec` or ` 1:02:03.456`, as H2O prints durations.
pub fn duration_text(duration: Duration) -> String {
    let millis = duration.as_millis();
    let (hours, minutes, seconds, rest) = (millis / 3_600_000, millis / 60_000 % 60, millis / 1000 % 60, millis % 1000);
    if hours > 0 {
        format!("{hours:2}:{minutes:02}:{seconds:02}.{rest:03}")
    } else if minutes > 0 {
        format!("{minutes:2} min {seconds:2}.{rest:03} sec")
    } else {
        format!("{seconds:2}.{rest:03} sec")
    }
}

/// Whole above ten, else with six significant digits.
fn speed_text(samples_per_second: f64) -> String {
    let decimals = if samples_per_second > 10.0 { 0.0 } else { 5.0 - samples_per_second.max(1e-4).log10().floor() };
    format!("{samples_per_second:.*} obs/sec", decimals as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_read_as_in_h2o() {
        assert_eq!([12345.6, 2.5, 0.5].map(speed_text), ["12346 obs/sec", "2.50000 obs/sec", "0.500000 obs/sec"]);
    }

    #[test]
    fn durations_read_as_in_h2o() {
        assert_eq!(duration_text(Duration::from_millis(123)), " 0.123 sec");
        assert_eq!(duration_text(Duration::from_millis(62_345)), " 1 min  2.345 sec");
        assert_eq!(duration_text(Duration::from_millis(3_723_456)), " 1:02:03.456");
    }
}
