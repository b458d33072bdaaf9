//! The trainer against real H2O: `tests/oracle/results.json` has what H2O 3.46.0.11 answered in reproducible mode.

use std::path::{Path, PathBuf};

use libtest_mimic::{Failed, Trial};
use serde_json::Value;
use trainer::{Frame, HistoryRow, Observer, ReadOptions, TrainParams, TrainPlan, Trained, history_columns, train};

/// Relative: an `exp` that differs in its last bit moves a weight now and then, and training carries it on.
const TRAINED: f64 = 1e-9;

pub fn tests() -> Vec<Trial> {
    let cases: Vec<Value> = serde_json::from_str(include_str!("../oracle/results.json")).expect("the file is whole");
    let trial = |case: Value| {
        let name = format!("oracle::{}", case["name"].as_str().expect("each case has a name"));
        Trial::test(name, move || compare(&case))
    };
    cases.into_iter().map(trial).collect()
}

fn compare(case: &Value) -> Result<(), Failed> {
    let params = params(case)?;
    let options = ReadOptions { column_types: params.column_types.0.clone(), ..ReadOptions::default() };
    let read = |key: &str| -> Result<Option<Frame>, Failed> {
        let Some(name) = case[key].as_str() else { return Ok(None) };
        Ok(Some(Frame::read(&data(name), &options, &mut |_| {})?))
    };
    let training = read("train")?.ok_or("no training frame")?;
    let validation = read("valid")?;
    let plan = TrainPlan::new(params, &training, validation.as_ref())?;
    let trained = train(&plan, &mut Quiet)?;
    let expected = &case["result"];
    let mut differences = Vec::new();
    history(&trained, &expected["history"], &mut differences);
    if differences.is_empty() { Ok(()) } else { Err(differences.join("\n").into()) }
}

fn params(case: &Value) -> Result<TrainParams, Failed> {
    let mut params = TrainParams::default();
    params.set_text("training_frame", case["train"].as_str().ok_or("no training frame")?)?;
    params.set_text("reproducible", "true")?;
    params.set_json("response_column", &case["response"])?;
    params.set_json("ignored_columns", &case["ignored_columns"])?;
    params.set_json("column_types", &case["column_types"])?;
    for (name, value) in case["parameters"].as_object().ok_or("no parameters")? {
        params.set_json(name, value)?;
    }
    Ok(params)
}

fn data(name: &str) -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let made = tests.join("oracle/data").join(name);
    if made.exists() { made } else { tests.join("data").join(name) }
}

/// Every figure of every scoring.
fn history(trained: &Trained, expected: &Value, differences: &mut Vec<String>) {
    let category = trained.model.category;
    let has_validation = trained.reports.validation.is_some();
    let columns = history_columns(category, has_validation);
    let rows: Vec<Vec<String>> =
        trained.history.iter().map(|row: &HistoryRow| row.cells(category, has_validation)).collect();
    for (index, column) in columns.iter().enumerate() {
        let Some(wanted) = expected[column].as_array() else { continue };
        if wanted.len() != rows.len() {
            differences.push(format!("{column}: {} rows in the history, H2O has {}", rows.len(), wanted.len()));
            return;
        }
        for (i, (row, wanted)) in rows.iter().zip(wanted).enumerate() {
            let found: f64 = row[index].parse().unwrap_or(f64::NAN);
            let wanted = wanted.as_f64().unwrap_or(f64::NAN);
            if !close(found, wanted) {
                differences.push(format!("{column}, row {i}: {found}, H2O has {wanted}"));
                break;
            }
        }
    }
}

fn close(found: f64, wanted: f64) -> bool {
    (found.is_nan() && wanted.is_nan()) || (found - wanted).abs() <= TRAINED * wanted.abs()
}

struct Quiet;

impl Observer for Quiet {}
