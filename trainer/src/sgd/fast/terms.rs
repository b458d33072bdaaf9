//! Which samples of a batch have a row, and with what factor.

use super::backward::OfBatch;
use super::forward::List;
use crate::kernel::Lanes;

/// The terms of each row that any sample has, the rows in the order in which they were first seen.
#[derive(Debug, Clone, Default)]
pub(super) struct Terms {
    /// Places of the rows.
    pub rows: Vec<u32>,
    /// Where the terms of each row begin, and of one row more.
    pub starts: Vec<u32>,
    /// Of each term the sample and the factor.
    pub samples: Vec<u32>,
    pub factors: Vec<f32>,
    /// For each place its row among `rows` plus one; 0 for none.
    row_of: Vec<u32>,
}

impl Terms {
    /// The gradient that they make of the lanes of the samples, so many lines of each.
    pub fn gradient<'a>(&'a self, lanes: &'a [Lanes], lines: usize) -> OfBatch<'a> {
        let Self { starts, samples, factors, .. } = self;
        OfBatch { starts, samples, factors, lanes, lines }
    }

    /// Collects the lists of the samples, each factor divided by their number. With `all` every place from 0 to there is a
    /// row, whether a sample has it or not.
    pub fn collect<'l>(&mut self, places: usize, lists: impl Iterator<Item = &'l List> + Clone, all: Option<usize>) {
        self.row_of.resize(places.max(self.row_of.len()), 0);
        self.rows.clear();
        self.starts.clear();
        let mut samples = 0;
        // Counts first, in `starts`, shifted by one.
        self.starts.push(0);
        let mut count = |place: u32, found: u32, rows: &mut Vec<u32>, starts: &mut Vec<u32>| {
            let row_of = &mut self.row_of[place as usize];
            if *row_of == 0 {
                rows.push(place);
                starts.push(0);
                *row_of = rows.len() as u32;
            }
            starts[*row_of as usize] += found;
        };
        for place in 0..all.unwrap_or(0) as u32 {
            count(place, 0, &mut self.rows, &mut self.starts);
        }
        for list in lists.clone() {
            samples += 1;
            for &place in list.places() {
                count(place, 1, &mut self.rows, &mut self.starts);
            }
        }
        for row in 1..self.starts.len() {
            self.starts[row] += self.starts[row - 1];
        }
        let terms = self.starts.last().map_or(0, |&end| end as usize);
        self.samples.resize(terms, 0);
        self.factors.resize(terms, 0.0);
        // Each start moves to its end while the terms go in, and is moved back afterwards.
        let share = 1.0 / samples as f32;
        for (sample, list) in (0..).zip(lists) {
            for (&place, &value) in list.places().iter().zip(list.values()) {
                let start = &mut self.starts[self.row_of[place as usize] as usize - 1];
                self.samples[*start as usize] = sample;
                self.factors[*start as usize] = value * share;
                *start += 1;
            }
        }
        self.starts.rotate_right(1);
        self.starts[0] = 0;
        for &place in &self.rows {
            self.row_of[place as usize] = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(numbers: &[(u32, f32)]) -> List {
        let mut list = List::with_room(20);
        for &(place, value) in numbers {
            list.places[list.count] = place;
            list.values[list.count] = value;
            list.count += 1;
        }
        list
    }

    #[test]
    fn terms_are_gathered_by_row() {
        let lists = [list(&[(3, 2.0), (7, 4.0)]), list(&[]), list(&[(7, 8.0), (1, 6.0)]), list(&[(3, 1.0)])];
        let mut terms = Terms::default();
        for _ in 0..2 {
            terms.collect(20, lists.iter(), None);
            assert_eq!(terms.rows, [3, 7, 1]);
            assert_eq!(terms.starts, [0, 2, 4, 5]);
            assert_eq!(terms.samples, [0, 3, 0, 2, 2]);
            assert_eq!(terms.factors, [0.5, 0.25, 1.0, 2.0, 1.5]);
        }
        terms.collect(20, lists.iter(), Some(4));
        assert_eq!(terms.rows, [0, 1, 2, 3, 7]);
        assert_eq!(terms.starts, [0, 0, 1, 1, 3, 5]);
    }
}
