//! What is shown of columns and layers, and where.

use model::{Category, Domain, Model};

use crate::text::{brief, count, counted, shortened};

/// From row to row, and the radius of a unit.
const ROW: f64 = 24.0;
pub(super) const RADIUS: f64 = 7.5;

/// Where names of columns begin, their details end, and what they become begins and ends.
pub(super) const COLUMNS_LEFT: f64 = 28.0;
pub(super) const DETAILS_RIGHT: f64 = 308.0;
pub(super) const INPUTS_LEFT: f64 = 324.0;
const INPUTS_RIGHT: f64 = 424.0;

/// The centre of the first layer, and from layer to layer.
pub(super) const FIRST_LAYER: f64 = INPUTS_RIGHT + 150.0;
pub(super) const GAP: f64 = 150.0;

/// What is shown of long lists: so many from the start, and so many from the end.
const COLUMNS: (usize, usize) = (20, 4);
const UNITS: (usize, usize) = (8, 4);
const LAYERS: (usize, usize) = (5, 5);

/// A column of the drawing.
pub(super) struct Stage {
    /// The centre of its units, or where the inputs of columns end.
    pub x: f64,
    pub rows: Vec<Row>,
    /// Lines below it, the first of them its name.
    pub caption: Vec<String>,
    /// Which layer it is, if it is one.
    pub layer: Option<usize>,
}

/// A line of a stage.
pub(super) enum Row {
    /// A column with what it becomes, or a unit with what it means.
    Item { index: usize, name: String, detail: String, inputs: usize },
    /// What is not shown.
    Gap(String),
}

impl Stage {
    pub(super) fn height(&self) -> f64 {
        self.rows.len() as f64 * ROW
    }

    /// The middle of a row, given that of the drawing.
    pub(super) fn y(&self, row: usize, middle: f64) -> f64 {
        middle - self.height() / 2.0 + (row as f64 + 0.5) * ROW
    }

    /// Where what leaves it begins.
    pub(super) fn right_edge(&self) -> f64 {
        if self.layer.is_some() { self.x + RADIUS } else { self.x }
    }

    /// The shown items: their rows and indices.
    pub(super) fn items(&self) -> impl Iterator<Item = (usize, usize)> {
        let items = self.rows.iter().enumerate();
        items.filter_map(|(row, shown)| match shown {
            Row::Item { index, .. } => Some((row, *index)),
            Row::Gap(_) => None,
        })
    }
}

/// Both ends of a list of this length, and how many are between them: never a single one, whose place the gap would take.
fn ends(length: usize, (first, last): (usize, usize)) -> (std::ops::Range<usize>, usize, std::ops::Range<usize>) {
    if length <= first + last + 1 {
        return (0..length, 0, length..length);
    }
    (0..first, length - first - last, length - last..length)
}

fn rows(length: usize, shown: (usize, usize), item: impl Fn(usize) -> Row, what: &str) -> Vec<Row> {
    let (first, between, last) = ends(length, shown);
    let gap = (between > 0).then(|| Row::Gap(format!("{} more {what}", count(between as f64))));
    first.map(&item).chain(gap).chain(last.map(&item)).collect()
}

/// A name in the room of so many letters; those of some scripts, and pictures, take that of two.
fn fitted(name: &str, room: usize) -> String {
    const FIRST_WIDE: char = '\u{1100}';
    let shown = shortened(name, room);
    let mut taken = 0;
    let end = shown.char_indices().find(|(_, c)| {
        taken += if *c >= FIRST_WIDE && *c != '…' { 2 } else { 1 };
        taken > room
    });
    end.map_or_else(|| shown.clone(), |(end, _)| format!("{}…", &shown[..end]))
}

/// The model's own columns.
pub(super) fn columns(model: &Model) -> Stage {
    const LONGEST: usize = 24;
    let net = model.net();
    let own = model.encoding.columns(model.schema.features());
    let offsets = &net.layout.cat_offsets;
    let item = |index: usize| {
        let column = &own[index];
        let levels = column.domain.as_ref().map(Domain::len);
        Row::Item {
            index,
            name: fitted(&column.name, LONGEST),
            detail: levels.map_or_else(|| "number".to_owned(), |levels| counted(levels, "level")),
            inputs: levels.map_or(1, |_| offsets[index + 1] - offsets[index]),
        }
    };
    let inputs = counted(net.network.inputs(), "input");
    let inputs = match net.layout.hashing {
        Some(hashing) => format!("{inputs}, levels share {}", count(hashing.slots as f64)),
        None => inputs,
    };
    Stage {
        x: INPUTS_RIGHT,
        rows: rows(own.len(), COLUMNS, item, "columns"),
        caption: vec!["Input".to_owned(), counted(own.len(), "column"), inputs],
        layer: None,
    }
}

/// The hidden layers that are shown, and the output.
pub(super) fn layer_stages(model: &Model) -> Vec<Stage> {
    let output = model.net().network.layers().len() - 1;
    let (first, between, last) = ends(output, LAYERS);
    let mut stages: Vec<Stage> = first.map(|layer| units(model, layer)).collect();
    if between > 0 {
        stages.push(Stage {
            x: 0.0,
            rows: vec![Row::Gap(format!("{} more layers", count(between as f64)))],
            caption: Vec::new(),
            layer: None,
        });
    }
    stages.extend(last.chain([output]).map(|layer| units(model, layer)));
    for (place, stage) in stages.iter_mut().enumerate() {
        stage.x = FIRST_LAYER + GAP * place as f64;
    }
    stages
}

fn units(model: &Model, layer: usize) -> Stage {
    const LONGEST: usize = 26;
    let network = &model.net().network;
    let (output, of_layer) = (network.layers().len() - 1, &network.layers()[layer]);
    let meanings = if layer == output { meanings(model) } else { Vec::new() };
    let item = |index: usize| Row::Item {
        index,
        name: meanings.get(index).map_or_else(String::new, |name| fitted(name, LONGEST)),
        detail: String::new(),
        inputs: 0,
    };
    let kind = network.layer_kind(layer, model.category).trim_end_matches("Dropout");
    let mut caption = vec![kind.to_owned(), counted(of_layer.units, "unit")];
    caption.push(format!("{} weights", count(of_layer.weights.len() as f64)));
    if network.activation().has_dropout() && layer < output {
        caption.push(format!("{}% dropped", brief(of_layer.dropout_ratio * 100.0)));
    }
    Stage { x: 0.0, rows: rows(of_layer.units, UNITS, item, "units"), caption, layer: Some(layer) }
}

/// What each output says.
fn meanings(model: &Model) -> Vec<String> {
    match (model.category, model.schema.response(), model.schema.classes()) {
        (Category::AutoEncoder, ..) => model.input_names(),
        (_, _, Some(classes)) => classes.levels().to_vec(),
        (_, response, None) => response.iter().map(|response| response.name.clone()).collect(),
    }
}
