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
    /// Of each place how many terms it has, and then where the next one goes; 0 between collections.
    of_place: Vec<u32>,
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
        let Self { rows, starts, samples, factors, of_place } = self;
        of_place.resize(places.max(of_place.len()), 0);
        // Slices, and appending without a branch: what is looked up again for each term costs more than the term.
        let of_place = &mut of_place[..places];
        let listed = all.unwrap_or(0);
        rows.resize(places + 1, 0);
        for (row, place) in rows[..listed].iter_mut().zip(0..) {
            *row = place;
        }
        let (mut count, mut terms, mut share) = (listed, 0, 0.0);
        for list in lists.clone() {
            share += 1.0;
            terms += list.count;
            for &place in list.places() {
                let of_place = &mut of_place[place as usize];
                rows[count] = place;
                count += usize::from(*of_place == 0 && place as usize >= listed);
                *of_place += 1;
            }
        }
        rows.truncate(count);
        starts.clear();
        let mut end = 0;
        for &place in &*rows {
            starts.push(end);
            end += std::mem::replace(&mut of_place[place as usize], end);
        }
        starts.push(end);
        samples.resize(terms, 0);
        factors.resize(terms, 0.0);
        let (samples, factors) = (&mut samples[..], &mut factors[..terms]);
        let share = 1.0 / share;
        for (sample, list) in (0..).zip(lists) {
            for (&place, &value) in list.places().iter().zip(list.values()) {
                let next = &mut of_place[place as usize];
                samples[*next as usize] = sample;
                factors[*next as usize] = value * share;
                *next += 1;
            }
        }
        for &place in &*rows {
            of_place[place as usize] = 0;
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
