use std::collections::HashMap;

use super::column::{Column, Values};
use super::missing::MissingRows;
use super::scanner::Cell;
use super::storage::{Codes, Numbers};
use super::text::readable;
use super::{ColumnType, number};

/// A categorical column has too many levels.
pub(super) struct LevelsExhausted;

/// A column that grows cell by cell.
pub(super) struct Builder {
    pub values: BuilderValues,
    missing: MissingRows,
    unreadable: usize,
    zero_is_missing: bool,
}

pub(super) enum BuilderValues {
    Numeric(Numbers),
    Enum(Interned),
    String(usize),
}

impl Builder {
    pub fn new(kind: ColumnType, zero_is_missing: bool, max_levels: usize) -> Self {
        let values = match kind {
            ColumnType::Numeric => BuilderValues::Numeric(Numbers::new()),
            ColumnType::Enum => BuilderValues::Enum(Interned::new(max_levels)),
            ColumnType::String => BuilderValues::String(0),
        };
        Self { values, missing: MissingRows::default(), unreadable: 0, zero_is_missing }
    }

    pub fn push(&mut self, cell: &Cell<'_>) -> Result<(), LevelsExhausted> {
        if cell.is_empty() || (self.zero_is_missing && *cell.text == *b"0") {
            self.push_missing();
            return Ok(());
        }
        match &mut self.values {
            BuilderValues::Numeric(numbers) => {
                if let Some(value) = number::parse(&cell.text, cell.quoted) {
                    numbers.push(value);
                } else {
                    self.unreadable += usize::from(!number::says_missing(&cell.text));
                    self.push_missing();
                }
            }
            BuilderValues::Enum(interned) => interned.push(&cell.text)?,
            BuilderValues::String(rows) => *rows += 1,
        }
        Ok(())
    }

    pub fn push_missing(&mut self) {
        let row = match &mut self.values {
            BuilderValues::Numeric(numbers) => {
                numbers.push_placeholder();
                numbers.len()
            }
            BuilderValues::Enum(interned) => {
                interned.codes.push(0);
                interned.codes.len()
            }
            BuilderValues::String(rows) => {
                *rows += 1;
                *rows
            }
        };
        self.missing.insert(row - 1);
    }

    pub fn finish(self, name: String) -> Column {
        let values = match self.values {
            BuilderValues::Numeric(mut numbers) => {
                numbers.shrink_to_fit();
                Values::Numeric(numbers)
            }
            BuilderValues::Enum(interned) => interned.finish(&self.missing),
            BuilderValues::String(rows) => Values::String { rows },
        };
        Column { name, values, missing: self.missing, unreadable: self.unreadable }
    }
}

/// Codes in order of first appearance, and the text that each stands for.
pub(super) struct Interned {
    codes: Codes,
    levels: HashMap<Box<[u8]>, u32>,
    max_levels: usize,
}

impl Interned {
    fn new(max_levels: usize) -> Self {
        Self { codes: Codes::new(), levels: HashMap::new(), max_levels }
    }

    fn push(&mut self, text: &[u8]) -> Result<(), LevelsExhausted> {
        let code = if let Some(&code) = self.levels.get(text) {
            code
        } else {
            if self.levels.len() == self.max_levels {
                return Err(LevelsExhausted);
            }
            let code = self.levels.len() as u32;
            self.levels.insert(text.into(), code);
            code
        };
        self.codes.push(code);
        Ok(())
    }

    /// The levels in bytewise order of their text, and the codes that go with it.
    fn finish(mut self, missing: &MissingRows) -> Values {
        let mut levels: Vec<(String, u32)> =
            self.levels.into_iter().map(|(text, code)| (readable(&text), code)).collect();
        levels.sort_unstable();
        let mut new_codes = vec![0; levels.len()];
        let mut domain: Vec<String> = Vec::with_capacity(levels.len());
        for (level, code) in levels {
            // Bytes shown as hex may look like another level that spells the same.
            if domain.last() != Some(&level) {
                domain.push(level);
            }
            new_codes[code as usize] = domain.len() as u32 - 1;
        }
        self.codes.remap(|row, code| if missing.contains(row) { 0 } else { new_codes[code as usize] });
        self.codes.shrink_to_fit();
        Values::Enum { codes: self.codes, domain }
    }
}
