//! Autoencoders: trained, exported, scored, looked into, and trained further.

use libtest_mimic::{Failed, Trial};
use model::{Algorithm, Network};
use serde_json::{Value, json};
use trainer::Checkpoint;

use crate::support::table::{Table, number};
use crate::support::{Folder, data, java, trials};

pub fn tests() -> Vec<Trial> {
    let mut tests = trials![
        a_run_has_what_an_autoencoder_has,
        without_a_duty_cycle_the_untrained_model_is_not_scored,
        a_row_like_no_other_has_the_largest_error,
        errors_by_feature_are_those_of_the_row,
        deep_features_are_those_of_the_layer,
        a_model_starts_from_a_run_or_its_mojo,
        what_other_columns_taught_is_warned_of,
        progress_says_which_model_is_the_best,
    ];
    tests.push(java::trial("autoencoder::it_is_verified_in_the_runtime".to_owned(), |runtime| {
        let folder = Folder::new()?;
        train(&folder, "run", "ID", &[])?;
        let jar = runtime.jar.display().to_string();
        let said = folder.succeed(["verify", "run", "--h2o-jar", &jar, "--scorers", "h2o-genmodel"])?.stdout;
        let theirs = said.lines().find(|line| line.contains("h2o-genmodel")).ok_or("it does not name the runtime")?;
        assert!(theirs.contains("agrees"), "{theirs}");
        Ok(())
    }));
    tests
}

/// The columns of `prostate.csv` but for its identifier, two of them categorical.
const CATEGORICAL: &str = "RACE=enum,CAPSULE=enum";
const INPUTS: usize = 13;

/// Trains on `prostate.csv` without these columns.
fn train(folder: &Folder, run: &str, ignored: &str, flags: &[&str]) -> Result<String, Failed> {
    let file = data("prostate.csv").display().to_string();
    let what = ["train", "--autoencoder", "--training-frame", &file, "--output", run];
    let columns = ["--ignored-columns", ignored, "--column-types", CATEGORICAL];
    let net = ["--activation", "Tanh", "--hidden", "6,3", "--seed", "1"];
    let outcome = folder.succeed(what.into_iter().chain(columns).chain(net).chain(flags.iter().copied()))?;
    Ok(outcome.stdout + &outcome.stderr)
}

/// Scores `prostate.csv`.
fn predict(folder: &Folder, model: &str, flags: &[&str]) -> Result<Table, Failed> {
    let file = data("prostate.csv").display().to_string();
    let what = ["predict", model, "--input", &file, "--output", "out.csv"];
    folder.succeed(what.into_iter().chain(flags.iter().copied()))?;
    Table::read(&folder.path("out.csv"))
}

fn network(folder: &Folder, run: &str) -> Result<Network, Failed> {
    let checkpoint = Checkpoint::read(&folder.path(run).join("checkpoint.safetensors"))?;
    let Algorithm::DeepLearning(net) = checkpoint.model.algorithm else { return Err("no deep learning".into()) };
    Ok(net.network)
}

fn a_run_has_what_an_autoencoder_has() -> Result<(), Failed> {
    let folder = Folder::new()?;
    let valid = data("prostate.csv").display().to_string();
    let shown = train(&folder, "run", "ID", &["--validation-frame", &valid, "--use-all-factor-levels", "false"])?;
    assert!(shown.contains("Deep learning, autoencoder, Tanh 13-6-3-13, seed 1"), "{shown}");
    let history = Table::read(&folder.path("run/scoring_history.csv"))?;
    assert_eq!(history.header[6..], ["training_rmse", "training_mse", "validation_rmse", "validation_mse"]);
    // The untrained model is scored first.
    assert_eq!(history.column("samples")?[0], "0");
    let errors = history.column("training_mse")?;
    assert!(number(errors[0])? > number(errors[errors.len() - 1])?, "{errors:?}");
    let metrics = folder.json("run/metrics.json")?;
    assert_eq!(metrics["training"], metrics["validation"]);
    let names: Vec<&String> = metrics["training"].as_object().ok_or("no figures")?.keys().collect();
    assert_eq!(names, ["mse", "rmse", "nobs"]);
    let layers = Table::read(&folder.path("run/layers.csv"))?;
    assert_eq!(layers.column("type")?, ["Input", "Tanh", "Tanh", "Tanh"]);
    assert_eq!(layers.column("dropout")?, ["0", "0", "0", ""]);
    let importances = Table::read(&folder.path("run/importances.csv"))?;
    assert_eq!(importances.rows.len(), INPUTS);
    let params = folder.json("run/params.json")?;
    assert_eq!(params["given"]["use_all_factor_levels"], false);
    assert_eq!(params["effective"]["use_all_factor_levels"], true);
    assert_eq!(params["effective"]["stopping_metric"], "MSE");
    let model: Value = serde_json::from_str(&folder.succeed(["inspect", "run", "--json"])?.stdout)?;
    assert_eq!((&model["category"], &model["response"]), (&json!("AutoEncoder"), &Value::Null));
    Ok(())
}

