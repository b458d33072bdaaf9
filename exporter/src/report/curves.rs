//! ROC and precision-recall curves of a classifier for two classes, and how far its probabilities can be believed.

use model::RoundStep;

use super::axis::Axis;
use super::frames::Frame;
use super::page::{Block, Figure};
use super::svg::{Place, Plot};
use super::text;

const HEIGHT: f64 = 290.0;

/// The plots; nothing where no table of thresholds is known. Labels are given from the threshold on.
pub(super) fn blocks(frames: &[Frame<'_>], threshold: f64) -> Vec<Block> {
    let frames: Vec<_> = frames.iter().copied().filter(|frame| !frame.facts.thresholds.is_empty()).collect();
    if frames.is_empty() {
        return Vec::new();
    }
    let figures = [roc(&frames, threshold), precision_recall(&frames, threshold)].into_iter();
    let figures = figures.chain(calibration(&frames)).chain(predictions(&frames, threshold));
    Block::figures(figures).into_iter().collect()
}

fn roc(frames: &[Frame<'_>], threshold: f64) -> Figure {
    let title = "ROC curve";
    let keys: Vec<_> = frames.iter().map(|frame| key(frame, "AUC", "auc")).collect();
    let axes = (Axis::of_shares("false positive rate"), Axis::of_shares("true positive rate"));
    let mut plot = Plot::new("roc", title, &describe(title, &keys), axes, HEIGHT);
    plot.line("reference", &[(0.0, 0.0), (1.0, 1.0)]);
    for frame in frames.iter().rev() {
        let mut points = vec![(0.0, 0.0)];
        points.extend(frame.facts.thresholds.pairs("fpr", "tpr"));
        plot.line(frame.class, &points);
    }
    mark_threshold(&mut plot, &frames[0], threshold, ("fpr", "tpr"), Place::BelowRight);
    Figure { title: title.to_owned(), keys, svg: plot.finish(), note: None }
}

fn precision_recall(frames: &[Frame<'_>], threshold: f64) -> Figure {
    let title = "Precision and recall";
    let keys: Vec<_> = frames.iter().map(|frame| key(frame, "area", "pr_auc")).collect();
    let axes = (Axis::of_shares("recall"), Axis::of_shares("precision"));
    let mut plot = Plot::new("precision-recall", title, &describe(title, &keys), axes, HEIGHT);
    let outcomes = Outcomes::of(&frames[0]);
    let share = outcomes.iter().map(|o| o.positives).sum::<f64>() / outcomes.iter().map(Outcomes::rows).sum::<f64>();
    plot.line("reference", &[(0.0, share), (1.0, share)]);
    for frame in frames.iter().rev() {
        plot.line(frame.class, &frame.facts.thresholds.pairs("recall", "precision"));
    }
    mark_threshold(&mut plot, &frames[0], threshold, ("recall", "precision"), Place::BelowLeft);
    Figure { title: title.to_owned(), keys, svg: plot.finish(), note: None }
}

fn key(frame: &Frame<'_>, what: &str, metric: &str) -> (&'static str, String) {
    let area = frame.facts.metric(metric).unwrap_or(f64::NAN);
    (frame.class, format!("{}, {what} {}", frame.name, text::figure(area)))
}

fn describe(title: &str, keys: &[(&str, String)]) -> String {
    format!("{title}: {}.", keys.iter().map(|(_, key)| key.as_str()).collect::<Vec<_>>().join("; "))
}

/// Puts a ring where the labels are.
fn mark_threshold(plot: &mut Plot, frame: &Frame<'_>, threshold: f64, (x, y): (&str, &str), place: Place) {
    let table = &frame.facts.thresholds;
    // From the highest down; the model's may lie between two where it is that of another frame.
    let at = table.numbers("threshold").iter().rposition(|&found| found >= threshold);
    let point = at.and_then(|at| table.pairs(x, y).get(at).copied());
    if let Some(point) = point.filter(|(x, y)| !x.is_nan() && !y.is_nan()) {
        plot.ring(frame.class, point);
        plot.note(&format!("threshold {}", text::figure(threshold)), point, place);
    }
}

/// The rows of neighbouring predictions.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Outcomes {
    /// The mean prediction.
    predicted: f64,
    positives: f64,
    negatives: f64,
}

impl Outcomes {
    /// The bins behind a table of thresholds, each of which is the mean prediction of its bin.
    fn of(frame: &Frame<'_>) -> Vec<Self> {
        let table = &frame.facts.thresholds;
        let (mut tp, mut fp) = (0.0, 0.0);
        let counts = table.pairs("tps", "fps").into_iter().zip(table.numbers("threshold"));
        let bins = counts.map(|((tps, fps), predicted)| {
            let bin = Self { predicted, positives: tps - tp, negatives: fps - fp };
            (tp, fp) = (tps, fps);
            bin
        });
        bins.filter(|bin| bin.rows() > 0.0).collect()
    }

    /// The same in bins of a round width, with the place of each.
    fn binned(frame: &Frame<'_>, most: usize) -> Option<(RoundStep, Vec<(i64, Self)>)> {
        let bins = Self::of(frame);
        let (low, high) = (bins.last()?.predicted, bins.first()?.predicted);
        let step = RoundStep::covering(low, high, most)?;
        let mut binned: Vec<(i64, Self)> = Vec::new();
        for bin in bins.iter().rev() {
            let place = step.below(bin.predicted);
            match binned.last_mut().filter(|(last, _)| *last == place) {
                Some((_, sum)) => *sum = sum.with(bin),
                None => binned.push((place, *bin)),
            }
        }
        Some((step, binned))
    }

    fn with(&self, other: &Self) -> Self {
        let predicted = self.predicted * self.rows() + other.predicted * other.rows();
        let (positives, negatives) = (self.positives + other.positives, self.negatives + other.negatives);
        Self { predicted: predicted / (positives + negatives), positives, negatives }
    }

    fn rows(&self) -> f64 {
        self.positives + self.negatives
    }

    fn rate(&self) -> f64 {
        self.positives / self.rows()
    }

    /// Wilson's interval of 95 % for the rate.
    fn interval(&self) -> (f64, f64) {
        const Z: f64 = 1.96;
        let (n, p) = (self.rows(), self.rate());
        let middle = (p + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
        let reach = Z / (1.0 + Z * Z / n) * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
        (middle - reach, middle + reach)
    }
}

/// The share of class 1 among rows of similar predictions, which should be what was predicted.
fn calibration(frames: &[Frame<'_>]) -> Option<Figure> {
    const BINS: usize = 10;
    let title = "Calibration";
    let binned = frames.iter().filter_map(|frame| Some((frame, Outcomes::binned(frame, BINS)?.1)));
    let binned: Vec<_> = binned.collect();
    let (_, first) = binned.first()?;
    let all = || binned.iter().flat_map(|(_, bins)| bins).map(|(_, bin)| bin);
    let highest = all().map(|bin| bin.predicted.max(bin.rate())).fold(0.0, f64::max);
    // Where all is rare, the corner is enlarged.
    let high = if highest > 0.5 { 1.0 } else { highest };
    let axes = (
        Axis::spanning("mean predicted probability", 0.0, high, 5),
        Axis::spanning("share of the class", 0.0, high, 5),
    );
    let description = format!(
        "Calibration: {}.",
        first
            .iter()
            .map(|(_, bin)| format!(
                "predicted {}, found {} of {} rows",
                text::figure(bin.predicted),
                text::percent(bin.rate()),
                text::count(bin.rows())
            ))
            .collect::<Vec<_>>()
            .join("; ")
    );
    let mut plot = Plot::new("calibration", title, &description, axes, HEIGHT);
    plot.line("reference", &[(0.0, 0.0), (high, high)]);
    for (frame, bins) in binned.iter().rev() {
        let points: Vec<_> = bins.iter().map(|(_, bin)| (bin.predicted, bin.rate())).collect();
        plot.line(frame.class, &points);
        plot.dots(frame.class, &points);
    }
    for (_, bin) in first {
        let (low, high) = bin.interval();
        plot.line("interval", &[(bin.predicted, low), (bin.predicted, high)]);
    }
    let keys = binned.iter().map(|(frame, _)| (frame.class, frame.name.to_owned())).collect();
    let note = "Rows in bins of their predictions; the thin lines are intervals of 95% for the share.".to_owned();
    Some(Figure { title: title.to_owned(), keys, svg: plot.finish(), note: Some(note) })
}

/// How many rows got which probability.
fn predictions(frames: &[Frame<'_>], threshold: f64) -> Option<Figure> {
    const BINS: usize = 25;
    let frame = frames.first()?;
    let (step, bins) = Outcomes::binned(frame, BINS)?;
    let title = "Predicted probabilities";
    let (first, last) = (bins.first()?.0, bins.last()?.0 + 1);
    let most = bins.iter().map(|(_, bin)| bin.rows()).fold(0.0, f64::max);
    let axes = (
        Axis::between("predicted probability", step.times(first), step.times(last), 6),
        Axis::spanning("rows", 0.0, most, 5),
    );
    let rows: f64 = bins.iter().map(|(_, bin)| bin.rows()).sum();
    let description = format!(
        "How the predicted probabilities of {} rows of the {} frame are spread, by actual class.",
        text::count(rows),
        frame.name
    );
    let mut plot = Plot::new("predictions", title, &description, axes, HEIGHT);
    let stacked = |from: fn(&Outcomes) -> f64, to: fn(&Outcomes) -> f64| {
        bins.iter().map(move |(place, bin)| [(step.times(*place), from(bin)), (step.times(place + 1), to(bin))])
    };
    plot.boxes("bar-a", stacked(|_| 0.0, |bin| bin.positives), 1.0);
    plot.boxes("bar-b", stacked(|bin| bin.positives, Outcomes::rows), 1.0);
    plot.line("rule", &[(threshold, 0.0), (threshold, most)]);
    plot.note("threshold", (threshold, most), Place::Right);
    let table = &frame.facts.confusion;
    let class = |place: usize| {
        table.rows.get(place).and_then(|row| row.first()).map_or_else(String::new, |c| text::shortened(c, 20))
    };
    let keys = vec![("bar-a", format!("actually {}", class(1))), ("bar-b", format!("actually {}", class(0)))];
    let note = format!("Of the {} frame.", frame.name);
    Some(Figure { title: title.to_owned(), keys, svg: plot.finish(), note: Some(note) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::facts::{FrameFacts, Table};

    fn thresholds() -> FrameFacts {
        let header = ["threshold", "tps", "fps", "tpr", "fpr", "recall", "precision"].map(str::to_owned).to_vec();
        let rows = [["0.9", "8", "2", "0.8", "0.2", "0.8", "0.8"], ["0.1", "10", "10", "1", "1", "1", "0.5"]];
        let rows = rows.map(|row| row.map(str::to_owned).to_vec()).to_vec();
        FrameFacts {
            metrics: vec![("auc".to_owned(), 0.8)],
            thresholds: Table { header, rows },
            ..FrameFacts::default()
        }
    }

    #[test]
    fn bins_behind_thresholds_have_their_rows() {
        let facts = thresholds();
        let frame = Frame { name: "training", class: "first", facts: &facts };
        let bins = Outcomes::of(&frame);
        let bin = |predicted, positives, negatives| Outcomes { predicted, positives, negatives };
        assert_eq!(bins, [bin(0.9, 8.0, 2.0), bin(0.1, 2.0, 8.0)]);
        let (step, binned) = Outcomes::binned(&frame, 1).expect("two predictions");
        assert_eq!((step.times(1), binned), (1.0, vec![(0, bin(0.5, 10.0, 10.0))]));
    }

    #[test]
    fn intervals_are_those_of_wilson() {
        let (low, high) = Outcomes { predicted: 0.0, positives: 8.0, negatives: 2.0 }.interval();
        assert!((low - 0.4902).abs() < 1e-4 && (high - 0.9433).abs() < 1e-4, "{low} {high}");
    }

    #[test]
    fn the_threshold_is_marked_where_labels_change() {
        let facts = thresholds();
        let frame = Frame { name: "training", class: "first", facts: &facts };
        let figure = roc(&[frame], 0.5);
        assert!(figure.svg.contains("threshold 0.5000") && figure.svg.contains("ring"), "{}", figure.svg);
        assert_eq!(figure.keys, [("first", "training, AUC 0.8000".to_owned())]);
        assert_eq!(blocks(&[frame], 0.5).len(), 1);
    }
}
