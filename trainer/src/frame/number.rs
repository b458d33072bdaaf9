/// The number that a cell spells, or `None` if it is text.
///
/// `[$][sign] digits [. digits] [e [sign] digits] [blanks] [%]`, with a digit before the exponent; the percent sign
/// divides by 100. Unlike H2O, which reads a lone `.`, `-` or `+` as 0, a number without a digit is text; and the
/// result is correctly rounded. An unquoted cell may end in blanks.
pub(super) fn parse(text: &[u8], quoted: bool) -> Option<f64> {
    let text = if quoted { text } else { text.trim_ascii_end() };
    let (text, percent) = match text.strip_suffix(b"%") {
        Some(rest) => (rest.trim_ascii_end(), true),
        None => (text, false),
    };
    let value = decimal(text.strip_prefix(b"$").unwrap_or(text))?;
    // Adding zero turns -0 into 0.
    Some(if percent { value / 100.0 } else { value } + 0.0)
}

/// Whether text is a usual way to say that there is no value, so that nobody needs to be told that it is no number.
pub(super) fn says_missing(text: &[u8]) -> bool {
    matches!(text.trim_ascii(), b"" | b"NA" | b"na" | b"Na" | b"N/A" | b"NaN")
}

/// As [`parse`], without a dollar or percent sign and without blanks; `-0` keeps its sign.
pub(super) fn decimal(text: &[u8]) -> Option<f64> {
    let (negative, unsigned) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    let mut mantissa = Mantissa::default();
    let mut rest = mantissa.take_digits(unsigned);
    if let [b'.', fraction @ ..] = rest {
        let before = mantissa.digits;
        rest = mantissa.take_digits(fraction);
        mantissa.fraction_digits = mantissa.digits - before;
    }
    if mantissa.digits == 0 {
        return None;
    }
    let exponent = match rest {
        [] => 0,
        [b'e' | b'E', exponent @ ..] => parse_exponent(exponent)?,
        _ => return None,
    };
    match mantissa.scaled_exactly(exponent) {
        Some(value) => Some(if negative { -value } else { value }),
        None => std::str::from_utf8(text).ok()?.parse().ok(),
    }
}

/// The exponent's value, kept within a range that no double reaches.
fn parse_exponent(text: &[u8]) -> Option<i64> {
    const BEYOND_ALL: i64 = 1 << 32;
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let value = digits.iter().fold(0, |value, digit| (value * 10 + i64::from(digit - b'0')).min(BEYOND_ALL));
    Some(if negative { -value } else { value })
}

/// A number of so few digits that it is found without a detour.
pub(super) enum ShortDecimal {
    Whole(u32),
    Other(f64),
}

impl ShortDecimal {
    /// As [`parse`] reads these digits.
    #[inline]
    pub fn new(negative: bool, value: u64, digits: usize, fraction_digits: usize) -> Option<Self> {
        const EXACT_DIGITS: usize = 15;
        if digits == 0 || digits > EXACT_DIGITS {
            return None;
        }
        if fraction_digits == 0
            && !negative
            && let Ok(value) = u32::try_from(value)
        {
            return Some(Self::Whole(value));
        }
        // Both are exact doubles: a single rounding gives the number.
        let magnitude = value as f64 / POWERS[fraction_digits];
        // Adding zero turns -0 into 0.
        Some(Self::Other(if negative { -magnitude } else { magnitude } + 0.0))
    }
}

const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// The digits of a number, as far as they fit.
#[derive(Default)]
struct Mantissa {
    value: u64,
    digits: usize,
    fraction_digits: usize,
}

impl Mantissa {
    /// Takes the digits that `text` begins with and returns what follows them.
    fn take_digits<'a>(&mut self, text: &'a [u8]) -> &'a [u8] {
        let length = text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
        for digit in &text[..length] {
            // Wraps for long numbers, whose value is then not used.
            self.value = self.value.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
        }
        self.digits += length;
        &text[length..]
    }

    /// The number, where a single rounding gives it: the digits and the power of ten are both exact doubles.
    fn scaled_exactly(&self, exponent: i64) -> Option<f64> {
        const DIGITS_OF_U64: usize = 19;
        if self.digits > DIGITS_OF_U64 || self.value > 1 << f64::MANTISSA_DIGITS {
            return None;
        }
        let exponent = exponent - self.fraction_digits as i64;
        let power = *POWERS.get(usize::try_from(exponent.unsigned_abs()).ok()?)?;
        let value = self.value as f64;
        Some(if exponent < 0 { value / power } else { value * power })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_are_read_as_in_h2o() {
        for (text, value) in [
            ("0", 0.0),
            ("-0", 0.0),
            ("+6", 6.0),
            ("007", 7.0),
            (".5", 0.5),
            ("5.", 5.0),
            ("-.5e-3", -0.0005),
            ("1E+2", 100.0),
            ("$1.5", 1.5),
            ("$-5", -5.0),
            ("$+7", 7.0),
            ("3  ", 3.0),
            ("3\t", 3.0),
            ("10%", 0.1),
            ("7 %", 0.07),
            ("1e2%", 1.0),
            ("$1.5%", 0.015),
            ("9007199254740993", 9_007_199_254_740_992.0),
            ("18446744073709551616", 18_446_744_073_709_551_616.0),
            ("123456789012345678901234567890", 1.234_567_890_123_456_8e29),
            ("1e309", f64::INFINITY),
            ("-1e400", f64::NEG_INFINITY),
            ("1e99999999999999999999", f64::INFINITY),
            ("1e-99999999999999999999", 0.0),
            ("0e99999999999999999999", 0.0),
        ] {
            assert_eq!(parse(text.as_bytes(), false), Some(value), "{text}");
        }
        assert!(parse(b"-0", false).is_some_and(f64::is_sign_positive));
    }

    #[test]
    fn anything_else_is_text() {
        for text in [
            "", " ", "-", "+", ".", "$", "%", "1e", "1e+", "e5", "--1", "1.2.3", "0x10", "1_0", "1 2", "1d5", "1,5",
            "-$4", "+$7", "$$1", "$ 4", "4$", "%5", "5%x", "inf", "-inf", "Infinity", "NaN", "nan", "NA", "1e5.0",
        ] {
            assert_eq!(parse(text.as_bytes(), false), None, "{text:?}");
        }
    }

    #[test]
    fn blanks_within_quotes_make_text() {
        assert_eq!(parse(b"7", true), Some(7.0));
        assert_eq!(parse(b"$7", true), Some(7.0));
        assert_eq!(parse(b"7 ", true), None);
        assert_eq!(parse(b" 7", true), None);
    }

    proptest! {
        #[test]
        fn every_double_is_read_back(value in proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL) {
            prop_assert_eq!(parse(format!("{value}").as_bytes(), false), Some(value));
            prop_assert_eq!(parse(format!("{value:e}").as_bytes(), false), Some(value));
        }

        #[test]
        fn short_decimals_agree_with_the_standard_library(text in r"[+-]?[0-9]{0,12}\.?[0-9]{1,12}(e[+-]?[0-9]{1,3})?") {
            let expected: f64 = text.parse().expect("a decimal");
            prop_assert_eq!(parse(text.as_bytes(), false), Some(expected + 0.0));
        }
    }
}
