use super::{exp, ln};

/// What the functions promise, in units of the last place of the result.
const BOUND: f64 = 0.52;

/// Holds one function to its lines of `reference.csv` and returns the largest error.
fn worst_error(name: &str, function: fn(f64) -> f64) -> f64 {
    let mut worst = 0.0;
    let mut lines = 0;
    for line in include_str!("reference.csv").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(',').collect();
        if fields[0] != name {
            continue;
        }
        lines += 1;
        let x = f64::from_bits(u64::from_str_radix(fields[1], 16).expect("bits of x"));
        let nearest = u64::from_str_radix(fields[2], 16).expect("bits of f(x)");
        let residual: f64 = fields[3].parse().expect("a residual");
        let result = function(x);
        assert_eq!(result.is_sign_negative(), f64::from_bits(nearest).is_sign_negative(), "{name}({x:e})");
        // Bit patterns of doubles of one sign count units of the last place away from zero.
        let away = (result.to_bits() as i64 - nearest as i64) as f64;
        let steps = if result < 0.0 { -away } else { away };
        let error = (steps - residual).abs();
        assert!(error < BOUND, "{name}({x:e}) = {result:e} is off by {error} units");
        worst = f64::max(worst, error);
    }
    assert!(lines > 900, "{lines} lines for {name}");
    worst
}

#[test]
fn exp_stays_within_its_bound() {
    // Correct rounding alone costs up to half a unit; a table without such cases would prove little.
    assert!(worst_error("exp", exp) > 0.49);
}

#[test]
fn ln_stays_within_its_bound() {
    assert!(worst_error("ln", ln) > 0.49);
}

#[test]
fn special_arguments_of_exp() {
    assert_eq!(exp(0.0), 1.0);
    assert_eq!(exp(-0.0), 1.0);
    assert_eq!(exp(1e-300), 1.0);
    assert_eq!(exp(f64::from_bits(1)), 1.0);
    assert!(exp(f64::NAN).is_nan());
    assert_eq!(exp(f64::INFINITY), f64::INFINITY);
    assert_eq!(exp(f64::NEG_INFINITY), 0.0);
    assert!(exp(709.782_712_893_384) < f64::INFINITY);
    assert_eq!(exp(709.782_712_893_384_1), f64::INFINITY);
    assert_eq!(exp(f64::MAX), f64::INFINITY);
    assert_eq!(exp(-745.133_219_101_941_1).to_bits(), 1);
    assert_eq!(exp(-745.133_219_101_941_3).to_bits(), 0);
    assert_eq!(exp(f64::MIN).to_bits(), 0);
}

#[test]
fn special_arguments_of_ln() {
    assert_eq!(ln(1.0).to_bits(), 0);
    assert_eq!(ln(0.0), f64::NEG_INFINITY);
    assert_eq!(ln(-0.0), f64::NEG_INFINITY);
    assert!(ln(-f64::from_bits(1)).is_nan());
    assert!(ln(-1.0).is_nan());
    assert!(ln(f64::NEG_INFINITY).is_nan());
    assert!(ln(f64::NAN).is_nan());
    assert_eq!(ln(f64::INFINITY), f64::INFINITY);
    assert_eq!(ln(2.0), std::f64::consts::LN_2);
    assert_eq!(ln(f64::from_bits(1)), -744.440_071_921_381_2);
}

#[test]
fn exp_never_decreases_across_its_seams() {
    for edge in [-708.396_418_532_264_1, -708.0, -0.002_707_606_173_4, 0.0, 0.002_707_606_173_4, 709.0] {
        let mut previous = 0.0;
        for step in -200..200 {
            let value = exp(edge + f64::from(step) * 1e-13);
            assert!(value >= previous, "at {edge:e}");
            previous = value;
        }
    }
}
