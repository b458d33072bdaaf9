//! `aqueduct predict --contributions`.

use super::{JOB, Refusal};

const COMMAND: &str =
    "predict model.zip --input rows.csv --output out.csv --contributions --background-frame background.csv";

pub fn refusals() -> Vec<Refusal> {
    let of_background = |name, content: &[u8], sentence| {
        Refusal::new(name, COMMAND, JOB, sentence).with_model().with("background.csv", content)
    };
    vec![
        Refusal::new(
            "contributions::a_background_that_is_missing",
            COMMAND,
            JOB,
            "cannot open background.csv: No such file or directory (os error 2)",
        )
        .with_model(),
        of_background("contributions::an_empty_background", b"", "background.csv is empty, expected a header and rows"),
        of_background(
            "contributions::a_background_without_rows",
            b"age,town\n",
            "background.csv has a header but no rows",
        ),
        of_background(
            "contributions::a_background_that_lacks_a_column",
            b"age\n3\n",
            "--background-frame background.csv: there is no column `town`, expected all of the model's columns",
        ),
        Refusal::new(
            "contributions::an_output_that_is_the_background",
            "predict model.zip --input rows.csv --output background.csv --contributions --background-frame background.csv",
            JOB,
            "--output background.csv is the background frame itself: choose another file",
        )
        .with_model()
        .with("background.csv", "age,town\n3,a\n"),
        Refusal::of_flags(
            "contributions::with_errors_by_feature",
            "predict model.zip --input rows.csv --output out.csv --contributions --per-feature",
            "the argument '--contributions' cannot be used with '--per-feature'",
        ),
        Refusal::of_flags(
            "contributions::with_deep_features",
            "predict model.zip --input rows.csv --output out.csv --contributions --deep-features 0",
            "the argument '--contributions' cannot be used with '--deep-features <LAYER>'",
        ),
        Refusal::of_flags(
            "contributions::a_background_for_predictions",
            "predict model.zip --input rows.csv --output out.csv --background-frame background.csv",
            "the following required arguments were not provided: --contributions",
        ),
        Refusal::of_flags(
            "contributions::rows_by_reference_without_a_background",
            "predict model.zip --input rows.csv --output out.csv --contributions --output-per-reference",
            "the following required arguments were not provided: --background-frame <FILE>",
        ),
        Refusal::of_flags(
            "contributions::an_unknown_format",
            "predict model.zip --input rows.csv --output out.csv --contributions --output-format wide",
            "invalid value 'wide' for '--output-format <OUTPUT_FORMAT>'",
        ),
    ]
}
