//! `aqueduct train`: the folder that it leaves, what decides its result, and what ends it.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use libtest_mimic::{Failed, Trial};
use model::{Model, Profile};
use serde_json::{Value, json};
use trainer::Checkpoint;

use crate::support::process::{signal, wait};
use crate::support::table::{Table, number};
use crate::support::{Folder, data, trials};

pub fn tests() -> Vec<Trial> {
    trials![
        a_run_has_its_files_under_their_names,
        a_classifier_for_two_classes_has_its_thresholds_and_lift,
        areas_of_many_classes_are_kept_where_asked_for,
        the_history_has_h2os_columns,
        a_classifier_has_its_confusion,
        parameters_are_kept_as_given_and_as_used,
        json_is_one_line_for_machines,
        the_same_seed_gives_the_same_model,
        another_seed_gives_another_model,
        small_data_give_the_same_model_however_many_threads,
        parameters_may_come_from_a_file,
        a_flag_wins_over_the_file,
        an_earlier_run_is_replaced_only_on_demand,
        ctrl_c_keeps_the_model_so_far,
        training_stops_when_it_no_longer_improves,
        a_file_without_a_header_has_columns_by_position,
        a_header_of_a_table_of_texts_has_to_be_declared,
        lists_of_columns_are_quoted_as_in_csv,
        gzip_is_read_like_plain_text,
        several_files_are_one_table,
        parquet_trains_the_model_of_the_same_csv,
        a_table_larger_than_the_memory_limit_trains_the_same_model,
        progress_is_told_as_it_is_asked_for,
        a_flag_without_effect_is_told,
        batches_are_of_the_fast_engine,
    ]
}

const QUICK: [&str; 4] = ["--hidden", "5,4", "--epochs", "3"];

/// Trains on a file of `tests/data`.
fn train(folder: &Folder, file: &str, response: &str, run: &str, flags: &[&str]) -> Result<String, Failed> {
    let file = data(file).display().to_string();
    let what = ["train", "--training-frame", &file, "--response-column", response, "--output", run];
    Ok(folder.succeed(what.into_iter().chain(QUICK).chain(flags.iter().copied()))?.stdout)
}

/// The model of a run and the profile of its columns: all of a checkpoint but the moment at which it was made.
fn checkpoint(folder: &Folder, run: &str) -> Result<(Model, Profile), Failed> {
    let checkpoint = Checkpoint::read(&folder.path(run).join("checkpoint.safetensors"))?;
    Ok((checkpoint.model, checkpoint.profile))
}

fn a_run_has_its_files_under_their_names() -> Result<(), Failed> {
    const ALWAYS: [&str; 8] = [
        "checkpoint.safetensors",
        "importances.csv",
        "layers.csv",
        "metrics.json",
        "params.json",
        "report.html",
        "scoring_history.csv",
        "summary.json",
    ];
    let folder = Folder::new()?;
    train(&folder, "iris.csv", "sepal_len", "regression", &[])?;
    let mut expected = [&ALWAYS[..], &["predicted_actual.csv", "residuals.csv"]].concat();
    expected.sort_unstable();
    assert_eq!(files(&folder, "regression")?, expected);
    train(&folder, "iris.csv", "class", "classifier", &[])?;
    let mut expected = [&ALWAYS[..], &["confusion.csv", "hit_ratios.csv"]].concat();
    expected.sort_unstable();
    assert_eq!(files(&folder, "classifier")?, expected);

    let metrics = folder.json("regression/metrics.json")?;
    assert_eq!(metrics["validation"], Value::Null);
    let names = ["mse", "rmse", "r2", "mae", "rmsle", "mean_residual_deviance"];
    assert!(names.iter().all(|name| metrics["training"][name].is_f64()), "{metrics}");
    assert!(metrics["training"].get("logloss").is_none(), "{metrics}");
    let metrics = folder.json("classifier/metrics.json")?;
    let names = ["mse", "rmse", "logloss", "classification_error", "mean_per_class_error", "r2"];
    assert!(names.iter().all(|name| metrics["training"][name].is_f64()), "{metrics}");

    let layers = Table::read(&folder.path("classifier/layers.csv"))?;
    assert_eq!(layers.column("units")?, ["4", "5", "4", "3"]);
    assert_eq!(layers.column("type")?, ["Input", "Rectifier", "Rectifier", "Softmax"]);
    let importances = Table::read(&folder.path("classifier/importances.csv"))?;
    assert_eq!(importances.header, ["variable", "relative_importance", "scaled_importance", "percentage"]);
    assert_eq!(importances.rows.len(), 4);
    Ok(())
}

