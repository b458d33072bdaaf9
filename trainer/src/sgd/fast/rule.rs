//! How a gradient changes a weight, sixteen at a time: ADADELTA, momentum, or neither.

use crate::kernel::Simd;
use crate::params::TrainParams;
use crate::sgd::update::{has_momentum, layer_rate};

/// A rule that turns gradients into changes. `memory` is what it remembers of the weights, in its first `SLOTS` vectors.
pub(super) trait Rule: Copy + Send + Sync {
    /// What is remembered of each weight.
    const SLOTS: usize;
    /// Whether a bias is driven by the gradients of its unit's weights.
    const NEEDS_SQUARES: bool;
    /// Whether models that matter are trained by it.
    const IS_COMMON: bool = true;

    fn weight<S: Simd>(self, simd: S, weight: S::V, memory: [S::V; 2], gradient: S::V) -> (S::V, [S::V; 2]);

    /// `mean_square` is over the gradients of the weights into the unit.
    fn bias<S: Simd>(self, simd: S, bias: S::V, memory: [S::V; 2], gradient: S::V, mean_square: S::V) -> BiasStep<S>;
}

/// A changed bias, what is remembered of it, and the rate that it went by.
pub(super) struct BiasStep<S: Simd> {
    pub bias: S::V,
    pub memory: [S::V; 2],
    pub rate: S::V,
}

/// ADADELTA (Zeiler 2012), with true roots where H2O has approximate ones.
///
/// What is kept is not the running mean `G` of the squared gradients and that of the updates `D` but `E = (G + eps) / (1 - rho)`
/// and `X = (D + eps) / (1 - rho)`, which turns `G' = rho G + (1 - rho) g^2` into `E' = rho E + g^2 + eps` and leaves the
/// rate as it was: `sqrt((D + eps) / (G' + eps)) = sqrt(X / E')`. Both stay positive, so a root and a division are one
/// approximate inverse root.
#[derive(Debug, Clone, Copy)]
pub(super) struct Adadelta {
    pub rho: f32,
    pub epsilon: f32,
}

impl Rule for Adadelta {
    const SLOTS: usize = 2;
    const NEEDS_SQUARES: bool = true;

    #[inline(always)]
    fn weight<S: Simd>(self, simd: S, weight: S::V, [x, e]: [S::V; 2], gradient: S::V) -> (S::V, [S::V; 2]) {
        let (rho, epsilon) = (simd.splat(self.rho), simd.splat(self.epsilon));
        let e = simd.mul_add(gradient, gradient, simd.mul_add(rho, e, epsilon));
        let change = simd.mul(gradient, simd.root_of_ratio(x, e));
        let x = simd.mul_add(change, change, simd.mul_add(rho, x, epsilon));
        (simd.sub(weight, change), [x, e])
    }

    #[inline(always)]
    fn bias<S: Simd>(self, simd: S, bias: S::V, [x, e]: [S::V; 2], gradient: S::V, mean_square: S::V) -> BiasStep<S> {
        let (rho, epsilon) = (simd.splat(self.rho), simd.splat(self.epsilon));
        let e = simd.add(mean_square, simd.mul_add(rho, e, epsilon));
        let rate = simd.root_of_ratio(x, e);
        let x = simd.mul_add(simd.mul(rate, rate), mean_square, simd.mul_add(rho, x, epsilon));
        BiasStep { bias: simd.sub_mul(rate, gradient, bias), memory: [x, e], rate }
    }
}

/// ADADELTA for values of `rho` and `epsilon` to which the other form has no answer: the running means themselves.
#[derive(Debug, Clone, Copy)]
pub(super) struct AnyAdadelta {
    pub rho: f32,
    pub epsilon: f32,
}

impl AnyAdadelta {
    #[inline(always)]
    fn rate<S: Simd>(self, simd: S, [d, g]: [S::V; 2], square: S::V) -> (S::V, [S::V; 2]) {
        let (rho, rest, epsilon) = (simd.splat(self.rho), simd.splat(1.0 - self.rho), simd.splat(self.epsilon));
        let g = simd.mul_add(rest, square, simd.mul(rho, g));
        let rate = simd.sqrt(simd.div(simd.add(d, epsilon), simd.add(g, epsilon)));
        let d = simd.mul_add(simd.mul(rest, simd.mul(rate, rate)), square, simd.mul(rho, d));
        (rate, [d, g])
    }
}

impl Rule for AnyAdadelta {
    const SLOTS: usize = 2;
    const NEEDS_SQUARES: bool = true;
    const IS_COMMON: bool = false;

    #[inline(always)]
    fn weight<S: Simd>(self, simd: S, weight: S::V, memory: [S::V; 2], gradient: S::V) -> (S::V, [S::V; 2]) {
        let (rate, memory) = self.rate(simd, memory, simd.mul(gradient, gradient));
        (simd.sub_mul(rate, gradient, weight), memory)
    }

    #[inline(always)]
    fn bias<S: Simd>(self, simd: S, bias: S::V, memory: [S::V; 2], gradient: S::V, mean_square: S::V) -> BiasStep<S> {
        let (rate, memory) = self.rate(simd, memory, mean_square);
        BiasStep { bias: simd.sub_mul(rate, gradient, bias), memory, rate }
    }
}

