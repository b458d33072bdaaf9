//! Sixteen numbers at a time, on whatever the machine has: the room of the training kernels.
//!
//! A kernel is written once, generic over [`Simd`], and marked `#[inline(always)]`. [`Simd::run`] calls it inside a function
//! that is compiled for the instruction set, so that every operation becomes one instruction of it. The tiers differ in
//! how they round a root and in whether a product and a sum are one rounding; each repeats its own bits.

#![expect(
    clippy::inline_always,
    reason = "what is not inlined into `Simd::run` is compiled without the tier's instructions"
)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod picked;
mod portable;
#[cfg(test)]
mod tests;
mod traffic;

use std::fmt;

#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) use avx512::Avx512;
pub(crate) use picked::Picked;
pub(crate) use portable::Portable;
pub use traffic::Traffic;

/// Lanes of a vector.
pub(crate) const LANES: usize = 16;

/// A cache line of numbers, where lines begin.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Lanes(pub [f32; LANES]);

impl Lanes {
    /// Lines that hold so many numbers.
    pub fn count(numbers: usize) -> usize {
        numbers.div_ceil(LANES)
    }

    /// A row of zeros for so many numbers.
    pub fn zeros(numbers: usize) -> Vec<Self> {
        vec![Self::default(); Self::count(numbers)]
    }
}

/// The numbers of lines, one after the other.
pub(crate) fn flat(lines: &[Lanes]) -> &[f32] {
    // SAFETY: `Lanes` is `repr(C)` around `[f32; 16]`, 64 bytes without padding, so the lines are one run of floats.
    unsafe { std::slice::from_raw_parts(lines.as_ptr().cast(), lines.len() * LANES) }
}

/// The numbers of lines, to be changed.
pub(crate) fn flat_mut(lines: &mut [Lanes]) -> &mut [f32] {
    // SAFETY: as in `flat`; the borrow is exclusive.
    unsafe { std::slice::from_raw_parts_mut(lines.as_mut_ptr().cast(), lines.len() * LANES) }
}

