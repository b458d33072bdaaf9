use super::exp_tables::{POWERS, STEP_HI, STEP_LO, STEPS_PER_UNIT};

/// Beyond this the result is larger than the largest double.
const OVERFLOW: f64 = 709.782_712_893_384;
/// Below this the result is less than half the smallest subnormal.
const UNDERFLOW: f64 = -745.2;
/// ln 2^-1022: below this the result is subnormal.
const SUBNORMAL: f64 = -708.396_418_532_264_1;
/// 1.5 * 2^52: adding and subtracting it rounds to a whole number, which its low bits then hold.
const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// e^x, within 0.52 units in the last place, subnormal results included.
///
/// x = k ln2/128 + r with |r| <= ln2/256, and e^x = 2^(k/128) (1 + r + r^2/2 + ... + r^5/120).
pub fn exp(x: f64) -> f64 {
    if !(SUBNORMAL..=OVERFLOW).contains(&x) {
        return outside(x);
    }
    let (power, rest, exponent) = reduce(x);
    f64::from_bits((power + rest).to_bits().wrapping_add((exponent as u64) << 52))
}

/// e^x = (power + rest) 2^exponent, |rest| < power / 256.
#[inline]
fn reduce(x: f64) -> (f64, f64, i64) {
    let shifted = x * STEPS_PER_UNIT + ROUNDER;
    let step = shifted - ROUNDER;
    let k = shifted.to_bits().wrapping_sub(ROUNDER.to_bits()) as i64;

    // The first product and the first difference are exact.
    let r = (x - step * STEP_HI) - step * STEP_LO;
    let square = r * r;
    let growth = r + square * ((0.5 + r * (1.0 / 6.0)) + square * (1.0 / 24.0 + r * (1.0 / 120.0)));

    let (power, power_lo) = POWERS[(k & 127) as usize];
    (power, power_lo + power * growth, k >> 7)
}

#[cold]
fn outside(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x > OVERFLOW {
        return f64::INFINITY;
    }
    if x < UNDERFLOW {
        return 0.0;
    }
    subnormal(x)
}

/// Rounds once, at the last bit a subnormal has: the sum with `unit`, whose last place is 2^-1074 / 2^exponent, counts
/// multiples of 2^-1074, and that count is the bit pattern of the result.
fn subnormal(x: f64) -> f64 {
    let (power, rest, exponent) = reduce(x);
    let unit = f64::from_bits(((1 - exponent) as u64) << 52); // 2^(-1022 - exponent)
    let sum = unit + power;
    let cut_off = (unit - sum) + power;
    let rounded = sum + (cut_off + rest);
    f64::from_bits(rounded.to_bits() - unit.to_bits())
}
