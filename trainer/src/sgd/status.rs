//! The status of the layers, as H2O's summary table has it, and the check that they are still numbers.

use model::{Category, Network};
use serde::Serialize;

use super::run::TrainError;
use super::update::{
    Memory, approximate_inverse_root_f32, approximate_root_f32, approximate_root_f64, layer_rate, momentum,
};
use crate::params::TrainParams;

/// One row of the table "Status of Neuron Layers".
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the columns are H2O's")]
pub struct LayerStatus {
    /// From 1; the first is the input layer.
    pub layer: usize,
    pub units: usize,
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// In percent; none for the output layer.
    pub dropout: Option<f64>,
    #[serde(flatten)]
    pub trained: Option<LayerFigures>,
}

/// What only layers with weights have.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the columns are H2O's")]
pub struct LayerFigures {
    pub l1: f64,
    pub l2: f64,
    pub mean_rate: f64,
    /// A standard deviation around the mean, as the two other `rms` are.
    pub rate_rms: f64,
    pub momentum: f64,
    pub mean_weight: f64,
    pub weight_rms: f64,
    pub mean_bias: f64,
    pub bias_rms: f64,
}

/// The table for a net after so many samples.
pub(super) fn of_layers(
    network: &Network,
    memory: &[Memory],
    params: &TrainParams,
    category: Category,
    samples: u64,
) -> Vec<LayerStatus> {
    let input = LayerStatus {
        layer: 1,
        units: network.inputs(),
        kind: "Input",
        dropout: Some(params.input_dropout_ratio * 100.0),
        trained: None,
    };
    let output = network.layers().len() - 1;
    let trained = network.layers().iter().zip(memory).enumerate().map(|(l, (layer, memory))| {
        let (mean_rate, rate_rms) = match memory {
            Memory::Adadelta { weights, .. } => {
                mean_and_deviation(weights.iter().map(|slot| f64::from(adaptive_rate(*slot, params.epsilon as f32))))
            }
            _ => (f64::from(layer_rate(params, l, samples)), 0.0),
        };
        let (mean_weight, weight_rms) = mean_and_deviation(layer.weights.iter().map(|&w| f64::from(w)));
        let (mean_bias, bias_rms) = mean_and_deviation(layer.biases.iter().copied());
        let momentum = if params.adaptive_rate { 0.0 } else { f64::from(momentum(params, samples as f64)) };
        let (l1, l2) = (f64::from(params.l1 as f32), f64::from(params.l2 as f32));
        LayerStatus {
            layer: l + 2,
            units: layer.units,
            kind: network.layer_kind(l, category),
            dropout: (l < output).then_some(layer.dropout_ratio * 100.0),
            trained: Some(LayerFigures {
                l1,
                l2,
                mean_rate,
                rate_rms,
                momentum,
                mean_weight,
                weight_rms,
                mean_bias,
                bias_rms,
            }),
        }
    });
    std::iter::once(input).chain(trained).collect()
}

/// The rate that ADADELTA has arrived at for a weight.
fn adaptive_rate([updates, gradients]: [f32; 2], epsilon: f32) -> f32 {
    approximate_root_f32(updates + epsilon) * approximate_inverse_root_f32(gradients + epsilon)
}

/// Mean and standard deviation with divisor N, by H2O's approximate root.
fn mean_and_deviation(values: impl ExactSizeIterator<Item = f64> + Clone) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.clone().sum::<f64>() / count;
    let variance = values.map(|x| (x - mean) * (x - mean)).sum::<f64>() / count;
    (mean, approximate_root_f64(variance))
}

/// H2O's test for a net that has run away.
pub(super) fn check_stable(network: &Network, samples: u64) -> Result<(), TrainError> {
    for (l, layer) in network.layers().iter().enumerate() {
        let (mean, rms) = mean_and_deviation(layer.weights.iter().map(|&w| f64::from(w)));
        let weights_run = |x: f64| x.is_nan() || x.abs() > 1e10;
        if weights_run(mean) || weights_run(rms) {
            return Err(TrainError::Unstable { what: "weights", layer: l + 2, samples });
        }
        let (mean, rms) = mean_and_deviation(layer.biases.iter().copied());
        let biases_run = |x: f64| x.is_nan() || x.abs() > 1e5;
        if biases_run(mean) || biases_run(rms) {
            return Err(TrainError::Unstable { what: "biases", layer: l + 2, samples });
        }
    }
    Ok(())
}
