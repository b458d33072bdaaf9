//! What is told of the columns that a user sends.

use model::{Encoding, Feature, Model};
use serde::Serialize;

use super::levels::{LevelType, Table, level_table};
use super::{names, text};

/// Types that the generated source uses by these names, so that no column has one of them.
const RESERVED: [&str; 17] = [
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Eq",
    "Err",
    "From",
    "Hash",
    "Iterator",
    "Layer",
    "None",
    "Ok",
    "Option",
    "PartialEq",
    "Prediction",
    "Row",
    "Units",
];

/// From so many columns on a row is rather a list of numbers than a struct that somebody fills in.
const WIDE: usize = 20;

/// The columns of a row.
#[derive(Debug, Serialize)]
pub(super) struct RowFacts {
    pub columns: Vec<Column>,
    /// Their raw values, and their names.
    numbers: String,
    column_names: String,
    pub level_types: Vec<LevelType>,
    pub wide: bool,
    /// What becomes of an unseen level, after `One that the model was not trained on`.
    pub unseen: &'static str,
    /// The type of the classes, if there are any.
    #[serde(skip)]
    pub label_type: String,
}

/// A field of the row.
#[derive(Debug, Serialize)]
pub(super) struct Column {
    pub doc: String,
    pub field: String,
    pub kind: String,
    /// Its value where nothing is known.
    pub missing: String,
    /// Its raw value.
    #[serde(skip)]
    number: String,
}

impl RowFacts {
    /// The facts of the row, and the tables of its levels.
    pub fn of(model: &Model) -> (Self, Vec<Table>) {
        let features = model.schema.features();
        let fields = names::fields(features.iter().map(|feature| feature.name.as_str()));
        let with_types =
            features.iter().filter(|feature| feature.domain.is_some()).map(|feature| feature.name.as_str());
        let response = model.schema.response().map_or("", |response| response.name.as_str());
        let mut types = names::types(with_types.chain([response]), &RESERVED).into_iter();

        let (mut columns, mut level_types, mut tables) = (Vec::new(), Vec::new(), Vec::new());
        for (feature, field) in features.iter().zip(fields) {
            let of_levels = feature.domain.as_ref().map(|domain| {
                let name = types.next().unwrap_or_default();
                let of_levels = LevelType::of_feature(name, &field, feature, domain, &model.encoding);
                if !of_levels.is_named() {
                    tables.push(level_table(&of_levels, feature, domain, &model.encoding));
                }
                of_levels
            });
            columns.push(Column::of(feature, field, of_levels.as_ref()));
            level_types.extend(of_levels);
        }
        let unseen = match model.encoding {
            Encoding::Binary => ": scored as one without bits",
            _ => ": scored as missing",
        };
        let numbers: Vec<String> = columns.iter().map(|column| column.number.clone()).collect();
        let names: Vec<String> = features.iter().map(|feature| text::literal(&feature.name)).collect();
        let facts = Self {
            wide: columns.len() >= WIDE,
            columns,
            numbers: text::items("        ", &numbers, level_types.is_empty()),
            column_names: text::items("", &names, true),
            level_types,
            unseen,
            label_type: types.next().unwrap_or_default(),
        };
        (facts, tables)
    }
}

impl Column {
    fn of(feature: &Feature, field: String, of_levels: Option<&LevelType>) -> Self {
        let (kind, missing, number) = match of_levels {
            None => ("f64".to_owned(), "f64::NAN".to_owned(), format!("self.{field}")),
            Some(LevelType { name, levels, .. }) if of_levels.is_some_and(LevelType::is_named) => {
                (name.clone(), format!("{name}::Missing"), format!("code(self.{field} as u32, {levels})"))
            }
            Some(LevelType { name, levels, .. }) => {
                (name.clone(), format!("{name}::MISSING"), format!("code(self.{field}.code, {levels})"))
            }
        };
        let doc = format!("{}{}", text::quoted(&feature.name), if of_levels.is_some() { "." } else { ", a number." });
        Self { doc, field, kind, missing, number }
    }
}
