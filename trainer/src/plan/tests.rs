use super::*;
use crate::frame::Column;

fn params(settings: &[(&str, &str)]) -> TrainParams {
    let mut params = TrainParams::default();
    for (name, value) in [("training_frame", "t.csv"), ("response_column", "y")].iter().chain(settings) {
        params.set_text(name, value).expect("the tests name parameters that exist");
    }
    params
}

fn frame() -> Frame {
    let levels = vec!["a".to_owned(), "b".to_owned()];
    Frame::from_columns(vec![
        Column::numeric("x", (0..10).map(f64::from)),
        Column::categorical("c", levels.clone(), (0..10).map(|i| Some(i % 2))).expect("the codes are in the domain"),
        Column::numeric("constant", [1.0; 10]),
        Column::numeric("n", (0..10).map(f64::from)),
        Column::categorical("y", levels, (0..10).map(|i| Some(u32::from(i > 4)))).expect("the codes are in the domain"),
    ])
    .expect("the columns fit")
}

fn refusal(settings: &[(&str, &str)]) -> String {
    TrainPlan::new(params(settings), &frame(), None).expect_err("it is refused").to_string()
}

#[test]
fn categoricals_come_first_and_constant_columns_are_dropped() {
    let frame = frame();
    let plan = TrainPlan::new(params(&[]), &frame, None).expect("it can train");
    let names: Vec<_> = plan.schema.features().iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["c", "x", "n"]);
    assert_eq!(plan.layer_sizes(), [5, 200, 200, 2]);
    assert_eq!(plan.warnings, ["dropped 1 column that is constant, missing or text: `constant`"]);
}

#[test]
fn an_automatic_iteration_is_a_tenth_of_the_run() {
    let frame = frame();
    let rows = |settings: &[(&str, &str)]| {
        TrainPlan::new(params(settings), &frame, None).expect("it can train").rows_per_iteration()
    };
    assert_eq!(rows(&[]), 10);
    assert_eq!(rows(&[("epochs", "0.5")]), 1);
    assert_eq!(rows(&[("epochs", "21")]), 20);
    assert_eq!(rows(&[("epochs", "1000")]), 100);
    assert_eq!(rows(&[("train_samples_per_iteration", "1000"), ("epochs", "2")]), 20);
    assert_eq!(rows(&[("train_samples_per_iteration", "-1")]), 10);
    assert_eq!(rows(&[("reproducible", "true"), ("epochs", "1000")]), 10);
}

#[test]
fn refusals_name_the_parameter_and_what_is_allowed() {
    let cases: [(&[(&str, &str)], &str); 13] = [
        (
            &[("initial_weights", "a.csv,,")],
            "initial_weights and initial_biases belong together: give both, with 3 entries each, some of them empty",
        ),
        (&[("hidden", "10,0")], "hidden: 0 is not allowed, expected layer sizes above 0"),
        (&[("l1", "-1")], "l1: -1 is not allowed, expected a number that is at least 0"),
        (
            &[("input_dropout_ratio", "1")],
            "input_dropout_ratio: 1 is not allowed, expected a number that is at least 0 and below 1",
        ),
        (
            &[("hidden_dropout_ratios", "0.5,0.5")],
            "hidden_dropout_ratios needs an activation with dropout, such as RectifierWithDropout, instead of Rectifier",
        ),
        (
            &[("activation", "TanhWithDropout"), ("hidden_dropout_ratios", "0.5")],
            "hidden_dropout_ratios: 1 given for 2 hidden layers, expected one for each",
        ),
        (&[("rho", "0")], "rho: 0 is not allowed, expected a finite number other than 0"),
        (&[("epochs", "-1")], "epochs: -1 is not allowed, expected a number that is at least 0"),
        (
            &[("stopping_metric", "deviance")],
            "stopping_metric: deviance is not defined for a binomial model, expected AUTO, logloss, MSE, RMSE, AUC, AUCPR, lift_top_group, misclassification or mean_per_class_error",
        ),
        (&[("x", "c,z")], "x: there is no column `z`; the columns are `x`, `c`, `constant`, `n`, `y`"),
        (
            &[("x", "c"), ("ignored_columns", "n")],
            "x and ignored_columns exclude each other: give one of them, or different columns",
        ),
        (&[("response_column", "constant")], "response column `constant` is constant: there is nothing to predict"),
        (&[("x", "constant,y")], "no predictor is left: constant, missing or text are `constant`"),
    ];
    for (settings, message) in cases {
        assert_eq!(refusal(settings), message);
    }
    assert!(refusal(&[("hidden", "100000,100000")]).starts_with("hidden: the net would have 10000"));
}

