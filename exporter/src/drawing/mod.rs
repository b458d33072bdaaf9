//! A drawing of a net: one SVG file that needs nothing else, light and dark.
//!
//! From the left to the right: the model's own columns with the inputs that each makes, the hidden layers, the outputs with what
//! they mean. `stage` says what each of these shows and where, `edges` which weights are worth a line, `svg` writes it down. Of
//! long lists both ends are shown and what is between them is counted, so a drawing has bounded size whatever the net; the same
//! model makes the same drawing, byte for byte.

mod edges;
mod stage;
mod svg;
#[cfg(test)]
mod tests;

use std::io::{self, Write};
use std::path::Path;

use model::{Category, Domain, Encoding, Model};

use crate::atomic;
use crate::text::{bytes, count, counted, shortened};
use stage::{COLUMNS_LEFT, FIRST_LAYER, GAP, RADIUS, Stage, layer_stages};
use svg::Svg;

/// How our drawings begin.
pub const DRAWING_START: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"aqueduct-net\"";

/// Above and below the net: the title, and what is said of each layer.
const ABOVE: f64 = 96.0;
const BELOW: f64 = 140.0;

/// Room for what outputs mean.
const MEANINGS: f64 = 230.0;

/// Writes the drawing of a model's net, and returns its length in bytes.
pub fn write_drawing(model: &Model, path: &Path) -> io::Result<u64> {
    let drawing = render(model);
    atomic::write(path, |file| file.write_all(drawing.as_bytes()))?;
    Ok(drawing.len() as u64)
}

fn render(model: &Model) -> String {
    let network = &model.net().network;
    let columns = stage::columns(model);
    let layers = layer_stages(model);
    let rows = layers.iter().chain([&columns]).map(Stage::height).fold(0.0, f64::max);
    let middle = ABOVE + rows / 2.0;
    let right = FIRST_LAYER + GAP * (layers.len() - 1) as f64 + RADIUS;
    let (width, height) = (right + MEANINGS, ABOVE + rows + BELOW);

    let mut svg = Svg::new(width, height, &title(model), &description(model));
    // Bands first: lines are drawn over them, and units over lines.
    for (left, right) in std::iter::once(&columns).chain(&layers).zip(&layers) {
        svg.band(left.right_edge(), left.height(), right.x - RADIUS, right.height(), middle);
    }
    let strokes = edges::all(model, &columns, &layers, middle);
    svg.edges(&strokes);
    svg.columns(&columns, middle);
    for stage in &layers {
        svg.units(stage, middle);
    }
    let below = ABOVE + rows + 28.0;
    svg.caption(COLUMNS_LEFT, below, "start", &columns.caption);
    for stage in &layers {
        svg.caption(stage.x, below, "middle", &stage.caption);
    }
    svg.legend(height - 24.0, &strokes, network.layers()[0].channels == 2);
    svg.finish()
}

/// What the net is for.
fn title(model: &Model) -> String {
    const LONGEST: usize = 60;
    let columns = counted(model.schema.features().len(), "column");
    match model.schema.response() {
        Some(response) => format!("{} from {columns}", shortened(&response.name, LONGEST)),
        None => format!("{columns} remembered"),
    }
}

fn description(model: &Model) -> String {
    let network = &model.net().network;
    let layers = network.layers();
    let stored: u64 = layers.iter().map(|layer| layer.bytes() as u64).sum();
    let distribution = match model.category {
        Category::Regression => format!(", {}", model.net().distribution),
        _ => String::new(),
    };
    let classes = model.schema.classes().filter(|_| model.category == Category::Multinomial).map(Domain::len);
    let classes = classes.map_or_else(String::new, |classes| format!(" of {} classes", count(classes as f64)));
    let encoding = match &model.encoding {
        Encoding::Auto => String::new(),
        encoding => format!(" · {} encoding", encoding.name()),
    };
    format!(
        "{}{classes}{distribution} · {} · {} weights and biases · {}{encoding}",
        model.category,
        network.activation(),
        count(network.size() as f64),
        bytes(stored),
    )
}
