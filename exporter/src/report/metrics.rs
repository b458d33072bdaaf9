//! The figures that a model is judged by.

use super::facts::{FrameFacts, ReportFacts};
use super::frames::Frame;
use super::page::{Block, Cell, Head, PageTable};
use super::text;

/// Keys of `metrics.json`, in words, with what they are.
const METRICS: [(&str, &str, &str); 15] = [
    ("auc", "AUC", "area under the ROC curve"),
    ("pr_auc", "PR area", "area under the precision-recall curve"),
    ("gini", "Gini", "2 AUC − 1"),
    ("logloss", "Log loss", "mean of −ln of the probability of the class"),
    ("classification_error", "Classification error", "share of wrong labels"),
    ("mean_per_class_error", "Mean per-class error", "mean over classes of the share of wrong labels"),
    ("lift_top_group", "Lift of the top group", "share of the class among the highest predictions, over that of all"),
    ("max_f1_threshold", "Threshold of the largest F1", "labels are given from this probability on"),
    ("mean_residual_deviance", "Mean residual deviance", "of the model's distribution"),
    ("mae", "MAE", "mean absolute error"),
    ("rmse", "RMSE", "root of the mean squared error"),
    ("mse", "MSE", "mean squared error"),
    ("rmsle", "RMSLE", "root of the mean squared difference of logarithms"),
    ("r2", "R²", "share of the variance that is explained"),
    ("nobs", "Rows", "that were scored"),
];

/// A figure to be seen first.
#[derive(Debug, serde::Serialize)]
pub(super) struct Tile {
    name: &'static str,
    value: String,
    exact: String,
    about: String,
}

/// The figures to be seen first: those of the frame that decides.
pub(super) fn tiles(frames: &[Frame<'_>]) -> Vec<Tile> {
    const FIRST: [&str; 10] = [
        "auc",
        "pr_auc",
        "logloss",
        "classification_error",
        "mean_per_class_error",
        "r2",
        "rmse",
        "mae",
        "mean_residual_deviance",
        "mse",
    ];
    const MOST: usize = 4;
    let Some(frame) = frames.first() else { return Vec::new() };
    let tile = |key: &&str| {
        let value = frame.facts.metric(key)?;
        let &(_, name, what) = METRICS.iter().find(|(name, ..)| name == key)?;
        let other = frames.get(1).and_then(|other| Some((other.name, other.facts.metric(key)?)));
        let other = other.map_or(String::new(), |(name, value)| format!("; {name} {}", text::figure(value)));
        Some(Tile {
            name,
            value: text::figure(value),
            exact: value.to_string(),
            about: format!("{what}, {}{other}", frame.name),
        })
    };
    FIRST.iter().filter_map(tile).take(MOST).collect()
}

/// All figures of all frames, side by side.
pub(super) fn blocks(facts: &ReportFacts) -> Vec<Block> {
    let frames = [
        ("training", &facts.training),
        ("validation", &facts.validation),
        ("cross-validation", &facts.cross_validation),
    ];
    let frames: Vec<(&str, &FrameFacts)> = frames.into_iter().filter(|(_, facts)| !facts.is_empty()).collect();
    if frames.is_empty() {
        return Vec::new();
    }
    let row = |&(key, name, what): &(&str, &str, &str)| {
        let values: Vec<_> = frames.iter().map(|(_, facts)| facts.metric(key)).collect();
        values.iter().any(Option::is_some).then(|| {
            let cell = |value: Option<f64>| match value {
                Some(value) if key == "nobs" => Cell::number(value, text::count(value)),
                Some(value) => Cell::number(value, text::significant(value, 5)),
                None => Cell::number(f64::NAN, text::figure(f64::NAN)),
            };
            std::iter::once(Cell::text(name).header().over(what)).chain(values.into_iter().map(cell)).collect()
        })
    };
    let is_sample = "Training figures are those of the final model on the sample of training rows that is scored \
                     (score_training_samples).";
    vec![Block::Table(PageTable {
        caption: "Metrics".to_owned(),
        class: "metrics",
        head: std::iter::once(Head::text("metric")).chain(frames.iter().map(|(name, _)| Head::number(name))).collect(),
        rows: METRICS.iter().filter_map(row).collect(),
        folded: false,
        note: Some(is_sample.to_owned()),
    })]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_name_the_other_frame_too() {
        let facts = |auc| FrameFacts {
            metrics: vec![("auc".to_owned(), auc), ("mse".to_owned(), f64::NAN)],
            ..FrameFacts::default()
        };
        let (validation, training) = (facts(0.812_345), facts(0.9));
        let frame = |name, facts| Frame { name, class: "first", facts };
        let tiles = tiles(&[frame("validation", &validation), frame("training", &training)]);
        let [tile] = &tiles[..] else { unreachable!("one figure is known") };
        assert_eq!((tile.value.as_str(), tile.exact.as_str()), ("0.8123", "0.812345"));
        assert_eq!(tile.about, "area under the ROC curve, validation; training 0.9000");
    }
}
