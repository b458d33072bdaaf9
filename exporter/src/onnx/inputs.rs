//! What callers send, as values of the graph.

use std::collections::HashSet;

use model::{DeepLearning, Feature, Model};

use super::graph::{Graph, Value, int, ints, of_tensor, strings, tensor};
use super::levels::{Levels, Meaning};
use super::options::{OnnxInputs, OnnxOptions};
use super::proto::TensorProto;
use super::proto::tensor_proto::DataType;

/// The input of level codes, where columns come as matrices.
pub(crate) const CODES: &str = "codes";

/// The input of numbers, where columns come as matrices.
pub(crate) const NUMBERS: &str = "numbers";

/// What callers send.
pub(super) struct Inputs<'m> {
    /// The numeric columns side by side, NaN where a cell is missing.
    pub(super) numbers: Option<Value>,
    /// The type of these.
    pub(super) element: DataType,
    /// The categorical columns.
    pub(super) columns: Vec<Column<'m>>,
    /// What those look up for their cells.
    pub(super) looked_up: LookedUp,
}

/// What the categorical columns look up for their cells.
pub(super) enum LookedUp {
    /// Rows of the first layer, side by side; none where there is no categorical column.
    Rows(Option<Value>),
    /// For each column a row of its own table.
    Values(Vec<Value>),
}

/// A categorical column.
pub(super) struct Column<'m> {
    pub(super) levels: Levels<'m>,
    pub(super) meaning: Meaning,
    /// The row of the first layer that adds nothing.
    no_input: usize,
}

impl<'m> Inputs<'m> {
    /// Makes the inputs of the graph.
    pub(super) fn new(graph: &mut Graph, options: OnnxOptions, model: &'m Model, net: &DeepLearning) -> Self {
        let no_input = net.layout.first_numeric();
        let column = |levels: Levels<'m>| Column { meaning: levels.meaning(net), levels, no_input };
        let columns: Vec<_> = Levels::all(model).into_iter().map(column).collect();
        let features = model.schema.features();
        let (element, (numbers, looked_up)) = match options.inputs {
            OnnxInputs::Columns => (DataType::Double, by_name(graph, features, &columns)),
            OnnxInputs::Matrices => {
                let element = options.precision.element();
                (element, by_position(graph, element, features.len() - columns.len(), &columns))
            }
        };
        let in_tables = columns.iter().any(|column| matches!(column.meaning, Meaning::Columns { .. }));
        let looked_up =
            if in_tables { LookedUp::Values(looked_up) } else { LookedUp::Rows(graph.concat(looked_up, "levels")) };
        Self { numbers, element, columns, looked_up }
    }

    /// The rows of the first layer that levels look up.
    pub(super) fn rows(&self) -> Option<&Value> {
        match &self.looked_up {
            LookedUp::Rows(rows) => rows.as_ref(),
            LookedUp::Values(_) => None,
        }
    }
}

impl Column<'_> {
    /// What is looked up for a cell at this position.
    fn looked_up(&self, position: usize) -> i64 {
        match &self.meaning {
            Meaning::Inputs(inputs) => inputs[position].unwrap_or(self.no_input) as i64,
            Meaning::Columns { .. } => position as i64,
        }
    }
}

/// Whether an input is named for each column: not for one whose name was lost, nor for the second of two with one name, which no
/// row reaches.
pub(super) fn named(features: &[Feature]) -> Vec<bool> {
    let mut seen = HashSet::from([""]);
    features.iter().map(|feature| seen.insert(&feature.name)).collect()
}

