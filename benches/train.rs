//! How many rows a second does the plain engine train?

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use trainer::{Column, Frame, TrainParams, TrainPlan, train};

const ROWS: usize = 1000;

fn plain(criterion: &mut Criterion) {
    let dense = frame(28, 1);
    let sparse = frame(700, 5);
    let mut group = criterion.benchmark_group("plain");
    group.sample_size(10).throughput(Throughput::Elements(ROWS as u64));
    for (name, frame, settings) in [
        ("28 dense inputs, 200-200, ADADELTA", &dense, &[("hidden", "200,200")][..]),
        (
            "700 sparse inputs, 128-64, momentum, dropout",
            &sparse,
            &[
                ("hidden", "128,64"),
                ("activation", "RectifierWithDropout"),
                ("input_dropout_ratio", "0.2"),
                ("adaptive_rate", "false"),
                ("momentum_start", "0.9"),
                ("sparse", "true"),
            ],
        ),
    ] {
        let mut params = TrainParams::default();
        let common = [("training_frame", "-"), ("response_column", "y"), ("seed", "1"), ("epochs", "1")];
        // One scoring, of one row: this is about training.
        let quiet = [("reproducible", "true"), ("score_training_samples", "1"), ("variable_importances", "false")];
        for (name, value) in common.iter().chain(&quiet).chain(settings) {
            params.set_text(name, value).expect("the parameter exists");
        }
        let plan = TrainPlan::new(params, frame, None).expect("the frame can be trained on");
        group.bench_function(name, |bencher| bencher.iter(|| train(&plan, &mut ()).expect("it stays stable")));
    }
    group.finish();
}

/// One value in `every` is not zero.
fn frame(columns: usize, every: usize) -> Frame {
    let value = move |row: usize, column: usize| {
        let mixed = (row * 7919 + column).wrapping_mul(2_654_435_761) >> 7;
        if mixed.is_multiple_of(every) { (mixed as f64).sin() } else { 0.0 }
    };
    let mut all: Vec<Column> = (0..columns)
        .map(|column| Column::numeric(format!("x{column}"), (0..ROWS).map(move |row| value(row, column))))
        .collect();
    let codes = (0..ROWS).map(|row| Some(u32::from(value(row, 0) > 0.0)));
    all.push(Column::categorical("y", vec!["no".into(), "yes".into()], codes).expect("the codes are in the domain"));
    Frame::from_columns(all).expect("the columns are of one length")
}

criterion_group!(benches, plain);
criterion_main!(benches);