#[test]
fn columns_may_be_named_by_position() {
    let frame = frame();
    let plan = TrainPlan::new(params(&[("response_column", "C5"), ("x", "C1,C2")]), &frame, None);
    assert_eq!(plan.expect("it can train").schema.features().len(), 2);
}

#[test]
fn times_are_numbers_and_uuids_are_dropped() {
    let text = "at,id,y\n2024-01-05,f47ac10b-58cc-4372-a567-0e02b2c3d479,1\n2024-01-06,,2\n2024-01-08,,2\n";
    let frame =
        Frame::read_from(text.as_bytes(), "t.csv", &crate::ReadOptions::default(), &mut |_| {}).expect("a table");
    let plan = TrainPlan::new(params(&[]), &frame, Some(&frame)).expect("it can train");
    let names: Vec<_> = plan.schema.features().iter().map(|feature| feature.name.as_str()).collect();
    assert_eq!(names, ["at"]);
    assert_eq!(plan.means, [1_704_412_800_000.0 + 4.0 / 3.0 * 86_400_000.0]);
    assert_eq!(plan.warnings[0], "dropped 1 column that is constant, missing or text: `id`");
    assert!(plan.warnings[1].starts_with("times in `at` are numbers to the model"));
}

#[test]
fn a_validation_frame_is_matched_by_name_and_level() {
    let training = frame();
    let validation = Frame::from_columns(vec![
        Column::categorical("y", vec!["b".into()], vec![Some(0); 2]).expect("the codes are in the domain"),
        Column::categorical("c", vec!["b".into(), "z".into()], vec![Some(0), Some(1)]).expect("the codes fit"),
    ])
    .expect("the columns fit");
    let plan = TrainPlan::new(params(&[]), &training, Some(&validation)).expect("it can train");
    let rows = plan.validation.as_ref().expect("it was given");
    let mut raw = Vec::new();
    rows.read(0, &mut raw);
    assert_eq!(raw[0], 1.0);
    assert!(raw[1].is_nan() && raw[2].is_nan());
    rows.read(1, &mut raw);
    assert!(raw[0].is_nan());
    assert_eq!(rows.response(0), 1.0);
}

fn autoencoder(settings: &[(&str, &str)], frame: &Frame) -> Result<Vec<String>, String> {
    let mut params = params(&[&[("autoencoder", "true"), ("ignored_columns", "y,n")], settings].concat());
    params.response_column = params.response_column.filter(|name| name != "y");
    let plan = TrainPlan::new(params, frame, None).map_err(|error| error.to_string())?;
    let inputs = plan.layout.inputs();
    assert_eq!(plan.layer_sizes(), [inputs, 200, 200, inputs]);
    Ok(plan.schema.features().iter().map(|feature| feature.name.clone()).collect())
}

#[test]
fn an_autoencoder_takes_a_response_for_a_predictor_even_where_it_is_ignored() {
    let frame = frame();
    assert_eq!(autoencoder(&[], &frame), Ok(vec!["c".into(), "x".into()]));
    assert_eq!(autoencoder(&[("response_column", "n")], &frame), Ok(vec!["c".into(), "x".into(), "n".into()]));
    let unknown = autoencoder(&[("response_column", "z")], &frame).expect_err("it is not there");
    assert!(unknown.starts_with("response_column: there is no column `z`"), "{unknown}");
}

