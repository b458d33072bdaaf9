//! What `inspect` says and draws of a run, of the archive that is made of it, and of archives of H2O.

use libtest_mimic::{Completion, Failed, Trial};
use serde_json::{Value, json};

use crate::support::archive::{with_added, with_entry};
use crate::support::models::{kinds, random};
use crate::support::random::Random;
use crate::support::{Folder, data, trials};
use crate::zoo;

pub fn tests() -> Vec<Trial> {
    let mut tests = trials![
        a_run_and_its_archive_are_told_apart,
        layers_are_called_as_training_called_them,
        a_run_tells_of_its_training,
        exports_that_are_refused_say_why,
        what_h2o_tells_of_the_training_is_shown,
        a_damaged_tale_is_passed_over,
        a_drawing_is_written_and_written_again,
        a_drawing_is_not_written_over_something_else,
        every_random_model_is_drawn,
    ];
    tests.push(Trial::ignorable_test("inspect::archives_of_h2o_tell_of_their_making", archives_of_h2o));
    tests
}

fn a_run_and_its_archive_are_told_apart() -> Result<(), Failed> {
    let folder = trained()?;
    folder.succeed(["export", "run", "--mojo", "model.zip"])?;
    let run = folder.succeed(["inspect", "run"])?.stdout;
    assert!(run.contains("\ntrained by aqueduct, 2") && !run.contains("golden rows"), "{run}");
    let mojo = folder.succeed(["inspect", "model.zip"])?.stdout;
    let version = env!("CARGO_PKG_VERSION");
    assert!(mojo.contains(&format!("\ntrained by aqueduct {version}, 2")) && mojo.contains("; MOJO 1.10\n"), "{mojo}");

    let (run, mojo) = (inspected(&folder, "run")?, inspected(&folder, "model.zip")?);
    assert_eq!(run["uuid"], Value::Null);
    assert_eq!(mojo["trained_by"], format!("aqueduct {version}"));
    let time = mojo["timestamp"].as_str().ok_or("no timestamp")?;
    assert_eq!(run["timestamp"], time);
    // To the millisecond, as H2O has it: 2026-11-30T15:00:36.751Z
    assert!(time.len() == 24 && time.ends_with('Z') && time.as_bytes()[19] == b'.', "{time}");
    for same in ["features", "response", "layers", "labelling", "profile", "bytes", "exports", "contributions"] {
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

fn a_run_tells_of_its_training() -> Result<(), Failed> {
    let folder = trained()?;
    let found = inspected(&folder, "run")?;
    assert_eq!(found["contributions"], json!({ "possible": true, "reference_row": "profile" }));
    assert_eq!(found["bytes"], 4 * (4 * 3 + 3 * 3) + 8 * (3 + 3));
    let mean = found["layers"][0]["weights"]["mean"].as_f64().ok_or("no mean")?;
    let status = found["layer_status"][1]["mean_weight"].as_f64().ok_or("no status")?;
    assert!((mean - status).abs() < 1e-6, "{mean} is not {status}");
    assert_eq!(found["scoring_history"][0]["epochs"], 0.0);
    assert_eq!(found["variable_importances"].as_array().map(Vec::len), Some(4));
    assert_eq!(found["parameters"]["given"]["hidden"], json!([3]));
    let text = folder.succeed(["inspect", "run"])?.stdout;
    for part in ["Parameters that differ", "Metrics", "Confusion matrix", "Variable importances", "Scoring history"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    Ok(())
}

fn exports_that_are_refused_say_why() -> Result<(), Failed> {
    let folder = Folder::new()?;
    let rows = (0..80).map(|i| format!("{},l{},{}\n", i % 7, i % 20, ["no", "yes"][i % 2]));
    folder.write("rows.csv", " n,c,y\n".to_owned() + &rows.collect::<String>())?;
    let what = ["train", "--training-frame", "rows.csv", "--response-column", "y", "--output", "run"];
    let how = ["--hidden", "3", "--epochs", "1", "--categorical-encoding", "EnumLimited"];
    folder.succeed(what.into_iter().chain(how))?;
    let found = inspected(&folder, "run")?;
    for export in found["exports"].as_array().ok_or("no exports")? {
        let flags = export["flags"].as_str().ok_or("no flags")?;
        let target: &[&str] = match flags {
            "--mojo" => &["m.zip"],
            "--pojo java" | "--pojo java --genmodel" | "--pojo rust" => &["--output", "."],
            "--weights" => &["weights"],
            _ => &["m.onnx"],
        };
        // The value comes after the first flag, where it has one.
        let words: Vec<&str> = flags.split(' ').collect();
        let (first, others) = words.split_at(1);
        let args = if flags.starts_with("--pojo") {
            [&["export", "run"][..], &words, target].concat()
        } else {
            [&["export", "run"][..], first, target, others].concat()
        };
        let outcome = folder.run(args)?;
        match export["reason"].as_str() {
            None => assert_eq!(outcome.code, Some(0), "{flags}: {outcome:?}"),
            Some(reason) => assert_eq!(outcome.stderr, format!("error: {reason}\n"), "{flags}"),
        }
        assert_eq!(export["possible"], export["reason"].is_null());
    }
    let refused = |flags: &str| {
        found["exports"]
            .as_array()
            .is_some_and(|all| all.iter().any(|export| export["flags"] == flags && export["possible"] == false))
    };
    assert!(refused("--mojo") && refused("--pojo java --genmodel") && !refused("--pojo java"), "{found}");
    Ok(())
}

/// Writes `told.zip`: the MOJO of the run as H2O would have written it, with what it tells of the training.
fn told(folder: &Folder, tale: &str) -> Result<(), Failed> {
    folder.succeed(["export", "run", "--mojo", "ours.zip"])?;
    let bare = with_entry(folder.bytes("ours.zip")?, "aqueduct/profile.json", |_| Ok(None))?;
    folder.write("told.zip", with_added(bare, "experimental/modelDetails.json", tale)?)
}

fn what_h2o_tells_of_the_training_is_shown() -> Result<(), Failed> {
    let folder = trained()?;
    let columns = json!([{ "name": "" }, { "name": "epochs" }, { "name": "training_logloss" }]);
    let history = json!({ "columns": columns, "data": [["", ""], [0.0, 1.5], ["NaN", 0.25]] });
    let tale = json!({
        "parameters": [{ "name": "epochs", "default_value": 10.0, "actual_value": 1.5, "input_value": 1.5 }],
        "output": {
            "model_summary": { "description": "predicting class" },
            "scoring_history": history,
            "training_metrics": { "logloss": 0.25, "MSE": 0.125 },
            "cross_validation_metrics": { "logloss": 0.5 },
        },
    });
    told(&folder, &tale.to_string())?;
    let found = inspected(&folder, "told.zip")?;
    assert_eq!(found["description"], "predicting class");
    assert_eq!(found["parameters"], json!({ "given": { "epochs": 1.5 }, "effective": { "epochs": 1.5 } }));
    assert_eq!(found["metrics"]["training"], json!({ "logloss": 0.25, "mse": 0.125 }));
    assert_eq!(found["metrics"]["cross_validation"], json!({ "logloss": 0.5 }));
    assert_eq!(found["scoring_history"][1], json!({ "epochs": 1.5, "training_logloss": 0.25 }));
    assert_eq!(found["contributions"]["reference_row"], "scaling");
    let text = folder.succeed(["inspect", "told.zip"])?.stdout;
    let words: Vec<&str> = text.split_whitespace().collect();
    assert!(text.contains("\npredicting class\n") && words.contains(&"cross_validation"), "{text}");
    Ok(())
}

fn a_damaged_tale_is_passed_over() -> Result<(), Failed> {
    let folder = trained()?;
    told(&folder, "{ \"output\": ")?;
    let found = inspected(&folder, "told.zip")?;
    assert_eq!((&found["metrics"], &found["category"]), (&Value::Null, &json!("Multinomial")));
    Ok(())
}

fn a_drawing_is_written_and_written_again() -> Result<(), Failed> {
    let folder = trained()?;
    let said = folder.succeed(["inspect", "run", "--drawing", "net.svg"])?.stdout;
    let drawing = folder.read("net.svg")?;
    assert!(said.starts_with("wrote net.svg (") && drawing.starts_with(exporter::DRAWING_START), "{said}");
    let document = roxmltree::Document::parse(&drawing)?;
    let texts: Vec<&str> = document.descendants().filter_map(|node| node.text()).collect();
    for text in ["class from 4 columns", "petal_len", "Iris-setosa", "25% dropped"] {
        assert!(texts.contains(&text), "{text}: {texts:?}");
    }
    // Machines are not told.
    folder.succeed(["export", "run", "--mojo", "model.zip"])?;
    let json = folder.succeed(["inspect", "model.zip", "--json", "--drawing", "net.svg"])?.stdout;
    serde_json::from_str::<Value>(&json)?;
    assert_eq!(folder.read("net.svg")?, drawing);
    Ok(())
}

fn a_drawing_is_not_written_over_something_else() -> Result<(), Failed> {
    let folder = trained()?;
    folder.write("photo.svg", "<svg></svg>")?;
    for (target, sentence) in [
        ("photo.svg", "--drawing photo.svg exists and is no drawing of ours: choose another file"),
        ("iris.csv", "--drawing iris.csv exists and is no drawing of ours: choose another file"),
        ("run/net.svg", "--drawing run/net.svg is in the folder of the run itself: choose another place"),
        ("no/net.svg", "cannot write --drawing no/net.svg: No such file or directory (os error 2)"),
    ] {
        let before = folder.contents()?;
        let outcome = folder.run(["inspect", "run", "--drawing", target])?;
        assert_eq!((outcome.code, outcome.stderr), (Some(1), format!("error: {sentence}\n")));
        assert!(folder.contents()? == before, "something is changed");
    }
    Ok(())
}

fn every_random_model_is_drawn() -> Result<(), Failed> {
    let folder = Folder::new()?;
    let mut source = Random::new(5);
    for (category, activation) in kinds() {
        let model = random(&mut source, category, activation)?;
        exporter::write_drawing(&model, &folder.path("net.svg"))?;
        let drawing = folder.read("net.svg")?;
        roxmltree::Document::parse(&drawing).map_err(|error| format!("{error}: {model:?}"))?;
        assert!(!drawing.contains("NaN") && !drawing.contains("inf"), "{model:?}");
    }
    Ok(())
}

fn archives_of_h2o() -> Result<Completion, Failed> {
    let zoo = zoo::folders();
    if zoo.is_empty() {
        return Ok(Completion::ignored_with(zoo::MISSING));
    }
    let folder = Folder::new()?;
    for case in zoo {
        let mojo = case.join("model.zip").display().to_string();
        let found = inspected(&folder, &mojo)?;
        folder.succeed(["inspect", &mojo, "--drawing", "net.svg"])?;
        roxmltree::Document::parse(&folder.read("net.svg")?)?;
        let says_much = ["scoring_history", "layer_status"].iter().all(|table| found[*table].is_array());
        assert!(says_much || !has_details(&mojo)?, "{mojo}: {found}");
    }
    Ok(Completion::Completed)
}

fn has_details(mojo: &str) -> Result<bool, Failed> {
    let archive = zip::ZipArchive::new(std::fs::File::open(mojo)?)?;
    Ok(archive.file_names().any(|name| name.is_ok_and(|name| name == "experimental/modelDetails.json")))
}

fn inspected(folder: &Folder, model: &str) -> Result<Value, Failed> {
    Ok(serde_json::from_str(&folder.succeed(["inspect", model, "--json"])?.stdout)?)
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
