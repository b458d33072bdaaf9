use std::collections::HashSet;

use super::super::{ColumnType, number};

/// What the cells of one column look like.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// Numbers other than zero.
    numbers: usize,
    zeros: usize,
    strings: usize,
    distinct: HashSet<Vec<u8>>,
}

/// Texts that repeat less than this are no categories: the largest share of different ones.
const REPETITIVE: f64 = 0.95;

/// The type that a column seems to have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Guess {
    pub kind: ColumnType,
    pub zero_is_missing: bool,
}

impl Tally {
    /// Counts a cell that is not missing.
    pub fn add(&mut self, text: &[u8], quoted: bool) {
        match number::parse(text, quoted) {
            Some(0.0) => self.zeros += 1,
            Some(_) => self.numbers += 1,
            None => {
                self.strings += 1;
                if !self.distinct.contains(text) {
                    self.distinct.insert(text.to_vec());
                }
            }
        }
    }

    /// The guess by H2O's rules, where times and UUIDs count as text.
    pub fn guess(&self) -> Guess {
        let kind = self.kind();
        Guess { kind, zero_is_missing: kind == ColumnType::Enum && self.is_text_and_zeros() }
    }

    /// The first rule that holds.
    fn kind(&self) -> ColumnType {
        let all_numbers = self.numbers + self.zeros;
        if self.numbers >= self.strings {
            return ColumnType::Numeric;
        }
        if self.distinct.len() == 1 {
            let says_missing = self.distinct.iter().all(|text| matches!(&text[..], b"NA" | b"na" | b"Na" | b"N/A"));
            return if says_missing || self.strings < all_numbers { ColumnType::Numeric } else { ColumnType::Enum };
        }
        if self.strings > all_numbers && self.distinct.len() as f64 >= REPETITIVE * self.strings as f64 {
            return ColumnType::String;
        }
        if self.is_text_and_zeros() || (self.strings >= all_numbers && self.is_repetitive()) {
            return ColumnType::Enum;
        }
        ColumnType::Numeric
    }

    /// Categories with zeros among them, and at most one other number.
    fn is_text_and_zeros(&self) -> bool {
        self.zeros > 0 && self.numbers <= 1 && self.is_repetitive()
    }

    fn is_repetitive(&self) -> bool {
        self.distinct.len() as f64 <= REPETITIVE * self.strings as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guess(cells: &str) -> Guess {
        let mut tally = Tally::default();
        for cell in cells.split_terminator(' ').filter(|cell| !cell.is_empty()) {
            tally.add(cell.as_bytes(), false);
        }
        tally.guess()
    }

    /// Each row was checked against real H2O 3.46.0.11.
    #[test]
    fn columns_have_the_type_that_h2o_guesses() {
        use ColumnType::{Enum, Numeric, String};
        for (cells, kind, zero_is_missing) in [
            ("", Numeric, false),
            ("1 2 x y", Numeric, false),
            ("? ? 5 6 7", Numeric, false),
            ("NA NA NA", Numeric, false),
            ("N/A N/A 0", Numeric, false),
            ("x 0 0", Numeric, false),
            ("x x x", Enum, false),
            ("? ? ? ? ? 5", Enum, false),
            ("x y z", String, false),
            ("q w e r t 5", String, false),
            ("0 x y", String, false),
            ("0 a a b a b a 0", Enum, true),
            ("a a 0 0", Enum, true),
            ("0 0 0 0 0 0 0 a b a b a b", Enum, true),
            ("5 0 0 0 a b a b a b", Enum, true),
            ("5 6 0 a b a b a b", Enum, false),
            ("5 6 0 0 0 0 0 a b a b a b", Numeric, false),
            ("x x y", Enum, false),
            ("1 2 x x y", Enum, false),
        ] {
            assert_eq!(guess(cells), Guess { kind, zero_is_missing }, "{cells:?}");
        }
    }
}
