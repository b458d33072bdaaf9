//! AVX-512: a vector is a register.

#[cfg_attr(
    not(test),
    expect(clippy::wildcard_imports, reason = "dozens of instructions, all with a prefix of their own")
)]
use std::arch::x86_64::*;

use super::{Kernel, LANES, Lanes, Simd};

/// That the machine has AVX-512 F, DQ, BW and VL, and all else that [`run`](Simd::run) turns on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Avx512(());

impl Avx512 {
    pub fn detect() -> Option<Self> {
        let has = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2");
        has.then_some(Self(()))
    }
}

/// An operation that needs the instructions and nothing else.
macro_rules! with {
    ($operation:expr) => {{
        // SAFETY: an `Avx512` exists only where the machine has the instructions.
        unsafe { $operation }
    }};
}

impl Simd for Avx512 {
    type V = __m512;
    type M = __mmask16;
    const REGISTERS: usize = 16;
    const LINES: usize = 4;

    #[inline(always)]
    fn splat(self, x: f32) -> __m512 {
        with!(_mm512_set1_ps(x))
    }
    #[inline(always)]
    fn load(self, from: &Lanes) -> __m512 {
        // SAFETY: as above; `Lanes` are 64 bytes on a boundary of 64.
        unsafe { _mm512_load_ps(from.0.as_ptr()) }
    }
    #[inline(always)]
    fn store(self, to: &mut Lanes, v: __m512) {
        // SAFETY: as in `load`.
        unsafe { _mm512_store_ps(to.0.as_mut_ptr(), v) }
    }
    #[inline(always)]
    fn add(self, a: __m512, b: __m512) -> __m512 {
        with!(_mm512_add_ps(a, b))
    }
    #[inline(always)]
    fn sub(self, a: __m512, b: __m512) -> __m512 {
        with!(_mm512_sub_ps(a, b))
    }
    #[inline(always)]
    fn mul(self, a: __m512, b: __m512) -> __m512 {
        with!(_mm512_mul_ps(a, b))
    }
    #[inline(always)]
    fn div(self, a: __m512, b: __m512) -> __m512 {
        with!(_mm512_div_ps(a, b))
    }
    #[inline(always)]
    fn max(self, a: __m512, b: __m512) -> __m512 {
        with!(_mm512_max_ps(a, b))
    }
    #[inline(always)]
    fn min(self, a: __m512, b: __m512) -> __m512 {
        with!(_mm512_min_ps(a, b))
    }
    #[inline(always)]
    fn mul_add(self, a: __m512, b: __m512, c: __m512) -> __m512 {
        with!(_mm512_fmadd_ps(a, b, c))
    }
    #[inline(always)]
    fn mul_sub(self, a: __m512, b: __m512, c: __m512) -> __m512 {
        with!(_mm512_fmsub_ps(a, b, c))
    }
    #[inline(always)]
    fn sub_mul(self, a: __m512, b: __m512, c: __m512) -> __m512 {
        with!(_mm512_fnmadd_ps(a, b, c))
    }
    #[inline(always)]
    fn sqrt(self, a: __m512) -> __m512 {
        with!(_mm512_sqrt_ps(a))
    }
    /// `x / sqrt(x e)`, the inverse root to 14 bits.
    #[inline(always)]
    fn root_of_ratio(self, x: __m512, e: __m512) -> __m512 {
        with!(_mm512_mul_ps(x, _mm512_rsqrt14_ps(_mm512_mul_ps(x, e))))
    }
    #[inline(always)]
    fn round(self, a: __m512) -> __m512 {
        with!(_mm512_roundscale_ps::<0>(a))
    }
    #[inline(always)]
    fn scale(self, a: __m512, n: __m512) -> __m512 {
        with!(_mm512_scalef_ps(a, n))
    }
    #[inline(always)]
    fn with_sign(self, a: __m512, b: __m512) -> __m512 {
        with!({
            let sign = _mm512_set1_ps(-0.0);
            _mm512_or_ps(_mm512_andnot_ps(sign, a), _mm512_and_ps(sign, b))
        })
    }
    #[inline(always)]
    fn signed(self, size: __m512, of: __m512) -> __m512 {
        with!({
            // Bits of the second where the first is set, else of the third.
            const CHOOSE: i32 = 0xCA;
            let (sign, of_bits, size) =
                (_mm512_set1_epi32(i32::MIN), _mm512_castps_si512(of), _mm512_castps_si512(size));
            let nonzero = self.nonzero(of);
            _mm512_castsi512_ps(_mm512_maskz_ternarylogic_epi32::<CHOOSE>(nonzero, sign, of_bits, size))
        })
    }
    #[inline(always)]
    fn nonzero(self, a: __m512) -> __mmask16 {
        with!(_mm512_cmp_ps_mask::<_CMP_NEQ_UQ>(a, _mm512_setzero_ps()))
    }
    #[inline(always)]
    fn greater(self, a: __m512, b: __m512) -> __mmask16 {
        with!(_mm512_cmp_ps_mask::<_CMP_GT_OQ>(a, b))
    }
    #[inline(always)]
    fn select(self, mask: __mmask16, a: __m512, b: __m512) -> __m512 {
        with!(_mm512_mask_blend_ps(mask, b, a))
    }
    #[inline(always)]
    fn bits(self, mask: __mmask16) -> u32 {
        u32::from(mask)
    }
    #[inline(always)]
    fn sum(self, a: __m512) -> f32 {
        with!({
            let eight = _mm256_add_ps(_mm512_castps512_ps256(a), _mm512_extractf32x8_ps::<1>(a));
            let four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps::<1>(eight));
            let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
            _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps::<1>(two, two)))
        })
    }
    #[inline(always)]
    fn not_below(self, draws: &[u16; LANES], least: u16) -> __mmask16 {
        // SAFETY: as above; a load of sixteen draws, wherever they begin.
        unsafe {
            let draws = _mm256_loadu_si256(draws.as_ptr().cast());
            _mm256_cmpge_epu16_mask(draws, _mm256_set1_epi16(least.cast_signed()))
        }
    }
    #[inline(always)]
    fn append(
        self,
        chosen: __mmask16,
        lane_numbers: &[u32; LANES],
        lanes: __m512,
        at: usize,
        numbers: &mut [u32],
        values: &mut [f32],
    ) -> usize {
        let (numbers, values) = (&mut numbers[at..at + LANES], &mut values[at..at + LANES]);
        // SAFETY: as above; all slices have room for sixteen.
        unsafe {
            let lane_numbers = _mm512_loadu_epi32(lane_numbers.as_ptr().cast());
            // Compressed in a register and stored whole: stores that compress are slow on some machines.
            _mm512_storeu_epi32(numbers.as_mut_ptr().cast(), _mm512_maskz_compress_epi32(chosen, lane_numbers));
            _mm512_storeu_ps(values.as_mut_ptr(), _mm512_maskz_compress_ps(chosen, lanes));
            chosen.count_ones() as usize
        }
    }

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx2,fma,popcnt,bmi1,bmi2")]
        unsafe fn with_instructions<K: Kernel>(simd: Avx512, kernel: K) -> K::Output {
            kernel.run(simd)
        }
        with!(with_instructions(self, kernel))
    }
}
