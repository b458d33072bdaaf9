//! Reads a number as `Double.parseDouble` of Java does.

/// The double that Java reads from this text, `None` where Java throws: outer blanks and control characters are
/// ignored; `NaN`, `Infinity`, an exponent, a trailing `f` or `d`, and hexadecimal floats are numbers; `inf`, `1,5` and
/// the empty text are not.
pub fn parse_java_double(text: &str) -> Option<f64> {
    let text = text.trim_matches(|c| c <= ' ');
    let (negative, magnitude) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let value = match magnitude {
        "NaN" => f64::NAN,
        "Infinity" => f64::INFINITY,
        _ => {
            let digits = magnitude.strip_suffix(['f', 'F', 'd', 'D']);
            match magnitude.strip_prefix("0x").or_else(|| magnitude.strip_prefix("0X")) {
                // `f` and `d` are digits there until the exponent has begun, which is mandatory.
                Some(hex) => {
                    parse_hex(hex.strip_suffix(['f', 'F', 'd', 'D']).filter(|h| h.contains(['p', 'P'])).unwrap_or(hex))?
                }
                None => parse_decimal(digits.unwrap_or(magnitude))?,
            }
        }
    };
    Some(if negative { -value } else { value })
}

/// Digits with an optional point and exponent. Rust reads more (`inf`, `nan`, a second sign): only these get to it.
fn parse_decimal(text: &str) -> Option<f64> {
    let plain = text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'));
    let unsigned = text.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    if plain && unsigned { text.parse().ok() } else { None }
}

/// `hhh.hhhp[+-]ddd`, rounded half to even.
fn parse_hex(text: &str) -> Option<f64> {
    let (digits, exponent) = text.split_once(['p', 'P'])?;
    let exponent_digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    if exponent_digits.is_empty() || !exponent_digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    // Past these bounds the result is zero or infinite whatever the digits (of a text under 2^30 characters) are.
    let exponent: i64 = exponent.parse::<i64>().unwrap_or(if exponent.starts_with('-') { -1 << 40 } else { 1 << 40 });
    let mut mantissa: u64 = 0;
    let mut scale = exponent.clamp(-1 << 40, 1 << 40);
    let (mut seen, mut after_point, mut sticky) = (false, false, false);
    for c in digits.chars() {
        if c == '.' && !after_point {
            after_point = true;
            continue;
        }
        let digit = u64::from(c.to_digit(16)?);
        seen = true;
        if mantissa >> 60 == 0 {
            mantissa = mantissa << 4 | digit;
            scale -= if after_point { 4 } else { 0 };
        } else {
            sticky |= digit != 0;
            scale += if after_point { 0 } else { 4 };
        }
    }
    if !seen {
        return None;
    }
    Some(scale_by_power_of_two(mantissa, scale, sticky))
}

/// `mantissa * 2^scale`, rounded once; `sticky` says that something smaller than the last bit follows.
fn scale_by_power_of_two(mantissa: u64, scale: i64, sticky: bool) -> f64 {
    if mantissa == 0 {
        return 0.0;
    }
    let top = 63 - i64::from(mantissa.leading_zeros());
    let exponent = top + scale;
    if exponent > 1023 {
        return f64::INFINITY;
    }
    // The lowest bit that the result can hold.
    let lowest = (exponent - 52).max(-1074);
    let shift = lowest - scale;
    let whole = if shift <= 0 {
        return (mantissa << -shift) as f64 * power_of_two(lowest);
    } else if shift > 64 {
        return 0.0;
    } else {
        u128::from(mantissa)
    };
    let kept = (whole >> shift) as u64;
    let rest = whole & ((1 << shift) - 1);
    let half = 1_u128 << (shift - 1);
    let up = rest > half || (rest == half && (sticky || kept & 1 == 1));
    (kept + u64::from(up)) as f64 * power_of_two(lowest)
}

/// Exact for exponents from -1074 to 971, so that a 53-bit whole number times it is exact as well.
fn power_of_two(exponent: i64) -> f64 {
    if exponent >= -1022 {
        f64::from_bits(((exponent + 1023) as u64) << 52)
    } else {
        f64::from_bits(1 << (exponent + 1074))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_java_reads() {
        let cases = [
            ("1e5", 1e5),
            (" +1 ", 1.0),
            ("-.5", -0.5),
            ("5.", 5.0),
            ("1f", 1.0),
            ("1.5D", 1.5),
            ("Infinity", f64::INFINITY),
            ("-Infinity", f64::NEG_INFINITY),
            ("1e400", f64::INFINITY),
            ("0x1p-1", 0.5),
            ("0x1.8p1", 3.0),
            ("0x.8p0d", 0.5),
            ("0x1fp0f", 31.0),
            ("0x1.fffffffffffff8p0", 2.0),
            ("0x0.0000000000001p-1022", 5e-324),
            ("0x1p-1075", 0.0),
            ("0x1.8p-1075", 5e-324),
            ("0x1p1024", f64::INFINITY),
            ("0x1p99999999999999999999", f64::INFINITY),
        ];
        for (text, value) in cases {
            assert_eq!(parse_java_double(text), Some(value), "{text}");
        }
        assert!(parse_java_double("-NaN").is_some_and(f64::is_nan));
    }

    #[test]
    fn refuses_what_java_refuses() {
        for text in [
            "", " ", "inf", "nan", "NA", "1,5", "1 5", "--1", "1e", "e5", ".", "0x1", "0xp1", "0x1p", "1ff", "f",
            "1e5e5", "é",
        ] {
            assert_eq!(parse_java_double(text), None, "{text}");
        }
    }
}
