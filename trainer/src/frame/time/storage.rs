use std::io;

use super::super::spill::SpillFile;
use super::super::storage::Numbers;

/// Points in time, as numbers of the coarsest unit of which all are whole multiples: dates alone take two bytes each,
/// whole seconds four.
#[derive(Debug, Clone, PartialEq)]
pub struct Times {
    counts: Numbers,
    unit: Unit,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Unit {
    Day,
    Second,
    Millisecond,
}

impl Unit {
    fn millis(self) -> f64 {
        match self {
            Self::Day => 86_400_000.0,
            Self::Second => 1000.0,
            Self::Millisecond => 1.0,
        }
    }

    fn finer(self) -> Self {
        match self {
            Self::Day => Self::Second,
            Self::Second | Self::Millisecond => Self::Millisecond,
        }
    }
}

impl Times {
    pub fn new() -> Self {
        Self { counts: Numbers::new(), unit: Unit::Day }
    }

    /// With room for this many points in time.
    pub fn with_capacity(capacity: usize) -> Self {
        Self { counts: Numbers::with_capacity(capacity), unit: Unit::Day }
    }

    /// Appends all of the other points in time.
    pub fn append(&mut self, mut other: Self) {
        while self.unit != other.unit {
            let coarser = if self.unit.millis() > other.unit.millis() { &mut *self } else { &mut other };
            coarser.refine();
        }
        self.counts.append(other.counts);
    }

    /// Appends a point in time, in milliseconds since 1970.
    pub fn push(&mut self, millis: f64) {
        while self.unit != Unit::Millisecond && millis % self.unit.millis() != 0.0 {
            self.refine();
        }
        self.counts.push(millis / self.unit.millis());
    }

    /// Appends something for a row whose value is missing.
    pub fn push_placeholder(&mut self) {
        self.counts.push_placeholder();
    }

    pub fn shrink_to_fit(&mut self) {
        self.counts.shrink_to_fit();
    }

    /// Milliseconds since 1970.
    #[inline]
    pub fn get(&self, row: usize) -> f64 {
        self.counts.get(row) * self.unit.millis()
    }

    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// What they take in memory, and in a file.
    pub fn bytes(&self) -> usize {
        self.counts.bytes()
    }

    /// What they take in a file.
    pub fn mapped_bytes(&self) -> usize {
        self.counts.mapped_bytes()
    }

    /// The same points in time, of parts behind each other, in a file.
    pub fn spilled(parts: &[Self], file: &mut SpillFile) -> io::Result<Self> {
        let finest = parts.iter().map(|part| part.unit).min_by(|a, b| a.millis().total_cmp(&b.millis()));
        let unit = finest.unwrap_or(Unit::Day);
        let counts = || parts.iter().flat_map(|part| (0..part.len()).map(|row| part.get(row) / unit.millis()));
        Ok(Self { counts: Numbers::spilled(counts, file)?, unit })
    }

    fn refine(&mut self) {
        let finer = self.unit.finer();
        let factor = self.unit.millis() / finer.millis();
        let mut counts = Numbers::new();
        (0..self.len()).for_each(|row| counts.push(self.counts.get(row) * factor));
        *self = Self { counts, unit: finer };
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn times(millis: &[f64]) -> Times {
        let mut times = Times::new();
        for &millis in millis {
            times.push(millis);
        }
        times
    }

    #[test]
    fn dates_take_two_bytes_seconds_four_and_milliseconds_eight() {
        let day = 86_400_000.0;
        let width = |millis: &[f64]| times(millis).bytes() / millis.len();
        assert_eq!(width(&[19_000.0 * day, -day]), 2);
        assert_eq!(width(&[19_000.0 * day, 19_000.0 * day + 1000.0]), 4);
        assert_eq!(width(&[19_000.0 * day, 19_000.0 * day + 1.0]), 8);
    }

    proptest! {
        #[test]
        fn every_time_comes_back_and_the_order_does_not_matter(
            counts in prop::collection::vec((-60_000_i64..60_000, 0_i64..86_400, 0_i64..1000, 0_usize..3), 1..20)
        ) {
            let millis: Vec<f64> = counts.iter().map(|&(day, second, milli, finest)| {
                let part = [0, second * 1000, second * 1000 + milli][finest];
                (day * 86_400_000 + part) as f64
            }).collect();
            let forward = times(&millis);
            for (row, value) in millis.iter().enumerate() {
                prop_assert_eq!(forward.get(row), *value);
            }
            let (first, rest) = millis.split_at(millis.len() / 2);
            let mut appended = times(first);
            appended.append(times(rest));
            prop_assert_eq!(&appended, &forward);
            let reversed: Vec<f64> = millis.iter().rev().copied().collect();
            prop_assert_eq!(forward.bytes(), times(&reversed).bytes());
        }
    }
}
