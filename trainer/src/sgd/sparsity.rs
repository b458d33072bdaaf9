//! Sparse autoencoders: hidden units that are held to a mean activation.

use model::{Network, Terms};

use crate::params::TrainParams;

/// What is left of a running mean with each row.
pub(super) const KEPT: f64 = 0.999;

/// The running mean of each hidden unit's activation, from 0 on. As in H2O it moves with every row that passes through the
/// net: those that train, and those that are scored.
#[derive(Debug)]
pub(super) struct Sparsity {
    strength: f64,
    target: f64,
    means: Vec<Vec<f64>>,
    /// Room for a row on its way through the layers.
    terms: Terms,
    outputs: Vec<f64>,
}

impl Sparsity {
    /// `None` where units are not held to anything.
    pub fn new(params: &TrainParams, network: &Network) -> Option<Self> {
        let (_, hidden) = network.layers().split_last()?;
        (params.autoencoder && params.sparsity_beta > 0.0).then(|| Self {
            strength: params.sparsity_beta,
            target: params.average_activation,
            means: hidden.iter().map(|layer| vec![0.0; layer.units]).collect(),
            terms: Terms::default(),
            outputs: Vec::new(),
        })
    }

    /// The running means of each hidden layer.
    pub fn means_mut(&mut self) -> &mut [Vec<f64>] {
        &mut self.means
    }

    /// Takes the activations of a hidden layer for a row that trains.
    pub fn note(&mut self, layer: usize, activations: &[f64]) {
        for (mean, activation) in self.means[layer].iter_mut().zip(activations) {
            *mean = KEPT * *mean + (1.0 - KEPT) * activation;
        }
    }

    /// Takes the activations for the inputs of a row that is scored, as they are before they are scaled for dropout.
    pub fn note_scored(&mut self, network: &Network, fill: impl FnOnce(&mut Vec<f64>)) {
        fill(&mut self.outputs);
        for (layer, means) in self.means.iter_mut().enumerate() {
            network.read(layer, &self.outputs, &mut self.terms);
            network.hidden_layer(layer, &self.terms, &mut self.outputs);
            let keep = network.keep(layer);
            for (mean, output) in means.iter_mut().zip(&self.outputs) {
                *mean = KEPT * *mean + (1.0 - KEPT) * (output / keep);
            }
        }
    }

    /// Multiplies all means.
    pub fn shrink(&mut self, factor: f64) {
        for mean in self.means.iter_mut().flatten() {
            *mean *= factor;
        }
    }

    /// What a bias has too much of, before it is multiplied by the rate; 0 in the output layer.
    pub fn excess(&self, layer: usize, unit: usize) -> f64 {
        self.means.get(layer).map_or(0.0, |means| self.strength * (means[unit] - self.target))
    }
}

#[cfg(test)]
mod tests {
    use model::{Activation, Layer};

    use super::*;

    fn sparsity(strength: f64) -> Option<Sparsity> {
        let layer = |inputs, units| Layer {
            inputs,
            units,
            channels: 1,
            weights: vec![0.5; inputs * units],
            biases: vec![0.0; units],
            dropout_ratio: 0.5,
        };
        let network = Network::new(Activation::Rectifier, vec![layer(2, 3), layer(3, 2)]).expect("the layers fit");
        let params = TrainParams {
            autoencoder: true,
            sparsity_beta: strength,
            average_activation: 0.25,
            ..TrainParams::default()
        };
        let mut sparsity = Sparsity::new(&params, &network)?;
        sparsity.note_scored(&network, |input| *input = vec![1.0, 3.0]);
        Some(sparsity)
    }

    #[test]
    fn means_move_by_a_thousandth_and_hold_hidden_units_alone() {
        let mut sparsity = sparsity(2.0).expect("it is asked for");
        assert!((sparsity.means[0][2] - 0.002).abs() < 1e-15);
        sparsity.note(0, &[-1.0, 0.0, 2.0]);
        assert!((sparsity.means[0][2] - 0.003_998).abs() < 1e-15);
        assert!((sparsity.excess(0, 2) - 2.0 * (0.003_998 - 0.25)).abs() < 1e-12);
        assert_eq!(sparsity.excess(1, 0), 0.0);
    }

    #[test]
    fn no_strength_or_one_below_zero_holds_nothing() {
        assert!(sparsity(0.0).is_none() && sparsity(-0.1).is_none());
    }
}
