//! How the metrics went while the model was trained.

use super::axis::Axis;
use super::facts::{ReportFacts, Table};
use super::page::{Block, Figure};
use super::svg::{Place, Plot};
use super::text;

/// More points than a line of a plot can show.
const MOST_POINTS: usize = 300;
/// So many are seen one by one.
const FEW_POINTS: usize = 30;

/// Metrics of the history, by their names in files and in words, the first four that are there.
const METRICS: [(&str, &str); 8] = [
    ("logloss", "Log loss"),
    ("auc", "AUC"),
    ("classification_error", "Classification error"),
    ("pr_auc", "Area under precision-recall"),
    ("rmse", "RMSE"),
    ("mae", "Mean absolute error"),
    ("deviance", "Deviance"),
    ("r2", "R²"),
];

/// The plots, and which point is the model.
pub(super) fn blocks(facts: &ReportFacts) -> Vec<Block> {
    let history = History::of(&facts.history);
    if history.epochs.is_empty() {
        return Vec::new();
    }
    let figures = METRICS.iter().filter_map(|(name, title)| history.figure(name, title)).take(4);
    let Some(figures) = Block::figures(figures) else { return Vec::new() };
    let mut blocks = vec![figures];
    if history.model.is_some_and(|model| model + 1 < history.epochs.len()) {
        blocks.push(Block::note(
            "Training returned to the best model that was scored (overwrite_with_best_model): the ring is on it.",
        ));
    }
    blocks
}

struct History<'t> {
    table: &'t Table,
    epochs: Vec<f64>,
    /// Which row is the model's.
    model: Option<usize>,
}

impl<'t> History<'t> {
    /// Where training returned to an earlier model, it was scored once more: the last row repeats the metrics of an earlier
    /// one at the epochs of the last but one.
    fn of(table: &'t Table) -> Self {
        let mut epochs = table.numbers("epochs");
        let last = epochs.len().checked_sub(1);
        let mut model = last;
        if let Some(last) = last.filter(|&last| last > 0 && epochs[last] == epochs[last - 1]) {
            let metrics = |row: usize| {
                let cells = table.header.iter().zip(&table.rows[row]);
                cells.filter(|(name, _)| name.contains("training_") && *name != "training_speed").map(|(_, cell)| cell)
            };
            let earlier = (0..last).find(|&row| metrics(row).eq(metrics(last)));
            if earlier.is_some() {
                epochs.truncate(last);
                model = earlier;
            }
        }
        Self { table, epochs, model }
    }

    fn figure(&self, name: &str, title: &str) -> Option<Figure> {
        let series = |frame: &str| {
            let values = self.table.numbers(&format!("{frame}_{name}"));
            let points: Vec<_> = self.epochs.iter().copied().zip(values).collect();
            points.iter().any(|(_, value)| value.is_finite()).then_some(points)
        };
        let known = [("validation", series("validation")), ("training", series("training"))];
        let known = known.into_iter().filter_map(|(frame, points)| Some((frame, points?)));
        let known: Vec<_> = known.zip(["first", "second"]).collect();
        let finite = known.iter().flat_map(|((_, points), _)| points).filter(|(_, value)| value.is_finite());
        let (low, high) = finite
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &(_, value)| (low.min(value), high.max(value)));
        if known.is_empty() {
            return None;
        }
        let last_epoch = self.epochs.last().copied().unwrap_or_default();
        let axes = (
            Axis::between("epochs", 0.0, if last_epoch > 0.0 { last_epoch } else { 1.0 }, 6),
            Axis::spanning("", low, high, 5),
        );
        let mut plot = Plot::new(&format!("history-{name}"), title, &describe(title, &known), axes, 220.0);
        for ((_, points), class) in known.iter().rev() {
            plot.line(class, &thinned(points));
            if points.len() <= FEW_POINTS {
                plot.dots(class, points);
            }
        }
        let ((_, points), class) = &known[0];
        let model = self.model.and_then(|model| Some((points.get(model)?, points.get(model.checked_sub(1)?))));
        if let Some((&point, before)) = model.filter(|((_, value), _)| value.is_finite()) {
            plot.ring(class, point);
            // Away from the line that leads there.
            let is_falling = before.is_some_and(|before| before.1 > point.1);
            plot.note("the model", point, if is_falling { Place::BelowLeft } else { Place::AboveLeft });
        }
        let keys = known.iter().map(|((frame, _), class)| (*class, (*frame).to_owned())).collect();
        Some(Figure { title: title.to_owned(), keys, svg: plot.finish(), note: None })
    }
}

type Series = (&'static str, Vec<(f64, f64)>);

fn describe(title: &str, known: &[(Series, &str)]) -> String {
    let ends = known.iter().map(|((frame, points), _)| {
        let mut values = points.iter().filter(|(_, value)| value.is_finite());
        let (first, last) = (values.next(), values.next_back());
        let first = first.map_or(f64::NAN, |point| point.1);
        format!("{frame} from {} to {}", text::figure(first), text::figure(last.map_or(first, |point| point.1)))
    });
    format!("{title} over epochs: {}.", ends.collect::<Vec<_>>().join("; "))
}

/// Every so many points, the last included.
fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let step = points.len().div_ceil(MOST_POINTS).max(1);
    let last = points.len().saturating_sub(1);
    points.iter().enumerate().filter(|(i, _)| i % step == 0 || *i == last).map(|(_, &point)| point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history(rows: &[(&str, &str)]) -> Table {
        let header = ["epochs", "training_speed", "training_logloss"].map(str::to_owned).to_vec();
        let row = |&(epochs, loss): &(&str, &str)| vec![epochs.to_owned(), "9 obs/sec".to_owned(), loss.to_owned()];
        Table { header, rows: rows.iter().map(row).collect() }
    }

    #[test]
    fn the_row_of_a_model_that_was_returned_to_is_no_point() {
        let table = history(&[("0", ""), ("1", "0.5"), ("2", "0.4"), ("3", "0.45"), ("3", "0.4")]);
        let found = History::of(&table);
        assert_eq!((found.epochs.len(), found.model), (4, Some(2)));
        let table = history(&[("0", ""), ("1", "0.5"), ("2", "0.4")]);
        assert_eq!(History::of(&table).model, Some(2));
    }

    #[test]
    fn one_point_is_a_plot_and_none_is_not() {
        let table = history(&[("0", ""), ("1", "0.5")]);
        let svg = History::of(&table).figure("logloss", "Log loss").expect("a point").svg;
        assert!(svg.contains("circle") && !svg.contains("NaN"), "{svg}");
        assert!(History::of(&history(&[("0", "")])).figure("logloss", "Log loss").is_none());
        assert!(History::of(&table).figure("auc", "AUC").is_none());
    }

    #[test]
    fn long_histories_keep_their_end() {
        let points: Vec<_> = (0..10_000).map(|i| (f64::from(i), 0.0)).collect();
        let thin = thinned(&points);
        assert!(thin.len() <= MOST_POINTS + 2 && thin.last() == points.last());
    }
}
