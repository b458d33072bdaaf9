//! A minimal model, whose answers were read from H2O's own runtime.

use proptest::prelude::*;

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

/// A categorical and a numeric column, and what the runtime makes of them.
fn autoencoder() -> Model {
    let layer = |inputs, units, weights: &[f32], biases: &[f64]| Layer {
        inputs,
        units,
        channels: 1,
        weights: weights.to_vec(),
        biases: biases.to_vec(),
        dropout_ratio: 0.0,
    };
    let hidden = layer(4, 1, &[0.1, 0.2, 0.3, 0.4], &[0.5]);
    let output = layer(1, 4, &[1.5, -0.5, 0.25, 0.75], &[0.1, -0.1, 0.0, 0.2]);
    let mut model = minimal();
    model.schema = Schema::new(model.schema.features().to_vec(), None, SpecialColumns::default());
    model.category = Category::AutoEncoder;
    let Algorithm::DeepLearning(net) = &mut model.algorithm;
    net.network = Network::new(Activation::Tanh, vec![hidden, output]).expect("the layers fit");
    net.distribution = Distribution::Gaussian;
    model
}

#[test]
fn the_autoencoder_remembers_as_the_real_runtime_does() {
    let cases = [
        (
            [1.0, 2.0],
            [0.897_209_334_621_406_7, -0.502_446_980_818_166_2, 0.222_502_162_787_154_96, 1.352_924_175_405_059_6],
            1.196_666_805_961_815,
        ),
        (
            [f64::NAN, f64::NAN],
            [0.799_077_550_580_018_5, -0.407_006_724_352_917_6, 0.164_500_801_301_980_75, 1.301_557_156_591_420_6],
            f64::NAN,
        ),
    ];
    let (model, mut workspace) = (autoencoder(), Workspace::default());
    model.check().expect("it fits");
    for (row, expected, error) in cases {
        let Prediction::Reconstruction { values, mse } = model.score(&row, &mut workspace) else {
            unreachable!("an autoencoder reconstructs")
        };
        for (value, e) in values.iter().zip(expected) {
            assert!((value - e).abs() <= 1e-12 * e.abs(), "{row:?}: {value} is not {e}");
        }
        assert!(mse.is_nan() && error.is_nan() || (mse - error).abs() <= 1e-12 * error, "{mse}");
    }
}

#[test]
fn an_autoencoder_names_levels_and_numbers() {
    let names = ["reconstr_c.a", "reconstr_c.b", "reconstr_c.missing(NA)", "reconstr_n", "mse"];
    assert_eq!(autoencoder().output_names(), names);
}

#[test]
fn an_autoencoder_that_does_not_fit_is_refused() {
    let mut answering = autoencoder();
    answering.schema = minimal().schema;
    let refused = answering.check().expect_err("it has a response").to_string();
    assert_eq!(refused, "a model of category AutoEncoder needs none as its response, found a column of 2 levels");
    let mut narrow = minimal();
    narrow.schema = autoencoder().schema;
    narrow.category = Category::AutoEncoder;
    let refused = narrow.check().expect_err("it has two outputs").to_string();
    assert_eq!(refused, "the answer needs 4 outputs, the network has 2");
}

#[test]
fn errors_by_input_are_of_the_scaled_row_and_have_a_missing_number_as_0() {
    let (model, mut workspace) = (autoencoder(), Workspace::default());
    assert_eq!(
        model.error_names(),
        ["reconstr_c.a.SE", "reconstr_c.b.SE", "reconstr_c.missing(NA).SE", "reconstr_n.SE"]
    );
    // The outputs are those of the runtime above; the number among them is (out - 1) * 2 in its scale.
    let outputs =
        [0.799_077_550_580_018_5, -0.407_006_724_352_917_6, 0.164_500_801_301_980_75 - 1.0, 0.603_114_313_182_841_2];
    let errors = model.squared_errors(&[f64::NAN, f64::NAN], &mut workspace);
    for (error, output) in errors.iter().zip(outputs) {
        assert!((error - output * output).abs() <= 1e-12, "{error} is not the square of {output}");
    }
}

#[test]
fn deep_features_are_the_outputs_of_a_hidden_layer() {
    let (model, mut workspace) = (minimal(), Workspace::default());
    assert_eq!((model.hidden_layers(), model.deep_feature_names(0)), (1, vec!["DF.L1.C1".into(), "DF.L1.C2".into()]));
    // Inputs 0, 1, 0, 2 and weights in single precision.
    let features = model.deep_features(0, &[1.0, 2.0], &mut workspace);
    assert!((features[0] - 1.5).abs() < 1e-6 && (features[1] - 1.25).abs() < 1e-6, "{features:?}");
}

proptest! {
    #[test]
    fn the_error_of_a_row_is_the_mean_of_those_of_its_inputs(code in 0..2_u8, number in -1e6..1e6_f64) {
        let (model, mut workspace) = (autoencoder(), Workspace::default());
        let row = [f64::from(code), number];
        let errors = model.squared_errors(&row, &mut workspace).to_vec();
        let Prediction::Reconstruction { mse, .. } = model.score(&row, &mut workspace) else {
            unreachable!("an autoencoder reconstructs")
        };
        let mean = errors.iter().sum::<f64>() / errors.len() as f64;
        prop_assert!((mean - mse).abs() <= 1e-9 * mse, "{} is not {}", mean, mse);
    }
}