fn files(folder: &Folder, run: &str) -> Result<Vec<String>, Failed> {
    let mut names = Vec::new();
    for entry in folder.path(run).read_dir()? {
        names.push(entry?.file_name().display().to_string());
    }
    names.sort_unstable();
    Ok(names)
}

fn the_history_has_h2os_columns() -> Result<(), Failed> {
    let folder = Folder::new()?;
    train(&folder, "iris.csv", "class", "run", &["--reproducible"])?;
    let history = Table::read(&folder.path("run/scoring_history.csv"))?;
    assert_eq!(
        history.header,
        [
            "timestamp",
            "duration",
            "training_speed",
            "epochs",
            "iterations",
            "samples",
            "training_rmse",
            "training_logloss",
            "training_r2",
            "training_classification_error",
            "training_auc",
            "training_pr_auc"
        ]
    );
    assert_eq!(history.column("epochs")?, ["0", "1", "2", "3"]);
    assert_eq!(history.column("samples")?, ["0", "150", "300", "450"]);

    let valid = data("prostate.csv").display().to_string();
    let flags = ["--column-types", "CAPSULE=enum", "--validation-frame", &valid];
    train(&folder, "prostate.csv", "CAPSULE", "binomial", &flags)?;
    let history = Table::read(&folder.path("binomial/scoring_history.csv"))?;
    let last = history.rows.len() - 1;
    for name in ["rmse", "logloss", "r2", "auc", "pr_auc", "lift", "classification_error"] {
        // The frames are the same, and small enough to be scored whole.
        let (training, validation) = (format!("training_{name}"), format!("validation_{name}"));
        let (training, validation) = (history.column(&training)?[last], history.column(&validation)?[last]);
        assert!(number(training)?.is_finite());
        assert_eq!(training, validation, "{name}");
    }
    Ok(())
}

fn a_classifier_for_two_classes_has_its_thresholds_and_lift() -> Result<(), Failed> {
    let folder = Folder::new()?;
    let flags = ["--column-types", "CAPSULE=enum", "--gainslift-bins", "5", "--seed", "1", "--reproducible"];
    let shown = train(&folder, "prostate.csv", "CAPSULE", "run", &flags)?;
    assert!(shown.contains("Maximum Metrics (training)") && shown.contains("Gains/Lift Table (training)"), "{shown}");
    let lift = Table::read(&folder.path("run/gains_lift.csv"))?;
    assert_eq!(lift.column("group")?, ["1", "2", "3", "4", "5"]);
    assert_eq!(lift.header.last().map(String::as_str), Some("kolmogorov_smirnov"));
    let metrics = folder.json("run/metrics.json")?;
    assert_eq!(metrics["training"]["lift_top_group"].as_f64(), Some(number(lift.column("lift")?[0])?));

    let best = Table::read(&folder.path("run/max_criteria.csv"))?;
    assert_eq!(best.column("metric")?[..2], ["max f1", "max f2"]);
    let thresholds = Table::read(&folder.path("run/thresholds.csv"))?;
    assert_eq!(thresholds.header.len(), 20);
    let at: usize = best.column("idx")?[0].parse()?;
    assert_eq!(thresholds.column("threshold")?[at], best.column("threshold")?[0]);
    assert_eq!(thresholds.column("f1")?[at], best.column("value")?[0]);

    train(&folder, "prostate.csv", "CAPSULE", "off", &["--column-types", "CAPSULE=enum", "--gainslift-bins", "0"])?;
    assert!(!files(&folder, "off")?.contains(&"gains_lift.csv".to_owned()));
    assert_eq!(folder.json("off/metrics.json")?["training"]["lift_top_group"], Value::Null);
    Ok(())
}

