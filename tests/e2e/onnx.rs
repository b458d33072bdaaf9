//! Our ONNX files in onnxruntime: every kind of model, each checked in full, and scored as the documentation says.

use std::path::{Path, PathBuf};

use exporter::{Answer, Artifact, Golden, OnnxInputs, OnnxOptions, OnnxPrecision, Parity};
use libtest_mimic::{Completion, Failed, Trial};
use model::{Algorithm, Category, Model};

use crate::support::answers::compare;
use crate::support::onnx::{self, Python};
use crate::support::random::Random;
use crate::support::table::Table;
use crate::support::{Folder, data, models, survey};
use crate::zoo;

/// Models of each category and activation.
const MODELS: usize = 3;

pub fn tests() -> Vec<Trial> {
    let mut tests = vec![
        onnx::trial("onnx::random_models_answer_as_they_do_here", random_models),
        onnx::trial("onnx::the_example_of_the_readme_answers_as_predict", the_example_of_the_readme),
    ];
    tests.push(match zoo::folders() {
        cases if cases.is_empty() => Trial::ignorable_test("onnx::zoo", || Ok(Completion::ignored_with(zoo::MISSING))),
        cases => onnx::trial("onnx::zoo", move |python| every_case_of_the_zoo(python, &cases)),
    });
    for category in Category::ALL {
        let name = format!("onnx::{category}_is_verified_as_it_is_exported").to_lowercase();
        tests.push(onnx::trial(&name, move |python| exported_and_verified(python, category)));
    }
    tests
}

fn every_option() -> impl Iterator<Item = OnnxOptions> {
    let of = |precision| OnnxInputs::ALL.map(|inputs| OnnxOptions { precision, inputs });
    OnnxPrecision::ALL.into_iter().flat_map(of)
}

/// A model, what it is to answer, and the file that is to answer it.
struct Case {
    name: String,
    model: Model,
    options: OnnxOptions,
    file: PathBuf,
    expected: Vec<Vec<String>>,
}

impl Case {
    /// Holds a file's answers against those that are expected.
    fn compare(&self, found: &[Vec<String>]) -> Result<(), Failed> {
        let parity = Parity::onnx(self.model.category, self.options.precision, self.model.labelling.default_threshold);
        let compared = compare(&self.model, parity, &self.expected, found);
        compared.map_err(|failed| {
            let reason = failed.message().unwrap_or_default();
            format!("{}, {:?}: {reason}", self.name, self.options).into()
        })
    }
}

fn random_models(python: &Python) -> Result<(), Failed> {
    let folder = Folder::new()?;
    let mut cases = Vec::new();
    for (seed, (category, activation)) in (0..).zip((0..MODELS).flat_map(|_| models::kinds())) {
        let name = format!("seed {seed}, {category} {activation}");
        let model = models::random(&mut Random::new(seed), category, activation)
            .map_err(|failed| format!("{name}: {}", failed.message().unwrap_or_default()))?;
        let artifact = Artifact::new(model, "2026-11-30T15:00:36.751Z").adopted();
        for options in every_option() {
            let file = folder.path(&format!("{}.onnx", cases.len()));
            exporter::write_onnx(&artifact, &options, &file)?;
            let golden = artifact.golden.as_ref().ok_or("no golden rows")?;
            let expected = table(&artifact.model, golden);
            cases.push(Case { name: name.clone(), model: artifact.model.clone(), options, file, expected });
        }
    }
    let jobs: Vec<(&Path, Option<&Path>)> = cases.iter().map(|case| (case.file.as_path(), None)).collect();
    let answers = python.score(&jobs)?;
    cases.iter().zip(answers).try_for_each(|(case, found)| case.compare(&found))
}

/// Golden answers as rows of a table of predictions.
fn table(model: &Model, golden: &Golden) -> Vec<Vec<String>> {
    let classes = model.schema.classes();
    let text = |number: f64| if number.is_nan() { "NA".to_owned() } else { number.to_string() };
    let row = |answer: &Answer| {
        let label = classes.map(|classes| answer.label().map_or("NA", |label| &classes.levels()[label]).to_owned());
        label.into_iter().chain(answer.numbers().into_iter().map(text)).collect()
    };
    golden.rows.iter().map(|golden| row(&golden.answer)).collect()
}

fn every_case_of_the_zoo(python: &Python, folders: &[PathBuf]) -> Result<(), Failed> {
    let folder = Folder::new()?;
    let mut cases = Vec::new();
    let mut inputs = Vec::new();
    for found in folders {
        let artifact = exporter::read_mojo(&found.join("model.zip"))?;
        for options in every_option() {
            let file = folder.path(&format!("{}.onnx", cases.len()));
            exporter::write_onnx(&artifact, &options, &file)?;
            let expected = Table::read(&found.join("expected.csv"))?.rows;
            let name = found.file_name().unwrap_or_default().display().to_string();
            cases.push(Case { name, model: artifact.model.clone(), options, file, expected });
            inputs.push(found.join("input.csv"));
        }
    }
    let jobs: Vec<(&Path, Option<&Path>)> =
        cases.iter().zip(&inputs).map(|(case, input)| (case.file.as_path(), Some(input.as_path()))).collect();
    let answers = python.score(&jobs)?;
    cases.iter().zip(answers).try_for_each(|(case, found)| case.compare(&found))
}

