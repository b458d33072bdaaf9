use super::super::scanner::{Dialect, Scanner};

/// The candidates, in H2O's order.
const CANDIDATES: [u8; 6] = [0x01, b',', b';', b'|', b'\t', b' '];

/// The first lines that are neither blank nor comments; line breaks within quotes do not end a line.
///
/// As the separator is not known yet, a quote counts as opening one at the start of a line and behind any candidate. A
/// line that is cut off by the end of the preview is left out, unless the preview is the `whole` file.
pub(super) fn sample_lines(preview: &[u8], whole: bool, limit: usize) -> Vec<&[u8]> {
    let mut lines = Vec::new();
    let mut start = 0;
    while lines.len() < limit && start < preview.len() {
        let rest = &preview[start..];
        let line = match line_length(rest) {
            Some(length) => &rest[..length],
            None if whole => rest,
            None => break,
        };
        start += line.len() + 1;
        let text = line.trim_ascii_start();
        if !text.is_empty() && text[0] != b'#' {
            lines.push(line);
        }
    }
    lines
}

/// Guesses the separator from the first lines of a file.
pub(super) fn guess(lines: &[&[u8]]) -> u8 {
    match lines {
        [] => b',',
        [only] => match count(only) {
            counts if counts[position(b',')] > 0 => b',',
            counts if counts[position(b' ')] > 0 => b' ',
            _ => b',',
        },
        // Where no candidate fits H2O takes the space. With the likeliest one the line that does not fit can be named.
        [first, second] => guess_from_two(first, second).unwrap_or_else(|| most_frequent(first)),
        [first, second, third, ..] => guess_from_two(first, second)
            .or_else(|| guess_from_two(second, third))
            .or_else(|| guess_from_two(first, third))
            .unwrap_or_else(|| most_frequent(first)),
    }
}

/// The first candidate that splits both lines into the same number of cells, unless an earlier one is far more
/// frequent; else the most frequent one of the first line.
fn guess_from_two(first: &[u8], second: &[u8]) -> Option<u8> {
    let (first_counts, second_counts) = (count(first), count(second));
    let mut largest = 0;
    for (at, &separator) in CANDIDATES.iter().enumerate() {
        let found = first_counts[at];
        largest = largest.max(found);
        let plausible = found > 0 && found == second_counts[at] && found >= largest / 2;
        if plausible && cells(first, separator) == found + 1 && cells(second, separator) == found + 1 {
            return Some(separator);
        }
    }
    let separator = most_frequent(first);
    (cells(first, separator) == cells(second, separator)).then_some(separator)
}

fn most_frequent(line: &[u8]) -> u8 {
    let counts = count(line);
    // Of equally frequent ones the first.
    let at = (0..CANDIDATES.len()).rev().max_by_key(|&at| counts[at]).filter(|&at| counts[at] > 0);
    at.map_or(b' ', |at| CANDIDATES[at])
}

fn position(separator: u8) -> usize {
    CANDIDATES.iter().position(|&candidate| candidate == separator).unwrap_or(0)
}

/// How often each candidate occurs outside quotes.
fn count(line: &[u8]) -> [usize; CANDIDATES.len()] {
    let mut counts = [0; CANDIDATES.len()];
    visit_unquoted(line, |_, byte| {
        if let Some(at) = CANDIDATES.iter().position(|&candidate| candidate == byte) {
            counts[at] += 1;
        }
        true
    });
    counts
}

/// The bytes before the end of the line, if that is there.
fn line_length(text: &[u8]) -> Option<usize> {
    let mut length = None;
    visit_unquoted(text, |at, byte| {
        if byte == b'\n' || byte == b'\r' {
            length = Some(at);
        }
        length.is_none()
    });
    length
}

/// Calls `visit` with each byte outside quotes and its position, until it returns false.
fn visit_unquoted(text: &[u8], mut visit: impl FnMut(usize, u8) -> bool) {
    let mut at_start = true;
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        if byte == b'"' && at_start {
            // A doubled quote inside closes this one and opens the next, which comes to the same.
            let Some(length) = memchr::memchr(b'"', &text[at + 1..]) else { return };
            at += length + 1;
            at_start = text.get(at + 1) == Some(&b'"');
        } else {
            if !visit(at, byte) {
                return;
            }
            at_start = CANDIDATES.contains(&byte);
        }
        at += 1;
    }
}

/// How many cells the line has with this separator.
fn cells(line: &[u8], separator: u8) -> usize {
    let mut scanner = Scanner::new("", Dialect::csv(separator), 1);
    let mut cells = 0;
    loop {
        match scanner.next(line, true) {
            Ok(Some(_)) => cells += 1,
            Ok(None) => return cells,
            // With this separator it is no line of a table.
            Err(_) => return 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guessed(text: &str) -> char {
        char::from(guess(&sample_lines(text.as_bytes(), true, 10)))
    }

    #[test]
    fn separators_are_found_as_h2o_finds_them() {
        for (text, separator) in [
            ("a,b\n1,2\n", ','),
            ("a;b\n1,5;2\n", ';'),
            ("a|b\n1|2\n", '|'),
            ("a\tb\n1\t x\n", '\t'),
            ("a\u{1}b\n1\u{1}2\n", '\u{1}'),
            ("a b c\n1  2 3\n", ' '),
            ("a;b,c\n1;2,3\n", ','),
            ("a,b;c;d\n1,2;3;4\n", ','),
            ("\"a;b\",c\n1,2\n", ','),
            ("\"a,b\" c\n1 2\n", ' '),
            ("just one line\n", ' '),
            ("just one, line\n", ','),
            ("one\n", ','),
            ("# a;b\n\na,b\n1,2\n", ','),
        ] {
            assert_eq!(guessed(text), separator, "{text:?}");
        }
    }

    #[test]
    fn a_line_that_differs_gives_way_to_the_next_two() {
        assert_eq!(guessed("a title; with, signs; in it\n1,2\n3,4\n"), ',');
    }

    #[test]
    fn sample_lines_end_outside_quotes_only() {
        let lines = sample_lines(b"a,\"x\ny\",b\r\n5\" pipe,2\n\n#c\nlast", false, 10);
        assert_eq!(lines, [&b"a,\"x\ny\",b"[..], b"5\" pipe,2"]);
        let whole = sample_lines(b"one\rtwo\rlast", true, 10);
        assert_eq!(whole, [&b"one"[..], b"two", b"last"]);
        assert_eq!(sample_lines(b"\"never closed\nx", true, 10).len(), 1);
    }
}
