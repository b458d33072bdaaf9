use super::missing::MissingRows;
use super::sparse::SparseNumbers;
use super::storage::{Codes, Numbers};
use super::time::Times;
use super::{ColumnType, FrameError};

/// One named column of a [`Frame`](super::Frame).
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    pub(super) name: String,
    pub(super) values: Values,
    pub(super) missing: MissingRows,
    pub(super) unreadable: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Values {
    Numeric(Numbers),
    /// Numbers as well.
    Sparse(SparseNumbers),
    Enum {
        codes: Codes,
        domain: Vec<String>,
    },
    Time(Times),
    /// Free text is counted, not kept: nothing can be learned from it.
    String {
        rows: usize,
    },
    /// As free text.
    Uuid {
        rows: usize,
    },
}

impl Column {
    /// A column of numbers; NaN means missing.
    pub fn numeric(name: impl Into<String>, values: impl IntoIterator<Item = f64>) -> Self {
        let mut numbers = Numbers::new();
        let mut missing = MissingRows::default();
        for value in values {
            if value.is_nan() {
                missing.insert(numbers.len());
                numbers.push_placeholder();
            } else {
                numbers.push(value);
            }
        }
        numbers.shrink_to_fit();
        Self { name: name.into(), values: Values::Numeric(numbers), missing, unreadable: 0 }
    }

    /// A column of points in time, in milliseconds since 1970 in UTC; NaN means missing.
    pub fn time(name: impl Into<String>, millis: impl IntoIterator<Item = f64>) -> Self {
        let mut times = Times::new();
        let mut missing = MissingRows::default();
        for value in millis {
            if value.is_nan() {
                missing.insert(times.len());
                times.push_placeholder();
            } else {
                times.push(value);
            }
        }
        times.shrink_to_fit();
        Self { name: name.into(), values: Values::Time(times), missing, unreadable: 0 }
    }

    /// A column of categories: each row's code is a position in `domain`, `None` means missing.
    pub fn categorical(
        name: impl Into<String>,
        domain: Vec<String>,
        codes: impl IntoIterator<Item = Option<u32>>,
    ) -> Result<Self, FrameError> {
        let name = name.into();
        let mut stored = Codes::new();
        let mut missing = MissingRows::default();
        for (row, code) in codes.into_iter().enumerate() {
            match code {
                Some(code) if (code as usize) < domain.len() => stored.push(code),
                Some(code) => {
                    return Err(FrameError::CodeOutsideDomain { column: name, row, code, levels: domain.len() });
                }
                None => {
                    missing.insert(row);
                    stored.push(0);
                }
            }
        }
        stored.shrink_to_fit();
        Ok(Self { name, values: Values::Enum { codes: stored, domain }, missing, unreadable: 0 })
    }

    /// The column's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the column holds.
    pub fn kind(&self) -> ColumnType {
        match self.values {
            Values::Numeric(_) | Values::Sparse(_) => ColumnType::Numeric,
            Values::Enum { .. } => ColumnType::Enum,
            Values::Time(_) => ColumnType::Time,
            Values::String { .. } => ColumnType::String,
            Values::Uuid { .. } => ColumnType::Uuid,
        }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        match &self.values {
            Values::Numeric(numbers) => numbers.len(),
            Values::Sparse(numbers) => numbers.len(),
            Values::Enum { codes, .. } => codes.len(),
            Values::Time(times) => times.len(),
            Values::String { rows } | Values::Uuid { rows } => *rows,
        }
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of rows without a value.
    pub fn missing_count(&self) -> usize {
        self.missing.count()
    }

    /// How many of the missing values were text in a column of numbers, times or UUIDs (other than the usual spellings of
    /// "missing").
    pub fn unreadable_count(&self) -> usize {
        self.unreadable
    }

    /// Whether a row has no value.
    pub fn is_missing(&self, row: usize) -> bool {
        self.missing.contains(row)
    }

    /// The row's number, its code in a categorical column, or its milliseconds since 1970 in a column of times; NaN if it
    /// is missing or text.
    ///
    /// # Panics
    /// If there is no such row.
    #[inline]
    pub fn number(&self, row: usize) -> f64 {
        if self.missing.contains(row) {
            return f64::NAN;
        }
        match &self.values {
            Values::Numeric(numbers) => numbers.get(row),
            Values::Sparse(numbers) => numbers.get(row),
            Values::Enum { codes, .. } => f64::from(codes.get(row)),
            Values::Time(times) => times.get(row),
            Values::String { .. } | Values::Uuid { .. } => f64::NAN,
        }
    }

    /// The row's category, if the column is categorical and the value not missing.
    ///
    /// # Panics
    /// If there is no such row.
    #[inline]
    pub fn code(&self, row: usize) -> Option<u32> {
        match &self.values {
            Values::Enum { codes, .. } if !self.missing.contains(row) => Some(codes.get(row)),
            _ => None,
        }
    }

    /// The levels of a categorical column, in the order of their codes.
    pub fn domain(&self) -> Option<&[String]> {
        match &self.values {
            Values::Enum { domain, .. } => Some(domain),
            _ => None,
        }
    }

    /// Every row's [`number`](Self::number).
    pub fn numbers(&self) -> impl ExactSizeIterator<Item = f64> + '_ {
        (0..self.len()).map(|row| self.number(row))
    }

    /// The memory that the values take, without those in a file.
    pub fn memory_bytes(&self) -> usize {
        let values = match &self.values {
            Values::Numeric(numbers) => numbers.bytes(),
            Values::Sparse(numbers) => numbers.memory_bytes(),
            Values::Enum { codes, domain } => {
                codes.bytes() + domain.iter().map(|level| level.len() + size_of::<String>()).sum::<usize>()
            }
            Values::Time(times) => times.bytes(),
            Values::String { .. } | Values::Uuid { .. } => 0,
        };
        values - self.spilled_bytes() + self.missing.memory_bytes()
    }

    /// The bytes of values in a file.
    pub fn spilled_bytes(&self) -> usize {
        match &self.values {
            Values::Numeric(numbers) => numbers.mapped_bytes(),
            Values::Enum { codes, .. } => codes.mapped_bytes(),
            Values::Time(times) => times.mapped_bytes(),
            Values::Sparse(_) | Values::String { .. } | Values::Uuid { .. } => 0,
        }
    }
}
