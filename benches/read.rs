//! How many bytes of CSV a second become a frame, on one thread?

use std::fmt::Write;
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use trainer::{Frame, ReadOptions};

fn read(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("read");
    group.sample_size(10);
    for (name, text) in [("pixels", pixels(2000)), ("mixed", mixed(100_000))] {
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let options = ReadOptions::default();
                Frame::read_from(black_box(text.as_bytes()), name, &options, &mut |_| {}).expect("the text is CSV")
            });
        });
    }
    group.finish();
}

/// Rows of 785 small whole numbers, most of them 0, as MNIST has them.
fn pixels(rows: usize) -> String {
    let mut text = String::new();
    for row in 0..rows {
        for column in 0..785 {
            let mixed = (row * 785 + column).wrapping_mul(2_654_435_761) >> 7;
            let value = if mixed.is_multiple_of(5) { mixed / 5 % 256 } else { 0 };
            let _ = write!(text, "{}{value}", if column == 0 { "" } else { "," });
        }
        text.push('\n');
    }
    text
}

/// Fractions, whole numbers, levels and missing cells.
fn mixed(rows: usize) -> String {
    let mut text = "amount,age,state,note\n".to_owned();
    for row in 0..rows {
        let mixed = row.wrapping_mul(2_654_435_761) >> 5;
        let state = ["CA", "NY", "TX", ""][mixed % 4];
        let _ = writeln!(text, "{}.{:03},{},{state},\"a, {}\"", mixed % 10_000, mixed % 997, mixed % 90, mixed % 50);
    }
    text
}

criterion_group!(benches, read);
criterion_main!(benches);
