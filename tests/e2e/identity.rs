//! The same model makes the same bytes, whenever and wherever it is exported.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::Duration;

use libtest_mimic::{Failed, Trial};
use model::Category;

use crate::support::{Folder, outcome, survey, trials};

pub fn tests() -> Vec<Trial> {
    trials![exports_do_not_depend_on_the_hour_or_the_place, what_comes_of_a_mojo_comes_of_its_copy]
}

/// Every format.
const FORMATS: [&[&str]; 9] = [
    &["--mojo", "model.zip"],
    &["--pojo", "java", "--output", "java", "--name", "Net"],
    &["--pojo", "java", "--genmodel", "--output", "genmodel", "--name", "Net"],
    &["--pojo", "rust", "--crate", "--output", "rust", "--name", "net"],
    &["--onnx", "model.onnx"],
    &["--onnx", "single.onnx", "--onnx-type", "f32", "--onnx-inputs", "matrices"],
    &["--weights", "csv"],
    &["--weights", "parquet", "--weights-format", "parquet"],
    &["--weights", "safetensors", "--weights-format", "safetensors"],
];

/// Files by their places.
type Files = BTreeMap<PathBuf, Vec<u8>>;

/// Exports in all formats and draws, with these variables in the environment.
fn exported(model: &str, place: &[(&str, &str)]) -> Result<Files, Failed> {
    let folder = Folder::new()?;
    let mut commands: Vec<Vec<&str>> = FORMATS.iter().map(|flags| [&["export", model][..], flags].concat()).collect();
    commands.push(vec!["inspect", model, "--drawing", "net.svg"]);
    for args in commands {
        let mut command = folder.command(args.iter().copied());
        // Without compilers: that files are right is what other tests are about.
        command.env("PATH", "/nowhere").envs(place.iter().copied());
        let outcome = outcome(command)?;
        assert_eq!(outcome.code, Some(0), "{args:?}: {outcome:?}");
    }
    let root = folder.path("");
    let files = folder.contents()?.into_iter().filter_map(|(path, content)| Some((path, content?)));
    files.map(|(path, content)| Ok((path.strip_prefix(&root)?.to_owned(), content))).collect()
}

fn assert_same(found: &Files, wanted: &Files) {
    assert_eq!(found.keys().collect::<Vec<_>>(), wanted.keys().collect::<Vec<_>>());
    for (path, content) in wanted {
        assert!(&found[path] == content, "{} differs", path.display());
    }
}

/// A run whose columns and levels are odd.
fn trained(category: Category) -> Result<Folder, Failed> {
    let folder = Folder::new()?;
    folder.write("training.csv", survey::training(category).to_csv())?;
    let what = ["train", "--training-frame", "training.csv", "--output", "run"];
    let net = ["--activation", "MaxoutWithDropout", "--hidden", "6,5", "--epochs", "2", "--seed", "7"];
    folder.succeed(what.into_iter().chain(survey::goal(category).iter().copied()).chain(net))?;
    Ok(folder)
}

fn exports_do_not_depend_on_the_hour_or_the_place() -> Result<(), Failed> {
    let folder = trained(Category::Multinomial)?;
    let run = folder.path("run").display().to_string();
    let at_home = exported(&run, &[("TZ", "UTC"), ("LANG", "C"), ("HOME", "/")])?;
    // The clock of zip archives has steps of two seconds.
    sleep(Duration::from_millis(2100));
    let abroad = [
        ("TZ", "Asia/Kolkata"),
        ("LANG", "tr_TR.UTF-8"),
        ("LC_ALL", "de_DE.UTF-8"),
        ("LC_NUMERIC", "de_DE.UTF-8"),
        ("USER", "somebody"),
        ("HOSTNAME", "elsewhere"),
        ("RAYON_NUM_THREADS", "1"),
        ("SOURCE_DATE_EPOCH", "1"),
    ];
    assert_same(&exported(&run, &abroad)?, &at_home);
    Ok(())
}

fn what_comes_of_a_mojo_comes_of_its_copy() -> Result<(), Failed> {
    let folder = trained(Category::Binomial)?;
    let run = exported(&folder.path("run").display().to_string(), &[])?;
    folder.write("model.zip", &run[&PathBuf::from("model.zip")])?;
    let mojo = exported(&folder.path("model.zip").display().to_string(), &[])?;
    assert_same(&mojo, &run);
    folder.write("copy.zip", &mojo[&PathBuf::from("model.zip")])?;
    assert_same(&exported(&folder.path("copy.zip").display().to_string(), &[])?, &run);
    Ok(())
}
