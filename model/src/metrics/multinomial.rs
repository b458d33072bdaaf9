use serde::{Deserialize, Serialize};

use super::multinomial_auc::{AucAccumulator, AucMean, AucRow};
use super::sums::Sums;
use super::{ConfusionMatrix, Metric, class_of, log_loss, nullable};
use crate::schema::Domain;

/// Beyond this many classes H2O has no confusion matrix and no metrics.
pub const MAX_CLASSES: usize = 1000;
/// Hit ratios go up to this rank.
const MAX_HITS: usize = 10;

/// Takes the rows of a classifier for more than two classes one by one.
#[derive(Debug, Clone)]
pub struct MultinomialAccumulator {
    classes: usize,
    sums: Sums,
    log_loss: f64,
    /// Rows by actual class and label, row by row.
    counts: Vec<u64>,
    /// Rows whose actual class has the given rank: unweighted for rank 0, weighted below.
    hits: Vec<f64>,
    auc: Option<AucAccumulator>,
}

impl MultinomialAccumulator {
    /// Without rows; `None` without classes or for more than [`MAX_CLASSES`]. AUC is left out where no mean is given, and
    /// for more than [`MAX_AUC_CLASSES`](super::MAX_AUC_CLASSES).
    pub fn new(classes: usize, auc: Option<AucMean>) -> Option<Self> {
        (1..=MAX_CLASSES).contains(&classes).then(|| Self {
            classes,
            sums: Sums::default(),
            log_loss: 0.0,
            counts: vec![0; classes * classes],
            hits: vec![0.0; classes.min(MAX_HITS)],
            auc: auc.and_then(|mean| AucAccumulator::new(mean, classes)),
        })
    }

    /// Adds one row: the index of its actual class (NaN when missing), the label it got (ties between probabilities are
    /// the model's to decide) and the probability of each class.
    pub fn add(&mut self, actual: f64, label: usize, probabilities: &[f64], weight: f64) {
        let (Some(class), true) = (class_of(actual, self.classes), label < self.classes) else { return };
        if probabilities.len() != self.classes || probabilities.iter().any(|p| p.is_nan()) || weight == 0.0 {
            return;
        }
        let error = 1.0 - probabilities[class];
        self.sums.add(actual, error, weight);
        self.log_loss += weight * log_loss(error);
        self.counts[class * self.classes + label] += 1;
        if class == label {
            self.hits[0] += 1.0;
        } else if let Some(hits) = self.hits.get_mut(rank_below(label, class, probabilities)) {
            *hits += weight;
        }
        if let Some(auc) = &mut self.auc {
            auc.add(class, probabilities, weight);
        }
    }

    /// The figures and tables.
    pub fn finish(&self, domain: &Domain) -> MultinomialReport {
        let counts: Vec<Vec<f64>> =
            self.counts.chunks(self.classes).map(|row| row.iter().map(|&count| count as f64).collect()).collect();
        let confusion = ConfusionMatrix { domain: domain.levels().to_vec(), counts };
        let mut cumulative = 0.0f32;
        let hit_ratios = self.hits.iter().map(|hits| {
            cumulative += (hits / self.sums.weight) as f32;
            cumulative
        });
        let mse = self.sums.mse();
        let (areas, auc_table) = self.auc.as_ref().map(|auc| auc.finish(domain)).unzip();
        let metrics = MultinomialMetrics {
            mse,
            rmse: mse.sqrt(),
            logloss: self.log_loss / self.sums.weight,
            classification_error: confusion.error(),
            mean_per_class_error: confusion.mean_per_class_error(),
            r2: self.sums.r2(),
            auc: areas.map(|areas| areas.auc),
            pr_auc: areas.map(|areas| areas.pr_auc),
            nobs: self.sums.rows,
        };
        MultinomialReport {
            metrics,
            hit_ratios: hit_ratios.collect(),
            confusion,
            auc_table: auc_table.unwrap_or_default(),
        }
    }
}

/// The rank of a class once the label has rank 0: how many probabilities come before its own, the first of equals first.
fn rank_below(label: usize, class: usize, probabilities: &[f64]) -> usize {
    let own = probabilities[class];
    let before = |&(other, &p): &(usize, &f64)| other != label && (p > own || p == own && other < class);
    1 + probabilities.iter().enumerate().filter(before).count()
}

/// All there is to say about a classifier for more than two classes.
#[derive(Debug, Clone, PartialEq)]
pub struct MultinomialReport {
    /// The figures.
    pub metrics: MultinomialMetrics,
    /// Rows, unweighted.
    pub confusion: ConfusionMatrix,
    /// Entry k is the share of rows whose actual class is among the k + 1 most probable ones, in `f32` as H2O adds
    /// them up.
    pub hit_ratios: Vec<f32>,
    /// AUC of each class against the rest, of each pair of classes, and their means; empty where none was asked for.
    pub auc_table: Vec<AucRow>,
}

/// The figures of a classifier for more than two classes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MultinomialMetrics {
    /// Mean of (1 - p(actual class))^2.
    #[serde(with = "nullable")]
    pub mse: f64,
    /// Its square root.
    #[serde(with = "nullable")]
    pub rmse: f64,
    /// Mean of -ln p(actual class), each at most -ln 1e-15.
    #[serde(with = "nullable")]
    pub logloss: f64,
    /// Share of wrong labels, rows counted without their weights.
    #[serde(with = "nullable")]
    pub classification_error: f64,
    /// Mean over all classes of the share of wrong labels.
    #[serde(with = "nullable")]
    pub mean_per_class_error: f64,
    /// 1 - MSE / variance of the class index.
    #[serde(with = "nullable")]
    pub r2: f64,
    /// The mean area under the ROC curves that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auc: Option<f64>,
    /// The same mean of the areas under the precision-recall curves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pr_auc: Option<f64>,
    /// Rows that counted.
    pub nobs: u64,
}

impl MultinomialMetrics {
    pub(super) fn get(&self, metric: Metric) -> Option<f64> {
        match metric {
            Metric::Mse => Some(self.mse),
            Metric::Rmse => Some(self.rmse),
            Metric::Logloss => Some(self.logloss),
            Metric::ClassificationError => Some(self.classification_error),
            Metric::MeanPerClassError => Some(self.mean_per_class_error),
            Metric::R2 => Some(self.r2),
            Metric::Auc => self.auc,
            Metric::PrAuc => self.pr_auc,
            _ => None,
        }
    }
}
