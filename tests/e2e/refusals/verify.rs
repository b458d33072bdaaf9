//! `aqueduct verify`.

use libtest_mimic::{Failed, Trial};

use super::{JOB, Refusal, make_model};
use crate::support::{Folder, archive, trials};

pub fn refusals() -> Vec<Refusal> {
    vec![
        Refusal::new(
            "verify::a_model_that_is_missing",
            "verify model.zip",
            JOB,
            "model.zip: it cannot be read: No such file or directory (os error 2)",
        ),
        Refusal::new(
            "verify::a_folder_that_is_no_run",
            "verify papers",
            JOB,
            "papers is not the output of `aqueduct train`: expected checkpoint.safetensors in it",
        )
        .with("papers/letter.txt", "dear"),
        Refusal::new(
            "verify::a_jar_that_is_missing",
            "verify model.zip --h2o-jar h2o.jar",
            JOB,
            "cannot read the jar `h2o.jar`: No such file or directory (os error 2)",
        )
        .with_model(),
        Refusal::new(
            "verify::a_jar_that_is_none",
            "verify model.zip --h2o-jar rows.csv",
            JOB,
            "cannot read the jar `rows.csv`: invalid Zip archive: Could not find EOCD",
        )
        .with_model(),
        Refusal::new(
            "verify::a_jar_of_something_else",
            "verify model.zip --h2o-jar model.zip",
            JOB,
            "the jar `model.zip` does not hold H2O's runtime, hex.genmodel: expected h2o-genmodel.jar or h2o.jar",
        )
        .with_model(),
    ]
}

pub fn tests() -> Vec<Trial> {
    trials![a_java_that_does_not_score]
}

/// Before Java starts, all that is looked for in a jar is the runtime's class.
fn a_java_that_does_not_score() -> Result<(), Failed> {
    let folder = Folder::new()?;
    make_model(&folder)?;
    folder.write("h2o.jar", archive::with_one("hex/genmodel/easy/EasyPredictModelWrapper.class")?)?;
    for (java, sentence) in [
        (
            "nowhere/java",
            "cannot run `nowhere/java`, Java 11 or later is needed: No such file or directory (os error 2)",
        ),
        ("false", "H2O's runtime failed (exit status: 1): it said nothing"),
    ] {
        let before = folder.contents()?;
        let outcome = folder.run(["verify", "model.zip", "--h2o-jar", "h2o.jar", "--java", java])?;
        assert_eq!(outcome.stderr, format!("error: {sentence}\n"));
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(1), ""));
        assert!(folder.contents()? == before, "something is left");
    }
    Ok(())
}
