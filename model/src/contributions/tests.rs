//! The rules by themselves, and a net that is small enough to explain by hand.

use proptest::prelude::*;

use super::pass::Trace;
use super::rules::{Outputs, Side, maxout_slopes, quotient, second_class, slope_of_link, softmax, tangent};
use super::*;
use crate::activation::{Activation, Nonlinearity};
use crate::distribution::Distribution;
use crate::encoding::{Encoding, InputLayout, Scaling};
use crate::label::Labelling;
use crate::network::{Layer, Network};
use crate::profile::{ColumnProfile, Profile, ValueProfile};
use crate::schema::{Domain, Feature, Response, Schema, SpecialColumns};

/// Absolute: what a contribution may miss of what it is part of.
const ADDS_UP: f64 = 1e-6;

/// A trace that ends in these net inputs, and the probabilities that they make.
fn classes(nets: &[f64], factors: Option<Vec<f64>>) -> (Trace, Outputs) {
    let layer = Layer {
        inputs: 0,
        units: nets.len(),
        channels: 1,
        weights: Vec::new(),
        biases: nets.to_vec(),
        dropout_ratio: 0.0,
    };
    let mut trace = Trace::default();
    trace
        .fill(&Network::new(Activation::Tanh, vec![layer]).expect("it is a net"), &mut crate::kernel::Terms::default());
    (trace, Outputs::of_classes(nets, factors))
}

fn dot(slopes: &[f64], x: &[f64], z: &[f64]) -> f64 {
    slopes.iter().zip(x.iter().zip(z)).map(|(slope, (x, z))| slope * (x - z)).sum()
}

fn nets() -> impl Strategy<Value = [f64; 4]> {
    let net = prop_oneof![-3.0..3.0_f64, -900.0..900.0_f64, Just(0.0)];
    [net.clone(), net.clone(), net.clone(), net]
}

proptest! {
    #[test]
    fn probabilities_of_classes_are_shared_out_whole(x in nets(), z in nets(), closeness in 0..12_u8, balanced in any::<bool>()) {
        // From far apart to nearly the same.
        let z: Vec<f64> = x.iter().zip(z).map(|(x, z)| x + (z - x) * 10.0_f64.powi(-i32::from(closeness))).collect();
        let factors = balanced.then(|| vec![0.2, 3.0, 1.0, 0.7]);
        let ((x_trace, x_out), (z_trace, z_out)) = (classes(&x, factors.clone()), classes(&z, factors));
        for class in 0..4 {
            let slopes = softmax(class, Side { trace: &x_trace, outputs: &x_out }, Side { trace: &z_trace, outputs: &z_out });
            let found = dot(&slopes, &x, &z);
            let wanted = x_out.values[class] - z_out.values[class];
            prop_assert!((found - wanted).abs() < 1e-12, "{found} is not {wanted}");
            // Unlike a quotient of probability and net input they are never large.
            prop_assert!(slopes.iter().all(|slope| slope.abs() <= 1.0), "{slopes:?}");
        }
    }

    #[test]
    fn the_second_of_two_classes_is_explained_whole(x in [-5.0..5.0_f64, -5.0..5.0_f64], z in [-5.0..5.0_f64, -5.0..5.0_f64], same in any::<bool>()) {
        // H2O loses what comes of the first class alone.
        let z = [z[0], if same { x[1] } else { z[1] }];
        let ((x_trace, x_out), (z_trace, z_out)) = (classes(&x, None), classes(&z, None));
        let slopes = second_class(Side { trace: &x_trace, outputs: &x_out }, Side { trace: &z_trace, outputs: &z_out });
        let (found, wanted) = (dot(&slopes, &x, &z), x_out.values[1] - z_out.values[1]);
        prop_assert!((found - wanted).abs() < 1e-12, "{found} is not {wanted}");
    }

    #[test]
    fn units_are_shared_out_whole(x in -20.0..20.0_f64, apart in -20.0..20.0_f64, closeness in 0..16_u8) {
        let z = x + apart * 10.0_f64.powi(-i32::from(closeness));
        for nonlinearity in [Nonlinearity::Tanh, Nonlinearity::Rectifier, Nonlinearity::ExpRectifier] {
            let wanted = nonlinearity.apply(x) - nonlinearity.apply(z);
            let slope = quotient(nonlinearity, x, z, wanted).unwrap_or_else(|| tangent(nonlinearity, x));
            prop_assert!((slope * (x - z) - wanted).abs() < 1e-11, "{nonlinearity:?}: {slope}");
            prop_assert!((-1e-9..=1.0 + 1e-9).contains(&slope), "{nonlinearity:?}: {slope}");
        }
    }

    #[test]
    fn both_channels_of_a_maxout_unit_share_what_it_changes_by(x in [-3.0..3.0_f64, -3.0..3.0_f64], z in [-3.0..3.0_f64, -3.0..3.0_f64], same in any::<bool>()) {
        let z = [if same { x[0] } else { z[0] }, z[1]];
        let slopes = maxout_slopes(x, z);
        let wanted = x[0].max(x[1]) - z[0].max(z[1]);
        prop_assert!((dot(&slopes, &x, &z) - wanted).abs() < 1e-12);
    }

    #[test]
    fn means_are_shared_out_whole(x in -30.0..60.0_f64, apart in -30.0..30.0_f64, closeness in 0..12_u8) {
        let z = x + apart * 10.0_f64.powi(-i32::from(closeness));
        for distribution in Distribution::ALL {
            let wanted = distribution.link_inverse(x) - distribution.link_inverse(z);
            let found = slope_of_link(distribution, x, z) * (x - z);
            let size = distribution.link_inverse(x.max(z)).abs().max(1.0);
            prop_assert!((found - wanted).abs() <= 1e-11 * size, "{distribution}: {found} is not {wanted}");
        }
    }
}

