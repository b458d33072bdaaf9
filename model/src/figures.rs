//! What the numbers of a layer look like, as H2O's table of layers has them.

use serde::Serialize;

use crate::network::Layer;

/// The mean of numbers, and their standard deviation with divisor N, which H2O calls `rms`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the names say all")]
pub struct Figures {
    pub mean: f64,
    pub rms: f64,
}

impl Figures {
    fn of(values: impl ExactSizeIterator<Item = f64> + Clone) -> Self {
        let count = values.len() as f64;
        let mean = values.clone().sum::<f64>() / count;
        let variance = values.map(|x| (x - mean) * (x - mean)).sum::<f64>() / count;
        Self { mean, rms: variance.sqrt() }
    }
}

impl Layer {
    /// Of its weights.
    pub fn weight_figures(&self) -> Figures {
        Figures::of(self.weights.iter().map(|&weight| f64::from(weight)))
    }

    /// Of its biases.
    pub fn bias_figures(&self) -> Figures {
        Figures::of(self.biases.iter().copied())
    }

    /// Bytes of its weights and biases, as archives and checkpoints count them: four and eight each.
    pub fn bytes(&self) -> usize {
        size_of_val(self.weights.as_slice()) + size_of_val(self.biases.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deviation_is_that_of_all_numbers() {
        assert_eq!(Figures::of([1.0, 2.0, 3.0, 6.0].into_iter()), Figures { mean: 3.0, rms: 3.5_f64.sqrt() });
    }
}
