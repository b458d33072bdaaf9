//! How a gradient changes a weight: H2O's ADADELTA and its manual rate with momentum.
//!
//! Weights and what is remembered of them are `f32`, biases are `f64`; which products round to `f32` in between is part
//! of the result and copied from H2O.

use crate::params::TrainParams;

/// What is remembered for the weights and biases of a layer.
#[derive(Debug, Clone)]
pub(super) enum Memory {
    /// Running means of squared updates and squared gradients.
    Adadelta { weights: Vec<[f32; 2]>, biases: Vec<[f64; 2]> },
    /// Velocities.
    Momentum { weights: Vec<f32>, biases: Vec<f64> },
    /// A manual rate without momentum remembers nothing.
    None,
}

impl Memory {
    pub fn new(params: &TrainParams, weights: usize, biases: usize) -> Self {
        if params.adaptive_rate {
            Self::Adadelta { weights: vec![[0.0; 2]; weights], biases: vec![[0.0; 2]; biases] }
        } else if has_momentum(params) {
            Self::Momentum { weights: vec![0.0; weights], biases: vec![0.0; biases] }
        } else {
            Self::None
        }
    }
}

/// Velocities are kept where either end of the ramp is not zero.
pub(super) fn has_momentum(params: &TrainParams) -> bool {
    params.momentum_start != 0.0 || params.momentum_stable != 0.0
}

/// A rule that turns gradients into changes.
pub(super) trait Rule {
    /// The weight with this index after a step along its gradient.
    fn weight(&mut self, index: usize, weight: f32, gradient: f64) -> f32;
    /// The bias with this index after a step along its gradient, and the rate of that step. `mean_square` is over the
    /// gradients of the unit's weights.
    fn bias(&mut self, index: usize, bias: f64, gradient: f64, mean_square: f64) -> (f64, f64);
}

/// ADADELTA (Zeiler 2012) with H2O's approximate root.
pub(super) struct Adadelta<'a> {
    pub weights: &'a mut [[f32; 2]],
    pub biases: &'a mut [[f64; 2]],
    pub rho: f32,
    pub epsilon: f32,
}

impl Rule for Adadelta<'_> {
    fn weight(&mut self, index: usize, weight: f32, gradient: f64) -> f32 {
        let [updates, gradients] = &mut self.weights[index];
        let square = gradient * gradient;
        *gradients = (f64::from(self.rho * *gradients) + f64::from(1.0 - self.rho) * square) as f32;
        let rate = approximate_root_f32((*updates + self.epsilon) / (*gradients + self.epsilon));
        *updates = (f64::from(self.rho * *updates) + f64::from((1.0 - self.rho) * rate * rate) * square) as f32;
        (f64::from(weight) - f64::from(rate) * gradient) as f32
    }

    /// Driven by the gradients of the unit's weights, not by the bias's own.
    fn bias(&mut self, index: usize, bias: f64, gradient: f64, mean_square: f64) -> (f64, f64) {
        let [updates, gradients] = &mut self.biases[index];
        let (rho, rest, epsilon) = (f64::from(self.rho), f64::from(1.0 - self.rho), f64::from(self.epsilon));
        *gradients = rho * *gradients + rest * mean_square;
        let rate = approximate_root_f64((*updates + epsilon) / (*gradients + epsilon));
        *updates = rho * *updates + rest * rate * rate * mean_square;
        (bias - rate * gradient, rate)
    }
}

/// A manual rate. The step is the rate times one minus the momentum.
pub(super) struct Manual<'a> {
    /// Velocities; empty without momentum.
    pub weights: &'a mut [f32],
    pub biases: &'a mut [f64],
    pub step: f32,
    pub momentum: f32,
    pub nesterov: bool,
}

