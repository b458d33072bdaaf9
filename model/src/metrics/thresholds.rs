use super::histogram::{Bin, Histogram};
use crate::math::ln;

/// The counts when class 1 is predicted from `threshold` on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Threshold {
    /// A center of the histogram of predictions.
    pub threshold: f64,
    /// Weight of the rows of class 0 labelled 0.
    pub true_negatives: f64,
    /// Weight of the rows of class 1 labelled 0.
    pub false_negatives: f64,
    /// Weight of the rows of class 0 labelled 1.
    pub false_positives: f64,
    /// Weight of the rows of class 1 labelled 1.
    pub true_positives: f64,
}

/// What a threshold can be judged by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "`Threshold::score` has the formulas")]
pub enum Criterion {
    F1,
    F2,
    F0point5,
    Accuracy,
    Precision,
    Recall,
    Specificity,
    AbsoluteMcc,
    MinPerClassAccuracy,
    MeanPerClassAccuracy,
    Tns,
    Fns,
    Fps,
    Tps,
    Tnr,
    Fnr,
    Fpr,
    Tpr,
}

impl Criterion {
    /// Every value, in the order of H2O's tables.
    pub const ALL: [Self; 18] = [
        Self::F1,
        Self::F2,
        Self::F0point5,
        Self::Accuracy,
        Self::Precision,
        Self::Recall,
        Self::Specificity,
        Self::AbsoluteMcc,
        Self::MinPerClassAccuracy,
        Self::MeanPerClassAccuracy,
        Self::Tns,
        Self::Fns,
        Self::Fps,
        Self::Tps,
        Self::Tnr,
        Self::Fnr,
        Self::Fpr,
        Self::Tpr,
    ];

    /// H2O's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::F1 => "f1",
            Self::F2 => "f2",
            Self::F0point5 => "f0point5",
            Self::Accuracy => "accuracy",
            Self::Precision => "precision",
            Self::Recall => "recall",
            Self::Specificity => "specificity",
            Self::AbsoluteMcc => "absolute_mcc",
            Self::MinPerClassAccuracy => "min_per_class_accuracy",
            Self::MeanPerClassAccuracy => "mean_per_class_accuracy",
            Self::Tns => "tns",
            Self::Fns => "fns",
            Self::Fps => "fps",
            Self::Tps => "tps",
            Self::Tnr => "tnr",
            Self::Fnr => "fnr",
            Self::Fpr => "fpr",
            Self::Tpr => "tpr",
        }
    }
}

impl Threshold {
    /// The value of a criterion; NaN where a formula divides zero by zero.
    pub fn score(&self, criterion: Criterion) -> f64 {
        let Self { true_negatives: tn, false_negatives: fn_, false_positives: fp, true_positives: tp, .. } = *self;
        let precision = tp / (tp + fp);
        let recall = tp / (tp + fn_);
        let specificity = tn / (tn + fp);
        match criterion {
            Criterion::F1 => 2.0 * (precision * recall) / (precision + recall),
            Criterion::F2 => 5.0 * (precision * recall) / (4.0 * precision + recall),
            Criterion::F0point5 => 1.25 * (precision * recall) / (0.25 * precision + recall),
            Criterion::Accuracy => (tn + tp) / (tn + fn_ + tp + fp),
            Criterion::Precision => precision,
            Criterion::Recall | Criterion::Tpr => recall,
            Criterion::Specificity | Criterion::Tnr => specificity,
            Criterion::AbsoluteMcc => absolute_mcc(tn, fn_, fp, tp),
            Criterion::MinPerClassAccuracy => smaller(recall, specificity),
            Criterion::MeanPerClassAccuracy => 0.5 * (recall + specificity),
            Criterion::Tns => tn,
            Criterion::Fns => fn_,
            Criterion::Fps => fp,
            Criterion::Tps => tp,
            Criterion::Fnr => fn_ / (fn_ + tp),
            Criterion::Fpr => fp / (fp + tn),
        }
    }
}

/// Matthews' correlation without its sign; 0 where it is not defined.
fn absolute_mcc(tn: f64, fn_: f64, fp: f64, tp: f64) -> f64 {
    let mcc = (tp * tn - fp * fn_) / ((tp + fp) * (tp + fn_) * (tn + fp) * (tn + fn_)).sqrt();
    if mcc.is_nan() { 0.0 } else { mcc.abs() }
}