/// H2O's Nesterov variant: `v = momentum v - gradient`, `w += step v`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nesterov {
    pub step: f32,
    pub momentum: f32,
}

impl Rule for Nesterov {
    const SLOTS: usize = 1;
    const NEEDS_SQUARES: bool = false;

    #[inline(always)]
    fn weight<S: Simd>(self, simd: S, weight: S::V, [v, other]: [S::V; 2], gradient: S::V) -> (S::V, [S::V; 2]) {
        let v = simd.mul_sub(simd.splat(self.momentum), v, gradient);
        (simd.mul_add(simd.splat(self.step), v, weight), [v, other])
    }

    #[inline(always)]
    fn bias<S: Simd>(self, simd: S, bias: S::V, memory: [S::V; 2], gradient: S::V, _mean_square: S::V) -> BiasStep<S> {
        let (bias, memory) = self.weight(simd, bias, memory, gradient);
        BiasStep { bias, memory, rate: simd.splat(self.step) }
    }
}

/// H2O's other variant: the change before last is added again, and `v` holds the change without it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Classic {
    pub step: f32,
    pub momentum: f32,
}

impl Rule for Classic {
    const SLOTS: usize = 1;
    const NEEDS_SQUARES: bool = false;
    const IS_COMMON: bool = false;

    #[inline(always)]
    fn weight<S: Simd>(self, simd: S, weight: S::V, [v, other]: [S::V; 2], gradient: S::V) -> (S::V, [S::V; 2]) {
        let change = simd.mul(simd.splat(-self.step), gradient);
        let moved = simd.mul_add(simd.splat(self.momentum), v, simd.add(weight, change));
        (moved, [change, other])
    }

    #[inline(always)]
    fn bias<S: Simd>(self, simd: S, bias: S::V, memory: [S::V; 2], gradient: S::V, _mean_square: S::V) -> BiasStep<S> {
        let (bias, memory) = self.weight(simd, bias, memory, gradient);
        BiasStep { bias, memory, rate: simd.splat(self.step) }
    }
}

/// A rate without momentum.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plain {
    pub step: f32,
}

impl Rule for Plain {
    const SLOTS: usize = 0;
    const NEEDS_SQUARES: bool = false;

    #[inline(always)]
    fn weight<S: Simd>(self, simd: S, weight: S::V, memory: [S::V; 2], gradient: S::V) -> (S::V, [S::V; 2]) {
        (simd.sub_mul(simd.splat(self.step), gradient, weight), memory)
    }

    #[inline(always)]
    fn bias<S: Simd>(self, simd: S, bias: S::V, memory: [S::V; 2], gradient: S::V, _mean_square: S::V) -> BiasStep<S> {
        let (bias, memory) = self.weight(simd, bias, memory, gradient);
        BiasStep { bias, memory, rate: simd.splat(self.step) }
    }
}

/// Which rule the parameters ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RuleKind {
    Adadelta,
    AnyAdadelta,
    Nesterov,
    Classic,
    Plain,
}

impl RuleKind {
    pub fn new(params: &TrainParams) -> Self {
        // Below the last bound the product of the two memories would lose digits.
        const LEAST_EPSILON: f64 = 1e-14;
        if params.adaptive_rate {
            let usual = params.rho > 0.0 && 1.0 - params.rho > 1e-6 && params.epsilon >= LEAST_EPSILON;
            if usual { Self::Adadelta } else { Self::AnyAdadelta }
        } else if !has_momentum(params) {
            Self::Plain
        } else if params.nesterov_accelerated_gradient {
            Self::Nesterov
        } else {
            Self::Classic
        }
    }

    /// Numbers kept of each weight besides itself.
    pub fn slots(self) -> usize {
        match self {
            Self::Adadelta => Adadelta::SLOTS,
            Self::AnyAdadelta => AnyAdadelta::SLOTS,
            Self::Nesterov => Nesterov::SLOTS,
            Self::Classic => Classic::SLOTS,
            Self::Plain => Plain::SLOTS,
        }
    }

    /// What the memory of a weight is before the first row.
    pub fn untrained(self, params: &TrainParams) -> f32 {
        if self == Self::Adadelta { (params.epsilon / (1.0 - params.rho)) as f32 } else { 0.0 }
    }
}

/// What changes in the course of a run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Schedule {
    /// Samples that anneal the rate.
    pub samples: u64,
    pub momentum: f32,
}

/// Does something with the rule of a layer.
#[inline(always)]
pub(super) fn with_rule<W: WithRule>(kind: RuleKind, params: &TrainParams, layer: usize, schedule: Schedule, with: W) {
    let (rho, epsilon) = (params.rho as f32, params.epsilon as f32);
    let Schedule { samples, momentum } = schedule;
    let step = || layer_rate(params, layer, samples) * (1.0 - momentum);
    match kind {
        RuleKind::Adadelta => with.call(Adadelta { rho, epsilon }),
        RuleKind::AnyAdadelta => with.call(AnyAdadelta { rho, epsilon }),
        RuleKind::Nesterov => with.call(Nesterov { step: step(), momentum }),
        RuleKind::Classic => with.call(Classic { step: step(), momentum }),
        RuleKind::Plain => with.call(Plain { step: step() }),
    }
}

/// Something that is generic over the rule.
pub(super) trait WithRule {
    fn call<R: Rule>(self, rule: R);
}
