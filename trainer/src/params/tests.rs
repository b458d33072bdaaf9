use serde_json::json;

use super::*;
use crate::frame::ColumnType;

#[test]
fn every_parameter_has_help_and_a_unique_name_and_can_be_set_to_its_default() {
    let mut names: Vec<_> = PARAMETERS.iter().map(|p| p.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), PARAMETERS.len());
    for parameter in PARAMETERS {
        assert!(!parameter.help.is_empty() && !parameter.help.ends_with('.'), "{}", parameter.name);
        let default = (parameter.default)();
        let mut params = TrainParams::default();
        if !default.is_empty() {
            params.set_text(parameter.name, &default).expect("a default is an allowed value");
        }
        params.set_json(parameter.name, &TrainParams::default().to_json()[parameter.name]).expect("and so in a file");
        assert_eq!(params, TrainParams::default(), "{}", parameter.name);
    }
}

#[test]
fn flags_and_files_give_the_same_values() {
    let mut flags = TrainParams::default();
    let mut file = TrainParams::default();
    let cases = [
        ("hidden", "128,64", json!([128, 64])),
        ("epochs", "3", json!(3)),
        ("hidden-dropout-ratios", "0.5,0.3", json!([0.5, 0.3])),
        ("sparse", "true", json!(true)),
        ("activation", "tanh_with_dropout", json!("TanhWithDropout")),
        ("ignored_columns", "a,\"b,c\"", json!(["a", "b,c"])),
        ("column-types", "C1=enum,\"x=y=numeric\"", json!({"C1": "enum", "x=y": "numeric"})),
        ("stopping_metric", "auc", json!("AUC")),
        ("seed", "-5", json!(-5.0)),
    ];
    for (name, text, value) in cases {
        flags.set_text(name, text).expect(name);
        file.set_json(name, &value).expect(name);
        assert_eq!(flags, file, "{name}");
    }
    assert_eq!(flags.column_types.0[1], ("x=y".to_owned(), ColumnType::Numeric));
}

#[test]
fn a_frame_is_a_file_or_a_list_of_them() {
    let mut params = TrainParams::default();
    for (value, expected) in [
        (json!("a,b.csv"), vec!["a,b.csv"]),
        (json!(["a.csv", "b.csv"]), vec!["a.csv", "b.csv"]),
        (json!(null), vec![]),
    ] {
        params.set_json("training_frame", &value).expect("a value");
        assert_eq!(params.training_frame.0, expected.iter().map(std::path::PathBuf::from).collect::<Vec<_>>());
        assert_eq!(params.to_json()["training_frame"], value);
    }
    params.set_text("training-frame", "a.csv,\"b,c.csv\"").expect("a list");
    assert_eq!(params.training_frame.0.len(), 2);
    for value in [json!(""), json!(["a", ""]), json!(1)] {
        assert!(params.set_json("training_frame", &value).is_err(), "{value}");
    }
    assert!(params.set_text("training_frame", "").is_err());
}

#[test]
fn a_misspelt_parameter_is_named_with_the_nearest_one() {
    let error = TrainParams::default().set_text("epoch", "1").expect_err("there is none");
    assert_eq!(error.to_string(), "unknown parameter `epoch`, did you mean `epochs`?");
}

#[test]
fn a_bad_value_is_named_with_what_is_allowed() {
    let error = TrainParams::default().set_text("activation", "relu").expect_err("H2O has none of that name");
    assert_eq!(
        error.to_string(),
        "activation: `relu` is not allowed, expected Tanh, Rectifier, Maxout or ExpRectifier, each optionally followed by \
         WithDropout"
    );
    assert!(TrainParams::default().set_text("epochs", "NaN").is_err());
    assert!(TrainParams::default().set_text("hidden", "1,x").is_err());
}
