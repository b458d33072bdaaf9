//! How long do lines of memory take to be read, and to be rewritten, in the caches of one core?
//!
//! The names are bytes. `benches/against-h2o` computes the ceiling of the L2 cache from them.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use trainer::{Tier, Traffic};

/// Inside L1, inside L2, past it.
const SIZES: [usize; 3] = [24 << 10, 640 << 10, 6 << 20];

fn traffic(criterion: &mut Criterion) {
    for kind in ["read", "rewrite"] {
        let mut group = criterion.benchmark_group(kind);
        group.warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
        for bytes in SIZES {
            let mut traffic = Traffic::new(Tier::best(), bytes);
            group.throughput(Throughput::Bytes(bytes as u64));
            group.bench_function(bytes.to_string(), |bencher| {
                bencher.iter(|| {
                    if kind == "read" {
                        black_box(traffic.read());
                    } else {
                        black_box(&mut traffic).rewrite();
                    }
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, traffic);
criterion_main!(benches);
