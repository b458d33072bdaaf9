use super::ThresholdTable;
use super::histogram::Histogram;
use crate::schema::Domain;

/// Beyond this many classes H2O computes no AUC of them.
pub const MAX_AUC_CLASSES: usize = 50;

/// Which mean over pairs of classes is the AUC of a classifier for more than two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AucMean {
    /// Each class against the others.
    MacroOvr,
    /// Each class against the others, weighted by the rows of the class.
    WeightedOvr,
    /// Each pair of classes.
    MacroOvo,
    /// Each pair of classes, weighted by the rows of both.
    WeightedOvo,
}

/// The areas under the curves of two of many classes, or a mean of them.
#[derive(Debug, Clone, PartialEq)]
pub struct AucRow {
    /// H2O's name of the row, such as `setosa vs Rest` or `Macro OVO`.
    pub name: String,
    /// The first class of a pair, or the one against the rest.
    pub first: Option<String>,
    /// The second class of a pair.
    pub second: Option<String>,
    /// Area under the ROC curve.
    pub auc: f64,
    /// Area under the precision-recall curve.
    pub pr_auc: f64,
}

/// Takes the rows of a classifier for more than two classes, a pair of classes at a time.
#[derive(Debug, Clone)]
pub(super) struct AucAccumulator {
    mean: AucMean,
    classes: usize,
    /// Entry `class * classes + other`: the rows of both classes, judged by the probability of the first; on the diagonal
    /// the rows of all classes.
    histograms: Vec<Histogram>,
}

impl AucAccumulator {
    /// `None` for more than [`MAX_AUC_CLASSES`].
    pub(super) fn new(mean: AucMean, classes: usize) -> Option<Self> {
        (classes <= MAX_AUC_CLASSES).then(|| Self {
            mean,
            classes,
            histograms: vec![Histogram::default(); classes * classes],
        })
    }

    pub(super) fn add(&mut self, actual: usize, probabilities: &[f64], weight: f64) {
        for (class, &p) in probabilities.iter().enumerate() {
            self.pair(class, class).add(p, class == actual, weight);
            if class != actual {
                self.pair(actual, class).add(probabilities[actual], true, weight);
                self.pair(class, actual).add(p, false, weight);
            }
        }
    }

    /// The mean that was asked for, and the table of all.
    pub(super) fn finish(&self, domain: &Domain) -> (Areas, Vec<AucRow>) {
        let areas: Vec<Areas> = self.histograms.iter().map(Areas::of).collect();
        let of = |class: usize, other: usize| areas[class * self.classes + other];
        let level = |class: usize| domain.levels().get(class).cloned().unwrap_or_default();

        let against_rest: Vec<Areas> = (0..self.classes).map(|class| of(class, class)).collect();
        let mut rows: Vec<AucRow> = Vec::new();
        for (class, areas) in against_rest.iter().enumerate() {
            rows.push(areas.row(format!("{} vs Rest", level(class)), Some(level(class)), None));
        }
        let (macro_ovr, weighted_ovr) = (Areas::mean(&against_rest), Areas::weighted_mean(&against_rest));
        rows.push(macro_ovr.row("Macro OVR".to_owned(), None, None));
        rows.push(weighted_ovr.row("Weighted OVR".to_owned(), None, None));

        let mut pairs = Vec::new();
        for first in 0..self.classes {
            for second in first + 1..self.classes {
                let pair = of(first, second).both_ways(of(second, first));
                let name = format!("Class {} vs. {}", level(first), level(second));
                rows.push(pair.row(name, Some(level(first)), Some(level(second))));
                pairs.push(pair);
            }
        }
        let (macro_ovo, weighted_ovo) = (Areas::mean(&pairs), Areas::weighted_mean(&pairs));
        rows.push(macro_ovo.row("Macro OVO".to_owned(), None, None));
        rows.push(weighted_ovo.row("Weighted OVO".to_owned(), None, None));

        let chosen = match self.mean {
            AucMean::MacroOvr => macro_ovr,
            AucMean::WeightedOvr => weighted_ovr,
            AucMean::MacroOvo => macro_ovo,
            AucMean::WeightedOvo => weighted_ovo,
        };
        (chosen, rows)
    }

    fn pair(&mut self, class: usize, other: usize) -> &mut Histogram {
        &mut self.histograms[class * self.classes + other]
    }
}

/// Two areas, and the weight of the rows that count as positive.
#[derive(Debug, Clone, Copy)]
pub(super) struct Areas {
    pub(super) auc: f64,
    pub(super) pr_auc: f64,
    positives: f64,
}

impl Areas {
    fn of(histogram: &Histogram) -> Self {
        let table = ThresholdTable::new(histogram);
        // Two classes without rows have areas of 0, unlike a binomial model without rows.
        let or_zero = |area: f64| if table.rows().is_empty() { 0.0 } else { area };
        Self { auc: or_zero(table.auc()), pr_auc: or_zero(table.pr_auc()), positives: table.positives() }
    }

    fn both_ways(self, other: Self) -> Self {
        Self {
            auc: f64::midpoint(self.auc, other.auc),
            pr_auc: f64::midpoint(self.pr_auc, other.pr_auc),
            positives: self.positives + other.positives,
        }
    }

    fn mean(all: &[Self]) -> Self {
        Self::weighted(all, |_| 1.0)
    }

    fn weighted_mean(all: &[Self]) -> Self {
        Self::weighted(all, |areas| areas.positives)
    }

    fn weighted(all: &[Self], weight: impl Fn(&Self) -> f64) -> Self {
        let total: f64 = all.iter().map(&weight).sum();
        let mean = |area: fn(&Self) -> f64| all.iter().map(|areas| area(areas) * weight(areas)).sum::<f64>() / total;
        Self { auc: mean(|areas| areas.auc), pr_auc: mean(|areas| areas.pr_auc), positives: total }
    }

    fn row(&self, name: String, first: Option<String>, second: Option<String>) -> AucRow {
        AucRow { name, first, second, auc: self.auc, pr_auc: self.pr_auc }
    }
}
