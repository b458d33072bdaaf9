//! A minimal model, whose answers were read from H2O's own runtime.

use super::*;
use crate::activation::Activation;
use crate::distribution::Distribution;
use crate::encoding::{Encoding, InputLayout, Scaling};
use crate::network::{Layer, Network};
use crate::schema::{Domain, Feature, Response, SpecialColumns};

fn domain(levels: &[&str]) -> Domain {
    Domain::new(levels.iter().map(|&l| l.to_owned()).collect())
}

fn minimal() -> Model {
    let features = vec![
        Feature { name: "c".into(), domain: Some(domain(&["a", "b"])) },
        Feature { name: "n".into(), domain: None },
    ];
    let response = Response { name: "y".into(), domain: Some(domain(&["no", "yes"])) };
    let layer = |inputs, units, weights: &[f32], biases: &[f64]| Layer {
        inputs,
        units,
        channels: 1,
        weights: weights.to_vec(),
        biases: biases.to_vec(),
        dropout_ratio: 0.0,
    };
    let hidden = layer(4, 2, &[0.1, 0.2, 0.3, 0.4, -0.1, 0.2, -0.3, 0.4], &[0.5, 0.25]);
    let output = layer(2, 2, &[1.5, -0.5, 0.25, 0.75], &[0.1, -0.1]);
    let scaling = Scaling { mul: vec![2.0], sub: vec![1.0] };
    Model {
        schema: Schema::new(features, Some(response), SpecialColumns::default()),
        encoding: Encoding::Auto,
        category: Category::Binomial,
        labelling: Labelling {
            default_threshold: 0.5,
            prior_class_distrib: Some(vec![0.4, 0.6]),
            model_class_distrib: None,
            balance_classes: false,
        },
        algorithm: Algorithm::DeepLearning(DeepLearning {
            layout: InputLayout::new(&[2], 1, true, Some(scaling)),
            network: Network::new(Activation::Rectifier, vec![hidden, output]).expect("the layers fit"),
            distribution: Distribution::Bernoulli,
            response_scaling: None,
            mean_imputation: true,
        }),
    }
}

#[test]
fn the_minimal_model_answers_as_the_real_runtime() {
    let cases = [
        ([0.0, 2.0], [0.681_896_265_397_660_1, 0.318_103_734_602_339_8]),
        ([0.0, f64::NAN], [0.681_896_265_397_660_1, 0.318_103_734_602_339_87]),
        ([f64::NAN, 2.0], [0.779_456_173_761_392_5, 0.220_543_826_238_607_44]),
        ([f64::NAN, f64::NAN], [0.768_524_786_149_851_4, 0.231_475_213_850_148_6]),
    ];
    let (model, mut workspace) = (minimal(), Workspace::default());
    for (row, expected) in cases {
        let Prediction::Class { label, probabilities } = model.score(&row, &mut workspace) else {
            unreachable!("a binomial model gives classes")
        };
        assert_eq!(label, Some(0));
        for (p, e) in probabilities.iter().zip(expected) {
            assert!((p - e).abs() <= 1e-12 * e, "{row:?}: {p} is not {e}");
        }
    }
}

#[test]
fn integer_labels_get_a_p() {
    assert_eq!(
        ["0", "-1", "+1", "007", "1.5", "yes"].map(probability_name),
        ["p0", "p-1", "p+1", "p007", "1.5", "yes"]
    );
    assert_eq!(minimal().output_names(), ["predict", "no", "yes"]);
}
