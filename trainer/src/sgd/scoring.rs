//! Metrics of the model on a sample of the training rows and of the validation rows.

use model::{
    BinomialAccumulator, BinomialReport, Category, ConfusionMatrix, Domain, Metrics, Model, MultinomialAccumulator,
    MultinomialReport, Prediction, RegressionAccumulator, RegressionMetrics, Workspace,
};

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::plan::{Rows, TrainPlan};
use crate::rng::Rng;

/// The metrics of a model with their tables.
#[derive(Debug, Clone)]
pub enum Report {
    /// Of a regression.
    Regression(RegressionMetrics),
    /// Of a classifier for two classes.
    Binomial(BinomialReport),
    /// Of a classifier for more.
    Multinomial(MultinomialReport),
}

/// Reports on both frames.
#[derive(Debug, Clone)]
pub struct Reports {
    /// On the training sample.
    pub training: Report,
    /// On the validation sample.
    pub validation: Option<Report>,
}

impl Report {
    /// The figures.
    pub fn metrics(&self) -> Metrics {
        match self {
            Self::Regression(metrics) => Metrics::Regression(metrics.clone()),
            Self::Binomial(report) => Metrics::Binomial(report.metrics.clone()),
            Self::Multinomial(report) => Metrics::Multinomial(report.metrics.clone()),
        }
    }

    /// Actual against predicted classes.
    pub fn confusion(&self) -> Option<&ConfusionMatrix> {
        match self {
            Self::Regression(_) => None,
            Self::Binomial(report) => report.confusion.as_ref(),
            Self::Multinomial(report) => Some(&report.confusion),
        }
    }

    /// The probability of class 1 from which labels have the largest F1.
    pub(super) fn threshold(&self) -> Option<f64> {
        match self {
            Self::Binomial(report) => Some(report.metrics.max_f1_threshold).filter(|t| t.is_finite()),
            _ => None,
        }
    }
}

impl Reports {
    /// Figures of the validation sample.
    pub fn validation_metrics(&self) -> Option<Metrics> {
        self.validation.as_ref().map(Report::metrics)
    }

    /// The figures that early stopping and the best model go by: those of the validation frame where there is one.
    pub(super) fn deciding(&self) -> Metrics {
        self.validation_metrics().unwrap_or_else(|| self.training.metrics())
    }
}

/// Scores the same rows each time.
#[derive(Debug)]
pub(super) struct Scorer<'p> {
    training: &'p Rows<'p>,
    training_sample: Vec<usize>,
    validation: Option<(&'p Rows<'p>, Vec<usize>)>,
    /// `None` where the system gives no threads: then this one scores.
    threads: Option<ThreadPool>,
}

impl<'p> Scorer<'p> {
    pub fn new(plan: &'p TrainPlan<'p>) -> Self {
        let params = &plan.effective;
        let sample = |rows: &Rows<'_>, wanted: i64, seed: i64| sample(rows.len(), wanted.unsigned_abs() as usize, seed);
        let of_validation = |rows| (rows, sample(rows, params.score_validation_samples, params.seed.wrapping_add(1)));
        Self {
            training: &plan.training,
            training_sample: sample(&plan.training, params.score_training_samples, params.seed),
            validation: plan.validation.as_ref().map(of_validation),
            threads: ThreadPoolBuilder::new().num_threads(plan.threads).build().ok(),
        }
    }

    pub fn score(&self, model: &Model) -> Reports {
        let score = || Reports {
            training: report(model, self.training, &self.training_sample),
            validation: self.validation.as_ref().map(|(rows, sample)| report(model, rows, sample)),
        };
        match &self.threads {
            Some(threads) => threads.install(score),
            None => score(),
        }
    }
}

/// The rows to score: all where `wanted` is 0 or no fewer, else each with the same probability.
fn sample(rows: usize, wanted: usize, seed: i64) -> Vec<usize> {
    if wanted == 0 || wanted >= rows {
        return (0..rows).collect();
    }
    let share = wanted as f32 / rows as f32;
    let mut sample: Vec<usize> =
        (0..rows).filter(|&row| Rng::new(seed.wrapping_add(row as i64)).next_f32() < share).collect();
    if sample.is_empty() {
        sample.push(rows - 1);
    }
    sample
}

/// Rows are scored in batches over all threads and enter the metrics in their order, which AUC depends on.
fn report(model: &Model, rows: &Rows<'_>, sample: &[usize]) -> Report {
    const BATCH: usize = 8192;
    let empty = Domain::new(Vec::new());
    let domain = model.schema.classes().unwrap_or(&empty);
    let each = |take: &mut dyn FnMut(f64, Prediction<'_>)| {
        for batch in sample.chunks(BATCH) {
            let scored: Vec<_> =
                batch.par_iter().map_init(Default::default, |b, &row| score_row(model, rows, row, b)).collect();
            for (&row, scored) in batch.iter().zip(&scored) {
                if let Some(scored) = scored {
                    take(rows.response(row), scored.as_prediction());
                }
            }
        }
    };
    match model.category {
        Category::Regression => {
            let mut metrics = RegressionAccumulator::new();
            each(&mut |actual, prediction| {
                if let Prediction::Value(predicted) = prediction {
                    let error = f64::from(actual as f32) - predicted;
                    metrics.add(actual, predicted, error * error, 1.0);
                }
            });
            Report::Regression(metrics.finish())
        }
        Category::Binomial => {
            let mut metrics = BinomialAccumulator::new();
            each(&mut |actual, prediction| {
                if let Prediction::Class { probabilities: &[p0, p1], .. } = prediction {
                    metrics.add(actual, [p0, p1], 1.0);
                }
            });
            Report::Binomial(metrics.finish(domain))
        }
        Category::Multinomial => {
            let mut metrics = MultinomialAccumulator::new(domain.len()).expect("the plan refuses more classes");
            each(&mut |actual, prediction| {
                if let Prediction::Class { label: Some(label), probabilities } = prediction {
                    metrics.add(actual, label, probabilities, 1.0);
                }
            });
            Report::Multinomial(metrics.finish(domain))
        }
    }
}

/// The answer for a row, to be kept.
enum Scored {
    Class { label: Option<usize>, probabilities: Vec<f64> },
    Value(f64),
}

impl Scored {
    fn as_prediction(&self) -> Prediction<'_> {
        match self {
            Self::Class { label, probabilities } => Prediction::Class { label: *label, probabilities },
            Self::Value(value) => Prediction::Value(*value),
        }
    }
}

/// `None` for a row without a response, which no metric counts.
fn score_row(model: &Model, rows: &Rows<'_>, row: usize, buffers: &mut (Workspace, Vec<f64>)) -> Option<Scored> {
    let (workspace, raw) = buffers;
    if rows.response(row).is_nan() {
        return None;
    }
    rows.read(row, raw);
    Some(match model.score(raw, workspace) {
        Prediction::Class { label, probabilities } => Scored::Class { label, probabilities: probabilities.to_vec() },
        Prediction::Value(value) => Scored::Value(value),
    })
}
