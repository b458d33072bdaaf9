//! The weights that are worth a line.

use model::{Layer, Model};

use super::stage::{RADIUS, Stage};

/// Lines between two stages: the largest weights of those that are shown.
const MOST: usize = 240;
/// Weights below this share of the largest have no line.
const LEAST: f64 = 0.04;
/// Widths of lines.
pub(super) const STRENGTHS: usize = 4;
/// The shares of all lines that may have each but the thinnest.
const RANKS: [f64; STRENGTHS - 1] = [0.5, 0.2, 0.07];

/// A line for a weight, or for those of all levels of a column.
pub(super) struct Stroke {
    pub kind: Kind,
    /// From 0, below [`STRENGTHS`].
    pub strength: usize,
    pub from: (f64, f64),
    pub to: (f64, f64),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Up,
    Down,
    Levels,
}

/// The lines between all stages, given the height of the middle.
pub(super) fn all(model: &Model, columns: &Stage, layers: &[Stage], middle: f64) -> Vec<Stroke> {
    let net = model.net();
    let mut strokes = Vec::new();
    // Levels that share slots have no weights of their own.
    if let (Some(first), None) = (layers.first(), net.layout.hashing) {
        let mut inputs: Vec<_> = net.layout.cat_offsets.windows(2).map(|bounds| bounds[0]..bounds[1]).collect();
        inputs.extend((0..net.layout.numerics).map(|number| net.layout.first_numeric() + number).map(|i| i..i + 1));
        between(columns, first, middle, &mut strokes, |column, unit| {
            together(&net.network.layers()[0], inputs[column].clone(), unit)
        });
    }
    for stages in layers.windows(2) {
        if let (Some(_), Some(layer)) = (stages[0].layer, stages[1].layer) {
            let layer = &net.network.layers()[layer];
            between(&stages[0], &stages[1], middle, &mut strokes, |below, unit| {
                together(layer, below..below + 1, unit)
            });
        }
    }
    strokes
}

/// The weight from one input to a unit, or the root of the squares of several.
fn together(layer: &Layer, inputs: std::ops::Range<usize>, unit: usize) -> (f64, Kind) {
    let weights = layer.weights_of(unit);
    let of_input = |input: usize| {
        let channels = weights[input * layer.channels..][..layer.channels].iter().map(|&weight| f64::from(weight));
        channels.fold(0.0, |largest: f64, weight| if weight.abs() > largest.abs() { weight } else { largest })
    };
    if inputs.len() == 1 {
        let weight = of_input(inputs.start);
        return (weight.abs(), if weight < 0.0 { Kind::Down } else { Kind::Up });
    }
    (inputs.map(|input| of_input(input).powi(2)).sum::<f64>().sqrt(), Kind::Levels)
}

fn between(
    left: &Stage,
    right: &Stage,
    middle: f64,
    strokes: &mut Vec<Stroke>,
    weight: impl Fn(usize, usize) -> (f64, Kind),
) {
    let mut lines = Vec::new();
    for (from_row, from) in left.items() {
        for (to_row, to) in right.items() {
            let (size, kind) = weight(from, to);
            // What is no number is drawn as the largest are.
            lines.push((if size.is_finite() { size } else { f64::MAX }, kind, from_row, to_row));
        }
    }
    let largest = lines.iter().map(|line| line.0).fold(0.0, f64::max);
    lines.retain(|line| line.0 > LEAST * largest);
    lines.sort_by(|a, b| b.0.total_cmp(&a.0));
    lines.truncate(MOST);
    let count = lines.len();
    let strength = |place: usize, size: f64| {
        let by_size = (size / largest * STRENGTHS as f64) as usize;
        // Where all weights are about the same, all of them bold would be a blot.
        let by_place = RANKS.iter().filter(|rank| (place as f64) < *rank * count as f64 + 1.0).count();
        by_size.min(by_place)
    };
    strokes.extend(lines.into_iter().enumerate().map(|(place, (size, kind, from, to))| Stroke {
        kind,
        strength: strength(place, size),
        from: (left.right_edge(), left.y(from, middle)),
        to: (right.x - RADIUS, right.y(to, middle)),
    }));
}
