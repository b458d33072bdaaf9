use model::{Activation, Category, Profile, ValueProfile};

use super::*;
use crate::samples;

fn cells(golden: &Golden, column: usize) -> impl Iterator<Item = &GoldenCell> {
    golden.rows.iter().map(move |row| &row.cells[column])
}

#[test]
fn the_same_seed_draws_the_same_rows() {
    let model = samples::model(Activation::Tanh, Category::Multinomial);
    let profile = samples::profile(&model);
    assert_eq!(Golden::draw(&model, &profile, 3), Golden::draw(&model, &profile, 3));
    assert_ne!(Golden::draw(&model, &profile, 3).rows, Golden::draw(&model, &profile, 4).rows);
}

#[test]
fn every_way_of_being_odd_has_a_row() {
    let model = samples::minimal();
    let golden = Golden::draw(&model, &samples::profile(&model), 1);
    let has_row = |c: GoldenCell, n: GoldenCell| golden.rows.iter().any(|row| row.cells == [c.clone(), n.clone()]);
    assert!(has_row(GoldenCell::Missing, GoldenCell::Missing));
    // Beyond -2 and 90 by ten times their distance and one.
    assert!(has_row(GoldenCell::Text("a".into()), GoldenCell::Number(-923.0)));
    assert!(has_row(GoldenCell::Text("b".into()), GoldenCell::Number(1011.0)));
    let unseen = |cell: &GoldenCell| matches!(cell, GoldenCell::Text(text) if text != "a" && text != "b");
    assert!(golden.rows.iter().any(|row| unseen(&row.cells[0]) && row.cells[1] != GoldenCell::Missing));
}

#[test]
fn cells_follow_the_profile() {
    let model = samples::minimal();
    let mut profile = samples::profile(&model);
    profile.columns[0].missing = 0;
    profile.columns[1].missing = 500;
    profile.columns[1].values =
        ValueProfile::Numeric { mean: 3.0, sigma: 1.0, quantiles: vec![0.0, 2.0, 10.0], whole: true };
    let golden = Golden::draw(&model, &profile, 1);
    let drawn = || golden.rows.iter().take(100);
    // The level `a` never occurred, and `b` did once.
    assert!(drawn().all(|row| row.cells[0] == GoldenCell::Text("b".into())));
    let missing = drawn().filter(|row| row.cells[1] == GoldenCell::Missing).count();
    assert!((30..70).contains(&missing), "{missing}");
    for row in drawn() {
        if let GoldenCell::Number(value) = row.cells[1] {
            assert!(value.fract() == 0.0 && (0.0..=10.0).contains(&value), "{value}");
        }
    }
}

#[test]
fn a_profile_of_nothing_makes_rows_all_the_same() {
    let model = samples::minimal();
    let mut profile = Profile { rows: 0, ..samples::profile(&model) };
    profile.columns[0].values = ValueProfile::Categorical { counts: vec![u64::MAX, u64::MAX] };
    profile.columns[1].values =
        ValueProfile::Numeric { mean: f64::NAN, sigma: f64::NAN, quantiles: Vec::new(), whole: false };
    let golden = Golden::draw(&model, &profile, 1);
    assert!(cells(&golden, 1).all(|cell| *cell == GoldenCell::Missing));
    assert_eq!(golden.problem(&model), None);
}

#[test]
fn without_a_profile_the_schema_will_do() {
    let model = samples::model(Activation::Rectifier, Category::Regression);
    let golden = Golden::draw_without_profile(&model, 1);
    assert_eq!(golden.problem(&model), None);
    assert!(cells(&golden, 0).any(|cell| *cell == GoldenCell::Text("[info]".into())));
    assert!(cells(&golden, 2).any(|cell| matches!(cell, GoldenCell::Number(_))));
}

#[test]
fn json_keeps_every_digit_and_what_is_no_number() {
    let golden = Golden {
        columns: vec!["a".into(), "b".into(), "c".into()],
        rows: vec![
            GoldenRow {
                cells: vec![GoldenCell::Missing, GoldenCell::Number(0.1 + 0.2), GoldenCell::Text("7".into())],
                answer: Answer::Class {
                    label: None,
                    probabilities: vec![JsonNumber(f64::INFINITY), JsonNumber(1e-300)],
                },
            },
            GoldenRow { cells: Vec::new(), answer: Answer::Value(JsonNumber(-0.0)) },
        ],
    };
    let json = serde_json::to_string(&golden).unwrap();
    assert!(json.contains(r#"{"cells":[null,0.30000000000000004,"7"]"#), "{json}");
    assert!(json.contains(r#""probabilities":["Infinity",1e-300]"#), "{json}");
    assert!(json.contains(r#"{"value":-0.0}"#), "{json}");
    assert_eq!(serde_json::from_str::<Golden>(&json).unwrap(), golden);
}
