//! The fast step against the plain one, by the same weights and masks.

use model::{Activation, Category, Distribution, Network, Nonlinearity};

use crate::kernel::{Generic, Simd, Tier, flat_mut};
use crate::params::{Loss as LossParameter, TrainParams};
use crate::sgd::dropout::{draw_mask, drop_inputs, keeps};
use crate::sgd::fast::forward::List;
use crate::sgd::fast::layer::Layout;
use crate::sgd::fast::rule::{RuleKind, Schedule};
use crate::sgd::fast::step::{FastStep, StepSettings};
use crate::sgd::loss::Loss;
use crate::sgd::start;
use crate::sgd::step::{Settings, Step, Target};
use crate::sgd::update::{exact_roots, training_momentum};

/// Of the largest change in a layer, in single precision. What a first step is off goes into the second.
const SAME: [f64; 2] = [1e-5, 5e-5];
/// Where the tier approximates roots.
const APPROXIMATE: [f64; 2] = [1e-4, 5e-4];

const INPUTS: usize = 21;

/// A way to train, and where its rows come from.
pub(super) struct Case {
    pub params: TrainParams,
    pub rule: RuleKind,
    pub category: Category,
    pub loss: Loss,
    pub outputs: usize,
    pub layouts: Vec<Layout>,
}

impl Case {
    pub fn network(&self) -> Network {
        let hidden = self.params.hidden.iter().map(|&units| units as usize);
        let sizes: Vec<usize> = std::iter::once(INPUTS).chain(hidden).chain([self.outputs]).collect();
        let mut network = start::network(&self.params, &sizes, matches!(self.category, Category::Multinomial));
        for layer in 0..network.layers().len() {
            for (i, bias) in network.parameters_mut(layer).1.iter_mut().enumerate() {
                // As a layer has them after a while; those of the fast engine are in single precision.
                *bias = f64::from((*bias as f32 + 0.01 * (i % 7) as f32) - 0.03);
            }
        }
        network
    }

    fn settings(&self, batch: usize) -> StepSettings {
        StepSettings {
            nonlinearity: self.params.activation.nonlinearity(),
            rule: self.rule,
            params: self.params.clone(),
            loss: self.loss,
            batch,
        }
    }

    fn target(&self, row: usize) -> Target {
        match self.category {
            Category::Regression => Target::Value { value: 2.5 + row as f64, offset: 0.1 },
            Category::AutoEncoder => Target::Inputs,
            Category::Binomial | Category::Multinomial => Target::Class(row % self.outputs),
        }
    }

    fn input(row: usize) -> Vec<f64> {
        let number =
            |i: usize| if (i + row).is_multiple_of(4) { 0.0 } else { ((i * 7 + row * 5) % 11) as f32 / 12.0 - 0.4 };
        (0..INPUTS).map(|i| f64::from(number(i))).collect()
    }

    /// The net after some rows by the plain engine.
    fn plain(&self, rows: usize) -> Network {
        let mut network = self.network();
        let mut step = Step::new(&self.params, &network);
        for row in 0..rows {
            step.input().copy_from_slice(&Self::input(row));
            let settings = Settings {
                params: &self.params,
                loss: self.loss,
                consensus: None,
                samples: 0,
                momentum: training_momentum(&self.params),
            };
            exact_roots::during(|| step.learn(&mut network, self.target(row), row as i64, settings));
        }
        network
    }

    /// The same by the fast engine, from the masks of the plain one.
    pub fn fast(&self, rows: usize, tier: Tier) -> Network {
        let mut step = FastStep::new(self.settings(1), &self.network(), &self.layouts);
        for row in 0..rows {
            self.put(&mut step, 0, row);
            self.learn(&mut step, &[self.target(row)], tier);
        }
        self.written(&step)
    }

    /// The net after one step by a batch of rows.
    pub fn fast_batch(&self, rows: &[usize], tier: Tier) -> Network {
        let mut step = FastStep::new(self.settings(rows.len()), &self.network(), &self.layouts);
        for (sample, &row) in rows.iter().enumerate() {
            self.put(&mut step, sample, row);
        }
        let targets: Vec<_> = rows.iter().map(|&row| self.target(row)).collect();
        self.learn(&mut step, &targets, tier);
        self.written(&step)
    }

