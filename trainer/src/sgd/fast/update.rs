//! How a layer changes. With one sample it is gone through once: each row of weights tells the layer below its error and
//! changes. With a batch the errors of all samples are told first, and then each row changes by the mean of the gradients.
//!
//! In H2O's `fast_mode` units without a gradient and inputs that are zero are left alone, penalties and memories included.

use model::Nonlinearity;

use super::backward::{Backward, OfSample, Penalty, Rows, Squares};
use super::biases::Biases;
use super::error::{ErrorByInput, ErrorByUnit};
use super::forward::List;
use super::layer::{FastLayer, Layout};
use super::rule::{Rule, WithRule};
use super::step::StepSettings;
use super::terms::Terms;
use super::units::{MeanSquares, Touch};
use super::work::{LayerWork, Parts, Work};
use crate::kernel::{LANES, Lanes, Simd, flat, flat_mut};
use crate::sgd::update::has_momentum;

/// What updates need besides the layers.
#[derive(Debug, Clone)]
pub(super) struct Updater {
    /// 0, 1, 2 ...: all rows, all lines.
    count: Vec<u32>,
    zeros: Vec<f32>,
    /// For each layer 1 in the lane of each input.
    ones: Vec<Vec<Lanes>>,
    terms: Terms,
    penalty: Penalty,
    sparsity: (f32, f32),
    /// Whether units without a gradient are left alone: `fast_mode` says so, or nothing would happen to them.
    skips_units: bool,
    /// Whether inputs that are zero are left alone.
    skips_inputs: bool,
}

impl Updater {
    pub fn new(layers: &[FastLayer], settings: &StepSettings) -> Self {
        let params = &settings.params;
        let most = layers.iter().map(|l| l.inputs.max(l.output_lines() * LANES)).max().unwrap_or(0);
        let ones = |layer: &FastLayer| {
            let mut ones = Lanes::zeros(layer.inputs);
            flat_mut(&mut ones)[..layer.inputs].fill(1.0);
            ones
        };
        let penalty = Penalty { l1: params.l1 as f32, l2: params.l2 as f32, pull: 0.0 };
        let sparsity = (params.sparsity_beta as f32, params.average_activation as f32);
        let idle = !params.adaptive_rate && !has_momentum(params) && penalty == Penalty::default();
        Self {
            count: (0..most as u32).collect(),
            zeros: vec![0.0; most],
            ones: layers.iter().map(ones).collect(),
            terms: Terms::default(),
            penalty,
            sparsity,
            skips_units: params.fast_mode || idle,
            skips_inputs: params.fast_mode,
        }
    }

    /// Pulls weights and biases to those in the last slot from now on.
    pub fn set_pull(&mut self, pull: f32) {
        self.penalty.pull = pull;
    }

    fn all(&self, count: usize) -> &[u32] {
        &self.count[..count]
    }
}

/// Updates a layer by a rule.
pub(super) struct UpdateLayer<'a, S> {
    pub simd: S,
    pub settings: &'a StepSettings,
    pub updater: &'a mut Updater,
    pub layer: &'a mut FastLayer,
    pub work: &'a mut Work,
    /// Its number from 0.
    pub l: usize,
    pub samples: usize,
}

impl<S: Simd> WithRule for UpdateLayer<'_, S> {
    fn call<R: Rule>(self, rule: R) {
        if !self.updater.skips_units {
            let work = &mut self.work.layers[self.l];
            let (units, channels) = (self.layer.units, self.layer.channels);
            // In a batch each channel may win in some sample.
            let winners = (channels == 2 && self.samples == 1).then_some(&work.winners[..work.unit_lines]);
            self.simd.run(Touch { units, winners, touched: &mut work.touched });
        }
        match (self.samples, self.layer.layout) {
            (1, Layout::ByInput) => self.one_by_input(rule),
            (1, Layout::ByUnit) => self.one_by_unit(rule),
            (_, Layout::ByInput) => self.batch_by_input(rule),
            (_, Layout::ByUnit) => self.batch_by_unit(rule),
        }
    }
}