fn exported_and_verified(python: &Python, category: Category) -> Result<(), Failed> {
    let folder = Folder::new()?;
    let python = python.path();
    folder.write("training.csv", survey::training(category).to_csv())?;
    let what = ["train", "--training-frame", "training.csv", "--output", "run"];
    let net = ["--activation", "Rectifier", "--hidden", "6,5", "--epochs", "4", "--seed", "7"];
    folder.succeed(what.into_iter().chain(survey::goal(category).iter().copied()).chain(net))?;
    let exported = folder.succeed(["export", "run", "--mojo", "m.zip", "--onnx", "m.onnx", "--python", &python])?;
    assert!(exported.stdout.contains("onnxruntime f64: ") && exported.stdout.contains(" rows agree"), "{exported:?}");
    folder.succeed(["export", "m.zip", "--onnx", "again.onnx"])?;
    assert!(folder.bytes("m.onnx")? == folder.bytes("again.onnx")?, "the MOJO makes another file than the run");
    for precision in ["f32", "f64"] {
        for inputs in ["columns", "matrices"] {
            let options = ["--onnx-type", precision, "--onnx-inputs", inputs, "--python", &python];
            folder.succeed(["export", "run", "--onnx", "m.onnx"].into_iter().chain(options))?;
            folder.succeed(["verify", "m.onnx", "--python", &python])?;
            change_one_weight(&folder, precision)?;
            let outcome = folder.run(["verify", "changed.onnx", "--python", &python])?;
            assert_eq!(outcome.code, Some(1), "{precision} {inputs}: {outcome:?}");
            assert!(outcome.stdout.contains("disagrees in row"), "{precision} {inputs}: {outcome:?}");
        }
    }
    let verified = folder.succeed(["verify", "run", "--python", &python, "--json"])?;
    let report: serde_json::Value = serde_json::from_str(&verified.stdout)?;
    let scorers: Vec<&serde_json::Value> =
        report["scorers"].as_array().ok_or("no scorers")?.iter().map(|s| &s["scorer"]).collect();
    assert!(scorers.ends_with(&[&"onnxruntime f64".into(), &"onnxruntime f32".into()]), "{scorers:?}");
    Ok(())
}

/// Writes `changed.onnx`: `m.onnx` with another first weight of its second layer.
fn change_one_weight(folder: &Folder, precision: &str) -> Result<(), Failed> {
    let Algorithm::DeepLearning(net) = exporter::read_mojo(&folder.path("m.zip"))?.model.algorithm else {
        return Err("no net".into());
    };
    let bytes = |weight: f32| match precision {
        "f32" => weight.to_le_bytes().to_vec(),
        _ => f64::from(weight).to_le_bytes().to_vec(),
    };
    let weight = bytes(net.network.layers()[1].weights[0]);
    let mut file = folder.bytes("m.onnx")?;
    let place = file.windows(weight.len()).position(|window| window == weight).ok_or("the weight is not there")?;
    file[place..place + weight.len()].copy_from_slice(&bytes(2.625));
    folder.write("changed.onnx", file)
}

fn the_example_of_the_readme(python: &Python) -> Result<(), Failed> {
    const README: &str = include_str!("../../README.md");
    let folder = Folder::new()?;
    let credit = data("credit.csv").display().to_string();
    let what = ["train", "--training-frame", &credit, "--response-column", "Status", "--output", "run"];
    folder.succeed(what.into_iter().chain(["--hidden", "8", "--epochs", "1", "--seed", "42"]))?;
    folder.succeed(["export", "run", "--onnx", "credit.onnx", "--python", &python.path()])?;
    let (_, example) = README.split_once("```python\n").ok_or("no example")?;
    let (example, _) = example.split_once("```").ok_or("no end of the example")?;
    let answer = python.run(&folder, example)?;

    folder.write("loan.csv", "Seniority,Home,Age,Records,Job,Income\n3,rent,27,yes,partime,90\n")?;
    folder.succeed(["predict", "run", "--input", "loan.csv", "--output", "predicted.csv"])?;
    let predicted = &Table::read(&folder.path("predicted.csv"))?.rows[0];
    let words: Vec<&str> = answer.split([' ', '[', ']', '\n']).filter(|word| !word.is_empty()).collect();
    assert_eq!(words[0], predicted[0]);
    for (found, expected) in words[1..].iter().zip(&predicted[1..]) {
        assert!((found.parse::<f64>()? - expected.parse::<f64>()?).abs() < 1e-8, "{answer} {predicted:?}");
    }
    Ok(())
}