    fn put(&self, step: &mut FastStep, sample: usize, row: usize) {
        let seed = self.params.seed + row as i64;
        let mut input = Self::input(row);
        step.work.originals[sample] = listed(&input);
        if self.params.input_dropout_ratio > 0.0 {
            drop_inputs(&mut input, self.params.input_dropout_ratio, seed);
        }
        step.work.inputs[sample] = listed(&input);
        if self.params.activation.has_dropout() {
            let mut mask = Vec::new();
            for (l, &units) in self.params.hidden.iter().enumerate() {
                let ratio = self.params.hidden_dropout_ratios.as_ref().expect("they are given")[l];
                draw_mask(&mut mask, units as usize, ratio, self.params.activation, seed);
                let work = &mut step.work.layers[l];
                let lines = work.units(sample);
                for (unit, kept) in flat_mut(&mut work.kept[lines]).iter_mut().take(units as usize).enumerate() {
                    *kept = if keeps(&mask, unit) { 1.0 } else { 0.0 };
                }
            }
        }
    }

    fn learn(&self, step: &mut FastStep, targets: &[Target], tier: Tier) {
        let momentum = training_momentum(&self.params);
        tier.dispatch(Learn { step, targets, schedule: Schedule { samples: 0, momentum } });
    }

    fn written(&self, step: &FastStep) -> Network {
        let mut network = self.network();
        for (l, layer) in step.layers.iter().enumerate() {
            let (weights, biases) = network.parameters_mut(l);
            layer.write(0, weights, biases);
        }
        network
    }

    /// Complains where the changes of two nets differ by more than a share of the largest one in the layer.
    pub fn compare(&self, rows: usize, plain: &Network, fast: &Network, tolerance: f64, what: &str) {
        let before = self.network();
        for l in 0..before.layers().len() {
            let weights = |network: &Network| network.layers()[l].weights.iter().map(|&w| f64::from(w)).collect();
            let biases = |network: &Network| network.layers()[l].biases.clone();
            for (kind, numbers) in [("weight", &weights as &dyn Fn(&Network) -> Vec<f64>), ("bias", &biases)] {
                let (before, plain, fast) = (numbers(&before), numbers(plain), numbers(fast));
                let largest = plain.iter().zip(&before).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                // Two rows may take back what one gave.
                assert!(largest > 3e-4 || rows > 1, "{what}: {kind} of layer {l} hardly changed ({largest})");
                for (i, ((before, plain), fast)) in before.iter().zip(&plain).zip(&fast).enumerate() {
                    // Besides, what is stored is rounded.
                    let rounding = f64::from(f32::EPSILON) * plain.abs().max(before.abs());
                    assert!(
                        (plain - fast).abs() <= tolerance * largest + rounding,
                        "{what}: {kind} {i} of layer {l} is {before} and becomes {fast}, in the plain step {plain}; the largest change is {largest}"
                    );
                }
            }
        }
    }
}

fn listed(input: &[f64]) -> List {
    let mut list = List::with_room(input.len());
    for (place, &x) in (0..).zip(input).filter(|(_, x)| **x != 0.0) {
        list.places[list.count] = place;
        list.values[list.count] = x as f32;
        list.count += 1;
    }
    list
}

struct Learn<'a> {
    step: &'a mut FastStep,
    targets: &'a [Target],
    schedule: Schedule,
}

impl Generic for Learn<'_> {
    type Output = ();
    fn call<S: Simd>(self, simd: S) {
        self.step.learn(simd, self.targets, self.schedule);
    }
}

pub(super) fn tiers() -> impl Iterator<Item = Tier> {
    Tier::NAMES.into_iter().filter_map(Tier::named)
}

/// Large steps, so that the roundings of the weights are small beside the changes.
pub(super) fn optimisers() -> Vec<(RuleKind, TrainParams)> {
    let manual = TrainParams { adaptive_rate: false, rate: 0.2, ..TrainParams::default() };
    let momentum = TrainParams { momentum_start: 0.6, momentum_stable: 0.6, ..manual.clone() };
    let adadelta = TrainParams { rho: 0.9, epsilon: 1e-4, ..TrainParams::default() };
    vec![
        (RuleKind::Adadelta, adadelta.clone()),
        (RuleKind::AnyAdadelta, adadelta),
        (RuleKind::Plain, manual),
        (RuleKind::Classic, TrainParams { nesterov_accelerated_gradient: false, ..momentum.clone() }),
        (RuleKind::Nesterov, momentum),
    ]
}

