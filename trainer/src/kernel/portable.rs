//! Plain loops, which the compiler turns into whatever the target has: SSE2, NEON.

use super::{Kernel, LANES, Lanes, Simd};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Portable;

type Numbers = [f32; LANES];

#[inline(always)]
fn each(f: impl Fn(usize) -> f32) -> Numbers {
    std::array::from_fn(f)
}

impl Simd for Portable {
    type V = Numbers;
    type M = [bool; LANES];
    const REGISTERS: usize = 2;
    const LINES: usize = 1;

    #[inline(always)]
    fn splat(self, x: f32) -> Numbers {
        [x; LANES]
    }
    #[inline(always)]
    fn load(self, from: &Lanes) -> Numbers {
        from.0
    }
    #[inline(always)]
    fn store(self, to: &mut Lanes, v: Numbers) {
        to.0 = v;
    }
    #[inline(always)]
    fn add(self, a: Numbers, b: Numbers) -> Numbers {
        each(|i| a[i] + b[i])
    }
    #[inline(always)]
    fn sub(self, a: Numbers, b: Numbers) -> Numbers {
        each(|i| a[i] - b[i])
    }
    #[inline(always)]
    fn mul(self, a: Numbers, b: Numbers) -> Numbers {
        each(|i| a[i] * b[i])
    }
    #[inline(always)]
    fn div(self, a: Numbers, b: Numbers) -> Numbers {
        each(|i| a[i] / b[i])
    }
    #[inline(always)]
    fn max(self, a: Numbers, b: Numbers) -> Numbers {
        each(|i| if a[i] > b[i] { a[i] } else { b[i] })
    }
    #[inline(always)]
    fn min(self, a: Numbers, b: Numbers) -> Numbers {
        each(|i| if a[i] < b[i] { a[i] } else { b[i] })
    }
    // Two roundings: `f32::mul_add` is a library call where the target has no instruction for it.
    #[inline(always)]
    fn mul_add(self, a: Numbers, b: Numbers, c: Numbers) -> Numbers {
        each(|i| a[i] * b[i] + c[i])
    }
    #[inline(always)]
    fn mul_sub(self, a: Numbers, b: Numbers, c: Numbers) -> Numbers {
        each(|i| a[i] * b[i] - c[i])
    }
    #[inline(always)]
    fn sub_mul(self, a: Numbers, b: Numbers, c: Numbers) -> Numbers {
        each(|i| c[i] - a[i] * b[i])
    }
    #[inline(always)]
    fn sqrt(self, a: Numbers) -> Numbers {
        each(|i| a[i].sqrt())
    }
    #[inline(always)]
    fn root_of_ratio(self, x: Numbers, e: Numbers) -> Numbers {
        each(|i| (x[i] / e[i]).sqrt())
    }
    /// By adding what leaves no room for a fraction; the numbers are small here.
    #[inline(always)]
    fn round(self, a: Numbers) -> Numbers {
        const SHIFT: f32 = 12_582_912.0;
        each(|i| (a[i] + SHIFT) - SHIFT)
    }
    #[inline(always)]
    fn scale(self, a: Numbers, n: Numbers) -> Numbers {
        each(|i| a[i] * f32::from_bits(((n[i] as i32 + 127) << 23).cast_unsigned()))
    }
    #[inline(always)]
    fn with_sign(self, a: Numbers, b: Numbers) -> Numbers {
        each(|i| a[i].copysign(b[i]))
    }
    #[inline(always)]
    fn nonzero(self, a: Numbers) -> [bool; LANES] {
        std::array::from_fn(|i| a[i] != 0.0)
    }
    #[inline(always)]
    fn greater(self, a: Numbers, b: Numbers) -> [bool; LANES] {
        std::array::from_fn(|i| a[i] > b[i])
    }
    #[inline(always)]
    fn select(self, mask: [bool; LANES], a: Numbers, b: Numbers) -> Numbers {
        each(|i| if mask[i] { a[i] } else { b[i] })
    }
    #[inline(always)]
    fn bits(self, mask: [bool; LANES]) -> u32 {
        mask.iter().enumerate().fold(0, |bits, (i, &set)| bits | u32::from(set) << i)
    }
    #[inline(always)]
    fn sum(self, a: Numbers) -> f32 {
        let eight: [f32; 8] = std::array::from_fn(|i| a[i] + a[i + 8]);
        let four: [f32; 4] = std::array::from_fn(|i| eight[i] + eight[i + 4]);
        (four[0] + four[2]) + (four[1] + four[3])
    }
    #[inline(always)]
    fn append(
        self,
        chosen: [bool; LANES],
        lane_numbers: &[u32; LANES],
        lanes: Numbers,
        at: usize,
        numbers: &mut [u32],
        values: &mut [f32],
    ) -> usize {
        let (numbers, values) = (&mut numbers[at..at + LANES], &mut values[at..at + LANES]);
        let mut found = 0;
        for lane in 0..LANES {
            // No branch: the place is written again unless the lane counts.
            numbers[found] = lane_numbers[lane];
            values[found] = lanes[lane];
            found += usize::from(chosen[lane]);
        }
        found
    }

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }
}
