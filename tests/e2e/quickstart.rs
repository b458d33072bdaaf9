//! `aqueduct quickstart`, as somebody runs it who has never seen the project.

use libtest_mimic::{Failed, Trial};
use serde_json::Value;

use crate::support::{Folder, java, trials};

pub fn tests() -> Vec<Trial> {
    let mut tests = trials![it_shows_the_whole_path, it_may_be_run_again];
    tests.push(java::trial("quickstart::with_the_jar_it_verifies_in_the_runtime".to_owned(), |runtime| {
        let jar = runtime.jar.display().to_string();
        let said = Folder::new()?.succeed(["quickstart", "--h2o-jar", &jar])?.stdout;
        let theirs = said.lines().find(|line| line.contains("h2o-genmodel")).ok_or("it does not name the runtime")?;
        assert!(theirs.contains("agrees"), "{theirs}");
        Ok(())
    }));
    tests
}

fn it_shows_the_whole_path() -> Result<(), Failed> {
    let folder = Folder::new()?;
    let outcome = folder.succeed(["quickstart", "--output", "here"])?;
    for said in [
        "$ aqueduct train --training-frame here/train.csv",
        "$ aqueduct export here/run --mojo here/credit.zip",
        "$ aqueduct verify here/credit.zip",
        "$ aqueduct serve here/credit.zip",
        "Confusion Matrix (validation",
        "agrees",
        "Next: `aqueduct inspect here/credit.zip`",
    ] {
        assert!(outcome.stdout.contains(said), "it does not say `{said}`: {}", outcome.stdout);
    }
    assert!(!outcome.stderr.contains("warning"), "{}", outcome.stderr);
    let answer =
        outcome.stdout.lines().find(|line| line.starts_with("{\"predict\"")).ok_or("no answer of the server")?;
    let answer: Value = serde_json::from_str(answer)?;
    let probabilities = answer["probabilities"].as_object().ok_or("no probabilities")?;
    let sum: f64 = probabilities.values().filter_map(Value::as_f64).sum();
    assert!((sum - 1.0).abs() < 1e-12, "{answer}");

    // What it says about the quality is what a reader judges the project by.
    let metrics = folder.json("here/run/metrics.json")?;
    let auc = metrics["validation"]["auc"].as_f64().ok_or("no AUC")?;
    assert!(auc > 0.8, "the validation AUC is {auc}");
    Ok(())
}

fn it_may_be_run_again() -> Result<(), Failed> {
    let folder = Folder::new()?;
    folder.succeed(["quickstart"])?;
    let first = folder.bytes("aqueduct-quickstart/run/metrics.json")?;
    folder.succeed(["quickstart"])?;
    assert!(folder.bytes("aqueduct-quickstart/run/metrics.json")? == first, "another seed, another model");
    Ok(())
}
