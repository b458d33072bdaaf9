//! `max_categorical_features`: the inputs of levels share fewer slots.

use serde::{Deserialize, Serialize};

use super::InputLayout;
use crate::deep_learning::DeepLearning;
use crate::network::{Layer, Network};

/// What a first level without an input counts as: where levels share slots, H2O's cluster gives it one when it scores, by
/// the index -1, and none when it trains.
pub(super) const NO_INPUT: usize = u32::MAX as usize;

/// How inputs of levels become slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hashing {
    /// How many slots there are; they come before the numbers.
    pub slots: usize,
    /// The lower half of the seed of the model.
    pub seed: u32,
}

impl Hashing {
    /// The slot of an input that a level would set, by the `MurmurHash2` of its four bytes, the highest first, as in H2O.
    pub fn slot(self, input: usize) -> usize {
        const FACTOR: u32 = 0x5bd1_e995;
        let mut k = (input as u32).swap_bytes().wrapping_mul(FACTOR);
        k ^= k >> 24;
        k = k.wrapping_mul(FACTOR);
        let mut hash = (self.seed ^ 4).wrapping_mul(FACTOR) ^ k;
        hash ^= hash >> 13;
        hash = hash.wrapping_mul(FACTOR);
        hash ^= hash >> 15;
        // The remainder of a signed number, without its sign.
        let slots = self.slots.max(1) as u64;
        (u64::from(hash.cast_signed().unsigned_abs()) % slots) as usize
    }
}

impl InputLayout {
    /// The layout whose levels share so many slots, if they have more inputs than that.
    #[must_use]
    pub fn hashed(self, slots: usize, seed: i64) -> Self {
        let hashing = (slots < self.level_inputs()).then_some(Hashing { slots, seed: seed as u32 });
        Self { hashing, ..self }
    }
}

impl DeepLearning {
    /// The same model with an input for each level: each has the weights of its slot. Its scores are the same but for the
    /// order of additions. `None` where it would have more weights than this.
    #[must_use]
    pub fn unhashed(self, most_weights: usize) -> Option<Self> {
        let Some(hashing) = self.layout.hashing else { return Some(self) };
        // A first level that was dropped has a slot, too, so it gets an input.
        let dropped = usize::from(!self.layout.use_all_factor_levels);
        let mut slots = Vec::new();
        let mut cat_offsets = vec![0];
        for bounds in self.layout.cat_offsets.windows(2) {
            slots.extend((0..dropped).map(|_| hashing.slot(NO_INPUT)));
            slots.extend((bounds[0]..bounds[1]).map(|input| hashing.slot(input)));
            cat_offsets.push(slots.len());
        }
        slots.extend((0..self.layout.numerics).map(|number| hashing.slots + number));
        let mut layers = self.network.layers().to_vec();
        let first = layers.first_mut()?;
        if first.biases.len().checked_mul(slots.len())? > most_weights {
            return None;
        }
        let row = |weights: &[f32]| -> Vec<f32> {
            let of_slot = |&slot: &usize| weights[slot * first.channels..][..first.channels].iter().copied();
            slots.iter().flat_map(of_slot).collect()
        };
        let weights = first.weights.chunks_exact(first.inputs * first.channels).flat_map(row).collect();
        *first = Layer { inputs: slots.len(), weights, ..first.clone() };
        let layout = InputLayout { cat_offsets, use_all_factor_levels: true, hashing: None, ..self.layout };
        let network = Network::new(self.network.activation(), layers).ok()?;
        Some(Self { layout, network, ..self })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_within_their_number() {
        for slots in [1, 2, 7, 1000] {
            for seed in [0, 1, u32::MAX] {
                assert!((0..5000).all(|input| Hashing { slots, seed }.slot(input) < slots));
            }
        }
    }

    #[test]
    fn few_levels_are_not_hashed() {
        let layout = || InputLayout::new(&[3, 2], 1, true, None);
        assert_eq!(layout().hashed(7, 1), layout());
        let hashed = layout().hashed(6, -1);
        assert_eq!(hashed.hashing, Some(Hashing { slots: 6, seed: u32::MAX }));
        assert_eq!((hashed.inputs(), hashed.first_numeric()), (7, 6));
    }
}