/// An input for each column that has a name.
fn by_name(graph: &mut Graph, features: &[Feature], columns: &[Column<'_>]) -> (Option<Value>, Vec<Value>) {
    let input = |(feature, named): (&Feature, bool)| {
        named.then(|| match feature.domain {
            Some(_) => graph.input(&feature.name, DataType::String, 1, "a level; any other text is missing"),
            None => graph.input(&feature.name, DataType::Double, 1, "a number; NaN is missing"),
        })
    };
    let inputs: Vec<Option<Value>> = features.iter().zip(named(features)).map(input).collect();
    // What comes in for the columns that nobody can send.
    let rows = inputs.iter().flatten().next().filter(|_| inputs.iter().any(Option::is_none));
    let rows = rows.map(|first| graph.node("Shape", &[first], "rows"));
    let mut columns = columns.iter();
    let (mut numbers, mut looked_up) = (Vec::new(), Vec::new());
    for (feature, input) in features.iter().zip(inputs) {
        let column = feature.domain.as_ref().and_then(|_| columns.next());
        match (column, input, &rows) {
            (None, Some(number), _) => numbers.push(number),
            (Some(column), Some(text), _) => looked_up.push(look_up(graph, &text, column)),
            (None, None, Some(rows)) => {
                let missing = TensorProto { raw_data: f64::NAN.to_le_bytes().into(), ..tensor(DataType::Double, &[1]) };
                numbers.push(repeated(graph, rows, missing));
            }
            (Some(column), None, Some(rows)) => {
                let missing = column.looked_up(0).to_le_bytes().into();
                let missing = TensorProto { raw_data: missing, ..tensor(DataType::Int64, &[1]) };
                looked_up.push(repeated(graph, rows, missing));
            }
            (_, None, None) => {}
        }
    }
    (graph.concat(numbers, NUMBERS), looked_up)
}

fn look_up(graph: &mut Graph, text: &Value, column: &Column<'_>) -> Value {
    let texts = column.levels.texts();
    let attributes = vec![
        strings("keys_strings", texts.iter().map(|(text, _)| text.as_str())),
        ints("values_int64s", texts.iter().map(|(_, position)| column.looked_up(*position)).collect()),
        int("default_int64", column.looked_up(column.levels.unseen())),
    ];
    graph.ml_node("LabelEncoder", &[text], attributes, &format!("{}.level", column.levels.name()))
}

/// The same in every row.
fn repeated(graph: &mut Graph, rows: &Value, value: TensorProto) -> Value {
    graph.node_with("ConstantOfShape", &[rows], vec![of_tensor("value", value)], "missing")
}

/// A matrix of numbers and one of level codes.
fn by_position(
    graph: &mut Graph,
    element: DataType,
    numbers: usize,
    columns: &[Column<'_>],
) -> (Option<Value>, Vec<Value>) {
    let numbers = (numbers > 0).then(|| graph.input(NUMBERS, element, numbers, "the numeric columns; NaN is missing"));
    if columns.is_empty() {
        return (numbers, Vec::new());
    }
    let width = columns.len();
    let doc = "the categorical columns, a level by its place among the levels from 0 on; -1 is missing";
    let codes = graph.input(CODES, DataType::Int64, width, doc);
    // Codes that are none become those of a missing cell and of a text that is no level. The constants have as many dimensions as
    // the codes: not every runtime extends them here.
    let least = graph.integers(&[1, 1], &[-1], "code.least");
    let unseen: Vec<i64> = columns.iter().map(|column| column.levels.unseen() as i64 - 1).collect();
    let unseen = graph.integers(&[1, width], &unseen, "code.unseen");
    let codes = graph.node("Max", &[&codes, &least], "codes.from_missing");
    let codes = graph.node("Min", &[&codes, &unseen], "codes.to_unseen");
    if columns.iter().any(|column| matches!(column.meaning, Meaning::Columns { .. })) {
        let one = graph.integers(&[1], &[1], "one");
        let positions = graph.node("Add", &[&codes, &one], "positions");
        let position = |(index, column): (i64, &Column<'_>)| {
            let index = graph.integers(&[1], &[index], "column");
            let name = format!("{}.level", column.levels.name());
            graph.node_with("Gather", &[&positions, &index], vec![int("axis", 1)], &name)
        };
        return (numbers, (0..).zip(columns).map(position).collect());
    }
    // One table for all columns: where each begins in it, and what it looks up there.
    let mut table = Vec::new();
    let mut first = Vec::new();
    for column in columns {
        first.push(table.len() as i64 + 1);
        table.extend((0..=column.levels.unseen()).map(|position| column.looked_up(position)));
    }
    let first = graph.integers(&[width], &first, "code.first");
    let places = graph.node("Add", &[&codes, &first], "places");
    let table = graph.integers(&[table.len()], &table, "place.level");
    (numbers, vec![graph.node("Gather", &[&table, &places], "levels")])
}
