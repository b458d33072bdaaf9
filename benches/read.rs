//! How many bytes of CSV a second become a frame, on one thread and on all cores?

use std::fmt::Write as _;
use std::hint::black_box;
use std::io::Write as _;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use flate2::Compression;
use flate2::write::GzEncoder;
use trainer::{Frame, ReadOptions};

fn read(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("read");
    group.sample_size(10);
    let pixels = pixels(20_000);
    let packed = gzip(&pixels);
    let (mixed, flights, fractions) = (mixed(1_000_000), flights(1_000_000), fractions(150_000));
    for (name, length, bytes) in [
        ("pixels", pixels.len(), pixels.as_bytes()),
        // Bytes as they are unpacked.
        ("pixels, gzip", pixels.len(), &packed),
        ("mixed", mixed.len(), mixed.as_bytes()),
        ("flights", flights.len(), flights.as_bytes()),
        ("fractions", fractions.len(), fractions.as_bytes()),
    ] {
        group.throughput(Throughput::Bytes(length as u64));
        for (shown, threads) in [("1 thread", Some(1)), ("all cores", None)] {
            group.bench_function(BenchmarkId::new(name, shown), |bencher| {
                let options = ReadOptions { threads, ..ReadOptions::default() };
                bencher
                    .iter(|| Frame::read_from(black_box(bytes), name, &options, &mut |_| {}).expect("the text is CSV"));
            });
        }
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

/// Levels and whole numbers, as tables of flights have them.
fn flights(rows: usize) -> String {
    let mut text = "year,month,day,carrier,from,to,distance,departure,delayed\n".to_owned();
    for row in 0..rows {
        let mixed = row.wrapping_mul(2_654_435_761) >> 5;
        let (year, month, day) = (1987 + mixed % 22, 1 + mixed % 12, 1 + mixed % 31);
        let (carrier, from, to) = (mixed % 23, mixed % 307, mixed % 293);
        let (distance, departure, delayed) = (mixed % 2999, mixed % 2359, ["NO", "YES"][mixed / 64 % 2]);
        let _ = writeln!(text, "{year},{month},{day},C{carrier},A{from},A{to},{distance},{departure},{delayed}");
    }
    text
}

/// 28 fractions and a class.
fn fractions(rows: usize) -> String {
    let names: Vec<String> = (0..28).map(|column| format!("x{column}")).collect();
    let mut text = names.join(",") + ",class\n";
    for row in 0..rows {
        for column in 0..28 {
            let mixed = (row * 28 + column).wrapping_mul(2_654_435_761) >> 7;
            let _ = write!(text, "{}.{:06},", mixed % 5, mixed % 999_983);
        }
        let _ = writeln!(text, "{}", row % 2);
    }
    text
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).expect("memory takes everything");
    encoder.finish().expect("memory takes everything")
}

criterion_group!(benches, read);
criterion_main!(benches);
