//! How long does the Rust source of a model take to compile, and then for a row, with the flags that everybody has?

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use exporter::{Artifact, RustOptions};
use model::{
    Activation, Algorithm, Category, DeepLearning, Distribution, Domain, Encoding, Feature, InputLayout, Labelling,
    Layer, Model, Network, Response, Schema, SpecialColumns,
};

/// Layers, and how many of the inputs are not 0.
const NETS: [(&[usize], usize); 4] = [
    (&[20, 64, 64, 2], 20),
    (&[784, 128, 64, 10], 150),
    (&[784, 128, 64, 10], 784),
    (&[784, 1024, 1024, 1024, 10], 150),
];

fn generated_rust(criterion: &mut Criterion) {
    for (sizes, filled) in NETS {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let options = RustOptions { module: "model".to_owned(), as_crate: false };
        let artifact = Artifact::new(model(sizes), "2026-11-30T15:00:36.751Z");
        let source = exporter::write_rust(&artifact, &options, folder.path()).expect("it can be written");
        let bytes = fs::metadata(source).expect("it is there").len();
        fs::write(folder.path().join("main.rs"), program(sizes[0], filled)).expect("it can be written");

        let name: Vec<String> = sizes.iter().map(ToString::to_string).collect();
        let mut group = criterion.benchmark_group(format!("{}, {filled} inputs are not 0", name.join("-")));
        group.sample_size(10).warm_up_time(Duration::from_millis(500));
        group.bench_function(format!("rustc, {} kB", bytes / 1000), |bencher| bencher.iter(|| compile(folder.path())));
        group.bench_function("a row", |bencher| bencher.iter_custom(|rows| score(folder.path(), rows)));
        group.finish();
    }
}

fn compile(folder: &Path) {
    let mut rustc = Command::new("rustc");
    rustc.current_dir(folder).args(["--edition", "2021", "-C", "opt-level=3", "main.rs", "-o", "program"]);
    assert!(rustc.status().expect("there is a rustc").success(), "it compiles");
}

/// How long the program takes for so many rows, by its own clock.
fn score(folder: &Path, rows: u64) -> Duration {
    let output = Command::new(folder.join("program")).arg(rows.to_string()).output().expect("it runs");
    let nanoseconds = String::from_utf8_lossy(&output.stdout).trim().parse().expect("a number");
    Duration::from_nanos(nanoseconds)
}

fn program(inputs: usize, filled: usize) -> String {
    let mut row = vec![0.0; inputs];
    for place in 0..filled {
        // Spread over the row.
        row[place * inputs / filled] = 1.0 + place as f64 / 7.0;
    }
    let mut text = "mod model;\n\nuse std::hint::black_box;\n\nfn main() {\n".to_owned();
    let _ = writeln!(text, "    let row = {row:?};");
    text + "    let rows: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let start = std::time::Instant::now();
    for _ in 0..rows {
        black_box(model::score_numbers(black_box(&row)));
    }
    println!(\"{}\", start.elapsed().as_nanos());
}
"
}

/// A classifier of numbers that were not shifted, as of `sparse` training.
fn model(sizes: &[usize]) -> Model {
    let names = |count: usize, prefix: &str| (1..=count).map(|place| format!("{prefix}{place}")).collect::<Vec<_>>();
    let features = names(sizes[0], "C").into_iter().map(|name| Feature { name, domain: None });
    let classes = sizes[sizes.len() - 1];
    let response = Response { name: "class".to_owned(), domain: Some(Domain::new(names(classes, "class "))) };
    let layer = |sizes: &[usize]| Layer {
        inputs: sizes[0],
        units: sizes[1],
        channels: 1,
        weights: (0..sizes[0] * sizes[1]).map(|place| (place as f32 * 0.7).sin() * 0.1).collect(),
        biases: vec![0.1; sizes[1]],
        dropout_ratio: 0.0,
    };
    let layers = sizes.windows(2).map(layer).collect();
    Model {
        schema: Schema::new(features.collect(), Some(response), SpecialColumns::default()),
        encoding: Encoding::Auto,
        category: if classes == 2 { Category::Binomial } else { Category::Multinomial },
        labelling: Labelling {
            default_threshold: 0.5,
            prior_class_distrib: Some(vec![1.0 / classes as f64; classes]),
            model_class_distrib: None,
            balance_classes: false,
        },
        algorithm: Algorithm::DeepLearning(DeepLearning {
            layout: InputLayout::new(&[], sizes[0], true, None),
            network: Network::new(Activation::Rectifier, layers).expect("the layers fit"),
            distribution: Distribution::Multinomial,
            response_scaling: None,
            mean_imputation: true,
        }),
    }
}

criterion_group!(benches, generated_rust);
criterion_main!(benches);
