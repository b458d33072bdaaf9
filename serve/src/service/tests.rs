use super::*;
use crate::fixtures::{binomial, feature, flat, multinomial, panicking, registry, regression};

fn served(model: model::Model) -> ServedModel {
    ServedModel::new("m", model, None)
}

/// The raw value and the warnings of one cell.
fn read(column: &Feature, value: Value<'_>) -> (Option<f64>, Option<Remark>) {
    let (raw, remark) = value.read(column, &Encoding::Auto);
    (Some(raw).filter(|raw| !raw.is_nan()), remark)
}

/// Kind, count and columns of each warning for a row of these cells.
fn warnings(model: model::Model, cells: &[(&str, Value<'_>)]) -> Vec<(WarningKind, usize, Vec<String>)> {
    let served = served(model);
    let mut scorer = RowScorer::new(&served);
    scorer.begin_row();
    for &(name, value) in cells {
        if let Some(column) = scorer.column(name) {
            scorer.set(column, value).expect("no column is given twice");
        }
    }
    let answer = scorer.finish_row();
    answer.warnings.iter().map(|w| (w.kind, w.count, w.columns.iter().map(ToString::to_string).collect())).collect()
}

#[test]
fn cells_of_a_numeric_column() {
    let column = feature("n", &[]);
    assert_eq!(read(&column, Value::Missing), (None, None));
    assert_eq!(read(&column, Value::Number(f64::NAN)), (None, None));
    assert_eq!(read(&column, Value::Number(1.5)), (Some(1.5), None));
    assert_eq!(read(&column, Value::Integer(-3)), (Some(-3.0), None));
    assert_eq!(read(&column, Value::Bool(true)), (Some(1.0), None));
    assert_eq!(read(&column, Value::Text(" 1e3 ")), (Some(1000.0), None));
    assert_eq!(read(&column, Value::Text("much")), (None, Some(Remark::InvalidNumber)));
}

#[test]
fn cells_of_a_categorical_column() {
    let column = feature("c", &["a", "3", "true", "9007199254740993"]);
    assert_eq!(read(&column, Value::Missing), (None, None));
    assert_eq!(read(&column, Value::Number(f64::NAN)), (None, None));
    assert_eq!(read(&column, Value::Text("a")), (Some(0.0), None));
    assert_eq!(read(&column, Value::Text("A")), (None, Some(Remark::UnseenLevel)));
    assert_eq!(read(&column, Value::Number(3.0)), (Some(1.0), Some(Remark::NumberForLevel)));
    assert_eq!(read(&column, Value::Integer(3)), (Some(1.0), Some(Remark::NumberForLevel)));
    assert_eq!(read(&column, Value::Integer(4)), (None, Some(Remark::UnseenLevel)));
    assert_eq!(read(&column, Value::Bool(true)), (Some(2.0), None));
    assert_eq!(read(&column, Value::Bool(false)), (None, Some(Remark::UnseenLevel)));
}

#[test]
fn a_whole_number_keeps_every_digit_as_a_level() {
    let column = feature("id", &["9007199254740992", "9007199254740993"]);
    let (raw, _) = Value::Integer(9_007_199_254_740_993).read(&column, &Encoding::Auto);
    assert_eq!(raw, 1.0);
}

#[test]
fn warnings_name_columns_by_kind() {
    let cells = [("n", Value::Text("much")), ("c", Value::Text("z")), ("d", Value::Missing), ("e", Value::Missing)];
    assert_eq!(
        warnings(binomial(), &cells),
        [
            (WarningKind::InvalidNumber, 1, vec!["n".to_owned()]),
            (WarningKind::UnseenLevel, 1, vec!["c".to_owned()]),
            (WarningKind::UnknownColumn, 2, vec!["d".to_owned(), "e".to_owned()]),
        ]
    );
}

#[test]
fn null_is_no_cause_for_a_warning_and_absence_is() {
    assert_eq!(warnings(binomial(), &[("c", Value::Missing), ("n", Value::Missing)]), []);
    let absent = [(WarningKind::AbsentColumn, 1, vec!["n".to_owned()])];
    assert_eq!(warnings(binomial(), &[("c", Value::Missing)]), absent);
}

#[test]
fn response_weights_and_fold_of_a_training_row_go_without_a_warning() {
    let cells =
        [("x", Value::Integer(1)), ("y", Value::Integer(2)), ("weight", Value::Missing), ("fold", Value::Missing)];
    assert_eq!(warnings(regression(), &cells), []);
}

#[test]
fn a_warning_names_five_columns_and_counts_the_rest() {
    let names: Vec<String> = (0..8).map(|i| format!("n{i}")).collect();
    let features = names.iter().map(|name| feature(name, &[])).collect();
    let wide = flat(features, &[], None, vec![0.0; 8], vec![0.0]);
    assert_eq!(warnings(wide, &[("n6", Value::Missing)]), [(WarningKind::AbsentColumn, 7, names[..5].to_vec())]);
}

#[test]
fn features_that_no_column_can_reach_are_not_missed() {
    let features = vec![feature("x", &[]), feature("", &[]), feature("x", &[]), feature("z", &[])];
    let model = flat(features, &[], None, vec![1.0, 10.0, 100.0, 1000.0], vec![0.0]);
    let served = served(model);
    let mut scorer = RowScorer::new(&served);
    scorer.begin_row();
    for (name, at) in [("x", Some(0)), ("", None), ("x", Some(0)), ("z", Some(3))] {
        assert_eq!(scorer.column(name), at, "{name:?}");
    }
    scorer.begin_row();
    for name in ["x", "z"] {
        let column = scorer.column(name).expect("a feature");
        scorer.set(column, Value::Integer(1)).expect("given once");
    }
    let answer = scorer.finish_row();
    assert_eq!((answer.prediction, answer.warnings), (Prediction::Value(1001.0), &[][..]));
}

#[test]
fn nothing_is_kept_from_row_to_row() {
    let served = served(regression());
    let mut scorer = RowScorer::new(&served);
    for (value, warned) in [(Some(1), false), (None, true), (Some(1), false)] {
        scorer.begin_row();
        if let (Some(value), Some(column)) = (value, scorer.column("x")) {
            scorer.set(column, Value::Integer(value)).expect("given once");
        }
        let answer = scorer.finish_row();
        let expected = if warned { 0.5 } else { 2.5 };
        assert_eq!(answer.prediction, Prediction::Value(expected));
        assert_eq!(!answer.warnings.is_empty(), warned);
    }
}

#[test]
fn a_column_given_twice_is_refused() {
    let served = served(binomial());
    let mut scorer = RowScorer::new(&served);
    scorer.begin_row();
    scorer.begin_row();
    assert_eq!(scorer.set(1, Value::Missing), Ok(()));
    let refusal = ServeError::RepeatedColumn { row: 2, column: "n".into() };
    assert_eq!(scorer.set(1, Value::Integer(1)), Err(refusal));
}

#[test]
fn what_is_not_finite_is_noticed() {
    let infinite = [(WarningKind::NonFiniteOutput, 1, vec!["predict".to_owned()])];
    assert_eq!(warnings(regression(), &[("x", Value::Text("Infinity"))]), infinite);
    let both = [(WarningKind::NonFiniteOutput, 2, vec!["no".to_owned(), "yes".to_owned()])];
    assert_eq!(warnings(binomial(), &[("c", Value::Missing), ("n", Value::Text("Infinity"))]), both);
}

#[test]
fn predictions_are_those_of_the_model() {
    let model = multinomial();
    let served = served(model.clone());
    let mut scorer = RowScorer::new(&served);
    scorer.begin_row();
    let answer = scorer.finish_row();
    let mut workspace = Workspace::default();
    assert_eq!(answer.prediction, model.score(&[f64::NAN, f64::NAN], &mut workspace));
    assert_eq!(answer.names, ["α", "b,\"c\"", "7"]);
}

#[tokio::test]
async fn small_and_large_jobs_are_done_and_a_panic_is_an_error() {
    let service = Service::new(registry([("m", panicking())]));
    let model = service.model(None).expect("the only one");
    for work in [Work::SMALL, Work::new(usize::MAX, usize::MAX, &model)] {
        assert_eq!(service.compute(work, || Ok(7)).await, Ok(7));
        assert_eq!(service.compute(work, || Err::<(), _>(ServeError::NotRows)).await, Err(ServeError::NotRows));
        let model = Arc::clone(&model);
        let job = move || {
            let mut scorer = RowScorer::new(&model);
            scorer.begin_row();
            scorer.set(0, Value::Integer(1))?;
            Ok(scorer.finish_row().warnings.len())
        };
        assert_eq!(service.compute(work, job).await, Err(ServeError::Internal));
    }
}

#[tokio::test]
async fn jobs_over_the_limit_are_refused_at_once() {
    let service = Service::new(registry([("m", regression())])).with_waiting_jobs(1);
    let large = Work::new(usize::MAX, usize::MAX, &service.model(None).expect("the only one"));
    let processors = u32::try_from(service.processors.available_permits()).expect("a few");
    let all = Arc::clone(&service.processors).acquire_many_owned(processors).await.expect("they are idle");

    let waits = service.compute(large, || Ok("done"));
    let refused = async {
        let refused = service.compute(large, || Ok("done")).await;
        assert_eq!(refused, Err(ServeError::Busy { limit: 1 }));
        assert_eq!(service.compute(Work::SMALL, || Ok("small")).await, Ok("small"));
        drop(all);
    };
    let (waited, ()) = tokio::join!(waits, refused);
    assert_eq!(waited, Ok("done"));
    assert_eq!(service.compute(large, || Ok("again")).await, Ok("again"));
}
