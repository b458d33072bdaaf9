//! `aqueduct predict`, and `inspect`, which reads the same models.

use super::{JOB, Refusal};

const COMMAND: &str = "predict model.zip --input rows.csv --output out.csv";
const STRICT: &str = "predict model.zip --input rows.csv --output out.csv --strict";

pub fn refusals() -> Vec<Refusal> {
    let mut refusals = models();
    refusals.extend(inputs());
    refusals.extend(tables());
    refusals.extend(outputs());
    refusals.extend(answers());
    refusals
}

fn models() -> Vec<Refusal> {
    vec![
        Refusal::new(
            "predict::a_model_that_is_missing",
            COMMAND,
            JOB,
            "model.zip: it cannot be read: No such file or directory (os error 2)",
        ),
        Refusal::new(
            "predict::a_model_that_is_a_table",
            COMMAND,
            JOB,
            "model.zip: it is no zip archive, or one that is cut off or damaged (Could not find EOCD)",
        )
        .with("model.zip", "age,town\n"),
        Refusal::new(
            "predict::a_folder_that_is_no_run",
            "predict papers --input rows.csv --output out.csv",
            JOB,
            "papers is not the output of `aqueduct train`: expected checkpoint.safetensors in it",
        )
        .with("papers/letter.txt", "dear"),
        Refusal::new(
            "inspect::a_model_that_is_missing",
            "inspect model.zip",
            JOB,
            "model.zip: it cannot be read: No such file or directory (os error 2)",
        ),
        Refusal::new(
            "inspect::a_folder_that_is_no_run",
            "inspect papers --json",
            JOB,
            "papers is not the output of `aqueduct train`: expected checkpoint.safetensors in it",
        )
        .with("papers/letter.txt", "dear"),
        Refusal::new(
            "inspect::a_run_without_its_metrics",
            "inspect run --json",
            JOB,
            "run/metrics.json is not JSON: EOF while parsing a value at line 1 column 0",
        )
        .with_model()
        .with("run/metrics.json", ""),
    ]
}

fn inputs() -> Vec<Refusal> {
    let of_rows = |name, command, content: &[u8], sentence| {
        Refusal::new(name, command, JOB, sentence).with_model().with("rows.csv", content)
    };
    vec![
        Refusal::new(
            "predict::an_input_that_is_missing",
            "predict model.zip --input absent.csv --output out.csv",
            JOB,
            "cannot open absent.csv: No such file or directory (os error 2)",
        )
        .with_model(),
        Refusal::new(
            "predict::an_input_that_is_a_folder",
            "predict model.zip --input run --output out.csv",
            JOB,
            "run is a folder, expected a CSV file",
        )
        .with_model(),
        of_rows("predict::an_empty_input", COMMAND, b"", "rows.csv is empty, expected a header and rows"),
        of_rows(
            "predict::an_input_of_other_columns",
            COMMAND,
            b"height,weight\n1,2\n",
            "rows.csv has none of the model's columns in its first line, expected `town`, `age`, separated by commas",
        ),
        of_rows(
            "predict::two_columns_of_one_name",
            COMMAND,
            b"age,town,age\n1,a,2\n",
            "rows.csv has two columns named `age`, expected different names",
        ),
        of_rows(
            "predict::an_input_that_is_not_utf_8",
            COMMAND,
            b"age,town\n1,a\n2,\xff\n",
            "rows.csv, line 3: not UTF-8 text",
        ),
        of_rows(
            "predict::a_header_that_is_not_utf_8",
            COMMAND,
            b"\xffage,town\n1,a\n",
            "rows.csv, line 1: not UTF-8 text",
        ),
        of_rows(
            "predict::a_gzip_input_that_is_cut_off",
            COMMAND,
            b"\x1f\x8b\x08\0\0\0\0\0\0\xff",
            "cannot read rows.csv: incomplete deflate stream",
        ),
        of_rows(
            "predict::strict::a_column_that_is_missing",
            STRICT,
            b"age\n1\n",
            "rows.csv: there is no column `town`",
        ),
        of_rows(
            "predict::strict::a_level_that_is_unknown",
            STRICT,
            b"age,town\n1,a\n2,z\n",
            "rows.csv, line 3, column `town`: a level that the model was not trained on",
        ),
        of_rows(
            "predict::strict::a_number_that_is_none",
            STRICT,
            b"age,town\n1,a\nten,b\n",
            "rows.csv, line 3, column `age`: not a number",
        ),
        of_rows(
            "predict::strict::a_cell_too_few",
            STRICT,
            b"age,town\n1,a\n2\n",
            "rows.csv, line 3: expected 2 cells, found 1",
        ),
        of_rows(
            "predict::strict::a_cell_too_many",
            STRICT,
            b"age,town\n1,a\n2,b,3\n",
            "rows.csv, line 3: expected 2 cells, found 3",
        ),
    ]
}

