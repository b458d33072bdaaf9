//! The columns that a user sends, and the numbers that come back.

use model::{Domain, Encoding, Model};
use serde::Serialize;

use super::FIELD;
use super::literal::{lists, texts};

#[derive(Serialize)]
pub(super) struct SchemaFacts {
    columns: String,
    levels: String,
    /// Columns of the training frame that a row may have and that do not count.
    ignored: String,
    outputs: String,
    classes: Option<String>,
    class_count: usize,
    has_lost_names: bool,
    /// Whether a level is also found where its name lacks that of the column and a point before it.
    has_short_levels: bool,
    /// The code of a text that is no level.
    no_level: &'static str,
}

impl SchemaFacts {
    pub fn new(model: &Model) -> Self {
        let features = model.schema.features();
        let names: Vec<&str> = features.iter().map(|feature| feature.name.as_str()).collect();
        let levels: Vec<Option<&Domain>> = features.iter().map(|feature| feature.domain.as_ref()).collect();
        let classes = model.schema.classes();
        Self {
            columns: texts(&names, FIELD),
            levels: lists(&levels, &names, FIELD),
            ignored: texts(&ignored(model), FIELD),
            outputs: texts(&model.output_names(), FIELD),
            classes: classes.map(|classes| texts(classes.levels(), FIELD)),
            class_count: classes.map_or(0, Domain::len),
            has_lost_names: names.contains(&""),
            has_short_levels: model.encoding == Encoding::Auto,
            no_level: if model.encoding == Encoding::Binary { "-1.0" } else { "Double.NaN" },
        }
    }

    /// All that may be a long list.
    pub fn lists(&self) -> Vec<&str> {
        let classes = self.classes.as_deref().unwrap_or_default();
        vec![&self.columns, &self.levels, &self.ignored, &self.outputs, classes]
    }
}

/// The response, and what has a part in training alone.
fn ignored(model: &Model) -> Vec<&str> {
    let special = model.schema.special();
    let response = model.schema.response().map(|response| &response.name);
    let names = [response, special.weights.as_ref(), special.offset.as_ref(), special.fold.as_ref()];
    names.into_iter().flatten().map(String::as_str).collect()
}
