//! What a file looks like, guessed from its beginning by H2O's rules.

mod agreement;
mod header;
mod separator;
mod types;

pub(super) use self::agreement::{ColumnLayout, agree, position_of, refuse_duplicates};
use self::types::Tally;
pub(super) use self::types::texts_are_varied;
use super::format::Format;
use super::scanner::{Dialect, Scanner};
use super::{ColumnType, FrameError, ReadOptions, arff};

/// How many rows the separator, the header and the number of columns are guessed from.
const SAMPLE_ROWS: usize = 10;

/// More columns than this are a damaged file rather than a table.
pub(super) const MAX_COLUMNS: usize = 1_000_000;

/// What one file looks like.
pub(super) struct Survey<'f> {
    pub file: &'f str,
    pub layout: FileLayout,
    width: usize,
    /// The names that the file gives to its columns, if it does.
    names: Option<Vec<String>>,
    /// What the cells of each column look like.
    tallies: Vec<Tally>,
    /// The types that the file gives to its columns, if it does.
    kinds: Option<Vec<ColumnType>>,
}

/// How the rows of one file are cut into cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct FileLayout {
    pub format: Format,
    pub dialect: Dialect,
    /// Whether the first row holds names.
    pub has_header: bool,
    /// The bytes before the first row, and its line.
    pub start: usize,
    pub first_line: u64,
}

impl FileLayout {
    fn new(format: Format, dialect: Dialect) -> Self {
        Self { format, dialect, has_header: false, start: 0, first_line: 1 }
    }
}

/// The first bytes of a file.
#[derive(Clone, Copy)]
pub(super) struct Preview<'a, 'f> {
    pub file: &'f str,
    pub text: &'a [u8],
    /// Whether that is all of the file.
    pub whole: bool,
}

