//! Which inputs and units a row leaves out.

use model::{Activation, Nonlinearity};

use crate::rng::{Rng, spread_seed};

const INPUT: i64 = 0x1337_B4BE;

/// Sets dropped inputs to 0; the others are not scaled.
pub(super) fn drop_inputs(input: &mut [f64], ratio: f64, seed: i64) {
    let mut rng = Rng::new(spread_seed(seed.wrapping_add(INPUT)));
    for value in input {
        if f64::from(rng.next_f32()) < ratio {
            *value = 0.0;
        }
    }
}

/// Draws a bit for each unit of a hidden layer, set where the unit stays. All layers of a row start from one seed, as in
/// H2O, so two layers of one size and ratio drop the same units.
pub(super) fn draw_mask(mask: &mut Vec<u8>, units: usize, ratio: f64, activation: Activation, seed: i64) {
    let mut rng = Rng::new(spread_seed(seed.wrapping_add(layer_constant(activation))));
    mask.clear();
    mask.resize(units.div_ceil(8), 0);
    if ratio == 0.5 {
        rng.fill(mask);
        return;
    }
    for byte in mask {
        for bit in 0..8 {
            if f64::from(rng.next_f32()) > ratio {
                *byte |= 1 << bit;
            }
        }
    }
}

/// Whether the mask keeps a unit.
pub(super) fn keeps(mask: &[u8], unit: usize) -> bool {
    mask[unit / 8] >> (unit % 8) & 1 == 1
}

fn layer_constant(activation: Activation) -> i64 {
    match activation.nonlinearity() {
        Nonlinearity::Rectifier => 0x3C71_F1ED,
        Nonlinearity::Maxout => 0x51C8_D00D,
        // Written as 0xDA7A6000 in an `int`, which makes it negative.
        Nonlinearity::Tanh | Nonlinearity::ExpRectifier => -629_514_240,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kept_share_is_one_minus_the_ratio() {
        let mut mask = Vec::new();
        for ratio in [0.0, 0.2, 0.5] {
            let mut kept = 0;
            for seed in 0..200 {
                draw_mask(&mut mask, 100, ratio, Activation::TanhWithDropout, seed);
                kept += (0..100).filter(|&unit| keeps(&mask, unit)).count();
            }
            let share = f64::from(kept as u32) / 20_000.0;
            assert!((share - (1.0 - ratio)).abs() < 0.02, "{ratio}: {share}");
        }
    }

    #[test]
    fn inputs_are_dropped_and_not_scaled() {
        let mut input = vec![3.0; 10_000];
        drop_inputs(&mut input, 0.2, 5);
        let kept = input.iter().filter(|&&x| x == 3.0).count();
        assert!(input.iter().all(|&x| x == 0.0 || x == 3.0));
        assert!((7_800..8_200).contains(&kept), "{kept}");
    }
}
