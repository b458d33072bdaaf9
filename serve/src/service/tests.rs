use model::{Encoding, Feature, Prediction, Remark, Workspace};

use super::*;
use crate::fixtures::{binomial, feature, flat, multinomial, regression, served};

fn scoring(model: model::Model) -> Scoring {
    Scoring::new(served(model), Policy::default()).expect("a policy for any model")
}

/// The raw value and the warnings of one cell.
fn read(column: &Feature, value: Value<'_>) -> (Option<f64>, Option<Remark>) {
    let (raw, remark) = value.read(column, &Encoding::Auto);
    (Some(raw).filter(|raw| !raw.is_nan()), remark)
}

/// Fills a row with these cells.
fn row(scoring: &mut Scoring, cells: &[(&str, Value<'_>)]) -> Result<(), ServeError> {
    scoring.begin_row();
    for &(name, value) in cells {
        if let Some(feature) = scoring.column(name)? {
            scoring.set(feature, value)?;
        }
    }
    scoring.end_row()
}

/// The predictions of regressions.
fn values(scoring: &mut Scoring) -> Vec<f64> {
    scoring.score().numbers(0).collect()
}

/// Kind, count and columns of each warning for a row of these cells.
fn warnings(model: model::Model, cells: &[(&str, Value<'_>)]) -> Vec<(WarningKind, usize, Vec<String>)> {
    let mut scoring = scoring(model);
    row(&mut scoring, cells).expect("no column is given twice");
    let predictions = scoring.score();
    let warnings = predictions.iter().flat_map(|answer| answer.warnings());
    warnings.map(|w| (w.kind, w.count, w.columns.iter().map(ToString::to_string).collect())).collect()
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
    let mut scoring = scoring(flat(features, &[], None, vec![1.0, 10.0, 100.0, 1000.0], vec![0.0]));
    scoring.begin_row();
    for (name, at) in [("x", Some(0)), ("", None), ("x", Some(0)), ("z", Some(3))] {
        assert_eq!(scoring.column(name), Ok(at), "{name:?}");
    }
    scoring.score();
    row(&mut scoring, &[("x", Value::Integer(1)), ("z", Value::Integer(1))]).expect("given once");
    let predictions = scoring.score();
    let answer = predictions.iter().next().expect("a row");
    assert_eq!((answer.prediction, answer.warnings()), (Prediction::Value(1001.0), Vec::new()));
}

#[test]
fn nothing_is_kept_from_row_to_row_nor_from_block_to_block() {
    let mut scoring = scoring(regression());
    let one = [("x", Value::Integer(1))];
    for _ in 0..2 {
        row(&mut scoring, &one).expect("given once");
        row(&mut scoring, &[]).expect("it may be absent");
        row(&mut scoring, &one).expect("given once");
        let predictions = scoring.score();
        let warned: Vec<bool> = predictions.iter().map(|answer| !answer.warnings().is_empty()).collect();
        assert_eq!(warned, [false, true, false]);
        assert_eq!(predictions.numbers(0).collect::<Vec<_>>(), [2.5, 0.5, 2.5]);
    }
    assert_eq!(scoring.rows(), 6);
    let absent = Warning { kind: WarningKind::AbsentColumn, count: 2, columns: vec!["x"] };
    assert_eq!(scoring.warnings(), [absent]);
}

#[test]
fn a_column_given_twice_is_refused() {
    let mut scoring = scoring(binomial());
    scoring.begin_row();
    scoring.begin_row();
    assert_eq!(scoring.set(1, Value::Missing), Ok(()));
    let refusal = ServeError::RepeatedColumn { row: 2, column: "n".into() };
    assert_eq!(scoring.set(1, Value::Integer(1)), Err(refusal));
    let refusal = ServeError::RepeatedName { column: "c".into() };
    assert_eq!(scoring.bind(["c", "n", "c"].into_iter()), Err(refusal));
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
    let mut scoring = scoring(model.clone());
    row(&mut scoring, &[]).expect("all may be absent");
    let predictions = scoring.score();
    let answer = predictions.iter().next().expect("a row");
    let mut workspace = Workspace::default();
    assert_eq!(answer.prediction, model.score(&[f64::NAN, f64::NAN], &mut workspace));
    assert_eq!(
        (answer.names(), answer.label()),
        (&["α".to_owned(), "b,\"c\"".to_owned(), "7".to_owned()][..], Some("7"))
    );
}

#[test]
fn columns_are_scored_as_rows_are() {
    let cells = [(Value::Text("b"), 0.5), (Value::Text("z"), f64::NAN), (Value::Missing, -3.0)];
    let mut by_row = scoring(binomial());
    for (c, n) in cells {
        row(&mut by_row, &[("c", c), ("n", Value::Number(n))]).expect("given once");
    }
    let mut by_column = scoring(binomial());
    by_column.begin_block(cells.len());
    by_column.numbers(1, cells.iter().map(|(_, n)| *n)).expect("numbers");
    by_column.cells(0, cells.iter().map(|(c, _)| *c)).expect("levels");
    by_column.end_block();
    let mut by_code = scoring(binomial());
    by_code.begin_block(cells.len());
    by_code.numbers(1, cells.iter().map(|(_, n)| *n)).expect("numbers");
    by_code.codes(0, [1.0, 2.0, f64::NAN].into_iter()).expect("codes");
    by_code.end_block();
    let [rows, columns, codes] = [by_row.score(), by_column.score(), by_code.score()];
    for found in [columns, codes] {
        for (expected, found) in rows.iter().zip(found.iter()) {
            assert_eq!((expected.prediction, expected.warnings()), (found.prediction, found.warnings()));
        }
    }
}

/// What becomes of a row of these cells under a policy.
fn under(policy: Policy, model: model::Model, cells: &[(&str, Value<'_>)]) -> Result<Vec<f64>, String> {
    let mut scoring = Scoring::new(served(model), policy).map_err(|refusal| refusal.to_string())?;
    row(&mut scoring, cells).map_err(|refusal| refusal.to_string())?;
    Ok(values(&mut scoring))
}

#[test]
fn a_level_that_is_not_known_is_missing_refused_or_nothing() {
    // The level `a` weighs 1, a missing one 10.
    let model = || flat(vec![feature("c", &["a"])], &[], None, vec![1.0, 10.0], vec![0.5]);
    let unseen = [("c", Value::Text("secret"))];
    let policy = |unknown_levels| Policy { unknown_levels, ..Policy::default() };
    assert_eq!(under(policy(UnknownLevels::H2o), model(), &unseen), Ok(vec![10.5]));
    assert_eq!(under(policy(UnknownLevels::Zero), model(), &unseen), Ok(vec![0.5]));
    let refusal = "row 1, column `c`: expected one of its 1 levels".to_owned();
    assert_eq!(under(policy(UnknownLevels::Error), model(), &unseen), Err(refusal));
    for known in [UnknownLevels::H2o, UnknownLevels::Zero, UnknownLevels::Error] {
        assert_eq!(under(policy(known), model(), &[("c", Value::Text("a"))]), Ok(vec![1.5]));
        assert_eq!(under(policy(known), model(), &[("c", Value::Missing)]), Ok(vec![10.5]));
    }
}

#[test]
fn strict_policies_refuse_what_others_warn_about() {
    let strict = |cells: &[(&str, Value<'_>)]| {
        let policy = Policy {
            strict_columns: true,
            strict_types: true,
            invalid_numbers: InvalidNumbers::Error,
            ..Policy::default()
        };
        under(policy, binomial(), cells).map(drop)
    };
    let (c, n) = (("c", Value::Text("a")), ("n", Value::Number(1.0)));
    assert_eq!(strict(&[c, n]), Ok(()));
    assert_eq!(strict(&[c]), Err("row 1: column `n` is absent".into()));
    assert_eq!(strict(&[c, n, ("d", Value::Missing)]), Err("row 1: the model has no column `d`".into()));
    let wrong =
        |column, expected| Err(format!("row 1, column `{column}`: expected {expected}, found a value of another type"));
    assert_eq!(strict(&[("c", Value::Integer(3)), n]), wrong("c", "a text"));
    assert_eq!(strict(&[c, ("n", Value::Text("3"))]), wrong("n", "a number"));
    assert_eq!(strict(&[c, ("n", Value::Bool(true))]), wrong("n", "a number"));
    let numbers = Policy { invalid_numbers: InvalidNumbers::Error, ..Policy::default() };
    let refusal = "row 1, column `n`: expected a number".to_owned();
    assert_eq!(under(numbers, binomial(), &[("n", Value::Text("secret"))]), Err(refusal));
}

#[test]
fn a_threshold_moves_the_label_of_two_classes_and_of_no_others() {
    let label = |threshold| {
        let policy = Policy { threshold, ..Policy::default() };
        let mut scoring = Scoring::new(served(binomial()), policy).expect("two classes");
        row(&mut scoring, &[("c", Value::Text("b")), ("n", Value::Number(0.0))]).expect("given once");
        scoring.score().labels()[0]
    };
    assert_eq!([None, Some(0.73), Some(0.74)].map(label), [Some(1), Some(1), Some(0)]);
    let policy = Policy { threshold: Some(0.5), ..Policy::default() };
    let refusal = "a threshold needs a model of two classes".to_owned();
    assert_eq!(under(policy, regression(), &[]), Err(refusal));
}