impl<S: Simd> UpdateLayer<'_, S> {
    fn one_by_input<R: Rule>(self, rule: R) {
        let Self { simd, settings, updater, layer, work, l, .. } = self;
        let Parts { list, dense, errors, this } = work.parts(l, 0);
        let inputs = layer.inputs;
        let rows = if updater.skips_inputs {
            Rows { places: list.places(), factors: list.values() }
        } else {
            Rows { places: updater.all(inputs), factors: &flat(dense)[..inputs] }
        };
        let LayerWork { gradients, lines, touched, squares, output_lines, .. } = this;
        let lines = if updater.skips_units { &lines[0] } else { updater.all(*output_lines) };
        let touched = updater.touched(gradients, touched);

        if let Some(below) = errors {
            // Only a rectified unit that is zero does not ask for its error.
            let rectified = settings.nonlinearity == Nonlinearity::Rectifier;
            let places = if rectified { list.places() } else { updater.all(inputs) };
            simd.run(ErrorByInput { layer, places, errors: gradients, lines, below: flat_mut(below) });
        }
        let shortcut = updater.penalty == Penalty::default();
        let sums = if R::NEEDS_SQUARES && !shortcut {
            squares.fill(Lanes::default());
            Squares::ByLane(squares)
        } else {
            Squares::Forgotten
        };
        let gradient = OfSample { lanes: gradients };
        let (penalty, max_w2) = (updater.penalty, f32::MAX);
        simd.run(Backward { layer, rule, penalty, rows, gradient, lines, touched, below: None, squares: sums, max_w2 });
        if R::NEEDS_SQUARES {
            let of_inputs = shortcut.then(|| sum_of_squares(list.values()));
            simd.run(MeanSquares { gradients, of_inputs, inputs, squares });
        }
        let sparsity = updater.sparsity;
        simd.run(Biases { layer, rule, penalty, errors: gradients, lines, touched, mean_squares: squares, sparsity });
    }

    fn one_by_unit<R: Rule>(self, rule: R) {
        let Self { simd, settings, updater, layer, work, l, .. } = self;
        let Parts { dense, errors, this, .. } = work.parts(l, 0);
        let LayerWork { gradients, lines: unit_lines, gradient_lists, touched, squares, output_lines, .. } = this;
        if !updater.skips_units {
            list_touched(touched, gradients, &mut gradient_lists[0]);
        }
        let list = &gradient_lists[0];
        let rows = Rows { places: list.places(), factors: list.values() };
        let mut below = errors;
        if let Some(below) = &mut below {
            below.fill(Lanes::default());
        }
        let shortcut = updater.penalty == Penalty::default();
        let sums = if R::NEEDS_SQUARES && !shortcut {
            squares.fill(Lanes::default());
            Squares::ByRow(flat_mut(squares))
        } else {
            Squares::Forgotten
        };
        let (penalty, inputs, max_w2) = (updater.penalty, layer.inputs, settings.params.max_w2);
        let touched_inputs = (!updater.skips_inputs).then_some(&updater.ones[l][..]);
        simd.run(Backward {
            rule,
            penalty,
            rows,
            gradient: OfSample { lanes: dense },
            lines: updater.all(layer.lines),
            touched: touched_inputs,
            below,
            squares: sums,
            max_w2,
            layer,
        });
        if R::NEEDS_SQUARES {
            let of_inputs = shortcut.then(|| sum_of_squares(flat(dense)));
            simd.run(MeanSquares { gradients, of_inputs, inputs, squares });
        }
        let lines = if updater.skips_units { &unit_lines[0] } else { updater.all(*output_lines) };
        let touched = updater.touched(gradients, touched);
        let sparsity = updater.sparsity;
        simd.run(Biases { layer, rule, penalty, errors: gradients, lines, touched, mean_squares: squares, sparsity });
    }

    fn batch_by_input<R: Rule>(self, rule: R) {
        let Self { simd, settings, updater, layer, work, l, samples } = self;
        let inputs = layer.inputs;
        for sample in 0..samples {
            let Parts { list, errors: Some(below), this, .. } = work.parts(l, sample) else { break };
            let rectified = settings.nonlinearity == Nonlinearity::Rectifier;
            let places = if rectified { list.places() } else { updater.all(inputs) };
            let (errors, lines) = (&this.gradients[this.outputs(sample)], &this.lines[sample]);
            simd.run(ErrorByInput { layer, places, errors, lines, below: flat_mut(below) });
        }
        let all = (!updater.skips_inputs).then_some(inputs);
        let (lists, _, this) = work.of_samples(l, samples);
        updater.terms.collect(inputs, lists.iter(), all);
        let LayerWork { gradients, lines, touched, squares, nets, output_lines, .. } = this;
        squares.fill(Lanes::default());
        let (changed, rest) = lines.split_at_mut(1);
        let changed = &mut changed[0];
        if updater.skips_units {
            changed.extend(rest[..samples - 1].iter().flatten());
            changed.sort_unstable();
            changed.dedup();
        } else {
            changed.clone_from(&updater.count[..*output_lines].to_vec());
        }
        let terms = &updater.terms;
        let touched = (!updater.skips_units).then_some(&touched[..]);
        let gradient = terms.gradient(gradients, *output_lines);
        simd.run(Backward {
            rule,
            penalty: updater.penalty,
            rows: Rows { places: &terms.rows, factors: updater.zeros(terms.rows.len()) },
            gradient,
            lines: changed,
            touched,
            below: None,
            squares: if R::NEEDS_SQUARES { Squares::ByLane(squares) } else { Squares::Forgotten },
            max_w2: f32::MAX,
            layer,
        });
        simd.run(MeanSquares { gradients, of_inputs: None, inputs, squares });
        let nets = &mut nets[..*output_lines];
        mean_of_samples(gradients, samples, nets);
        let penalty = updater.penalty;
        let sparsity = updater.sparsity;
        simd.run(Biases {
            layer,
            rule,
            penalty,
            errors: nets,
            lines: changed,
            touched,
            mean_squares: squares,
            sparsity,
        });
    }

    fn batch_by_unit<R: Rule>(self, rule: R) {
        let Self { simd, settings, updater, layer, work, l, samples } = self;
        for sample in 0..samples {
            let Parts { errors: Some(below), this, .. } = work.parts(l, sample) else { break };
            below.fill(Lanes::default());
            let list = &this.gradient_lists[sample];
            simd.run(ErrorByUnit { layer, rows: Rows { places: list.places(), factors: list.values() }, below });
        }
        let (_, dense, this) = work.of_samples(l, samples);
        let outputs = this.output_lines * LANES;
        let all = (!updater.skips_units).then_some(outputs);
        updater.terms.collect(outputs, this.gradient_lists[..samples].iter(), all);
        let (terms, inputs) = (&updater.terms, layer.inputs);
        let gradient = terms.gradient(dense, layer.lines);
        let mut squares = vec![Lanes::default(); this.output_lines];
        simd.run(Backward {
            rule,
            penalty: updater.penalty,
            rows: Rows { places: &terms.rows, factors: updater.zeros(terms.rows.len()) },
            gradient,
            lines: updater.all(layer.lines),
            touched: (!updater.skips_inputs).then_some(&updater.ones[l][..]),
            below: None,
            squares: if R::NEEDS_SQUARES { Squares::ByRow(flat_mut(&mut squares)) } else { Squares::Forgotten },
            max_w2: settings.params.max_w2,
            layer,
        });
        let LayerWork { gradients, touched, nets, output_lines, .. } = this;
        simd.run(MeanSquares { gradients, of_inputs: None, inputs, squares: &mut squares });
        let nets = &mut nets[..*output_lines];
        mean_of_samples(gradients, samples, nets);
        let (penalty, lines, sparsity) = (updater.penalty, updater.all(*output_lines), updater.sparsity);
        let touched = (!updater.skips_units).then_some(&touched[..]);
        simd.run(Biases { layer, rule, penalty, errors: nets, lines, touched, mean_squares: &squares, sparsity });
    }
}

