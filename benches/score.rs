//! How long does the answer for one row take?

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use model::Workspace;
use trainer::{Column, Frame, TrainParams, TrainPlan, train};

fn score(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("score");
    for (name, columns, hidden) in [("20-64-64-2", 20, "64,64"), ("700-128-64-2", 700, "128,64")] {
        let frame = frame(columns);
        let mut params = TrainParams::default();
        for (name, value) in [("training_frame", "-"), ("response_column", "y"), ("seed", "1"), ("epochs", "1")] {
            params.set_text(name, value).expect("the parameter exists");
        }
        params.set_text("hidden", hidden).expect("these are layer sizes");
        let plan = TrainPlan::new(params, &frame, None).expect("the frame can be trained on");
        let model = train(&plan, &mut ()).expect("it stays stable").model;
        let row: Vec<f64> = (0..columns).map(|i| (i as f64).sin()).collect();
        let mut workspace = Workspace::default();
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                black_box(model.score(black_box(&row), &mut workspace));
            });
        });
    }
    group.finish();
}

fn frame(columns: usize) -> Frame {
    const ROWS: usize = 50;
    let value = |row: usize, column: usize| ((row * 31 + column * 17) as f64).sin();
    let mut all: Vec<Column> = (0..columns)
        .map(|column| Column::numeric(format!("x{column}"), (0..ROWS).map(move |row| value(row, column))))
        .collect();
    let codes = (0..ROWS).map(|row| Some(u32::from(value(row, 0) > 0.0)));
    all.push(Column::categorical("y", vec!["no".into(), "yes".into()], codes).expect("the codes are in the domain"));
    Frame::from_columns(all).expect("the columns are of one length")
}

criterion_group!(benches, score);
criterion_main!(benches);
