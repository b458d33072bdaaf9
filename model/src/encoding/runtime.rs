//! Rows to be scored, encoded as H2O's easy-predict API and its MOJO runtime encode them.

use super::InputLayout;
use super::hashing::NO_INPUT;
use crate::dense::BLOCK;
use crate::java_number::parse_java_double;
use crate::kernel::Terms;
use crate::schema::{Domain, Feature};

/// One value as it comes from a CSV cell, a JSON field or a golden row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cell<'a> {
    /// Nothing: null, an absent field, an empty cell.
    Missing,
    /// A number.
    Number(f64),
    /// A text: a level, or a number that is still to be read.
    Text(&'a str),
}

/// What was noticed while a cell was read. The row is scored all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Remark {
    /// A text that is no level of its column; it counts as missing.
    UnseenLevel,
    /// A text in a numeric column that is no number; it counts as missing.
    InvalidNumber,
    /// A number in a categorical column; it was looked up by its text.
    NumberForLevel,
}

/// The code of a text that is no level, where that is something else than missing.
pub(super) const NO_LEVEL: f64 = -1.0;

/// The code of a level that sets no input of the net.
pub(super) const NOTHING: f64 = f64::NEG_INFINITY;

/// The raw value of a cell, given that of a text that is no level, and how a level is found.
pub(super) fn raw_value(
    feature: &Feature,
    cell: Cell<'_>,
    no_level: f64,
    code: impl Fn(&Domain, &str) -> Option<f64>,
) -> (f64, Option<Remark>) {
    match (&feature.domain, cell) {
        (_, Cell::Missing) => (f64::NAN, None),
        (None, Cell::Number(value)) => (value, None),
        (None, Cell::Text(text)) => match parse_java_double(text) {
            Some(value) => (value, None),
            None => (f64::NAN, Some(Remark::InvalidNumber)),
        },
        (Some(_), Cell::Number(value)) if value.is_nan() => (no_level, None),
        // `{}` of an f64 that is a whole number has no point: 3.0 is the level `3`.
        (Some(domain), Cell::Number(value)) => match code(domain, &value.to_string()) {
            Some(code) => (code, Some(Remark::NumberForLevel)),
            None => (no_level, Some(Remark::UnseenLevel)),
        },
        (Some(domain), Cell::Text(text)) => match code(domain, text) {
            Some(code) => (code, None),
            None => (no_level, Some(Remark::UnseenLevel)),
        },
    }
}

/// The runtime also takes `level` for the level `column.level`.
pub(super) fn level_code(column: &str, domain: &Domain, text: &str) -> Option<f64> {
    let code = domain.code(text).or_else(|| domain.code(&format!("{column}.{text}")))?;
    Some(f64::from(code))
}

impl InputLayout {
    /// Sets `input` to the inputs of a row that is scored.
    pub fn fill(&self, row: &[f64], input: &mut Vec<f64>) {
        input.clear();
        input.resize(self.inputs(), 0.0);
        let (levels, numbers) = row.split_at(self.categoricals());
        for (categorical, &code) in levels.iter().enumerate() {
            if let Some(set) = self.input_of_code(categorical, code) {
                input[set] += 1.0;
            }
        }
        self.fill_numbers(numbers, &mut input[self.first_numeric()..]);
    }

    /// Takes the inputs of a row that are not 0, where no slots are shared. The numbers go through `numbers`, a buffer.
    pub(crate) fn fill_terms(&self, row: &[f64], numbers: &mut Vec<f64>, terms: &mut Terms) {
        let (levels, values) = row.split_at(self.categoricals());
        for (categorical, &code) in levels.iter().enumerate() {
            if let Some(set) = self.input_set(categorical, code) {
                terms.push(set, 1.0);
            }
        }
        // From the beginning of a block on.
        let first = self.first_numeric() / BLOCK * BLOCK;
        numbers.clear();
        numbers.resize(self.inputs() - first, 0.0);
        self.fill_numbers(values, &mut numbers[self.first_numeric() - first..]);
        terms.extend(first, numbers, false);
    }

