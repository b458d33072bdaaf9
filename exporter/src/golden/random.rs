//! Random numbers for drawing rows; the same everywhere for the same seed.

/// `SplitMix64`, of Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014).
pub(crate) struct SplitMix64(u64);

impl SplitMix64 {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number from 0 to 1, 1 excluded.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_that_of_the_paper() {
        let mut random = SplitMix64::new(0);
        assert_eq!([random.next(), random.next()], [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4]);
    }

    #[test]
    fn a_unit_number_is_below_one() {
        let mut random = SplitMix64::new(7);
        assert!((0..1000).map(|_| random.unit()).all(|x| (0.0..1.0).contains(&x)));
    }
}
