//! What is written is read back, to the bit; what was tampered with is refused, or scores without a panic.

use model::{ColumnProfile, Domain, Scaling, ValueProfile, Workspace};
use serde_json::{Value, json};

use super::*;

fn domain(levels: &[&str]) -> Domain {
    Domain::new(levels.iter().map(|&level| level.to_owned()).collect())
}

fn layer(inputs: usize, units: usize, channels: usize) -> Layer {
    let numbers = |count: usize| (0..count).map(|i| (i as f64 + 0.3).sin());
    Layer {
        inputs,
        units,
        channels,
        weights: numbers(units * channels * inputs).map(|weight| weight as f32).collect(),
        biases: numbers(units * channels).collect(),
        dropout_ratio: 0.25,
    }
}

/// A model of a categorical column and a number.
fn checkpoint(activation: Activation, classes: &[&str]) -> Checkpoint {
    let scaling = Scaling { mul: vec![0.1], sub: vec![1.0 / 3.0] };
    let layout = InputLayout::new(&[2], 1, true, Some(scaling));
    let (category, distribution, outputs) = match classes.len() {
        0 => (Category::Regression, Distribution::Gaussian, 1),
        2 => (Category::Binomial, Distribution::Bernoulli, 2),
        count => (Category::Multinomial, Distribution::Multinomial, count),
    };
    let output = Layer { dropout_ratio: 0.0, ..layer(3, outputs, 1) };
    let layers = vec![layer(layout.inputs(), 3, activation.channels_of(0, 1)), output];
    let features = vec![
        Feature { name: "c".into(), domain: Some(domain(&["a", "b"])) },
        Feature { name: "n".into(), domain: None },
    ];
    let response = Response { name: "y".into(), domain: (!classes.is_empty()).then(|| domain(classes)) };
    let profiled = |name: &str, values| ColumnProfile { name: name.into(), missing: 1, values };
    let quantiles = vec![f64::NEG_INFINITY, 0.5, 90.0];
    Checkpoint {
        model: Model {
            schema: Schema::new(features, Some(response), SpecialColumns::default()),
            encoding: Encoding::Auto,
            category,
            labelling: Labelling {
                default_threshold: 0.1 + 0.2,
                prior_class_distrib: (!classes.is_empty()).then(|| vec![0.5; classes.len()]),
                model_class_distrib: None,
                balance_classes: false,
            },
            algorithm: Algorithm::DeepLearning(DeepLearning {
                layout,
                network: Network::new(activation, layers).unwrap(),
                distribution,
                response_scaling: classes.is_empty().then_some(ResponseScaling { mul: 0.1, sub: 22.5 }),
                mean_imputation: true,
            }),
        },
        profile: Profile {
            rows: 10,
            columns: vec![
                profiled("c", ValueProfile::Categorical { counts: vec![0, 9] }),
                profiled("n", ValueProfile::Numeric { mean: 1.5, sigma: f64::INFINITY, quantiles, whole: false }),
            ],
        },
        created: Timestamp::from_millisecond(1_796_050_836_751).unwrap(),
    }
}

/// An autoencoder of the same columns.
fn autoencoder(activation: Activation) -> Checkpoint {
    let mut checkpoint = checkpoint(activation, &[]);
    let Model { schema, category, algorithm: Algorithm::DeepLearning(net), .. } = &mut checkpoint.model else {
        unreachable!("it is a net")
    };
    *schema = Schema::new(schema.features().to_vec(), None, SpecialColumns::default());
    *category = Category::AutoEncoder;
    net.network = Network::new(activation, vec![layer(4, 3, 1), layer(3, 4, 1)]).unwrap();
    net.response_scaling = None;
    checkpoint
}

fn read(bytes: &[u8]) -> Result<Checkpoint, String> {
    Checkpoint::from_bytes(bytes).map_err(|bad| match bad {
        Bad::Format(format) => format!("format {format}"),
        Bad::Reason(reason) => reason,
    })
}

