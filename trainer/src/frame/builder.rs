use std::collections::HashMap;
use std::io;

use foldhash::fast::RandomState;

use super::column::{Column, Values};
use super::guess::ColumnLayout;
use super::missing::MissingRows;
use super::scanner::Cell;
use super::spill::SpillFile;
use super::storage::{Codes, Numbers};
use super::text::readable;
use super::time::{self, Times};
use super::uuid::is_uuid;
use super::{ColumnType, number};

/// A categorical column has too many levels.
pub(super) struct LevelsExhausted;

/// A column that grows cell by cell.
pub(super) struct Builder {
    pub values: BuilderValues,
    /// The values of earlier rows, which went to a file.
    spilled: Spilled,
    missing: MissingRows,
    unreadable: usize,
    zero_is_missing: bool,
    /// Whether `31.12.2024` is a time.
    reads_days_first: bool,
}

pub(super) enum BuilderValues {
    Numeric(Numbers),
    Enum(Interned),
    Time(Times),
    String(usize),
    Uuid(usize),
}

/// Parts of a column, of the type that its builder has.
#[derive(Default)]
struct Spilled {
    rows: usize,
    numbers: Vec<Numbers>,
    codes: Vec<Codes>,
    times: Vec<Times>,
}

impl Builder {
    /// An empty column with room for this many rows.
    pub fn new(layout: &ColumnLayout, max_levels: usize, capacity: usize) -> Self {
        let values = match layout.kind {
            ColumnType::Numeric => BuilderValues::Numeric(Numbers::with_capacity(capacity)),
            ColumnType::Enum => BuilderValues::Enum(Interned::new(max_levels, capacity)),
            ColumnType::Time => BuilderValues::Time(Times::with_capacity(capacity)),
            ColumnType::String => BuilderValues::String(0),
            ColumnType::Uuid => BuilderValues::Uuid(0),
        };
        Self {
            values,
            spilled: Spilled::default(),
            missing: MissingRows::default(),
            unreadable: 0,
            zero_is_missing: layout.zero_is_missing,
            reads_days_first: layout.is_declared,
        }
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
                    self.push_unreadable(&cell.text);
                }
            }
            BuilderValues::Enum(interned) => interned.push(&cell.text)?,
            BuilderValues::Time(times) => {
                if let Some(millis) = millis(cell, self.reads_days_first) {
                    times.push(millis);
                } else {
                    self.push_unreadable(&cell.text);
                }
            }
            BuilderValues::Uuid(rows) if is_uuid(&cell.text) => *rows += 1,
            BuilderValues::Uuid(_) => self.push_unreadable(&cell.text),
            BuilderValues::String(rows) => *rows += 1,
        }
        Ok(())
    }

    /// Appends a number, or a point in time where the column holds those.
    pub fn push_number(&mut self, value: f64) {
        match &mut self.values {
            BuilderValues::Numeric(numbers) => numbers.push(value),
            BuilderValues::Time(times) => times.push(value),
            _ => unreachable!("columns of numbers are filled as numbers"),
        }
    }

    /// Appends a text that is no part of a line; an empty one is a text.
    pub fn push_text(&mut self, text: &[u8]) -> Result<(), LevelsExhausted> {
        let quoted = matches!(self.values, BuilderValues::Enum(_) | BuilderValues::String(_));
        self.push(&Cell { text: text.into(), quoted, ends_row: false })
    }

    /// Appends all rows of another part of the same column.
    pub fn append(&mut self, part: Self) -> Result<(), LevelsExhausted> {
        self.missing.append(&part.missing, self.rows());
        self.unreadable += part.unreadable;
        match (&mut self.values, part.values) {
            (BuilderValues::Numeric(numbers), BuilderValues::Numeric(others)) => numbers.append(others),
            (BuilderValues::Enum(interned), BuilderValues::Enum(others)) => interned.append(others)?,
            (BuilderValues::Time(times), BuilderValues::Time(others)) => times.append(others),
            (BuilderValues::String(rows), BuilderValues::String(others))
            | (BuilderValues::Uuid(rows), BuilderValues::Uuid(others)) => *rows += others,
            _ => unreachable!("parts of a column have one layout"),
        }
        Ok(())
    }

    fn push_unreadable(&mut self, text: &[u8]) {
        self.unreadable += usize::from(!number::says_missing(text));
        self.push_missing();
    }

    pub fn push_missing(&mut self) {
        self.missing.insert(self.rows());
        match &mut self.values {
            BuilderValues::Numeric(numbers) => numbers.push_placeholder(),
            BuilderValues::Enum(interned) => interned.codes.push(0),
            BuilderValues::Time(times) => times.push_placeholder(),
            BuilderValues::String(rows) | BuilderValues::Uuid(rows) => *rows += 1,
        }
    }

    /// Moves the values of all rows so far to a file.
    pub fn spill(&mut self, file: &mut SpillFile) -> io::Result<()> {
        self.spilled.rows += self.values.len();
        match &mut self.values {
            BuilderValues::Numeric(numbers) => {
                let part = std::mem::replace(numbers, Numbers::new());
                self.spilled.numbers.push(Numbers::spilled(|| part.iter(), file)?);
            }
            BuilderValues::Enum(interned) => {
                let part = std::mem::replace(&mut interned.codes, Codes::new());
                self.spilled.codes.push(Codes::spilled(part.iter(), interned.levels.len(), file)?);
            }
            BuilderValues::Time(times) => {
                let part = std::mem::replace(times, Times::new());
                self.spilled.times.push(Times::spilled(&[part], file)?);
            }
            BuilderValues::String(rows) | BuilderValues::Uuid(rows) => *rows = 0,
        }
        Ok(())
    }

    /// The column, in memory.
    pub fn finish(self, name: String) -> Column {
        let values = match self.values {
            BuilderValues::Numeric(mut numbers) => {
                numbers.shrink_to_fit();
                Values::Numeric(numbers)
            }
            BuilderValues::Enum(interned) => interned.finish(&self.missing),
            BuilderValues::Time(mut times) => {
                times.shrink_to_fit();
                Values::Time(times)
            }
            BuilderValues::String(rows) => Values::String { rows },
            BuilderValues::Uuid(rows) => Values::Uuid { rows },
        };
        Column { name, values, missing: self.missing, unreadable: self.unreadable }
    }

    /// The column, its values in a file.
    pub fn finish_spilled(self, name: String, file: &mut SpillFile) -> io::Result<Column> {
        let mut spilled = self.spilled;
        let values = match self.values {
            BuilderValues::Numeric(numbers) => {
                spilled.numbers.push(numbers);
                Values::Numeric(Numbers::spilled(|| spilled.numbers.iter().flat_map(Numbers::iter), file)?)
            }
            BuilderValues::Enum(interned) => interned.finish_spilled(spilled.codes, &self.missing, file)?,
            BuilderValues::Time(times) => {
                spilled.times.push(times);
                Values::Time(Times::spilled(&spilled.times, file)?)
            }
            BuilderValues::String(rows) => Values::String { rows: spilled.rows + rows },
            BuilderValues::Uuid(rows) => Values::Uuid { rows: spilled.rows + rows },
        };
        Ok(Column { name, values, missing: self.missing, unreadable: self.unreadable })
    }

    /// The memory that values take which could go to a file.
    pub fn spillable_bytes(&self) -> usize {
        match &self.values {
            BuilderValues::Numeric(numbers) => numbers.bytes(),
            BuilderValues::Enum(interned) => interned.codes.bytes(),
            BuilderValues::Time(times) => times.bytes(),
            BuilderValues::String(_) | BuilderValues::Uuid(_) => 0,
        }
    }

    fn rows(&self) -> usize {
        self.spilled.rows + self.values.len()
    }
}

