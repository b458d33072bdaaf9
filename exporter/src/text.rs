//! Texts and numbers as reports and drawings show them.

/// The most characters of a name.
const LONGEST: usize = 80;

/// A text from outside, in bounded length. What no page may carry, or would turn the text around it, is spelled out.
pub(crate) fn shown(text: &str) -> String {
    shortened(text, LONGEST)
}

/// The same with so many characters at most.
pub(crate) fn shortened(text: &str, longest: usize) -> String {
    if text.is_empty() {
        return "(empty)".to_owned();
    }
    let mut shown = String::new();
    let long = text.chars().nth(longest).is_some();
    for c in text.chars().take(if long { longest - 1 } else { longest }) {
        if is_spelled_out(c) { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    if long {
        shown.push('…');
    }
    shown
}

/// Whether HTML forbids the character, or it is invisible and changes what is around it.
fn is_spelled_out(c: char) -> bool {
    let is_no_character = c as u32 & 0xfffe == 0xfffe || matches!(c, '\u{fdd0}'..='\u{fdef}');
    let directs = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{61c}');
    c.is_control() || is_no_character || directs || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}')
}

/// Text for the content of an element or an attribute.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            c => safe.push(c),
        }
    }
    safe
}

/// A figure with four significant digits, or a dash where there is none.
pub(crate) fn figure(value: f64) -> String {
    significant(value, 4)
}

/// So many significant digits, all digits of a larger whole part, and powers of ten for what is very small or large.
pub(crate) fn significant(value: f64, digits: i32) -> String {
    if value.is_nan() {
        return "–".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "∞".to_owned() } else { "−∞".to_owned() };
    }
    let rounded = format!("{:.*e}", digits as usize - 1, value.abs());
    let exponent: i32 = rounded.split_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0);
    let sign = if value < 0.0 { "−" } else { "" };
    if value == 0.0 {
        "0".to_owned()
    } else if (-4..9).contains(&exponent) {
        let text = format!("{:.*}", (digits - 1 - exponent).max(0) as usize, value.abs());
        let (whole, fraction) = text.split_once('.').map_or((text.as_str(), None), |(w, f)| (w, Some(f)));
        let whole = grouped(whole);
        let fraction = fraction.map_or(String::new(), |fraction| format!(".{fraction}"));
        format!("{sign}{whole}{fraction}")
    } else {
        let (mantissa, _) = rounded.split_once('e').unwrap_or((&rounded, ""));
        format!("{sign}{mantissa}×10{}", superscript(exponent))
    }
}

/// Without the zeros that end a fraction: for values that are mostly round.
pub(crate) fn brief(value: f64) -> String {
    let text = figure(value);
    if text.contains('.') && !text.contains('×') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// A whole number with a comma every three digits, other numbers with a few digits behind the point.
pub(crate) fn count(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 {
        let sign = if value < 0.0 { "−" } else { "" };
        format!("{sign}{}", grouped(&format!("{:.0}", value.abs())))
    } else {
        figure(value)
    }
}

/// A share in percent.
pub(crate) fn percent(share: f64) -> String {
    if share.is_nan() {
        "–".to_owned()
    } else if share > 0.0 && share < 0.0005 {
        "<0.1%".to_owned()
    } else if share < 1.0 && share > 0.9995 {
        ">99.9%".to_owned()
    } else {
        format!("{:.1}%", share * 100.0)
    }
}

/// A number of bytes with a decimal unit.
pub(crate) fn bytes(count: u64) -> String {
    let units = ["bytes", "kB", "MB", "GB", "TB"];
    let mut value = count as f64;
    let mut unit = 0;
    while value >= 999.5 && unit + 1 < units.len() {
        value /= 1000.0;
        unit += 1;
    }
    if unit == 0 { format!("{value:.0} bytes") } else { format!("{} {}", significant(value, 3), units[unit]) }
}

/// Seconds as people say them.
pub(crate) fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 60.0 => format!("{} s", significant(s, 2)),
        s if s < 3600.0 => format!("{} min {:02} s", (s / 60.0).floor(), (s % 60.0).floor()),
        s => format!("{} h {:02} min", (s / 3600.0).floor(), (s % 3600.0 / 60.0).floor()),
    }
}

/// `1 row`, `2 rows`.
pub(crate) fn counted(count: usize, one: &str) -> String {
    let digits = grouped(&count.to_string());
    if count == 1 { format!("{digits} {one}") } else { format!("{digits} {one}s") }
}

/// The exponent of a power of ten.
pub(crate) fn superscript(exponent: i32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    exponent.to_string().chars().map(|c| c.to_digit(10).map_or('⁻', |digit| DIGITS[digit as usize])).collect()
}

fn grouped(digits: &str) -> String {
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_leave_their_place() {
        assert_eq!(shown("a\u{202e}b\u{0}c\nd\u{fffe}"), "a\\u{202e}b\\u{0}c\\nd\\u{fffe}");
        assert_eq!(escaped(r#"<b a="1" b='2'>&"#), "&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;");
        assert_eq!(shown(&"ä".repeat(1000)).chars().count(), LONGEST);
        assert_eq!(shortened("abcdef", 6), "abcdef");
        assert_eq!((shown(""), shown("עברית")), ("(empty)".to_owned(), "עברית".to_owned()));
    }

    #[test]
    fn figures_have_four_digits() {
        for (value, text) in [
            (0.841_234, "0.8412"),
            (1.0, "1.000"),
            (-12_345.678, "−12,346"),
            (0.000_123_46, "0.0001235"),
            (1.5e-7, "1.500×10⁻⁷"),
            (2.5e12, "2.500×10¹²"),
            (0.0, "0"),
            (f64::NAN, "–"),
            (9.999_96, "10.00"),
        ] {
            assert_eq!(figure(value), text);
        }
        assert_eq!([brief(0.5), brief(120.0), brief(3.25)], ["0.5", "120", "3.25"]);
    }

    #[test]
    fn counts_shares_sizes_and_times_read_well() {
        assert_eq!([count(1_234_567.0), count(2.5)], ["1,234,567", "2.500"]);
        assert_eq!([0.5, 0.0001, 0.9999, 1.0, 0.0].map(percent), ["50.0%", "<0.1%", ">99.9%", "100.0%", "0.0%"]);
        assert_eq!([bytes(17), bytes(1700), bytes(999_999)], ["17 bytes", "1.70 kB", "1.00 MB"]);
        assert_eq!([duration(0.423), duration(75.0), duration(7260.0)], ["0.42 s", "1 min 15 s", "2 h 01 min"]);
        assert_eq!([counted(1, "row"), counted(1200, "row")], ["1 row", "1,200 rows"]);
    }
}
