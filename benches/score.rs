//! How long does the answer for one row take?

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use model::Workspace;
use trainer::{Column, Frame, TrainParams, TrainPlan, train};

fn score(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("score");
    for (name, (predictors, row), hidden, activation) in [
        ("20-64-64-2", numbers(20), "64,64", "Rectifier"),
        ("700-128-64-2", numbers(700), "128,64", "Rectifier"),
        ("717-128-64-2, a fifth not 0", strokes(717), "128,64", "Rectifier"),
        ("700-128-64-2 of two channels", numbers(700), "128,64", "Maxout"),
        ("8 of 1000 levels-200-200-2", levels(8, 1000), "200,200", "Rectifier"),
    ] {
        let frame = frame(predictors);
        let mut params = TrainParams::default();
        for (name, value) in [
            ("training_frame", "-"),
            ("response_column", "y"),
            ("seed", "1"),
            ("epochs", "1"),
            ("hidden", hidden),
            ("activation", activation),
            // Numbers are not shifted: what is 0 stays it.
            ("sparse", "true"),
        ] {
            params.set_text(name, value).expect("the parameter exists and takes the value");
        }
        let plan = TrainPlan::new(params, &frame, None).expect("the frame can be trained on");
        let model = train(&plan, &mut ()).expect("it stays stable").model;
        let mut workspace = Workspace::default();
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                black_box(model.score(black_box(&row), &mut workspace));
            });
        });
    }
    group.finish();
}

const ROWS: usize = 50;

fn value(row: usize, column: usize) -> f64 {
    ((row * 31 + column * 17) as f64).sin()
}

/// Columns of numbers, and a row of them.
fn numbers(columns: usize) -> (Vec<Column>, Vec<f64>) {
    let column = |column: usize| Column::numeric(format!("x{column}"), (0..ROWS).map(move |row| value(row, column)));
    ((0..columns).map(column).collect(), (0..columns).map(|column| value(0, column)).collect())
}

/// Columns of numbers that are mostly 0, and a row of them: as in the image of a digit, five in a line are not, of 25.
fn strokes(columns: usize) -> (Vec<Column>, Vec<f64>) {
    let value = |row: usize, column: usize| if (column / 5 + row).is_multiple_of(5) { value(row, column) } else { 0.0 };
    let column = |column: usize| Column::numeric(format!("x{column}"), (0..ROWS).map(move |row| value(row, column)));
    ((0..columns).map(column).collect(), (0..columns).map(|column| value(0, column)).collect())
}

/// Columns of categories, and the codes of a row.
fn levels(columns: usize, levels: u32) -> (Vec<Column>, Vec<f64>) {
    let domain = || (0..levels).map(|level| format!("level {level}")).collect();
    let code = |row: usize, column: usize| (f64::midpoint(value(row, column), 1.0) * f64::from(levels)) as u32;
    let column = |column: usize| {
        Column::categorical(format!("x{column}"), domain(), (0..ROWS).map(|row| Some(code(row, column))))
            .expect("the codes are in the domain")
    };
    ((0..columns).map(column).collect(), (0..columns).map(|column| f64::from(code(0, column))).collect())
}

/// The predictors with a response that follows none of them.
fn frame(mut columns: Vec<Column>) -> Frame {
    let codes = (0..ROWS).map(|row| Some(u32::from(value(row, 0) > 0.0)));
    columns
        .push(Column::categorical("y", vec!["no".into(), "yes".into()], codes).expect("the codes are in the domain"));
    Frame::from_columns(columns).expect("the columns are of one length")
}

criterion_group!(benches, score);
criterion_main!(benches);
