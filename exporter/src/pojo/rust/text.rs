//! Names, texts and numbers as Rust spells them.

use std::fmt::{Debug, Write};

/// The column at which a line of generated numbers ends.
const WIDTH: usize = 100;

/// A literal of a text: whatever is in it, it stays on its line and inside its quotes.
pub(super) fn literal(text: &str) -> String {
    format!("{text:?}")
}

/// A name in a doc comment, in backticks; as a literal where blanks or signs would be lost or break out.
pub(super) fn quoted(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || " _-.,:;/+*%&=<>()[]{}#$@!?'^~|".contains(c);
    let is_plain = !name.is_empty() && name.trim() == name && name.chars().all(plain);
    let shown = if is_plain { name.to_owned() } else { literal(name) };
    let ticks = shown.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(if ticks == 0 { 1 } else { ticks + 1 });
    format!("{fence}{shown}{fence}")
}

/// Names as a person lists them.
pub(super) fn listed(names: &[String], last: &str) -> String {
    match names {
        [] => String::new(),
        [name] => name.clone(),
        [names @ .., name] => format!("{} {last} {name}", names.join(", ")),
    }
}

/// A number with its noun: `1 level`, `12,000 levels`.
pub(super) fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", thousands(count))
}

fn thousands(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of either precision: the fewest digits that read back as it.
pub(super) trait Number: Debug + Copy + Into<f64> {
    /// Its type.
    const TYPE: &'static str;
}

impl Number for f32 {
    const TYPE: &'static str = "f32";
}

impl Number for f64 {
    const TYPE: &'static str = "f64";
}

/// A literal of a number, or the constant that it is.
pub(super) fn number<T: Number>(value: T) -> String {
    let mut text = String::new();
    push_number(&mut text, value);
    text
}

fn push_number<T: Number>(text: &mut String, value: T) {
    let wide: f64 = value.into();
    let constant = match wide {
        _ if wide.is_nan() => "NAN",
        f64::INFINITY => "INFINITY",
        f64::NEG_INFINITY => "NEG_INFINITY",
        _ => {
            let _ = write!(text, "{value:?}");
            return;
        }
    };
    text.extend([T::TYPE, "::", constant]);
}

/// Numbers with commas behind them, in lines of their own.
pub(super) fn push_numbers<T: Number>(text: &mut String, indent: &str, values: impl IntoIterator<Item = T>) {
    let mut column = WIDTH;
    for value in values {
        let mut number = number(value);
        number.push(',');
        if column + 1 + number.len() > WIDTH {
            text.extend([if text.is_empty() { "" } else { "\n" }, indent]);
            column = indent.len();
        } else {
            text.push(' ');
            column += 1;
        }
        column += number.len();
        text.push_str(&number);
    }
}

/// The items of an array: on one line where they fit, else on lines of their own.
pub(super) fn array<T: Number>(indent: &str, values: &[T]) -> String {
    let line = values.iter().map(|&value| number(value)).collect::<Vec<_>>().join(", ");
    if line.len() < WIDTH / 2 {
        return format!("[{line}]");
    }
    let mut lines = String::new();
    push_numbers(&mut lines, &format!("{indent}    "), values.iter().copied());
    format!("[\n{lines}\n{indent}]")
}

/// The items of an array, where rustfmt puts them: on one line, or short ones that are `simple` packed, or one by one.
pub(super) fn items(indent: &str, items: &[String], simple: bool) -> String {
    const ONE_LINE: usize = 60;
    const SHORT: usize = 10;
    let line = items.join(", ");
    if line.len() <= ONE_LINE - 2 {
        return format!("[{line}]");
    }
    let packed = simple && items.iter().all(|item| item.len() <= SHORT);
    let mut lines = String::new();
    let mut room = 0;
    for item in items {
        if packed && item.len() + 2 <= room {
            lines.extend([" ", item, ","]);
            room -= item.len() + 2;
        } else {
            lines.extend(["\n    ", indent, item, ","]);
            room = WIDTH.saturating_sub(indent.len() + 4 + item.len() + 1);
        }
    }
    format!("[{lines}\n{indent}]")
}

/// Bytes as the inside of a byte string, in lines that end in a backslash.
pub(super) fn push_bytes(text: &mut String, bytes: impl IntoIterator<Item = u8>) {
    let mut column = WIDTH;
    for byte in bytes {
        if column >= WIDTH {
            text.push_str("\\\n");
            column = 0;
        }
        let before = text.len();
        match byte {
            b'\t' => text.push_str("\\t"),
            b'\n' => text.push_str("\\n"),
            b'\r' => text.push_str("\\r"),
            b'"' | b'\\' => text.extend(['\\', byte.into()]),
            // A blank at the start of a line would be left out.
            b'!'..=b'~' => text.push(byte.into()),
            _ => {
                let _ = write!(text, "\\x{byte:02x}");
            }
        }
        column += text.len() - before;
    }
}