fn areas_of_many_classes_are_kept_where_asked_for() -> Result<(), Failed> {
    let folder = Folder::new()?;
    let valid = data("iris.csv").display().to_string();
    let flags = ["--auc-type", "weighted_ovo", "--stopping-metric", "AUCPR", "--validation-frame", &valid];
    train(&folder, "iris.csv", "class", "run", &flags)?;
    let table = Table::read(&folder.path("run/multinomial_auc.csv"))?;
    assert_eq!(table.column("type")?[..2], ["Iris-setosa vs Rest", "Iris-versicolor vs Rest"]);
    let last = table.rows.len() - 1;
    assert_eq!(table.column("type")?[last], "Weighted OVO");
    let metrics = folder.json("run/metrics.json")?;
    assert_eq!(metrics["training"]["auc"].as_f64(), Some(number(table.column("auc")?[last])?));
    assert_eq!(table, Table::read(&folder.path("run/multinomial_auc_validation.csv"))?);
    let hits = Table::read(&folder.path("run/hit_ratios.csv"))?;
    assert_eq!(hits.column("k")?, ["1", "2", "3"]);
    Ok(())
}

fn a_classifier_has_its_confusion() -> Result<(), Failed> {
    let folder = Folder::new()?;
    let valid = data("iris.csv").display().to_string();
    train(&folder, "iris.csv", "class", "run", &["--validation-frame", &valid])?;
    let matrix = Table::read(&folder.path("run/confusion.csv"))?;
    let classes = ["Iris-setosa", "Iris-versicolor", "Iris-virginica"];
    assert_eq!(matrix.header[1..4], classes);
    assert_eq!(matrix.column("actual")?, [&classes[..], &["Totals"]].concat());
    for row in &matrix.rows[..3] {
        let counts: f64 = row[1..4].iter().map(|count| number(count)).sum::<Result<_, _>>()?;
        assert_eq!(counts, 50.0, "{row:?}");
    }
    assert_eq!(matrix, Table::read(&folder.path("run/confusion_validation.csv"))?);
    Ok(())
}

fn parameters_are_kept_as_given_and_as_used() -> Result<(), Failed> {
    let folder = Folder::new()?;
    train(&folder, "iris.csv", "class", "run", &["--activation", "TanhWithDropout", "--rate", "0.1"])?;
    let params = folder.json("run/params.json")?;
    let (given, effective) = (&params["given"], &params["effective"]);
    assert_eq!((&given["seed"], &given["rate"]), (&json!(-1), &json!(0.1)));
    assert_eq!(given["hidden_dropout_ratios"], Value::Null);
    assert!(effective["seed"].as_i64().is_some_and(|seed| seed != -1), "{effective}");
    // Without effect with ADADELTA.
    assert_eq!(effective["rate"], 0.0);
    assert_eq!(effective["hidden_dropout_ratios"], json!([0.5, 0.5]));
    assert_eq!(effective["hidden"], json!([5, 4]));

    // The seed that was drawn makes the same model again.
    let seed = effective["seed"].to_string();
    train(&folder, "iris.csv", "class", "again", &["--activation", "TanhWithDropout", "--seed", &seed])?;
    assert!(checkpoint(&folder, "run")? == checkpoint(&folder, "again")?);
    Ok(())
}

