//! The error of the layer below and the update of a layer's weights, row by row in either layout.

use super::layer::FastLayer;
use super::rule::Rule;
use crate::kernel::{Kernel, Lanes, Picked, Simd};

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
        simd.mul_add(weight, simd.splat(self.l2), simd.signed(simd.splat(self.l1), weight))
    }
}

/// The rows to go through, each with the factor that it brings to the gradient.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rows<'a> {
    pub places: &'a [u32],
    pub factors: &'a [f32],
}

/// The gradients of rows, before penalties: some lanes times a factor.
pub(super) trait Gradient: Copy {
    /// Whether the layer below may be told its error in the same pass.
    const TELLS: bool;
    /// What stays in registers while the rows are gone through.
    type Held<S: Simd, const N: usize>: Copy;

    /// The lanes to change are those in `touched`, or where there are none those whose gradient is not zero.
    fn hold<S: Simd, const N: usize>(self, simd: S, picked: &Picked<N>, touched: Option<&[Lanes]>) -> Self::Held<S, N>;

    /// Lanes, factor, and which lanes change, of the row with this place among the [`Rows`] and this factor there.
    fn of_row<S: Simd, const N: usize>(
        self,
        simd: S,
        picked: &Picked<N>,
        held: Self::Held<S, N>,
        row: usize,
        factor: f32,
    ) -> ([S::V; N], S::V, [S::M; N]);
}

/// Of one sample: the same lanes for all rows, times the row's factor.
#[derive(Debug, Clone, Copy)]
pub(super) struct OfSample<'a> {
    pub lanes: &'a [Lanes],
}

impl Gradient for OfSample<'_> {
    const TELLS: bool = true;
    type Held<S: Simd, const N: usize> = ([S::V; N], [S::M; N]);

    #[inline(always)]
    fn hold<S: Simd, const N: usize>(self, simd: S, picked: &Picked<N>, touched: Option<&[Lanes]>) -> Self::Held<S, N> {
        let masks = picked.load(simd, touched.unwrap_or(self.lanes)).map(|lane| simd.nonzero(lane));
        (picked.load(simd, self.lanes), masks)
    }

    #[inline(always)]
    fn of_row<S: Simd, const N: usize>(
        self,
        simd: S,
        _picked: &Picked<N>,
        (lanes, masks): Self::Held<S, N>,
        _row: usize,
        factor: f32,
    ) -> ([S::V; N], S::V, [S::M; N]) {
        (lanes, simd.splat(factor), masks)
    }
}

/// Of several samples: the sum of their lanes, each times the factor that the row has in the sample.
#[derive(Debug, Clone, Copy)]
pub(super) struct OfBatch<'a> {
    /// Where the samples of each of the rows begin, and of one row more.
    pub starts: &'a [u32],
    pub samples: &'a [u32],
    /// The row's factor in each sample, the mean's division included.
    pub factors: &'a [f32],
    /// The lanes of the samples, one after the other.
    pub lanes: &'a [Lanes],
    /// Lines of a sample.
    pub lines: usize,
}

impl Gradient for OfBatch<'_> {
    const TELLS: bool = false;
    /// What is touched; vectors and not masks, of which the compiler would make one number between here and the rows.
    type Held<S: Simd, const N: usize> = Option<[S::V; N]>;

    #[inline(always)]
    fn hold<S: Simd, const N: usize>(self, simd: S, picked: &Picked<N>, touched: Option<&[Lanes]>) -> Self::Held<S, N> {
        touched.map(|touched| picked.load(simd, touched))
    }

    #[inline(always)]
    fn of_row<S: Simd, const N: usize>(
        self,
        simd: S,
        picked: &Picked<N>,
        held: Self::Held<S, N>,
        row: usize,
        _factor: f32,
    ) -> ([S::V; N], S::V, [S::M; N]) {
        let terms = self.starts[row] as usize..self.starts[row + 1] as usize;
        let mut sums = [simd.splat(0.0); N];
        for (&sample, &factor) in self.samples[terms.clone()].iter().zip(&self.factors[terms]) {
            let start = sample as usize * self.lines;
            let lanes = picked.load(simd, &self.lanes[start..start + self.lines]);
            for n in 0..N {
                sums[n] = simd.mul_add(simd.splat(factor), lanes[n], sums[n]);
            }
        }
        (sums, simd.splat(1.0), held.unwrap_or(sums).map(|lane| simd.nonzero(lane)))
    }
}