impl<'f> Preview<'_, 'f> {
    /// Whether there is a header and a row, or all there ever will be.
    pub fn is_enough(&self) -> bool {
        self.whole
            || match self.format() {
                Format::Csv => separator::sample_lines(self.text, false, 2).len() == 2,
                Format::Arff => arff::has_data(self.text),
                Format::SvmLight => true,
            }
    }

    pub fn format(&self) -> Format {
        Format::of(self.text, self.whole)
    }

    /// Looks at a file. `known` are the names in a file of the same table.
    pub fn survey(self, options: &ReadOptions, known: Option<&[String]>) -> Result<Survey<'f>, FrameError> {
        match self.format() {
            Format::Csv => self.survey_csv(options, known),
            Format::Arff => self.survey_arff(),
            // It tells nothing about its columns before its end.
            Format::SvmLight => {
                let layout = FileLayout::new(Format::SvmLight, Dialect::csv(b' '));
                Ok(Survey { file: self.file, layout, width: 0, names: None, tallies: Vec::new(), kinds: None })
            }
        }
    }

    fn survey_csv(self, options: &ReadOptions, known: Option<&[String]>) -> Result<Survey<'f>, FrameError> {
        let file = || self.file.to_owned();
        let separator = options
            .separator
            .unwrap_or_else(|| separator::guess(&separator::sample_lines(self.text, self.whole, SAMPLE_ROWS)));
        let dialect = Dialect::csv(separator);
        let sample = self.sample_rows(dialect)?;
        let Some(first) = sample.first() else {
            return Err(if self.whole {
                FrameError::Empty { file: file() }
            } else {
                FrameError::without_end(self.file, 1, self.text)
            });
        };
        let repeats = || known.is_some_and(|names| header::repeats(&sample, names));
        let has_header = options.header.unwrap_or_else(|| header::guess(&sample) || repeats());
        let width = header::width(&sample);
        self.check_width(width)?;
        let names = has_header.then(|| header::names(first, &sample[1..], width)).transpose();
        let names = names.map_err(|found| FrameError::CellCount {
            file: file(),
            line: first.line,
            expected: width,
            found,
            separator,
        })?;
        let rows = sample.len().saturating_sub(usize::from(has_header));
        let counted = if rows > 1 { self.complete_lines() } else { self };
        let tallies = counted.tallies(dialect, has_header, width, &options.na_strings)?;
        let layout = FileLayout { has_header, ..FileLayout::new(Format::Csv, dialect) };
        Ok(Survey { file: self.file, layout, width, names, tallies, kinds: None })
    }

    fn survey_arff(self) -> Result<Survey<'f>, FrameError> {
        let header = arff::header(self.file, self.text)?;
        let (names, kinds): (Vec<_>, Vec<_>) = header.attributes.into_iter().unzip();
        self.check_width(names.len())?;
        let first_line = header.lines + 1;
        let rows = Self { text: &self.text[header.length..], ..self };
        let lines = separator::sample_lines(rows.text, self.whole, SAMPLE_ROWS);
        let lines: Vec<&[u8]> = lines.into_iter().filter(|line| !line.trim_ascii_start().starts_with(b"%")).collect();
        let separator = match lines.first() {
            Some(line) if names.len() > 1 && !line.contains(&b',') => separator::guess(&lines),
            _ => b',',
        };
        let dialect = Dialect::arff(separator);
        if lines.first().is_some_and(|line| line.trim_ascii_start().starts_with(b"{")) {
            let line = rows.sample_rows(dialect).ok().and_then(|sample| Some(sample.first()?.line)).unwrap_or(1);
            return Err(FrameError::ArffSparse { file: self.file.to_owned(), line: header.lines + line });
        }
        let layout = FileLayout { start: header.length, first_line, ..FileLayout::new(Format::Arff, dialect) };
        let tallies = names.iter().map(|_| Tally::default()).collect();
        Ok(Survey { file: self.file, layout, width: names.len(), names: Some(names), tallies, kinds: Some(kinds) })
    }

    fn check_width(&self, found: usize) -> Result<(), FrameError> {
        if found > MAX_COLUMNS {
            return Err(FrameError::TooManyColumns { file: self.file.to_owned(), found, limit: MAX_COLUMNS });
        }
        Ok(())
    }

    /// The preview without a last line that has no end, be it cut off or the end of the file: H2O does not count it.
    fn complete_lines(self) -> Self {
        match memchr::memrchr2(b'\n', b'\r', self.text) {
            Some(end) if end + 1 < self.text.len() => Preview { text: &self.text[..=end], whole: false, ..self },
            _ => self,
        }
    }

    fn sample_rows(self, dialect: Dialect) -> Result<Vec<SampleRow>, FrameError> {
        let mut scanner = Scanner::new(self.file, dialect, 1);
        let mut rows = Vec::new();
        let mut cells = Vec::new();
        while rows.len() < SAMPLE_ROWS
            && let Some(cell) = scanner.next(self.text, self.whole)?
        {
            let ends_row = cell.ends_row;
            cells.push(cell.text.into_owned());
            if ends_row {
                rows.push(SampleRow { line: scanner.row_line(), cells: std::mem::take(&mut cells) });
            }
        }
        Ok(rows)
    }

    fn tallies(
        self,
        dialect: Dialect,
        has_header: bool,
        width: usize,
        na_strings: &[String],
    ) -> Result<Vec<Tally>, FrameError> {
        let mut scanner = Scanner::new(self.file, dialect, 1);
        let mut tallies: Vec<Tally> = (0..width).map(|_| Tally::default()).collect();
        let mut in_header = has_header;
        loop {
            let position = scanner.cells();
            let Some(cell) = scanner.next(self.text, self.whole)? else { return Ok(tallies) };
            if !in_header
                && let Some(tally) = tallies.get_mut(position)
                && !cell.is_empty()
                && !super::is_na_string(&cell.text, na_strings)
            {
                tally.add(&cell.text, cell.quoted);
            }
            in_header = in_header && !cell.ends_row;
        }
    }
}

/// A row of the sample.
struct SampleRow {
    line: u64,
    cells: Vec<Vec<u8>>,
}
