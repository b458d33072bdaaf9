//! Which rows an iteration takes, and in which order.

use crate::rng::Rng;

const SEED_OFFSET: u64 = 0x8734_0935_0242_9734;
const SEED_FACTOR: u64 = 0x9823_4234_9782_3423;

/// One iteration over a frame that is one chunk.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pass {
    /// Rows of the frame.
    pub rows: usize,
    /// Rows that the iteration is meant to take.
    pub rows_per_iteration: u64,
    pub shuffle: bool,
    /// The model's seed.
    pub seed: i64,
    /// From 1.
    pub iteration: u64,
    /// Samples processed before this iteration.
    pub samples: u64,
}

impl Pass {
    /// The rows in order, each with the seed of its dropout.
    ///
    /// An iteration that is meant to take a share of the rows takes each with that probability; one that takes more
    /// than all of them repeats the same order.
    pub fn rows(self) -> impl Iterator<Item = (usize, i64)> {
        let usage = (self.rows_per_iteration as f64 / self.rows as f64) as f32;
        let repeats = usage.ceil().max(1.0) as u32;
        let fraction = usage / repeats as f32;
        let sample = fraction < 0.999 || self.shuffle;
        let mut rng = Rng::new(self.chunk_seed());
        let order = sample.then(|| permutation(self.rows, &mut rng));
        (0..repeats).flat_map(move |repeat| (0..self.rows).map(move |position| (repeat, position))).filter_map(
            move |(repeat, position)| {
                let mut row = position;
                if let Some(order) = &order {
                    if rng.next_f64() > f64::from(fraction) {
                        return None;
                    }
                    row = order[position] as usize;
                }
                let seed = (i64::from(repeat) * self.rows as i64 + row as i64).wrapping_add_unsigned(self.samples);
                Some((row, seed))
            },
        )
    }

    fn chunk_seed(self) -> i64 {
        let start = SEED_OFFSET.wrapping_add(self.seed.cast_unsigned()).wrapping_add(self.samples);
        start.wrapping_mul(self.iteration.wrapping_add(SEED_FACTOR)).cast_signed()
    }
}

/// A random order, by Fisher and Yates from the front.
fn permutation(rows: usize, rng: &mut Rng) -> Vec<u32> {
    let mut order: Vec<u32> = (0..rows as u32).collect();
    for i in 0..rows {
        let other = i + rng.below((rows - i) as u32) as usize;
        order.swap(i, other);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pass(rows_per_iteration: u64, shuffle: bool) -> Vec<usize> {
        let pass = Pass { rows: 1000, rows_per_iteration, shuffle, seed: 7, iteration: 1, samples: 0 };
        pass.rows().map(|(row, _)| row).collect()
    }

    #[test]
    fn an_epoch_without_shuffling_takes_the_rows_as_they_stand() {
        assert_eq!(pass(1000, false), (0..1000).collect::<Vec<_>>());
    }

    #[test]
    fn a_shuffled_epoch_takes_each_row_once() {
        let mut rows = pass(1000, true);
        assert_ne!(rows, (0..1000).collect::<Vec<_>>());
        rows.sort_unstable();
        assert_eq!(rows, (0..1000).collect::<Vec<_>>());
    }

    #[test]
    fn a_part_of_an_epoch_takes_about_its_share_without_repeating_a_row() {
        let mut rows = pass(300, false);
        let taken = rows.len();
        rows.sort_unstable();
        rows.dedup();
        assert_eq!(rows.len(), taken);
        assert!((240..360).contains(&taken), "{taken}");
    }

    #[test]
    fn more_than_an_epoch_repeats_one_order() {
        let rows = pass(2000, true);
        assert_eq!(rows[..1000], rows[1000..]);
    }
}
