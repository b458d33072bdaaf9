//! The order of additions, which is part of what a score means.

#![expect(
    clippy::inline_always,
    reason = "what is not inlined into a tier of `kernel` is compiled without its instructions"
)]

/// Numbers that are added side by side.
pub(crate) const BLOCK: usize = 8;

/// `sum of weights[i] * inputs[i]` in the order of `h2o-genmodel`: eight partial sums over the whole blocks of eight,
/// added as two fours, then what is left over, one by one.
pub fn dot(weights: &[f32], inputs: &[f64]) -> f64 {
    let (weight_blocks, weight_rest) = weights.as_chunks();
    let (input_blocks, input_rest) = inputs.as_chunks();
    let mut sums = [0.0; BLOCK];
    for (w, x) in weight_blocks.iter().zip(input_blocks) {
        add_block(&mut sums, w, x);
    }
    total(&sums, weight_rest, input_rest)
}

/// A block of products, each for its partial sum.
#[inline(always)]
pub(crate) fn add_block(sums: &mut [f64; BLOCK], weights: &[f32; BLOCK], inputs: &[f64; BLOCK]) {
    for lane in 0..BLOCK {
        sums[lane] += f64::from(weights[lane]) * inputs[lane];
    }
}

/// The partial sums and what is left over.
#[inline(always)]
pub(crate) fn total(sums: &[f64; BLOCK], weight_rest: &[f32], input_rest: &[f64]) -> f64 {
    let mut total = 0.0;
    total += ((sums[0] + sums[1]) + sums[2]) + sums[3];
    total += ((sums[4] + sums[5]) + sums[6]) + sums[7];
    for (&w, &x) in weight_rest.iter().zip(input_rest) {
        total += f64::from(w) * x;
    }
    total
}

/// The two sums of a Maxout unit, whose channels are interleaved: channel `c` of input `i` is `weights[2 i + c]`.
pub fn dot_two_channels(weights: &[f32], inputs: &[f64]) -> [f64; 2] {
    let mut totals = [0.0; 2];
    for (w, &x) in weights.as_chunks().0.iter().zip(inputs) {
        add_two_channels(&mut totals, w, x);
    }
    totals
}

/// The products of one input, each for the sum of its channel.
#[inline(always)]
pub(crate) fn add_two_channels(totals: &mut [f64; 2], weights: &[f32; 2], input: f64) {
    totals[0] += f64::from(weights[0]) * input;
    totals[1] += f64::from(weights[1]) * input;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_partial_sums_then_the_rest() {
        // 1e16 + 1 loses the 1 in f64: the result tells in which order the terms met.
        let weights = [1.0_f32; 9];
        let mut inputs = [0.0; 9];
        inputs[0] = 1e16;
        inputs[1] = 1.0;
        inputs[4] = -1e16;
        inputs[8] = 1.0;
        assert_eq!(dot(&weights, &inputs), 1.0);
    }

    #[test]
    fn channels_are_interleaved() {
        assert_eq!(dot_two_channels(&[1.0, 10.0, 2.0, 20.0], &[3.0, 4.0]), [11.0, 110.0]);
    }
}
