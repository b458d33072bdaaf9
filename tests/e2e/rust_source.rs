//! Models as Rust source, compiled and asked as a program of a user asks them.

use std::path::{Path, PathBuf};

use exporter::{Parity, RustOptions};
use libtest_mimic::{Completion, Failed, Trial};
use model::Category;

use crate::support::answers::compare;
use crate::support::rust_source::{Source, answers, compiled};
use crate::support::table::Table;
use crate::support::{Folder, data, survey, trials};
use crate::zoo;

/// Cases that are compiled together, as one alone takes a second.
const TOGETHER: usize = 16;

pub fn tests() -> Vec<Trial> {
    let mut tests = trials![
        a_file_is_exported_and_verified,
        a_crate_is_exported_and_replaced,
        every_category_answers_as_predict,
        a_file_that_is_changed_or_not_ours_is_told,
        the_example_of_the_readme_answers_as_predict,
    ];
    tests.extend(zoo_trials());
    tests
}

fn zoo_trials() -> Vec<Trial> {
    let folders = zoo::folders();
    if folders.is_empty() {
        return vec![Trial::ignorable_test("rust_source::zoo", || Ok(Completion::ignored_with(zoo::MISSING)))];
    }
    let trial = |(folders, number): (&[PathBuf], usize)| {
        let folders = folders.to_vec();
        Trial::test(format!("rust_source::zoo_{number}"), move || the_zoo_is_answered(&folders))
    };
    folders.chunks(TOGETHER).zip(1..).map(trial).collect()
}

/// Trains on loans.
fn train_credit(folder: &Folder) -> Result<(), Failed> {
    let credit = data("credit.csv").display().to_string();
    let what = ["train", "--training-frame", &credit, "--response-column", "Status", "--output", "run"];
    folder.succeed(what.into_iter().chain(["--hidden", "8", "--epochs", "1", "--seed", "42"]))?;
    Ok(())
}

fn files(folder: &Folder, below: &str) -> Result<Vec<String>, Failed> {
    let contents = folder.contents()?;
    let files = contents.iter().filter(|(_, content)| content.is_some());
    let names = files.filter_map(|(path, _)| path.strip_prefix(folder.path(below)).ok());
    Ok(names.map(|name| name.display().to_string()).collect())
}

fn a_file_is_exported_and_verified() -> Result<(), Failed> {
    let folder = Folder::new()?;
    train_credit(&folder)?;
    let said = folder.succeed(["export", "run", "--pojo", "rust", "--output", "out/src"])?.stdout;
    assert!(said.contains("wrote out/src/run.rs (") && said.contains("generated Rust: 1"), "{said}");
    assert!(said.contains("rows agree, largest relative difference 0.0e0"), "{said}");
    assert_eq!(files(&folder, "out")?, ["src/run.rs"]);
    let first = folder.read("out/src/run.rs")?;
    folder.succeed(["export", "run", "--pojo", "rust", "--output", "out/src"])?;
    assert_eq!(folder.read("out/src/run.rs")?, first);
    let said = folder.succeed(["verify", "run"])?.stdout;
    assert!(said.lines().any(|line| line.contains("generated Rust") && line.contains("agrees")), "{said}");
    Ok(())
}

fn a_crate_is_exported_and_replaced() -> Result<(), Failed> {
    let folder = Folder::new()?;
    train_credit(&folder)?;
    let export = ["export", "run", "--pojo", "rust", "--output", "credit", "--name", "Credit risk", "--crate"];
    for _ in 0..2 {
        folder.succeed(export)?;
        assert_eq!(files(&folder, "credit")?, ["Cargo.toml", "src/credit_risk.rs", "src/lib.rs"]);
    }
    assert!(folder.read("credit/src/lib.rs")?.contains("#![no_std]"));
    Ok(())
}

