//! Values as Java expressions. A constant has at most 65,535 bytes, a class as many constants, a method as much code: longer
//! lists become texts in pieces, which the class takes apart when it is loaded.

use std::fmt::Write as _;

use model::{Domain, JavaNumber};

use super::names::comment;

/// The longest list that is written as one.
const LONGEST_LIST: usize = 500;
/// The longest text that is written as one, in bytes.
const LONGEST_TEXT: usize = 4_000;
/// As many pieces as a list of them may have, so that its code fits into a method.
pub(super) const MOST_PIECES: usize = 5_000;
/// The width of lines, but for those of a text in very many pieces.
const WIDTH: usize = 100;

/// A text as an expression.
pub(super) fn text(text: &str) -> String {
    if text.len() <= LONGEST_TEXT {
        return quoted(text);
    }
    format!("String.join(\"\", {})", pieces(text, " ").join(", "))
}

/// Texts as the initialiser of an array, on lines that are indented so far.
pub(super) fn texts(texts: &[impl AsRef<str>], indent: usize) -> String {
    if is_short(texts) {
        return list(texts.iter().map(|text| quoted(text.as_ref())), indent);
    }
    packed_texts(texts, indent)
}

/// Whether texts are written as a list.
fn is_short(texts: &[impl AsRef<str>]) -> bool {
    texts.len() <= LONGEST_LIST && texts.iter().all(|text| text.as_ref().len() <= LONGEST_TEXT)
}

/// Texts in pieces. There must be one at least.
pub(super) fn packed_texts(texts: &[impl AsRef<str>], indent: usize) -> String {
    let separator = separator(texts);
    let joined = texts.iter().map(AsRef::as_ref).collect::<Vec<&str>>().join(&separator);
    call("texts", std::iter::once(quoted(&separator)).chain(pieces(&joined, &separator)), indent)
}

/// A text that none of the texts contains, and that does not arise where one of them meets it either, as its start is not
/// its end.
fn separator(texts: &[impl AsRef<str>]) -> String {
    let is_new = |separator: &str| texts.iter().all(|text| !text.as_ref().contains(separator));
    let mut separator = "|".to_owned();
    let mut number = 0_u64;
    while !is_new(&separator) {
        separator = format!("<{number}>");
        number += 1;
    }
    separator
}

/// Lists of texts, or none, as the initialiser of an array, with what each belongs to.
pub(super) fn lists(lists: &[Option<&Domain>], names: &[&str], indent: usize) -> String {
    let all: Vec<&str> = lists.iter().copied().flatten().flat_map(Domain::levels).map(String::as_str).collect();
    if lists.iter().all(Option::is_none) {
        return format!("new String[{}][]", lists.len());
    }
    if lists.len() > LONGEST_LIST || !is_short(&all) {
        let counts: Vec<String> =
            lists.iter().map(|list| list.map_or(-1, |list| list.len() as i64).to_string()).collect();
        let counts = call("integers", pieces(&counts.join(" "), " ").into_iter(), indent + 4);
        return call("divided", [counts, packed_texts(&all, indent + 4)].into_iter(), indent);
    }
    let inner = indent + 4;
    let item = |list: Option<&Domain>| match list {
        Some(list) => self::list(list.levels().iter().map(|level| quoted(level)), inner),
        None => "null".to_owned(),
    };
    let mut text = "{\n".to_owned();
    for (&list, name) in lists.iter().zip(names) {
        let _ = writeln!(text, "{}{}, // {}", " ".repeat(inner), item(list), comment(name));
    }
    text + &" ".repeat(indent) + "}"
}

/// Numbers as the initialiser of an array.
pub(super) fn numbers(numbers: &[f64], indent: usize) -> String {
    if numbers.len() <= LONGEST_LIST {
        return list(numbers.iter().copied().map(number), indent);
    }
    packed_numbers(numbers, indent)
}