/// Updates the weights of some rows, after telling the layer below its error by them where rows are units.
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
    /// The error of the layer below, to which each unit adds its line times its factor.
    pub below: Option<&'a mut [Lanes]>,
    pub squares: Squares<'a>,
    /// Cap on the squared sum of a row.
    pub max_w2: f32,
}

/// What becomes of the squared gradients, which drive ADADELTA's biases.
pub(super) enum Squares<'a> {
    Forgotten,
    /// Added to each lane.
    ByLane(&'a mut [Lanes]),
    /// Set at each row's place, to the sum of the row.
    ByRow(&'a mut [f32]),
}

/// Which penalties there are, where the compiler knows it.
const NONE: u8 = 0;
const NORMS: u8 = 1;
const ALL: u8 = 2;

/// Which of the squares.
const FORGOTTEN: u8 = 0;
const BY_LANE: u8 = 1;
const BY_ROW: u8 = 2;

impl<R: Rule, G: Gradient> Kernel for Backward<'_, R, G> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        if self.penalty == Penalty::default() {
            self.choose::<S, NONE>(simd);
        } else if self.penalty.pull == 0.0 {
            self.choose::<S, NORMS>(simd);
        } else {
            self.choose::<S, ALL>(simd);
        }
    }
}

impl<R: Rule, G: Gradient> Backward<'_, R, G> {
    /// Each combination is a loop of its own.
    #[inline(always)]
    fn choose<S: Simd, const PENALTY: u8>(self, simd: S) {
        match (&self.squares, G::TELLS && self.below.is_some()) {
            // Rows are inputs, which tell no error here.
            (Squares::ByLane(_), _) if R::NEEDS_SQUARES => self.rows::<S, PENALTY, false, BY_LANE>(simd),
            (Squares::ByRow(_), false) if R::NEEDS_SQUARES => self.rows::<S, PENALTY, false, BY_ROW>(simd),
            (Squares::ByRow(_), true) if R::NEEDS_SQUARES => self.rows::<S, PENALTY, true, BY_ROW>(simd),
            (_, false) => self.rows::<S, PENALTY, false, FORGOTTEN>(simd),
            (_, true) => self.rows::<S, PENALTY, true, FORGOTTEN>(simd),
        }
    }

    /// Goes through all rows by as many lines as fit the registers, then through the next lines of all rows.
    #[inline(always)]
    fn rows<S: Simd, const PENALTY: u8, const BELOW: bool, const SQUARES: u8>(mut self, simd: S) {
        if let Squares::ByRow(squares) = &mut self.squares {
            for &place in self.rows.places {
                squares[place as usize] = 0.0;
            }
        }
        // Rare cases are not worth the code for several lines at once.
        let several = S::LINES == 4 && R::IS_COMMON && PENALTY != ALL;
        for lines in self.lines.chunks(4) {
            match *lines {
                [a, b, c, d] if several => {
                    simd.run(Block::<_, _, 4, PENALTY, BELOW, SQUARES> { backward: &mut self, lines: [a, b, c, d] });
                }
                [a, b, c] if several => {
                    simd.run(Block::<_, _, 3, PENALTY, BELOW, SQUARES> { backward: &mut self, lines: [a, b, c] });
                }
                [a, b] if several => {
                    simd.run(Block::<_, _, 2, PENALTY, BELOW, SQUARES> { backward: &mut self, lines: [a, b] });
                }
                _ => lines.iter().for_each(|&line| {
                    simd.run(Block::<_, _, 1, PENALTY, BELOW, SQUARES> { backward: &mut self, lines: [line] });
                }),
            }
        }
        if self.max_w2 < f32::MAX {
            let (stride, lines) = (self.layer.stride(), self.layer.lines);
            for &place in self.rows.places {
                let start = place as usize * stride;
                cap(simd, &mut self.layer.matrix[start..start + lines], self.max_w2);
            }
        }
    }
}

