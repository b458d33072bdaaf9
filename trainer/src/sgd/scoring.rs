//! Metrics of the model on a sample of the training rows and of the validation rows.

use model::{
    Algorithm, AutoEncoderAccumulator, AutoEncoderReport, BinomialAccumulator, BinomialReport, Category,
    ConfusionMatrix, Distribution, Domain, Metrics, Model, MultinomialAccumulator, MultinomialReport, Prediction,
    RegressionAccumulator, RegressionReport, Residuals, Shape, Workspace, quantile,
};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::plan::{Rows, TrainPlan};
use crate::rng::Rng;

/// The metrics of a model with their tables.
#[derive(Debug, Clone)]
pub enum Report {
    /// Of a regression.
    Regression(RegressionReport),
    /// Of a classifier for two classes.
    Binomial(BinomialReport),
    /// Of a classifier for more.
    Multinomial(MultinomialReport),
    /// Of an autoencoder.
    AutoEncoder(AutoEncoderReport),
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
            Self::Regression(report) => Metrics::Regression(report.metrics.clone()),
            Self::Binomial(report) => Metrics::Binomial(report.metrics.clone()),
            Self::Multinomial(report) => Metrics::Multinomial(report.metrics.clone()),
            Self::AutoEncoder(report) => Metrics::AutoEncoder(report.metrics.clone()),
        }
    }

    /// Actual against predicted classes.
    pub fn confusion(&self) -> Option<&ConfusionMatrix> {
        match self {
            Self::Regression(_) | Self::AutoEncoder(_) => None,
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
    plan: &'p TrainPlan<'p>,
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
        // More would only wait for each other.
        let cores = std::thread::available_parallelism().map_or(1, Into::into);
        Self {
            plan,
            training_sample: sample(&plan.training, params.score_training_samples, params.seed),
            validation: plan.validation.as_ref().map(of_validation),
            threads: ThreadPoolBuilder::new().num_threads(plan.options.threads.min(cores)).build().ok(),
        }
    }

    pub fn score(&self, model: &Model) -> Reports {
        Reports {
            training: self.report(model, &self.plan.training, &self.training_sample),
            validation: self.validation.as_ref().map(|(rows, sample)| self.report(model, rows, sample)),
        }
    }

    /// The rows that are scored, in the order in which they are.
    pub fn scored(&self) -> impl Iterator<Item = (&'p Rows<'p>, &[usize])> {
        let validation = self.validation.as_ref().map(|(rows, sample)| (*rows, sample.as_slice()));
        std::iter::once((&self.plan.training, self.training_sample.as_slice())).chain(validation)
    }

    fn report(&self, model: &Model, rows: &Rows<'_>, sample: &[usize]) -> Report {
        let empty = Domain::new(Vec::new());
        let domain = model.schema.classes().unwrap_or(&empty);
        match model.category {
            Category::Regression => Report::Regression(self.regression(model, rows, sample)),
            Category::AutoEncoder => {
                let mut metrics = AutoEncoderAccumulator::new();
                self.each(model, rows, sample, &mut |_, _, _, error| metrics.add(error[0]));
                Report::AutoEncoder(metrics.finish())
            }
            Category::Binomial => {
                let mut metrics = BinomialAccumulator::new(self.plan.lift_groups());
                self.each(model, rows, sample, &mut |actual, weight, _, probabilities| {
                    if let &[p0, p1] = probabilities {
                        metrics.add(actual, [p0, p1], weight);
                    }
                });
                Report::Binomial(metrics.finish(domain))
            }
            Category::Multinomial => {
                let auc = self.plan.effective.auc_type.mean();
                let metrics = MultinomialAccumulator::new(domain.len(), auc);
                let mut metrics = metrics.expect("the plan refuses more classes");
                self.each(model, rows, sample, &mut |actual, weight, label, probabilities| {
                    if let Some(label) = label {
                        metrics.add(actual, label, probabilities, weight);
                    }
                });
                Report::Multinomial(metrics.finish(domain))
            }
        }
    }

    fn regression(&self, model: &Model, rows: &Rows<'_>, sample: &[usize]) -> RegressionReport {
        let mut predicted = Vec::with_capacity(sample.len());
        self.each(model, rows, sample, &mut |actual, weight, _, value| predicted.push((actual, value[0], weight)));
        let params = &self.plan.effective;
        let shape = Shape {
            tweedie_power: params.tweedie_power,
            quantile_alpha: params.quantile_alpha,
            huber_delta: match self.plan.distribution {
                Distribution::Huber => {
                    let errors: Vec<_> = predicted.iter().map(|&(y, mu, weight)| ((y - mu).abs(), weight)).collect();
                    quantile(&errors, params.huber_alpha)
                }
                _ => 0.0,
            },
        };
        let residuals = Residuals::of(&predicted);
        let mut metrics = RegressionAccumulator::new();
        for (y, mu, weight) in predicted {
            // Of all deviances only huber's sees the response in full precision.
            let of_deviance = if self.plan.distribution == Distribution::Huber { y } else { f64::from(y as f32) };
            metrics.add(y, mu, self.plan.distribution.deviance(shape, of_deviance, mu), weight);
        }
        RegressionReport { metrics: metrics.finish(), residuals }
    }

    /// Hands on the rows in their order, on which AUC depends, those without a response included: gains and lift look at
    /// them. They are scored in batches over all threads. As in H2O rows without weight are not: they come with zeros.
    fn each(&self, model: &Model, rows: &Rows<'_>, sample: &[usize], take: &mut Take<'_>) {
        const BATCH: usize = 8192;
        let width = model.schema.classes().map_or(1, Domain::len);
        let mut labels = vec![None; sample.len().min(BATCH)];
        let mut numbers = vec![0.0; sample.len().min(BATCH) * width];
        for batch in sample.chunks(BATCH) {
            let outputs = labels.iter_mut().zip(numbers.chunks_mut(width)).zip(batch);
            if let Some(threads) = &self.threads {
                let outputs: Vec<_> = outputs.collect();
                threads.install(|| {
                    outputs.into_par_iter().for_each_init(Buffers::default, |buffers, ((label, numbers), &row)| {
                        *label = buffers.score(model, rows, row, numbers);
                    });
                });
            } else {
                let mut buffers = Buffers::default();
                for ((label, numbers), &row) in outputs {
                    *label = buffers.score(model, rows, row, numbers);
                }
            }
            for ((&label, numbers), &row) in labels.iter().zip(numbers.chunks(width)).zip(batch) {
                take(rows.response(row), rows.weight(row), label, numbers);
            }
        }
    }
}

