//! Elastic averaging (Zhang and others, 2015) on one node: the model is a running mean, over iterations, of the
//! net that trains, and the net is pulled towards the model.

use model::Network;

use super::sparsity::Sparsity;
use super::update::Memory;
use crate::params::TrainParams;

/// The net that trains, and how it moves the model.
#[derive(Debug)]
pub(super) struct Elastic {
    /// The net's weight in the mean.
    rate: f32,
    /// `None` in the first iteration, which trains the model itself.
    own: Option<Network>,
    /// What the updates remember, averaged like the weights: it belongs to the model.
    memory: Vec<Memory>,
}

impl Elastic {
    pub fn new(params: &TrainParams) -> Self {
        Self { rate: params.elastic_averaging_moving_rate as f32, own: None, memory: Vec::new() }
    }

    /// Has the net trained; it gets the model to be pulled to from the second iteration on.
    pub fn train<T>(&mut self, model: &mut Network, train: impl FnOnce(&mut Network, Option<&Network>) -> T) -> T {
        match &mut self.own {
            None => train(model, None),
            Some(own) => train(own, Some(model)),
        }
    }

    /// Moves the model to the mean `rate * net + (1 - rate) * model`, and its memory likewise.
    ///
    /// H2O forms the first product in place: the net goes on from `rate` times what it had learned, its memory and the
    /// means of a sparse autoencoder too.
    pub fn average(&mut self, model: &mut Network, memory: &mut [Memory], sparsity: Option<&mut Sparsity>) {
        let Some(own) = &mut self.own else {
            self.own = Some(model.clone());
            self.memory = memory.to_vec();
            return;
        };
        if let Some(sparsity) = sparsity {
            sparsity.shrink(f64::from(self.rate));
        }
        for layer in 0..model.layers().len() {
            let (mean, own) = (model.parameters_mut(layer), own.parameters_mut(layer));
            move_singles(mean.0, own.0, self.rate);
            move_doubles(mean.1, own.1, self.rate);
        }
        for (mean, own) in self.memory.iter_mut().zip(memory) {
            match (mean, own) {
                // That of biases stays as it is, as in H2O.
                (Memory::Adadelta { weights: mean, .. }, Memory::Adadelta { weights: own, .. }) => {
                    move_singles(mean.as_flattened_mut(), own.as_flattened_mut(), self.rate);
                }
                (Memory::Momentum { weights: mean, biases }, Memory::Momentum { weights: own, biases: own_biases }) => {
                    move_singles(mean, own, self.rate);
                    move_doubles(biases, own_biases, self.rate);
                }
                _ => {}
            }
        }
    }

    /// Whether the net that trains is no longer the model.
    pub fn has_own_net(&self) -> bool {
        self.own.is_some()
    }

    /// What the updates remember, as the model has it.
    pub fn memory(&self) -> &[Memory] {
        &self.memory
    }

    /// Returns to what was remembered at another time.
    pub fn set_memory(&mut self, memory: Vec<Memory>) {
        self.memory = memory;
    }
}

/// In single precision H2O multiplies by dividing by one over the factor, and the rounding shows.
fn move_singles(mean: &mut [f32], own: &mut [f32], rate: f32) {
    let (inverse, inverse_rest) = (1.0 / rate, 1.0 / (1.0 - rate));
    for (mean, own) in mean.iter_mut().zip(own) {
        *own /= inverse;
        *mean = *own + *mean / inverse_rest;
    }
}

fn move_doubles(mean: &mut [f64], own: &mut [f64], rate: f32) {
    let rest = f64::from(1.0 - rate);
    for (mean, own) in mean.iter_mut().zip(own) {
        *own *= f64::from(rate);
        *mean = *own + *mean * rest;
    }
}
