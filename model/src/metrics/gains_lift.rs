use super::quantile::quantile;

/// The probabilities whose quantiles bound the automatic groups.
const AUTOMATIC: [f64; 16] = [0.99, 0.98, 0.97, 0.96, 0.95, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.0];

/// How the rows of a gains and lift table are grouped by their predictions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LiftGroups {
    /// Hundredths for the highest 5 %, then larger groups.
    #[default]
    Automatic,
    /// No table, and no lift.
    Off,
    /// So many groups of one size.
    Equal(usize),
}

impl LiftGroups {
    /// Where the groups end from the highest predictions down, as probabilities of quantiles.
    fn probabilities(self) -> Vec<f64> {
        match self {
            Self::Automatic => AUTOMATIC.to_vec(),
            Self::Off => Vec::new(),
            Self::Equal(groups) => (0..groups).rev().map(|below| below as f64 / groups as f64).collect(),
        }
    }
}

/// How much more often class 1 is met where its predictions are high: the rows in groups, from the highest predictions
/// down.
///
/// Weights count as whole numbers, their fractions dropped row by row, except in `score`. Empty where the weights of all
/// rows are below 1.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GainsLift {
    groups: Vec<GainsLiftGroup>,
}

/// A group of rows with neighbouring predictions. What is cumulative covers the groups above it too.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GainsLiftGroup {
    /// Share of the rows.
    pub cumulative_data_fraction: f64,
    /// Predictions are at least this, and below that of the group before.
    pub lower_threshold: f64,
    /// Response rate over that of all rows.
    pub lift: f64,
    /// The same.
    pub cumulative_lift: f64,
    /// Share of class 1; 0 in a group without rows.
    pub response_rate: f64,
    /// Mean prediction; 0 in a group without rows.
    pub score: f64,
    /// Share of class 1.
    pub cumulative_response_rate: f64,
    /// Mean prediction.
    pub cumulative_score: f64,
    /// Share of all rows of class 1.
    pub capture_rate: f64,
    /// Share of all rows of class 1.
    pub cumulative_capture_rate: f64,
    /// 100 (lift - 1).
    pub gain: f64,
    /// The same of the cumulative lift.
    pub cumulative_gain: f64,
    /// The share of all rows of class 1 that is reached, less that of class 0.
    pub kolmogorov_smirnov: f64,
}

impl GainsLiftGroup {
    /// Its figures under H2O's names, in the order of H2O's table.
    pub fn cells(&self) -> [(&'static str, f64); 13] {
        [
            ("cumulative_data_fraction", self.cumulative_data_fraction),
            ("lower_threshold", self.lower_threshold),
            ("lift", self.lift),
            ("cumulative_lift", self.cumulative_lift),
            ("response_rate", self.response_rate),
            ("score", self.score),
            ("cumulative_response_rate", self.cumulative_response_rate),
            ("cumulative_score", self.cumulative_score),
            ("capture_rate", self.capture_rate),
            ("cumulative_capture_rate", self.cumulative_capture_rate),
            ("gain", self.gain),
            ("cumulative_gain", self.cumulative_gain),
            ("kolmogorov_smirnov", self.kolmogorov_smirnov),
        ]
    }
}

impl GainsLift {
    /// The groups.
    pub fn groups(&self) -> &[GainsLiftGroup] {
        &self.groups
    }

    /// The lift of the highest group; NaN without groups.
    pub(super) fn top_group(&self) -> f64 {
        self.groups.first().map_or(f64::NAN, |group| group.lift)
    }
}

/// Keeps the predictions, which exact quantiles need. Rows without a class have a part in the quantiles too.
#[derive(Debug, Clone, Default)]
pub(super) struct GainsLiftAccumulator {
    groups: LiftGroups,
    /// Predictions and weights.
    rows: Vec<(f64, f64)>,
    is_positive: Vec<Option<bool>>,
}

impl GainsLiftAccumulator {
    pub(super) fn new(groups: LiftGroups) -> Self {
        Self { groups, ..Self::default() }
    }

    pub(super) fn add(&mut self, prediction: f64, is_positive: Option<bool>, weight: f64) {
        if self.groups != LiftGroups::Off {
            self.rows.push((prediction, weight));
            self.is_positive.push(is_positive);
        }
    }

    pub(super) fn finish(&self) -> GainsLift {
        let mut thresholds: Vec<f64> =
            self.groups.probabilities().iter().map(|&probability| quantile(&self.rows, probability)).collect();
        thresholds.dedup();
        let mut counts = vec![Count::default(); thresholds.len()];
        for (&(prediction, weight), is_positive) in self.rows.iter().zip(&self.is_positive) {
            let Some(is_positive) = *is_positive else { continue };
            let group = thresholds.partition_point(|&threshold| threshold > prediction);
            // With fractional weights the lowest quantile may lie above some rows, which are in no group.
            if let Some(count) = counts.get_mut(group) {
                count.add(prediction, is_positive, weight);
            }
        }
        let mut all = Count::default();
        for count in &counts {
            all.merge(count);
        }
        if all.rows == 0.0 {
            return GainsLift::default();
        }
        let mut so_far = Count::default();
        let groups = thresholds.iter().zip(&counts).map(|(&lower_threshold, count)| {
            so_far.merge(count);
            group(lower_threshold, count, &so_far, &all)
        });
        GainsLift { groups: groups.collect() }
    }
}

/// What is counted of some rows.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    rows: f64,
    positives: f64,
    predictions: f64,
}

impl Count {
    fn add(&mut self, prediction: f64, is_positive: bool, weight: f64) {
        let whole = weight.trunc();
        self.rows += whole;
        self.positives += if is_positive { whole } else { 0.0 };
        self.predictions += weight * prediction;
    }

    fn merge(&mut self, other: &Self) {
        self.rows += other.rows;
        self.positives += other.positives;
        self.predictions += other.predictions;
    }

    fn negatives(&self) -> f64 {
        self.rows - self.positives
    }

    fn response_rate(&self) -> f64 {
        self.positives / self.rows
    }
}

fn group(lower_threshold: f64, own: &Count, so_far: &Count, all: &Count) -> GainsLiftGroup {
    let of_rows = |ratio: f64| if own.rows == 0.0 { 0.0 } else { ratio };
    let response_rate = of_rows(own.response_rate());
    let lift = response_rate / all.response_rate();
    let cumulative_lift = so_far.response_rate() / all.response_rate();
    let reached = so_far.positives / all.positives;
    GainsLiftGroup {
        cumulative_data_fraction: so_far.rows / all.rows,
        lower_threshold,
        lift,
        cumulative_lift,
        response_rate,
        score: of_rows(own.predictions / own.rows),
        cumulative_response_rate: so_far.response_rate(),
        cumulative_score: so_far.predictions / so_far.rows,
        capture_rate: own.positives / all.positives,
        cumulative_capture_rate: reached,
        gain: 100.0 * (lift - 1.0),
        cumulative_gain: 100.0 * (cumulative_lift - 1.0),
        kolmogorov_smirnov: reached - so_far.negatives() / all.negatives().max(1.0),
    }
}