/// The bytes with another header entry of ours.
fn with_header(bytes: &[u8], edit: impl FnOnce(&mut Value)) -> Vec<u8> {
    let length = usize::try_from(u64::from_le_bytes(bytes[..8].try_into().unwrap())).unwrap();
    let mut outer: Value = serde_json::from_slice(&bytes[8..8 + length]).unwrap();
    let mut header: Value = serde_json::from_str(outer["__metadata__"][KEY].as_str().unwrap()).unwrap();
    edit(&mut header);
    outer["__metadata__"][KEY] = header.to_string().into();
    let mut outer = outer.to_string();
    while !outer.len().is_multiple_of(8) {
        outer.push(' ');
    }
    [&(outer.len() as u64).to_le_bytes()[..], outer.as_bytes(), &bytes[8 + length..]].concat()
}

/// Whatever is read scores without a panic.
fn read_and_score(bytes: &[u8]) -> Result<(), String> {
    let Checkpoint { model, .. } = read(bytes)?;
    for value in [f64::NAN, 0.0, 1.0, 1e300] {
        model.score(&vec![value; model.schema.features().len()], &mut Workspace::default());
    }
    Ok(())
}

/// Pointers to everything in a value.
fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| pointers(item, &format!("{at}/{index}"), found));
        }
        Value::Object(items) => items.iter().for_each(|(key, item)| pointers(item, &format!("{at}/{key}"), found)),
        _ => {}
    }
}

#[test]
fn every_kind_of_model_comes_back_as_it_went_in() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint.safetensors");
    for activation in Activation::ALL {
        for classes in [&[][..], &["no", "yes"], &["0", "1", "2"]] {
            let checkpoint = checkpoint(activation, classes);
            checkpoint.write(&path).unwrap();
            assert_eq!(Checkpoint::read(&path).unwrap(), checkpoint);
        }
    }
    for activation in [Activation::Tanh, Activation::RectifierWithDropout] {
        autoencoder(activation).write(&path).unwrap();
        assert_eq!(Checkpoint::read(&path).unwrap(), autoencoder(activation));
    }
}

#[test]
fn doubles_that_are_no_json_numbers_come_back_too() {
    let mut odd = checkpoint(Activation::Tanh, &[]);
    let Algorithm::DeepLearning(net) = &mut odd.model.algorithm else { unreachable!("it is a net") };
    net.response_scaling = Some(ResponseScaling { mul: f64::INFINITY, sub: f64::NEG_INFINITY });
    net.layout.scaling = Some(Scaling { mul: vec![f64::INFINITY], sub: vec![f64::NEG_INFINITY] });
    odd.model.labelling.default_threshold = f64::INFINITY;
    odd.model.labelling.model_class_distrib = Some(vec![f64::NEG_INFINITY]);
    let bytes = odd.to_bytes().unwrap();
    assert_eq!(read(&bytes).unwrap(), odd);
    let Algorithm::DeepLearning(net) = &mut odd.model.algorithm else { unreachable!("it is a net") };
    net.layout.scaling = Some(Scaling { mul: vec![f64::NAN], sub: vec![f64::NAN] });
    let back = read(&odd.to_bytes().unwrap()).unwrap();
    let Algorithm::DeepLearning(net) = &back.model.algorithm else { unreachable!("it is a net") };
    assert!(net.layout.scaling.as_ref().is_some_and(|scaling| scaling.mul[0].is_nan() && scaling.sub[0].is_nan()));
}

#[test]
fn another_format_is_named() {
    let bytes = with_header(&checkpoint(Activation::Tanh, &[]).to_bytes().unwrap(), |header| {
        *header = json!({ "format": 2 });
    });
    assert_eq!(read(&bytes).unwrap_err(), "format 2");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c");
    fs::write(&path, bytes).unwrap();
    let refused = Checkpoint::read(&path).unwrap_err().to_string();
    assert_eq!(refused, format!("{} has format 2, this version reads format 1", path.display()));
}

