//! From values to places on a plot, with ticks at round numbers.

use model::{RoundStep, ln};

use super::text;

/// One direction of a plot.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Axis {
    pub label: String,
    low: f64,
    high: f64,
    is_logarithmic: bool,
    pub ticks: Vec<Tick>,
}

/// A value with the text beside it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tick {
    pub value: f64,
    pub text: String,
}

impl Axis {
    /// From zero to one.
    pub(super) fn of_shares(label: &str) -> Self {
        Self::spanning(label, 0.0, 1.0, 5)
    }

    /// From a round number to a round number, all values between.
    pub(super) fn spanning(label: &str, low: f64, high: f64, most_ticks: usize) -> Self {
        let (low, high) = if low < high { (low, high) } else { around(low) };
        let Some(step) = RoundStep::covering(low, high, most_ticks) else {
            return Self { label: label.to_owned(), low, high, is_logarithmic: false, ticks: Vec::new() };
        };
        let first = step.below(low);
        let below = step.below(high);
        let last = if step.times(below) < high { below + 1 } else { below };
        Self { low: step.times(first), high: step.times(last), ..Self::ticked(label, step, first, last) }
    }

    /// From a value to a value, with round numbers in between.
    pub(super) fn between(label: &str, low: f64, high: f64, most_ticks: usize) -> Self {
        match RoundStep::covering(low, high, most_ticks) {
            Some(step) => {
                let below = step.below(low);
                let first = if step.times(below) < low { below + 1 } else { below };
                Self { low, high, ..Self::ticked(label, step, first, step.below(high)) }
            }
            None => Self::spanning(label, low, high, most_ticks),
        }
    }

    /// Equal factors are equal lengths. Both bounds are above zero.
    pub(super) fn logarithmic(label: &str, low: f64, high: f64) -> Self {
        let decades = (ln(high / low) / ln(10.0)).abs();
        let digits: &[i32] = match decades {
            d if d > 4.0 => &[1],
            d if d > 1.2 => &[1, 3],
            _ => &[1, 2, 3, 5, 7],
        };
        let first = (ln(low) / ln(10.0)).floor() as i32;
        let powers = first..=first + decades.ceil() as i32 + 1;
        let every = (decades / 8.0).ceil().max(1.0) as i32;
        let values = powers
            .filter(|power| power.rem_euclid(every) == 0)
            .flat_map(|power| digits.iter().map(move |digit| format!("{digit}e{power}").parse().unwrap_or(f64::NAN)));
        let ticks = values.filter(|value| (low..=high).contains(value));
        let ticks = ticks.map(|value| Tick { value, text: text::brief(value) }).collect();
        Self { label: label.to_owned(), low, high, is_logarithmic: true, ticks }
    }

    /// Where a value is: 0 at the lower bound, 1 at the upper one, which nothing is beyond.
    pub(super) fn place(&self, value: f64) -> f64 {
        let place = if self.is_logarithmic {
            ln(value / self.low) / ln(self.high / self.low)
        } else {
            (value - self.low) / (self.high - self.low)
        };
        if place.is_nan() { 0.0 } else { place.clamp(0.0, 1.0) }
    }

    fn ticked(label: &str, step: RoundStep, first: i64, last: i64) -> Self {
        let values = (first..=last).map(|steps| step.times(steps));
        let largest = values.clone().fold(0.0, |largest: f64, value| largest.max(value.abs()));
        let is_far = largest >= 1e6 || step.decimals() > 4;
        let text = |value: f64| {
            if value == 0.0 {
                "0".to_owned()
            } else if is_far {
                power_of_ten(value)
            } else {
                let digits = text::count(value.abs().trunc());
                let fraction = format!("{:.*}", step.decimals(), value.abs());
                let fraction = fraction.split_once('.').map_or(String::new(), |(_, fraction)| format!(".{fraction}"));
                format!("{}{digits}{fraction}", if value < 0.0 { "−" } else { "" })
            }
        };
        let ticks = values.map(|value| Tick { value, text: text(value) }).collect();
        Self { label: label.to_owned(), low: f64::NAN, high: f64::NAN, is_logarithmic: false, ticks }
    }
}

/// Some length around a value.
fn around(value: f64) -> (f64, f64) {
    let value = if value.is_finite() { value } else { 0.0 };
    let reach = if value == 0.0 { 1.0 } else { value.abs() * 0.1 };
    (value - reach, value + reach)
}

/// `2×10⁶`.
fn power_of_ten(value: f64) -> String {
    let text = format!("{:e}", value.abs());
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let sign = if value < 0.0 { "−" } else { "" };
    format!("{sign}{mantissa}×10{}", text::superscript(exponent.parse().unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|tick| tick.text.as_str()).collect()
    }

    #[test]
    fn ticks_are_round_and_hold_the_values() {
        let axis = Axis::spanning("", 0.312, 0.476, 5);
        assert_eq!(texts(&axis), ["0.30", "0.35", "0.40", "0.45", "0.50"]);
        assert_eq!((axis.place(0.3), axis.place(0.5)), (0.0, 1.0));
        assert_eq!(
            texts(&Axis::spanning("", -1500.0, 2500.0, 5)),
            ["−2,000", "−1,000", "0", "1,000", "2,000", "3,000"]
        );
        assert_eq!(texts(&Axis::spanning("", 0.0, 4e6, 4)), ["0", "1×10⁶", "2×10⁶", "3×10⁶", "4×10⁶"]);
        assert_eq!(texts(&Axis::of_shares("")), ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(texts(&Axis::between("", 0.0, 20.0, 4)), ["0", "5", "10", "15", "20"]);
        assert_eq!(texts(&Axis::between("", 0.5, 7.5, 4)), ["2", "4", "6"]);
    }

    #[test]
    fn an_axis_without_a_length_gets_one() {
        for value in [0.0, 5.0, -3.0, f64::NAN, f64::INFINITY] {
            let axis = Axis::spanning("", value, value, 5);
            assert!(axis.ticks.len() > 1, "{value}");
            assert!(value.is_nan() || (0.0..=1.0).contains(&axis.place(value)), "{value}");
        }
    }

    #[test]
    fn logarithmic_ticks_are_powers_or_between_them() {
        assert_eq!(texts(&Axis::logarithmic("", 0.02, 5.0)), ["0.03", "0.1", "0.3", "1", "3"]);
        assert_eq!(texts(&Axis::logarithmic("", 1.0, 6.0)), ["1", "2", "3", "5"]);
        let axis = Axis::logarithmic("", 0.01, 100.0);
        assert!((axis.place(1.0) - 0.5).abs() < 1e-12);
    }
}
