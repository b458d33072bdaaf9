//! Answers of classes, to the last bit of ours, and those of the real runtime to the rows of the zoo.

use std::path::PathBuf;

use exporter::{Artifact, Parity};
use libtest_mimic::{Completion, Failed, Trial};
use model::{Algorithm, Category, Encoding, Feature, Model, Prediction, Workspace};

use crate::support::Folder;
use crate::support::answers::compare;
use crate::support::classes::{self, Asked, Cell, Job};
use crate::support::java::{self, Runtime};
use crate::support::models;
use crate::support::random::Random;
use crate::support::table::Table;
use crate::zoo;

/// Models of each category and activation, and rows for each.
const MODELS: u64 = 3;
const ROWS: usize = 40;

/// The weights that the written-out net of a model may have.
const MOST_WEIGHTS: usize = 1_000_000;

const TIMESTAMP: &str = "2026-11-30T15:00:36.751Z";

pub fn tests() -> Vec<Trial> {
    let trial = |name: &str, test: fn(&Runtime) -> Result<(), Failed>| java::trial(format!("java_class::{name}"), test);
    let mut tests = vec![trial("random_models_answer_as_they_do_here", random_models)];
    tests.push(match zoo::folders() {
        cases if cases.is_empty() => {
            Trial::ignorable_test("java_class::zoo", || Ok(Completion::ignored_with(zoo::MISSING)))
        }
        cases => java::trial("java_class::zoo".to_owned(), move |runtime| the_zoo_is_answered(runtime, &cases)),
    });
    tests
}

/// The rows of each case get the answers that the real runtime gave, from both kinds of class.
fn the_zoo_is_answered(runtime: &Runtime, cases: &[PathBuf]) -> Result<(), Failed> {
    let folder = Folder::new()?;
    let (mut models, mut jobs) = (Vec::new(), Vec::new());
    for (case, number) in cases.iter().zip(0..) {
        let artifact = exporter::read_mojo(&case.join("model.zip"))?;
        let rows = Table::read(&case.join("input.csv"))?;
        for (asked, genmodel) in [(Asked::ByCells, false), (Asked::InTheRuntime, true)] {
            let class = format!("{}{number}", if genmodel { "GenModel" } else { "Model" });
            classes::write(&artifact, &class, genmodel, &folder)?;
            jobs.push(Job { asked, class, columns: rows.header.clone(), rows: cells(&rows) });
        }
        models.push(artifact.model);
    }
    let answers = classes::answers(runtime, &folder, jobs.iter())?;
    for ((case, model), found) in cases.iter().zip(&models).zip(answers.chunks(2)) {
        let mut expected = Table::read(&case.join("expected.csv"))?.rows;
        let compared = |expected: &[Vec<String>], found: &[Vec<f64>]| {
            let found: Vec<Vec<String>> = found.iter().map(|numbers| predictions(model, numbers)).collect();
            compare(model, Parity::of(model), expected, &found)
                .map_err(|failed| format!("{}: {}", case.display(), failed.message().unwrap_or_default()))
        };
        compared(&expected, &found[0])?;
        if model.category == Category::AutoEncoder {
            // The runtime has its error for MOJOs alone.
            for row in &mut expected {
                row.pop();
            }
        }
        compared(&expected, &found[1])?;
    }
    Ok(())
}

/// Texts, but for what the runtime's own reader of tables leaves out.
fn cells(rows: &Table) -> Vec<Vec<Cell>> {
    let cell = |cell: &String| match cell.as_str() {
        "" | "NA" | "N/A" | "-" => Cell::Missing,
        text => Cell::Text(text.to_owned()),
    };
    rows.rows.iter().map(|row| row.iter().map(cell).collect()).collect()
}

/// The cells of a table of predictions.
fn predictions(model: &Model, numbers: &[f64]) -> Vec<String> {
    let number = |number: &f64| if number.is_nan() { "NA".to_owned() } else { number.to_string() };
    match model.schema.classes() {
        // The runtime's list for a regression is longer than its answer.
        None if model.category == Category::Regression => vec![number(&numbers[0])],
        None => numbers.iter().map(number).collect(),
        Some(classes) => {
            let label = classes.levels().get(numbers[0] as usize).filter(|_| !numbers[0].is_nan());
            let label = label.cloned().unwrap_or_else(|| "NA".to_owned());
            std::iter::once(label).chain(numbers[1..].iter().map(number)).collect()
        }
    }
}

/// A model, how its class is asked, and what it is to answer.
struct Case {
    name: String,
    job: Job,
    expected: Vec<Vec<f64>>,
}

/// To the last bit, from both kinds of class, for cells of all sorts, and for values that are no codes.
fn random_models(runtime: &Runtime) -> Result<(), Failed> {
    let folder = Folder::new()?;
    let mut cases = Vec::new();
    for (seed, (category, activation)) in (0..).zip((0..MODELS).flat_map(|_| models::kinds())) {
        let mut random = Random::new(seed);
        let name = format!("seed {seed}, {category} {activation}");
        let model = written_out(models::random(&mut random, category, activation)?);
        let artifact = Artifact::new(model, TIMESTAMP).adopted();
        classes::write(&artifact, &format!("Model{seed}"), false, &folder)?;
        let has_genmodel = !matches!(artifact.model.encoding, Encoding::EnumLimited { .. });
        if has_genmodel {
            classes::write(&artifact, &format!("GenModel{seed}"), true, &folder)?;
        }
        for asked in [Asked::ByValues, Asked::ByCells, Asked::InTheRuntime] {
            if asked == Asked::InTheRuntime && !has_genmodel {
                continue;
            }
            let class = format!("{}{seed}", if asked == Asked::InTheRuntime { "GenModel" } else { "Model" });
            cases.push(Case::new(&name, &artifact.model, class, asked, &mut random));
        }
    }
    let answers = classes::answers(runtime, &folder, cases.iter().map(|case| &case.job))?;
    cases.iter().zip(&answers).try_for_each(|(case, found)| case.compare(found))
}

