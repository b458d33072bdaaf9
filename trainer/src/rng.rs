//! H2O's random numbers: PCG32 (XSH-RR, the variant of pcg-random.org), with its ways of drawing from it.

const MULTIPLIER: u64 = 6_364_136_223_846_793_005;
/// Twice the stream's number (1) plus one.
const INCREMENT: u64 = 3;

/// A generator that gives H2O's streams.
#[derive(Debug, Clone)]
pub(crate) struct Rng {
    state: u64,
    spare_gaussian: Option<f64>,
}

impl Rng {
    /// The stream of a seed.
    pub fn new(seed: i64) -> Self {
        let mut rng = Self { state: 0, spare_gaussian: None };
        rng.next_u32();
        rng.state = rng.state.wrapping_add(seed.cast_unsigned());
        rng.next_u32();
        rng
    }

    /// Thirty-two random bits.
    pub fn next_u32(&mut self) -> u32 {
        let old = self.state;
        self.state = old.wrapping_mul(MULTIPLIER).wrapping_add(INCREMENT);
        let xorshifted = (((old >> 18) ^ old) >> 27) as u32;
        xorshifted.rotate_right((old >> 59) as u32)
    }

    /// A float in [0, 1), of 24 bits.
    pub fn next_f32(&mut self) -> f32 {
        self.bits(24) as f32 / (1_u32 << 24) as f32
    }

    /// A double in [0, 1), of 53 bits.
    pub fn next_f64(&mut self) -> f64 {
        let high = u64::from(self.bits(26));
        let low = u64::from(self.bits(27));
        ((high << 27) + low) as f64 / (1_u64 << 53) as f64
    }

    /// A number below `bound`, slightly biased as H2O's is.
    pub fn below(&mut self, bound: u32) -> u32 {
        self.next_u32() % bound
    }

    /// A random order, by Fisher and Yates from the front.
    pub fn shuffle(&mut self, items: &mut [u32]) {
        for i in 0..items.len() {
            let other = i + self.below((items.len() - i) as u32) as usize;
            items.swap(i, other);
        }
    }

    /// Random bytes, four to a draw, the least significant first.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        for four in bytes.chunks_mut(4) {
            let draw = self.next_u32().to_le_bytes();
            four.copy_from_slice(&draw[..four.len()]);
        }
    }

    /// A standard normal number, by the polar method; every second one was kept from the call before.
    pub fn next_gaussian(&mut self) -> f64 {
        if let Some(spare) = self.spare_gaussian.take() {
            return spare;
        }
        loop {
            let v1 = 2.0 * self.next_f64() - 1.0;
            let v2 = 2.0 * self.next_f64() - 1.0;
            let s = v1 * v1 + v2 * v2;
            if s < 1.0 && s != 0.0 {
                let factor = (-2.0 * model::ln(s) / s).sqrt();
                self.spare_gaussian = Some(v2 * factor);
                return v1 * factor;
            }
        }
    }

    /// The low bits of the second of two draws: H2O draws 64 bits and keeps the lowest.
    fn bits(&mut self, count: u32) -> u32 {
        self.next_u32();
        self.next_u32() & ((1 << count) - 1)
    }
}

/// The seed with which H2O starts a generator of dropout masks: one whose halves are not nearly zero.
pub(crate) fn spread_seed(seed: i64) -> i64 {
    let mut bits = seed.cast_unsigned();
    if bits >> 32 < 0xffff {
        bits |= 0x5b93_0000_0000_0000;
    }
    if bits & 0xffff_ffff < 0xffff {
        bits |= 0xdb91_0000;
    }
    bits.cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_stay_in_their_ranges_and_repeat() {
        let (mut a, mut b) = (Rng::new(42), Rng::new(42));
        for _ in 0..1000 {
            assert!((0.0..1.0).contains(&a.next_f32()));
            assert!((0.0..1.0).contains(&a.next_f64()));
            assert!(a.below(7) < 7);
            b.next_f32();
            b.next_f64();
            b.below(7);
        }
        assert_eq!(a.next_u32(), b.next_u32());
    }

    #[test]
    fn bytes_come_least_significant_first() {
        let (mut a, mut b) = (Rng::new(-1), Rng::new(-1));
        let mut bytes = [0; 6];
        a.fill(&mut bytes);
        assert_eq!(bytes[..4], b.next_u32().to_le_bytes());
        assert_eq!(bytes[4..], b.next_u32().to_le_bytes()[..2]);
    }

    #[test]
    fn gaussians_have_mean_zero_and_variance_one() {
        let mut rng = Rng::new(7);
        let draws: Vec<f64> = (0..20_000).map(|_| rng.next_gaussian()).collect();
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        let variance = draws.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / draws.len() as f64;
        assert!(mean.abs() < 0.03 && (variance - 1.0).abs() < 0.04, "{mean} {variance}");
    }
}
