//! The fast engine's random numbers: sixteen-bit draws in bulk, the same on every tier.

use crate::kernel::{Kernel, LANES, Simd};

/// Times that a vector is drawn before new numbers are made.
const VECTORS: usize = 16;
const STREAMS: usize = 8;

/// Eight xorshift128+ generators (Vigna 2017) side by side.
#[derive(Debug, Clone)]
pub(super) struct Draws {
    state: [[u64; STREAMS]; 2],
    buffer: [[u16; LANES]; VECTORS],
    used: usize,
}

impl Draws {
    /// The streams of a seed, by splitmix64.
    pub fn new(seed: u64) -> Self {
        let mut z = seed;
        let mut next = || {
            z = z.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let x = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            x ^ (x >> 31)
        };
        let state = std::array::from_fn(|_| std::array::from_fn(|_| next()));
        Self { state, buffer: [[0; LANES]; VECTORS], used: VECTORS }
    }

    /// A draw for each lane.
    #[inline(always)]
    pub fn next<S: Simd>(&mut self, simd: S) -> &[u16; LANES] {
        if self.used == VECTORS {
            simd.run(Refill(self));
            self.used = 0;
        }
        self.used += 1;
        &self.buffer[self.used - 1]
    }
}

struct Refill<'a>(&'a mut Draws);

impl Kernel for Refill<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _simd: S) {
        let (blocks, _) = self.0.buffer.as_flattened_mut().as_chunks_mut::<{ STREAMS * 4 }>();
        let [first, second] = &mut self.0.state;
        for block in blocks {
            for stream in 0..STREAMS {
                let (mut x, y) = (first[stream], second[stream]);
                first[stream] = y;
                x ^= x << 23;
                x ^= x >> 17;
                x ^= y ^ (y >> 26);
                second[stream] = x;
                let sum = x.wrapping_add(y);
                for part in 0..4 {
                    block[part * STREAMS + stream] = (sum >> (16 * part)) as u16;
                }
            }
        }
    }
}

/// The share of draws below this is `ratio`, to 1 in 65,536.
pub(super) fn threshold(ratio: f64) -> u16 {
    (ratio * 65_536.0).round() as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Portable;

    #[test]
    fn the_draws_below_a_threshold_have_its_share() {
        let mut draws = Draws::new(7);
        let limit = threshold(0.2);
        let below: usize = (0..10_000).map(|_| draws.next(Portable).iter().filter(|&&draw| draw < limit).count()).sum();
        assert!((31_500..32_500).contains(&below), "{below}");
    }

    #[test]
    fn seeds_give_streams_of_their_own() {
        let first = *Draws::new(1).next(Portable);
        assert_eq!(first, *Draws::new(1).next(Portable));
        assert_ne!(first, *Draws::new(2).next(Portable));
    }
}
