//! `aqueduct export` and what it reads: the folder of a run.

use libtest_mimic::{Failed, Trial};

use super::{JOB, Refusal, USAGE, make_model};
use crate::support::{Folder, trials};

pub fn refusals() -> Vec<Refusal> {
    vec![
        Refusal::new(
            "export::a_run_that_is_missing",
            "export run --mojo m.zip",
            JOB,
            "run: it cannot be read: No such file or directory (os error 2)",
        ),
        Refusal::new(
            "export::a_folder_that_is_no_run",
            "export papers --mojo m.zip",
            JOB,
            "papers is not the output of `aqueduct train`: expected checkpoint.safetensors in it",
        )
        .with("papers/letter.txt", "dear"),
        Refusal::new(
            "export::a_checkpoint_that_is_text",
            "export run --mojo m.zip",
            JOB,
            "run/checkpoint.safetensors is no checkpoint: header too large",
        )
        .with("run/checkpoint.safetensors", "This is no checkpoint at all."),
        Refusal::of_flags(
            "export::no_kind_of_artifact",
            "export run",
            "the following required arguments were not provided:",
        ),
        Refusal::new(
            "export::a_target_in_a_missing_folder",
            "export run --mojo out/m.zip",
            JOB,
            "cannot write `out/m.zip`: No such file or directory (os error 2)",
        )
        .with_model(),
        Refusal::new(
            "export::a_target_below_a_file",
            "export run --mojo rows.csv/m.zip",
            JOB,
            "cannot write `rows.csv/m.zip`: Not a directory (os error 20)",
        )
        .with_model(),
        Refusal::new(
            "export::a_target_that_is_a_folder",
            "export run --mojo papers",
            JOB,
            "cannot write `papers`: is a directory",
        )
        .with_model()
        .with("papers/letter.txt", "dear"),
        Refusal::new(
            "export::a_target_that_is_the_model",
            "export model.zip --mojo ./model.zip",
            JOB,
            "--mojo ./model.zip is the model itself: choose another place",
        )
        .with_model(),
        Refusal::new(
            "export::two_targets_in_one_place",
            "export run --mojo both --onnx ./both",
            JOB,
            "--onnx ./both is where --mojo goes as well: choose another place",
        )
        .with_model(),
        Refusal::new(
            "export::a_target_among_the_weights",
            "export run --mojo tables/m.zip --weights tables",
            JOB,
            "--weights tables is where --mojo goes as well: choose another place",
        )
        .with_model(),
        Refusal::new(
            "export::weights_into_the_run",
            "export run --weights run/tables",
            JOB,
            "--weights run/tables is in the folder of the run itself: choose another place",
        )
        .with_model(),
        Refusal::new(
            "export::rust_over_a_source_of_another",
            "export run --pojo rust --output out",
            JOB,
            "--output out/run.rs exists and is no Rust source of ours: choose another file",
        )
        .with_model()
        .with("out/run.rs", "fn main() {}"),
        Refusal::new(
            "export::a_crate_over_another",
            "export run --pojo rust --output out --crate",
            JOB,
            "--output out/Cargo.toml exists and is no Rust source of ours: choose another file",
        )
        .with_model()
        .with("out/Cargo.toml", "[package]"),
        Refusal::new(
            "export::rust_into_the_run",
            "export run --pojo rust --output run",
            JOB,
            "--output run/run.rs is in the folder of the run itself: choose another place",
        )
        .with_model(),
        Refusal::new(
            "export::a_crate_of_java",
            "export run --pojo java --output out --crate",
            USAGE,
            "--crate is for --pojo rust",
        )
        .with_model(),
        Refusal::new(
            "export::rust_of_the_runtime",
            "export run --pojo rust --output out --genmodel",
            USAGE,
            "--genmodel is for --pojo java",
        )
        .with_model(),
        Refusal::of_flags(
            "export::rust_to_nowhere",
            "export run --pojo rust",
            "the following required arguments were not provided: --output <DIR>",
        ),
        Refusal::new(
            "export::a_target_that_is_a_table",
            "export run --mojo rows.csv",
            JOB,
            "--mojo rows.csv exists and is no MOJO: choose another file",
        )
        .with_model(),
        Refusal::new(
            "export::an_onnx_target_that_is_a_table",
            "export run --onnx rows.csv",
            JOB,
            "--onnx rows.csv exists and is no ONNX file: choose another file",
        )
        .with_model(),
        Refusal::new(
            "export::a_report_over_a_table",
            "export run --report rows.csv",
            JOB,
            "--report rows.csv exists and is no report of ours: choose another file",
        )
        .with_model(),
        Refusal::new(
            "export::a_report_over_the_page_of_another",
            "export run --report page.html",
            JOB,
            "--report page.html exists and is no report of ours: choose another file",
        )
        .with_model()
        .with("page.html", "<!DOCTYPE html>\n<html></html>"),
        Refusal::new(
            "export::a_report_into_the_run",
            "export run --report run/report.html",
            JOB,
            "--report run/report.html is in the folder of the run itself: choose another place",
        )
        .with_model(),
        Refusal::new(
            "export::a_report_that_is_a_folder",
            "export run --report papers",
            JOB,
            "cannot write `papers`: is a directory",
        )
        .with("papers/letter.txt", "dear")
        .with_model(),
        Refusal::new(
            "export::a_report_in_a_missing_folder",
            "export run --report out/r.html",
            JOB,
            "cannot write `out/r.html`: No such file or directory (os error 2)",
        )
        .with_model(),
        Refusal::new(
            "export::a_report_of_a_run_with_broken_metrics",
            "export run --report r.html",
            JOB,
            "run/metrics.json is not JSON: EOF while parsing a value at line 1 column 0",
        )
        .with_model()
        .with("run/metrics.json", ""),
        Refusal::new(
            "export::weights_over_a_table",
            "export run --weights rows.csv",
            JOB,
            "--weights rows.csv exists and is no folder: choose another one",
        )
        .with_model(),
        Refusal::new(
            "export::weights_among_letters",
            "export run --weights papers",
            JOB,
            "--weights papers exists and holds `letter.txt`, which is no table of weights: choose another folder",
        )
        .with("papers/letter.txt", "dear")
        .with_model(),
        Refusal::new(
            "export::weights_over_a_table_of_another",
            "export run --weights papers",
            JOB,
            "--weights papers exists and holds `weights.kg.csv`, which is no table of weights: choose another folder",
        )
        .with("papers/weights.kg.csv", "61.5")
        .with_model(),
        Refusal::new(
            "export::weights_over_a_folder_of_another",
            "export run --weights papers",
            JOB,
            "--weights papers exists and holds `weights.0.csv`, which is no table of weights: choose another folder",
        )
        .with("papers/weights.0.csv/letter.txt", "dear")
        .with_model(),
        Refusal::new(
            "export::weights_over_the_run",
            "export run --weights run",
            JOB,
            "--weights run is the model itself: choose another place",
        )
        .with_model(),
        Refusal::new(
            "export::weights_in_a_missing_folder",
            "export run --weights out/tables",
            JOB,
            "cannot write --weights out/tables: cannot create a folder in out: No such file or directory (os error 2)",
        )
        .with_model(),
        Refusal::of_flags(
            "export::a_type_of_no_onnx_file",
            "export run --mojo m.zip --onnx-type f32",
            "the following required arguments were not provided: --onnx <FILE>",
        ),
    ]
}

pub fn tests() -> Vec<Trial> {
    trials![a_checkpoint_cut_off_anywhere]
}

fn a_checkpoint_cut_off_anywhere() -> Result<(), Failed> {
    let folder = Folder::new()?;
    make_model(&folder)?;
    let whole = folder.bytes("run/checkpoint.safetensors")?;
    let lengths = (0..12).chain((12..whole.len()).step_by(whole.len() / 40)).chain(whole.len() - 3..whole.len());
    for length in lengths {
        folder.write("run/checkpoint.safetensors", &whole[..length])?;
        let before = folder.contents()?;
        let outcome = folder.run(["export", "run", "--mojo", "cut.zip"])?;
        let said = outcome.stderr.strip_prefix("error: run/checkpoint.safetensors is no checkpoint: ");
        assert!(said.is_some_and(|reason| reason.lines().count() == 1), "{length} bytes: {outcome:?}");
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(1), ""), "{length} bytes");
        assert!(folder.contents()? == before, "{length} bytes: something is left");
    }
    Ok(())
}
