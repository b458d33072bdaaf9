use std::collections::HashSet;

use super::super::{ColumnType, number, time, uuid};

/// What the cells of one column look like.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// Numbers other than zero.
    numbers: usize,
    zeros: usize,
    times: usize,
    uuids: usize,
    /// Texts that are none of these, and how many different ones.
    strings: usize,
    distinct: HashSet<Vec<u8>>,
}

/// Texts that repeat less than this are no categories: the largest share of different ones.
const REPETITIVE: f64 = 0.95;

/// Whether texts repeat too little to be categories.
pub(in super::super) fn texts_are_varied(texts: usize, distinct: usize) -> bool {
    distinct > 1 && distinct as f64 >= REPETITIVE * texts as f64
}

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
            None if time::parse(text).is_some() => self.times += 1,
            None if uuid::is_uuid(text) => self.uuids += 1,
            None => {
                self.strings += 1;
                if !self.distinct.contains(text) {
                    self.distinct.insert(text.to_vec());
                }
            }
        }
    }

    /// Adds what the cells of the same column in another file look like.
    pub fn merge(&mut self, other: Self) {
        self.numbers += other.numbers;
        self.zeros += other.zeros;
        self.times += other.times;
        self.uuids += other.uuids;
        self.strings += other.strings;
        self.distinct.extend(other.distinct);
    }

    /// The guess by H2O's rules.
    pub fn guess(&self) -> Guess {
        let kind = self.kind();
        Guess { kind, zero_is_missing: kind == ColumnType::Enum && self.is_text_and_zeros() }
    }

    /// The first rule that holds.
    fn kind(&self) -> ColumnType {
        let (times, uuids, strings, distinct) = (self.times, self.uuids, self.strings, self.distinct.len());
        let all_numbers = self.numbers + self.zeros;
        if all_numbers >= times && all_numbers >= uuids && self.numbers >= strings {
            return ColumnType::Numeric;
        }
        if distinct == 1 && times == 0 {
            let says_missing = self.distinct.iter().all(|text| matches!(&text[..], b"NA" | b"na" | b"Na" | b"N/A"));
            return if says_missing || strings < all_numbers { ColumnType::Numeric } else { ColumnType::Enum };
        }
        if distinct <= 1 && all_numbers > times + uuids {
            return ColumnType::Numeric;
        }
        if times > uuids && times > all_numbers && (times > strings || distinct <= 1) {
            return ColumnType::Time;
        }
        if uuids > times && uuids > all_numbers && (uuids > strings || distinct <= 1) {
            return ColumnType::Uuid;
        }
        let is_varied = distinct as f64 >= REPETITIVE * strings as f64;
        if strings > all_numbers && strings > times && strings > uuids && is_varied {
            return ColumnType::String;
        }
        if self.is_text_and_zeros() || (strings >= all_numbers && self.is_repetitive()) {
            return ColumnType::Enum;
        }
        ColumnType::Numeric
    }

    /// Categories with zeros among them, and at most one other value.
    fn is_text_and_zeros(&self) -> bool {
        self.zeros > 0 && self.numbers + self.times + self.uuids <= 1 && self.is_repetitive()
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

    /// Each row was checked against real H2O 3.46.0.11; `d` stands for a date, `u` for a UUID.
    #[test]
    fn times_and_uuids_count_as_in_h2o() {
        use ColumnType::{Enum, Numeric, String, Time, Uuid};
        for (cells, kind) in [
            ("d d x", Time),
            ("d d x y", Numeric),
            ("d x", Time),
            ("d x x", Time),
            ("d x y", String),
            ("d 1 2", Numeric),
            ("d d 1 2", Numeric),
            ("d d d 1 2", Time),
            ("d d d 1 2 x x", Time),
            ("d d 1 2 x x x", Enum),
            ("d d x y z", String),
            ("d d x x y y", Enum),
            ("d NA NA", Time),
            ("d 0 0 x x x", Numeric),
            ("d 0 0 0 x", Numeric),
            ("d d x x x 0 0 0 0 0 0", Numeric),
            ("u u u", Uuid),
            ("d u u x", Uuid),
            ("d u", Enum),
            ("u u x", Enum),
            ("u u x y z", String),
            ("u u x x x", Enum),
            ("u 1 x", Numeric),
            ("u u 1 x x", Enum),
            ("u u 1 0 x x", Enum),
            ("u 0 0 0 x x", Numeric),
        ] {
            let spelled = cells.replace('d', "2024-01-05").replace('u', "f47ac10b-58cc-4372-a567-0e02b2c3d479");
            assert_eq!(guess(&spelled), Guess { kind, zero_is_missing: false }, "{cells:?}");
        }
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
