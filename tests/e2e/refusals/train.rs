//! `aqueduct train`.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::{JOB, Refusal, USAGE, training_data};

pub fn refusals() -> Vec<Refusal> {
    let mut refusals = files();
    refusals.extend(columns());
    refusals.extend(flags());
    refusals.extend(autoencoders());
    refusals.extend(parameter_files());
    refusals.extend(outputs());
    refusals.extend(validation());
    refusals
}

const DATA: &str = "train --progress off --training-frame data.csv --response-column paid --output run";

/// Data in which something is wrong.
fn of_data(name: &'static str, content: impl Into<Vec<u8>>, sentence: &'static str) -> Refusal {
    Refusal::new(name, DATA, JOB, sentence).with("data.csv", content)
}

/// Good data, and a flag in which something is wrong.
fn of_flag(name: &'static str, command: &'static str, code: i32, sentence: &'static str) -> Refusal {
    Refusal::new(name, command, code, sentence).with("data.csv", training_data())
}

fn files() -> Vec<Refusal> {
    vec![
        Refusal::new(
            "train::a_file_that_is_missing",
            DATA,
            JOB,
            "cannot open data.csv: No such file or directory (os error 2)",
        ),
        Refusal::new(
            "train::a_folder_within_a_folder",
            DATA,
            JOB,
            "data.csv/more is a folder within a folder, expected files alone",
        )
        .with("data.csv/0.csv", training_data())
        .with("data.csv/more/1.csv", training_data()),
        Refusal::new(
            "train::a_folder_without_files",
            DATA,
            JOB,
            "data.csv is a folder without files, expected one at least (names that begin with `.` or `_` do not count)",
        )
        .with("data.csv/.hidden", training_data()),
        Refusal::new(
            "train::a_folder_of_files_that_differ",
            DATA,
            JOB,
            "data.csv/1.csv calls column 1 \"years\", but data.csv/0.csv calls column 1 \"age\": the files of a table have \
             to agree",
        )
        .with("data.csv/0.csv", "age,paid\n1,no\n2,yes\n")
        .with("data.csv/1.csv", "years,paid\n1,no\n2,yes\n"),
        of_data(
            "train::a_parquet_file_that_is_cut_off",
            b"PAR1\x15\x04\x15\x10\x15\x14".as_slice(),
            "data.csv is not a whole Parquet file: Parquet error: Invalid Parquet file. Corrupt footer",
        ),
        of_data(
            "train::an_arrow_file_that_is_cut_off",
            b"ARROW1\0\0\xff\xff\xff\xff\x78\0\0\0\x10\0".as_slice(),
            "data.csv is not a whole Arrow file: it ends within a message",
        ),
        of_data("train::an_empty_file", "", "data.csv is empty, expected a header and rows"),
        of_data("train::blank_lines", "\n\r\n\n", "data.csv is empty, expected a header and rows"),
        of_data("train::a_header_only", "age,town,paid\n", "data.csv has a header but no rows"),
        of_data(
            "train::a_cell_too_few_in_line_7",
            "age,town,paid\n1,a,no\n2,b,yes\n3,a,no\n4,b,yes\n5,a,no\n6,b\n7,a,no\n",
            "data.csv, line 7: expected 3 cells separated by comma, found 2",
        ),
        of_data(
            "train::a_cell_too_many_in_line_3",
            "age,town,paid\n1,a,no\n2,b,yes,9\n3,a,no\n",
            "data.csv, line 3: expected 3 cells separated by comma, found 4",
        ),
        of_data(
            "train::a_quote_that_is_never_closed",
            "age,paid\n1,no\n2,\"yes\n3,no\n4,yes\n",
            "data.csv, line 3: the quote opened here is never closed",
        ),
        of_data(
            "train::text_after_a_quote",
            "age,paid\n1,no\n2,\"yes\"!\n3,no\n",
            "data.csv, line 3, cell 2: text after the closing quote, expected a separator \
             (a quote inside quotes is written twice)",
        ),
        of_data(
            "train::two_columns_of_one_name",
            "age,age,paid\n1,2,no\n3,4,yes\n",
            "data.csv has two columns named \"age\", expected different names",
        ),
        of_data(
            "train::a_binary_file",
            b"age,paid\n1,no\n\x002,yes\n".as_slice(),
            "data.csv, line 3: not a text file (it contains a zero byte), expected CSV",
        ),
        of_data("train::utf_16", b"\xff\xfea\0,\0b\0\n\0".as_slice(), "data.csv is UTF-16 text, expected UTF-8"),
        of_data(
            "train::a_gzip_file_that_is_cut_off",
            cut(&gzip(&training_data()), 2),
            "data.csv is not a whole gzip file: incomplete deflate stream",
        ),
        of_data(
            "train::a_gzip_file_with_its_last_byte_cut_off",
            cut_last(&gzip(&training_data())),
            "data.csv is not a whole gzip file: unexpected end of file",
        ),
        of_data(
            "train::a_damaged_gzip_file",
            [b"\x1f\x8b\x08\0\0\0\0\0\0\0", training_data().as_bytes()].concat(),
            "data.csv is not a whole gzip file: corrupt deflate stream",
        ),
    ]
}

