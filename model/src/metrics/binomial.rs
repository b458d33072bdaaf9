use serde::{Deserialize, Serialize};

use super::histogram::Histogram;
use super::lift::Lift;
use super::sums::Sums;
use super::{ConfusionMatrix, Criterion, Metric, ThresholdTable, class_of, log_loss, nullable};
use crate::schema::Domain;

/// Takes the rows of a classifier for two classes one by one. Their order matters once there are more than 400
/// distinct predictions: the bins behind AUC and thresholds depend on it.
#[derive(Debug, Clone, Default)]
pub struct BinomialAccumulator {
    sums: Sums,
    log_loss: f64,
    histogram: Histogram,
    lift: Lift,
}

impl BinomialAccumulator {
    /// Without rows.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one row: the index of its actual class (NaN when missing) and the probabilities of both classes.
    pub fn add(&mut self, actual: f64, probabilities: [f64; 2], weight: f64) {
        let Some(class) = class_of(actual, 2) else { return };
        if probabilities.iter().any(|p| p.is_nan()) || weight == 0.0 {
            return;
        }
        let error = 1.0 - probabilities[class];
        self.sums.add(actual, error, weight);
        self.log_loss += weight * log_loss(error);
        self.histogram.add(probabilities[1], class == 1, weight);
        self.lift.add(probabilities[1], class == 1, weight);
    }

    /// The figures and tables.
    pub fn finish(&self, domain: &Domain) -> BinomialReport {
        let thresholds = ThresholdTable::new(&self.histogram);
        let best = thresholds.maximum(Criterion::F1);
        let confusion = best.map(|best| {
            let row = thresholds.rows()[best.index];
            ConfusionMatrix {
                domain: domain.levels().to_vec(),
                counts: vec![
                    vec![row.true_negatives, row.false_positives],
                    vec![row.false_negatives, row.true_positives],
                ],
            }
        });
        let (mse, auc) = (self.sums.mse(), thresholds.auc());
        let metrics = BinomialMetrics {
            mse,
            rmse: mse.sqrt(),
            logloss: self.log_loss / self.sums.weight,
            classification_error: confusion.as_ref().map_or(f64::NAN, ConfusionMatrix::error),
            mean_per_class_error: confusion.as_ref().map_or(f64::NAN, ConfusionMatrix::mean_per_class_error),
            auc,
            pr_auc: thresholds.pr_auc(),
            gini: 2.0 * auc - 1.0,
            r2: self.sums.r2(),
            lift_top_group: self.lift.top_group(),
            max_f1_threshold: best.map_or(f64::NAN, |best| best.threshold),
            nobs: self.sums.rows,
        };
        BinomialReport { metrics, confusion, thresholds }
    }
}

/// All there is to say about a classifier for two classes.
#[derive(Debug, Clone, PartialEq)]
pub struct BinomialReport {
    /// The figures.
    pub metrics: BinomialMetrics,
    /// At the threshold with the largest F1, by weight; `None` when no row of class 1 was seen.
    pub confusion: Option<ConfusionMatrix>,
    /// Every threshold, with the maximum of each criterion.
    pub thresholds: ThresholdTable,
}

/// The figures of a classifier for two classes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BinomialMetrics {
    /// Mean of (1 - p(actual class))^2.
    #[serde(with = "nullable")]
    pub mse: f64,
    /// Its square root.
    #[serde(with = "nullable")]
    pub rmse: f64,
    /// Mean of -ln p(actual class), each at most -ln 1e-15.
    #[serde(with = "nullable")]
    pub logloss: f64,
    /// Share of wrong labels at the threshold with the largest F1.
    #[serde(with = "nullable")]
    pub classification_error: f64,
    /// Mean over both classes of the share of wrong labels at that threshold.
    #[serde(with = "nullable")]
    pub mean_per_class_error: f64,
    /// Area under the ROC curve.
    #[serde(with = "nullable")]
    pub auc: f64,
    /// Area under the precision-recall curve.
    #[serde(with = "nullable")]
    pub pr_auc: f64,
    /// 2 AUC - 1.
    #[serde(with = "nullable")]
    pub gini: f64,
    /// 1 - MSE / variance of the class index.
    #[serde(with = "nullable")]
    pub r2: f64,
    /// Share of class 1 in the top 1 % of the predictions over its share in all rows.
    #[serde(with = "nullable")]
    pub lift_top_group: f64,
    /// The threshold with the largest F1, which labels are given by.
    #[serde(with = "nullable")]
    pub max_f1_threshold: f64,
    /// Rows that counted.
    pub nobs: u64,
}

impl BinomialMetrics {
    pub(super) fn get(&self, metric: Metric) -> Option<f64> {
        match metric {
            Metric::Mse => Some(self.mse),
            Metric::Rmse => Some(self.rmse),
            Metric::Logloss => Some(self.logloss),
            Metric::ClassificationError => Some(self.classification_error),
            Metric::MeanPerClassError => Some(self.mean_per_class_error),
            Metric::Auc => Some(self.auc),
            Metric::PrAuc => Some(self.pr_auc),
            Metric::R2 => Some(self.r2),
            Metric::LiftTopGroup => Some(self.lift_top_group),
            Metric::Mae | Metric::Rmsle | Metric::MeanResidualDeviance => None,
        }
    }
}
