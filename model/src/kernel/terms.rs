//! What a layer reads of a row.

use crate::dense::BLOCK;

/// The inputs of a layer that are not 0, in the order in which their products are added. A buffer, to be used again from row
/// to row.
///
/// What is left out changes no bit of a sum whose weights are finite: the products are zeros, and a sum that began at 0 is
/// never the -0 that adding 0 would change.
#[derive(Debug, Clone, Default)]
pub struct Terms {
    order: Order,
    /// A list for each partial sum, all with the same room, then that of the rest.
    lists: Vec<Term>,
    lengths: [usize; BLOCK],
    rest: usize,
}

/// The order of additions in a layer: that of [`dot`](crate::dot), eight partial sums over blocks of eight inputs and then the
/// rest one by one, or that of [`dot_two_channels`](crate::dot_two_channels), where all are the rest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Order {
    blocks: usize,
}

/// One input.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Term {
    /// The [place](Order::place) of its weights.
    pub place: usize,
    pub value: f64,
}

impl Order {
    pub fn new(inputs: usize, channels: usize) -> Self {
        Self { blocks: if channels == 1 { inputs / BLOCK } else { 0 } }
    }

    /// When the turn of an input comes, counted from 0.
    pub fn place(self, input: usize) -> usize {
        if input < self.blocks * BLOCK { input % BLOCK * self.blocks + input / BLOCK } else { input }
    }
}

impl Terms {
    /// Begins a row of so many inputs of a layer with so many channels.
    pub(crate) fn begin(&mut self, inputs: usize, channels: usize) {
        self.order = Order::new(inputs, channels);
        let needed = self.start_of_rest() + (inputs - self.order.blocks * BLOCK) + 1;
        if self.lists.len() < needed {
            self.lists.resize(needed, Term::default());
        }
        self.lengths = [0; BLOCK];
        self.rest = 0;
    }

    /// Takes an input that comes after all that were taken.
    pub(crate) fn push(&mut self, input: usize, value: f64) {
        self.take(input, value, true);
    }

    /// Takes the inputs from `first` on, which is a multiple of 8, but for those that are 0; and those too, if it is said so.
    pub(crate) fn extend(&mut self, first: usize, values: &[f64], with_zeros: bool) {
        let in_blocks = (self.order.blocks * BLOCK).saturating_sub(first).min(values.len());
        let (in_blocks, rest) = values.split_at(in_blocks);
        for (block, values) in in_blocks.as_chunks().0.iter().enumerate() {
            self.take_block(first / BLOCK + block, values, with_zeros);
        }
        let first = first + in_blocks.len();
        for (input, &value) in (first..).zip(rest) {
            self.take(input, value, with_zeros || value != 0.0);
        }
    }

    fn take_block(&mut self, block: usize, values: &[f64; BLOCK], with_zeros: bool) {
        // All bits together, but for the signs.
        let is_filled = values.iter().fold(0, |bits, x| bits | x.to_bits() << 1) != 0;
        if is_filled || with_zeros {
            for (lane, &value) in values.iter().enumerate() {
                self.take(block * BLOCK + lane, value, with_zeros || value != 0.0);
            }
        }
    }

    /// Without a branch on whether it counts, which no processor could foresee.
    #[inline]
    fn take(&mut self, input: usize, value: f64, counts: bool) {
        let list = input % BLOCK;
        let (start, length) = if input < self.order.blocks * BLOCK {
            (list * self.room(), &mut self.lengths[list])
        } else {
            (self.start_of_rest(), &mut self.rest)
        };
        self.lists[start + *length] = Term { place: self.order.place(input), value };
        *length += usize::from(counts);
    }

    /// The terms of the partial sums, where there are any: of four that are added, then of four others.
    pub(super) fn fours(&self) -> impl Iterator<Item = [&[Term]; 4]> {
        let fours = if self.order.blocks > 0 { 2 } else { 0 };
        (0..fours).map(|four| std::array::from_fn(|of_four| self.partial(4 * four + of_four)))
    }

    fn partial(&self, number: usize) -> &[Term] {
        &self.lists[number * self.room()..][..self.lengths[number]]
    }

    /// Those that are added to the total one by one.
    pub(super) fn rest(&self) -> &[Term] {
        &self.lists[self.start_of_rest()..][..self.rest]
    }

    /// One more than counts, as each is written before it is known whether it does.
    fn room(&self) -> usize {
        self.order.blocks + 1
    }

    fn start_of_rest(&self) -> usize {
        BLOCK * self.room()
    }
}