#[test]
fn an_autoencoder_is_scaled_by_ranges_and_keeps_all_levels() {
    let frame = frame();
    let settings = [("autoencoder", "true"), ("x", "x,c"), ("use_all_factor_levels", "false"), ("sparse", "true")];
    let params = TrainParams { response_column: None, ..params(&settings) };
    let plan = TrainPlan::new(params, &frame, Some(&frame)).expect("it can train");
    let scaling = plan.layout.scaling.as_ref().expect("it is standardised");
    assert_eq!((scaling.mul.as_slice(), scaling.sub.as_slice()), (&[1.0 / 9.0][..], &[4.5][..]));
    assert!(plan.layout.use_all_factor_levels && plan.response_scaling.is_none());
    assert_eq!(plan.effective.stopping_metric.name(), "MSE");
    assert_eq!(plan.distribution, Distribution::Gaussian);
    assert_eq!(plan.training.len(), 10);
}

#[test]
fn pretrained_layers_have_to_fit() {
    let frame = frame();
    let encoder = |encoding| {
        let settings = [("autoencoder", "true"), ("x", "x,c"), ("hidden", "3,2"), ("epochs", "0")];
        let settings = [&settings[..], &[("categorical_encoding", encoding)]].concat();
        let params = TrainParams { response_column: None, ..params(&settings) };
        let plan = TrainPlan::new(params, &frame, None).expect("it can train");
        crate::train(&plan, &mut ()).expect("nothing is trained").model
    };
    let plan = |settings: &[(&str, &str)]| {
        TrainPlan::new(params(&[&[("x", "x,c")], settings].concat()), &frame, None).expect("it can train")
    };
    let started = |model: &Model, settings: &[(&str, &str)]| {
        plan(settings).start_from_autoencoder(model).map_err(|error| error.to_string())
    };
    for encoding in ["Binary", "Eigen"] {
        let mut encoded = plan(&[("hidden", "3,2"), ("categorical_encoding", encoding)]);
        assert_eq!(encoded.start_from_autoencoder(&encoder(encoding)), Ok(()));
        assert!(encoded.warnings.is_empty(), "{:?}", encoded.warnings);
    }
    let model = encoder("AUTO");
    let mut fitting = plan(&[("hidden", "3,2")]);
    assert_eq!(fitting.start_from_autoencoder(&model), Ok(()));
    assert!(fitting.warnings.is_empty() && fitting.initial[2].is_none());
    assert_eq!(fitting.initial[1].as_ref().map(|layer| layer.weights.len()), Some(6));
    let refusals = [
        (&[("hidden", "3")][..], "pretrained_autoencoder: expected 1 hidden layers, found 2"),
        (&[("hidden", "3,4")], "pretrained_autoencoder, hidden layer 2: expected 3 inputs and 4 units, found 3 and 2"),
        (
            &[("hidden", "3,2"), ("use_all_factor_levels", "false")],
            "pretrained_autoencoder, hidden layer 1: expected 3 inputs and 3 units, found 4 and 3",
        ),
        (
            &[("hidden", "3,2"), ("activation", "Maxout")],
            "pretrained_autoencoder, hidden layer 1: expected 4 inputs and 3 units of 2 channels, found 4 and 3",
        ),
    ];
    for (settings, sentence) in refusals {
        assert_eq!(started(&model, settings), Err(sentence.to_owned()));
    }
    let mut other = plan(&[("hidden", "3,2"), ("activation", "Tanh")]);
    assert_eq!(other.start_from_autoencoder(&model), Ok(()));
    assert!(other.warnings[0].starts_with("pretrained_autoencoder: its activation is not"), "{:?}", other.warnings);
}

#[test]
fn first_weights_have_to_fit_their_layer() {
    let frame = frame();
    let mut plan = TrainPlan::new(params(&[("hidden", "2")]), &frame, None).expect("it can train");
    let table = |rows: usize, columns: usize| {
        let column = |i: usize| Column::numeric(format!("C{i}"), vec![0.5; rows]);
        Frame::from_columns((0..columns).map(column).collect()).expect("the columns fit")
    };
    assert_eq!(plan.start_from(0, &table(2, 5), &table(2, 1)), Ok(()));
    let wrong = plan.start_from(1, &table(2, 3), &table(2, 1)).expect_err("there are 2 inputs");
    assert_eq!(
        wrong.to_string(),
        "initial_weights, layer 2: expected 2 rows of 2 numeric columns, found 2 rows of 3 columns"
    );
}