fn without_a_duty_cycle_the_untrained_model_is_not_scored() -> Result<(), Failed> {
    let folder = Folder::new()?;
    train(&folder, "run", "ID", &["--score-duty-cycle", "0"])?;
    let history = Table::read(&folder.path("run/scoring_history.csv"))?;
    assert_eq!(history.column("epochs")?, ["10"]);
    Ok(())
}

fn a_row_like_no_other_has_the_largest_error() -> Result<(), Failed> {
    let folder = Folder::new()?;
    let row = |i: usize| format!("{},{},{}\n", i % 50, 2 * (i % 50) + i % 3, ["a", "b"][i % 50 / 25]);
    let rows: String = (0..300).map(row).collect();
    folder.write("rows.csv", format!("x,twice,half\n{rows}"))?;
    let odd = "x,twice,half\n3,97,a\n";
    folder.write("odd.csv", odd)?;
    let what = ["train", "--autoencoder", "--training-frame", "rows.csv", "--output", "run", "--seed", "1"];
    folder.succeed(what.into_iter().chain(["--activation", "Tanh", "--hidden", "2", "--epochs", "60"]))?;
    let errors = |file: &str| -> Result<Vec<f64>, Failed> {
        folder.succeed(["predict", "run", "--input", file, "--output", "out.csv"])?;
        Table::read(&folder.path("out.csv"))?.column("mse")?.into_iter().map(number).collect()
    };
    let largest = errors("rows.csv")?.into_iter().fold(0.0, f64::max);
    assert!(errors("odd.csv")?[0] > largest, "{:?}, others have at most {largest}", errors("odd.csv")?);
    Ok(())
}

fn errors_by_feature_are_those_of_the_row() -> Result<(), Failed> {
    let folder = Folder::new()?;
    train(&folder, "run", "ID", &[])?;
    folder.succeed(["export", "run", "--mojo", "model.zip"])?;
    let errors = predict(&folder, "run", &["--per-feature"])?;
    assert_eq!(errors, predict(&folder, "model.zip", &["--per-feature"])?);
    assert_eq!(errors.header[..3], ["reconstr_RACE.0.SE", "reconstr_RACE.1.SE", "reconstr_RACE.2.SE"]);
    assert_eq!(errors.header[3..5], ["reconstr_RACE.missing(NA).SE", "reconstr_CAPSULE.0.SE"]);
    assert_eq!((errors.header.len(), errors.header[INPUTS - 1].as_str()), (INPUTS, "reconstr_GLEASON.SE"));
    let answers = predict(&folder, "run", &[])?;
    for (row, mse) in errors.rows.iter().zip(answers.column("mse")?) {
        let sum: f64 = row.iter().map(|cell| number(cell)).sum::<Result<_, _>>()?;
        let (mean, mse) = (sum / INPUTS as f64, number(mse)?);
        assert!((mean - mse).abs() < 1e-12 * mse, "{mean} is not {mse}");
    }

    // A number that is missing has no error in the runtime; in H2O's cluster, and here, it has that of the mean.
    folder.write("rows.csv", "RACE,CAPSULE,AGE\n1,0,\n")?;
    folder.succeed(["predict", "run", "--input", "rows.csv", "--output", "out.csv"])?;
    assert_eq!(Table::read(&folder.path("out.csv"))?.column("mse")?, ["NA"]);
    folder.succeed(["predict", "run", "--input", "rows.csv", "--output", "out.csv", "--per-feature"])?;
    assert!(number(Table::read(&folder.path("out.csv"))?.column("reconstr_AGE.SE")?[0])?.is_finite());
    Ok(())
}

