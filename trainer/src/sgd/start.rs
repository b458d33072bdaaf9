//! The net before the first row: H2O's random weights and constant biases.

use model::{Activation, Layer, Network, Nonlinearity};

use crate::params::{InitialWeightDistribution, TrainParams};
use crate::rng::Rng;

/// Added to the model's seed, together with the layer's number from 1.
const SEED: i64 = 0x0BAD_5EED;
/// The softmax layer starts this much wider.
const SOFTMAX_FACTOR: f64 = 4.0;

/// A net of these layer sizes. `is_classifier` says what its output layer is.
pub(super) fn network(params: &TrainParams, sizes: &[usize], is_classifier: bool) -> Network {
    let output = sizes.len() - 2;
    let layers = (0..=output).map(|l| {
        let (inputs, units) = (sizes[l], sizes[l + 1]);
        let channels = params.activation.channels_of(l, output);
        let ratio = params.hidden_dropout_ratios.as_ref().and_then(|ratios| ratios.get(l));
        Layer {
            inputs,
            units,
            channels,
            weights: weights(params, l, sizes, channels, is_classifier && l == output),
            biases: vec![if l < output { bias(params.activation, l) } else { 0.0 }; units * channels],
            dropout_ratio: ratio.copied().unwrap_or(0.0),
        }
    });
    Network::new(params.activation, layers.collect()).expect("each layer was made from the sizes of its neighbours")
}

fn weights(params: &TrainParams, l: usize, sizes: &[usize], channels: usize, is_softmax: bool) -> Vec<f32> {
    let (inputs, units) = (sizes[l], sizes[l + 1]);
    let mut rng = Rng::new(params.seed.wrapping_add(SEED).wrapping_add(l as i64 + 1));
    let scale = params.initial_weight_scale;
    let mut draw = || match params.initial_weight_distribution {
        InitialWeightDistribution::UniformAdaptive => {
            let range = (6.0 / (inputs + units) as f64).sqrt();
            let value = -range + f64::from(rng.next_f32()) * (2.0 * range);
            (if is_softmax { SOFTMAX_FACTOR * value } else { value }) as f32
        }
        InitialWeightDistribution::Uniform => (-scale + f64::from(rng.next_f32()) * 2.0 * scale) as f32,
        InitialWeightDistribution::Normal => (rng.next_gaussian() * scale) as f32,
    };
    (0..channels * units * inputs).map(|_| draw()).collect()
}

/// Rectified units start on the side where they learn.
fn bias(activation: Activation, layer: usize) -> f64 {
    match activation.nonlinearity() {
        Nonlinearity::Rectifier | Nonlinearity::Maxout => {
            if layer == 0 {
                0.5
            } else {
                1.0
            }
        }
        Nonlinearity::Tanh | Nonlinearity::ExpRectifier => 0.0,
    }
}
