//! SVMLight: a row is its target and the features that are not zero, `TARGET INDEX:VALUE INDEX:VALUE ..`.
//!
//! The target is column C1, feature i column C<i + 1>. Indices are whole numbers from 1 that rise along a row; what
//! begins with `qid:` is passed over, and so is everything behind `#`. A row with anything else is refused; H2O drops
//! the rest of it.

use super::column::{Column, Values};
use super::guess::MAX_COLUMNS;
use super::missing::MissingRows;
use super::sparse::SparseNumbers;
use super::storage::Numbers;
use super::text::{line_length, readable};
use super::{ColumnType, FrameError, ReadOptions, number};

/// Whether most of the first lines are rows of SVMLight and one of them has a feature.
pub(super) fn is_svmlight(text: &[u8], whole: bool) -> bool {
    const LOOKED_AT: usize = 10;
    let (mut start, mut lines, mut rows, mut features) = (0, 0, 0, Vec::new());
    while lines < LOOKED_AT
        && let Some((length, next)) = line_length(&text[start..], whole)
    {
        let line = without_comment(&text[start..start + length]);
        start += next;
        if !line.is_empty() {
            lines += 1;
            rows += usize::from(parse(line, &mut features).is_ok());
        }
    }
    2 * rows > lines && !features.is_empty()
}

/// Rows as they come in.
pub(super) struct Rows {
    limit: u32,
    targets: Numbers,
    /// For each feature the rows where it is not zero.
    features: Vec<SparseNumbers>,
    scratch: Vec<(usize, f64)>,
}

impl Rows {
    pub fn new() -> Self {
        Self { limit: u32::MAX, targets: Numbers::new(), features: Vec::new(), scratch: Vec::new() }
    }

    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Takes every line that is complete and returns their length. `line` is the number of the next one.
    pub fn take(&mut self, bytes: &[u8], whole: bool, file: &str, line: &mut u64) -> Result<usize, FrameError> {
        let mut start = 0;
        while let Some((length, next)) = line_length(&bytes[start..], whole) {
            let text = without_comment(&bytes[start..start + length]);
            if !text.is_empty() {
                self.take_row(text, file, *line)?;
            }
            start += next;
            *line += 1;
        }
        Ok(start)
    }

    fn take_row(&mut self, text: &[u8], file: &str, line: u64) -> Result<(), FrameError> {
        let Some(row) = u32::try_from(self.len()).ok().filter(|&row| row < self.limit) else {
            return Err(FrameError::TooManyRows { file: file.to_owned(), limit: self.limit });
        };
        self.scratch.clear();
        let target = parse(text, &mut self.scratch).map_err(|mistake| mistake.named(file, line))?;
        if let Some(&(last, _)) = self.scratch.last() {
            if last >= MAX_COLUMNS {
                let (found, limit) = (last.saturating_add(1), MAX_COLUMNS);
                return Err(FrameError::TooManyColumns { file: file.to_owned(), found, limit });
            }
            self.features.resize_with(self.features.len().max(last), SparseNumbers::new);
        }
        self.targets.push(target);
        for &(index, value) in &self.scratch {
            self.features[index - 1].push(row, value);
        }
        Ok(())
    }

    /// The columns, of numbers unless they are declared to be something else.
    pub fn finish(self, file: &str, options: &ReadOptions) -> Result<Vec<Column>, FrameError> {
        let rows = self.len();
        let features = self.features.into_iter().map(|feature| feature.finish(rows));
        let columns = std::iter::once(Values::Numeric(self.targets)).chain(features);
        let named = |(number, values)| Column {
            name: format!("C{number}"),
            values,
            missing: MissingRows::default(),
            unreadable: 0,
        };
        let mut columns: Vec<Column> = (1..).zip(columns).map(named).collect();
        for (name, kind) in &options.known_types {
            if position(name, &columns).is_some() {
                declare(file, &mut columns, name, *kind)?;
            }
        }
        for (name, kind) in &options.column_types {
            declare(file, &mut columns, name, *kind)?;
        }
        Ok(columns)
    }
}

fn position(name: &str, columns: &[Column]) -> Option<usize> {
    let number: usize = name.strip_prefix('C')?.parse().ok()?;
    number.checked_sub(1).filter(|&at| columns.get(at).is_some_and(|column| column.name == name))
}

