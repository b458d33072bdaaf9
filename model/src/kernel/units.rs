//! The portable loop over the units of a layer.

#![expect(clippy::inline_always, reason = "what is not inlined into a tier is compiled without its instructions")]

use crate::dense::{BLOCK, add_block, add_two_channels, total};

/// What all units of a layer read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Inputs<'a> {
    values: &'a [f64],
    /// The blocks that are read, where it is not all of them.
    blocks: Option<&'a [u32]>,
}

impl<'a> Inputs<'a> {
    pub fn all(values: &'a [f64]) -> Self {
        Self { values, blocks: None }
    }

    /// Leaves out blocks of zeros, which changes no bit of a sum whose weights are finite: their products are zeros, and a
    /// sum that began at 0 is never the -0 that adding 0 would change.
    pub fn filled(values: &'a [f64], blocks: &'a [u32]) -> Self {
        Self { values, blocks: Some(blocks) }
    }

    #[inline(always)]
    fn each_block(self, mut take: impl FnMut(usize)) {
        match self.blocks {
            None => (0..self.values.len() / BLOCK).for_each(take),
            Some(blocks) => blocks.iter().for_each(|&block| take(block as usize)),
        }
    }
}

/// The blocks that are not all zeros, where they are the smaller half.
pub(crate) fn filled_blocks(values: &[f64]) -> Option<Vec<u32>> {
    let (blocks, _) = values.as_chunks::<BLOCK>();
    // All bits of a block together, but for the signs.
    let is_filled = |block: &[f64; BLOCK]| block.iter().fold(0, |bits, x| bits | x.to_bits() << 1) != 0;
    let filled = blocks.iter().filter(|block| is_filled(block)).count();
    let numbers = || blocks.iter().zip(0..).filter(|(block, _)| is_filled(block)).map(|(_, number)| number);
    (filled < blocks.len().div_ceil(2)).then(|| numbers().collect())
}

/// See [`Tier::nets`](super::Tier::nets). Units are taken `TILE` at a time: none has to wait for its last addition, and they
/// share the loads of their inputs.
#[inline(always)]
pub(super) fn nets<const TILE: usize>(channels: usize, weights: &[f32], inputs: Inputs<'_>, out: &mut [f64]) {
    if inputs.values.is_empty() {
        out.fill(0.0);
    } else if channels == 2 {
        two_channels::<TILE>(weights, inputs, out);
    } else {
        one_channel::<TILE>(weights, inputs, out);
    }
}

#[inline(always)]
fn one_channel<const TILE: usize>(weights: &[f32], inputs: Inputs<'_>, out: &mut [f64]) {
    // The partial sums of many units go through memory, or the compiler arranges their lanes to suit the last additions.
    const TOGETHER: usize = 32;
    let width = inputs.values.len();
    let (input_blocks, input_rest) = inputs.values.as_chunks();
    let mut sums = [[0.0; BLOCK]; TOGETHER];
    for (weights, out) in weights.chunks(TOGETHER * width).zip(out.chunks_mut(TOGETHER)) {
        let tiles = weights.chunks_exact(TILE * width);
        let (whole, rest) = sums[..out.len()].as_chunks_mut::<TILE>();
        for (sums, weights) in rest.iter_mut().zip(tiles.remainder().chunks_exact(width)) {
            [*sums] = partial_sums([weights], inputs, input_blocks);
        }
        for (sums, weights) in whole.iter_mut().zip(tiles) {
            *sums = partial_sums::<TILE>(split(weights, width), inputs, input_blocks);
        }
        for ((out, sums), weights) in out.iter_mut().zip(&sums).zip(weights.chunks_exact(width)) {
            *out = total(sums, &weights[width - input_rest.len()..], input_rest);
        }
    }
}

#[inline(always)]
fn partial_sums<const UNITS: usize>(
    weights: [&[f32]; UNITS],
    inputs: Inputs<'_>,
    input_blocks: &[[f64; BLOCK]],
) -> [[f64; BLOCK]; UNITS] {
    let weights = weights.map(|weights| weights.as_chunks().0);
    let mut sums = [[0.0; BLOCK]; UNITS];
    inputs.each_block(|block| {
        let x = &input_blocks[block];
        for (sums, weights) in sums.iter_mut().zip(&weights) {
            add_block(sums, &weights[block], x);
        }
    });
    sums
}

#[inline(always)]
fn two_channels<const TILE: usize>(weights: &[f32], inputs: Inputs<'_>, out: &mut [f64]) {
    let width = 2 * inputs.values.len();
    let tiles = weights.chunks_exact(TILE * width);
    let (whole, rest) = out.as_chunks_mut::<2>().0.as_chunks_mut::<TILE>();
    for (totals, weights) in rest.iter_mut().zip(tiles.remainder().chunks_exact(width)) {
        [*totals] = totals_of_channels([weights], inputs);
    }
    for (totals, weights) in whole.iter_mut().zip(tiles) {
        *totals = totals_of_channels::<TILE>(split(weights, width), inputs);
    }
}

#[inline(always)]
fn totals_of_channels<const UNITS: usize>(weights: [&[f32]; UNITS], inputs: Inputs<'_>) -> [[f64; 2]; UNITS] {
    let weights = weights.map(|weights| weights.as_chunks().0);
    let mut totals = [[0.0; 2]; UNITS];
    let mut add = |input: usize| {
        let x = inputs.values[input];
        for (totals, weights) in totals.iter_mut().zip(&weights) {
            add_two_channels(totals, &weights[input], x);
        }
    };
    inputs.each_block(|block| (block * BLOCK..(block + 1) * BLOCK).for_each(&mut add));
    let rest = inputs.values.len() / BLOCK * BLOCK;
    (rest..inputs.values.len()).for_each(add);
    totals
}

/// The weights of each unit of a tile.
#[inline(always)]
fn split<const UNITS: usize>(weights: &[f32], width: usize) -> [&[f32]; UNITS] {
    std::array::from_fn(|unit| &weights[unit * width..(unit + 1) * width])
}
