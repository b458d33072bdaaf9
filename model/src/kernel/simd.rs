//! Eight sums at a time, on whatever the machine has. A product and its addition are two roundings on all of them.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{
    __m256d, __m512d, _mm_loadu_ps, _mm256_add_pd, _mm256_cvtps_pd, _mm256_loadu_ps, _mm256_mul_pd, _mm256_set1_pd,
    _mm256_storeu_pd, _mm512_add_pd, _mm512_cvtps_pd, _mm512_mul_pd, _mm512_set1_pd, _mm512_storeu_pd,
};

use super::packed::LANES;

/// Operations on vectors of eight `f64`. A value says that the machine has the instructions.
pub(super) trait Simd: Copy {
    /// Eight sums.
    type V: Copy;
    /// Vectors of sums that fit the registers beside what a loop needs: a power of two, at most 16.
    const WIDEST: usize;

    fn zero(self) -> Self::V;
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    /// `sums + weights * x`
    fn add_products(self, sums: Self::V, weights: &[f32; LANES], x: f64) -> Self::V;
    fn store(self, sums: Self::V, to: &mut [f64; LANES]);
}

/// That the machine has AVX-512 F.
#[cfg(target_arch = "x86_64")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Avx512(());

#[cfg(target_arch = "x86_64")]
impl Avx512 {
    pub fn detect() -> Option<Self> {
        is_x86_feature_detected!("avx512f").then_some(Self(()))
    }
}

/// That the machine has AVX2.
#[cfg(target_arch = "x86_64")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Avx2(());

#[cfg(target_arch = "x86_64")]
impl Avx2 {
    pub fn detect() -> Option<Self> {
        is_x86_feature_detected!("avx2").then_some(Self(()))
    }
}

/// Nothing that a machine may lack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Portable;

/// An operation that needs the instructions and nothing else.
#[cfg(target_arch = "x86_64")]
macro_rules! with {
    ($operation:expr) => {{
        // SAFETY: an `Avx512` or `Avx2` exists only where the machine has the instructions, and the arrays that are read and
        // written have as many numbers as a register.
        unsafe { $operation }
    }};
}

#[cfg(target_arch = "x86_64")]
impl Simd for Avx512 {
    type V = __m512d;
    const WIDEST: usize = 16;

    #[inline(always)]
    fn zero(self) -> __m512d {
        with!(_mm512_set1_pd(0.0))
    }
    #[inline(always)]
    fn add(self, a: __m512d, b: __m512d) -> __m512d {
        with!(_mm512_add_pd(a, b))
    }
    #[inline(always)]
    fn add_products(self, sums: __m512d, weights: &[f32; LANES], x: f64) -> __m512d {
        let weights = with!(_mm512_cvtps_pd(_mm256_loadu_ps(weights.as_ptr())));
        with!(_mm512_add_pd(sums, _mm512_mul_pd(weights, _mm512_set1_pd(x))))
    }
    #[inline(always)]
    fn store(self, sums: __m512d, to: &mut [f64; LANES]) {
        with!(_mm512_storeu_pd(to.as_mut_ptr(), sums));
    }
}

#[cfg(target_arch = "x86_64")]
impl Simd for Avx2 {
    type V = [__m256d; 2];
    const WIDEST: usize = 4;

    #[inline(always)]
    fn zero(self) -> [__m256d; 2] {
        [with!(_mm256_set1_pd(0.0)); 2]
    }
    #[inline(always)]
    fn add(self, a: [__m256d; 2], b: [__m256d; 2]) -> [__m256d; 2] {
        with!([_mm256_add_pd(a[0], b[0]), _mm256_add_pd(a[1], b[1])])
    }
    #[inline(always)]
    fn add_products(self, sums: [__m256d; 2], weights: &[f32; LANES], x: f64) -> [__m256d; 2] {
        let x = with!(_mm256_set1_pd(x));
        let (halves, _) = weights.as_chunks::<4>();
        let products = |half: usize| with!(_mm256_mul_pd(_mm256_cvtps_pd(_mm_loadu_ps(halves[half].as_ptr())), x));
        self.add(sums, [products(0), products(1)])
    }
    #[inline(always)]
    fn store(self, sums: [__m256d; 2], to: &mut [f64; LANES]) {
        let (halves, _) = to.as_chunks_mut::<4>();
        for (half, sums) in halves.iter_mut().zip(sums) {
            with!(_mm256_storeu_pd(half.as_mut_ptr(), sums));
        }
    }
}

impl Simd for Portable {
    type V = [f64; LANES];
    const WIDEST: usize = 2;

    #[inline(always)]
    fn zero(self) -> [f64; LANES] {
        [0.0; LANES]
    }
    #[inline(always)]
    fn add(self, mut a: [f64; LANES], b: [f64; LANES]) -> [f64; LANES] {
        for (a, b) in a.iter_mut().zip(b) {
            *a += b;
        }
        a
    }
    #[inline(always)]
    fn add_products(self, mut sums: [f64; LANES], weights: &[f32; LANES], x: f64) -> [f64; LANES] {
        for (sum, &weight) in sums.iter_mut().zip(weights) {
            *sum += f64::from(weight) * x;
        }
        sums
    }
    #[inline(always)]
    fn store(self, sums: [f64; LANES], to: &mut [f64; LANES]) {
        *to = sums;
    }
}