/// Asks for the line of a number ahead of its use; a hint and nothing else.
#[inline]
pub(crate) fn prefetch<T>(data: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(item) = data.get(index) {
        // SAFETY: a prefetch reads nothing that the program sees, and the address is that of an item.
        unsafe {
            std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(std::ptr::from_ref(item).cast());
        };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (data, index);
}

/// Operations on vectors of sixteen `f32`.
pub(crate) trait Simd: Copy + Send + Sync + 'static {
    /// Sixteen numbers.
    type V: Copy;
    /// A choice of lanes.
    type M: Copy;
    /// Vectors that fit the registers beside what a loop needs.
    const REGISTERS: usize;
    /// Lines of an update at once, with all that goes with them in registers.
    const LINES: usize;

    fn splat(self, x: f32) -> Self::V;
    fn load(self, from: &Lanes) -> Self::V;
    fn store(self, to: &mut Lanes, v: Self::V);
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;
    fn mul(self, a: Self::V, b: Self::V) -> Self::V;
    fn div(self, a: Self::V, b: Self::V) -> Self::V;
    /// The larger of the two; `b` where one is not a number.
    fn max(self, a: Self::V, b: Self::V) -> Self::V;
    fn min(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a * b + c`
    fn mul_add(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// `a * b - c`
    fn mul_sub(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// `c - a * b`
    fn sub_mul(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    fn sqrt(self, a: Self::V) -> Self::V;
    /// `sqrt(x / e)` for positive numbers, as exact as is cheap: within 1e-4.
    fn root_of_ratio(self, x: Self::V, e: Self::V) -> Self::V;
    /// The whole number next to each.
    fn round(self, a: Self::V) -> Self::V;
    /// `a * 2^n` for whole numbers `n` from -126 to 127.
    fn scale(self, a: Self::V, n: Self::V) -> Self::V;
    /// The magnitude of `a` with the sign of `b`.
    fn with_sign(self, a: Self::V, b: Self::V) -> Self::V;
    /// `size` with the sign of `of`, 0 where that is 0.
    #[inline(always)]
    fn signed(self, size: Self::V, of: Self::V) -> Self::V {
        self.select(self.nonzero(of), self.with_sign(size, of), self.splat(0.0))
    }
    /// Where a number is not 0; a NaN is not.
    fn nonzero(self, a: Self::V) -> Self::M;
    /// Where `a > b`.
    fn greater(self, a: Self::V, b: Self::V) -> Self::M;
    /// `a` where the mask is set, else `b`.
    fn select(self, mask: Self::M, a: Self::V, b: Self::V) -> Self::V;
    /// The lanes of a mask as bits, the first the lowest.
    fn bits(self, mask: Self::M) -> u32;
    /// All lanes together.
    fn sum(self, a: Self::V) -> f32;
    /// Where a draw is not below `least`.
    #[inline(always)]
    fn not_below(self, draws: &[u16; LANES], least: u16) -> Self::M {
        let chosen = Lanes(draws.map(|draw| if draw >= least { 1.0 } else { 0.0 }));
        self.nonzero(self.load(&chosen))
    }
    /// Appends the chosen lanes and their numbers at `at`. Returns how many there are; what lies past them in the sixteen
    /// places from `at` on is undefined.
    fn append(
        self,
        chosen: Self::M,
        lane_numbers: &[u32; LANES],
        lanes: Self::V,
        at: usize,
        numbers: &mut [u32],
        values: &mut [f32],
    ) -> usize;

    /// Runs a kernel in a function that is compiled for these instructions.
    fn run<K: Kernel>(self, kernel: K) -> K::Output;

    /// `exp`, within 2e-7 relative; past its range it stays at the ends of it, 1.2e-38 and 3.3e38.
    #[inline(always)]
    fn exp(self, x: Self::V) -> Self::V {
        // exp(x) = 2^n exp(r) with |r| <= ln(2) / 2, ln(2) in two parts; the polynomial is Taylor's to the seventh power.
        const LN2_HIGH: f32 = 0.693_359_4;
        const LN2_LOW: f32 = -2.121_944_4e-4;
        const TERMS: [f32; 6] = [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0];
        // The bounds come first, so that a NaN stays one.
        let x = self.max(self.splat(-87.3), self.min(self.splat(88.7), x));
        let n = self.round(self.mul(x, self.splat(std::f32::consts::LOG2_E)));
        let n = self.min(n, self.splat(127.0));
        let r = self.sub_mul(n, self.splat(LN2_HIGH), x);
        let r = self.sub_mul(n, self.splat(LN2_LOW), r);
        let mut p = self.splat(1.0 / 5040.0);
        for term in TERMS {
            p = self.mul_add(p, r, self.splat(term));
        }
        self.scale(self.mul_add(p, r, self.splat(1.0)), n)
    }

    /// `exp(x) - 1`, exact near 0 as well.
    #[inline(always)]
    fn exp_m1(self, x: Self::V) -> Self::V {
        const SMALL: f32 = 0.25;
        const TERMS: [f32; 5] = [1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0];
        let mut p = self.splat(1.0 / 720.0);
        for term in TERMS {
            p = self.mul_add(p, x, self.splat(term));
        }
        let size = self.with_sign(x, self.splat(1.0));
        let far = self.sub(self.exp(x), self.splat(1.0));
        self.select(self.greater(self.splat(SMALL), size), self.mul(p, x), far)
    }

    /// `tanh(x)`, exact near 0 as well.
    #[inline(always)]
    fn tanh(self, x: Self::V) -> Self::V {
        const SMALL: f32 = 0.4;
        // Taylor's, of x^11 down to x^3, in x^2.
        const TERMS: [f32; 5] = [62.0 / 2835.0, -17.0 / 315.0, 2.0 / 15.0, -1.0 / 3.0, 1.0];
        let (one, square) = (self.splat(1.0), self.mul(x, x));
        let mut p = self.splat(-1382.0 / 155_925.0);
        for term in TERMS {
            p = self.mul_add(p, square, self.splat(term));
        }
        let size = self.with_sign(x, one);
        let far = self.sub(one, self.div(self.splat(2.0), self.add(one, self.exp(self.add(x, x)))));
        self.select(self.greater(self.splat(SMALL), size), self.mul(p, x), far)
    }
}

/// `base` and the numbers after it.
#[inline(always)]
pub(crate) fn numbers_from(base: u32) -> [u32; LANES] {
    std::array::from_fn(|lane| base + lane as u32)
}

/// Something to run on a tier. `run` must be `#[inline(always)]`, or it is compiled without the tier's instructions.
pub(crate) trait Kernel {
    type Output;
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// The instructions that a machine has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tier(Kind);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    Portable,
}

impl Tier {
    /// The names that [`named`](Self::named) knows, the fastest first.
    pub const NAMES: [&'static str; 3] = ["avx512", "avx2", "portable"];

    /// The fastest one of this machine.
    pub fn best() -> Self {
        Self::NAMES.into_iter().find_map(Self::named).unwrap_or(Self(Kind::Portable))
    }

    /// The one of this name, where the machine has it.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            #[cfg(target_arch = "x86_64")]
            "avx512" => Avx512::detect().map(|_| Self(Kind::Avx512)),
            #[cfg(target_arch = "x86_64")]
            "avx2" => Avx2::detect().map(|_| Self(Kind::Avx2)),
            "portable" => Some(Self(Kind::Portable)),
            _ => None,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => "avx512",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "avx2",
            Kind::Portable => "portable",
        }
    }

    /// Runs something that is generic over the instructions.
    pub(crate) fn dispatch<G: Generic>(self, generic: G) -> G::Output {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => match Avx512::detect() {
                Some(simd) => generic.call(simd),
                None => generic.call(Portable),
            },
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => match Avx2::detect() {
                Some(simd) => generic.call(simd),
                None => generic.call(Portable),
            },
            Kind::Portable => generic.call(Portable),
        }
    }
}

/// Something that runs kernels, and is chosen a tier once.
pub(crate) trait Generic {
    type Output;
    fn call<S: Simd>(self, simd: S) -> Self::Output;
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
