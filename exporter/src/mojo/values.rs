//! How numbers, lists and lines are spelled: as Java spells them.

use std::fmt::{self, Display, LowerExp};

use model::{JavaNumber, parse_java_double};

/// Displays `[a, b, c]` of numbers.
pub(super) struct Numbers<'v, T>(pub(super) &'v [T]);

impl<T: Into<f64> + LowerExp + Copy> Display for Numbers<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_list(f, self.0.iter().map(|&value| JavaNumber(value)))
    }
}

/// Displays `[a, b, c]` of counts.
pub(super) struct Counts<'v>(pub(super) &'v [usize]);

impl Display for Counts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_list(f, self.0.iter())
    }
}

fn write_list(f: &mut fmt::Formatter<'_>, values: impl Iterator<Item: Display>) -> fmt::Result {
    f.write_str("[")?;
    for (i, value) in values.enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        value.fmt(f)?;
    }
    f.write_str("]")
}

/// The elements of `[a, b, c]`, each trimmed, and how many they are; `None` for what is no list.
pub(super) fn elements(list: &str) -> Option<(usize, impl Iterator<Item = &str>)> {
    let inner = trim(list.strip_prefix('[')?.strip_suffix(']')?);
    let count = if inner.is_empty() { 0 } else { 1 + inner.matches(',').count() };
    Some((count, inner.split(',').map(trim).take(count)))
}

/// Without outer blanks and control characters, as `String.trim` of Java has it.
pub(super) fn trim(text: &str) -> &str {
    text.trim_matches(|c| c <= ' ')
}

/// Lines as `BufferedReader.readLine` of Java splits them: at a line feed, a carriage return, or both.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (line, end) = rest.split_at(rest.find(['\n', '\r']).unwrap_or(rest.len()));
        rest = end.strip_prefix("\r\n").unwrap_or_else(|| end.get(1..).unwrap_or_default());
        Some(line)
    })
}

/// A level as a line of a domain file.
pub(super) fn escape(level: &str) -> String {
    level.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r")
}

/// The level that a line of a domain file stands for.
pub(super) fn unescape(line: &str) -> String {
    let mut level = String::with_capacity(line.len());
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            level.push(c);
            continue;
        }
        // H2O drops a backslash that nothing follows.
        level.extend(chars.next().map(|escaped| match escaped {
            'n' => '\n',
            'r' => '\r',
            other => other,
        }));
    }
    level
}

/// Whether H2O's reader, which guesses types by spelling, takes this for something other than a text.
pub(super) fn is_guessed_as_value(text: &str) -> bool {
    let is_number = |text| parse_java_double(text).is_some();
    let is_list = || elements(text).is_some_and(|(_, mut list)| list.all(is_number));
    matches!(text, "null" | "true" | "false") || is_number(text) || is_list()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lists_are_spelled_as_java_spells_them() {
        assert_eq!(Numbers(&[0.106_362_194_f32, f32::MAX]).to_string(), "[0.106362194, 3.4028235E38]");
        assert_eq!(Numbers::<f64>(&[]).to_string(), "[]");
        assert_eq!(Counts(&[0, 8]).to_string(), "[0, 8]");
    }

    proptest! {
        #[test]
        fn every_level_survives_its_line(level: String) {
            let line = escape(&level);
            prop_assert!(!line.contains(['\n', '\r']));
            prop_assert_eq!(unescape(&line), level);
        }
    }

    #[test]
    fn lines_end_as_java_ends_them() {
        assert_eq!(lines("a\nb\r\nc\rd\u{85}e\n").collect::<Vec<_>>(), ["a", "b", "c", "d\u{85}e"]);
        assert_eq!(lines("\n\n").collect::<Vec<_>>(), ["", ""]);
        assert_eq!(lines("").count(), 0);
    }

    #[test]
    fn lists_are_split_at_commas() {
        let split = |text| elements(text).map(|(count, list)| (count, list.collect::<Vec<_>>()));
        assert_eq!(split("[a, b ,c]"), Some((3, vec!["a", "b", "c"])));
        assert_eq!(split("[]"), Some((0, vec![])));
        assert_eq!(split("[,]"), Some((2, vec!["", ""])));
        assert!(elements("[a").is_none() && elements("a").is_none() && elements("[").is_none());
    }

    #[test]
    fn a_text_that_looks_like_a_value_is_told() {
        for text in ["7", "1e5", "null", "true", "[1]", "[]", "NaN", "1f"] {
            assert!(is_guessed_as_value(text), "{text}");
        }
        for text in ["exposure", "3.46.0.11", "x1", "[a]"] {
            assert!(!is_guessed_as_value(text), "{text}");
        }
    }
}