fn columns() -> Vec<Refusal> {
    vec![
        of_data(
            "train::one_row",
            "age,paid\n1,no\n",
            "response column `paid` is constant: there is nothing to predict",
        ),
        of_data(
            "train::a_constant_response",
            "age,paid\n1,no\n2,no\n3,\n",
            "response column `paid` is constant: there is nothing to predict",
        ),
        of_data("train::a_response_without_a_value", "age,paid\n1,\n2,\n3,NA\n", "response column `paid` has no value"),
        of_data(
            "train::predictors_without_a_value",
            "age,town,paid\n,,1\n,,2\n,NA,3\n",
            "no predictor is left: constant, missing or text are `age`, `town`",
        ),
        of_data(
            "train::nothing_but_a_response",
            "paid\n1\n2\n3\n",
            "no predictor is left: there is no column besides the response",
        ),
        of_data(
            "train::a_response_that_is_not_there",
            "age,town\n1,a\n2,b\n3,a\n",
            "response_column: there is no column `paid`; the columns are `age`, `town`",
        ),
        of_data(
            "train::a_response_of_free_text",
            "age,paid\n1,by card\n2,in cash\n3,not at all\n4,later\n",
            "response column `paid` is text: declare it with --column-types `paid=enum` or `paid=numeric`",
        ),
        of_data(
            "train::a_predictor_that_is_infinite",
            "age,paid\n1,no\n1e999,yes\n3,no\n4,no\n",
            "predictor `age` has the value inf in row 2: declare the column as enum, leave it out, or mend the value",
        ),
        of_data(
            "train::a_response_that_is_infinite",
            "age,paid\n1,0.5\n2,1.5\n3,-1e999\n",
            "response column `paid` has the value -inf in row 3: only finite numbers can be predicted",
        ),
        of_flag(
            "train::a_predictor_that_is_not_there",
            "train --progress off --training-frame data.csv --response-column paid --output run --x age,city",
            JOB,
            "x: there is no column `city`; the columns are `age`, `town`, `paid`",
        ),
        of_flag(
            "train::a_type_for_a_column_that_is_not_there",
            "train --progress off --training-frame data.csv --response-column paid --output run --column-types city=enum",
            JOB,
            "data.csv has no column \"city\" to give a type to; it has \"age\", \"town\", \"paid\"",
        ),
    ]
}

