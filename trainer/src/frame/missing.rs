/// The rows without a value, one bit each.
///
/// The bits end at the last missing row, so that a column without any costs nothing.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct MissingRows {
    words: Vec<u64>,
    count: usize,
}

impl MissingRows {
    /// Marks a row that has not been marked before.
    pub fn insert(&mut self, row: usize) {
        let word = row / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (row % 64);
        self.count += 1;
    }

    /// Marks the rows that are marked in a part whose first row is `start` here. All rows marked so far are before it.
    pub fn append(&mut self, part: &Self, start: usize) {
        let (first, shift) = (start / 64, start % 64);
        for (at, &word) in part.words.iter().enumerate().filter(|&(_, &word)| word != 0) {
            let high = word.checked_shr(64 - shift as u32).unwrap_or(0);
            for (at, bits) in [(first + at, word << shift), (first + at + 1, high)] {
                if bits != 0 {
                    self.words.resize(self.words.len().max(at + 1), 0);
                    self.words[at] |= bits;
                }
            }
        }
        self.count += part.count;
    }

    pub fn contains(&self, row: usize) -> bool {
        self.words.get(row / 64).is_some_and(|word| word >> (row % 64) & 1 == 1)
    }

    pub fn count(&self) -> usize {
        self.count
    }

    pub fn memory_bytes(&self) -> usize {
        self.words.len() * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn marked(rows: &[bool]) -> MissingRows {
        let mut missing = MissingRows::default();
        rows.iter().enumerate().filter(|(_, is_missing)| **is_missing).for_each(|(row, _)| missing.insert(row));
        missing
    }

    proptest! {
        #[test]
        fn parts_behind_each_other_are_the_whole(
            rows in prop::collection::vec(prop::bool::weighted(0.1), 0..400), cut in any::<prop::sample::Index>()
        ) {
            let (first, rest) = rows.split_at(cut.index(rows.len() + 1).min(rows.len()));
            let mut appended = marked(first);
            appended.append(&marked(rest), first.len());
            prop_assert_eq!(appended, marked(&rows));
        }
    }
}
