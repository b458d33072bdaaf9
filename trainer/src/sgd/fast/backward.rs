//! The error of the layer below and the update of a layer's weights, row by row in either layout.

use super::layer::FastLayer;
use super::rule::{BiasStep, Rule};
use crate::kernel::{Kernel, Lanes, Simd};

/// What a weight's gradient is made of besides the error.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Penalty {
    pub l1: f32,
    pub l2: f32,
    /// How strongly a weight is pulled to the consensus of earlier iterations, in place of the last memory.
    pub pull: f32,
}

impl Penalty {
    #[inline(always)]
    pub fn gradient<S: Simd>(self, simd: S, weight: S::V) -> S::V {
        let sign = simd.with_sign(simd.splat(self.l1), weight);
        let sign = simd.select(simd.nonzero(weight), sign, simd.splat(0.0));
        simd.mul_add(weight, simd.splat(self.l2), sign)
    }
}

/// The rows to go through, each with the factor that it brings to the gradient.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rows<'a> {
    pub places: &'a [u32],
    pub factors: &'a [f32],
}

/// What a line of the gradient is, before penalties.
pub(super) trait Gradient: Copy {
    /// Starts the row with this place among the [`Rows`].
    fn line<S: Simd>(self, simd: S, row: usize, factor: f32, line: usize) -> S::V;
}

/// Of one sample: the row's factor times the lanes'.
#[derive(Debug, Clone, Copy)]
pub(super) struct OfSample<'a> {
    pub lanes: &'a [Lanes],
}

impl Gradient for OfSample<'_> {
    #[inline(always)]
    fn line<S: Simd>(self, simd: S, _row: usize, factor: f32, line: usize) -> S::V {
        simd.mul(simd.splat(factor), simd.load(&self.lanes[line]))
    }
}

/// Of several samples: the sum over those that have the row.
#[derive(Debug, Clone, Copy)]
pub(super) struct OfBatch<'a> {
    /// Where the terms of each of the rows begin, and of one row more.
    pub starts: &'a [u32],
    /// The sample and its factor, the mean's division included.
    pub terms: &'a [(u32, f32)],
    /// The lanes of each sample.
    pub lanes: &'a [Lanes],
    pub lines: usize,
}

impl Gradient for OfBatch<'_> {
    #[inline(always)]
    fn line<S: Simd>(self, simd: S, row: usize, _factor: f32, line: usize) -> S::V {
        let mut sum = simd.splat(0.0);
        for &(sample, factor) in &self.terms[self.starts[row] as usize..self.starts[row + 1] as usize] {
            let lanes = simd.load(&self.lanes[sample as usize * self.lines + line]);
            sum = simd.mul_add(simd.splat(factor), lanes, sum);
        }
        sum
    }
}

/// Updates the weights of some rows, after telling the layer below its error by them.
pub(super) struct Backward<'a, R, G> {
    pub layer: &'a mut FastLayer,
    pub rule: R,
    pub penalty: Penalty,
    pub rows: Rows<'a>,
    pub gradient: G,
    /// The lines that have anything to change.
    pub lines: &'a [u32],
    /// The lanes to change, where it is not those whose gradient is not zero.
    pub touched: Option<&'a [Lanes]>,
    pub error: Below<'a>,
    pub squares: Squares<'a>,
    /// Cap on the squared sum of a row.
    pub max_w2: f32,
}

/// The error of the layer below: the sum of the weights times the error of this one.
pub(super) enum Below<'a> {
    /// There is none, or it was told before.
    Nothing,
    /// A number for each of the rows, which are inputs: the product with the units' errors.
    ByRow { errors: &'a [Lanes], below: &'a mut [f32] },
    /// The rows are units: each adds its line times its factor.
    ByLane { below: &'a mut [Lanes] },
}

/// What becomes of the squared gradients, which drive ADADELTA's biases.
pub(super) enum Squares<'a> {
    Forgotten,
    /// Added to each lane.
    ByLane(&'a mut [Lanes]),
    /// Set at each row's place.
    ByRow(&'a mut [f32]),
}

impl<R: Rule, G: Gradient> Kernel for Backward<'_, R, G> {
    type Output = ();

    /// Each combination that is worth it is a loop of its own.
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let forgets = matches!(self.squares, Squares::Forgotten);
        match (self.penalty == Penalty::default(), forgets) {
            (true, true) => self.rows::<S, false, false>(simd),
            (true, false) => self.rows::<S, false, true>(simd),
            (false, true) => self.rows::<S, true, false>(simd),
            (false, false) => self.rows::<S, true, true>(simd),
        }
    }
}

