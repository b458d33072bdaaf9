//! Prints a number as `Double.toString` and `Float.toString` of Java do.

use std::fmt::{self, Display, LowerExp, Write};

/// Displays an `f32` or `f64` as Java does, with the shortest digits that read back as it: `1.0`, `1.5E-7`, `Infinity`,
/// `NaN`. (Java before 19 gives some numbers a digit more; both spellings are the same number.)
///
/// ```
/// assert_eq!(model::JavaNumber(12_345_678.0).to_string(), "1.2345678E7");
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JavaNumber<T>(pub T);

impl<T: Into<f64> + LowerExp + Copy> Display for JavaNumber<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value: f64 = self.0.into();
        if value.is_nan() {
            return f.write_str("NaN");
        }
        if value.is_infinite() {
            return f.write_str(if value > 0.0 { "Infinity" } else { "-Infinity" });
        }
        let mut scientific = Buffer::default();
        write!(scientific, "{:e}", self.0)?;
        let scientific = scientific.text();
        let unsigned = scientific.strip_prefix('-').unwrap_or(scientific);
        let (mantissa, exponent) = unsigned.split_once('e').unwrap_or((unsigned, "0"));
        let (first, rest) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        if value.is_sign_negative() {
            f.write_str("-")?;
        }
        match exponent.parse().unwrap_or(0) {
            power @ -3..=-1 => {
                f.write_str(["0.", "0.0", "0.00"][-power as usize - 1])?;
                f.write_str(first)?;
                f.write_str(rest)
            }
            power @ 0..=6 => {
                let whole = power as usize;
                let (before, after) = rest.split_at(whole.min(rest.len()));
                f.write_str(first)?;
                f.write_str(before)?;
                f.write_str(&"000000"[..whole - before.len()])?;
                f.write_str(".")?;
                f.write_str(if after.is_empty() { "0" } else { after })
            }
            _ => {
                f.write_str(first)?;
                f.write_str(".")?;
                f.write_str(if rest.is_empty() { "0" } else { rest })?;
                f.write_str("E")?;
                f.write_str(exponent)
            }
        }
    }
}

/// Room for the longest `{:e}` of a double, `-2.2250738585072014e-308`: a net has millions of numbers to print.
#[derive(Default)]
struct Buffer {
    bytes: [u8; 32],
    length: usize,
}

impl Buffer {
    fn text(&self) -> &str {
        // What was written were texts.
        std::str::from_utf8(&self.bytes[..self.length]).unwrap_or_default()
    }
}

impl Write for Buffer {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.length + text.len();
        self.bytes.get_mut(self.length..end).ok_or(fmt::Error)?.copy_from_slice(text.as_bytes());
        self.length = end;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::parse_java_double;
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
            (-2.225_073_858_507_201_4e-308, "-2.2250738585072014E-308"),
            (f64::NAN, "NaN"),
            (f64::INFINITY, "Infinity"),
            (f64::NEG_INFINITY, "-Infinity"),
        ];
        for (value, text) in cases {
            assert_eq!(JavaNumber(value).to_string(), text);
        }
        assert_eq!(JavaNumber(0.106_362_194_f32).to_string(), "0.106362194");
        assert_eq!(JavaNumber(f32::MAX).to_string(), "3.4028235E38");
    }

    proptest! {
        #[test]
        fn every_double_reads_back_as_itself(bits: u64) {
            let value = f64::from_bits(bits);
            let back = parse_java_double(&JavaNumber(value).to_string()).expect("a number");
            prop_assert!(back.to_bits() == bits || (back.is_nan() && value.is_nan()));
        }

        #[test]
        fn every_float_reads_back_as_itself_through_a_double(bits: u32) {
            let value = f32::from_bits(bits);
            let back = parse_java_double(&JavaNumber(value).to_string()).expect("a number") as f32;
            prop_assert!(back.to_bits() == bits || (back.is_nan() && value.is_nan()));
        }
    }
}