impl Updater {
    /// The lanes of the units to change; `None` for those with a gradient.
    fn touched<'a>(&self, gradients: &'a [Lanes], touched: &'a [Lanes]) -> Option<&'a [Lanes]> {
        match (self.skips_units, self.skips_inputs) {
            (true, true) => None,
            (true, false) => Some(gradients),
            (false, _) => Some(touched),
        }
    }

    /// Factors that nobody looks at.
    fn zeros(&self, count: usize) -> &[f32] {
        &self.zeros[..count]
    }
}

/// The units to change, each with its gradient, zero or not.
fn list_touched(touched: &[Lanes], gradients: &[Lanes], list: &mut List) {
    list.count = 0;
    for (place, (&touched, &gradient)) in (0..).zip(flat(touched).iter().zip(flat(gradients))) {
        if touched != 0.0 {
            list.places[list.count] = place;
            list.values[list.count] = gradient;
            list.count += 1;
        }
    }
}

fn mean_of_samples(gradients: &[Lanes], samples: usize, mean: &mut [Lanes]) {
    let share = 1.0 / samples as f32;
    mean.fill(Lanes::default());
    for sample in gradients.chunks(mean.len()).take(samples) {
        for (mean, line) in flat_mut(mean).iter_mut().zip(flat(sample)) {
            *mean += line * share;
        }
    }
}

fn sum_of_squares(numbers: &[f32]) -> f32 {
    let (lines, rest) = numbers.as_chunks::<LANES>();
    let mut sums = [0.0_f32; LANES];
    for line in lines {
        for lane in 0..LANES {
            sums[lane] += line[lane] * line[lane];
        }
    }
    sums.iter().sum::<f32>() + rest.iter().map(|x| x * x).sum::<f32>()
}
