use model::JavaNumber;

use super::column::{Column, Values};
use super::{ColumnType, FrameError};

/// As many different numbers as H2O makes levels of.
const MAX_DISTINCT: usize = 10_000;

impl Column {
    /// Numbers, times or levels as another type that was declared for them; `None` if they cannot be that.
    pub(super) fn converted(&self, kind: ColumnType) -> Result<Option<Self>, FrameError> {
        Ok(Some(match kind {
            ColumnType::Numeric => Self::numeric(self.name.clone(), self.numbers()),
            ColumnType::Enum => self.to_categorical()?,
            ColumnType::Time => Self::time(self.name.clone(), self.numbers()),
            ColumnType::String => Self { values: Values::String { rows: self.len() }, ..self.clone() },
            ColumnType::Uuid => return Ok(None),
        }))
    }

    /// The column as categories, as H2O converts one after reading: the levels are the different numbers in numeric
    /// order, written plainly if all are whole and as Java writes doubles otherwise.
    ///
    /// (A column that is declared enum when it is read keeps the text of its cells, in bytewise order.)
    pub fn to_categorical(&self) -> Result<Self, FrameError> {
        match self.kind() {
            ColumnType::Enum => return Ok(self.clone()),
            ColumnType::String | ColumnType::Uuid => return Err(FrameError::NoText { column: self.name.clone() }),
            ColumnType::Numeric | ColumnType::Time => {}
        }
        let mut distinct: Vec<f64> = Vec::new();
        for value in self.numbers().filter(|value| !value.is_nan()) {
            if let Err(at) = distinct.binary_search_by(|other| other.total_cmp(&value)) {
                if distinct.len() == MAX_DISTINCT {
                    return Err(FrameError::TooManyDistinct { column: self.name.clone(), limit: MAX_DISTINCT });
                }
                distinct.insert(at, value);
            }
        }
        let all_whole = distinct.iter().all(|value| value.fract() == 0.0);
        let domain =
            distinct.iter().map(|&value| if all_whole { value.to_string() } else { JavaNumber(value).to_string() });
        let codes = self.numbers().map(|value| distinct.binary_search_by(|other| other.total_cmp(&value)).ok());
        let codes = codes.map(|code| code.map(|code| code as u32));
        Self::categorical(self.name.clone(), domain.collect(), codes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_become_levels_in_numeric_order() {
        let column = Column::numeric("a", [10.0, 9.0, f64::NAN, -1.0, 100_000_000.0, 9.0]);
        let converted = column.to_categorical().expect("few values");
        assert_eq!(converted.domain(), Some(&["-1", "9", "10", "100000000"].map(String::from)[..]));
        assert_eq!(
            (0..6).map(|row| converted.code(row)).collect::<Vec<_>>(),
            [2, 1, 9, 0, 3, 1].map(|c| (c != 9).then_some(c))
        );
    }

    #[test]
    fn other_numbers_are_written_as_java_does() {
        let values = [1.0, 2.5, 1e7, 1e-4, 123_456_789.5, -3.0, 100.0, 0.001, 1e21];
        let converted = Column::numeric("a", values).to_categorical().expect("few values");
        let expected = ["-3.0", "1.0E-4", "0.001", "1.0", "2.5", "100.0", "1.0E7", "1.234567895E8", "1.0E21"];
        assert_eq!(converted.domain(), Some(&expected.map(String::from)[..]));
    }

    #[test]
    fn ten_thousand_different_numbers_are_the_limit() {
        let column = |count: u32| Column::numeric("a", (0..count).map(f64::from));
        assert_eq!(column(10_000).to_categorical().expect("at the limit").domain().map(<[String]>::len), Some(10_000));
        assert!(matches!(column(10_001).to_categorical(), Err(FrameError::TooManyDistinct { limit: 10_000, .. })));
    }
}