    fn fill_numbers(&self, values: &[f64], inputs: &mut [f64]) {
        for (number, (&value, input)) in values.iter().zip(inputs).enumerate() {
            // Zero is the mean of a standardised column; of any other it is what H2O takes all the same.
            *input = if value.is_nan() { 0.0 } else { self.scaled(number, value) };
        }
    }

    /// The input that a level sets, or the slot that it counts in, given its code or NaN; `None` for a first level without
    /// an input.
    pub fn input_of_code(&self, categorical: usize, code: f64) -> Option<usize> {
        let set = self.input_set(categorical, code)?;
        Some(self.hashing.map_or(set, |hashing| hashing.slot(set)))
    }

    /// The inputs of the categoricals, each with 1 where it is set and 0 elsewhere.
    pub(crate) fn levels_set(&self, row: &[f64]) -> impl Iterator<Item = (usize, f64)> {
        let bounds = self.cat_offsets.iter().zip(self.cat_offsets.iter().skip(1));
        bounds.zip(row).enumerate().flat_map(|(categorical, ((&start, &end), &code))| {
            let set = self.input_set(categorical, code);
            (start..end).map(move |input| (input, f64::from(u8::from(set == Some(input)))))
        })
    }

    fn input_set(&self, categorical: usize, code: f64) -> Option<usize> {
        if code.is_nan() {
            Some(self.missing_bucket(categorical))
        } else if code == NOTHING {
            None
        } else {
            self.level_input(categorical, code as usize).or(self.hashing.map(|_| NO_INPUT))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::Encoding;

    fn raw_value(feature: &Feature, cell: Cell<'_>) -> (f64, Option<Remark>) {
        Encoding::Auto.raw_value(feature, cell)
    }

    fn level(name: &str, levels: &[&str]) -> Feature {
        let levels = levels.iter().map(|&l| l.to_owned()).collect();
        Feature { name: name.into(), domain: Some(Domain::new(levels)) }
    }

    #[test]
    fn unseen_level_becomes_missing() {
        let (value, remark) = raw_value(&level("c", &["a", "b"]), Cell::Text("A"));
        assert!(value.is_nan());
        assert_eq!(remark, Some(Remark::UnseenLevel));
    }

    #[test]
    fn a_level_may_be_named_without_its_column() {
        assert_eq!(raw_value(&level("c", &["c.a", "c.b"]), Cell::Text("b")), (1.0, None));
    }

    #[test]
    fn a_whole_number_finds_its_level_without_a_point() {
        let found = raw_value(&level("digit", &["0", "3"]), Cell::Number(3.0));
        assert_eq!(found, (1.0, Some(Remark::NumberForLevel)));
    }

    #[test]
    fn numbers_are_read_from_text() {
        let number = Feature { name: "n".into(), domain: None };
        assert_eq!(raw_value(&number, Cell::Text(" 1.5e1 ")), (15.0, None));
        assert_eq!(raw_value(&number, Cell::Text("1,5")).1, Some(Remark::InvalidNumber));
    }

    #[test]
    fn what_adds_nothing_sets_no_input() {
        for (all_levels, hashed) in [(true, 9), (false, 9), (true, 2)] {
            let layout = InputLayout::new(&[3], 1, all_levels, None).hashed(hashed, 1);
            let mut input = Vec::new();
            layout.fill(&[Encoding::Auto.nothing(), 1.0], &mut input);
            assert_eq!(input.iter().sum::<f64>(), 1.0);
        }
    }

    #[test]
    fn a_missing_number_is_zero_after_scaling() {
        let layout = InputLayout::new(&[2], 1, true, None);
        let mut input = Vec::new();
        layout.fill(&[f64::NAN, f64::NAN], &mut input);
        assert_eq!(input, [0.0, 0.0, 1.0, 0.0]);
    }
}
