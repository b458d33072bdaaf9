//! How near two answers to one row have to be to be the same answer.

use model::{Algorithm, Category, Distribution, Labelling, Model, Nonlinearity};

/// The platform's `exp` may differ from ours in the last place, and sums of such terms by a little more: what passed
/// through one is the same within this share of its value…
pub const PARITY_RELATIVE: f64 = 1e-12;

/// … or within this distance, for a probability near 0 that is the rest of a large one.
pub const PARITY_ABSOLUTE: f64 = 1e-15;

/// Where a probability is that near to its threshold, counted in representable numbers, the label is a matter of the
/// last digit.
pub const LABEL_ULPS: u64 = 4;

/// The tolerance for the answers of one model.
#[derive(Debug, Clone, Copy)]
pub struct Parity<'m> {
    exact: bool,
    labelling: &'m Labelling,
}

impl<'m> Parity<'m> {
    /// Equal to the bit where the model passes through no `exp` or `ln`; else within [`PARITY_RELATIVE`] or
    /// [`PARITY_ABSOLUTE`].
    pub fn of(model: &'m Model) -> Self {
        let exact = match &model.algorithm {
            Algorithm::DeepLearning(net) => {
                let no_hidden_layer = net.network.layers().len() == 1;
                let nonlinearity = net.network.activation().nonlinearity();
                let hidden = no_hidden_layer || matches!(nonlinearity, Nonlinearity::Rectifier | Nonlinearity::Maxout);
                let identity = matches!(
                    net.distribution,
                    Distribution::Gaussian | Distribution::Laplace | Distribution::Quantile | Distribution::Huber
                );
                match model.category {
                    Category::Regression => hidden && identity,
                    // Its outputs go through the activation, too.
                    Category::AutoEncoder => nonlinearity == Nonlinearity::Rectifier,
                    Category::Binomial | Category::Multinomial => false,
                }
            }
            _ => false,
        };
        Self { exact, labelling: &model.labelling }
    }

    /// Equal to the bit, whatever the model: for a scorer that is to repeat itself.
    pub fn exact(model: &'m Model) -> Self {
        Self { exact: true, labelling: &model.labelling }
    }

    /// Whether two numbers are the same answer. NaN is the same as NaN.
    pub fn same(&self, expected: f64, found: f64) -> bool {
        if expected.is_nan() || found.is_nan() {
            return expected.is_nan() && found.is_nan();
        }
        if self.exact {
            return expected.to_bits() == found.to_bits();
        }
        let distance = (expected - found).abs();
        let near = distance <= PARITY_ABSOLUTE || distance <= PARITY_RELATIVE * expected.abs();
        expected == found || (near && expected.is_finite())
    }

    /// Whether two labels are the same answer, given the probabilities of the classes: they may differ where the last
    /// digit decides.
    pub fn same_label(&self, expected: Option<usize>, found: Option<usize>, probabilities: &[f64]) -> bool {
        expected == found || (!self.exact && self.last_digit_decides(probabilities))
    }

    fn last_digit_decides(&self, probabilities: &[f64]) -> bool {
        if let [_, p1] = *probabilities {
            return ulps_between(p1, self.labelling.default_threshold) <= LABEL_ULPS;
        }
        let mut sorted = probabilities.to_vec();
        sorted.sort_by(|a, b| b.total_cmp(a));
        matches!(sorted[..], [first, second, ..] if ulps_between(first, second) <= LABEL_ULPS)
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

    fn labelling() -> Labelling {
        Labelling {
            default_threshold: 0.5,
            prior_class_distrib: None,
            model_class_distrib: None,
            balance_classes: false,
        }
    }

    #[test]
    fn near_numbers_are_the_same_unless_exactness_is_asked_for() {
        let labelling = labelling();
        let near = Parity { exact: false, labelling: &labelling };
        assert!(near.same(1.0, 1.0 + 9e-13) && !near.same(1.0, 1.0 + 2e-12));
        assert!(near.same(1e-16, 9e-16) && !near.same(1e-16, 2e-15));
        assert!(near.same(f64::NAN, f64::NAN) && !near.same(f64::NAN, 0.0));
        assert!(near.same(f64::INFINITY, f64::INFINITY) && !near.same(f64::INFINITY, 1.0));
        let exact = Parity { exact: true, labelling: &labelling };
        assert!(exact.same(0.1, 0.1) && !exact.same(0.1, 0.1_f64.next_up()));
    }

    #[test]
    fn a_label_may_flip_only_at_the_threshold() {
        let labelling = labelling();
        let near = Parity { exact: false, labelling: &labelling };
        let below = f64::from_bits(0.5_f64.to_bits() - LABEL_ULPS);
        assert!(near.same_label(Some(0), Some(1), &[1.0 - below, below]));
        assert!(!near.same_label(Some(0), Some(1), &[0.5, below.next_down()]));
        assert!(near.same_label(Some(0), Some(2), &[0.4, 0.2, 0.4_f64.next_up()]));
        assert!(!near.same_label(Some(0), Some(2), &[0.4, 0.2, 0.3]));
        assert!(!Parity { exact: true, labelling: &labelling }.same_label(Some(0), Some(1), &[0.5, 0.5]));
    }

    #[test]
    fn relative_differences_of_odd_numbers() {
        assert_eq!(relative_difference(0.0, 0.0), 0.0);
        assert_eq!(relative_difference(1.0, 2.0), 0.5);
        assert_eq!(relative_difference(f64::NAN, f64::NAN), 0.0);
        assert_eq!(relative_difference(f64::NAN, 1.0), f64::INFINITY);
    }
}
