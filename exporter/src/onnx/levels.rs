//! What the cells of a categorical column can be, and what the net gets for them.
//!
//! A *position* stands for a cell: 0 for a missing one, 1 for the first level and so on, and the last, one past the levels, for
//! what is no level.

use std::slice;

use model::{Cell, DeepLearning, Domain, Encoding, Feature, Model};

/// Texts that mean a missing cell wherever they are no level, as for `predict`.
const MISSING: [&str; 4] = ["", "NA", "N/A", "-"];

/// A categorical column that a user sends.
pub(super) struct Levels<'m> {
    feature: &'m Feature,
    domain: &'m Domain,
    /// Of the column alone.
    encoding: Encoding,
    /// Where the first is of the model's own columns that it becomes.
    first: usize,
}

/// What the net gets for each position.
pub(super) enum Meaning {
    /// The input that is set.
    Inputs(Vec<Option<usize>>),
    /// The values of the model's own columns, scaled, NaN where they are missing: so many for each position.
    Columns { width: usize, values: Vec<f64> },
}

impl<'m> Levels<'m> {
    /// Every categorical column.
    pub(super) fn all(model: &'m Model) -> Vec<Self> {
        let features = model.schema.features();
        let encodings = model.encoding.by_column(features).into_iter().zip(model.encoding.first_columns(features));
        let levels = |(feature, (encoding, first)): (&'m Feature, (Encoding, usize))| {
            Some(Self { feature, domain: feature.domain.as_ref()?, encoding, first })
        };
        features.iter().zip(encodings).filter_map(levels).collect()
    }

    pub(super) fn name(&self) -> &'m str {
        &self.feature.name
    }

    /// The position of what is no level.
    pub(super) fn unseen(&self) -> usize {
        self.domain.len() + 1
    }

    /// How many there are.
    fn positions(&self) -> usize {
        self.unseen() + 1
    }

    /// Each text that has a position of its own.
    pub(super) fn texts(&self) -> Vec<(String, usize)> {
        let levels = (1..).zip(self.domain.levels());
        let mut texts: Vec<(String, usize)> = levels
            .filter(|(position, level)| self.domain.code(level) == Some(*position as u32 - 1))
            .map(|(position, level)| (level.clone(), position))
            .collect();
        // The runtime may also take `level` for the level `column.level`.
        let prefix = format!("{}.", self.feature.name);
        let without_column = |(level, position): &(String, usize)| {
            let short = level.strip_prefix(&prefix)?;
            (self.is_known(short) && self.domain.code(short).is_none()).then(|| (short.to_owned(), *position))
        };
        let short: Vec<_> = texts.iter().filter_map(without_column).collect();
        texts.extend(short);
        let missing = MISSING.into_iter().filter(|text| !self.is_known(text)).map(str::to_owned);
        texts.extend(missing.map(|text| (text, 0)));
        if texts.iter().all(|(_, position)| *position != 0) {
            texts.push((self.missing_text(), 0));
        }
        texts
    }

    /// A text for a missing cell.
    pub(super) fn missing_text(&self) -> String {
        let plain = MISSING.into_iter().map(str::to_owned);
        let made_up = (0..).map(|more| format!("missing(NA){}", "!".repeat(more)));
        plain.chain(made_up).find(|text| !self.is_known(text)).unwrap_or_default()
    }

    /// Whether the runtime finds a level by this text.
    fn is_known(&self, text: &str) -> bool {
        self.encoding.raw_value(self.feature, Cell::Text(text)).1.is_none()
    }

    /// What the net gets for each position.
    pub(super) fn meaning(&self, net: &DeepLearning) -> Meaning {
        let mut columns = Vec::new();
        let mut own = |code: f64| self.encoding.encode(slice::from_ref(self.feature), &[code], &mut columns).to_vec();
        let codes = self.codes();
        match self.first.checked_sub(net.layout.categoricals()) {
            None => Meaning::Inputs(codes.map(|code| net.layout.input_of_code(self.first, own(code)[0])).collect()),
            Some(number) => {
                let scaled = |code: f64| {
                    let own = own(code).into_iter().enumerate();
                    own.map(|(i, value)| net.layout.scaled(number + i, value)).collect::<Vec<_>>()
                };
                let values: Vec<f64> = codes.flat_map(scaled).collect();
                Meaning::Columns { width: values.len() / self.positions(), values }
            }
        }
    }

    /// The raw value of each position.
    fn codes(&self) -> impl Iterator<Item = f64> + use<> {
        // A number that is none is no level, and a missing cell something else in some encodings.
        let (unseen, _) = self.encoding.raw_value(self.feature, Cell::Number(f64::NAN));
        let levels = (0..self.domain.len()).map(|code| code as f64);
        std::iter::once(f64::NAN).chain(levels).chain([unseen])
    }
}
