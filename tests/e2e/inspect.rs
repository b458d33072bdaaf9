//! What `inspect` says of a run, of the archive that is made of it, and of the table that training printed.

use libtest_mimic::{Failed, Trial};
use serde_json::Value;

use crate::support::{Folder, data, trials};

pub fn tests() -> Vec<Trial> {
    trials![a_run_and_its_archive_are_told_apart, layers_are_called_as_training_called_them]
}

fn a_run_and_its_archive_are_told_apart() -> Result<(), Failed> {
    let folder = trained()?;
    folder.succeed(["export", "run", "--mojo", "model.zip"])?;
    let run = folder.succeed(["inspect", "run"])?.stdout;
    assert!(run.contains("\ntrained by aqueduct, 2") && !run.contains("golden rows"), "{run}");
    let mojo = folder.succeed(["inspect", "model.zip"])?.stdout;
    let version = env!("CARGO_PKG_VERSION");
    assert!(mojo.contains(&format!("\ntrained by aqueduct {version}, 2")) && mojo.contains("; MOJO 1.10\n"), "{mojo}");

    let json = |model: &str| -> Result<Value, Failed> {
        Ok(serde_json::from_str(&folder.succeed(["inspect", model, "--json"])?.stdout)?)
    };
    let (run, mojo) = (json("run")?, json("model.zip")?);
    assert_eq!(run["uuid"], Value::Null);
    assert_eq!(mojo["trained_by"], format!("aqueduct {version}"));
    let time = mojo["timestamp"].as_str().ok_or("no timestamp")?;
    assert_eq!(run["timestamp"], time);
    // To the millisecond, as H2O has it: 2026-11-30T15:00:36.751Z
    assert!(time.len() == 24 && time.ends_with('Z') && time.as_bytes()[19] == b'.', "{time}");
    for same in ["features", "response", "layers", "labelling", "profile"] {
        assert_eq!(run[same], mojo[same]);
    }
    Ok(())
}

fn layers_are_called_as_training_called_them() -> Result<(), Failed> {
    let folder = trained()?;
    let inspected = folder.succeed(["inspect", "run"])?.stdout;
    let layers = folder.read("run/layers.csv")?;
    let kinds: Vec<&str> = layers.lines().skip(1).filter_map(|line| line.split(',').nth(2)).collect();
    assert_eq!(kinds, ["Input", "TanhDropout", "Softmax"]);
    let table = inspected.split("\nLayers").nth(1).ok_or("no table of layers")?;
    let words: Vec<&str> = table.split_whitespace().collect();
    for kind in kinds {
        assert!(words.contains(&kind), "{kind}: {table}");
    }
    assert!(words.contains(&"25"), "the dropout is in percent: {table}");
    Ok(())
}

/// A folder with a run of a small net.
fn trained() -> Result<Folder, Failed> {
    let folder = Folder::new()?;
    std::fs::copy(data("iris.csv"), folder.path("iris.csv"))?;
    folder.succeed([
        "train",
        "--training-frame",
        "iris.csv",
        "--response-column",
        "class",
        "--activation",
        "TanhWithDropout",
        "--hidden",
        "3",
        "--hidden-dropout-ratios",
        "0.25",
        "--epochs",
        "1",
        "--seed",
        "1",
        "--output",
        "run",
    ])?;
    Ok(folder)
}
