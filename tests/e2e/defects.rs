//! `predict --fix-defects` gives the answers of H2O's cluster where its runtime gives others.

use libtest_mimic::{Failed, Trial};
use serde_json::{Value, json};

use crate::oracle::data;
use crate::support::table::Table;
use crate::support::{Folder, trials};

/// Relative: training carries on what an `exp` has in its last bit.
const TRAINED: f64 = 1e-9;

pub fn tests() -> Vec<Trial> {
    trials![
        an_offset_counts,
        a_missing_level_has_the_bits_of_training,
        an_autoencoder_has_an_error_where_a_number_is_missing,
        an_offset_that_is_not_there_is_refused,
        an_export_warns_of_an_offset,
    ]
}

fn an_offset_counts() -> Result<(), Failed> {
    as_in_the_cluster("offset-up-gaussian", "predict", |case| &case["result"]["predictions"]["predict"])
}

fn a_missing_level_has_the_bits_of_training() -> Result<(), Failed> {
    as_in_the_cluster("encoding-binary-drop-first", "predict", |case| &case["result"]["predictions"]["predict"])
}

fn an_autoencoder_has_an_error_where_a_number_is_missing() -> Result<(), Failed> {
    as_in_the_cluster("autoencoder-encoded-binary", "mse", |case| &case["result"]["anomaly"]["Reconstruction.MSE"])
}

/// Compares a column of the predictions with what H2O's cluster answered. Without the flag some row has to differ.
fn as_in_the_cluster(name: &str, column: &str, wanted: fn(&Value) -> &Value) -> Result<(), Failed> {
    let (folder, case) = trained(name)?;
    let rows = Table::read(&folder.path("rows.csv"))?;
    folder.succeed(["predict", "run", "--input", "rows.csv", "--output", "runtime.csv"])?;
    folder.succeed(["predict", "run", "--input", "rows.csv", "--output", "mended.csv", "--fix-defects"])?;
    let (runtime, mended) = (Table::read(&folder.path("runtime.csv"))?, Table::read(&folder.path("mended.csv"))?);
    let place = mended.header.iter().position(|name| name == column).ok_or("no such column")?;
    let mut differs = false;
    for (i, wanted) in wanted(&case).as_array().ok_or("no answers")?.iter().enumerate() {
        // Levels that are unseen in training are another thing to the cluster.
        if rows.rows[i].iter().any(|cell| cell == "moon" || cell == "tram") {
            continue;
        }
        let wanted = wanted.as_f64().ok_or("no number")?;
        let found: f64 = mended.rows[i][place].parse()?;
        assert!((found - wanted).abs() <= TRAINED * wanted.abs(), "row {i}: {found}, H2O has {wanted}");
        differs |= mended.rows[i][place] != runtime.rows[i][place];
    }
    assert!(differs, "the runtime says the same of every row");
    Ok(())
}

fn an_offset_that_is_not_there_is_refused() -> Result<(), Failed> {
    let (folder, _) = trained("offset-up-gaussian")?;
    let mut rows = Table::read(&folder.path("rows.csv"))?;
    for name in rows.header.iter_mut().filter(|name| *name == "up") {
        "down there".clone_into(name);
    }
    folder.write("others.csv", rows.to_csv())?;
    let outcome = folder.run(["predict", "run", "--input", "others.csv", "--output", "o.csv", "--fix-defects"])?;
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    assert!(outcome.stderr.contains("there is no offset column `up`, which --fix-defects adds"), "{outcome:?}");
    Ok(())
}

fn an_export_warns_of_an_offset() -> Result<(), Failed> {
    for (case, has_offset) in [("offset-up-gaussian", true), ("encoding-binary-drop-first", false)] {
        let (folder, _) = trained(case)?;
        let outcome = folder.succeed(["export", "run", "--mojo", "model.zip"])?;
        assert_eq!(
            outcome.stderr.contains("warning: the offset `up` counts in training alone"),
            has_offset,
            "{outcome:?}"
        );
    }
    Ok(())
}

/// Trains a stored case by the command.
fn trained(name: &str) -> Result<(Folder, Value), Failed> {
    let cases: Vec<Value> = serde_json::from_str(include_str!("../oracle/results3.json"))?;
    let case = cases.into_iter().find(|case| case["name"] == name).ok_or("no such case")?;
    let folder = Folder::new()?;
    let mut params = json!({
        "training_frame": data(case["train"].as_str().unwrap_or_default()),
        "response_column": case["response"],
        "ignored_columns": case["ignored_columns"],
        "reproducible": true,
    });
    if let Some(file) = case["valid"].as_str() {
        params["validation_frame"] = json!(data(file));
    }
    for (name, value) in case["parameters"].as_object().into_iter().flatten() {
        params[name] = value.clone();
    }
    folder.write("params.json", params.to_string())?;
    folder.succeed(["train", "--params", "params.json", "--output", "run"])?;
    let scored = case["score"].as_str().or(case["train"].as_str()).unwrap_or_default();
    folder.write("rows.csv", std::fs::read(data(scored))?)?;
    Ok((folder, case))
}