fn json_is_one_line_for_machines() -> Result<(), Failed> {
    let folder = Folder::new()?;
    let said = train(&folder, "iris.csv", "class", "run", &["--json"])?;
    assert_eq!(said.lines().count(), 1, "{said}");
    let line: Value = serde_json::from_str(&said)?;
    let keys: Vec<&str> = line.as_object().ok_or("no object")?.keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        [
            "run",
            "engine",
            "kernel",
            "threads",
            "samples",
            "epochs",
            "training_seconds",
            "samples_per_second",
            "stopped_by"
        ]
    );
    assert_eq!((&line["run"], &line["stopped_by"]), (&json!("run"), &json!("epochs")));
    assert!(line["epochs"].as_f64().is_some_and(|epochs| epochs >= 3.0), "{line}");
    Ok(())
}

fn the_same_seed_gives_the_same_model() -> Result<(), Failed> {
    let folder = Folder::new()?;
    for run in ["one", "two"] {
        train(&folder, "iris.csv", "class", run, &["--activation", "MaxoutWithDropout", "--seed", "11"])?;
        folder.succeed(["export", run, "--mojo", &format!("{run}.zip")])?;
        folder.succeed([
            "predict",
            run,
            "--input",
            &data("iris.csv").display().to_string(),
            "--output",
            &format!("{run}.csv"),
        ])?;
    }
    assert!(checkpoint(&folder, "one")? == checkpoint(&folder, "two")?);
    assert_eq!(folder.read("one.csv")?, folder.read("two.csv")?);
    assert_eq!(folder.read("one/metrics.json")?, folder.read("two/metrics.json")?);
    let mojo = |name: &str| exporter::read_mojo(&folder.path(name));
    let (one, two) = (mojo("one.zip")?, mojo("two.zip")?);
    assert!(one.model == two.model && one.golden == two.golden && one.profile == two.profile);
    // It derives from the weights, so a copy of a model is known as one.
    assert_eq!(one.info.uuid, two.info.uuid);
    Ok(())
}

fn another_seed_gives_another_model() -> Result<(), Failed> {
    let folder = Folder::new()?;
    train(&folder, "iris.csv", "class", "one", &["--seed", "1"])?;
    train(&folder, "iris.csv", "class", "two", &["--seed", "2"])?;
    assert!(checkpoint(&folder, "one")? != checkpoint(&folder, "two")?);
    Ok(())
}

fn small_data_give_the_same_model_however_many_threads() -> Result<(), Failed> {
    for (file, response) in [("iris.csv", "class"), ("prostate.csv", "AGE"), ("credit.csv", "Status")] {
        let folder = Folder::new()?;
        for (run, threads) in [("one", "1"), ("three", "3"), ("eight", "8")] {
            let said = train(&folder, file, response, run, &["--seed", "5", "--threads", threads, "--json"])?;
            let line: Value = serde_json::from_str(&said)?;
            assert_eq!((&line["engine"], &line["threads"]), (&json!("fast"), &json!(1)), "{file}, {threads} threads");
            assert!(checkpoint(&folder, "one")? == checkpoint(&folder, run)?, "{file}, {threads} threads");
            assert_eq!(folder.read("one/metrics.json")?, folder.read(&format!("{run}/metrics.json"))?);
        }
    }
    Ok(())
}

fn parameters_may_come_from_a_file() -> Result<(), Failed> {
    let folder = Folder::new()?;
    let file = data("iris.csv").display().to_string();
    let flags = ["--activation", "Tanh", "--seed", "9", "--l1", "0.001", "--ignored-columns", "petal_len"];
    train(&folder, "iris.csv", "class", "flags", &[&flags[..], &["--column-types", "class=enum"]].concat())?;
    folder.write(
        "params.toml",
        format!(
            "training_frame = {file:?}\nresponse-column = \"class\"\nactivation = \"Tanh\"\nhidden = [5, 4]\nepochs = 3\n\
             seed = 9\nl1 = 0.001\nignored_columns = [\"petal_len\"]\n[column_types]\nclass = \"enum\"\n"
        ),
    )?;
    let params = json!({
        "training_frame": file, "response_column": "class", "activation": "tanh", "hidden": [5, 4], "epochs": 3,
        "seed": 9, "l1": 0.001, "ignored_columns": ["petal_len"], "column_types": { "class": "enum" },
    });
    folder.write("params.json", params.to_string())?;
    for params in ["params.toml", "params.json"] {
        folder.succeed(["train", "--params", params, "--output", "file", "--overwrite"])?;
        assert_eq!(folder.read("flags/params.json")?, folder.read("file/params.json")?, "{params}");
        assert!(checkpoint(&folder, "flags")? == checkpoint(&folder, "file")?, "{params}");
    }
    Ok(())
}

