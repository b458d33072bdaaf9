//! The slopes of what is not linear, between a row `x` and a reference `z`: `f(x) - f(z) = slope (x - z)`.

use super::pass::Trace;
use crate::activation::Nonlinearity;
use crate::distribution::Distribution;
use crate::math::{exp, ln};
use crate::network::larger;

/// Net inputs that are closer have the slope of a tangent, as in H2O: a quotient of two small differences has few digits.
const CLOSE: f64 = 1e-6;

/// What comes of the net inputs of the output layer.
#[derive(Debug, Clone, Default)]
pub(super) struct Outputs {
    /// The probabilities of classes, or the value of a regression: its logarithm where that is the link.
    pub values: Vec<f64>,
    /// The logarithm of what the exponentials of the net inputs were divided by.
    ln_total: f64,
}

/// One of two rows that are compared.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side<'a> {
    pub trace: &'a Trace,
    pub outputs: &'a Outputs,
}

impl Outputs {
    pub(super) fn of_value(value: f64) -> Self {
        Self { values: vec![value], ln_total: 0.0 }
    }

    /// Probabilities, each with a factor where there are some.
    pub(super) fn of_classes(nets: &[f64], factors: Option<Vec<f64>>) -> Self {
        let largest = nets.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut probabilities: Vec<f64> = nets.iter().map(|net| exp(net - largest)).collect();
        for (p, factor) in probabilities.iter_mut().zip(factors.into_iter().flatten()) {
            *p *= factor;
        }
        let total: f64 = probabilities.iter().sum();
        for p in &mut probabilities {
            *p /= total;
        }
        Self { values: probabilities, ln_total: largest + ln(total) }
    }
}

/// The slope of a hidden unit with one channel, given what its outputs differ by; `None` where net inputs are too close.
pub(super) fn quotient(nonlinearity: Nonlinearity, x: f64, z: f64, outputs: f64) -> Option<f64> {
    let difference = x - z;
    // A tangent at a bend is none.
    let is_bent = nonlinearity == Nonlinearity::Rectifier && (x > 0.0) != (z > 0.0);
    (is_bent || difference.abs() > CLOSE).then(|| outputs / difference)
}

/// The derivative of a hidden unit with one channel.
pub(super) fn tangent(nonlinearity: Nonlinearity, x: f64) -> f64 {
    match nonlinearity {
        Nonlinearity::Tanh => {
            let output = nonlinearity.apply(x);
            1.0 - output * output
        }
        Nonlinearity::Rectifier => f64::from(u8::from(x > 0.0)),
        Nonlinearity::ExpRectifier if x < 0.0 => exp(x),
        Nonlinearity::ExpRectifier | Nonlinearity::Maxout => 1.0,
    }
}

/// The slopes of both channels of a Maxout unit: what each adds to the larger, as the Shapley value of a game of two.
pub(super) fn maxout_slopes(x: [f64; 2], z: [f64; 2]) -> [f64; 2] {
    const SAME: f64 = 1e-10;
    let (neither, both) = (larger(z[0], z[1]), larger(x[0], x[1]));
    let alone = [larger(x[0], z[1]), larger(z[0], x[1])];
    std::array::from_fn(|channel| {
        let difference = x[channel] - z[channel];
        // As the first to change, and as the second.
        let share = 0.5 * ((alone[channel] - neither) + (both - alone[1 - channel]));
        if difference.abs() < SAME { 0.0 } else { share / difference }
    })
}

/// The slope of the inverse of the link.
pub(super) fn slope_of_link(distribution: Distribution, x: f64, z: f64) -> f64 {
    let [mean, other] = [x, z].map(|value| distribution.link_inverse(value));
    // Exponentials are capped: there they do not rise.
    if (x - z).abs() > CLOSE || (x != z && mean == other) {
        return (mean - other) / (x - z);
    }
    match distribution {
        _ if distribution.has_identity_link() => 1.0,
        Distribution::Bernoulli => mean * (1.0 - mean),
        _ => mean,
    }
}

/// H2O's slopes of the second of two probabilities: all of the difference goes through the net input of its own class.
///
/// Where that hardly differs H2O takes the derivative, and what the other class changed is lost; here it is not.
pub(super) fn second_class(x: Side<'_>, z: Side<'_>) -> Vec<f64> {
    let difference = x.trace.top()[1] - z.trace.top()[1];
    if difference.abs() > CLOSE {
        vec![0.0, (x.outputs.values[1] - z.outputs.values[1]) / difference]
    } else {
        softmax(1, x, z)
    }
}

/// The slopes of the probability `p_c` of a class, for each net input `n_j`.
///
/// With the logarithmic mean `L_j` of the class's probabilities in both rows,
///
/// ```text
/// p_c(x) - p_c(z) = sum_j slope_j (n_j(x) - n_j(z))       slope_j = L_c ([j = c] - L_j / sum_k L_k)
/// L_j = (p_j(x) - p_j(z)) / (ln p_j(x) - ln p_j(z))
/// ```
///
/// which is exact (the weights of Sato and Vartia, "The ideal log-change index number", 1976), never large, and
/// becomes the derivative of the softmax as `z` comes close to `x`. Factors of the classes change nothing about it.
pub(super) fn softmax(class: usize, x: Side<'_>, z: Side<'_>) -> Vec<f64> {
    let probabilities = x.outputs.values.iter().zip(&z.outputs.values);
    let totals = x.outputs.ln_total - z.outputs.ln_total;
    let nets = x.trace.top().iter().zip(z.trace.top());
    let means = nets.zip(probabilities).map(|((x, z), (&p, &q))| logarithmic_mean(p, q, x - z - totals));
    let mut means: Vec<f64> = means.collect();
    let (own, total) = (means[class], means.iter().sum::<f64>());
    for (other, mean) in means.iter_mut().enumerate() {
        *mean = own * (f64::from(u8::from(other == class)) - *mean / total);
    }
    means
}

/// Of two numbers whose logarithms differ by so much.
fn logarithmic_mean(a: f64, b: f64, ln_difference: f64) -> f64 {
    const SERIES: f64 = 1e-4;
    if ln_difference.abs() > SERIES {
        (a - b) / ln_difference
    } else {
        // sqrt(a b) sinh(d/2) / (d/2), to the last bit.
        (a * b).sqrt() * (1.0 + ln_difference * ln_difference / 24.0)
    }
}
