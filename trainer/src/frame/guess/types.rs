use std::collections::HashSet;

use super::super::{ColumnType, number};

/// What the cells of one column look like.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// Numbers other than zero.
    numbers: usize,
    zeros: usize,
    strings: usize,
    missing: usize,
    distinct: HashSet<Vec<u8>>,
}

/// The type that a column seems to have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Guess {
    pub kind: ColumnType,
    pub zero_is_missing: bool,
}

impl Tally {
    pub fn add(&mut self, text: &[u8], quoted: bool, missing: bool) {
        if missing {
            self.missing += 1;
            return;
        }
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

    /// H2O's rules, the first that holds, for columns without times and UUIDs (which count as text here).
    pub fn guess(&self, rows: usize) -> Guess {
        let Self { numbers, zeros, strings, missing, .. } = *self;
        let all_numbers = numbers + zeros;
        let mostly_repeated = self.distinct.len() as f64 <= 0.95 * strings as f64;
        let is = |kind| Guess { kind, zero_is_missing: false };

        if numbers >= strings {
            return is(ColumnType::Numeric);
        }
        if self.distinct.len() == 1 {
            let says_missing = self.distinct.iter().all(|text| matches!(&text[..], b"NA" | b"na" | b"Na" | b"N/A"));
            return is(if says_missing || strings < all_numbers { ColumnType::Numeric } else { ColumnType::Enum });
        }
        if strings > all_numbers && self.distinct.len() as f64 >= 0.95 * strings as f64 {
            return is(ColumnType::String);
        }
        if zeros > 0 && zeros + strings + missing + 1 >= rows && mostly_repeated {
            return Guess { kind: ColumnType::Enum, zero_is_missing: true };
        }
        if strings >= all_numbers && mostly_repeated {
            return is(ColumnType::Enum);
        }
        is(ColumnType::Numeric)
    }
}
