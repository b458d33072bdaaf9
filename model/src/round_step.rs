//! Steps between round numbers, for bins and for the ticks of axes.

/// 1, 2 or 5 times a power of ten. Its multiples are correctly rounded decimals, unless they are huge or tiny: three steps of
/// 0.1 are 0.3.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RoundStep {
    mantissa: f64,
    exponent: i32,
    /// 10 to the absolute exponent.
    power: f64,
}

/// The most steps that are counted: so far doubles know every whole number.
const MOST_STEPS: f64 = 9_007_199_254_740_992.0;

impl RoundStep {
    /// The least step of which at most so many cover the way from `low` to `high`, and which doubles of their size can tell
    /// apart. `None` where that way is no finite length above zero.
    pub fn covering(low: f64, high: f64, most: usize) -> Option<Self> {
        const LEAST_SHARE: f64 = 1e-12;
        let length = high - low;
        if !(length > 0.0 && length.is_finite()) {
            return None;
        }
        let least = (length / most.max(1) as f64).max(high.abs().max(low.abs()) * LEAST_SHARE);
        let text = format!("{least:e}");
        let (digits, exponent) = text.split_once('e')?;
        let (digits, exponent): (f64, i32) = (digits.parse().ok()?, exponent.parse().ok()?);
        // A difference of decimals is rounded, and may be above its own decimal.
        let (mantissa, exponent) = match digits * (1.0 - LEAST_SHARE) {
            d if d <= 1.0 => (1.0, exponent),
            d if d <= 2.0 => (2.0, exponent),
            d if d <= 5.0 => (5.0, exponent),
            _ => (1.0, exponent + 1),
        };
        Some(Self { mantissa, exponent, power: 10f64.powi(exponent.abs()) })
    }

    /// So many steps.
    pub fn times(self, steps: i64) -> f64 {
        let digits = steps as f64 * self.mantissa;
        if self.exponent < 0 { digits / self.power } else { digits * self.power }
    }

    /// How many steps there are from zero up to a value, at most 2^53 in either direction.
    pub fn below(self, value: f64) -> i64 {
        let near = (value / self.times(1)).floor().clamp(-MOST_STEPS, MOST_STEPS) as i64;
        // The quotient is rounded: the value may lie on the other side of the multiple.
        if near < MOST_STEPS as i64 && self.times(near + 1) <= value {
            near + 1
        } else if near > -MOST_STEPS as i64 && self.times(near) > value {
            near - 1
        } else {
            near
        }
    }

    /// Digits behind the point of its multiples.
    pub fn decimals(self) -> usize {
        (-self.exponent).max(0) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round_and_few_enough() {
        for (low, high, most, step) in [
            (0.0, 1.0, 10, 0.1),
            (0.0, 1.0, 5, 0.2),
            (-3.0, 97.0, 6, 20.0),
            (0.0, 0.003, 4, 0.001),
            (1e-20, 3e-20, 4, 5e-21),
            (0.0, 7e12, 4, 2e12),
        ] {
            let found = RoundStep::covering(low, high, most).expect("a length");
            assert_eq!(found.times(1), step, "{low} to {high}");
        }
    }

    #[test]
    fn multiples_are_the_decimals_that_they_look_like() {
        let tenth = RoundStep::covering(0.0, 1.0, 10).expect("a length");
        assert_eq!((tenth.times(3), tenth.times(-7), tenth.decimals()), (0.3, -0.7, 1));
        assert_eq!([0.3, 0.29, -0.3, -0.31].map(|value| tenth.below(value)), [3, 2, -3, -4]);
        let far = tenth.below(1e300);
        assert!(
            far == MOST_STEPS as i64 && tenth.below(f64::INFINITY) == far && tenth.below(f64::NEG_INFINITY) == -far
        );
    }

    #[test]
    fn no_length_has_no_step_and_a_tiny_one_no_tinier_step_than_doubles_have() {
        for (low, high) in [(1.0, 1.0), (2.0, 1.0), (f64::NAN, 1.0), (f64::NEG_INFINITY, 0.0), (-1e308, 1e308)] {
            assert_eq!(RoundStep::covering(low, high, 5), None);
        }
        let step = RoundStep::covering(1e15, 1e15 + 1.0, 10).expect("a length");
        assert!(step.times(1) >= 1000.0, "{step:?}");
    }
}