fn every_category_answers_as_predict() -> Result<(), Failed> {
    let mut sources = Vec::new();
    let mut predicted = Vec::new();
    for category in Category::ALL {
        let folder = Folder::new()?;
        folder.write("training.csv", survey::training(category).to_csv())?;
        let what = ["train", "--training-frame", "training.csv", "--output", "run"];
        let net = ["--activation", "Tanh", "--hidden", "8,4", "--epochs", "2", "--seed", "3"];
        folder.succeed(what.into_iter().chain(survey::goal(category).iter().copied()).chain(net))?;
        folder.succeed(["export", "run", "--mojo", "model.zip", "--pojo", "rust", "--output", "out"])?;
        let rows = survey::to_score(200);
        folder.write("rows.csv", rows.to_csv())?;
        folder.succeed(["predict", "run", "--input", "rows.csv", "--output", "predicted.csv"])?;
        predicted.push(Table::read(&folder.path("predicted.csv"))?.rows);
        let model = exporter::read_mojo(&folder.path("model.zip"))?.model;
        sources.push(Source { text: folder.read("out/run.rs")?, model, rows });
    }
    for ((source, predicted), found) in sources.iter().zip(&predicted).zip(answers(&sources)?) {
        compare(&source.model, Parity::exact(&source.model), predicted, &found)?;
    }
    Ok(())
}

fn a_file_that_is_changed_or_not_ours_is_told() -> Result<(), Failed> {
    let folder = Folder::new()?;
    train_credit(&folder)?;
    folder.succeed(["export", "run", "--pojo", "rust", "--output", "."])?;
    let said = folder.succeed(["verify", "run.rs"])?.stdout;
    assert!(said.contains("generated Rust") && said.contains("agrees"), "{said}");
    // The first weight of the first level.
    let source = folder.read("run.rs")?;
    let (head, weights) = source.split_once("    weights: &[\n").ok_or("no weights")?;
    let changed = format!("{head}    weights: &[\n{}", weights.replacen("0.", "1.", 1));
    folder.write("run.rs", changed)?;
    let outcome = folder.run(["verify", "run.rs"])?;
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.stdout.contains("disagrees in row "), "{outcome:?}");
    // Tests that are not there prove nothing.
    folder.write("run.rs", source.replace("#[test]", ""))?;
    let outcome = folder.run(["verify", "run.rs"])?;
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    folder.write("other.rs", "fn main() {}")?;
    let outcome = folder.run(["verify", "other.rs"])?;
    let refusal = "error: `other.rs` is no source of ours: expected it to begin with `// Written by Aqueduct`\n";
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(1), refusal));
    Ok(())
}

fn the_example_of_the_readme_answers_as_predict() -> Result<(), Failed> {
    const README: &str = include_str!("../../README.md");
    let folder = Folder::new()?;
    train_credit(&folder)?;
    folder.succeed(["export", "run", "--pojo", "rust", "--output", "src", "--name", "credit"])?;
    let (_, example) = README.split_once("```rust\n").ok_or("no example")?;
    let (example, _) = example.split_once("```").ok_or("no end of the example")?;
    folder.write("src/main.rs", example)?;
    let said = compiled(&folder, "src/main.rs")?;

    folder.write("loan.csv", "Seniority,Home,Age,Records,Job,Income\n3,rent,27,yes,partime,90\n")?;
    folder.succeed(["predict", "run", "--input", "loan.csv", "--output", "predicted.csv"])?;
    let predicted = &Table::read(&folder.path("predicted.csv"))?.rows[0];
    let label = if predicted[0] == "bad" { "Bad" } else { "Good" };
    assert_eq!(said, format!("Some({label}) [{}, {}]\n", predicted[1], predicted[2]));
    Ok(())
}

/// The rows of each case get the answers that the real runtime gave.
fn the_zoo_is_answered(folders: &[PathBuf]) -> Result<(), Failed> {
    let sources = folders.iter().map(|folder| source(folder)).collect::<Result<Vec<_>, _>>()?;
    for ((case, source), found) in folders.iter().zip(&sources).zip(answers(&sources)?) {
        let expected = Table::read(&case.join("expected.csv"))?;
        let compared = compare(&source.model, Parity::of(&source.model), &expected.rows, &found);
        compared.map_err(|failed| format!("{}: {}", case.display(), failed.message().unwrap_or_default()))?;
    }
    Ok(())
}

fn source(case: &Path) -> Result<Source, Failed> {
    let folder = Folder::new()?;
    let artifact = exporter::read_mojo(&case.join("model.zip"))?;
    let options = RustOptions { module: "model".to_owned(), as_crate: false };
    exporter::write_rust(&artifact, &options, &folder.path(""))?;
    let rows = Table::read(&case.join("input.csv"))?;
    Ok(Source { text: folder.read("model.rs")?, model: artifact.model, rows })
}
