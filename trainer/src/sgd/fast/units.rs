//! What the units of a layer make of their net inputs, and what of the error reaches their weights.

use model::Nonlinearity;

use super::forward::List;
use crate::kernel::{Kernel, LANES, Lanes, Simd, flat_mut, numbers_from};
use crate::sgd::sparsity::KEPT;

/// Sets `activations` to what the hidden units make of their net inputs, and lists those that are not zero.
pub(super) struct Activate<'a> {
    pub nonlinearity: Nonlinearity,
    pub nets: &'a [Lanes],
    /// 1 where a unit stays, 0 where it is dropped or padding.
    pub kept: &'a [Lanes],
    /// Of two channels: 1 where the second is larger. A dropped unit keeps what it had.
    pub winners: &'a mut [Lanes],
    pub activations: &'a mut [Lanes],
    pub list: Option<&'a mut List>,
}

impl Kernel for Activate<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let (zero, one) = (simd.splat(0.0), simd.splat(1.0));
        let lines = self.activations.len();
        for l in 0..lines {
            let net = simd.load(&self.nets[l]);
            let kept = simd.nonzero(simd.load(&self.kept[l]));
            let a = if self.nonlinearity == Nonlinearity::Maxout {
                let second = simd.load(&self.nets[lines + l]);
                let wins = simd.greater(second, net);
                let winner = simd.select(wins, one, zero);
                let before = simd.load(&self.winners[l]);
                simd.store(&mut self.winners[l], simd.select(kept, winner, before));
                simd.select(wins, second, net)
            } else {
                activate(simd, self.nonlinearity, net)
            };
            simd.store(&mut self.activations[l], simd.select(kept, a, zero));
        }
        if let Some(list) = self.list {
            list_nonzero(simd, self.activations, list);
        }
    }
}

/// What a unit of one channel makes of its net input. One that is not a number stays what it is.
#[inline(always)]
pub(super) fn activate<S: Simd>(simd: S, nonlinearity: Nonlinearity, net: S::V) -> S::V {
    let zero = simd.splat(0.0);
    match nonlinearity {
        Nonlinearity::Rectifier => simd.max(zero, net),
        Nonlinearity::Tanh => simd.tanh(net),
        Nonlinearity::ExpRectifier => simd.select(simd.greater(zero, net), simd.exp_m1(net), net),
        Nonlinearity::Maxout => net,
    }
}

#[inline(always)]
fn list_nonzero<S: Simd>(simd: S, numbers: &[Lanes], list: &mut List) {
    let mut count = 0;
    for (l, line) in numbers.iter().enumerate() {
        let (line, places) = (simd.load(line), numbers_from((l * LANES) as u32));
        count += simd.append(simd.nonzero(line), &places, line, count, &mut list.places, &mut list.values);
    }
    list.count = count;
}

/// Sets `gradients` to the error of hidden units times the factor of their activation.
pub(super) struct Derive<'a> {
    pub nonlinearity: Nonlinearity,
    pub errors: &'a [Lanes],
    pub activations: &'a [Lanes],
    pub winners: &'a [Lanes],
    pub gradients: &'a mut [Lanes],
}

impl Kernel for Derive<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let (zero, one) = (simd.splat(0.0), simd.splat(1.0));
        let lines = self.errors.len();
        for l in 0..lines {
            let error = simd.load(&self.errors[l]);
            let a = simd.load(&self.activations[l]);
            let gradient = match self.nonlinearity {
                Nonlinearity::Rectifier => simd.select(simd.greater(a, zero), error, zero),
                Nonlinearity::Tanh => simd.mul(error, simd.sub_mul(a, a, one)),
                // H2O's factor, where the true one is a + 1.
                Nonlinearity::ExpRectifier => simd.select(simd.greater(zero, a), simd.mul(error, simd.exp(a)), error),
                Nonlinearity::Maxout => {
                    let second = simd.nonzero(simd.load(&self.winners[l]));
                    simd.store(&mut self.gradients[lines + l], simd.select(second, error, zero));
                    simd.select(second, zero, error)
                }
            };
            simd.store(&mut self.gradients[l], gradient);
        }
    }
}

/// The gradients that are not zero: their lines, and if wanted a list of them.
pub(super) struct Find<'a> {
    pub gradients: &'a [Lanes],
    pub lines: &'a mut Vec<u32>,
    pub list: Option<&'a mut List>,
}

impl Kernel for Find<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        self.lines.clear();
        for (l, line) in (0..).zip(self.gradients) {
            if simd.bits(simd.nonzero(simd.load(line))) != 0 {
                self.lines.push(l);
            }
        }
        if let Some(list) = self.list {
            list_nonzero(simd, self.gradients, list);
        }
    }
}

/// Sets `touched` to 1 for each unit, of two channels for the one that won.
pub(super) struct Touch<'a> {
    pub units: usize,
    /// Without them both channels are touched.
    pub winners: Option<&'a [Lanes]>,
    pub touched: &'a mut [Lanes],
}

impl Kernel for Touch<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let (zero, one) = (simd.splat(0.0), simd.splat(1.0));
        let lines = Lanes::count(self.units);
        for channel in self.touched.chunks_mut(lines) {
            flat_mut(channel)[..self.units].fill(1.0);
        }
        for (l, winner) in self.winners.into_iter().flatten().enumerate() {
            let second = simd.nonzero(simd.load(winner));
            let touched = simd.load(&self.touched[l]);
            simd.store(&mut self.touched[l], simd.select(second, zero, touched));
            simd.store(&mut self.touched[lines + l], simd.select(second, one, zero));
        }
    }
}

/// The mean square of the gradients of each unit's weights. Without penalties it follows from that of the inputs; else
/// `squares` has the sums.
pub(super) struct MeanSquares<'a> {
    pub gradients: &'a [Lanes],
    /// The sum of the squared inputs.
    pub of_inputs: Option<f32>,
    pub inputs: usize,
    pub squares: &'a mut [Lanes],
}

impl Kernel for MeanSquares<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let factor = simd.splat(self.of_inputs.unwrap_or(1.0) / self.inputs as f32);
        for (square, gradient) in self.squares.iter_mut().zip(self.gradients) {
            let sum = match self.of_inputs {
                Some(_) => {
                    let gradient = simd.load(gradient);
                    simd.mul(gradient, gradient)
                }
                None => simd.load(square),
            };
            simd.store(square, simd.mul(sum, factor));
        }
    }
}

/// Moves the running means of the activations of a sparse autoencoder's hidden units.
pub(super) struct MoveMeans<'a> {
    pub activations: &'a [Lanes],
    pub means: &'a mut [Lanes],
}

impl Kernel for MoveMeans<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let (kept, rest) = (simd.splat(KEPT as f32), simd.splat((1.0 - KEPT) as f32));
        for (mean, activation) in self.means.iter_mut().zip(self.activations) {
            let moved = simd.mul_add(kept, simd.load(mean), simd.mul(rest, simd.load(activation)));
            simd.store(mean, moved);
        }
    }
}
