use model::{Activation, Algorithm, Category, Domain, Encoding, Feature, LimitedLevels, Schema, SpecialColumns};

use super::*;
use crate::samples;

fn options(genmodel: bool) -> JavaOptions {
    JavaOptions { class: "Sample".to_owned(), genmodel }
}

fn text_of(model: Model, genmodel: bool) -> Result<String, JavaError> {
    java_text(&Artifact::new(model, samples::TIMESTAMP), &options(genmodel))
}

#[test]
fn the_same_model_makes_the_same_text_of_ascii_alone() {
    for genmodel in [false, true] {
        for category in Category::ALL {
            let model = samples::model(Activation::TanhWithDropout, category);
            let text = text_of(model.clone(), genmodel).unwrap();
            assert!(text.is_ascii() && text.starts_with(JAVA_START) && text.ends_with("}\n"));
            assert_eq!(text_of(model, genmodel).unwrap(), text);
        }
    }
}

#[test]
fn a_class_has_what_its_model_needs_and_no_more() {
    let rectifier = text_of(samples::minimal(), false).unwrap();
    assert!(rectifier.contains("rectifier(nets, 2, inputs);") && rectifier.contains("double exp("));
    for absent in ["tanh", "maxout", "encode", "Random", "cappedExp", "Balancing", "divided", "integers"] {
        assert!(!rectifier.contains(absent), "{absent}");
    }
    let maxout = text_of(samples::model(Activation::MaxoutWithDropout, Category::Regression), false).unwrap();
    assert!(
        maxout.contains("channels(inputs, Hidden1.WEIGHTS, Hidden1.BIASES, nets);\n    maxout(nets, 9, 0.75, inputs);")
    );
    assert!(!maxout.contains("exp("));
}

#[test]
fn texts_are_laid_out_as_is_usual_in_java() {
    for genmodel in [false, true] {
        for category in Category::ALL {
            let text = text_of(samples::model(Activation::ExpRectifierWithDropout, category), genmodel).unwrap();
            assert!(!text.contains("\n\n\n") && !text.contains("{\n\n") && !text.contains("\n\n  }"), "{text}");
            // What is longer is data: a piece of a text, or the levels of a column and its name.
            let lines = text.lines().filter(|line| !line.trim_start().starts_with('"') && !line.contains(", // "));
            let long: Vec<&str> = lines.filter(|line| line.len() > 106 || line.ends_with(' ')).collect();
            assert!(long.is_empty(), "{long:#?}");
        }
    }
}

#[test]
fn what_a_class_cannot_say_is_refused() {
    let mut shared = samples::minimal();
    let Algorithm::DeepLearning(net) = &mut shared.algorithm else { unreachable!("it is one") };
    net.layout = net.layout.clone().hashed(2, 1);
    assert!(text_of(shared, false).is_err());

    let mut infinite = samples::minimal();
    let Algorithm::DeepLearning(net) = &mut infinite.algorithm else { unreachable!("it is one") };
    net.network.parameters_mut(1).0[0] = f32::INFINITY;
    let refusal = text_of(infinite, false).unwrap_err().to_string();
    assert_eq!(refusal, "layer 1 has weights that are no finite numbers: its answers would mean nothing");

    let mut twice = samples::minimal();
    let features = twice.schema.features().iter().map(|feature| Feature { name: "c".into(), ..feature.clone() });
    twice.schema = Schema::new(features.collect(), twice.schema.response().cloned(), SpecialColumns::default());
    let refusal = text_of(twice, false).unwrap_err().to_string();
    assert!(refusal.starts_with("two columns are named `c`: "), "{refusal}");
}

#[test]
fn few_levels_are_an_encoding_that_h2o_lacks() {
    let limited = LimitedLevels { domain: Domain::new(vec!["a".into(), "b".into()]), codes: vec![0, 1] };
    let model =
        Model { encoding: Encoding::EnumLimited { most: 1, limited: vec![Some(limited), None] }, ..samples::minimal() };
    let text = text_of(model.clone(), false).unwrap();
    assert!(text.contains("private static final double[] LEVEL_NUMBERS = {0.0, 1.0};"), "{text}");
    let refusal = text_of(model, true).unwrap_err().to_string();
    assert!(refusal.starts_with("H2O's runtime has no categorical_encoding EnumLimited; leave --genmodel out"));
}
