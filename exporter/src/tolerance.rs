//! How near two answers to one row have to be to be the same answer.

use model::{Algorithm, Category, Model, Nonlinearity};

use crate::onnx::OnnxPrecision;

/// The platform's `exp` may differ from ours in the last place, and sums of such terms by a little more: what passed
/// through one is the same within this share of its value…
pub const PARITY_RELATIVE: f64 = 1e-12;

/// … or within this distance, for a probability near 0 that is the rest of a large one.
pub const PARITY_ABSOLUTE: f64 = 1e-15;

/// Where a probability is that near to its threshold, counted in representable numbers, the label is a matter of the
/// last digit.
pub const LABEL_ULPS: u64 = 4;

/// How near the answers of an ONNX file are that computes in double precision: runtimes add in orders of their own. Probabilities
/// within this distance, other numbers within it in their unit or as a share of their value.
pub const PARITY_ONNX_F64: f64 = 1e-9;

/// The same for probabilities of single precision…
pub const PARITY_ONNX_F32: f64 = 1e-5;

/// … and for other numbers of single precision, which sums of far numbers cost more digits.
pub const PARITY_ONNX_F32_NUMBERS: f64 = 1e-4;

/// The tolerance for the answers of one model.
#[derive(Debug, Clone, Copy)]
pub struct Parity {
    nearness: Nearness,
    /// From this probability on the second of two classes is predicted.
    threshold: f64,
}

#[derive(Debug, Clone, Copy)]
enum Nearness {
    /// Equal to the bit.
    Exact,
    /// The last digits may differ.
    LastDigits,
    /// Within a distance, to which comes a share of the value.
    Within { distance: f64, share: f64 },
}

impl Parity {
    /// Equal to the bit where the model passes through no `exp` or `ln`; else within [`PARITY_RELATIVE`] or
    /// [`PARITY_ABSOLUTE`].
    pub fn of(model: &Model) -> Self {
        let exact = match &model.algorithm {
            Algorithm::DeepLearning(net) => {
                let no_hidden_layer = net.network.layers().len() == 1;
                let nonlinearity = net.network.activation().nonlinearity();
                let hidden = no_hidden_layer || matches!(nonlinearity, Nonlinearity::Rectifier | Nonlinearity::Maxout);
                match model.category {
                    Category::Regression => hidden && net.distribution.has_identity_link(),
                    // Its outputs go through the activation, too.
                    Category::AutoEncoder => nonlinearity == Nonlinearity::Rectifier,
                    Category::Binomial | Category::Multinomial => false,
                }
            }
            _ => false,
        };
        let nearness = if exact { Nearness::Exact } else { Nearness::LastDigits };
        Self { nearness, threshold: model.labelling.default_threshold }
    }

    /// Equal to the bit, whatever the model: for a scorer that is to repeat itself.
    pub fn exact(model: &Model) -> Self {
        Self { nearness: Nearness::Exact, threshold: model.labelling.default_threshold }
    }

    /// What the answers of an ONNX file of this precision may be off.
    pub fn onnx(category: Category, precision: OnnxPrecision, threshold: f64) -> Self {
        let (distance, share) = match (category, precision) {
            (Category::Binomial | Category::Multinomial, OnnxPrecision::F64) => (PARITY_ONNX_F64, 0.0),
            (Category::Binomial | Category::Multinomial, OnnxPrecision::F32) => (PARITY_ONNX_F32, 0.0),
            (_, OnnxPrecision::F64) => (PARITY_ONNX_F64, PARITY_ONNX_F64),
            (_, OnnxPrecision::F32) => (PARITY_ONNX_F32_NUMBERS, PARITY_ONNX_F32_NUMBERS),
        };
        Self { nearness: Nearness::Within { distance, share }, threshold }
    }

    /// The same for numbers that are counted in this unit.
    #[must_use]
    pub fn in_unit(self, unit: f64) -> Self {
        match self.nearness {
            Nearness::Within { distance, share } => {
                Self { nearness: Nearness::Within { distance: distance * unit, share }, ..self }
            }
            Nearness::Exact | Nearness::LastDigits => self,
        }
    }

    /// Whether two numbers are the same answer. NaN is the same as NaN.
    pub fn same(&self, expected: f64, found: f64) -> bool {
        if expected.is_nan() || found.is_nan() {
            return expected.is_nan() && found.is_nan();
        }
        let distance = (expected - found).abs();
        let near = match self.nearness {
            Nearness::Exact => return expected.to_bits() == found.to_bits(),
            Nearness::LastDigits => distance <= PARITY_ABSOLUTE || distance <= PARITY_RELATIVE * expected.abs(),
            Nearness::Within { distance: most, share } => distance <= most + share * expected.abs(),
        };
        expected == found || (near && expected.is_finite())
    }

    /// Whether two labels are the same answer, given the probabilities of the classes: they may differ where the last
    /// digit decides between them. A label is never the same as none.
    pub fn same_label(&self, expected: Option<usize>, found: Option<usize>, probabilities: &[f64]) -> bool {
        expected == found
            || expected.zip(found).is_some_and(|(a, b)| match *probabilities {
                [_, p1] => self.as_near(p1, self.threshold),
                _ => self.is_tied(a, probabilities) && self.is_tied(b, probabilities),
            })
    }