fn declare(file: &str, columns: &mut [Column], name: &str, kind: ColumnType) -> Result<(), FrameError> {
    let file = file.to_owned();
    let Some(at) = position(name, columns) else {
        let columns = columns.iter().map(|column| column.name.clone()).collect();
        return Err(FrameError::UnknownColumn { file, name: name.to_owned(), columns });
    };
    let column = &columns[at];
    columns[at] = match kind {
        ColumnType::Numeric => return Ok(()),
        ColumnType::Enum => column.to_categorical()?,
        ColumnType::Time => Column::time(name, column.numbers()),
        ColumnType::String | ColumnType::Uuid => {
            return Err(FrameError::SvmLightType { file, column: name.to_owned(), given: kind });
        }
    };
    Ok(())
}

/// The first part of a row that is not what it should be.
enum Mistake<'a> {
    Target(&'a [u8]),
    Feature(&'a [u8]),
}

impl Mistake<'_> {
    fn named(&self, file: &str, line: u64) -> FrameError {
        let file = file.to_owned();
        match self {
            Self::Target(text) => FrameError::SvmLightTarget { file, line, found: readable(text) },
            Self::Feature(text) => FrameError::SvmLightFeature { file, line, found: readable(text) },
        }
    }
}

/// Reads a row: adds its features to `features` and returns its target.
fn parse<'a>(line: &'a [u8], features: &mut Vec<(usize, f64)>) -> Result<f64, Mistake<'a>> {
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let target = words.next().unwrap_or_default();
    let value = number::decimal(target).filter(|value| value.is_finite()).ok_or(Mistake::Target(target))?;
    let mut last = 0;
    for word in words.filter(|word| !word.starts_with(b"qid:")) {
        let (index, feature) = feature(word).filter(|&(index, _)| index > last).ok_or(Mistake::Feature(word))?;
        features.push((index, feature));
        last = index;
    }
    // Adding zero turns -0 into 0.
    Ok(value + 0.0)
}

fn feature(word: &[u8]) -> Option<(usize, f64)> {
    let colon = memchr::memchr(b':', word)?;
    let (index, value) = (&word[..colon], &word[colon + 1..]);
    if !index.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some((std::str::from_utf8(index).ok()?.parse().ok()?, number::decimal(value)?))
}

fn without_comment(line: &[u8]) -> &[u8] {
    let end = memchr::memchr(b'#', line).unwrap_or(line.len());
    line[..end].trim_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether each is SVMLight was asked of H2O 3.46.0.11.
    #[test]
    fn svmlight_is_told_from_csv_as_in_h2o() {
        for text in [
            "1 1:0.5 3:2\n-1 2:1\n+1 1:3\n",
            "# c\n1 1:0.5 3:2\n0 2:1\n",
            "1\n0 2:1\n1\n",
            "1.5 1:1e-3 2:-4\n2.5 2:.5\n",
            "1 1:1  2:2\n  0 2:1  \n\n1 1:1\n",
            "1\t1:1\t2:2\r\n0\t2:1\r\n",
            "1 5:1",
            "1 1:0.5 x:2 3:1\n0 2:1\n0 2:1\n",
            "1 1:1\n0 2:1\n0 3:1\nfoo,bar\n0 4:1\n",
        ] {
            assert!(is_svmlight(text.as_bytes(), true), "{text:?}");
        }
        for text in [
            "",
            "1\n2\n3\n",
            "a 1:1\nb 2:1\n",
            "1 1:1 1:2\n0 2:1\n",
            "1 0:0.5 1:2\n0 2:1\n",
            "1,2 1:1\n0 2:1\n",
            "1:1 2:2\n3:1 4:1\n",
            "1 1:nan\n0 1:1\n0 2:inf\n",
            "1 10:00:00\n2 11:00:00\n",
            "1 1.5:1\n0 1:1\n",
            "$1 1:$2\n0 2:1%\n1 3:3\n",
        ] {
            assert!(!is_svmlight(text.as_bytes(), true), "{text:?}");
        }
    }

    #[test]
    fn too_many_rows_are_refused() {
        let mut rows = Rows { limit: 2, ..Rows::new() };
        let refused = rows.take(b"1 1:1\n2 1:1\n3 1:1\n", true, "t.svm", &mut 1);
        assert!(matches!(refused, Err(FrameError::TooManyRows { limit: 2, .. })));
    }
}