fn a_flag_wins_over_the_file() -> Result<(), Failed> {
    let folder = Folder::new()?;
    folder.write("params.toml", "epochs = 7\nseed = 3\n")?;
    train(&folder, "iris.csv", "class", "run", &["--params", "params.toml"])?;
    let given = &folder.json("run/params.json")?["given"];
    assert_eq!((&given["epochs"], &given["seed"]), (&json!(3.0), &json!(3)));
    Ok(())
}

fn an_earlier_run_is_replaced_only_on_demand() -> Result<(), Failed> {
    let folder = Folder::new()?;
    train(&folder, "iris.csv", "class", "run", &["--seed", "1"])?;
    let first = folder.contents()?;
    let file = data("iris.csv").display().to_string();
    let command = ["train", "--training-frame", &file, "--response-column", "class", "--output", "run"];
    assert_eq!(folder.run(command)?.code, Some(1));
    assert!(folder.contents()? == first);
    // A run that fails leaves the earlier one as it was.
    let failing = ["train", "--training-frame", &file, "--response-column", "none", "--output", "run", "--overwrite"];
    assert_eq!(folder.run(failing)?.code, Some(1));
    assert!(folder.contents()? == first);

    train(&folder, "iris.csv", "sepal_len", "run", &["--overwrite"])?;
    // All of the new run, and nothing of the old one: a regression has no confusion.
    assert!(!files(&folder, "run")?.contains(&"confusion.csv".to_owned()));
    assert_eq!(folder.path(".").read_dir()?.count(), 1);
    Ok(())
}

fn ctrl_c_keeps_the_model_so_far() -> Result<(), Failed> {
    let folder = Folder::new()?;
    let file = data("credit.csv").display().to_string();
    let what = ["train", "--training-frame", &file, "--response-column", "Status", "--output", "run", "--json"];
    // For ever, unless somebody stops it.
    let how = ["--epochs", "1e9", "--train-samples-per-iteration", "-1", "--stopping-rounds", "0"];
    let often = ["--score-interval", "0", "--score-duty-cycle", "1", "--hidden", "5", "--progress", "lines"];
    let mut command = folder.command(what.into_iter().chain(how).chain(often));
    let mut process = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let mut lines = BufReader::new(process.stderr.take().ok_or("no standard error")?).lines();
    while !lines.next().ok_or("it has ended")??.starts_with("epoch ") {}
    signal(&process, "INT")?;
    let said: Vec<String> = lines.collect::<Result<_, _>>()?;
    let result = std::io::read_to_string(process.stdout.take().ok_or("no standard output")?)?;
    assert_eq!(wait(&mut process)?.code(), Some(0), "{said:?}");
    assert!(said.iter().any(|line| line.starts_with("stopping after this iteration")), "{said:?}");
    let result: Value = serde_json::from_str(&result)?;
    assert_eq!(result["stopped_by"], "interrupted");
    folder.succeed(["predict", "run", "--input", &file, "--output", "out.csv"])?;
    assert_eq!(Table::read(&folder.path("out.csv"))?.rows.len(), Table::read(&data("credit.csv"))?.rows.len());
    Ok(())
}

