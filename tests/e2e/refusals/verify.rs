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
        Refusal::new(
            "verify::a_file_that_begins_like_onnx",
            "verify m.onnx",
            JOB,
            "m.onnx: it is no ONNX file of aqueduct: its metadata has no `aqueduct.version`",
        )
        .with("m.onnx", [8, 8]),
    ]
}

pub fn tests() -> Vec<Trial> {
    trials![a_java_that_does_not_score, a_python_that_does_not_score, an_onnx_file_cut_off_anywhere]
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

fn a_python_that_does_not_score() -> Result<(), Failed> {
    let folder = Folder::new()?;
    make_model(&folder)?;
    folder.succeed(["export", "run", "--onnx", "m.onnx", "--python", "nowhere/python"])?;
    let nothing = "nothing was compared: m.onnx has no golden rows, or no scorer was there to replay them; --h2o-jar and --python \
                   name some";
    for (python, sentence) in [
        ("nowhere/python", nothing),
        ("false", "onnxruntime failed (exit status: 1): it said nothing"),
        ("true", "onnxruntime gave an answer to row 1 that is none: ``"),
    ] {
        let outcome = folder.run(["verify", "m.onnx", "--python", python])?;
        assert_eq!((outcome.code, outcome.stderr), (Some(1), format!("error: {sentence}\n")));
        assert_eq!(outcome.stdout.contains("skipped: cannot run `nowhere/python`"), sentence == nothing);
    }
    Ok(())
}

fn an_onnx_file_cut_off_anywhere() -> Result<(), Failed> {
    let folder = Folder::new()?;
    make_model(&folder)?;
    folder.succeed(["export", "run", "--onnx", "m.onnx", "--python", "nowhere"])?;
    let whole = folder.bytes("m.onnx")?;
    for length in (1..whole.len()).step_by(whole.len() / 40) {
        folder.write("m.onnx", &whole[..length])?;
        let outcome = folder.run(["verify", "m.onnx"])?;
        let said = outcome.stderr.strip_prefix("error: m.onnx: it is no ONNX file");
        assert!(said.is_some_and(|reason| reason.lines().count() == 1), "{length} bytes: {outcome:?}");
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(1), ""), "{length} bytes");
    }
    Ok(())
}