/// `y = 2 max(0, a) - b + 1` of a level `a` that is or is not there and a number `b` in units of 10 from 5.
fn regression(distribution: Distribution) -> Model {
    let layer = |inputs, units, weights: &[f32], biases: &[f64]| Layer {
        inputs,
        units,
        channels: 1,
        weights: weights.to_vec(),
        biases: biases.to_vec(),
        dropout_ratio: 0.0,
    };
    // Inputs: the levels `no` and `yes`, a missing one, the number.
    let hidden = layer(4, 2, &[0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0], &[0.0, 100.0]);
    let output = layer(2, 1, &[2.0, -1.0], &[101.0]);
    let levels = Domain::new(vec!["no".into(), "yes".into()]);
    let scaling = Scaling { mul: vec![0.1], sub: vec![5.0] };
    Model {
        schema: Schema::new(
            vec![Feature { name: "a".into(), domain: Some(levels) }, Feature { name: "b".into(), domain: None }],
            Some(Response { name: "y".into(), domain: None }),
            SpecialColumns { offset: Some("o".into()), ..SpecialColumns::default() },
        ),
        encoding: Encoding::Auto,
        category: Category::Regression,
        labelling: Labelling {
            default_threshold: 0.5,
            prior_class_distrib: None,
            model_class_distrib: None,
            balance_classes: false,
        },
        algorithm: Algorithm::DeepLearning(DeepLearning {
            layout: InputLayout::new(&[2], 1, true, Some(scaling)),
            network: Network::new(Activation::Rectifier, vec![hidden, output]).expect("it is a net"),
            distribution,
            response_scaling: None,
            mean_imputation: true,
        }),
    }
}

fn explained(model: &Model, options: ExplainOptions, references: &[[f64; 2]], row: [f64; 2]) -> Vec<f64> {
    let mut explainer = Explainer::new(model, options).expect("it is no autoencoder");
    for reference in references {
        explainer.add_reference(reference, 0.0);
    }
    explainer.explain(&row, 0.0, &mut ExplainWorkspace::default()).to_vec()
}