fn training_stops_when_it_no_longer_improves() -> Result<(), Failed> {
    let folder = Folder::new()?;
    let file = data("iris.csv").display().to_string();
    let what = ["train", "--training-frame", &file, "--response-column", "class", "--output", "run", "--json"];
    let how = ["--reproducible", "--seed", "1", "--hidden", "5", "--epochs", "1000"];
    let when = ["--stopping-rounds", "2", "--stopping-tolerance", "0.1", "--stopping-metric", "logloss"];
    let said = folder.succeed(what.into_iter().chain(how).chain(when))?.stdout;
    let line: Value = serde_json::from_str(&said)?;
    assert_eq!(line["stopped_by"], "stopping_rounds");
    assert!(line["epochs"].as_f64().is_some_and(|epochs| epochs < 1000.0), "{line}");
    Ok(())
}

/// `iris.csv` without its header, as many files of machines are.
fn a_file_without_a_header_has_columns_by_position() -> Result<(), Failed> {
    let folder = Folder::new()?;
    let table = Table::read(&data("iris.csv"))?;
    let body: String = table.rows.iter().map(|row| row.join(",") + "\n").collect();
    folder.write("body.csv", &body)?;
    let what = ["train", "--training-frame", "body.csv", "--response-column", "C5", "--seed", "2"];
    folder.succeed(what.into_iter().chain(QUICK).chain(["--output", "run"]))?;
    assert_eq!(folder.json("run/params.json")?["given"]["response_column"], "C5");

    train(&folder, "iris.csv", "C5", "named", &["--seed", "2"])?;
    assert_eq!(folder.read("run/metrics.json")?, folder.read("named/metrics.json")?);

    let named = data("iris.csv").display().to_string();
    folder.succeed(["predict", "run", "--input", "body.csv", "--output", "body.out"])?;
    folder.succeed(["predict", "named", "--input", &named, "--output", "named.out"])?;
    assert_eq!(folder.read("body.out")?, folder.read("named.out")?);
    assert_eq!(folder.read("body.out")?.lines().count(), 151);
    // The header of names that the model does not know is a row to it, and has no numbers.
    let header = folder.run(["predict", "run", "--input", &named, "--output", "out.csv", "--header", "true"])?;
    assert_eq!(header.code, Some(1), "{header:?}");
    Ok(())
}

fn a_header_of_a_table_of_texts_has_to_be_declared() -> Result<(), Failed> {
    let folder = Folder::new()?;
    folder.write("texts.csv", "town,paid\n".to_owned() + &"a,yes\nb,no\na,yes\nb,yes\n".repeat(10))?;
    let command = "train --training-frame texts.csv --response-column paid --hidden 3 --epochs 1 --output run";
    let refused = folder.run(command.split(' '))?;
    assert_eq!(
        refused.stderr.lines().last(),
        Some(
            "error: response_column: there is no column `paid`; the columns are `C1`, `C2`, as the first line was not taken \
             for names (--header true says it is)"
        )
    );
    folder.succeed(command.split(' ').chain(["--header", "true"]))?;
    Ok(())
}

fn lists_of_columns_are_quoted_as_in_csv() -> Result<(), Failed> {
    let folder = Folder::new()?;
    let row = |i: usize| format!("{},{},{},{}\n", i % 7, i % 5, i % 3, i * i % 11);
    let rows: String = (0..50).map(row).collect();
    folder.write("data.csv", format!("\"a,b\",\"say \"\"c\"\"\",d = e,y\n{rows}"))?;
    let what = ["train", "--training-frame", "data.csv", "--response-column", "y", "--output", "run"];
    let list = ["--ignored-columns", "\"a,b\",d = e", "--column-types", "\"say \"\"c\"\"=enum\""];
    folder.succeed(what.into_iter().chain(QUICK).chain(list))?;
    let model: Value = serde_json::from_str(&folder.succeed(["inspect", "run", "--json"])?.stdout)?;
    let levels = json!(["0", "1", "2", "3", "4"]);
    assert_eq!(model["features"], json!([{ "name": "say \"c\"", "type": "categorical", "levels": levels }]));
    Ok(())
}

