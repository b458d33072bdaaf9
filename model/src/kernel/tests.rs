use proptest::prelude::*;

use super::*;
use crate::dense::{dot, dot_two_channels};
use crate::network::Layer;

/// The bits of all sums, one unit after the other by the slow twin.
fn one_by_one(layer: &Layer, inputs: &[f64]) -> Vec<u64> {
    let units = 0..layer.units;
    let nets: Vec<f64> = match layer.channels {
        1 => units.map(|unit| dot(layer.weights_of(unit), inputs)).collect(),
        _ => units.flat_map(|unit| dot_two_channels(layer.weights_of(unit), inputs)).collect(),
    };
    bits(&nets)
}

/// The bits of all sums of a row, by each tier that the machine has.
fn by_tiers(layer: &Layer, inputs: &[f64], with_zeros: bool) -> impl Iterator<Item = (&'static str, Vec<u64>)> {
    let packed = Packed::new(layer);
    let mut terms = Terms::default();
    // Traces of an earlier row.
    terms.begin(2 * inputs.len(), layer.channels);
    terms.extend(0, &vec![f64::NAN; 2 * inputs.len()], true);
    terms.begin(inputs.len(), layer.channels);
    terms.extend(0, inputs, with_zeros);
    tiers().map(move |(name, tier)| {
        let mut out = vec![f64::NAN; packed.stride()];
        tier.nets(&packed, &terms, &mut out);
        (name, bits(&out[..layer.biases.len()]))
    })
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

/// A layer and its inputs.
fn any_layer() -> impl Strategy<Value = (Layer, Vec<f64>)> {
    (1_usize..=2, 0_usize..100, 0_usize..80).prop_flat_map(|(channels, inputs, units)| {
        let weights = prop::collection::vec(any_weight(), channels * inputs * units);
        (weights, prop::collection::vec(any_input(), inputs)).prop_map(move |(weights, values)| {
            let biases = vec![0.0; units * channels];
            (Layer { inputs, units, channels, weights, biases, dropout_ratio: 0.0 }, values)
        })
    })
}

proptest! {
    #[test]
    fn every_tier_has_the_bits_of_one_unit_by_itself((layer, inputs) in any_layer()) {
        let expected = one_by_one(&layer, &inputs);
        for (name, sums) in by_tiers(&layer, &inputs, true) {
            prop_assert_eq!(&sums, &expected, "{}", name);
        }
    }

    #[test]
    fn zeros_add_nothing((mut layer, mut inputs) in any_layer(), kept in prop::collection::vec(any::<bool>(), 100)) {
        for weight in layer.weights.iter_mut().filter(|weight| !weight.is_finite()) {
            *weight = f32::MAX;
        }
        for (x, _) in inputs.iter_mut().zip(kept).filter(|(_, kept)| !kept) {
            // Zeros of either sign.
            *x = 0.0_f64.copysign(*x);
        }
        let expected = one_by_one(&layer, &inputs);
        for (name, sums) in by_tiers(&layer, &inputs, false) {
            prop_assert_eq!(&sums, &expected, "{}", name);
        }
    }
}

#[test]
fn inputs_one_by_one_are_those_of_a_list() {
    let inputs: Vec<f64> = (0..21).map(|input| f64::from(input % 3)).collect();
    for channels in [1, 2] {
        let (mut list, mut single) = (Terms::default(), Terms::default());
        list.begin(inputs.len(), channels);
        list.extend(0, &inputs, false);
        single.begin(inputs.len(), channels);
        for (input, &value) in inputs.iter().enumerate().filter(|(_, value)| **value != 0.0) {
            single.push(input, value);
        }
        assert!(list.fours().eq(single.fours()) && list.rest() == single.rest());
        let taken = list.fours().flatten().map(<[_]>::len).sum::<usize>() + list.rest().len();
        assert_eq!(taken, 14);
    }
}

#[test]
fn the_best_tier_is_the_first_that_is_there() {
    let first = tiers().next().map(|(_, tier)| tier);
    assert_eq!(Some(Tier::best()), first);
    assert_eq!(Tier::named("abacus"), None);
}
