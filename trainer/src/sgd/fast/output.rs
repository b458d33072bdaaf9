//! What the output layer's units have wrong.

use model::Nonlinearity;

use super::forward::List;
use super::units::activate;
use crate::kernel::{Kernel, Lanes, Simd, flat, flat_mut};
use crate::sgd::loss::Loss;
use crate::sgd::step::Target;

/// Sets `gradients` to the derivative of the loss by the net inputs of the outputs.
pub(super) struct OutputError<'a> {
    pub loss: Loss,
    pub target: Target,
    pub units: usize,
    /// Of an autoencoder: what its outputs make of their net inputs, and the row before inputs were dropped.
    pub nonlinearity: Nonlinearity,
    pub originals: &'a List,
    pub nets: &'a mut [Lanes],
    pub gradients: &'a mut [Lanes],
}

impl Kernel for OutputError<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        match self.target {
            Target::Class(actual) => {
                softmax(simd, self.units, self.nets, self.gradients);
                let p = &mut flat_mut(self.gradients)[..self.units];
                if self.loss == Loss::Quadratic {
                    for (class, p) in p.iter_mut().enumerate() {
                        let error = *p - if class == actual { 1.0 } else { 0.0 };
                        *p *= error * (1.0 - *p);
                    }
                } else if let Some(p) = p.get_mut(actual) {
                    *p -= 1.0;
                }
            }
            Target::Value { value, offset } => {
                let f = f64::from(flat(self.nets)[0]) + offset;
                flat_mut(self.gradients)[0] = self.loss.value_error(f, value) as f32;
            }
            Target::Inputs => {
                for net in &mut *self.nets {
                    let output = activate(simd, self.nonlinearity, simd.load(net));
                    simd.store(net, output);
                }
                let (outputs, errors) = (flat(self.nets), &mut flat_mut(self.gradients)[..self.units]);
                errors.fill(0.0);
                for (&place, &original) in self.originals.places().iter().zip(self.originals.values()) {
                    errors[place as usize] = original;
                }
                for (error, &output) in errors.iter_mut().zip(outputs) {
                    *error = self.loss.value_error(f64::from(output), f64::from(*error)) as f32;
                }
            }
        }
    }
}

/// Probabilities of the classes; the padding stays zero.
#[inline(always)]
fn softmax<S: Simd>(simd: S, units: usize, nets: &mut [Lanes], probabilities: &mut [Lanes]) {
    let numbers = flat_mut(nets);
    let largest = numbers[..units].iter().copied().fold(f32::NEG_INFINITY, f32::max);
    numbers[units..].fill(f32::NEG_INFINITY);
    let (mut sums, shift) = (simd.splat(0.0), simd.splat(largest));
    for (p, net) in probabilities.iter_mut().zip(&*nets) {
        let e = simd.exp(simd.sub(simd.load(net), shift));
        simd.store(p, e);
    }
    flat_mut(probabilities)[units..].fill(0.0);
    for p in &*probabilities {
        sums = simd.add(sums, simd.load(p));
    }
    let inverse = simd.splat(1.0 / simd.sum(sums));
    for p in probabilities {
        let scaled = simd.mul(simd.load(p), inverse);
        simd.store(p, scaled);
    }
}