fn gzip_is_read_like_plain_text() -> Result<(), Failed> {
    let folder = Folder::new()?;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::copy(&mut std::fs::File::open(data("iris.csv"))?, &mut encoder)?;
    folder.write("iris.csv.gz", encoder.finish()?)?;
    train(&folder, "iris.csv", "class", "plain", &["--seed", "4"])?;
    let what = ["train", "--training-frame", "iris.csv.gz", "--response-column", "class", "--output", "gzip"];
    folder.succeed(what.into_iter().chain(QUICK).chain(["--seed", "4"]))?;
    assert!(checkpoint(&folder, "plain")? == checkpoint(&folder, "gzip")?);

    folder.succeed(["predict", "plain", "--input", "iris.csv.gz", "--output", "gzip.csv"])?;
    let plain = data("iris.csv").display().to_string();
    let said = folder.succeed(["predict", "plain", "--input", &plain, "--output", "-"])?.stdout;
    assert_eq!(folder.read("gzip.csv")?, said);
    Ok(())
}

fn several_files_are_one_table() -> Result<(), Failed> {
    let folder = Folder::new()?;
    let text = std::fs::read_to_string(data("iris.csv"))?;
    let (first, second) = text.split_at(text.match_indices('\n').nth(90).ok_or("90 rows")?.0 + 1);
    folder.write("first.csv", first)?;
    folder.write("second, without names.csv", second)?;
    train(&folder, "iris.csv", "class", "whole", &["--seed", "4"])?;
    let what = ["train", "--training-frame", "first.csv", "second, without names.csv", "--response-column", "class"];
    let said = folder.succeed(what.into_iter().chain(QUICK).chain(["--seed", "4", "--output", "parts"]))?.stderr;
    assert!(said.contains("read first.csv and 1 more: 150 rows, 5 columns"), "{said}");
    assert!(checkpoint(&folder, "whole")? == checkpoint(&folder, "parts")?);

    let params: Value = serde_json::from_str(&folder.read("parts/params.json")?)?;
    assert_eq!(params["given"]["training_frame"], json!(["first.csv", "second, without names.csv"]));

    folder.write("folder/1.csv", first)?;
    folder.write("folder/2.csv", second)?;
    folder.write("folder/_SUCCESS", "")?;
    let what = ["train", "--training-frame", "folder", "--response-column", "class", "--output", "of a folder"];
    folder.succeed(what.into_iter().chain(QUICK).chain(["--seed", "4"]))?;
    assert!(checkpoint(&folder, "whole")? == checkpoint(&folder, "of a folder")?);
    Ok(())
}

fn parquet_trains_the_model_of_the_same_csv() -> Result<(), Failed> {
    let folder = Folder::new()?;
    for (run, extension) in [("text", "csv"), ("typed", "parquet")] {
        let file = data(&format!("iris.{extension}")).display().to_string();
        train(&folder, &format!("iris.{extension}"), "class", run, &["--seed", "4", "--validation-frame", &file])?;
    }
    assert!(checkpoint(&folder, "text")? == checkpoint(&folder, "typed")?);
    Ok(())
}

fn a_table_larger_than_the_memory_limit_trains_the_same_model() -> Result<(), Failed> {
    let folder = Folder::new()?;
    let file = data("credit.csv").display().to_string();
    train(&folder, "credit.csv", "Status", "held", &["--seed", "4", "--validation-frame", &file])?;
    let before = folder.contents()?.len();
    let what = ["train", "--training-frame", &file, "--validation-frame", &file, "--response-column", "Status"];
    let tiny = ["--seed", "4", "--output", "spilled", "--memory-limit", "1kB"];
    let said = folder.succeed(what.into_iter().chain(QUICK).chain(tiny))?.stderr;
    for which in ["training", "validation"] {
        let notice = said.lines().find(|line| line.contains(&format!("the {which} frame does not fit into memory: ")));
        assert!(notice.is_some_and(|line| line.contains("KiB of it lie in a file in .")), "{said}");
    }
    assert!(said.contains("the packed rows do not fit into memory beside the frames: "), "{said}");
    assert!(checkpoint(&folder, "held")? == checkpoint(&folder, "spilled")?);
    let runs = folder.contents()?.len();
    assert_eq!(runs, 2 * before, "nothing else is left");
    Ok(())
}