impl<R: Rule, G: Gradient> Backward<'_, R, G> {
    #[inline(always)]
    fn rows<S: Simd, const PENALTY: bool, const SQUARES: bool>(mut self, simd: S) {
        let (stride, lines) = (self.layer.stride(), self.layer.lines);
        let line = Line { rule: self.rule, penalty: self.penalty, gradient: self.gradient, touched: self.touched };
        // Backwards: the forward pass ended with the last rows, which are in the nearest cache.
        for row in (0..self.rows.places.len()).rev() {
            let (place, factor) = (self.rows.places[row] as usize, self.rows.factors[row]);
            let (weights, memories) = self.layer.matrix[place * stride..(place + 1) * stride].split_at_mut(lines);
            match &mut self.error {
                Below::Nothing => {}
                Below::ByRow { errors, below } => below[place] = product(simd, weights, errors, self.lines),
                Below::ByLane { below } => add_scaled(simd, weights, factor, below),
            }
            let mut squares = simd.splat(0.0);
            for &l in self.lines {
                let l = l as usize;
                let gradient = line.change::<S, PENALTY>(simd, row, factor, l, weights, memories);
                if SQUARES {
                    let square = simd.mul(gradient, gradient);
                    if let Squares::ByLane(sums) = &mut self.squares {
                        let sum = simd.add(simd.load(&sums[l]), square);
                        simd.store(&mut sums[l], sum);
                    } else {
                        squares = simd.add(squares, square);
                    }
                }
            }
            if let Squares::ByRow(sums) = &mut self.squares {
                sums[place] = simd.sum(squares);
            }
            if self.max_w2 < f32::MAX {
                cap(simd, weights, self.max_w2);
            }
        }
    }
}

/// What all lines of an update have in common.
#[derive(Clone, Copy)]
struct Line<'a, R, G> {
    rule: R,
    penalty: Penalty,
    gradient: G,
    touched: Option<&'a [Lanes]>,
}

impl<R: Rule, G: Gradient> Line<'_, R, G> {
    /// Changes the weights of a line, and returns their gradients: 0 where a weight is left alone.
    #[inline(always)]
    fn change<S: Simd, const PENALTY: bool>(
        self,
        simd: S,
        row: usize,
        factor: f32,
        l: usize,
        weights: &mut [Lanes],
        memories: &mut [Lanes],
    ) -> S::V {
        let lines = weights.len();
        let mut gradient = self.gradient.line(simd, row, factor, l);
        let mask = match self.touched {
            None => simd.nonzero(gradient),
            Some(touched) => simd.nonzero(simd.load(&touched[l])),
        };
        let weight = simd.load(&weights[l]);
        if PENALTY {
            gradient = simd.add(gradient, self.penalty.gradient(simd, weight));
            if self.penalty.pull != 0.0 {
                let away = simd.sub(weight, simd.load(&memories[R::SLOTS * lines + l]));
                gradient = simd.mul_add(simd.splat(self.penalty.pull), away, gradient);
            }
        }
        let zero = simd.splat(0.0);
        let first = if R::SLOTS > 0 { simd.load(&memories[l]) } else { zero };
        let second = if R::SLOTS > 1 { simd.load(&memories[lines + l]) } else { zero };
        let (changed, memory) = self.rule.weight(simd, weight, [first, second], gradient);
        simd.store(&mut weights[l], simd.select(mask, changed, weight));
        if R::SLOTS > 0 {
            simd.store(&mut memories[l], simd.select(mask, memory[0], first));
        }
        if R::SLOTS > 1 {
            simd.store(&mut memories[lines + l], simd.select(mask, memory[1], second));
        }
        simd.select(mask, gradient, zero)
    }
}

/// The products of rows with the units' errors, without an update.
pub(super) struct ErrorBelow<'a> {
    pub layer: &'a FastLayer,
    pub rows: Rows<'a>,
    pub lines: &'a [u32],
    pub error: Below<'a>,
}

impl Kernel for ErrorBelow<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        let (stride, lines) = (self.layer.stride(), self.layer.lines);
        for (&place, &factor) in self.rows.places.iter().zip(self.rows.factors) {
            let place = place as usize;
            let weights = &self.layer.matrix[place * stride..place * stride + lines];
            match &mut self.error {
                Below::Nothing => {}
                Below::ByRow { errors, below } => below[place] = product(simd, weights, errors, self.lines),
                Below::ByLane { below } => add_scaled(simd, weights, factor, below),
            }
        }
    }
}

