use super::column::Values;
use super::storage::Numbers;

/// Numbers most of which are zero: the others and their rows.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SparseNumbers {
    rows: Vec<u32>,
    values: Numbers,
    len: usize,
}

impl SparseNumbers {
    pub fn new() -> Self {
        Self { rows: Vec::new(), values: Numbers::new(), len: 0 }
    }

    /// Sets the value of a row behind all that were set before.
    pub fn push(&mut self, row: u32, value: f64) {
        if value != 0.0 {
            self.rows.push(row);
            self.values.push(value);
        }
    }

    /// All rows have been seen. Stays as it is where that takes a quarter of the memory or less; else every row gets its
    /// value, which is found faster.
    pub fn finish(mut self, len: usize) -> Values {
        const WORTH_IT: usize = 4;
        self.len = len;
        // Zero fits into every type.
        if self.memory_bytes().saturating_mul(WORTH_IT) <= self.values.width().saturating_mul(len) {
            self.rows.shrink_to_fit();
            self.values.shrink_to_fit();
            return Values::Sparse(self);
        }
        let mut dense = Numbers::new();
        let mut at = 0;
        for row in 0..len {
            if self.rows.get(at).is_some_and(|&next| next as usize == row) {
                dense.push(self.values.get(at));
                at += 1;
            } else {
                dense.push(0.0);
            }
        }
        dense.shrink_to_fit();
        Values::Numeric(dense)
    }

    pub fn get(&self, row: usize) -> f64 {
        let at = u32::try_from(row).ok().and_then(|row| self.rows.binary_search(&row).ok());
        at.map_or(0.0, |at| self.values.get(at))
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn memory_bytes(&self) -> usize {
        self.rows.len() * size_of::<u32>() + self.values.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finished(values: &[f64]) -> Values {
        let mut numbers = SparseNumbers::new();
        for (row, &value) in (0..).zip(values) {
            numbers.push(row, value);
        }
        numbers.finish(values.len())
    }

    #[test]
    fn many_zeros_take_no_memory_and_few_are_kept() {
        let mut values = [0.0; 1000];
        values[7] = 0.1;
        values[990] = -3.0;
        let Values::Sparse(sparse) = finished(&values) else { unreachable!("a hundredth of the memory") };
        assert!(values.iter().enumerate().all(|(row, &value)| sparse.get(row) == value));
        assert_eq!((sparse.len(), sparse.memory_bytes()), (1000, 24));
        let Values::Numeric(dense) = finished(&[0.0, 0.1, 0.0, 5.0, 0.0]) else { unreachable!("too few zeros") };
        assert!([0.0, 0.1, 0.0, 5.0, 0.0].iter().enumerate().all(|(row, &value)| dense.get(row) == value));
    }
}
