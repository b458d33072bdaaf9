//! The error of the layer below, told before any weight changes: the sum of the weights times the error of the units.

use super::backward::Rows;
use super::layer::FastLayer;
use super::sums::add_rows;
use crate::kernel::{Kernel, Lanes, Simd};

/// Where rows are inputs: a number for each of them, the product with the units' errors.
pub(super) struct ErrorByInput<'a> {
    pub layer: &'a FastLayer,
    pub places: &'a [u32],
    pub errors: &'a [Lanes],
    /// The lines that have any.
    pub lines: &'a [u32],
    pub below: &'a mut [f32],
}

impl Kernel for ErrorByInput<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let (stride, lines) = (self.layer.stride(), self.layer.lines);
        for &place in self.places {
            let place = place as usize;
            let weights = &self.layer.matrix[place * stride..place * stride + lines];
            // Two sums, because one would wait for itself.
            let mut sums = [simd.splat(0.0); 2];
            let term = |line: u32, sum| {
                let (weight, error) = (&weights[line as usize], &self.errors[line as usize]);
                simd.mul_add(simd.load(weight), simd.load(error), sum)
            };
            let (pairs, rest) = self.lines.as_chunks::<2>();
            for &[one, other] in pairs {
                sums = [term(one, sums[0]), term(other, sums[1])];
            }
            for &line in rest {
                sums[0] = term(line, sums[0]);
            }
            self.below[place] = simd.sum(simd.add(sums[0], sums[1]));
        }
    }
}

/// Where rows are units: each adds its line times its factor.
pub(super) struct ErrorByUnit<'a> {
    pub layer: &'a FastLayer,
    pub rows: Rows<'a>,
    pub below: &'a mut [Lanes],
}

impl Kernel for ErrorByUnit<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let FastLayer { matrix, .. } = self.layer;
        let lines = self.layer.lines;
        add_rows(simd, matrix, self.layer.stride(), self.rows.places, self.rows.factors, &mut self.below[..lines]);
    }
}
