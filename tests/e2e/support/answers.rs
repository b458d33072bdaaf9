//! Tables of predictions, held against each other.

use exporter::Parity;
use libtest_mimic::Failed;
use model::{Domain, Model};

use super::table::number;

/// Fails with the first row in which two tables of predictions are not the same answers.
pub fn compare(model: &Model, parity: Parity, expected: &[Vec<String>], found: &[Vec<String>]) -> Result<(), Failed> {
    if expected.len() != found.len() {
        return Err(format!("expected {} rows, found {}", expected.len(), found.len()).into());
    }
    for (row, (expected, found)) in (1..).zip(expected.iter().zip(found)) {
        if !same(model, parity, expected, found)? {
            return Err(format!("row {row}: expected {expected:?}, found {found:?}").into());
        }
    }
    Ok(())
}

fn same(model: &Model, parity: Parity, expected: &[String], found: &[String]) -> Result<bool, Failed> {
    if expected.len() != found.len() {
        return Ok(false);
    }
    let Some(classes) = model.schema.classes() else {
        return same_numbers(parity, expected, found);
    };
    let probabilities: Vec<f64> = expected[1..].iter().map(|cell| number(cell)).collect::<Result<_, _>>()?;
    let labels = parity.same_label(label(classes, &expected[0])?, label(classes, &found[0])?, &probabilities);
    Ok(labels && same_numbers(parity, &expected[1..], &found[1..])?)
}

fn same_numbers(parity: Parity, expected: &[String], found: &[String]) -> Result<bool, Failed> {
    for (expected, found) in expected.iter().zip(found) {
        if !parity.same(number(expected)?, number(found)?) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn label(classes: &Domain, cell: &str) -> Result<Option<usize>, Failed> {
    match classes.code(cell) {
        Some(code) => Ok(Some(code as usize)),
        None if cell == "NA" => Ok(None),
        None => Err(format!("`{cell}` is none of the classes {:?}", classes.levels()).into()),
    }
}
