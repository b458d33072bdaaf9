//! AVX2 with FMA: a vector is two registers.

#[cfg_attr(
    not(test),
    expect(clippy::wildcard_imports, reason = "dozens of instructions, all with a prefix of their own")
)]
use std::arch::x86_64::*;

use super::{Kernel, LANES, Lanes, Simd};

/// That the machine has AVX2 and FMA, and all else that [`run`](Simd::run) turns on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Avx2(());

impl Avx2 {
    pub fn detect() -> Option<Self> {
        let has = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        has.then_some(Self(()))
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Pair(__m256, __m256);

/// An operation that needs the instructions and nothing else.
macro_rules! with {
    ($operation:expr) => {{
        // SAFETY: an `Avx2` exists only where the machine has the instructions.
        unsafe { $operation }
    }};
}

/// The same operation on both halves.
macro_rules! both {
    ($operation:ident($($v:ident),*)) => { with!(Pair($operation($($v.0),*), $operation($($v.1),*))) };
}

impl Simd for Avx2 {
    type V = Pair;
    type M = Pair;
    const REGISTERS: usize = 4;
    const LINES: usize = 1;

    #[inline(always)]
    fn splat(self, x: f32) -> Pair {
        with!(Pair(_mm256_set1_ps(x), _mm256_set1_ps(x)))
    }
    #[inline(always)]
    fn load(self, from: &Lanes) -> Pair {
        let (low, high) = from.0.split_at(LANES / 2);
        // SAFETY: as above; each half is 32 bytes on a boundary of 32.
        unsafe { Pair(_mm256_load_ps(low.as_ptr()), _mm256_load_ps(high.as_ptr())) }
    }
    #[inline(always)]
    fn store(self, to: &mut Lanes, v: Pair) {
        let (low, high) = to.0.split_at_mut(LANES / 2);
        // SAFETY: as in `load`.
        unsafe {
            _mm256_store_ps(low.as_mut_ptr(), v.0);
            _mm256_store_ps(high.as_mut_ptr(), v.1);
        }
    }
    #[inline(always)]
    fn add(self, a: Pair, b: Pair) -> Pair {
        both!(_mm256_add_ps(a, b))
    }
    #[inline(always)]
    fn sub(self, a: Pair, b: Pair) -> Pair {
        both!(_mm256_sub_ps(a, b))
    }
    #[inline(always)]
    fn mul(self, a: Pair, b: Pair) -> Pair {
        both!(_mm256_mul_ps(a, b))
    }
    #[inline(always)]
    fn div(self, a: Pair, b: Pair) -> Pair {
        both!(_mm256_div_ps(a, b))
    }
    #[inline(always)]
    fn max(self, a: Pair, b: Pair) -> Pair {
        both!(_mm256_max_ps(a, b))
    }
    #[inline(always)]
    fn min(self, a: Pair, b: Pair) -> Pair {
        both!(_mm256_min_ps(a, b))
    }
    #[inline(always)]
    fn mul_add(self, a: Pair, b: Pair, c: Pair) -> Pair {
        both!(_mm256_fmadd_ps(a, b, c))
    }
    #[inline(always)]
    fn mul_sub(self, a: Pair, b: Pair, c: Pair) -> Pair {
        both!(_mm256_fmsub_ps(a, b, c))
    }
    #[inline(always)]
    fn sub_mul(self, a: Pair, b: Pair, c: Pair) -> Pair {
        both!(_mm256_fnmadd_ps(a, b, c))
    }
    #[inline(always)]
    fn sqrt(self, a: Pair) -> Pair {
        both!(_mm256_sqrt_ps(a))
    }
    /// `x / sqrt(x e)`: the inverse root to 12 bits, and one step of Newton's method.
    #[inline(always)]
    fn root_of_ratio(self, x: Pair, e: Pair) -> Pair {
        let product = self.mul(x, e);
        let guess = both!(_mm256_rsqrt_ps(product));
        let half = self.mul(self.mul(product, guess), self.splat(0.5));
        let step = self.sub_mul(half, guess, self.splat(1.5));
        self.mul(self.mul(x, guess), step)
    }
    #[inline(always)]
    fn round(self, a: Pair) -> Pair {
        with!(Pair(_mm256_round_ps::<8>(a.0), _mm256_round_ps::<8>(a.1)))
    }
    #[inline(always)]
    fn scale(self, a: Pair, n: Pair) -> Pair {
        with!({
            let power = |n: __m256| {
                let biased = _mm256_add_epi32(_mm256_cvtps_epi32(n), _mm256_set1_epi32(127));
                _mm256_castsi256_ps(_mm256_slli_epi32::<23>(biased))
            };
            Pair(_mm256_mul_ps(a.0, power(n.0)), _mm256_mul_ps(a.1, power(n.1)))
        })
    }
    #[inline(always)]
    fn with_sign(self, a: Pair, b: Pair) -> Pair {
        let sign = self.splat(-0.0);
        let magnitude = both!(_mm256_andnot_ps(sign, a));
        let sign = both!(_mm256_and_ps(sign, b));
        both!(_mm256_or_ps(magnitude, sign))
    }
    #[inline(always)]
    fn signed(self, size: Pair, of: Pair) -> Pair {
        let (signed, nonzero) = (self.with_sign(size, of), self.nonzero(of));
        both!(_mm256_and_ps(signed, nonzero))
    }
    #[inline(always)]
    fn nonzero(self, a: Pair) -> Pair {
        with!({
            let zero = _mm256_setzero_ps();
            Pair(_mm256_cmp_ps::<_CMP_NEQ_UQ>(a.0, zero), _mm256_cmp_ps::<_CMP_NEQ_UQ>(a.1, zero))
        })
    }
    #[inline(always)]
    fn greater(self, a: Pair, b: Pair) -> Pair {
        with!(Pair(_mm256_cmp_ps::<_CMP_GT_OQ>(a.0, b.0), _mm256_cmp_ps::<_CMP_GT_OQ>(a.1, b.1)))
    }
    #[inline(always)]
    fn select(self, mask: Pair, a: Pair, b: Pair) -> Pair {
        both!(_mm256_blendv_ps(b, a, mask))
    }
    #[inline(always)]
    fn bits(self, mask: Pair) -> u32 {
        with!((_mm256_movemask_ps(mask.0) | _mm256_movemask_ps(mask.1) << 8).cast_unsigned())
    }
    #[inline(always)]
    fn sum(self, a: Pair) -> f32 {
        with!({
            let eight = _mm256_add_ps(a.0, a.1);
            let four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps::<1>(eight));
            let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
            _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps::<1>(two, two)))
        })
    }
    #[inline(always)]
    fn append(
        self,
        chosen: Pair,
        lane_numbers: &[u32; LANES],
        lanes: Pair,
        at: usize,
        numbers: &mut [u32],
        values: &mut [f32],
    ) -> usize {
        let mut line = Lanes::default();
        self.store(&mut line, lanes);
        let mut bits = self.bits(chosen);
        let (numbers, values) = (&mut numbers[at..at + LANES], &mut values[at..at + LANES]);
        let mut found = 0;
        while bits != 0 {
            let lane = bits.trailing_zeros() as usize % LANES;
            numbers[found] = lane_numbers[lane];
            values[found] = line.0[lane];
            found += 1;
            bits &= bits - 1;
        }
        found
    }

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "avx2,fma,popcnt,bmi1,bmi2")]
        unsafe fn with_instructions<K: Kernel>(simd: Avx2, kernel: K) -> K::Output {
            kernel.run(simd)
        }
        with!(with_instructions(self, kernel))
    }
}
