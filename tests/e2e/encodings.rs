//! Categorical encodings and levels that share slots, from a table to H2O's own runtime.

use exporter::Parity;
use libtest_mimic::{Failed, Trial};
use model::Category;

use crate::support::answers::compare;
use crate::support::java::{self, Runtime};
use crate::support::table::Table;
use crate::support::{Folder, survey, trials};

const ROWS: usize = 200;
/// Of numbers, as a written-out net adds them in another order.
const OTHER_ORDER: f64 = 1e-12;

pub fn tests() -> Vec<Trial> {
    let mut tests = trials![
        a_mojo_of_few_levels_is_refused_and_the_run_predicts,
        a_hashed_run_and_its_mojo_say_the_same,
        encodings_of_others_are_refused,
    ];
    let settings: [(&str, &[&str]); 6] = [
        ("binary", &["--categorical-encoding", "Binary"]),
        ("eigen", &["--categorical-encoding", "Eigen"]),
        ("labels", &["--categorical-encoding", "LabelEncoder"]),
        ("sorted", &["--categorical-encoding", "SortByResponse"]),
        ("hashed", &["--max-categorical-features", "5"]),
        ("hashed_without_first", &["--max-categorical-features", "5", "--use-all-factor-levels", "false"]),
    ];
    for (name, flags) in settings {
        for engine in ["plain", "fast"] {
            let name = format!("encodings::{name}_{engine}");
            tests.push(java::trial(name, move |runtime| as_in_the_runtime(runtime, flags, engine)));
        }
    }
    tests
}

fn as_in_the_runtime(runtime: &Runtime, flags: &[&str], engine: &str) -> Result<(), Failed> {
    let folder = Folder::new()?;
    train(&folder, &[flags, &["--engine", engine]].concat())?;
    folder.succeed(["export", "run", "--mojo", "model.zip"])?;
    let rows = without_padding(survey::to_score(ROWS));
    folder.write("rows.csv", rows.to_csv())?;
    folder.succeed(["predict", "model.zip", "--input", "rows.csv", "--output", "ours.csv"])?;
    let model = exporter::read_mojo(&folder.path("model.zip"))?.model;
    let theirs = runtime.score(&folder.path("model.zip"), &rows)?;
    compare(&model, Parity::of(&model), &theirs, &Table::read(&folder.path("ours.csv"))?.rows)?;
    let jar = runtime.jar.display().to_string();
    folder.succeed(["verify", "run", "--h2o-jar", &jar, "--scorers", "h2o-genmodel"])?;
    Ok(())
}

fn a_hashed_run_and_its_mojo_say_the_same() -> Result<(), Failed> {
    let folder = Folder::new()?;
    train(&folder, &["--max-categorical-features", "4"])?;
    folder.succeed(["export", "run", "--mojo", "model.zip"])?;
    folder.write("rows.csv", survey::to_score(ROWS).to_csv())?;
    for (model, output) in [("run", "run.csv"), ("model.zip", "mojo.csv")] {
        folder.succeed(["predict", model, "--input", "rows.csv", "--output", output])?;
    }
    let (run, mojo) = (Table::read(&folder.path("run.csv"))?, Table::read(&folder.path("mojo.csv"))?);
    for (run, mojo) in run.rows.iter().zip(&mojo.rows) {
        for (run, mojo) in run.iter().zip(mojo) {
            if let (Ok(run), Ok(mojo)) = (run.parse::<f64>(), mojo.parse::<f64>()) {
                assert!(run == mojo || (run - mojo).abs() <= OTHER_ORDER * run.abs(), "{run}, {mojo}");
            } else {
                assert_eq!(run, mojo);
            }
        }
    }
    Ok(())
}

fn a_mojo_of_few_levels_is_refused_and_the_run_predicts() -> Result<(), Failed> {
    let folder = Folder::new()?;
    train(&folder, &["--categorical-encoding", "EnumLimited", "--max-categorical-levels", "3"])?;
    folder.write("rows.csv", survey::to_score(ROWS).to_csv())?;
    folder.succeed(["predict", "run", "--input", "rows.csv", "--output", "run.csv"])?;
    let outcome = folder.run(["export", "run", "--mojo", "model.zip"])?;
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    assert!(outcome.stderr.contains("no MOJO can be written of categorical_encoding EnumLimited"), "{outcome:?}");
    assert!(!folder.path("model.zip").exists());
    Ok(())
}

fn encodings_of_others_are_refused() -> Result<(), Failed> {
    let folder = Folder::new()?;
    folder.write("training.csv", survey::training(Category::Regression).to_csv())?;
    for encoding in ["Enum", "OneHotExplicit"] {
        let goal = survey::goal(Category::Regression).iter().copied();
        let what = ["train", "--training-frame", "training.csv", "--output", "run", "--categorical-encoding", encoding];
        let outcome = folder.run(what.into_iter().chain(goal))?;
        assert_eq!(outcome.code, Some(2), "{outcome:?}");
        let sentence =
            format!("categorical_encoding: {encoding} is not allowed, expected AUTO, OneHotInternal, Binary");
        assert!(outcome.stderr.contains(&sentence), "{outcome:?}");
    }
    Ok(())
}

fn train(folder: &Folder, flags: &[&str]) -> Result<(), Failed> {
    folder.write("training.csv", without_padding(survey::training(Category::Multinomial)).to_csv())?;
    let what = ["train", "--training-frame", "training.csv", "--output", "run"];
    let net = ["--hidden", "6,5", "--epochs", "4", "--seed", "7"];
    let goal = survey::goal(Category::Multinomial).iter().copied();
    folder.succeed(what.into_iter().chain(goal).chain(net).chain(flags.iter().copied()))?;
    Ok(())
}

/// Levels that a MOJO with an encoding can carry, which are those without outer blanks.
fn without_padding(mut table: Table) -> Table {
    for cell in table.rows.iter_mut().flatten() {
        *cell = cell.trim_matches(|c| c <= ' ').to_owned();
    }
    table
}