#[test]
fn headers_that_lie_are_refused_and_say_how() {
    let cases = [
        (
            "/response/domain",
            json!([]),
            "a model of category Binomial needs a column of two levels as its response, found a column",
        ),
        (
            "/response",
            json!(null),
            "a model of category Binomial needs a column of two levels as its response, found none",
        ),
        ("/category", json!("Regression"), "a model of category Regression needs a number as its response"),
        ("/category", json!("Multinomial"), "a model of category Multinomial needs a column of more than two levels"),
        ("/response/domain", json!(["a", "b", "c"]), "a model of category Binomial needs a column of two levels"),
        ("/labelling/prior_class_distrib", json!([1.0]), "`prior_class_distrib`: expected 2 numbers"),
        ("/labelling/model_class_distrib", json!([]), "`model_class_distrib`: expected 2 numbers"),
        ("/labelling/default_threshold", json!("NaN"), "`default_threshold`: expected a finite number, found NaN"),
        ("/layout/cat_offsets", json!([0, u64::MAX]), "`cat_offsets`: number 1 should be 3"),
        ("/layout/cat_offsets", json!([]), "`cat_offsets`: expected 2 numbers, found 0"),
        ("/layout/use_all_factor_levels", json!(false), "`cat_offsets`: number 1 should be 2"),
        ("/layout/numerics", json!(u64::MAX), "the columns are 1 numeric ones"),
        ("/layout/scaling/mul", json!([]), "the scaling of inputs, `mul`: expected 1 numbers, found 0"),
        ("/features/0/domain", json!(["a"]), "`cat_offsets`: number 1 should be 2"),
        ("/features/0/domain", json!(null), "`cat_offsets`: expected 1 numbers, found 2"),
        ("/features/1/domain", json!(["a"]), "`cat_offsets`: expected 3 numbers, found 2"),
        (
            "/features",
            json!([{ "name": "n", "domain": null }, { "name": "c", "domain": ["a", "b"] }]),
            "column 1 (counted from 0) is categorical and follows a numeric one",
        ),
        ("/features", json!([]), "`cat_offsets`: expected 1 numbers, found 2"),
        ("/dropout_ratios", json!([]), "a network needs an output layer"),
        ("/dropout_ratios", json!([0.0]), "the answer needs 2 outputs, the network has 3"),
        ("/activation", json!("Maxout"), "layer 0: expected 6 biases, found 3"),
        ("/profile/columns", json!([]), "its profile: expected 2 columns, found 0"),
        ("/profile/columns/0/values/counts", json!([1]), "its profile: column `c` does not fit"),
    ];
    let bytes = checkpoint(Activation::Tanh, &["no", "yes"]).to_bytes().unwrap();
    for (pointer, value, message) in cases {
        let tampered = with_header(&bytes, |header| *header.pointer_mut(pointer).unwrap() = value.clone());
        let refused = read(&tampered).expect_err(pointer);
        assert!(refused.contains(message), "{pointer} = {value}: {refused}");
    }
}

#[test]
fn a_header_with_any_value_changed_is_read_or_refused() {
    let values = [
        json!(null),
        json!(0),
        json!(-1),
        json!(1),
        json!(2),
        json!(u64::MAX),
        json!(1e300),
        json!("NaN"),
        json!("Maxout"),
        json!(true),
        json!([]),
        json!({}),
        json!([0]),
        json!(["a", "b"]),
    ];
    for classes in [&[][..], &["no", "yes"], &["0", "1", "2"]] {
        let bytes = checkpoint(Activation::Rectifier, classes).to_bytes().unwrap();
        let mut places = Vec::new();
        with_header(&bytes, |header| pointers(header, "", &mut places));
        for place in &places {
            for value in &values {
                let tampered = with_header(&bytes, |header| *header.pointer_mut(place).unwrap() = value.clone());
                let _ = read_and_score(&tampered);
            }
        }
    }
}

#[test]
fn a_checkpoint_cut_off_anywhere_is_refused() {
    let mut checkpoint = checkpoint(Activation::Maxout, &["0", "1", "2"]);
    let Algorithm::DeepLearning(net) = &mut checkpoint.model.algorithm else { unreachable!("it is a net") };
    // Large enough for a few cuts within the tensors.
    let layers = vec![layer(4, 1000, 2), Layer { dropout_ratio: 0.0, ..layer(1000, 3, 1) }];
    net.network = Network::new(Activation::Maxout, layers).unwrap();
    let bytes = checkpoint.to_bytes().unwrap();
    for length in (0..bytes.len()).step_by(997) {
        assert!(read(&bytes[..length]).is_err(), "cut off at {length}");
    }
}

#[test]
fn any_bit_of_the_start_changed_is_read_or_refused() {
    let mut bytes = checkpoint(Activation::Tanh, &["no", "yes"]).to_bytes().unwrap();
    for position in 0..bytes.len() {
        for flip in [0x01, 0x10, 0x80] {
            bytes[position] ^= flip;
            let _ = read_and_score(&bytes);
            bytes[position] ^= flip;
        }
    }
}