fn deep_features_are_those_of_the_layer() -> Result<(), Failed> {
    let folder = Folder::new()?;
    train(&folder, "run", "ID", &[])?;
    folder.succeed(["export", "run", "--mojo", "model.zip"])?;
    let features = predict(&folder, "model.zip", &["--deep-features", "1"])?;
    assert_eq!(features, predict(&folder, "run", &["--deep-features", "1"])?);
    assert_eq!(features.header, ["DF.L2.C1", "DF.L2.C2", "DF.L2.C3"]);
    assert_eq!(features.rows.len(), 380);
    assert!(features.rows.iter().flatten().all(|cell| number(cell).is_ok_and(|x| x.abs() < 1.0)));
    assert_eq!(predict(&folder, "run", &["--deep-features", "0"])?.header.len(), 6);

    let file = data("prostate.csv").display().to_string();
    let refused = folder.run(["predict", "run", "--input", &file, "--output", "no.csv", "--deep-features", "2"])?;
    assert_eq!(refused.stderr, "error: --deep-features 2: run has the hidden layers 0, 1\n");
    assert_eq!(refused.code, Some(1));
    Ok(())
}

/// Trains a classifier from an autoencoder.
fn fine_tune(folder: &Folder, pretrained: &str, run: &str, flags: &[&str]) -> Result<String, Failed> {
    let file = data("prostate.csv").display().to_string();
    let what = ["train", "--training-frame", &file, "--response-column", "DPROS", "--output", run];
    let start = ["--pretrained-autoencoder", pretrained, "--hidden", "6,3", "--activation", "Tanh", "--seed", "2"];
    let columns = ["--ignored-columns", "ID", "--column-types", CATEGORICAL];
    let flags = flags.iter().copied();
    Ok(folder.succeed(what.into_iter().chain(start).chain(columns).chain(flags))?.stderr)
}

fn a_model_starts_from_a_run_or_its_mojo() -> Result<(), Failed> {
    let folder = Folder::new()?;
    train(&folder, "encoder", "ID,DPROS", &[])?;
    folder.succeed(["export", "encoder", "--mojo", "encoder.zip"])?;
    let said = fine_tune(&folder, "encoder", "untrained", &["--epochs", "0"])?;
    assert!(!said.contains("pretrained_autoencoder"), "{said}");
    let (encoder, untrained) = (network(&folder, "encoder")?, network(&folder, "untrained")?);
    assert_eq!(encoder.layers()[..2], untrained.layers()[..2]);
    assert_eq!(untrained.outputs(), 1);
    fine_tune(&folder, "encoder", "from-run", &["--epochs", "1"])?;
    fine_tune(&folder, "encoder.zip", "from-mojo", &["--epochs", "1"])?;
    let trained = network(&folder, "from-run")?;
    assert!(trained == network(&folder, "from-mojo")? && trained.layers()[0] != encoder.layers()[0]);
    Ok(())
}

fn what_other_columns_taught_is_warned_of() -> Result<(), Failed> {
    let folder = Folder::new()?;
    train(&folder, "encoder", "ID,VOL", &[])?;
    let said = fine_tune(&folder, "encoder", "run", &["--epochs", "0"])?;
    assert!(
        said.contains("warning: pretrained_autoencoder: its columns or levels are not those of this model"),
        "{said}"
    );
    Ok(())
}

fn progress_says_which_model_is_the_best() -> Result<(), Failed> {
    let folder = Folder::new()?;
    // A rate that is far too large: the untrained model is the best one.
    let worse = ["--adaptive-rate", "false", "--rate", "5", "--reproducible", "--epochs", "1"];
    let said = train(&folder, "run", "ID", &worse)?;
    let lines: Vec<&str> = said.lines().filter(|line| line.contains("training mse ")).collect();
    let [untrained, trained, best] = lines.as_slice() else { return Err(said.into()) };
    assert!(untrained.starts_with("untrained: ") && trained.starts_with("epoch 1.00 of 1: "), "{said}");
    assert_eq!(best.strip_prefix("best model, of epoch 0.00: "), untrained.strip_prefix("untrained: "), "{said}");
    let said = train(&folder, "events", "ID", &[&worse[..], &["--progress", "json"]].concat())?;
    let last = said.lines().rfind(|line| line.starts_with('{')).ok_or("no event")?;
    assert_eq!(serde_json::from_str::<Value>(last)?["best_epochs"], 0.0);
    Ok(())
}