impl Rule for Manual<'_> {
    fn weight(&mut self, index: usize, weight: f32, gradient: f64) -> f32 {
        let velocity = self.weights.get_mut(index);
        if self.nesterov {
            let change = match velocity {
                Some(velocity) => {
                    *velocity = (f64::from(self.momentum * *velocity) - gradient) as f32;
                    f64::from(*velocity)
                }
                None => -gradient,
            };
            return (f64::from(weight) + f64::from(self.step) * change) as f32;
        }
        let change = -f64::from(self.step) * gradient;
        let moved = (f64::from(weight) + change) as f32;
        match velocity {
            Some(velocity) => {
                let last = std::mem::replace(velocity, change as f32);
                moved + self.momentum * last
            }
            None => moved,
        }
    }

    fn bias(&mut self, index: usize, bias: f64, gradient: f64, _mean_square: f64) -> (f64, f64) {
        let (step, momentum) = (f64::from(self.step), f64::from(self.momentum));
        let velocity = self.biases.get_mut(index);
        if self.nesterov {
            let change = match velocity {
                Some(velocity) => {
                    *velocity = momentum * *velocity - gradient;
                    *velocity
                }
                None => -gradient,
            };
            return (bias + step * change, step);
        }
        let change = -step * gradient;
        let moved = match velocity {
            Some(velocity) => {
                let last = std::mem::replace(velocity, change);
                bias + change + momentum * last
            }
            None => bias + change,
        };
        (moved, step)
    }
}

/// The learning rate of a layer (from 0) after so many samples.
pub(super) fn layer_rate(params: &TrainParams, layer: usize, samples: u64) -> f32 {
    // Multiplied up, because the precision of `powi` depends on the platform.
    let decayed = (0..layer).fold(1.0, |decay, _| decay * params.rate_decay) * params.rate;
    (decayed / (1.0 + params.rate_annealing * samples as f64)) as f32
}

/// The momentum after so many samples.
pub(super) fn momentum(params: &TrainParams, samples: f64) -> f32 {
    let mut momentum = params.momentum_start;
    if params.momentum_ramp > 0.0 {
        if samples >= params.momentum_ramp {
            momentum = params.momentum_stable;
        } else {
            momentum += (params.momentum_stable - params.momentum_start) * samples / params.momentum_ramp;
        }
    }
    momentum as f32
}

/// The momentum that training uses: H2O's code asks for the ramp's value at -1 samples, whatever was done.
pub(super) fn training_momentum(params: &TrainParams) -> f32 {
    momentum(params, -1.0)
}

/// A root by halving the exponent, up to 5 percent off. H2O's results depend on how it is off.
pub(super) fn approximate_root_f32(x: f32) -> f32 {
    #[cfg(test)]
    if exact_roots::wanted() {
        return x.sqrt();
    }
    f32::from_bits((x.to_bits().cast_signed() >> 1).wrapping_add(532_483_686).cast_unsigned())
}

/// The same for doubles: only the upper half of the bits counts.
pub(super) fn approximate_root_f64(x: f64) -> f64 {
    #[cfg(test)]
    if exact_roots::wanted() {
        return x.sqrt();
    }
    let upper = x.to_bits().cast_signed() >> 32;
    f64::from_bits((upper.wrapping_add(1_072_632_448) << 31).cast_unsigned())
}

/// One over a root, by the well-known constant and one step of Newton's method.
pub(super) fn approximate_inverse_root_f32(x: f32) -> f32 {
    let guess = f32::from_bits(0x5f37_59df_u32.wrapping_sub((x.to_bits().cast_signed() >> 1).cast_unsigned()));
    guess * (1.5 - 0.5 * x * guess * guess)
}

/// A switch for tests that hold the plain step against one with true roots.
#[cfg(test)]
pub(super) mod exact_roots {
    use std::cell::Cell;

    thread_local!(static WANTED: Cell<bool> = const { Cell::new(false) });

    pub fn wanted() -> bool {
        WANTED.get()
    }

    /// Calls `f` with true roots on this thread.
    pub fn during<T>(f: impl FnOnce() -> T) -> T {
        WANTED.set(true);
        let result = f();
        WANTED.set(false);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_roots_are_within_seven_percent() {
        for x in [1e-8_f32, 0.3, 1.0, 2.0, 1e9] {
            let share = approximate_root_f32(x) / x.sqrt();
            assert!((share - 1.0).abs() < 0.07, "{x}: {share}");
            let share = approximate_root_f64(f64::from(x)) / f64::from(x).sqrt();
            assert!((share - 1.0).abs() < 0.07, "{x}: {share}");
        }
    }

    #[test]
    fn momentum_stays_at_its_start_in_training() {
        let params =
            TrainParams { momentum_start: 0.9, momentum_stable: 0.99, momentum_ramp: 1e6, ..TrainParams::default() };
        assert!((training_momentum(&params) - 0.9).abs() < 1e-6);
        assert_eq!(momentum(&params, 2e6), 0.99);
    }
}