impl BuilderValues {
    fn len(&self) -> usize {
        match self {
            Self::Numeric(numbers) => numbers.len(),
            Self::Enum(interned) => interned.codes.len(),
            Self::Time(times) => times.len(),
            Self::String(rows) | Self::Uuid(rows) => *rows,
        }
    }
}

/// The milliseconds since 1970 that a cell spells, as a date or as their number.
fn millis(cell: &Cell<'_>, reads_days_first: bool) -> Option<f64> {
    let parse = if reads_days_first { time::parse_declared } else { time::parse };
    let as_number = || number::parse(&cell.text, cell.quoted).filter(|millis| millis.is_finite());
    parse(&cell.text).map(|millis| millis as f64).or_else(as_number)
}

/// Codes in order of first appearance, and the text that each stands for.
pub(super) struct Interned {
    codes: Codes,
    levels: HashMap<Box<[u8]>, u32, RandomState>,
    max_levels: usize,
}

impl Interned {
    fn new(max_levels: usize, capacity: usize) -> Self {
        Self { codes: Codes::with_capacity(capacity), levels: HashMap::default(), max_levels }
    }

    fn push(&mut self, text: &[u8]) -> Result<(), LevelsExhausted> {
        let code = match self.levels.get(text) {
            Some(&code) => code,
            None => self.add_level(text.into())?,
        };
        self.codes.push(code);
        Ok(())
    }

    fn append(&mut self, part: Self) -> Result<(), LevelsExhausted> {
        let mut codes = vec![0; part.levels.len()];
        for (text, code) in part.levels {
            codes[code as usize] = match self.levels.get(&text) {
                Some(&known) => known,
                None => self.add_level(text)?,
            };
        }
        // A part without a value has no level either.
        part.codes.iter().for_each(|code| self.codes.push(codes.get(code as usize).copied().unwrap_or(0)));
        Ok(())
    }

    fn add_level(&mut self, text: Box<[u8]>) -> Result<u32, LevelsExhausted> {
        if self.levels.len() == self.max_levels {
            return Err(LevelsExhausted);
        }
        let code = self.levels.len() as u32;
        self.levels.insert(text, code);
        Ok(code)
    }

    /// The column in memory.
    fn finish(mut self, missing: &MissingRows) -> Values {
        let (domain, new_codes) = sorted(self.levels);
        self.codes.remap(|row, code| if missing.contains(row) { 0 } else { new_codes[code as usize] });
        self.codes.shrink_to_fit();
        Values::Enum { codes: self.codes, domain }
    }

    /// The column in a file, behind parts of it.
    fn finish_spilled(self, mut parts: Vec<Codes>, missing: &MissingRows, file: &mut SpillFile) -> io::Result<Values> {
        let count = self.levels.len();
        let (domain, new_codes) = sorted(self.levels);
        parts.push(self.codes);
        let codes = parts.iter().flat_map(Codes::iter).enumerate();
        let codes = codes.map(|(row, code)| if missing.contains(row) { 0 } else { new_codes[code as usize] });
        Ok(Values::Enum { codes: Codes::spilled(codes, count, file)?, domain })
    }
}

/// The levels in bytewise order of their text, and the codes that go with it.
fn sorted(levels: HashMap<Box<[u8]>, u32, RandomState>) -> (Vec<String>, Vec<u32>) {
    let mut levels: Vec<(String, u32)> = levels.into_iter().map(|(text, code)| (readable(&text), code)).collect();
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
    (domain, new_codes)
}
