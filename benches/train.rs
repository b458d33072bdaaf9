//! How many rows a second does the fast engine train, by kind of table, instructions and threads?
//!
//! A run is timed whole: packing the rows and scoring one of them are a few hundredths of it.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use trainer::{Column, Frame, Tier, TrainParams, TrainPlan, train};

/// As many as two threads get something to do from.
const ROWS: usize = 20_000;
const THREADS: [usize; 2] = [1, 2];

/// What is set for all: one scoring, of one row, since this is about training.
const COMMON: [(&str, &str); 6] = [
    ("training_frame", "-"),
    ("response_column", "y"),
    ("seed", "1"),
    ("epochs", "1"),
    ("score_training_samples", "1"),
    ("variable_importances", "false"),
];

/// What H2O's benchmark of MNIST sets, but for the optimiser.
const DROPOUT: [(&str, &str); 7] = [
    ("hidden", "128,64"),
    ("activation", "RectifierWithDropout"),
    ("input_dropout_ratio", "0.2"),
    ("hidden_dropout_ratios", "0.3,0.2"),
    ("l1", "1e-4"),
    ("l2", "1e-4"),
    ("sparse", "true"),
];
const MOMENTUM: [(&str, &str); 4] =
    [("adaptive_rate", "false"), ("rate", "0.005"), ("rate_annealing", "1e-6"), ("momentum_start", "0.9")];

fn fast(criterion: &mut Criterion) {
    let (sparse, dense, levels) = (numbers(717, 5), numbers(28, 1), categories(&[10, 12, 20, 31, 60, 150, 400, 1000]));
    let momentum = [&DROPOUT[..], &MOMENTUM].concat();
    for (name, frame, settings) in [
        ("717 sparse inputs, 128-64, momentum", &sparse, momentum.as_slice()),
        ("717 sparse inputs, 128-64, ADADELTA", &sparse, &DROPOUT),
        (
            "717 sparse inputs, 128-64, ADADELTA, batches of 32",
            &sparse,
            &[&DROPOUT[..], &[("mini_batch_size", "32")]].concat(),
        ),
        ("28 dense inputs, 200-200, ADADELTA", &dense, &[]),
        ("8 categories of 1,683 levels, 200-200, ADADELTA", &levels, &[]),
    ] {
        let mut params = TrainParams::default();
        for (name, value) in COMMON.iter().chain(settings) {
            params.set_text(name, value).expect("the parameter exists");
        }
        let mut plan = TrainPlan::new(params, frame, None).expect("the frame can be trained on");
        let mut group = criterion.benchmark_group(name);
        group.sample_size(10).throughput(Throughput::Elements(ROWS as u64));
        for tier in Tier::NAMES.into_iter().filter_map(Tier::named) {
            for threads in THREADS {
                (plan.options.tier, plan.options.threads) = (tier, threads);
                group.bench_function(format!("{tier}, threads: {threads}"), |bencher| {
                    bencher.iter(|| train(&plan, &mut ()).expect("it stays stable"));
                });
            }
        }
        group.finish();
    }
}

/// One value in `every` is not zero.
fn numbers(columns: usize, every: usize) -> Frame {
    let value = move |row: usize, column: usize| {
        let mixed = mixed(row, column);
        if mixed.is_multiple_of(every) { (mixed as f64).sin() } else { 0.0 }
    };
    let columns =
        (0..columns).map(|column| Column::numeric(format!("x{column}"), (0..ROWS).map(move |row| value(row, column))));
    with_response(columns.collect(), |row| value(row, 0) + value(row, 1) > 0.0)
}

/// A column for each number of levels.
fn categories(levels: &[usize]) -> Frame {
    let column = |(column, &count): (usize, &usize)| {
        let domain = (0..count).map(|level| format!("level{level}")).collect();
        let codes = (0..ROWS).map(move |row| Some((mixed(row, column) % count) as u32));
        Column::categorical(format!("x{column}"), domain, codes).expect("the codes are in the domain")
    };
    let columns = levels.iter().enumerate().map(column).collect();
    with_response(columns, |row| mixed(row, 0) % 10 + mixed(row, 1) % 12 > 10)
}

fn mixed(row: usize, column: usize) -> usize {
    (row * 7919 + column).wrapping_mul(2_654_435_761) >> 7
}

fn with_response(mut columns: Vec<Column>, is_yes: impl Fn(usize) -> bool) -> Frame {
    let codes = (0..ROWS).map(|row| Some(u32::from(is_yes(row))));
    columns
        .push(Column::categorical("y", vec!["no".into(), "yes".into()], codes).expect("the codes are in the domain"));
    Frame::from_columns(columns).expect("the columns are of one length")
}

criterion_group!(benches, fast);
criterion_main!(benches);