/// The model with an input for each level, which is what is exported.
fn written_out(model: Model) -> Model {
    let Algorithm::DeepLearning(net) = model.algorithm.clone() else { return model };
    match net.unhashed(MOST_WEIGHTS) {
        Some(net) => Model { algorithm: Algorithm::DeepLearning(net), ..model },
        None => model,
    }
}

impl Case {
    fn new(name: &str, model: &Model, class: String, asked: Asked, random: &mut Random) -> Self {
        let features = model.schema.features();
        let columns = features.iter().map(|feature| feature.name.clone()).collect();
        let mut workspace = Workspace::default();
        let (mut rows, mut expected) = (Vec::new(), Vec::new());
        for _ in 0..ROWS {
            let cells: Vec<Cell> = features.iter().map(|feature| cell(random, feature, asked)).collect();
            let values = features.iter().zip(&cells).map(|(feature, cell)| value(model, feature, cell, asked));
            let values: Vec<f64> = values.collect();
            expected.push(answer(model.score(&values, &mut workspace), asked));
            rows.push(cells);
        }
        let job = Job { asked, class, columns, rows };
        Self { name: format!("{name}, {asked:?}"), job, expected }
    }

    fn compare(&self, found: &[Vec<f64>]) -> Result<(), Failed> {
        if found.len() != ROWS {
            return Err(format!("{}: {} answers to {ROWS} rows", self.name, found.len()).into());
        }
        let same = |a: f64, b: f64| a == b || (a.is_nan() && b.is_nan());
        for ((row, expected), found) in (0..).zip(&self.expected).zip(found) {
            // The runtime's list for a regression is longer than its answer.
            let agrees = found.len() >= expected.len() && expected.iter().zip(found).all(|(&a, &b)| same(a, b));
            if !agrees {
                let cells: &Vec<Cell> = &self.job.rows[row];
                return Err(format!("{}, {cells:?}: expected {expected:?}, found {found:?}", self.name).into());
            }
        }
        Ok(())
    }
}

/// What Java sends for a column.
fn cell(random: &mut Random, feature: &Feature, asked: Asked) -> Cell {
    let number = |random: &mut Random| match random.below(12) {
        0 => 1e300,
        1 => -0.0,
        _ => (random.unit() - 0.5) * 60.0,
    };
    let text = |text: &str| Cell::Text(text.to_owned());
    match (asked, &feature.domain) {
        (Asked::ByValues, _) if random.once_in(6) => Cell::Number(f64::NAN),
        (Asked::ByValues, None) => Cell::Number(number(random)),
        // A code, or what is none: past the end, below the first, or between two.
        (Asked::ByValues, Some(domain)) => Cell::Number(match random.below(10) {
            0 => -2.0,
            1 => 1e12,
            2 => 0.75,
            _ => random.below(domain.len() + 2) as f64,
        }),
        (_, _) if random.once_in(6) => Cell::Missing,
        (Asked::ByCells, _) if random.once_in(12) => Cell::Bool(random.once_in(2)),
        (Asked::ByCells, _) if random.once_in(12) => Cell::Whole([7, -3, 12][random.below(3)]),
        (Asked::ByCells, Some(_)) if random.once_in(12) => Cell::Number([7.0, -3.0, 2.5, 1e22][random.below(4)]),
        (_, None) => match random.below(8) {
            0 => text(" 1.5e1 "),
            1 => text("1,5"),
            _ => Cell::Number(number(random)),
        },
        (_, Some(domain)) => match random.below(8) {
            0 => text("never seen"),
            1 => text("short"),
            _ => Cell::Text(random.pick(domain.levels()).clone()),
        },
    }
}

/// The value of a cell, as our server reads it.
fn value(model: &Model, feature: &Feature, cell: &Cell, asked: Asked) -> f64 {
    let raw_value = |cell| model.encoding.raw_value(feature, cell).0;
    let has_levels = feature.domain.is_some();
    match cell {
        Cell::Number(value) if asked == Asked::ByValues => *value,
        Cell::Missing => raw_value(model::Cell::Missing),
        Cell::Text(text) => raw_value(model::Cell::Text(text)),
        Cell::Number(value) => raw_value(model::Cell::Number(*value)),
        Cell::Whole(value) if has_levels => raw_value(model::Cell::Text(&value.to_string())),
        Cell::Whole(value) => *value as f64,
        Cell::Bool(value) if has_levels => raw_value(model::Cell::Text(if *value { "true" } else { "false" })),
        Cell::Bool(value) => f64::from(*value),
    }
}

/// An answer as the numbers of a class: the label's index first. The runtime has no error of an autoencoder, and refuses to
/// answer what is not a number.
fn answer(prediction: Prediction<'_>, asked: Asked) -> Vec<f64> {
    let in_runtime = asked == Asked::InTheRuntime;
    let numbers: Vec<f64> = match prediction {
        Prediction::Value(value) => vec![value],
        Prediction::Class { label, probabilities } => {
            let label = label.map_or(f64::NAN, |label| label as f64);
            std::iter::once(label).chain(probabilities.iter().copied()).collect()
        }
        Prediction::Reconstruction { values, .. } if in_runtime => return values.to_vec(),
        Prediction::Reconstruction { values, mse } => values.iter().copied().chain([mse]).collect(),
    };
    if in_runtime && numbers.iter().any(|number| number.is_nan()) { vec![f64::NAN] } else { numbers }
}