/// Flags are refused before any file is read.
fn flags() -> Vec<Refusal> {
    vec![
        of_flag(
            "train::a_memory_limit_that_is_no_size",
            "train --progress off --training-frame data.csv --response-column paid --output run --memory-limit much",
            USAGE,
            "invalid value 'much' for '--memory-limit <SIZE>': expected a number of bytes, or one with a unit such as MiB, \
             GB or GiB",
        ),
        Refusal::of_flags(
            "train::a_flag_that_is_unknown",
            "train --training-frame data.csv --colour red --output run",
            "unexpected argument '--colour' found",
        ),
        Refusal::of_flags(
            "train::an_engine_that_is_unknown",
            "train --training-frame data.csv --response-column paid --output run --engine steam",
            "invalid value 'steam' for '--engine <ENGINE>'",
        ),
        Refusal::of_flags(
            "train::a_flag_without_its_value",
            "train --training-frame data.csv --output run --epochs",
            "a value is required for '--epochs <VALUE>' but none was supplied",
        ),
        Refusal::of_flags(
            "train::no_threads",
            "train --training-frame data.csv --response-column paid --output run --threads 0",
            "invalid value '0' for '--threads <N>': expected a whole number from 1 to 256",
        ),
        Refusal::of_flags(
            "train::threads_below_none",
            "train --training-frame data.csv --response-column paid --output run --threads -1",
            "invalid value '-1' for '--threads <N>': expected a whole number from 1 to 256",
        ),
        Refusal::of_flags(
            "train::a_memory_limit_below_none",
            "train --training-frame data.csv --response-column paid --output run --memory-limit -1",
            "invalid value '-1' for '--memory-limit <SIZE>': expected a number of bytes, or one with a unit",
        ),
        Refusal::new(
            "train::measured_sizes_of_no_share",
            "train --training-frame data.csv --response-column paid --output run --auto-tune measured \
             --target-ratio-comm-to-comp 0",
            USAGE,
            "target_ratio_comm_to_comp: 0 is not allowed, expected a number above 0 and below 1, as --auto-tune measured wants",
        ),
        Refusal::of_flags(
            "train::a_kernel_that_is_unknown",
            "train --training-frame data.csv --response-column paid --output run --kernel abacus",
            "invalid value 'abacus' for '--kernel <TIER>': expected ",
        ),
        of_flag(
            "train::initial_weights_of_another_shape",
            "train --progress off --training-frame data.csv --response-column paid --output run --hidden 2 \
             --initial-weights w.csv, --initial-biases b.csv,",
            JOB,
            "w.csv, b.csv: initial_weights, layer 1: expected 2 rows of 5 numeric columns, found 2 rows of 2 columns",
        )
        .with("w.csv", "1,2\n3,4\n")
        .with("b.csv", "1\n2\n"),
        of_flag(
            "train::initial_biases_beyond_single_precision",
            "train --progress off --training-frame data.csv --response-column paid --output run --hidden 2 \
             --initial-weights w.csv, --initial-biases b.csv,",
            JOB,
            "w.csv, b.csv: initial_biases, layer 1: row 2, column 1 is no finite number of single precision",
        )
        .with("w.csv", "1,2,3,4,5\n5,6,7,8,9\n")
        .with("b.csv", "1\n1e39\n"),
        Refusal::of_flags(
            "train::no_output",
            "train --training-frame data.csv --response-column paid",
            "the following required arguments were not provided:",
        ),
        Refusal::new(
            "train::no_training_frame",
            "train --response-column paid --output run",
            USAGE,
            "training_frame is missing: expected a CSV file",
        ),
        Refusal::new(
            "train::no_response",
            "train --training-frame data.csv --output run",
            USAGE,
            "response_column is missing: expected the column to predict",
        ),
        Refusal::new(
            "train::an_activation_that_is_unknown",
            "train --training-frame data.csv --response-column paid --output run --activation Relu",
            USAGE,
            "activation: `Relu` is not allowed, expected Tanh, Rectifier, Maxout or ExpRectifier, each optionally \
             followed by WithDropout",
        ),
        Refusal::new(
            "train::a_layer_without_units",
            "train --training-frame data.csv --response-column paid --output run --hidden 5,0",
            USAGE,
            "hidden: 0 is not allowed, expected layer sizes above 0",
        ),
        Refusal::new(
            "train::epochs_that_are_no_number",
            "train --training-frame data.csv --response-column paid --output run --epochs ten",
            USAGE,
            "epochs: `ten` is not allowed, expected a number",
        ),
        Refusal::new(
            "train::a_ratio_out_of_range",
            "train --training-frame data.csv --response-column paid --output run --input-dropout-ratio 1",
            USAGE,
            "input_dropout_ratio: 1 is not allowed, expected a number that is at least 0 and below 1",
        ),
        Refusal::new(
            "train::ratios_without_dropout",
            "train --training-frame data.csv --response-column paid --output run --hidden-dropout-ratios 0.5,0.5",
            USAGE,
            "hidden_dropout_ratios needs an activation with dropout, such as RectifierWithDropout, instead of Rectifier",
        ),
        Refusal::new(
            "train::a_ratio_too_few",
            "train --training-frame data.csv --response-column paid --output run --activation TanhWithDropout --hidden 4,4 --hidden-dropout-ratios 0.5",
            USAGE,
            "hidden_dropout_ratios: 1 given for 2 hidden layers, expected one for each",
        ),
        Refusal::new(
            "train::two_lists_of_columns",
            "train --training-frame data.csv --response-column paid --output run --x age --ignored-columns town",
            USAGE,
            "x and ignored_columns exclude each other: give one of them, or different columns",
        ),
        Refusal::new(
            "train::a_column_type_that_is_unknown",
            "train --training-frame data.csv --response-column paid --output run --column-types age=colour",
            USAGE,
            "column_types: `age=colour` is not allowed, expected NAME=TYPE pairs separated by commas, with a type of \
             numeric, enum, time, string or uuid",
        ),
        of_flag(
            "train::a_stopping_metric_of_another_kind_of_model",
            "train --progress off --training-frame data.csv --response-column paid --output run --stopping-metric deviance",
            USAGE,
            "stopping_metric: deviance is not defined for a binomial model, expected AUTO, logloss, MSE, RMSE, AUC, AUCPR, \
             lift_top_group, misclassification or mean_per_class_error",
        ),
    ]
}

