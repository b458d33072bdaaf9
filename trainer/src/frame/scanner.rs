use std::borrow::Cow;

use super::FrameError;
use super::number::ShortDecimal;
use super::text::line_ends;

/// One cell as it stands in the file.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Cell<'a> {
    /// The text without leading blanks and without quotes. Trailing blanks of an unquoted cell are kept, as in H2O.
    pub text: Cow<'a, [u8]>,
    pub quoted: bool,
    /// Whether it is the last of its row.
    pub ends_row: bool,
}

impl Cell<'_> {
    /// Nothing between two separators. Nothing between quotes is text without letters, as in H2O.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && !self.quoted
    }
}

/// What separates and surrounds cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dialect {
    pub separator: u8,
    /// Lines that begin with it are passed over.
    pub comment: u8,
    /// Whether `'` quotes as well as `"`.
    pub single_quotes: bool,
}

impl Dialect {
    pub fn csv(separator: u8) -> Self {
        Self { separator, comment: b'#', single_quotes: false }
    }

    pub fn arff(separator: u8) -> Self {
        Self { separator, comment: b'%', single_quotes: true }
    }

    fn quotes(self, byte: u8) -> bool {
        byte == b'"' || (byte == b'\'' && self.single_quotes)
    }
}

/// Finds cells, rows and lines in bytes that arrive in pieces.
///
/// A cell is given out once its end has arrived, so that the caller keeps no more than the cell that is incomplete.
/// Lines that are blank or comments are passed over.
#[derive(Debug)]
pub(super) struct Scanner<'f> {
    file: &'f str,
    dialect: Dialect,
    separator: u8,
    position: usize,
    line: u64,
    row_line: u64,
    cells: usize,
}

impl<'f> Scanner<'f> {
    /// A scanner of bytes that begin in this line, counted from 1.
    pub fn new(file: &'f str, dialect: Dialect, line: u64) -> Self {
        Self { file, dialect, separator: dialect.separator, position: 0, line, row_line: line, cells: 0 }
    }

    /// The cells of the current row given out so far; 0 between rows.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// The line, from 1, of the next byte.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Counts lines that somebody else has read.
    pub fn skip_lines(&mut self, lines: u64) {
        self.line += lines;
    }

    /// The line in which the current row, or the last one if it is complete, begins.
    pub fn row_line(&self) -> u64 {
        self.row_line
    }

    /// How many bytes are done with. The next call expects bytes that begin behind them.
    pub fn take_position(&mut self) -> usize {
        std::mem::take(&mut self.position)
    }

    /// The next cell if it is a bare decimal of few digits, which most cells of large tables are.
    #[inline]
    pub fn next_decimal(&mut self, bytes: &[u8]) -> Option<(ShortDecimal, bool)> {
        let rest = &bytes[self.position..];
        let negative = rest.first() == Some(&b'-');
        let start = usize::from(negative);
        let mut value = 0_u64;
        let mut at = start;
        let mut point = None;
        loop {
            // Wraps for long numbers, whose value is then not used.
            match *rest.get(at)? {
                digit @ b'0'..=b'9' => value = value.wrapping_mul(10).wrapping_add(u64::from(digit - b'0')),
                b'.' if point.is_none() => point = Some(at),
                byte if (byte == self.separator || byte == b'\n') && byte != b' ' => {
                    let digits = at - start - usize::from(point.is_some());
                    let fraction_digits = point.map_or(0, |point| at - point - 1);
                    let number = ShortDecimal::new(negative, value, digits, fraction_digits)?;
                    let ends_row = byte == b'\n';
                    self.advance(at + 1, 0, ends_row);
                    return Some((number, ends_row));
                }
                _ => return None,
            }
            at += 1;
        }
    }

