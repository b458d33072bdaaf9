use serde::{Deserialize, Serialize};

use super::gains_lift::{GainsLift, GainsLiftAccumulator, LiftGroups};
use super::histogram::Histogram;
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
    gains_lift: GainsLiftAccumulator,
}

impl BinomialAccumulator {
    /// Without rows.
    pub fn new(groups: LiftGroups) -> Self {
        Self { gains_lift: GainsLiftAccumulator::new(groups), ..Self::default() }
    }

    /// Adds one row: the index of its actual class (NaN when missing) and the probabilities of both classes.
    ///
    /// As in H2O the groups of gains and lift go by all predictions, those without a class included, and the range of
    /// their quantiles by those without weight too.
    pub fn add(&mut self, actual: f64, probabilities: [f64; 2], weight: f64) {
        if probabilities.iter().any(|p| p.is_nan()) {
            return;
        }
        let class = class_of(actual, 2);
        self.gains_lift.add(probabilities[1], class.map(|class| class == 1), weight);
        let Some(class) = class.filter(|_| weight != 0.0) else { return };
        let error = 1.0 - probabilities[class];
        self.sums.add(actual, error, weight);
        self.log_loss += weight * log_loss(error);
        self.histogram.add(probabilities[1], class == 1, weight);
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
        let gains_lift = self.gains_lift.finish();
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
            lift_top_group: gains_lift.top_group(),
            max_f1_threshold: best.map_or(f64::NAN, |best| best.threshold),
            nobs: self.sums.rows,
        };
        BinomialReport { metrics, confusion, thresholds, gains_lift }
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
    /// Rows grouped by their predictions.
    pub gains_lift: GainsLift,
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
    /// The lift of the first group of the gains and lift table.
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
