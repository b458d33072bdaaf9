//! The update of a layer's biases.

use super::backward::Penalty;
use super::layer::FastLayer;
use super::rule::{BiasStep, Rule};
use crate::kernel::{Kernel, Lanes, Simd};

/// Updates the biases of a layer.
pub(super) struct Biases<'a, R> {
    pub layer: &'a mut FastLayer,
    pub rule: R,
    pub penalty: Penalty,
    /// The gradients of the units.
    pub errors: &'a [Lanes],
    pub lines: &'a [u32],
    pub touched: Option<&'a [Lanes]>,
    /// The mean square of the gradients of each unit's weights.
    pub mean_squares: &'a [Lanes],
    /// How strongly a hidden unit of a sparse autoencoder is held to a mean activation, and to which.
    pub sparsity: (f32, f32),
}

impl<R: Rule> Kernel for Biases<'_, R> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let lines = self.layer.output_lines();
        let (biases, memories) = self.layer.biases.split_at_mut(lines);
        let zero = simd.splat(0.0);
        for &l in self.lines {
            let l = l as usize;
            let error = simd.load(&self.errors[l]);
            let mask = match self.touched {
                None => simd.nonzero(error),
                Some(touched) => simd.nonzero(simd.load(&touched[l])),
            };
            let bias = simd.load(&biases[l]);
            let mut gradient = simd.add(error, self.penalty.gradient(simd, bias));
            if self.penalty.pull != 0.0 {
                let away = simd.sub(bias, simd.load(&memories[R::SLOTS * lines + l]));
                gradient = simd.mul_add(simd.splat(self.penalty.pull), away, gradient);
            }
            let first = if R::SLOTS > 0 { simd.load(&memories[l]) } else { zero };
            let second = if R::SLOTS > 1 { simd.load(&memories[lines + l]) } else { zero };
            let square = if R::NEEDS_SQUARES { simd.load(&self.mean_squares[l]) } else { zero };
            let BiasStep { bias: changed, memory, rate } =
                self.rule.bias(simd, bias, [first, second], gradient, square);
            let changed = match self.layer.means.get(l) {
                Some(mean) => {
                    let (strength, target) = self.sparsity;
                    let excess = simd.mul(simd.splat(strength), simd.sub(simd.load(mean), simd.splat(target)));
                    simd.sub_mul(rate, excess, changed)
                }
                None => changed,
            };
            simd.store(&mut biases[l], simd.select(mask, changed, bias));
            if R::SLOTS > 0 {
                simd.store(&mut memories[l], simd.select(mask, memory[0], first));
            }
            if R::SLOTS > 1 {
                simd.store(&mut memories[lines + l], simd.select(mask, memory[1], second));
            }
        }
    }
}
