//! Our MOJOs in H2O's own runtime: every activation and kind of model, with names, levels and numbers as odd as they get.

use exporter::Parity;
use libtest_mimic::{Failed, Trial};
use model::Category;

use crate::support::answers::compare;
use crate::support::java::{self, Runtime};
use crate::support::table::Table;
use crate::support::{Folder, archive, survey, trials};

/// As many as the golden rows of most models, or more.
const ROWS: usize = 300;

pub fn tests() -> Vec<Trial> {
    let mut tests = trials![
        a_mojo_is_exported_again_byte_for_byte,
        a_model_that_is_not_what_its_rows_say_is_not_exported,
        a_name_that_model_ini_cannot_carry_is_refused,
        verify_without_the_runtime_says_that_it_was_skipped,
    ];
    for activation in ["Rectifier", "Tanh", "Maxout", "ExpRectifier"] {
        for dropout in ["", "WithDropout"] {
            for category in Category::ALL {
                // An autoencoder has no two channels.
                if category == Category::AutoEncoder && activation == "Maxout" {
                    continue;
                }
                let activation = format!("{activation}{dropout}");
                let name = format!("mojo::{activation}_{category}").to_lowercase();
                tests.push(java::trial(name, move |runtime| as_in_the_runtime(runtime, &activation, category)));
            }
        }
    }
    tests
}

fn as_in_the_runtime(runtime: &Runtime, activation: &str, category: Category) -> Result<(), Failed> {
    let folder = Folder::new()?;
    train(&folder, activation, category)?;
    let rows = survey::to_score(ROWS);
    folder.write("rows.csv", rows.to_csv())?;
    folder.succeed(["predict", "model.zip", "--input", "rows.csv", "--output", "ours.csv"])?;
    let ours = Table::read(&folder.path("ours.csv"))?;
    let theirs = runtime.score(&folder.path("model.zip"), &rows)?;
    let model = exporter::read_mojo(&folder.path("model.zip"))?.model;
    compare(&model, Parity::of(&model), &theirs, &ours.rows)?;
    // A table in which every answer is the same would prove nothing.
    let mut different: Vec<&Vec<String>> = theirs.iter().collect();
    different.sort();
    different.dedup();
    assert!(different.len() > ROWS / 2, "only {} different answers", different.len());

    let jar = runtime.jar.display().to_string();
    folder.succeed(["verify", "model.zip", "--h2o-jar", &jar, "--scorers", "h2o-genmodel"])?;
    change_one_weight(&folder)?;
    let outcome = folder.run(["verify", "changed.zip", "--json", "--scorers", "h2o-genmodel"])?;
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    Ok(())
}

fn train(folder: &Folder, activation: &str, category: Category) -> Result<(), Failed> {
    folder.write("training.csv", survey::training(category).to_csv())?;
    let what = ["train", "--training-frame", "training.csv", "--output", "run"];
    let net = ["--activation", activation, "--hidden", "6,5", "--epochs", "4", "--seed", "7"];
    folder.succeed(what.into_iter().chain(survey::goal(category).iter().copied()).chain(net))?;
    folder.succeed(["export", "run", "--mojo", "model.zip"])?;
    Ok(())
}

/// Writes `changed.zip`: `model.zip` with another first weight of its second layer.
fn change_one_weight(folder: &Folder) -> Result<(), Failed> {
    let changed = archive::with_entry(folder.bytes("model.zip")?, "model.ini", |text| {
        let (before, weights) = text.split_once("weight_layer1 = [").ok_or("no weights")?;
        let (_, after) = weights.split_once(',').ok_or("one weight")?;
        Ok(Some(format!("{before}weight_layer1 = [0.625,{after}")))
    })?;
    folder.write("changed.zip", changed)
}

fn verify_without_the_runtime_says_that_it_was_skipped() -> Result<(), Failed> {
    let folder = Folder::new()?;
    train(&folder, "Maxout", Category::Binomial)?;
    let report: serde_json::Value =
        serde_json::from_str(&folder.succeed(["verify", "run", "--json", "--scorers", "h2o-genmodel"])?.stdout)?;
    assert_eq!(report["agrees"], true);
    assert_eq!(report["scorers"][0]["scorer"], "aqueduct");
    assert_eq!(report["scorers"][0]["outcome"], "agrees");
    assert_eq!(report["scorers"][1]["scorer"], "h2o-genmodel");
    assert_eq!(report["scorers"][1]["outcome"], "skipped");
    assert_eq!(report["scorers"][1]["reason"], "no jar of H2O's runtime was given");

    change_one_weight(&folder)?;
    let outcome = folder.run(["verify", "changed.zip", "--json", "--scorers", "h2o-genmodel"])?;
    let report: serde_json::Value = serde_json::from_str(&outcome.stdout)?;
    assert_eq!((outcome.code, &report["agrees"]), (Some(1), &false.into()), "{outcome:?}");
    assert_eq!(report["scorers"][0]["outcome"], "disagrees");
    Ok(())
}

fn a_mojo_is_exported_again_byte_for_byte() -> Result<(), Failed> {
    let folder = Folder::new()?;
    train(&folder, "Tanh", Category::Multinomial)?;
    let said = folder.succeed(["export", "model.zip", "--mojo", "again.zip"])?.stdout;
    assert!(said.starts_with("wrote again.zip (") && said.contains("\n  aqueduct: "), "{said}");
    assert!(folder.bytes("again.zip")? == folder.bytes("model.zip")?, "the archives differ");
    Ok(())
}

fn a_model_that_is_not_what_its_rows_say_is_not_exported() -> Result<(), Failed> {
    let folder = Folder::new()?;
    train(&folder, "Rectifier", Category::Regression)?;
    change_one_weight(&folder)?;
    let before = folder.contents()?;
    for target in ["model.zip", "new.zip"] {
        let outcome = folder.run(["export", "changed.zip", "--mojo", target])?;
        let refusal =
            format!("error: {target} was not written, as it does not say what the model says: aqueduct: row ");
        assert!(outcome.code == Some(1) && outcome.stderr.starts_with(&refusal), "{outcome:?}");
        assert!(folder.contents()? == before, "something is changed");
    }
    Ok(())
}

fn a_name_that_model_ini_cannot_carry_is_refused() -> Result<(), Failed> {
    for (name, reason) in [
        (" x", "begins or ends with a blank or a control character"),
        ("# x", "begins with `#`, as comments do"),
        ("[columns]", "is the header of a section of `model.ini`"),
        ("two\nlines", "contains a line end"),
    ] {
        let folder = Folder::new()?;
        let mut table = survey::training(Category::Binomial);
        name.clone_into(&mut table.header[1]);
        folder.write("training.csv", table.to_csv())?;
        let data = ["--training-frame", "training.csv", "--response-column", survey::RESPONSE];
        let net = ["--hidden", "3", "--epochs", "1", "--seed", "7", "--output", "run"];
        folder.succeed(["train"].into_iter().chain(data).chain(net))?;
        let before = folder.contents()?;
        let outcome = folder.run(["export", "run", "--mojo", "model.zip"])?;
        assert_eq!(outcome.code, Some(1), "{outcome:?}");
        // A sentence is one line, whatever is in a name.
        let shown = name.escape_default();
        assert_eq!(
            outcome.stderr,
            format!(
                "error: column `{shown}`: a MOJO cannot carry its name, which {reason}; rename it in the training frame\n"
            )
        );
        assert_eq!(folder.contents()?, before, "something is left");
    }
    Ok(())
}