/// Numbers in pieces.
pub(super) fn packed_numbers(numbers: &[f64], indent: usize) -> String {
    if numbers.is_empty() {
        return "{}".to_owned();
    }
    let texts: Vec<String> = numbers.iter().map(|&number| JavaNumber(number).to_string()).collect();
    call("numbers", pieces(&texts.join(" "), " ").into_iter(), indent)
}

/// Whole numbers as the initialiser of an array.
pub(super) fn integers(integers: &[i64], indent: usize) -> String {
    let texts: Vec<String> = integers.iter().map(ToString::to_string).collect();
    if is_short(&texts) {
        return list(texts.into_iter(), indent);
    }
    call("integers", pieces(&texts.join(" "), " ").into_iter(), indent)
}

/// A number as an expression.
pub(super) fn number(number: f64) -> String {
    match JavaNumber(number).to_string() {
        text if number.is_finite() => text,
        text if number.is_nan() => format!("Double.{text}"),
        _ if number > 0.0 => "Double.POSITIVE_INFINITY".to_owned(),
        _ => "Double.NEGATIVE_INFINITY".to_owned(),
    }
}

/// Single-precision numbers in Base64, the highest byte first, in pieces.
pub(super) fn packed_floats(floats: impl ExactSizeIterator<Item = f32>) -> Vec<String> {
    // Of four bytes each, and three bytes are four characters: three numbers are 16 characters.
    let bytes: Vec<u8> = floats.flat_map(f32::to_be_bytes).collect();
    bytes.chunks(packed_length(bytes.len())).map(|piece| format!("\"{}\"", base64(piece))).collect()
}

/// How many pieces so many numbers make.
pub(super) fn packed_pieces(floats: usize) -> usize {
    let bytes = floats.saturating_mul(4);
    bytes.div_ceil(packed_length(bytes))
}

/// Bytes that each piece has.
fn packed_length(bytes: usize) -> usize {
    piece_length(bytes.div_ceil(3) * 4) / 16 * 12
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let bits = three.iter().fold(0, |bits: u32, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - three.len()));
        for digit in 0..4 {
            let is_padding = digit > three.len();
            let index = bits >> (18 - 6 * digit) & 63;
            text.push(if is_padding { '=' } else { char::from(DIGITS[index as usize]) });
        }
    }
    text
}

/// How long the pieces of a text of this length are: a line, unless that makes too many of them.
fn piece_length(length: usize) -> usize {
    const LINE: usize = 96;
    const LONGEST: usize = 65_520;
    [LINE, 10 * LINE, 100 * LINE].into_iter().find(|piece| length / piece < LONGEST_LIST).unwrap_or(LONGEST)
}

/// A text as constants, each within its greatest length and with whole items, where these fit.
fn pieces(text: &str, separator: &str) -> Vec<String> {
    let most = piece_length(text.len());
    let mut pieces = Vec::new();
    let mut rest = text;
    loop {
        let mut bytes = 0;
        let fits = |&(_, c): &(usize, char)| {
            bytes += class_file_length(c);
            bytes > most
        };
        let Some((end, _)) = rest.char_indices().find(fits) else { break };
        let after_item = rest[..end].rfind(separator).map(|start| start + separator.len());
        let (piece, others) = rest.split_at(after_item.unwrap_or(end));
        pieces.push(quoted(piece));
        rest = others;
    }
    pieces.push(quoted(rest));
    pieces
}

/// The bytes of a character in a class file: there 0 has two, and what is beyond 16 bits two times three.
fn class_file_length(c: char) -> usize {
    match c {
        '\0' => 2,
        '\u{10000}'.. => 6,
        c => c.len_utf8(),
    }
}

/// A text as a constant, of ASCII alone: it is read the same under any encoding of sources.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            ' '..='~' => quoted.push(c),
            // Escapes by code are read before lines are told apart, so a line end must not be one.
            '\0'..' ' | '\u{7f}' => _ = write!(quoted, "\\{:03o}", u32::from(c)),
            _ => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| _ = write!(quoted, "\\u{unit:04x}")),
        }
    }
    quoted.push('"');
    quoted
}

