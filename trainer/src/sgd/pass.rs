//! Which rows an iteration takes, and in which order.

use crate::rng::Rng;

const SEED_OFFSET: u64 = 0x8734_0935_0242_9734;
const SEED_FACTOR: u64 = 0x9823_4234_9782_3423;

/// One iteration over a frame that is one chunk.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pass<'w> {
    /// Rows of the frame.
    pub rows: usize,
    /// Rows that the iteration is meant to take.
    pub rows_per_iteration: u64,
    pub shuffle: bool,
    /// Observation weights; whole frames of zeros and ones or of one weight draw nothing.
    pub weights: Option<&'w [f64]>,
    /// The model's seed.
    pub seed: i64,
    /// From 1.
    pub iteration: u64,
    /// Samples processed before this iteration.
    pub samples: u64,
}

/// The rows of an iteration, one after the other.
#[derive(Debug)]
pub(super) struct RowOrder<'w> {
    pass: Pass<'w>,
    rng: Rng,
    /// A permutation of the rows; without it they come as they stand.
    order: Option<Vec<u32>>,
    repeats: u64,
    fraction: f64,
    lottery: Option<Lottery<'w>>,
    /// Positions that were looked at, in all repeats.
    looked_at: u64,
}

impl<'w> Pass<'w> {
    /// An iteration that is meant to take a share of the rows takes each with that probability; one that takes more
    /// than all of them repeats the same order. With weights no row is left out, but every second one is drawn.
    pub fn order(self) -> RowOrder<'w> {
        let lottery = self.weights.and_then(Lottery::new);
        let usage = f64::from((self.rows_per_iteration as f64 / self.rows as f64) as f32);
        // In single precision, unless weights make it double.
        let (repeats, fraction) = if let Some(lottery) = &lottery {
            let used = usage * lottery.share(self.rows);
            (used.ceil().max(1.0), used / used.ceil().max(1.0))
        } else {
            let repeats = usage.ceil().max(1.0);
            (repeats, f64::from((usage / repeats) as f32))
        };
        let sample = fraction < 0.999 || self.shuffle || lottery.is_some();
        let mut rng = Rng::new(self.chunk_seed());
        let order = sample.then(|| {
            let mut order: Vec<u32> = (0..self.rows as u32).collect();
            rng.shuffle(&mut order);
            order
        });
        RowOrder { pass: self, rng, order, repeats: repeats as u64, fraction, lottery, looked_at: 0 }
    }

    fn chunk_seed(self) -> i64 {
        let start = SEED_OFFSET.wrapping_add(self.seed.cast_unsigned()).wrapping_add(self.samples);
        start.wrapping_mul(self.iteration.wrapping_add(SEED_FACTOR)).cast_signed()
    }
}

impl RowOrder<'_> {
    /// The next row and the seed of its dropout, when so many rows of the iteration were processed.
    pub fn next(&mut self, processed: u64) -> Option<(usize, i64)> {
        let rows = self.pass.rows as u64;
        while self.looked_at < rows * self.repeats {
            let (repeat, position) = (self.looked_at / rows, (self.looked_at % rows) as usize);
            self.looked_at += 1;
            let row = match (&self.order, &self.lottery) {
                (Some(order), Some(lottery)) => lottery.row(order[position] as usize, processed, &mut self.rng),
                (Some(_), None) if self.rng.next_f64() > self.fraction => continue,
                (Some(order), None) => order[position] as usize,
                (None, _) => position,
            };
            let seed = (repeat * rows + row as u64).wrapping_add(self.pass.samples);
            return Some((row, seed.cast_signed()));
        }
        None
    }
}

/// Rows by the weight that they have.
#[derive(Debug)]
struct Lottery<'w> {
    weights: &'w [f64],
    /// The sum of the weights up to each row.
    sums: Vec<f64>,
}

impl<'w> Lottery<'w> {
    /// `None` for weights that only leave rows out, or are all the same.
    fn new(weights: &'w [f64]) -> Option<Self> {
        let plain = weights.iter().all(|&w| w == 0.0 || w == 1.0) || weights.windows(2).all(|w| w[0] == w[1]);
        if plain {
            return None;
        }
        let mut sum = 0.0;
        let sums = weights.iter().map(|weight| {
            sum += weight;
            sum
        });
        Some(Self { weights, sums: sums.collect() })
    }

    /// How much of an iteration the rows are worth.
    fn share(&self, rows: usize) -> f64 {
        let total = self.total();
        (total / rows as f64 * rows as f64).round() / total
    }

    /// Every row that follows an even number of processed ones is drawn, with replacement. The others are taken in turn;
    /// in place of one without weight any other is taken.
    fn row(&self, in_turn: usize, processed: u64, rng: &mut Rng) -> usize {
        if processed.is_multiple_of(2) {
            let drawn = rng.next_f64() * self.total();
            return self.sums.partition_point(|&sum| sum < drawn);
        }
        let mut row = in_turn;
        while self.weights[row] == 0.0 {
            row = rng.below(self.weights.len() as u32) as usize;
        }
        row
    }

    fn total(&self) -> f64 {
        self.sums.last().copied().unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pass(rows_per_iteration: u64, shuffle: bool, weights: Option<&[f64]>) -> Vec<usize> {
        let mut order =
            Pass { rows: 1000, rows_per_iteration, shuffle, weights, seed: 7, iteration: 1, samples: 0 }.order();
        let mut rows = Vec::new();
        while let Some((row, _)) = order.next(rows.len() as u64) {
            rows.push(row);
        }
        rows
    }

    #[test]
    fn an_epoch_without_shuffling_takes_the_rows_as_they_stand() {
        assert_eq!(pass(1000, false, None), (0..1000).collect::<Vec<_>>());
    }

    #[test]
    fn a_shuffled_epoch_takes_each_row_once() {
        let mut rows = pass(1000, true, None);
        assert_ne!(rows, (0..1000).collect::<Vec<_>>());
        rows.sort_unstable();
        assert_eq!(rows, (0..1000).collect::<Vec<_>>());
    }

    #[test]
    fn a_part_of_an_epoch_takes_about_its_share_without_repeating_a_row() {
        let mut rows = pass(300, false, None);
        let taken = rows.len();
        rows.sort_unstable();
        rows.dedup();
        assert_eq!(rows.len(), taken);
        assert!((240..360).contains(&taken), "{taken}");
    }

    #[test]
    fn more_than_an_epoch_repeats_one_order() {
        let rows = pass(2000, true, None);
        assert_eq!(rows[..1000], rows[1000..]);
    }

    #[test]
    fn half_of_the_rows_are_drawn_by_weight() {
        let weights: Vec<f64> = (0..1000).map(|row| if row < 500 { 0.0 } else { f64::from(row % 2 * 2 + 1) }).collect();
        let rows = pass(1000, true, Some(&weights));
        assert_eq!(rows.len(), 1000);
        assert!(rows.iter().all(|&row| row >= 500));
        // Of the drawn rows three in four have weight 3; of those in turn every second one.
        let heavy = rows.iter().step_by(2).filter(|&&row| weights[row] == 3.0).count();
        assert!((340..410).contains(&heavy), "{heavy}");
    }
}