#[test]
fn a_linear_net_is_explained_by_its_weights() {
    let model = regression(Distribution::Gaussian);
    let original = ExplainOptions::default();
    let explainer = Explainer::new(&model, original).expect("it is no autoencoder");
    assert_eq!(explainer.names(), ["a.no", "a.yes", "a.missing(NA)", "b", "BiasTerm"]);
    // `yes` and 25 against `no` and 5: 2 for the level, -2 for the number, and 1 for the reference.
    let close = |found: Vec<f64>, wanted: &[f64]| {
        let differ = found.len() != wanted.len() || found.iter().zip(wanted).any(|(f, w)| (f - w).abs() > 1e-12);
        assert!(!differ, "{found:?} is not {wanted:?}");
    };
    close(explained(&model, original, &[[0.0, 5.0]], [1.0, 25.0]), &[0.0, 2.0, 0.0, -2.0, 1.0]);
    let compact = ExplainOptions { format: ContributionFormat::Compact, ..original };
    // The mean of that and of nothing, as the row is its own reference; the bias is that of 1 and 1.
    close(explained(&model, compact, &[[0.0, 5.0], [1.0, 25.0]], [1.0, 25.0]), &[1.0, -1.0, 1.0]);
}

#[test]
fn a_logarithm_is_explained_as_it_is_or_scaled_to_the_mean() {
    let model = regression(Distribution::Poisson);
    let compact = ExplainOptions { format: ContributionFormat::Compact, ..ExplainOptions::default() };
    let link = explained(&model, compact, &[[0.0, 5.0]], [1.0, 25.0]);
    assert!((link[2] - 1.0).abs() < 1e-12, "{link:?}");
    let space = ExplainOptions { output_space: true, ..compact };
    let mean = explained(&model, space, &[[0.0, 5.0]], [1.0, 15.0]);
    let (e, e2) = (1.0_f64.exp(), 2.0_f64.exp());
    for (found, wanted) in mean.iter().zip([2.0 * (e2 - e), -(e2 - e), e]) {
        assert!((found - wanted).abs() < 1e-12, "{found} is not {wanted}");
    }
}

#[test]
fn an_offset_has_a_contribution_where_answers_are_mended() {
    let model = regression(Distribution::Gaussian);
    let mended = ExplainOptions { mended: true, ..ExplainOptions::default() };
    let mut explainer = Explainer::new(&model, mended).expect("it is no autoencoder");
    assert_eq!(explainer.names()[4..], ["o", "BiasTerm"]);
    explainer.add_reference(&[0.0, 5.0], 2.0);
    let mut workspace = ExplainWorkspace::default();
    let found = explainer.explain(&[0.0, 5.0], 3.0, &mut workspace);
    assert!((found[4] - 1.0).abs() < 1e-12 && (found[5] - 3.0).abs() < 1e-12, "{found:?}");
    let sum: f64 = found.iter().sum();
    let mut scoring = crate::Workspace::default();
    let answer = model.score_mended(&[0.0, 5.0], 3.0, &mut scoring);
    let crate::Prediction::Value(value) = answer else { unreachable!("a regression gives a value") };
    assert!((sum - value).abs() < ADDS_UP);
}

#[test]
fn a_reference_row_has_means_and_no_levels() {
    let mut model = regression(Distribution::Gaussian);
    // A missing number of this model is its mean.
    let row = model.reference_row(None).expect("numbers are scaled by their means");
    assert!(row.iter().all(|cell| cell.is_nan()));
    let column = |name: &str, values| ColumnProfile { name: name.into(), missing: 0, values };
    let numbers = ValueProfile::Numeric { mean: 7.5, sigma: 1.0, quantiles: Vec::new(), whole: false };
    let columns = vec![column("a", ValueProfile::Categorical { counts: vec![1, 2] }), column("b", numbers)];
    let row = model.reference_row(Some(&Profile { rows: 3, columns })).expect("a profile has means");
    assert!(row[0].is_nan() && row[1] == 7.5);

    let Algorithm::DeepLearning(net) = &mut model.algorithm;
    net.layout.scaling = Some(Scaling { mul: vec![0.1], sub: vec![0.0] });
    assert_eq!(model.reference_row(None), None, "sparse numbers are not shifted by their means");
    let Algorithm::DeepLearning(net) = &mut model.algorithm;
    net.layout.scaling = None;
    assert_eq!(model.reference_row(None), None);
}
