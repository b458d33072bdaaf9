//! The fast engine's random numbers: sixteen-bit draws in bulk, the same on every tier.

/// Sixteen-bit draws of a buffer.
const DRAWS: usize = 256;
const STREAMS: usize = 8;

/// Eight xorshift128+ generators (Vigna 2017) side by side.
#[derive(Debug, Clone)]
pub(super) struct Draws {
    state: [[u64; STREAMS]; 2],
    buffer: [u16; DRAWS],
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
        Self { state: std::array::from_fn(|_| std::array::from_fn(|_| next())), buffer: [0; DRAWS], used: DRAWS }
    }

    /// So many draws, at most 256.
    #[inline]
    pub fn take(&mut self, count: usize) -> &[u16] {
        if self.used + count > DRAWS {
            self.refill();
        }
        let start = self.used;
        self.used += count;
        &self.buffer[start..start + count]
    }

    fn refill(&mut self) {
        let (blocks, _) = self.buffer.as_chunks_mut::<{ STREAMS * 4 }>();
        let [first, second] = &mut self.state;
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
        self.used = 0;
    }
}

/// The share of draws below this is `ratio`, to 1 in 65,536.
pub(super) fn threshold(ratio: f64) -> u32 {
    (ratio * 65_536.0).round() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_draws_below_a_threshold_have_its_share() {
        let mut draws = Draws::new(7);
        let limit = threshold(0.2);
        let below: usize =
            (0..1000).map(|_| draws.take(100).iter().filter(|&&draw| u32::from(draw) < limit).count()).sum();
        assert!((19_500..20_500).contains(&below), "{below}");
    }

    #[test]
    fn seeds_give_streams_of_their_own() {
        let first = Draws::new(1).take(50).to_vec();
        assert_eq!(first, Draws::new(1).take(50));
        assert_ne!(first, Draws::new(2).take(50));
    }
}
