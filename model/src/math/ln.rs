use super::ln_tables::{LN2_HI, LN2_LO, RECIPROCALS};

const MANTISSA: u64 = (1 << 52) - 1;
const ONE: u64 = 1023 << 52;
/// The lower 27 bits of a mantissa; what is left above them has 26 bits with the implied one.
const LOW_HALF: u64 = (1 << 27) - 1;
/// From this piece of [1, 2) on, m counts as m/2 and the exponent as one larger, so that x just below 1 has exponent 0.
const UPPER: usize = 106;
const TWO_54: f64 = 18_014_398_509_481_984.0;

/// Natural logarithm of x, within 0.52 units in the last place.
///
/// x = 2^e m with m in [1, 2), c is a short reciprocal of m from a table and r = m c - 1, |r| <= 2^-8, which is exact:
/// ln x = e ln2 - ln c + r - r^2/2 + ... - r^8/8.
pub fn ln(x: f64) -> f64 {
    if !(f64::MIN_POSITIVE..f64::INFINITY).contains(&x) {
        return outside(x);
    }
    normal(x, 0)
}

/// ln(x 2^extra) for a normal, positive x.
#[inline]
fn normal(x: f64, extra: i64) -> f64 {
    let bits = x.to_bits();
    let piece = ((bits >> 44) & 255) as usize;
    let exponent = (bits >> 52) as i64 - 1023 + i64::from(piece >= UPPER) + extra;
    let m = bits & MANTISSA | ONE;

    // Each half of m times the 10 bits of c is exact. So are both sums: r is a multiple of 2^-61 below 2^-8.
    let (c, log_hi, log_lo) = RECIPROCALS[piece];
    let m_high = f64::from_bits(m & !LOW_HALF);
    let m_low = f64::from_bits(m) - m_high;
    let r = (m_high * c - 1.0) + m_low * c;

    // A multiple of 2^-42 below 2^10: exact. It is 0 or larger than r.
    let e = exponent as f64;
    let high = e * LN2_HI + log_hi;
    let sum = high + r;
    let cut_off = r - (sum - high);
    sum + (tail(r) + (cut_off + (e * LN2_LO + log_lo)))
}

/// ln(1 + r) - r.
#[inline]
fn tail(r: f64) -> f64 {
    let square = r * r;
    let low = -0.5 + r * (1.0 / 3.0);
    let middle = -0.25 + r * (1.0 / 5.0);
    let high = -1.0 / 6.0 + r * (1.0 / 7.0) + square * (-1.0 / 8.0);
    square * (low + square * (middle + square * high))
}

#[cold]
fn outside(x: f64) -> f64 {
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    if x < 0.0 {
        return f64::NAN;
    }
    if x < f64::MIN_POSITIVE {
        return normal(x * TWO_54, -54);
    }
    // Infinity and NaN.
    x
}