/// Whether an expression of ours calls this function. A call has a line for each argument, and a literal no line end.
pub(super) fn calls(expression: &str, function: &str) -> bool {
    expression.contains(&format!("{function}(\n"))
}

/// `{a, b}`, on one line or several.
fn list(items: impl Iterator<Item = String>, indent: usize) -> String {
    let items: Vec<String> = items.collect();
    let one_line = format!("{{{}}}", items.join(", "));
    // With room for what is before it.
    if indent + one_line.len() <= WIDTH - 40 {
        return one_line;
    }
    let (outer, inner) = (" ".repeat(indent), " ".repeat(indent + 4));
    format!("{{\n{inner}{}\n{outer}}}", wrapped(&items, &inner))
}

/// Items on lines that are as full as they get.
fn wrapped(items: &[String], indent: &str) -> String {
    let mut text = String::new();
    let mut column = indent.len();
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            let fits = column + item.len() + 3 <= WIDTH;
            text.push_str(if fits { ", " } else { ",\n" });
            if !fits {
                text.push_str(indent);
                column = indent.len();
            }
        }
        text.push_str(item);
        column += item.len() + 2;
    }
    text
}

/// `function(a, b)`, a line for each argument.
fn call(function: &str, arguments: impl Iterator<Item = String>, indent: usize) -> String {
    let inner = " ".repeat(indent + 4);
    let arguments: Vec<String> = arguments.collect();
    format!("{function}(\n{inner}{})", arguments.join(&format!(",\n{inner}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_is_read_as_java() {
        assert_eq!(text("\"a\\\n\u{1}9\u{e9}\u{1f980}"), r#""\"a\\\n\0019\u00e9\ud83e\udd80""#);
        // A backslash before a `u` would begin an escape.
        assert_eq!(text("\\u000a"), r#""\\u000a""#);
    }

    #[test]
    fn numbers_that_java_has_no_digits_for_have_names() {
        assert_eq!(
            numbers(&[0.1, -0.0, f64::NAN, f64::INFINITY], 2),
            "{0.1, -0.0, Double.NaN, Double.POSITIVE_INFINITY}"
        );
        assert!(packed_numbers(&[f64::NEG_INFINITY, f64::NAN], 2).ends_with("\"-Infinity NaN\")"));
    }

    #[test]
    fn a_separator_is_in_none_of_the_texts() {
        assert_eq!(separator(&["a", "b"]), "|");
        assert_eq!(separator(&["a|", "<0>"]), "<1>");
    }

    #[test]
    fn pieces_are_within_the_limit_of_a_class_file() {
        let text = "\0日🦀x".repeat(200_000);
        let pieces = pieces(&text, "|");
        assert!(pieces.len() < MOST_PIECES);
        // An escape has at least the length of what it stands for.
        assert!(pieces.iter().all(|piece| piece.len() > 1000 && piece.is_ascii()));
        let bytes = |piece: &str| {
            piece.matches("\\000").count() * 2 + piece.matches("\\u").count() * 3 + piece.matches('x').count()
        };
        assert!(pieces.iter().all(|piece| bytes(piece) < 65_536));
    }

    #[test]
    fn base64_as_in_its_standard() {
        let cases = ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map(|text| base64(text.as_bytes()));
        assert_eq!(cases, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]);
    }

    #[test]
    fn long_lists_are_texts_in_pieces() {
        assert_eq!(texts(&["a", "b"], 2), r#"{"a", "b"}"#);
        let many: Vec<String> = (0..501).map(|i| i.to_string()).collect();
        assert!(texts(&many, 2).starts_with("texts(\n      \"|\",\n      \"0|1|"));
        assert!(texts(&["x".repeat(70_000)], 2).starts_with("texts("));
    }
}
