//! From raw numbers, and levels that count as numbers, to the numeric inputs of the net.

use model::{DeepLearning, Model};

use super::graph::{Graph, Value, int};
use super::inputs::{Column, Inputs, LookedUp};
use super::levels::Meaning;
use super::options::{OnnxInputs, OnnxOptions};
use super::proto::tensor_proto::DataType;

/// How far from its mean a number may be in single precision, in standard deviations: beyond, sums in the net might overflow,
/// and the answer be none.
const FARTHEST: f64 = 1e24;

/// The numeric inputs of the net.
pub(super) struct Numbers {
    /// Scaled, NaN where they are missing, and of the type of the raw numbers.
    pub(super) scaled: Value,
    /// What the net gets, in its own type: 0 for a missing one.
    pub(super) filled: Value,
}

impl Numbers {
    /// The numeric inputs, if the net has any.
    pub(super) fn new(
        graph: &mut Graph,
        options: OnnxOptions,
        model: &Model,
        net: &DeepLearning,
        inputs: &Inputs<'_>,
    ) -> Option<Self> {
        let scaled = in_order(graph, model, net, inputs)?;
        let filled = filled(graph, options.inputs, inputs.element, &scaled);
        let filled = match options.computes_in(net) {
            DataType::Float => {
                let least = graph.numbers(inputs.element, &[], [-FARTHEST], "numbers.least");
                let most = graph.numbers(inputs.element, &[], [FARTHEST], "numbers.most");
                let near = graph.node("Clip", &[&filled, &least, &most], "numbers.near");
                cast(graph, near, inputs.element, DataType::Float, "numbers.single")
            }
            element => cast(graph, filled, inputs.element, element, "numbers.double"),
        };
        Some(Self { scaled, filled })
    }
}

/// A stretch of the model's own numeric columns.
enum Stretch {
    /// Raw numbers, from one to before another.
    Numbers(usize, usize),
    /// What a categorical column becomes.
    Column(usize),
}

/// Scaled numbers in the order of the model's own columns.
fn in_order(graph: &mut Graph, model: &Model, net: &DeepLearning, inputs: &Inputs<'_>) -> Option<Value> {
    let features = model.schema.features();
    let first_columns = model.encoding.first_columns(features);
    let places = |is_number: bool| {
        let of_kind = features.iter().zip(&first_columns).filter(move |(f, _)| f.domain.is_none() == is_number);
        of_kind.map(|(_, &column)| column)
    };
    let first_numeric = net.layout.categoricals();
    let own: Vec<usize> = places(true).map(|column| column - first_numeric).collect();
    let scaled = inputs.numbers.as_ref().map(|numbers| scaled(graph, inputs.element, net, numbers, &own));

    let numbers = own.iter().enumerate().map(|(number, &place)| (place, Stretch::Numbers(number, number + 1)));
    let columns = places(false).enumerate().filter(|(_, place)| *place >= first_numeric);
    let columns = columns.map(|(column, place)| (place - first_numeric, Stretch::Column(column)));
    let mut stretches: Vec<(usize, Stretch)> = numbers.chain(columns).collect();
    stretches.sort_by_key(|(place, _)| *place);

    let mut values = Vec::new();
    for stretch in joined(stretches.into_iter().map(|(_, stretch)| stretch)) {
        values.extend(match stretch {
            Stretch::Numbers(start, end) if end - start == own.len() => scaled.clone(),
            Stretch::Numbers(start, end) => scaled.as_ref().map(|scaled| {
                let indices: Vec<i64> = (start as i64..end as i64).collect();
                let indices = graph.integers(&[indices.len()], &indices, "numbers.indices");
                graph.node_with("Gather", &[scaled, &indices], vec![int("axis", 1)], "numbers.some")
            }),
            Stretch::Column(column) => match &inputs.looked_up {
                LookedUp::Values(positions) => {
                    values_of_level(graph, inputs.element, &inputs.columns[column], &positions[column])
                }
                LookedUp::Rows(_) => None,
            },
        });
    }
    graph.concat(values, "numbers.scaled")
}

/// Numbers that follow each other in one stretch.
fn joined(stretches: impl Iterator<Item = Stretch>) -> Vec<Stretch> {
    let mut joined: Vec<Stretch> = Vec::new();
    for stretch in stretches {
        match (joined.last_mut(), &stretch) {
            (Some(Stretch::Numbers(_, end)), Stretch::Numbers(start, next)) if end == start => *end = *next,
            _ => joined.push(stretch),
        }
    }
    joined
}

/// `(x - sub) * mul`, for numbers that are these of the model's own.
fn scaled(graph: &mut Graph, element: DataType, net: &DeepLearning, numbers: &Value, own: &[usize]) -> Value {
    let Some(scaling) = &net.layout.scaling else { return numbers.clone() };
    let sub: Vec<f64> = own.iter().map(|&number| scaling.sub[number]).collect();
    let mul = own.iter().map(|&number| scaling.mul[number]);
    let mut subtract = |numbers: &Value, sub: Vec<f64>| {
        let sub = graph.numbers(element, &[own.len()], sub, "numbers.sub");
        graph.node("Sub", &[numbers, &sub], "numbers.centred")
    };
    let centred = match element {
        // In two steps: the first is exact near the mean, and the second brings what single precision left of the mean.
        DataType::Float => {
            let rest = sub.iter().map(|&sub| sub - f64::from(sub as f32)).collect();
            let centred = subtract(numbers, sub);
            subtract(&centred, rest)
        }
        _ => subtract(numbers, sub),
    };
    let mul = graph.numbers(element, &[own.len()], mul, "numbers.mul");
    graph.node("Mul", &[&centred, &mul], "numbers.scaled")
}

/// The values of the model's own columns for a level.
fn values_of_level(graph: &mut Graph, element: DataType, column: &Column<'_>, position: &Value) -> Option<Value> {
    let Meaning::Columns { width, values } = &column.meaning else { return None };
    let name = |suffix: &str| format!("{}.{suffix}", column.levels.name());
    let table = graph.numbers(element, &[values.len() / width, *width], values.iter().copied(), &name("table"));
    let values = graph.node("Gather", &[&table, position], &name("values"));
    Some(graph.squeezed(&values, &name("columns")))
}

/// Zero for missing numbers.
fn filled(graph: &mut Graph, kind: OnnxInputs, element: DataType, scaled: &Value) -> Value {
    let zero = graph.numbers(element, &[1], [0.0], "zero");
    match kind {
        OnnxInputs::Columns => {
            let is_missing = graph.node("IsNaN", &[scaled], "numbers.missing");
            graph.node("Where", &[&is_missing, &zero, scaled], "numbers.filled")
        }
        // For runtimes without that operator: a number that is none is not equal to itself.
        OnnxInputs::Matrices => {
            let is_number = graph.node("Equal", &[scaled, scaled], "numbers.known");
            graph.node("Where", &[&is_number, scaled, &zero], "numbers.filled")
        }
    }
}

/// A value of one type in another.
pub(super) fn cast(graph: &mut Graph, value: Value, from: DataType, to: DataType, name: &str) -> Value {
    if from == to {
        return value;
    }
    graph.node_with("Cast", &[&value], vec![int("to", i32::from(to).into())], name)
}