/// What the model does not have.
fn answers() -> Vec<Refusal> {
    vec![
        Refusal::new(
            "predict::errors_by_feature_of_a_classifier",
            "predict model.zip --input rows.csv --output out.csv --per-feature",
            JOB,
            "--per-feature: model.zip is a binomial model, expected an autoencoder",
        )
        .with_model(),
        Refusal::new(
            "predict::deep_features_of_a_layer_too_far",
            "predict run --input rows.csv --output out.csv --deep-features 1",
            JOB,
            "--deep-features 1: run has one hidden layer, 0",
        )
        .with_model(),
        Refusal::of_flags(
            "predict::deep_features_of_a_layer_that_is_no_number",
            "predict run --input rows.csv --output out.csv --deep-features last",
            "invalid value 'last' for '--deep-features <LAYER>': expected the number of a hidden layer, counted from 0",
        ),
        Refusal::of_flags(
            "predict::deep_features_of_a_layer_below_none",
            "predict run --input rows.csv --output out.csv --deep-features -1",
            "invalid value '-1' for '--deep-features <LAYER>': expected the number of a hidden layer, counted from 0",
        ),
        Refusal::of_flags(
            "predict::deep_features_and_errors_at_once",
            "predict run --input rows.csv --output out.csv --per-feature --deep-features 0",
            "the argument '--per-feature' cannot be used with '--deep-features <LAYER>'",
        ),
    ]
}

/// Tables that training reads.
fn tables() -> Vec<Refusal> {
    let of_table = |name, start: &'static [u8], sentence| {
        let command = "predict model.zip --input table --output out.csv";
        Refusal::new(name, command, JOB, sentence).with_model().with("table", start)
    };
    vec![
        of_table(
            "predict::a_parquet_file",
            b"PAR1\x15\x04",
            "table is a Parquet file, expected a CSV file, plain or gzip",
        ),
        of_table("predict::an_arrow_file", b"ARROW1\0\0", "table is an Arrow file, expected a CSV file, plain or gzip"),
        of_table("predict::a_zip_file", b"PK\x03\x04", "table is a zip file, expected a CSV file, plain or gzip"),
    ]
}

fn outputs() -> Vec<Refusal> {
    vec![
        Refusal::of_flags(
            "predict::no_output",
            "predict model.zip --input rows.csv",
            "the following required arguments were not provided:",
        ),
        Refusal::of_flags(
            "predict::a_header_neither_true_nor_false",
            "predict model.zip --input rows.csv --output out.csv --header maybe",
            "invalid value 'maybe' for '--header <HEADER>'",
        ),
        Refusal::new(
            "predict::an_output_in_a_missing_folder",
            "predict model.zip --input rows.csv --output out/out.csv",
            JOB,
            "cannot write --output out/out.csv: No such file or directory (os error 2)",
        )
        .with_model(),
        Refusal::new(
            "predict::an_output_below_a_file",
            "predict model.zip --input rows.csv --output rows.csv/out.csv",
            JOB,
            "cannot write --output rows.csv/out.csv: Not a directory (os error 20)",
        )
        .with_model(),
        Refusal::new(
            "predict::an_output_that_is_a_folder",
            "predict model.zip --input rows.csv --output run",
            JOB,
            "cannot write --output run: is a directory",
        )
        .with_model(),
    ]
}