/// Takes the response, the weight, the label, and the probabilities, the value or the reconstruction error of a row.
type Take<'t> = dyn FnMut(f64, f64, Option<usize>, &[f64]) + 't;

/// Room for scoring one row after the other.
#[derive(Default)]
struct Buffers {
    workspace: Workspace,
    raw: Vec<f64>,
}

impl Buffers {
    /// Sets `numbers` to the probabilities, the value or the reconstruction error of a row, and returns the label.
    fn score(&mut self, model: &Model, rows: &Rows<'_>, row: usize, numbers: &mut [f64]) -> Option<usize> {
        if rows.weight(row) == 0.0 {
            numbers.fill(0.0);
            return None;
        }
        rows.read(row, &mut self.raw);
        let Algorithm::DeepLearning(net) = &model.algorithm else { unreachable!("training makes nets") };
        if model.category == Category::AutoEncoder {
            // Not that of the prediction: H2O's runtime has no error for a row with a missing number.
            numbers[0] = net.squared_errors(&self.raw, &mut self.workspace);
            return None;
        }
        if rows.has_offsets() {
            numbers[0] = net.score_value_with_offset(&self.raw, rows.offset(row), &mut self.workspace);
            return None;
        }
        match model.score_columns(&self.raw, &mut self.workspace) {
            Prediction::Class { label, probabilities } => {
                numbers.copy_from_slice(probabilities);
                label
            }
            Prediction::Value(value) | Prediction::Reconstruction { mse: value, .. } => {
                numbers[0] = value;
                None
            }
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
