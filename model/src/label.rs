//! From class probabilities to the predicted class, by the rules of H2O's runtime.

use serde::{Deserialize, Serialize};

/// What a classifier knows besides its net: how probabilities are corrected and a label is chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Labelling {
    /// Binomial: class 1 is predicted from this probability on.
    #[serde(with = "crate::number::one")]
    pub default_threshold: f64,
    /// Share of each class in the training frame; decides ties between classes.
    #[serde(with = "crate::number::many_or_none")]
    pub prior_class_distrib: Option<Vec<f64>>,
    /// Share of each class in the balanced frame, where `balance_classes` made one.
    #[serde(with = "crate::number::many_or_none")]
    pub model_class_distrib: Option<Vec<f64>>,
    /// Whether probabilities are corrected back from the balanced frame.
    pub balance_classes: bool,
}

impl Labelling {
    /// Undoes class balancing: each probability times its factor, then scaled to sum to one.
    pub fn correct(&self, probabilities: &mut [f64]) {
        let Some(factors) = self.correction() else { return };
        let mut total = 0.0;
        for (p, factor) in probabilities.iter_mut().zip(factors) {
            *p *= factor;
            total += *p;
        }
        if total > 0.0 {
            for p in probabilities {
                *p /= total;
            }
        }
    }

    /// For each class the factor that undoes its balancing: prior over model share, 1 where either is 0. `None` where
    /// classes were not balanced.
    pub fn correction(&self) -> Option<impl Iterator<Item = f64>> {
        let (true, Some(prior), Some(model)) =
            (self.balance_classes, &self.prior_class_distrib, &self.model_class_distrib)
        else {
            return None;
        };
        let factor = |(&prior, &model): (&f64, &f64)| if prior != 0.0 && model != 0.0 { prior / model } else { 1.0 };
        Some(prior.iter().zip(model).map(factor))
    }

    /// The index of the predicted class. `row` is the raw row: its bits decide between classes of equal probability.
    pub fn choose(&self, probabilities: &[f64], row: &[f64]) -> usize {
        if let [_, p1] = *probabilities {
            return usize::from(p1 >= self.default_threshold);
        }
        let (mut best, mut ties) = (0, 0);
        for (class, &p) in probabilities.iter().enumerate().skip(1) {
            if p > probabilities[best] {
                (best, ties) = (class, 0);
            } else if p == probabilities[best] {
                ties += 1;
            }
        }
        if ties == 0 { best } else { self.break_tie(probabilities, best, ties, row) }
    }

    fn break_tie(&self, probabilities: &[f64], best: usize, ties: usize, row: &[f64]) -> usize {
        let tied = tied_so_far(probabilities);
        let hash = row.iter().fold(0, |hash, x| hash ^ (x.to_bits().cast_signed() >> 6));
        let prior = |class: usize| self.prior_class_distrib.as_ref().and_then(|prior| prior.get(class));
        if self.prior_class_distrib.is_some() {
            let sum: f64 = tied.iter().filter_map(|&class| prior(class)).sum();
            let draw = java_random_double(hash);
            let mut partial = 0.0;
            for &class in &tied {
                partial += prior(class).unwrap_or(&0.0) / sum;
                if draw <= partial {
                    return class;
                }
            }
        }
        let mut index = (hash as i32) % (ties as i32 + 1);
        for (class, &p) in probabilities.iter().enumerate() {
            if p == probabilities[best] {
                index -= 1;
                if index < 0 {
                    return class;
                }
            }
        }
        best
    }
}

/// H2O's list of the likeliest classes. It starts with class 0 and is not emptied when a larger probability turns up, so a
/// tie can be decided for a class of smaller probability. Its answers, so ours.
fn tied_so_far(probabilities: &[f64]) -> Vec<usize> {
    let (mut tied, mut largest) = (vec![0], probabilities[0]);
    for (class, &p) in probabilities.iter().enumerate().skip(1) {
        if p == largest {
            tied.push(class);
        }
        largest = largest.max(p);
    }
    tied
}

/// The first `nextDouble()` of `java.util.Random` with this seed.
fn java_random_double(seed: i64) -> f64 {
    const MULTIPLIER: u64 = 0x5_DEEC_E66D;
    const MASK: u64 = (1 << 48) - 1;
    let mut state = (seed.cast_unsigned() ^ MULTIPLIER) & MASK;
    let mut next = |bits: u32| {
        state = state.wrapping_mul(MULTIPLIER).wrapping_add(0xB) & MASK;
        state >> (48 - bits)
    };
    let high = next(26);
    let low = next(27);
    ((high << 27) + low) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labelling(prior: Option<Vec<f64>>) -> Labelling {
        Labelling {
            default_threshold: 0.3,
            prior_class_distrib: prior,
            model_class_distrib: None,
            balance_classes: false,
        }
    }

    #[test]
    fn the_threshold_itself_predicts_class_one() {
        let rule = labelling(None);
        assert_eq!(rule.choose(&[0.7, 0.3], &[]), 1);
        assert_eq!(rule.choose(&[0.7, 0.3 - 1e-17], &[]), 1);
        assert_eq!(rule.choose(&[0.71, 0.29], &[]), 0);
    }

    #[test]
    fn a_tie_is_drawn_from_the_priors_by_the_bits_of_the_row() {
        // What H2O's runtime draws for this row.
        let row = [1.0_f64, 2.0, 3.0];
        let hash = row.iter().fold(0, |hash, x| hash ^ (x.to_bits().cast_signed() >> 6));
        assert_eq!(hash, 72_022_409_665_839_104);
        assert_eq!(java_random_double(hash), 0.105_967_785_514_011_87);
        // The stale entry for class 0 wins although classes 1 and 2 are likelier.
        assert_eq!(labelling(Some(vec![0.7, 0.1, 0.2])).choose(&[0.2, 0.4, 0.4], &row), 0);
    }

    #[test]
    fn classes_that_were_tied_before_a_likelier_one_stay_listed() {
        assert_eq!(tied_so_far(&[0.2, 0.2, 0.3, 0.3]), [0, 1, 3]);
        assert_eq!(tied_so_far(&[0.2, 0.4, 0.4]), [0, 2]);
    }

    #[test]
    fn without_a_tie_the_likeliest_class_wins() {
        assert_eq!(labelling(Some(vec![0.7, 0.1, 0.2])).choose(&[0.2, 0.3, 0.5], &[1.0]), 2);
    }

    #[test]
    fn balancing_is_undone() {
        let rule = Labelling {
            balance_classes: true,
            model_class_distrib: Some(vec![0.5, 0.5]),
            ..labelling(Some(vec![0.9, 0.1]))
        };
        let mut p = [0.5, 0.5];
        rule.correct(&mut p);
        assert_eq!(p, [0.9, 0.1]);
    }
}
