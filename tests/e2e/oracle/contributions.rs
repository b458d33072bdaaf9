//! The contributions of trained models: `tests/oracle/contributions.json` has H2O's, for the first rows of the training
//! frame and some later ones as their background.

use std::ops::Range;

use libtest_mimic::{Failed, Trial};
use model::{ContributionFormat, ExplainOptions, ExplainWorkspace, Explainer, Model};
use serde_json::Value;

use super::rows::{self, Rows};
use super::{Differences, data, read_file, trained};

/// The rows that H2O was asked about, and those of the background.
const ROWS: Range<usize> = 0..4;
const BACKGROUND: Range<usize> = 40..43;

/// Of the largest contribution to the same answer: H2O's are of single precision, and cancel.
const SINGLE: f64 = 1e-6;

/// Cases whose missing cells count in H2O's contributions as in training, and here, as in every score, otherwise.
const MISSING_OTHERWISE: [&str; 3] = ["drop-first-level", "no-standardize", "weights-share"];

pub fn tests(cases: &[Value]) -> Vec<Trial> {
    let answers: Vec<Value> =
        serde_json::from_str(include_str!("../../oracle/contributions.json")).expect("the file is whole");
    let trial = |answer: Value| {
        let name = format!("oracle::contributions::{}", answer["name"].as_str().expect("each answer has a name"));
        let case = cases.iter().find(|case| case["name"] == answer["name"]).expect("each answer is of a case").clone();
        Trial::test(name, move || compare(&case, &answer))
    };
    answers.into_iter().filter(|answer| answer.get("error").is_none()).map(trial).collect()
}

fn compare(case: &Value, answer: &Value) -> Result<(), Failed> {
    let file = case["train"].as_str().ok_or("no training frame")?;
    let frame = read_file(case, file)?;
    let model = trained(case, &frame)?.model;
    let rows = Rows::read(&data(file), &model, &frame)?;
    let model = rows::of_own_columns(model);

    let skips_missing =
        MISSING_OTHERWISE.iter().any(|name| answer["name"].as_str().is_some_and(|n| n.starts_with(name)));
    let original = ExplainOptions::default();
    let compact = ExplainOptions { format: ContributionFormat::Compact, ..original };
    let output_space = ExplainOptions { output_space: true, ..compact };
    let is_logarithm = answer.get("output_space").is_some();
    let mut differences = Differences::default();
    for (table, options) in [("original", original), ("compact", compact), ("output_space", output_space)] {
        let Some(wanted) = answer.get(table) else { continue };
        let explainer = explainer(&model, &rows, options)?;
        let names = explainer.names();
        // H2O's bias is a mean of the response, which contributions to a logarithm do not add up to.
        let compared = if is_logarithm && !options.output_space { names.len() - 1 } else { names.len() };
        let mut workspace = ExplainWorkspace::default();
        for i in ROWS {
            let row = rows.raw(i, &model);
            if skips_missing && row.iter().any(|cell| cell.is_nan()) {
                continue;
            }
            let found = explainer.explain(&row, 0.0, &mut workspace);
            numbers(&format!("{table} {i}"), &names[..compared], found, wanted, i, &mut differences);
        }
        if options == compact {
            let mut reference = 0;
            explainer.explain_each(&rows.raw(0, &model), 0.0, &mut workspace, |found| {
                let (what, wanted) = (format!("by reference {reference}"), &answer["per_reference"]);
                numbers(&what, &names[..compared], found, wanted, reference, &mut differences);
                reference += 1;
            });
        }
    }
    differences.into_result()
}

fn explainer<'m>(model: &'m Model, rows: &Rows, options: ExplainOptions) -> Result<Explainer<'m>, Failed> {
    let mut explainer = Explainer::new(model, options)?;
    for row in BACKGROUND {
        explainer.add_reference(&rows.raw(row, model), 0.0);
    }
    Ok(explainer)
}

/// The contributions of a row under their names, in a table that is stored by column.
fn numbers(what: &str, names: &[String], found: &[f64], wanted: &Value, row: usize, differences: &mut Differences) {
    if wanted.as_object().is_none_or(|columns| names.iter().any(|name| !columns.contains_key(name))) {
        differences.0.push(format!("{what}: other columns than {names:?}"));
        return;
    }
    let largest = found.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
    for (name, &found) in names.iter().zip(found) {
        let Some(number) = wanted[name][row].as_f64() else { continue };
        if (found - number).abs() > SINGLE * largest {
            differences.0.push(format!("{what}, {name}: {found}, H2O has {number}"));
        }
    }
}
