//! Updates by the mean of a batch.

use model::{Activation, Category, Layer};

use super::step::{Case, LAYOUTS, optimisers, tiers};
use crate::params::{Loss as LossParameter, TrainParams};
use crate::sgd::fast::rule::RuleKind;
use crate::sgd::loss::Loss;

fn case(activation: Activation, rule: RuleKind, params: TrainParams) -> Case {
    let params = TrainParams { activation, hidden: vec![18, 11], seed: 11, ..params };
    let loss = LossParameter::Automatic;
    let (category, outputs) = (Category::Multinomial, 3);
    Case {
        params: TrainParams { loss, ..params },
        rule,
        category,
        loss: Loss::CrossEntropy,
        outputs,
        layouts: Vec::new(),
    }
}

/// One row several times has the mean of one of them.
#[test]
fn a_batch_of_equal_rows_is_a_step_by_one_of_them() {
    for activation in [Activation::Rectifier, Activation::Tanh, Activation::Maxout] {
        for (rule, params) in optimisers() {
            for (l2, fast_mode) in [(0.0, true), (0.02, true), (0.02, false)] {
                // With two channels both are touched in a batch that leaves nothing out.
                if !fast_mode && activation == Activation::Maxout {
                    continue;
                }
                let mut case = case(activation, rule, TrainParams { l2, fast_mode, ..params.clone() });
                for layouts in LAYOUTS {
                    case.layouts = layouts.to_vec();
                    for tier in tiers() {
                        let (one, several) = (case.fast(1, tier), case.fast_batch(&[0; 5], tier));
                        let what =
                            format!("{activation}, {rule:?}, l2 {l2}, fast_mode {fast_mode}, {layouts:?}, {tier}");
                        let tolerance = if rule == RuleKind::Adadelta { 1e-4 } else { 1e-5 };
                        case.compare(1, &one, &several, tolerance, &what);
                    }
                }
            }
        }
    }
}

/// Without memory and penalties the change by several rows is the mean of their changes. Five are some that go together and one more.
#[test]
fn a_batch_is_the_mean_of_the_steps_of_its_rows() {
    const ROWS: [usize; 5] = [0, 1, 2, 3, 4];
    let (rule, params) = optimisers().swap_remove(2);
    assert_eq!(rule, RuleKind::Plain);
    for activation in [Activation::Rectifier, Activation::ExpRectifier, Activation::Maxout] {
        for fast_mode in [true, false] {
            let mut case = case(activation, rule, TrainParams { fast_mode, ..params.clone() });
            for layouts in LAYOUTS {
                case.layouts = layouts.to_vec();
                for tier in tiers() {
                    let mut mean = case.network();
                    let steps = ROWS.map(|row| case.fast_batch(&[row], tier));
                    for layer in 0..mean.layers().len() {
                        let (weights, biases) = mean.parameters_mut(layer);
                        let of = |number: &dyn Fn(&Layer) -> f64| {
                            steps.iter().map(|step| number(&step.layers()[layer])).sum::<f64>() / ROWS.len() as f64
                        };
                        for (i, w) in weights.iter_mut().enumerate() {
                            *w = of(&|layer| f64::from(layer.weights[i])) as f32;
                        }
                        for (i, b) in biases.iter_mut().enumerate() {
                            *b = of(&|layer| layer.biases[i]);
                        }
                    }
                    let what = format!("{activation}, fast_mode {fast_mode}, {layouts:?}, {tier}");
                    case.compare(ROWS.len(), &mean, &case.fast_batch(&ROWS, tier), 2e-5, &what);
                }
            }
        }
    }
}