    /// Whether a class may win where the largest probability is as near to that of another class as scorers may differ: one
    /// of those, or one that H2O lists among them (see `Labelling::choose`), the first class always, others for a probability that
    /// was the largest before them.
    fn is_tied(&self, class: usize, probabilities: &[f64]) -> bool {
        let largest_of = |some: &[f64]| some.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let Some(&own) = probabilities.get(class) else { return false };
        let largest = largest_of(probabilities);
        let is_tie = probabilities.iter().filter(|&&p| self.as_near(p, largest)).count() > 1;
        is_tie && (class == 0 || self.as_near(own, largest) || self.as_near(own, largest_of(&probabilities[..class])))
    }

    /// Whether scorers may differ on which of two probabilities is the larger.
    fn as_near(&self, a: f64, b: f64) -> bool {
        match self.nearness {
            Nearness::Exact => false,
            Nearness::LastDigits => ulps_between(a, b) <= LABEL_ULPS,
            Nearness::Within { distance, .. } => (a - b).abs() <= 2.0 * distance,
        }
    }
}

/// The difference of two numbers as a share of the larger; 0 for two NaN, infinite for one.
pub(crate) fn relative_difference(a: f64, b: f64) -> f64 {
    match (a == b || (a.is_nan() && b.is_nan()), (a - b).abs() / a.abs().max(b.abs())) {
        (true, _) => 0.0,
        (false, share) if share.is_nan() => f64::INFINITY,
        (false, share) => share,
    }
}

/// How many representable numbers lie between two numbers that are not negative.
fn ulps_between(a: f64, b: f64) -> u64 {
    if a >= 0.0 && b >= 0.0 { a.to_bits().abs_diff(b.to_bits()) } else { u64::MAX }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXACT: Parity = Parity { nearness: Nearness::Exact, threshold: 0.5 };
    const NEAR: Parity = Parity { nearness: Nearness::LastDigits, threshold: 0.5 };

    #[test]
    fn near_numbers_are_the_same_unless_exactness_is_asked_for() {
        assert!(NEAR.same(1.0, 1.0 + 9e-13) && !NEAR.same(1.0, 1.0 + 2e-12));
        assert!(NEAR.same(1e-16, 9e-16) && !NEAR.same(1e-16, 2e-15));
        assert!(NEAR.same(f64::NAN, f64::NAN) && !NEAR.same(f64::NAN, 0.0));
        assert!(NEAR.same(f64::INFINITY, f64::INFINITY) && !NEAR.same(f64::INFINITY, 1.0));
        assert!(EXACT.same(0.1, 0.1) && !EXACT.same(0.1, 0.1_f64.next_up()));
    }

    #[test]
    fn a_label_may_flip_only_at_the_threshold() {
        let below = f64::from_bits(0.5_f64.to_bits() - LABEL_ULPS);
        assert!(NEAR.same_label(Some(0), Some(1), &[1.0 - below, below]));
        assert!(!NEAR.same_label(Some(0), Some(1), &[0.5, below.next_down()]));
        assert!(NEAR.same_label(Some(0), Some(2), &[0.4, 0.2, 0.4_f64.next_up()]));
        assert!(!NEAR.same_label(Some(0), Some(2), &[0.4, 0.2, 0.3]));
        assert!(!EXACT.same_label(Some(0), Some(1), &[0.5, 0.5]));
    }

    #[test]
    fn between_equal_classes_only_those_that_tie_may_win() {
        let tie = [0.1, 0.4, 0.05, 0.05, 0.4];
        assert!(NEAR.same_label(Some(1), Some(4), &tie));
        // H2O's list of equal classes begins with the first class, whatever its probability.
        assert!(NEAR.same_label(Some(0), Some(4), &tie));
        assert!(!NEAR.same_label(Some(1), Some(2), &tie) && !NEAR.same_label(Some(3), Some(1), &tie));
        assert!(!NEAR.same_label(Some(1), None, &tie) && !NEAR.same_label(Some(1), Some(5), &tie));
        assert!(!NEAR.same_label(Some(0), None, &[0.5, 0.5]));
        // It keeps what was as likely as the likeliest until then.
        assert!(NEAR.same_label(Some(1), Some(3), &[0.2, 0.2, 0.3, 0.3]));
    }

    #[test]
    fn onnx_has_room_in_the_unit_of_a_number() {
        let probability = Parity::onnx(Category::Binomial, OnnxPrecision::F32, 0.5);
        assert!(probability.same(0.9, 0.9 + 9e-6) && !probability.same(0.9, 0.9 + 2e-5));
        assert!(probability.same_label(Some(0), Some(1), &[0.5, 0.5 - 1e-5]));
        assert!(!probability.same_label(Some(0), Some(1), &[0.5, 0.5 - 1e-4]));
        let value = Parity::onnx(Category::Regression, OnnxPrecision::F64, 0.0);
        assert!(!value.same(0.0, 1e-7) && value.in_unit(1e3).same(0.0, 1e-7));
        assert!(value.same(1e6, 1e6 + 5e-4));
    }

    #[test]
    fn relative_differences_of_odd_numbers() {
        assert_eq!(relative_difference(0.0, 0.0), 0.0);
        assert_eq!(relative_difference(1.0, 2.0), 0.5);
        assert_eq!(relative_difference(f64::NAN, f64::NAN), 0.0);
        assert_eq!(relative_difference(f64::NAN, 1.0), f64::INFINITY);
    }
}
