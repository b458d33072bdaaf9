//! The weights of a layer in the order in which rows are scored.

use super::terms::Order;
use crate::network::Layer;

/// Sums that the widest vectors hold.
pub(super) const LANES: usize = 8;

/// Weights input by input: those of one input to all sums stand together, so that an input of 0 costs nothing, and inputs follow
/// each other in the order of additions.
#[derive(Debug, Clone)]
pub(crate) struct Packed {
    /// Those of the input at place `p` begin at `p * stride`. Channel `c` of unit `u` is the sum `channels * u + c`.
    weights: Vec<f32>,
    /// The number of sums, filled up to whole vectors.
    stride: usize,
    is_finite: bool,
}

impl Packed {
    pub fn new(layer: &Layer) -> Self {
        let Layer { inputs, units, channels, .. } = *layer;
        let stride = (units * channels).next_multiple_of(LANES);
        let order = Order::new(inputs, channels);
        let mut weights = vec![0.0; inputs * stride];
        for unit in 0..units {
            for (input, of_channels) in layer.weights_of(unit).chunks_exact(channels).enumerate() {
                weights[order.place(input) * stride + unit * channels..][..channels].copy_from_slice(of_channels);
            }
        }
        let is_finite = weights.iter().all(|w| w.is_finite());
        Self { weights, stride, is_finite }
    }

    /// The number of sums, filled up to whole vectors.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// Whether an input of 0 adds nothing: 0 times infinity is no number.
    pub fn is_finite(&self) -> bool {
        self.is_finite
    }

    /// The weights of the input at a place, from the sum number `first` on.
    pub(super) fn weights_of(&self, place: usize, first: usize) -> &[f32] {
        &self.weights[place * self.stride..][first..self.stride]
    }
}
