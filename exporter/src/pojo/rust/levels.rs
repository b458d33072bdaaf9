//! Types for columns with levels.

use std::collections::HashSet;
use std::fmt::Write;

use model::{Domain, Encoding, Feature};
use serde::Serialize;

use super::{names, text};

/// Up to so many levels have names of their own; of more there are codes, found by the level's text.
const MOST_VARIANTS: usize = 50;

/// A type of levels or classes.
#[derive(Debug, Serialize)]
pub(super) struct LevelType {
    pub name: String,
    pub doc: String,
    /// How many levels there are.
    pub levels: usize,
    /// The levels by code; none where they are too many to be named.
    pub variants: Vec<Variant>,
    /// From the text of a level to its variant.
    pub arms: Vec<Arm>,
    /// Their names in a list.
    pub all: String,
    /// The name of the table of the levels, where they have no names.
    pub table: String,
    /// A literal of the first level.
    pub first: String,
}

/// A level with a name.
#[derive(Debug, Serialize)]
pub(super) struct Variant {
    pub name: String,
    pub doc: String,
    pub literal: String,
}

/// The texts that are a level.
#[derive(Debug, Serialize)]
pub(super) struct Arm {
    pub pattern: String,
    pub variant: String,
}

/// A table of levels.
#[derive(Debug, Serialize)]
pub(super) struct Table {
    pub doc: String,
    pub name: String,
    pub kind: String,
    pub lines: String,
}

impl LevelType {
    pub fn of_feature(name: String, field: &str, feature: &Feature, domain: &Domain, encoding: &Encoding) -> Self {
        let mut of_levels = Self::new(name, format!("{}_LEVELS", field.to_uppercase()), &feature.name, domain);
        of_levels.name_levels(domain, &["Unseen", "Missing"]);
        let texts = texts(feature, domain, encoding);
        for (code, variant) in of_levels.variants.iter().enumerate() {
            let texts = texts.iter().filter(|&&(_, of)| of == code).map(|(text, _)| text::literal(text));
            let pattern = texts.collect::<Vec<_>>().join(" | ");
            // Nothing finds the second of two equal levels.
            if !pattern.is_empty() {
                of_levels.arms.push(Arm { pattern, variant: variant.name.clone() });
            }
        }
        of_levels
    }

    pub fn of_classes(name: String, response: &str, classes: &Domain) -> Self {
        let mut of_classes = Self::new(name, "CLASSES".to_owned(), response, classes);
        of_classes.name_levels(classes, &[]);
        let paths = of_classes.variants.iter().map(|class| format!("{}::{}", of_classes.name, class.name));
        of_classes.all = text::items("    ", &paths.collect::<Vec<_>>(), false);
        of_classes
    }

    fn new(name: String, table: String, column: &str, domain: &Domain) -> Self {
        let first = domain.levels().first().map(|level| text::literal(level)).unwrap_or_default();
        let doc = text::quoted(column);
        Self {
            name,
            doc,
            levels: domain.len(),
            variants: Vec::new(),
            arms: Vec::new(),
            all: String::new(),
            table,
            first,
        }
    }

    fn name_levels(&mut self, domain: &Domain, reserved: &[&str]) {
        if domain.len() > MOST_VARIANTS {
            return;
        }
        let names = names::variants(domain.levels().iter().map(String::as_str), reserved);
        let variant = |(level, name): (&String, String)| {
            let (doc, literal) = (text::quoted(level), text::literal(level));
            Variant { name, doc, literal }
        };
        self.variants = domain.levels().iter().zip(names).map(variant).collect();
    }

    pub fn is_named(&self) -> bool {
        self.levels <= MOST_VARIANTS
    }
}

/// The texts that are found, each with its code, sorted by their bytes.
pub(super) fn level_table(of_levels: &LevelType, feature: &Feature, domain: &Domain, encoding: &Encoding) -> Table {
    let mut texts = texts(feature, domain, encoding);
    texts.sort_unstable();
    let mut lines = String::new();
    for (text, code) in &texts {
        let _ = writeln!(lines, "    ({}, {code}),", text::literal(text));
    }
    Table {
        doc: format!("The levels of {} in the order of their bytes, with their codes.", of_levels.doc),
        name: of_levels.table.clone(),
        kind: format!("[(&str, u32); {}]", texts.len()),
        lines,
    }
}

/// The classes by their place among the probabilities.
pub(super) fn class_table(of_classes: &LevelType, classes: &Domain) -> Table {
    let mut lines = String::new();
    for class in classes.levels() {
        let _ = writeln!(lines, "    {},", text::literal(class));
    }
    Table {
        doc: format!("The classes of {}.", of_classes.doc),
        name: of_classes.table.clone(),
        kind: format!("[&str; {}]", classes.len()),
        lines,
    }
}

/// Each text that is a level of the column, with the code. As in H2O's runtime `level` is also the level `column.level`,
/// unless levels are encoded.
fn texts<'a>(feature: &Feature, domain: &'a Domain, encoding: &Encoding) -> Vec<(&'a str, usize)> {
    let levels = || domain.levels().iter().enumerate().map(|(code, level)| (level.as_str(), code));
    let prefix = format!("{}.", feature.name);
    let short = levels().filter_map(|(level, code)| Some((level.strip_prefix(&prefix)?, code)));
    let short = short.filter(|&(level, _)| *encoding == Encoding::Auto && domain.code(level).is_none());
    let mut found = HashSet::new();
    levels().chain(short).filter(|&(text, _)| found.insert(text)).collect()
}