#[inline(always)]
fn product<S: Simd>(simd: S, weights: &[Lanes], errors: &[Lanes], lines: &[u32]) -> f32 {
    // Four sums, because one would wait for itself.
    let mut sums = [simd.splat(0.0); 4];
    let term =
        |line: u32, sum| simd.mul_add(simd.load(&weights[line as usize]), simd.load(&errors[line as usize]), sum);
    let (fours, rest) = lines.as_chunks::<4>();
    for four in fours {
        for k in 0..4 {
            sums[k] = term(four[k], sums[k]);
        }
    }
    for (sum, &line) in sums.iter_mut().zip(rest) {
        *sum = term(line, *sum);
    }
    simd.sum(simd.add(simd.add(sums[0], sums[1]), simd.add(sums[2], sums[3])))
}

#[inline(always)]
fn add_scaled<S: Simd>(simd: S, weights: &[Lanes], factor: f32, sums: &mut [Lanes]) {
    let factor = simd.splat(factor);
    for (sum, weights) in sums.iter_mut().zip(weights) {
        let added = simd.mul_add(factor, simd.load(weights), simd.load(sum));
        simd.store(sum, added);
    }
}

/// Scales a row down where the sum of its squares exceeds `limit`.
#[inline(always)]
fn cap<S: Simd>(simd: S, weights: &mut [Lanes], limit: f32) {
    let mut squares = simd.splat(0.0);
    for line in &*weights {
        let w = simd.load(line);
        squares = simd.mul_add(w, w, squares);
    }
    let squares = simd.sum(squares);
    if squares > limit {
        let scale = simd.splat((limit / squares).sqrt());
        for line in weights {
            let scaled = simd.mul(simd.load(line), scale);
            simd.store(line, scaled);
        }
    }
}

/// Updates the biases of a layer.
pub(super) struct Biases<'a, R> {
    pub layer: &'a mut FastLayer,
    pub rule: R,
    pub penalty: Penalty,
    /// The gradients of the units.
    pub errors: &'a [Lanes],
    pub lines: &'a [u32],
    pub touched: Option<&'a [Lanes]>,
    /// The mean square of the gradients of each unit's weights.
    pub mean_squares: &'a [Lanes],
    /// How strongly a hidden unit of a sparse autoencoder is held to a mean activation, and to which.
    pub sparsity: (f32, f32),
}

impl<R: Rule> Kernel for Biases<'_, R> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let lines = self.layer.output_lines();
        let (biases, memories) = self.layer.biases.split_at_mut(lines);
        let zero = simd.splat(0.0);
        for &l in self.lines {
            let l = l as usize;
            let error = simd.load(&self.errors[l]);
            let mask = match self.touched {
                None => simd.nonzero(error),
                Some(touched) => simd.nonzero(simd.load(&touched[l])),
            };
            let bias = simd.load(&biases[l]);
            let mut gradient = simd.add(error, self.penalty.gradient(simd, bias));
            if self.penalty.pull != 0.0 {
                let away = simd.sub(bias, simd.load(&memories[R::SLOTS * lines + l]));
                gradient = simd.mul_add(simd.splat(self.penalty.pull), away, gradient);
            }
            let first = if R::SLOTS > 0 { simd.load(&memories[l]) } else { zero };
            let second = if R::SLOTS > 1 { simd.load(&memories[lines + l]) } else { zero };
            let square = if R::NEEDS_SQUARES { simd.load(&self.mean_squares[l]) } else { zero };
            let BiasStep { bias: changed, memory, rate } =
                self.rule.bias(simd, bias, [first, second], gradient, square);
            let changed = match self.layer.means.get(l) {
                Some(mean) => {
                    let (strength, target) = self.sparsity;
                    let excess = simd.mul(simd.splat(strength), simd.sub(simd.load(mean), simd.splat(target)));
                    simd.sub_mul(rate, excess, changed)
                }
                None => changed,
            };
            simd.store(&mut biases[l], simd.select(mask, changed, bias));
            if R::SLOTS > 0 {
                simd.store(&mut memories[l], simd.select(mask, memory[0], first));
            }
            if R::SLOTS > 1 {
                simd.store(&mut memories[lines + l], simd.select(mask, memory[1], second));
            }
        }
    }
}
