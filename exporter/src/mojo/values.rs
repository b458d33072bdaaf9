//! How numbers, lists and lines are spelled: as Java spells them.

use std::fmt::LowerExp;

use model::parse_java_double;

/// Appends a number as `Double.toString` or `Float.toString` of Java prints it, with the shortest digits that read back
/// as it. (Java before 19 gives some numbers a digit more; both spellings are the same number.)
pub(super) fn push_number<T: Into<f64> + LowerExp + Copy>(out: &mut String, number: T) {
    let value: f64 = number.into();
    if value.is_nan() {
        return out.push_str("NaN");
    }
    if value.is_infinite() {
        return out.push_str(if value > 0.0 { "Infinity" } else { "-Infinity" });
    }
    let scientific = format!("{number:e}");
    let unsigned = scientific.strip_prefix('-').unwrap_or(&scientific);
    let (mantissa, exponent) = unsigned.split_once('e').unwrap_or((unsigned, "0"));
    let (first, rest) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let power: i32 = exponent.parse().unwrap_or(0);
    if value.is_sign_negative() {
        out.push('-');
    }
    match power {
        -3..=-1 => {
            out.push_str(["0.", "0.0", "0.00"][power.unsigned_abs() as usize - 1]);
            out.push_str(first);
            out.push_str(rest);
        }
        0..=6 => {
            let whole = power.unsigned_abs() as usize;
            let (before, after) = rest.split_at(whole.min(rest.len()));
            out.push_str(first);
            out.push_str(before);
            out.extend(std::iter::repeat_n('0', whole - before.len()));
            out.push('.');
            out.push_str(if after.is_empty() { "0" } else { after });
        }
        _ => {
            out.push_str(first);
            out.push('.');
            out.push_str(if rest.is_empty() { "0" } else { rest });
            out.push('E');
            out.push_str(exponent);
        }
    }
}

/// A number in Java's spelling.
pub(super) fn number(value: f64) -> String {
    let mut text = String::new();
    push_number(&mut text, value);
    text
}

/// `[a, b, c]` of numbers in Java's spelling.
pub(super) fn numbers<T: Into<f64> + LowerExp + Copy>(values: &[T]) -> String {
    let mut text = String::with_capacity(2 + 12 * values.len());
    text.push('[');
    for (i, &value) in values.iter().enumerate() {
        if i > 0 {
            text.push_str(", ");
        }
        push_number(&mut text, value);
    }
    text.push(']');
    text
}

/// `[a, b, c]` of whole numbers.
pub(super) fn counts(values: &[usize]) -> String {
    let texts: Vec<String> = values.iter().map(usize::to_string).collect();
    format!("[{}]", texts.join(", "))
}

/// The elements of `[a, b, c]`, each trimmed; `None` for what is no list.
pub(super) fn elements(list: &str) -> Option<impl Iterator<Item = &str>> {
    let inner = trim(list.strip_prefix('[')?.strip_suffix(']')?);
    let count = if inner.is_empty() { 0 } else { usize::MAX };
    Some(inner.split(',').map(trim).take(count))
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
    let is_list = || elements(text).is_some_and(|mut list| list.all(is_number));
    matches!(text, "null" | "true" | "false") || is_number(text) || is_list()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_are_spelled_as_java_spells_them() {
        let cases = [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (0.5, "0.5"),
            (1.0, "1.0"),
            (-1.0, "-1.0"),
            (100.0, "100.0"),
            (123.456, "123.456"),
            (1_234_567.0, "1234567.0"),
            (9_999_999.5, "9999999.5"),
            (1e7, "1.0E7"),
            (1.234_567_890_12e11, "1.23456789012E11"),
            (1e-3, "0.001"),
            (0.0123, "0.0123"),
            (9.795e-4, "9.795E-4"),
            (1e-5, "1.0E-5"),
            // Java's shortest spelling has two digits at least, and is 4.9E-324.
            (5e-324, "5.0E-324"),
            (f64::MAX, "1.7976931348623157E308"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-Infinity"),
        ];
        for (value, text) in cases {
            assert_eq!(number(value), text);
        }
        assert_eq!(numbers(&[0.106_362_194_f32, f32::MAX]), "[0.106362194, 3.4028235E38]");
        assert_eq!(numbers::<f64>(&[]), "[]");
        assert_eq!(counts(&[0, 8]), "[0, 8]");
    }

    proptest! {
        #[test]
        fn every_double_reads_back_as_itself(bits: u64) {
            let value = f64::from_bits(bits);
            let back = parse_java_double(&number(value)).unwrap();
            prop_assert!(back.to_bits() == bits || (back.is_nan() && value.is_nan()));
        }

        #[test]
        fn every_float_reads_back_as_itself_through_a_double(bits: u32) {
            let value = f32::from_bits(bits);
            let mut text = String::new();
            push_number(&mut text, value);
            let back = parse_java_double(&text).unwrap() as f32;
            prop_assert!(back.to_bits() == bits || (back.is_nan() && value.is_nan()));
        }

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
        assert_eq!(elements("[a, b ,c]").map(Iterator::collect::<Vec<_>>), Some(vec!["a", "b", "c"]));
        assert_eq!(elements("[]").map(Iterator::count), Some(0));
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
