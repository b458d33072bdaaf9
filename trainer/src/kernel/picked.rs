//! Some lines of rows, read and written without a check for each of them.

use super::{Lanes, Simd};

/// The numbers of `N` lines.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Picked<const N: usize> {
    lines: [usize; N],
    /// Past the last of them.
    end: usize,
}

impl<const N: usize> Picked<N> {
    pub fn new(lines: [u32; N]) -> Self {
        let lines = lines.map(|line| line as usize);
        Self { lines, end: lines.iter().max().map_or(0, |last| last + 1) }
    }

    /// The lines of a row.
    ///
    /// # Panics
    /// Where the row does not have them.
    #[inline(always)]
    pub fn load<S: Simd>(&self, simd: S, row: &[Lanes]) -> [S::V; N] {
        let row = &row[..self.end];
        // SAFETY: each of the lines is below `end`, up to which the row was just found to reach.
        std::array::from_fn(|n| simd.load(unsafe { row.get_unchecked(self.lines[n]) }))
    }

    /// Changes the lines of a row.
    ///
    /// # Panics
    /// Where the row does not have them.
    #[inline(always)]
    pub fn store<S: Simd>(&self, simd: S, row: &mut [Lanes], lines: [S::V; N]) {
        let row = &mut row[..self.end];
        for (&number, line) in self.lines.iter().zip(lines) {
            // SAFETY: as in `load`.
            simd.store(unsafe { row.get_unchecked_mut(number) }, line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Portable;

    fn line(x: f32) -> Lanes {
        Lanes([x; 16])
    }

    #[test]
    fn the_picked_lines_are_read_and_written() {
        let mut row = [1.0, 2.0, 3.0, 4.0].map(line);
        let picked = Picked::new([3, 1]);
        let [last, second] = picked.load(Portable, &row);
        assert_eq!((last, second), (line(4.0).0, line(2.0).0));
        picked.store(Portable, &mut row, [second, last]);
        assert_eq!(row, [1.0, 4.0, 3.0, 2.0].map(line));
    }

    #[test]
    #[should_panic(expected = "range end index 4")]
    fn a_row_that_is_too_short_is_refused() {
        Picked::new([0, 3]).load(Portable, &[Lanes::default(); 3]);
    }
}