/// The minimum, NaN if either is (which `f64::min` would drop).
fn smaller(a: f64, b: f64) -> f64 {
    if a.is_nan() || a < b { a } else { b }
}

/// The best a criterion gets, and where.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Maximum {
    /// The criterion.
    pub criterion: Criterion,
    /// The threshold with the largest value, the highest such threshold on a tie.
    pub threshold: f64,
    /// The value.
    pub value: f64,
    /// Its place in the table, from 0 for the highest threshold.
    pub index: usize,
}

/// "Metrics for thresholds": one row a threshold, from the highest to the lowest.
#[derive(Debug, Clone, PartialEq)]
pub struct ThresholdTable {
    rows: Vec<Threshold>,
    positives: f64,
    negatives: f64,
}

impl ThresholdTable {
    pub(super) fn new(histogram: &Histogram) -> Self {
        let bins = histogram.bins();
        let positives: f64 = bins.iter().rev().map(|bin| bin.positives).sum();
        let negatives: f64 = bins.iter().rev().map(|bin| bin.negatives).sum();
        let (mut tp, mut fp) = (0.0, 0.0);
        let row = |bin: &Bin| {
            tp += bin.positives;
            fp += bin.negatives;
            Threshold {
                threshold: bin.center,
                true_negatives: negatives - fp,
                false_negatives: positives - tp,
                false_positives: fp,
                true_positives: tp,
            }
        };
        Self { rows: bins.iter().rev().map(row).collect(), positives, negatives }
    }

    /// The rows.
    pub fn rows(&self) -> &[Threshold] {
        &self.rows
    }

    /// Weight of the rows of class 1.
    pub(super) fn positives(&self) -> f64 {
        self.positives
    }

    /// The best value of one criterion, `None` when it is NaN at every threshold.
    pub fn maximum(&self, criterion: Criterion) -> Option<Maximum> {
        let mut best: Option<Maximum> = None;
        for (index, row) in self.rows.iter().enumerate() {
            let value = row.score(criterion);
            if !value.is_nan() && best.is_none_or(|best| value > best.value) {
                best = Some(Maximum { criterion, threshold: row.threshold, value, index });
            }
        }
        best
    }

    /// Area under the ROC curve, by trapezoids. H2O's answers without both classes: 1 without class 0, 0 without class 1.
    pub fn auc(&self) -> f64 {
        if let Some(extreme) = self.one_class_only() {
            return extreme;
        }
        let (mut tp0, mut fp0, mut area) = (0.0, 0.0, 0.0);
        for row in &self.rows {
            area += (row.false_positives - fp0) * (row.true_positives + tp0) / 2.0;
            tp0 = row.true_positives;
            fp0 = row.false_positives;
        }
        area / self.positives / self.negatives
    }

    /// Area under the precision-recall curve, with false positives interpolated linearly between two thresholds.
    ///
    /// On a step with slope h = dFP/dTP, precision at recall x is x / (a x + b), a = 1 + h, b = (FP0 - h TP0) / P.
    pub fn pr_auc(&self) -> f64 {
        if let Some(extreme) = self.one_class_only() {
            return extreme;
        }
        let (mut tp0, mut fp0, mut area) = (0.0, 0.0, 0.0);
        for row in &self.rows {
            let (tp, fp) = (row.true_positives, row.false_positives);
            let (a, b) = if tp == tp0 {
                (1.0, 0.0)
            } else {
                let h = (fp - fp0) / (tp - tp0);
                (1.0 + h, (fp0 - h * tp0) / self.positives)
            };
            let (x0, x) = (tp0 / self.positives, tp / self.positives);
            area += if b == 0.0 { (x - x0) / a } else { (x - x0 - b / a * (ln(a * x + b) - ln(a * x0 + b))) / a };
            tp0 = tp;
            fp0 = fp;
        }
        area
    }

    fn one_class_only(&self) -> Option<f64> {
        if self.rows.is_empty() {
            Some(f64::NAN)
        } else if self.negatives == 0.0 {
            Some(1.0)
        } else {
            (self.positives == 0.0).then_some(0.0)
        }
    }
}