    /// The next cell, or `None` if it is not all there (`whole`: if there is none).
    pub fn next<'a>(&mut self, bytes: &'a [u8], whole: bool) -> Result<Option<Cell<'a>>, FrameError> {
        if self.cells == 0 && !self.skip_to_row(bytes, whole) {
            return Ok(None);
        }
        let rest = &bytes[self.position..];
        let start = self.leading_blanks(rest);
        if let Some(&quote) = rest.get(start)
            && self.dialect.quotes(quote)
        {
            return self.next_quoted(rest, start + 1, quote, whole);
        }
        let length = rest[start..].iter().position(|&byte| byte == self.separator || byte == b'\n' || byte == b'\r');
        let end = length.map_or(rest.len(), |length| start + length);
        let Some((next, ends_row)) = self.behind(rest, end, whole) else { return Ok(None) };
        self.advance(next, 0, ends_row);
        Ok(Some(Cell { text: Cow::Borrowed(&rest[start..end]), quoted: false, ends_row }))
    }

    /// The next cell, whose text begins at `start`, behind the quote.
    fn next_quoted<'a>(
        &mut self,
        rest: &'a [u8],
        start: usize,
        quote: u8,
        whole: bool,
    ) -> Result<Option<Cell<'a>>, FrameError> {
        let mut has_doubled = false;
        let mut end = start;
        loop {
            let Some(length) = memchr::memchr(quote, &rest[end..]) else {
                let doubled = has_doubled.then_some(quote);
                return if whole { self.close_silently(rest, start, doubled).map(Some) } else { Ok(None) };
            };
            end += length;
            match rest.get(end + 1) {
                Some(&byte) if byte == quote => {
                    has_doubled = true;
                    end += 2;
                }
                None if !whole => return Ok(None),
                _ => break,
            }
        }
        let text = &rest[start..end];
        let blanks = if self.separator == b' ' { 0 } else { self.leading_blanks(&rest[end + 1..]) };
        let behind = end + 1 + blanks;
        match rest.get(behind) {
            Some(&byte) if byte != self.separator && byte != b'\n' && byte != b'\r' => {
                return Err(FrameError::TextAfterQuote {
                    file: self.file.to_owned(),
                    line: self.line + line_ends(text),
                    cell: self.cells + 1,
                });
            }
            _ => {}
        }
        let Some((next, ends_row)) = self.behind(rest, behind, whole) else { return Ok(None) };
        self.advance(next, line_ends(text), ends_row);
        Ok(Some(Cell { text: unescaped(text, has_doubled.then_some(quote)), quoted: true, ends_row }))
    }

    /// The last cell of a file that ends within quotes. H2O closes it silently; we do so within one line, where nothing
    /// else can be meant.
    fn close_silently<'a>(
        &mut self,
        rest: &'a [u8],
        start: usize,
        doubled: Option<u8>,
    ) -> Result<Cell<'a>, FrameError> {
        let text = &rest[start..];
        let line_end = text.iter().position(|&byte| byte == b'\n' || byte == b'\r').unwrap_or(text.len());
        if !text[line_end..].trim_ascii().is_empty() {
            return Err(FrameError::OpenQuote { file: self.file.to_owned(), line: self.line });
        }
        self.advance(rest.len(), line_ends(text), true);
        Ok(Cell { text: unescaped(text, doubled), quoted: true, ends_row: true })
    }

    /// Passes over blank lines and comments. Whether a row begins there, as far as is known.
    fn skip_to_row(&mut self, bytes: &[u8], whole: bool) -> bool {
        loop {
            let rest = &bytes[self.position..];
            let start = self.leading_blanks(rest);
            let line_end = match rest.get(start) {
                None if rest.is_empty() || !whole => return false,
                None | Some(b'\n' | b'\r') => Some(start),
                Some(&byte) if byte == self.dialect.comment => {
                    memchr::memchr2(b'\n', b'\r', &rest[start..]).map(|length| start + length)
                }
                Some(_) => return true,
            };
            let Some((next, _)) = self.behind(rest, line_end.unwrap_or(rest.len()), whole) else { return false };
            self.position += next;
            self.line += 1;
        }
    }

    /// Where the next cell begins if this one ends at `end`, and whether that is in another row.
    fn behind(&self, rest: &[u8], end: usize, whole: bool) -> Option<(usize, bool)> {
        // Blanks at the end of a line are no separators.
        let blanks = if self.separator == b' ' { self.leading_blanks(&rest[end..]) } else { 0 };
        let line_end = end + blanks;
        match (rest.get(line_end), rest.get(line_end + 1)) {
            (Some(b'\r'), Some(b'\n')) => Some((line_end + 2, true)),
            (Some(b'\r'), None) if !whole => None,
            (Some(b'\r' | b'\n'), _) => Some((line_end + 1, true)),
            (Some(_), _) => Some((end + 1, false)),
            (None, _) => whole.then_some((line_end, true)),
        }
    }

    #[inline]
    fn advance(&mut self, length: usize, inner_line_ends: u64, ends_row: bool) {
        if self.cells == 0 {
            self.row_line = self.line;
        }
        self.position += length;
        self.line += inner_line_ends + u64::from(ends_row);
        self.cells = if ends_row { 0 } else { self.cells + 1 };
    }

    fn leading_blanks(&self, bytes: &[u8]) -> usize {
        bytes.iter().take_while(|&&byte| self.is_blank(byte)).count()
    }

    fn is_blank(&self, byte: u8) -> bool {
        byte == b' ' || (byte == b'\t' && self.separator != b'\t')
    }
}

/// A text within quotes, each `doubled` quote made one.
fn unescaped(text: &[u8], doubled: Option<u8>) -> Cow<'_, [u8]> {
    let Some(quote) = doubled else { return Cow::Borrowed(text) };
    let mut single = Vec::with_capacity(text.len());
    let mut bytes = text.iter().copied();
    while let Some(byte) = bytes.next() {
        single.push(byte);
        if byte == quote {
            bytes.next();
        }
    }
    Cow::Owned(single)
}
