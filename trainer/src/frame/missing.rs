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