fn autoencoders() -> Vec<Refusal> {
    let of_parameter = |name, command, sentence| Refusal::new(name, command, USAGE, sentence);
    let of_model = |name, command, sentence| of_flag(name, command, JOB, sentence).with_model();
    vec![
        of_parameter(
            "train::an_autoencoder_of_two_channels",
            "train --autoencoder --training-frame data.csv --output run --activation MaxoutWithDropout",
            "activation: MaxoutWithDropout does not go with an autoencoder, expected Tanh, Rectifier or ExpRectifier, \
             each optionally followed by WithDropout",
        ),
        of_parameter(
            "train::an_autoencoder_with_the_loss_of_classes",
            "train --autoencoder --training-frame data.csv --output run --loss CrossEntropy",
            "loss: CrossEntropy does not go with an autoencoder, expected Automatic, Quadratic, Absolute, Huber or Quantile",
        ),
        of_parameter(
            "train::an_autoencoder_with_a_distribution_of_counts",
            "train --autoencoder --training-frame data.csv --output run --distribution poisson",
            "distribution: poisson does not go with an autoencoder, expected AUTO, gaussian, laplace, quantile or huber",
        ),
        of_parameter(
            "train::an_autoencoder_with_a_metric_of_classes",
            "train --autoencoder --training-frame data.csv --output run --stopping-metric AUC",
            "stopping_metric: AUC does not go with an autoencoder, expected AUTO or MSE",
        ),
        of_parameter(
            "train::an_autoencoder_with_weights",
            "train --autoencoder --training-frame data.csv --output run --weights-column age",
            "weights_column is not for autoencoders: all of their rows count alike",
        ),
        of_parameter(
            "train::an_autoencoder_with_an_offset",
            "train --autoencoder --training-frame data.csv --output run --offset-column age",
            "offset_column is not for autoencoders: there is no response to be offset",
        ),
        of_parameter(
            "train::an_autoencoder_with_balanced_classes",
            "train --autoencoder --training-frame data.csv --output run --balance-classes",
            "balance_classes is not for autoencoders: there are no classes",
        ),
        of_parameter(
            "train::an_autoencoder_from_another",
            "train --autoencoder --training-frame data.csv --output run --pretrained-autoencoder other",
            "pretrained_autoencoder is not for autoencoders: it starts a classifier or a regression",
        ),
        of_parameter(
            "train::a_mean_that_tanh_does_not_have",
            "train --autoencoder --training-frame data.csv --output run --activation Tanh --sparsity-beta 0.1 \
             --average-activation 1",
            "average_activation: 1 is not allowed, expected a number above -1 and below 1",
        ),
        of_parameter(
            "train::a_mean_that_a_rectifier_does_not_have",
            "train --autoencoder --training-frame data.csv --output run --sparsity-beta 0.1",
            "average_activation: 0 is not allowed, expected a number above 0, as a Rectifier has",
        ),
        of_parameter(
            "train::a_sparse_classifier",
            "train --training-frame data.csv --response-column paid --output run --sparsity-beta 0.1",
            "sparsity_beta is for autoencoders: add autoencoder, or leave it out",
        ),
        Refusal::new(
            "train::an_autoencoder_of_constants",
            "train --progress off --autoencoder --training-frame data.csv --output run",
            JOB,
            "no predictor is left: constant, missing or text are `age`, `town`",
        )
        .with("data.csv", "age,town\n1,2\n1,2\n"),
        Refusal::new(
            "train::an_autoencoder_without_a_whole_row",
            "train --progress off --autoencoder --training-frame data.csv --output run --missing-values-handling Skip",
            JOB,
            "no row has all of its predictors, as missing_values_handling Skip wants",
        )
        .with("data.csv", "age,height\n1,\n,2\n3,\n,4\n"),
        of_flag(
            "train::a_pretrained_model_that_is_missing",
            "train --progress off --training-frame data.csv --response-column paid --output out --pretrained-autoencoder no.zip",
            JOB,
            "pretrained_autoencoder: no.zip: it cannot be read: No such file or directory (os error 2)",
        ),
        of_model(
            "train::a_pretrained_classifier",
            "train --progress off --training-frame data.csv --response-column paid --output out --pretrained-autoencoder run",
            "run: pretrained_autoencoder: it is a binomial model, expected an autoencoder",
        ),
        of_model(
            "train::a_pretrained_classifier_of_a_mojo",
            "train --progress off --training-frame data.csv --response-column paid --output out --pretrained-autoencoder model.zip",
            "model.zip: pretrained_autoencoder: it is a binomial model, expected an autoencoder",
        ),
    ]
}

