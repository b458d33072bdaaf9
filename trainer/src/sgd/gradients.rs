//! The step's gradients against finite differences, where H2O's formula is the true gradient; pinned by value elsewhere.

use model::{Activation, Distribution, Network, Terms, exp, ln, softmax};

use super::loss::Loss;
use super::start;
use super::step::{Settings, Step, Target};
use crate::params::{Loss as LossParameter, TrainParams};

/// Absolute: central differences over 2e-3 are off by about the square of it.
const DIFFERENCE: f64 = 2e-5;

const INPUTS: [f64; 5] = [0.7, -1.2, 0.0, 0.4, 1.0];
const SIZES: [usize; 3] = [5, 4, 3];

#[test]
fn cross_entropy_is_the_gradient_of_the_log_loss() {
    for activation in [Activation::Tanh, Activation::Rectifier, Activation::Maxout] {
        let of_class = |net: &[f64]| {
            let mut p = Vec::new();
            softmax(net, &mut p);
            -ln(p[2])
        };
        check(activation, Loss::CrossEntropy, Target::Class(2), &SIZES, &of_class);
    }
}

#[test]
fn each_distribution_has_the_gradient_of_its_deviance() {
    let (q, alpha) = (1.3, 0.2);
    let deviance = |distribution, f: f64, y: f64| {
        let error = y - f;
        match distribution {
            Distribution::Gaussian => error * error,
            Distribution::Laplace => error.abs(),
            Distribution::Quantile => {
                if error > 0.0 {
                    alpha * error
                } else {
                    (alpha - 1.0) * error
                }
            }
            Distribution::Huber => {
                if error.abs() <= 1.0 {
                    error * error
                } else {
                    2.0 * error.abs() - 1.0
                }
            }
            Distribution::Poisson => 2.0 * (exp(f) - y * f),
            Distribution::Gamma => 2.0 * (f + y * exp(-f)),
            Distribution::Tweedie => 2.0 * (exp(f * (2.0 - q)) / (2.0 - q) - y * exp(f * (1.0 - q)) / (1.0 - q)),
            Distribution::Bernoulli | Distribution::Multinomial => unreachable!("of regressions only"),
        }
    };
    let regressions =
        Distribution::ALL.into_iter().filter(|d| !matches!(d, Distribution::Bernoulli | Distribution::Multinomial));
    for distribution in regressions {
        for activation in [Activation::Tanh, Activation::Rectifier, Activation::Maxout] {
            for y in [0.3, 6.0] {
                let loss = Loss::Deviance { distribution, tweedie_power: q, quantile_alpha: alpha };
                let of_value = |net: &[f64]| deviance(distribution, net[0], y);
                check(activation, loss, Target::Value { value: y, offset: 0.0 }, &[5, 4, 1], &of_value);
            }
        }
    }
}

/// The error of an output lacks the derivative of its activation, so it is the slope of another loss: of
/// `2 ln cosh(net) - 2 x net`, whose slope by the net input is `2 (tanh(net) - x)`, and of its like.
#[test]
fn an_autoencoder_has_the_gradient_without_the_derivative_of_its_outputs() {
    let gaussian = Loss::Deviance { distribution: Distribution::Gaussian, tweedie_power: 1.5, quantile_alpha: 0.5 };
    for activation in [Activation::Tanh, Activation::Rectifier] {
        let integral = |net: f64| match activation {
            Activation::Tanh => 2.0 * ln(f64::midpoint(exp(net), exp(-net))),
            _ => net.max(0.0) * net.max(0.0),
        };
        let of_row = |net: &[f64]| net.iter().zip(INPUTS).map(|(&net, x)| integral(net) - 2.0 * x * net).sum();
        check(activation, gaussian, Target::Inputs, &[5, 4, 5], &of_row);
    }
}

#[test]
fn where_the_formula_is_not_the_gradient_it_is_that_of_h2o() {
    // The squared error of a probability, without the terms between the classes.
    let mut errors = Vec::new();
    Loss::Quadratic.class_errors(&[0.0, 0.0], 1, &mut errors);
    assert_eq!(errors, [0.5 * 0.5 * 0.5, -0.5 * 0.5 * 0.5]);
    // At equality laplace goes down and quantile up.
    let of = |distribution| Loss::Deviance { distribution, tweedie_power: 1.5, quantile_alpha: 0.2 };
    assert_eq!(of(Distribution::Laplace).value_error(1.0, 1.0), -1.0);
    assert_eq!(of(Distribution::Quantile).value_error(1.0, 1.0), 0.8);
    assert_eq!(of(Distribution::Huber).value_error(3.0, 1.0), 2.0);
}

/// Trains one row with a rate of 1 and compares what each weight lost with the slope of the loss along it.
fn check(activation: Activation, loss: Loss, target: Target, sizes: &[usize], value: &dyn Fn(&[f64]) -> f64) {
    let params = TrainParams {
        adaptive_rate: false,
        rate: 1.0,
        rate_annealing: 0.0,
        fast_mode: false,
        activation,
        loss: LossParameter::Automatic,
        seed: 11,
        ..TrainParams::default()
    };
    let before = start::network(&params, sizes, matches!(target, Target::Class(_)));
    let mut after = before.clone();
    let mut step = Step::new(&params, &before);
    step.input().copy_from_slice(&INPUTS);
    step.learn(&mut after, target, 0, Settings { params: &params, loss, consensus: None, samples: 0, momentum: 0.0 });
    for layer in 0..before.layers().len() {
        for index in 0..before.layers()[layer].weights.len() {
            let learned =
                f64::from(before.layers()[layer].weights[index]) - f64::from(after.layers()[layer].weights[index]);
            let slope = slope(&before, layer, index, value);
            assert!(
                (learned - slope).abs() < DIFFERENCE * slope.abs().max(1.0),
                "{activation} {loss:?}, layer {layer}, weight {index}: {learned}, the slope is {slope}"
            );
        }
    }
}

fn slope(network: &Network, layer: usize, index: usize, value: &dyn Fn(&[f64]) -> f64) -> f64 {
    let at = |change: f32| {
        let mut network = network.clone();
        let weight = &mut network.parameters_mut(layer).0[index];
        *weight += change;
        let weight = f64::from(*weight);
        let (mut terms, mut net) = (Terms::default(), Vec::new());
        network.read(0, &INPUTS, &mut terms);
        network.forward(&mut terms, &mut net);
        (weight, value(&net))
    };
    let ((left, below), (right, above)) = (at(-1e-3), at(1e-3));
    (above - below) / (right - left)
}