/// Some lines of all rows. Each kind is a function of its own, with the registers to itself.
struct Block<'b, 'a, R, G, const N: usize, const PENALTY: u8, const BELOW: bool, const SQUARES: u8> {
    backward: &'b mut Backward<'a, R, G>,
    lines: [u32; N],
}

impl<R: Rule, G: Gradient, const N: usize, const PENALTY: u8, const BELOW: bool, const SQUARES: u8> Kernel
    for Block<'_, '_, R, G, N, PENALTY, BELOW, SQUARES>
{
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Backward { layer, rule, penalty, rows, gradient, touched, below: told, squares: sums, .. } = self.backward;
        let (rule, penalty, gradient, touched) = (*rule, *penalty, *gradient, *touched);
        let (picked, stride, lines) = (Picked::new(self.lines), layer.stride(), layer.lines);
        let zero = simd.splat(0.0);
        let held = gradient.hold(simd, &picked, touched);
        let mut below = told.as_deref().filter(|_| BELOW).map_or([zero; N], |below| picked.load(simd, below));
        let mut squares = match &*sums {
            Squares::ByLane(squares) if SQUARES == BY_LANE => picked.load(simd, squares),
            _ => [zero; N],
        };
        // Backwards: the forward pass ended with the last rows, which are in the nearest cache.
        for (row, (&place, &factor)) in rows.places.iter().zip(rows.factors).enumerate().rev() {
            let start = place as usize * stride;
            let (weights, memories) = layer.matrix[start..start + stride].split_at_mut(lines);
            let (first, later) = memories.split_at_mut(if R::SLOTS > 0 { lines } else { 0 });
            let (second, consensus) = later.split_at_mut(if R::SLOTS > 1 { lines } else { 0 });
            let mut weight = picked.load(simd, weights);
            let mut first_memory = if R::SLOTS > 0 { picked.load(simd, first) } else { [zero; N] };
            let mut second_memory = if R::SLOTS > 1 { picked.load(simd, second) } else { [zero; N] };
            let (lanes, factor, masks) = gradient.of_row(simd, &picked, held, row, factor);
            let mut square = zero;
            for n in 0..N {
                let mask = masks[n];
                let mut gradient = if PENALTY == NONE {
                    simd.mul(factor, lanes[n])
                } else {
                    simd.mul_add(factor, lanes[n], penalty.gradient(simd, weight[n]))
                };
                if PENALTY == ALL {
                    let away = simd.sub(weight[n], picked.load(simd, consensus)[n]);
                    gradient = simd.mul_add(simd.splat(penalty.pull), away, gradient);
                }
                if BELOW {
                    below[n] = simd.mul_add(factor, weight[n], below[n]);
                }
                if SQUARES != FORGOTTEN {
                    let counted = simd.select(mask, gradient, zero);
                    if SQUARES == BY_LANE {
                        squares[n] = simd.mul_add(counted, counted, squares[n]);
                    } else {
                        square = simd.mul_add(counted, counted, square);
                    }
                }
                let memory = [first_memory[n], second_memory[n]];
                let (changed, remembered) = rule.weight(simd, weight[n], memory, gradient);
                weight[n] = simd.select(mask, changed, weight[n]);
                first_memory[n] = simd.select(mask, remembered[0], memory[0]);
                second_memory[n] = simd.select(mask, remembered[1], memory[1]);
            }
            picked.store(simd, weights, weight);
            if R::SLOTS > 0 {
                picked.store(simd, first, first_memory);
            }
            if R::SLOTS > 1 {
                picked.store(simd, second, second_memory);
            }
            if SQUARES == BY_ROW
                && let Squares::ByRow(squares) = sums
            {
                squares[place as usize] += simd.sum(square);
            }
        }
        if BELOW && let Some(told) = told.as_deref_mut() {
            picked.store(simd, told, below);
        }
        if SQUARES == BY_LANE
            && let Squares::ByLane(sums) = sums
        {
            picked.store(simd, sums, squares);
        }
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