fn parameter_files() -> Vec<Refusal> {
    const COMMAND: &str = "train --training-frame data.csv --response-column paid --output run --params p";
    let of_params = |name, content: &str, sentence| Refusal::new(name, COMMAND, USAGE, sentence).with("p", content);
    vec![
        Refusal::new(
            "train::parameters_that_are_missing",
            COMMAND,
            USAGE,
            "--params p: No such file or directory (os error 2)",
        ),
        of_params(
            "train::a_parameter_that_is_unknown",
            "hidden = [4]\nepoch = 3\n",
            "--params p: unknown parameter `epoch`, did you mean `epochs`?",
        ),
        of_params(
            "train::a_parameter_of_another_type",
            "{\"epochs\": \"many\"}",
            "--params p: epochs: `\"many\"` is not allowed, expected a number",
        ),
        of_params(
            "train::a_parameter_out_of_range",
            "{\"rho\": 0}",
            "rho: 0 is not allowed, expected a finite number other than 0",
        ),
        of_params(
            "train::json_that_is_cut_off",
            "{\"epochs\": 3",
            "--params p: EOF while parsing an object at line 1 column 12",
        ),
    ]
}

fn outputs() -> Vec<Refusal> {
    vec![
        of_flag(
            "train::a_run_that_exists",
            DATA,
            JOB,
            "--output run holds an earlier run: add --overwrite to replace it, or choose another folder",
        )
        .with_model(),
        of_flag(
            "train::an_output_in_a_missing_folder",
            "train --training-frame data.csv --response-column paid --output runs/run",
            JOB,
            "cannot write --output runs/run: cannot create a folder in runs: No such file or directory (os error 2)",
        ),
        of_flag(
            "train::an_output_below_a_file",
            "train --training-frame data.csv --response-column paid --output data.csv/run",
            JOB,
            "cannot write --output data.csv/run: cannot create a folder in data.csv: not a directory",
        ),
        of_flag(
            "train::an_output_that_is_no_run",
            "train --training-frame data.csv --response-column paid --output papers --overwrite",
            JOB,
            "--output papers exists and holds `letter.txt`, which is not the output of a run: choose another folder",
        )
        .with("papers/letter.txt", "dear"),
        of_flag(
            "train::an_output_that_is_a_file",
            "train --training-frame data.csv --response-column paid --output data.csv --overwrite",
            JOB,
            "--output data.csv exists and is not the output of an earlier run: choose another folder",
        ),
    ]
}

fn validation() -> Vec<Refusal> {
    const COMMAND: &str = "train --progress off --training-frame data.csv --validation-frame valid.csv --response-column paid --output run";
    let of_validation =
        |name, content: &str, sentence| of_flag(name, COMMAND, JOB, sentence).with("valid.csv", content);
    vec![
        of_flag(
            "train::a_validation_file_that_is_missing",
            COMMAND,
            JOB,
            "cannot open valid.csv: No such file or directory (os error 2)",
        ),
        of_validation("train::a_validation_file_without_rows", "age,town,paid\n", "valid.csv has a header but no rows"),
        of_validation(
            "train::a_validation_file_without_the_response",
            "age,town\n30,a\n",
            "validation frame: there is no response column `paid`",
        ),
        of_validation(
            "train::a_validation_file_without_any_predictor",
            "city,paid\nx,yes\n",
            "validation frame: none of the model's columns is there",
        ),
        of_validation(
            "train::a_validation_file_without_a_known_class",
            "age,town,paid\n30,a,maybe\n",
            "validation frame: no row has a known value of the response `paid`",
        ),
    ]
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish()).expect("a vector takes all bytes")
}

/// The first `1 / parts` of some bytes.
fn cut(bytes: &[u8], parts: usize) -> Vec<u8> {
    bytes[..bytes.len() / parts].to_vec()
}

fn cut_last(bytes: &[u8]) -> Vec<u8> {
    bytes[..bytes.len() - 1].to_vec()
}