#[test]
fn parameters_choose_the_rule() {
    for (rule, params) in optimisers().into_iter().filter(|(rule, _)| *rule != RuleKind::AnyAdadelta) {
        assert_eq!(RuleKind::new(&params), rule);
    }
    for (rho, epsilon) in [(1.0, 1e-8), (1.5, 1e-8), (0.99, 1e-20), (0.99, -1.0)] {
        let params = TrainParams { rho, epsilon, ..TrainParams::default() };
        assert_eq!(RuleKind::new(&params), RuleKind::AnyAdadelta);
    }
}

fn losses() -> Vec<(Category, Loss, LossParameter, usize)> {
    let class = |loss, parameter| (Category::Multinomial, loss, parameter, 3);
    let mut losses = vec![
        class(Loss::CrossEntropy, LossParameter::Automatic),
        class(Loss::Quadratic, LossParameter::Quadratic),
        (Category::Multinomial, Loss::CrossEntropy, LossParameter::Automatic, 19),
    ];
    for distribution in Distribution::ALL {
        if !matches!(distribution, Distribution::Bernoulli | Distribution::Multinomial) {
            let loss = Loss::Deviance { distribution, tweedie_power: 1.3, quantile_alpha: 0.3 };
            losses.push((Category::Regression, loss, LossParameter::Automatic, 1));
            if matches!(distribution, Distribution::Gaussian | Distribution::Laplace) {
                losses.push((Category::AutoEncoder, loss, LossParameter::Automatic, INPUTS));
            }
        }
    }
    losses
}

pub(super) const LAYOUTS: [[Layout; 3]; 3] =
    [[Layout::ByInput; 3], [Layout::ByUnit; 3], [Layout::ByInput, Layout::ByUnit, Layout::ByInput]];

fn each_case(mut take: impl FnMut(&str, &Case)) {
    for activation in Activation::ALL {
        for (category, loss, parameter, outputs) in losses() {
            let is_autoencoder = category == Category::AutoEncoder;
            // H2O has none of two channels.
            if is_autoencoder && activation.nonlinearity() == Nonlinearity::Maxout {
                continue;
            }
            for (rule, params) in optimisers() {
                for penalised in [false, true] {
                    for fast_mode in [true, false] {
                        let params = TrainParams {
                            activation,
                            hidden: vec![18, 11],
                            loss: parameter,
                            seed: 11,
                            input_dropout_ratio: if activation.has_dropout() { 0.2 } else { 0.0 },
                            hidden_dropout_ratios: activation.has_dropout().then(|| vec![0.3, 0.5]),
                            l1: if penalised { 1e-2 } else { 0.0 },
                            l2: if penalised { 2e-2 } else { 0.0 },
                            fast_mode,
                            autoencoder: is_autoencoder,
                            sparsity_beta: if is_autoencoder && penalised { 0.7 } else { 0.0 },
                            average_activation: 0.2,
                            ..params.clone()
                        };
                        let what = format!(
                            "{activation}, {loss:?}, {outputs} outputs, {rule:?}, penalised {penalised}, fast_mode {fast_mode}"
                        );
                        for layouts in LAYOUTS {
                            let what = format!("{what}, {layouts:?}");
                            take(
                                &what,
                                &Case {
                                    params: params.clone(),
                                    rule,
                                    category,
                                    loss,
                                    outputs,
                                    layouts: layouts.to_vec(),
                                },
                            );
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn the_fast_step_changes_the_weights_as_the_plain_one_does() {
    each_case(|what, case| {
        for rows in [1, 2] {
            let plain = case.plain(rows);
            for tier in tiers() {
                let approximates = case.rule == RuleKind::Adadelta;
                let tolerance = if approximates { APPROXIMATE } else { SAME }[rows - 1];
                case.compare(rows, &plain, &case.fast(rows, tier), tolerance, &format!("{what}, {tier}, {rows} rows"));
            }
        }
    });
}
