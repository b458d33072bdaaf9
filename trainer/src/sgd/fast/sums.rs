//! Sums of rows, each times a factor, as many lines at once as stay in registers.

use crate::kernel::{Lanes, Simd};

/// Adds some rows of a matrix, each times its factor, to `sums`: as many of their first lines as that has.
#[inline(always)]
pub(super) fn add_rows<S: Simd>(
    simd: S,
    matrix: &[Lanes],
    stride: usize,
    places: &[u32],
    factors: &[f32],
    sums: &mut [Lanes],
) {
    let rows = Rows { matrix, stride, places, factors };
    let mut first = 0;
    while first < sums.len() {
        let sums = &mut sums[first..];
        first += match sums.len().min(S::REGISTERS) {
            13.. => rows.add_lines::<S, 13>(simd, first, sums),
            8.. => rows.add_lines::<S, 8>(simd, first, sums),
            4.. => rows.add_lines::<S, 4>(simd, first, sums),
            3 => rows.add_lines::<S, 3>(simd, first, sums),
            2 => rows.add_lines::<S, 2>(simd, first, sums),
            _ => rows.add_line(simd, first, sums),
        };
    }
}

#[derive(Clone, Copy)]
struct Rows<'a> {
    matrix: &'a [Lanes],
    stride: usize,
    places: &'a [u32],
    factors: &'a [f32],
}

impl Rows<'_> {
    #[inline(always)]
    fn add_lines<S: Simd, const N: usize>(self, simd: S, first: usize, sums: &mut [Lanes]) -> usize {
        let sums = &mut sums[..N];
        let mut held: [S::V; N] = std::array::from_fn(|n| simd.load(&sums[n]));
        for (&place, &factor) in self.places.iter().zip(self.factors) {
            let start = place as usize * self.stride + first;
            let row = &self.matrix[start..start + N];
            let factor = simd.splat(factor);
            for n in 0..N {
                held[n] = simd.mul_add(factor, simd.load(&row[n]), held[n]);
            }
        }
        for n in 0..N {
            simd.store(&mut sums[n], held[n]);
        }
        N
    }

    /// A single line: four sums, because one would wait for itself.
    #[inline(always)]
    fn add_line<S: Simd>(self, simd: S, line: usize, sums: &mut [Lanes]) -> usize {
        let row = |place: u32| simd.load(&self.matrix[place as usize * self.stride + line]);
        let mut held = [simd.load(&sums[0]), simd.splat(0.0), simd.splat(0.0), simd.splat(0.0)];
        let (place_fours, places) = self.places.as_chunks::<4>();
        let (factor_fours, factors) = self.factors.as_chunks::<4>();
        for (places, factors) in place_fours.iter().zip(factor_fours) {
            for k in 0..4 {
                held[k] = simd.mul_add(simd.splat(factors[k]), row(places[k]), held[k]);
            }
        }
        for (&place, &factor) in places.iter().zip(factors) {
            held[0] = simd.mul_add(simd.splat(factor), row(place), held[0]);
        }
        simd.store(&mut sums[0], simd.add(simd.add(held[0], held[1]), simd.add(held[2], held[3])));
        1
    }
}