fn progress_is_told_as_it_is_asked_for() -> Result<(), Failed> {
    let folder = Folder::new()?;
    let file = data("iris.csv").display().to_string();
    let what = ["train", "--training-frame", &file, "--response-column", "class", "--output", "run", "--overwrite"];
    let said = |progress| -> Result<String, Failed> {
        Ok(folder.succeed(what.into_iter().chain(QUICK).chain(["--progress", progress]))?.stderr)
    };
    assert_eq!(said("off")?, "");
    assert!(said("lines")?.lines().any(|line| line.contains("150 rows, 5 columns")));
    let events: Vec<Value> = said("json")?.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    assert_eq!((&events[0]["event"], &events[0]["rows"]), (&json!("read"), &json!(150)));
    let last = events.last().ok_or("no event")?;
    assert_eq!(last["event"], "scored");
    assert!(last["training"]["logloss"].is_f64(), "{last}");
    Ok(())
}

fn a_flag_without_effect_is_told() -> Result<(), Failed> {
    let folder = Folder::new()?;
    let warnings = |flags: &[&str]| -> Result<Vec<String>, Failed> {
        let file = data("iris.csv").display().to_string();
        let what = ["train", "--training-frame", &file, "--response-column", "class", "--output", "run", "--overwrite"];
        let told = folder.succeed(what.into_iter().chain(QUICK).chain(flags.iter().copied()))?.stderr;
        Ok(told.lines().filter_map(|line| line.strip_prefix("warning: ")).map(str::to_owned).collect())
    };
    let plain = ["--engine", "plain", "--kernel", "portable", "--auto-tune", "measured", "--mini-batch-size", "8"];
    assert_eq!(
        warnings(&plain)?,
        [
            "--kernel is without effect in the plain engine",
            "--auto-tune measured is without effect in the plain engine",
            "mini_batch_size is without effect in the plain engine: like H2O it updates after every row",
        ]
    );
    let fast = ["--reproducible", "--engine", "fast", "--auto-tune", "measured", "--momentum-schedule", "documented"];
    assert_eq!(
        warnings(&fast)?,
        [
            "--auto-tune measured is without effect unless train_samples_per_iteration is -2",
            "--momentum-schedule documented is without effect while adaptive_rate is true",
            "reproducible is H2O's to the last digit in the plain engine alone: leave --engine fast out for that",
        ]
    );
    let idle = "average_activation is without effect while sparsity_beta is 0";
    assert_eq!(warnings(&["--average-activation", "0.5"])?, [idle]);
    let active = ["--mini-batch-size", "8", "--kernel", "portable", "--auto-tune", "measured"];
    assert_eq!(warnings(&active)?, [""; 0]);
    Ok(())
}

fn batches_are_of_the_fast_engine() -> Result<(), Failed> {
    let folder = Folder::new()?;
    for (engine, has_batches) in [("fast", true), ("plain", false)] {
        for size in ["1", "8"] {
            let flags = ["--seed", "1", "--overwrite", "--engine", engine, "--mini-batch-size", size];
            train(&folder, "iris.csv", "class", size, &flags)?;
        }
        let are_one = checkpoint(&folder, "1")?.0 == checkpoint(&folder, "8")?.0;
        assert_eq!(are_one, !has_batches, "{engine}");
    }
    Ok(())
}
