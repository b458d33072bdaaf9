use proptest::prelude::*;

use super::*;
use crate::dense::{dot, dot_two_channels};

/// The bits of all sums, one unit after the other by the slow twin.
fn one_by_one(channels: usize, weights: &[f32], inputs: &[f64], units: usize) -> Vec<u64> {
    let width = channels * inputs.len();
    let weights_of = |unit: usize| &weights[unit * width..(unit + 1) * width];
    let nets: Vec<f64> = match channels {
        1 => (0..units).map(|unit| dot(weights_of(unit), inputs)).collect(),
        _ => (0..units).flat_map(|unit| dot_two_channels(weights_of(unit), inputs)).collect(),
    };
    bits(&nets)
}

fn bits(nets: &[f64]) -> Vec<u64> {
    // Which of two NaNs survives an addition depends on how the compiler orders its operands, in the slow twin as well.
    nets.iter().map(|net| if net.is_nan() { f64::NAN.to_bits() } else { net.to_bits() }).collect()
}

fn tiers() -> impl Iterator<Item = (&'static str, Tier)> {
    Tier::NAMES.into_iter().filter_map(|name| Some((name, Tier::named(name)?)))
}

fn any_weight() -> impl Strategy<Value = f32> {
    prop_oneof![8 => -2.0_f32..2.0, 1 => any::<f32>(), 1 => Just(-0.0)]
}

fn any_input() -> impl Strategy<Value = f64> {
    prop_oneof![8 => -2.0..2.0, 1 => any::<f64>(), 4 => Just(0.0), 1 => Just(-0.0)]
}

/// Channels, weights, inputs and the number of units.
fn any_layer() -> impl Strategy<Value = (usize, Vec<f32>, Vec<f64>, usize)> {
    (1_usize..=2, 0_usize..100, 0_usize..80).prop_flat_map(|(channels, inputs, units)| {
        let weights = prop::collection::vec(any_weight(), channels * inputs * units);
        (Just(channels), weights, prop::collection::vec(any_input(), inputs), Just(units))
    })
}

proptest! {
    #[test]
    fn every_tier_has_the_bits_of_one_unit_by_itself((channels, weights, inputs, units) in any_layer()) {
        let expected = one_by_one(channels, &weights, &inputs, units);
        for (name, tier) in tiers() {
            let mut nets = vec![f64::NAN; channels * units];
            tier.nets(channels, &weights, Inputs::all(&inputs), &mut nets);
            prop_assert_eq!(&bits(&nets), &expected, "{}", name);
        }
    }

    #[test]
    fn blocks_of_zeros_add_nothing(
        (channels, mut weights, mut inputs, units) in any_layer(), kept in prop::collection::vec(any::<bool>(), 13)
    ) {
        for weight in weights.iter_mut().filter(|weight| !weight.is_finite()) {
            *weight = f32::MAX;
        }
        for (block, _) in inputs.chunks_mut(8).zip(kept).filter(|(_, kept)| !kept) {
            // Zeros of either sign.
            for x in block {
                *x = 0.0_f64.copysign(*x);
            }
        }
        if let Some(blocks) = filled_blocks(&inputs) {
            let expected = one_by_one(channels, &weights, &inputs, units);
            for (name, tier) in tiers() {
                let mut nets = vec![f64::NAN; channels * units];
                tier.nets(channels, &weights, Inputs::filled(&inputs, &blocks), &mut nets);
                prop_assert_eq!(&bits(&nets), &expected, "{}", name);
            }
        }
    }
}

#[test]
fn blocks_that_are_filled() {
    let mut inputs = [0.0; 44];
    inputs[3] = 1.0;
    inputs[16] = f64::NAN;
    inputs[41] = 1.0;
    assert_eq!(filled_blocks(&inputs), Some(vec![0, 2]));
    inputs[39] = -1.0;
    assert_eq!(filled_blocks(&inputs), None);
    assert_eq!(filled_blocks(&[]), None);
}

#[test]
fn the_best_tier_is_the_first_that_is_there() {
    let first = tiers().next().map(|(_, tier)| tier);
    assert_eq!(Some(Tier::best()), first);
    assert_eq!(Tier::named("abacus"), None);
}
