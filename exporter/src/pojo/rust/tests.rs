//! Models of every kind as source, compiled by few runs of rustc and held to `model` by the bit.

mod random_models;

use std::fmt::Write as _;
use std::process::Command;

use model::{Activation, Category, JsonNumber, Labelling, Response, SpecialColumns};
use tempfile::TempDir;

use self::random_models::RandomModels;
use super::*;
use crate::golden::{Answer, Golden, GoldenCell};
use crate::samples;
use crate::verify::{Outcome, RustCompiler, read_rust_answers, rust_rows_text, verify_rust, verify_rust_file};

const EDITIONS: [&str; 3] = ["2018", "2021", "2024"];

/// Sources in a folder of their own, as files of one crate.
struct Sources(TempDir);

impl Sources {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.path().join(name), text).unwrap();
    }

    fn write_model(&self, artifact: &Artifact, module: &str, spelling: Spelling) -> String {
        let net = deep_learning(&artifact.model).unwrap();
        let source = render("model.rs", &Facts::of(artifact, net, module, spelling));
        self.write(&format!("{module}.rs"), &source);
        source
    }

    /// Runs rustc or the like, with warnings as errors; what it says is one.
    fn run(&self, program: &str, edition: &str, arguments: &[&str]) {
        let mut command = Command::new(program);
        command.args(["--edition", edition, "-D", "warnings"]).args(arguments).current_dir(self.0.path());
        let output = command.output().expect("Rust has it");
        assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// The answers of each model to its golden rows.
    fn answers(&self, artifacts: &[(Artifact, Spelling)]) -> Vec<Vec<Answer>> {
        let (mut modules, mut calls) = (String::new(), String::new());
        for (index, (artifact, spelling)) in artifacts.iter().enumerate() {
            let module = format!("model_{index}");
            self.write_model(artifact, &module, *spelling);
            self.write(&format!("replay_{index}.rs"), &rust_replay_source(&artifact.model, &module).unwrap());
            let golden = artifact.golden.as_ref().expect("it has rows");
            self.write(&format!("rows_{index}"), &rust_rows_text(&artifact.model, golden));
            let _ = writeln!(modules, "mod replay_{index};");
            let _ = writeln!(calls, "println!(\"= {index}\"); replay_{index}::replay(&read(\"rows_{index}\"));");
        }
        let read = "fn read(rows: &str) -> String { std::fs::read_to_string(rows).expect(\"rows\") }";
        self.write("main.rs", &format!("{modules}{read}\nfn main() {{\n{calls}}}\n"));
        self.run("rustc", "2021", &["main.rs", "-o", "main"]);
        let output = Command::new(self.0.path().join("main")).current_dir(self.0.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let answers = said.split("= ").skip(1).zip(artifacts).map(|(answers, (artifact, _))| {
            let (_, lines) = answers.split_once('\n').expect("a line with its index");
            let rows = artifact.golden.as_ref().map_or(0, |golden| golden.rows.len());
            read_rust_answers(lines, &artifact.model, rows).unwrap()
        });
        answers.collect()
    }
}

/// The bits of the numbers of an answer; one NaN is like another.
fn bits(answer: &Answer) -> (Option<usize>, Vec<Option<u64>>) {
    let bits = |number: f64| (!number.is_nan()).then_some(number.to_bits());
    (answer.label(), answer.numbers().into_iter().map(bits).collect())
}

fn assert_same(artifacts: &[(Artifact, Spelling)]) {
    let answers = Sources::new().answers(artifacts);
    assert_eq!(answers.len(), artifacts.len());
    for (index, (found, (artifact, _))) in answers.iter().zip(artifacts).enumerate() {
        for (row, found) in artifact.golden.iter().flat_map(|golden| &golden.rows).zip(found) {
            assert_eq!(bits(&row.answer), bits(found), "model {index}, {:?}: {:?}", row.cells, artifact.model);
        }
    }
}

/// A model with rows of all kinds, those that only a program sends among them.
fn artifact(model: Model, seed: u64) -> Artifact {
    let drawn = Golden::draw_without_profile(&model, seed);
    let mut rows: Vec<Vec<GoldenCell>> = drawn.rows.into_iter().map(|row| row.cells).collect();
    for (index, text) in ["Infinity", "-Infinity", "-0.0", "1e300", "NaN", "1e-310"].into_iter().enumerate() {
        let odd = |cell: &GoldenCell| match cell {
            GoldenCell::Number(_) => GoldenCell::Text(text.to_owned()),
            other => other.clone(),
        };
        rows.push(rows[index].iter().map(odd).collect());
    }
    let golden = Golden::answered(&model, rows);
    Artifact { golden: Some(golden), ..Artifact::new(model, samples::TIMESTAMP) }
}

fn net_of(model: &mut Model) -> &mut DeepLearning {
    let Algorithm::DeepLearning(net) = &mut model.algorithm else { unreachable!("there is no other algorithm") };
    net
}

fn kinds() -> impl Iterator<Item = (Activation, Category, usize)> {
    let is_kind =
        |activation: Activation, category| category != Category::AutoEncoder || activation.channels_of(0, 1) == 1;
    let encodings = || 0..RandomModels::ENCODINGS;
    Activation::ALL.into_iter().flat_map(move |activation| {
        let categories = Category::ALL.into_iter().filter(move |&category| is_kind(activation, category));
        categories.flat_map(move |category| encodings().map(move |encoding| (activation, category, encoding)))
    })
}

#[test]
fn every_kind_of_model_answers_with_the_bits_of_model() {
    let mut random = RandomModels::new(20_261_130);
    let models = kinds().zip(0..).map(|((activation, category, encoding), seed)| {
        let spelling = if random.once_in(3) { Spelling::Bytes } else { Spelling::Numbers };
        (artifact(random.model(activation, category, encoding), seed), spelling)
    });
    assert_same(&models.collect::<Vec<_>>());
}

#[test]
fn ties_between_classes_are_decided_as_model_decides_them() {
    let models = (0..12_u64).map(|seed| {
        let mut model = samples::model(Activation::Rectifier, Category::Multinomial);
        let classes = ["a", "b", "c", "d"];
        let response = Response { name: "y".into(), domain: Some(samples::domain(&classes)) };
        model.schema = model::Schema::new(model.schema.features().to_vec(), Some(response), SpecialColumns::default());
        let net = net_of(&mut model);
        let mut layers = net.network.layers().to_vec();
        let output = layers.last_mut().unwrap();
        (output.units, output.weights) = (4, vec![0.0; 4 * output.inputs]);
        output.biases = vec![f64::from(seed % 3 == 0), 1.0, 1.0, f64::from(seed % 2 == 0)];
        net.network = model::Network::new(Activation::Rectifier, layers).unwrap();
        let prior_class_distrib = (seed > 3).then(|| vec![0.4, 0.1, 0.2, 0.3]);
        model.labelling = Labelling { prior_class_distrib, ..model.labelling };
        (artifact(model, seed), Spelling::Numbers)
    });
    let models: Vec<_> = models.collect();
    let labels = models.iter().flat_map(|(artifact, _)| &artifact.golden.as_ref().unwrap().rows);
    let labels: std::collections::HashSet<_> = labels.map(|row| row.answer.label()).collect();
    assert!(labels.len() >= 4, "{labels:?}");
    assert_same(&models);
}

#[test]
fn no_edition_has_a_warning_and_no_page_of_the_documentation() {
    let mut random = RandomModels::new(7);
    let sources = Sources::new();
    let mut lib = "//! Models.\n#![no_std]\n".to_owned();
    for (index, (activation, category, encoding)) in kinds().enumerate().filter(|(index, _)| index % 4 == 0) {
        let artifact = artifact(random.model(activation, category, encoding), 1);
        let spelling = if random.once_in(2) { Spelling::Bytes } else { Spelling::Numbers };
        sources.write_model(&artifact, &format!("model_{index}"), spelling);
        let _ = writeln!(lib, "/// A model.\npub mod model_{index};");
    }
    sources.write("lib.rs", &lib);
    sources.run("rustc", "2021", &["--test", "lib.rs", "-o", "tests"]);
    let tests = Command::new(sources.0.path().join("tests")).output().unwrap();
    assert!(tests.status.success(), "{}", String::from_utf8_lossy(&tests.stdout));
    for edition in EDITIONS {
        sources.run("rustc", edition, &["--crate-type", "lib", "--emit", "metadata", "-D", "missing_docs", "lib.rs"]);
        sources.run("rustdoc", edition, &["lib.rs"]);
    }
}

/// The program in the head of the file, which uses next to nothing of it.
#[test]
fn the_example_in_the_head_compiles_in_every_edition_without_a_warning() {
    let mut random = RandomModels::new(11);
    for (index, category) in Category::ALL.into_iter().enumerate() {
        let artifact = artifact(random.model(Activation::Tanh, category, index), 1);
        let sources = Sources::new();
        let source = sources.write_model(&artifact, "model", Spelling::Numbers);
        let lines = source.lines().map_while(|line| line.strip_prefix("//"));
        let example: Vec<&str> = lines.filter_map(|line| line.strip_prefix("     ")).collect();
        let (first, body) = (example[0], example[1..].join("\n"));
        let use_it = "std::process::exit(i32::from(prediction == prediction));";
        sources.write("main.rs", &format!("{first}\nfn main() {{\n{body}\n{use_it}\n}}\n"));
        let of_numbers = "mod model;\nfn main() {\n    let numbers = model::Row::MISSING.numbers();\n    let _ = model::score_numbers(&numbers);\n}\n";
        sources.write("numbers.rs", of_numbers);
        for edition in EDITIONS {
            sources.run("rustc", edition, &["--emit", "metadata", "-o", "main.rmeta", "main.rs"]);
            sources.run("rustc", edition, &["--emit", "metadata", "-o", "numbers.rmeta", "numbers.rs"]);
        }
    }
}

#[test]
fn the_same_artifact_is_the_same_source_and_another_weight_another_answer() {
    let artifact = samples::artifact();
    let write = || {
        let folder = tempfile::tempdir().unwrap();
        let options = RustOptions { module: "credit".into(), as_crate: false };
        write_rust(&artifact, &options, folder.path()).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        fs::read_to_string(folder.path().join("credit.rs")).unwrap()
    };
    assert_eq!(write(), write());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("credit.rs");
    let verified = |source: &str| {
        fs::write(&path, source).unwrap();
        verify_rust(&artifact, &path, &RustCompiler::default()).unwrap()
    };
    let by_itself = || verify_rust_file(&path, &RustCompiler::default()).unwrap();
    assert_eq!(verified(&write()).outcome, Outcome::Agrees);
    assert_eq!(
        (by_itself().outcome, by_itself().rows),
        (Outcome::Agrees, artifact.golden.as_ref().unwrap().rows.len())
    );
    let changed = write().replace("        0.3, -0.3,", "        0.3, -0.300001,");
    let report = verified(&changed);
    assert!(matches!(&report.outcome, Outcome::Disagrees { column, .. } if column == "no"), "{report}");
    let report = by_itself();
    assert!(matches!(&report.outcome, Outcome::Disagrees { column, .. } if column == "output 1"), "{report}");
}

#[test]
fn a_crate_has_a_manifest_and_a_library_whose_example_runs() {
    let folder = tempfile::tempdir().unwrap();
    let options = RustOptions { module: "credit".into(), as_crate: true };
    write_rust(&samples::artifact(), &options, folder.path()).unwrap();
    let mut cargo = Command::new("cargo");
    cargo.args(["test", "--offline", "--quiet", "--doc"]).current_dir(folder.path());
    cargo.env("RUSTFLAGS", "-D warnings").env("CARGO_TARGET_DIR", folder.path().join("target"));
    let output = cargo.output().expect("cargo runs this test");
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

#[test]
fn what_cannot_be_written_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let options = RustOptions { module: "m".into(), as_crate: false };
    let refusal = |model: Model, folder: &Path| {
        write_rust(&Artifact::new(model, samples::TIMESTAMP), &options, folder).unwrap_err().to_string()
    };
    let mut hashed = samples::minimal();
    let net = net_of(&mut hashed);
    net.layout = net.layout.clone().hashed(2, 1);
    let network = net.network.layers().to_vec();
    let narrow = model::Layer { inputs: 3, weights: vec![0.5; 6], ..network[0].clone() };
    net.network = model::Network::new(Activation::Rectifier, vec![narrow, network[1].clone()]).unwrap();
    assert!(refusal(hashed, folder.path()).contains("levels that share slots"));
    assert!(fs::read_dir(folder.path()).unwrap().next().is_none());
    let nowhere = folder.path().join("none");
    let said = refusal(samples::minimal(), &nowhere);
    assert!(said.starts_with(&format!("cannot write `{}`: ", nowhere.join("m.rs").display())), "{said}");
}

#[test]
fn a_golden_answer_that_is_changed_is_found() {
    let mut artifact = samples::artifact();
    let folder = tempfile::tempdir().unwrap();
    write_rust(&artifact, &RustOptions { module: "m".into(), as_crate: false }, folder.path()).unwrap();
    let Answer::Class { probabilities, .. } = &mut artifact.golden.as_mut().unwrap().rows[4].answer else {
        unreachable!("the sample is a classifier")
    };
    probabilities[1] = JsonNumber(probabilities[1].0.next_up());
    let report = verify_rust(&artifact, &folder.path().join("m.rs"), &RustCompiler::default()).unwrap();
    assert!(report.to_string().starts_with("generated Rust: row 5 of "), "{report}");
}

#[test]
fn without_a_compiler_nothing_is_verified() {
    let compiler = RustCompiler { rustc: "no-such-rustc".into(), ..RustCompiler::default() };
    let report = verify_rust(&samples::artifact(), Path::new("m.rs"), &compiler).unwrap();
    assert_eq!(report.to_string(), "generated Rust: skipped, there is no no-such-rustc");
}
