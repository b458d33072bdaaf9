//! The trainer against real H2O: `tests/oracle/results.json` has what H2O 3.46.0.11 answered in reproducible mode.

mod contributions;
mod rows;

use std::path::{Path, PathBuf};

use libtest_mimic::{Failed, Trial};
use model::{AucRow, ConfusionMatrix, GainsLiftGroup};
use serde_json::Value;
use trainer::{
    Column, ColumnType, Frame, LayerFigures, ReadOptions, Report, TrainParams, TrainPlan, Trained, history_columns,
    train,
};

use rows::Rows;

/// Relative: an `exp` that differs in its last bit moves a weight now and then, and training carries it on.
const TRAINED: f64 = 1e-9;
/// For what H2O computes in `f32`, importances and weights.
const SINGLE: f64 = 1e-6;
/// Absolute: the two biases of a softmax cancel in their mean, and what is left of them is noise.
const NOISE: f64 = 1e-14;

/// Where H2O fails and we train, and why it does.
const FAILURES_OF_H2O: [(&str, &str); 1] = [(
    "hashed-8-binomial",
    "with max_categorical_features it looks for the importance of an unused missing bucket past the end of the list",
)];

pub fn tests() -> Vec<Trial> {
    let files = [include_str!("../oracle/results.json"), include_str!("../oracle/results3.json")];
    let cases: Vec<Value> = files
        .into_iter()
        .flat_map(|file| -> Vec<Value> { serde_json::from_str(file).expect("the file is whole") })
        .collect();
    // A case may start from what another one trained.
    let with_donor = |mut case: Value| {
        if let Some(donor) = cases.iter().find(|other| other["name"] == case["donor"]) {
            case["donor"] = donor.clone();
        }
        case
    };
    let mut tests = contributions::tests(&cases);
    tests.extend(cases.iter().cloned().map(with_donor).map(trial));
    tests
}

fn trial(case: Value) -> Trial {
    let name = format!("oracle::{}", case["name"].as_str().expect("each case has a name"));
    Trial::test(name, move || compare(&case))
}

fn compare(case: &Value) -> Result<(), Failed> {
    let training = read(case, "train")?.ok_or("no training frame")?;
    let expected = &case["result"];
    let trained = match (trained(case, &training), &expected["error"]) {
        (Err(_), Value::String(_)) => return Ok(()),
        (Ok(_), Value::String(_)) if FAILURES_OF_H2O.iter().any(|(name, _)| case["name"] == *name) => return Ok(()),
        (Ok(_), Value::String(error)) => return Err(format!("it trained, H2O said: {error}").into()),
        (trained, _) => trained?,
    };

    let is_feature = |name: &str| trained.model.schema.index_of(name).is_some();
    let mut differences = Differences::default();
    let has_fractional_weights = matches!(case["parameters"]["weights_column"].as_str(), Some("share" | "gaps"));
    history(&trained, &expected["history"], has_fractional_weights, &mut differences);
    report("training", &trained.reports.training, &expected["training"], &mut differences);
    if let Some(validation) = &trained.reports.validation {
        report("validation", validation, &expected["validation"], &mut differences);
    }
    layers(&trained, &expected["layers"], &mut differences);
    importances(&trained, &expected["importances"], &mut differences);
    differences.number(
        "default_threshold",
        trained.model.labelling.default_threshold,
        &expected["default_threshold"],
        TRAINED,
    );
    let scored = case["score"].as_str().or(case["train"].as_str()).ok_or("no rows to score")?;
    // The runtime, and so `predict`, takes times as milliseconds and does not read dates.
    if !training.columns().iter().any(|column| column.kind() == ColumnType::Time && is_feature(column.name())) {
        let frame = read_file(case, scored)?;
        let rows = Rows::read(&data(scored), &trained.model, &frame)?;
        let model = rows::of_own_columns(trained.model);
        rows::predictions(&model, &rows, &expected["predictions"], &mut differences)?;
        rows::anomaly(&model, &rows, expected, &mut differences);
        for (layer, wanted) in case["deep_features"].as_array().into_iter().flatten().zip(&layer_tables(expected)) {
            let layer = layer.as_u64().ok_or("layers are numbers")? as usize;
            rows::deep_features(&model, layer, &rows, wanted, &mut differences);
        }
    }
    differences.into_result()
}

/// The outputs of each hidden layer that was asked for.
fn layer_tables(expected: &Value) -> Vec<Value> {
    expected["deep_features"].as_array().cloned().unwrap_or_default()
}

fn read(case: &Value, key: &str) -> Result<Option<Frame>, Failed> {
    case[key].as_str().map(|name| read_file(case, name)).transpose()
}

fn read_file(case: &Value, name: &str) -> Result<Frame, Failed> {
    let options =
        ReadOptions { column_types: params(case)?.column_types.0, header: Some(true), ..ReadOptions::default() };
    Ok(Frame::read(&data(name), &options, &mut |_| {})?)
}

/// Trains, from where the case's donor ended if there is one.
fn trained(case: &Value, training: &Frame) -> Result<Trained, Failed> {
    let validation = read(case, "valid")?;
    let mut plan = TrainPlan::new(params(case)?, training, validation.as_ref())?;
    let donor = &case["donor"];
    if let Some(layers) = case["start"].as_array() {
        for layer in layers {
            let layer = layer.as_u64().ok_or("layers are numbers")? as usize;
            let of_layer = |key: &str| frame(&donor["result"][key][layer]);
            plan.start_from(layer, &of_layer("weights")?, &of_layer("biases")?)?;
        }
    } else if donor.is_object() {
        let training = read(donor, "train")?.ok_or("no training frame")?;
        plan.start_from_autoencoder(&trained(donor, &training)?.model)?;
    }
    Ok(train(&plan, &mut ())?)
}

/// A table that is stored by column.
fn frame(columns: &Value) -> Result<Frame, Failed> {
    let column = |(i, values): (usize, &Value)| {
        Column::numeric(format!("C{i}"), values.as_array().into_iter().flatten().filter_map(Value::as_f64))
    };
    let columns = columns.as_array().ok_or("no columns")?.iter().enumerate().map(column).collect();
    Ok(Frame::from_columns(columns)?)
}

pub fn params(case: &Value) -> Result<TrainParams, Failed> {
    let mut params = TrainParams::default();
    params.set_text("training_frame", case["train"].as_str().unwrap_or("text"))?;
    params.set_text("reproducible", "true")?;
    params.set_json("response_column", &case["response"])?;
    params.set_json("ignored_columns", &case["ignored_columns"])?;
    params.set_json("column_types", &case["column_types"])?;
    for (name, value) in case["parameters"].as_object().ok_or("no parameters")? {
        params.set_json(name, value)?;
    }
    Ok(params)
}

pub fn data(name: &str) -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let made = tests.join("oracle/data").join(name);
    if made.exists() { made } else { tests.join("data").join(name) }
}

/// What is not as in H2O, one line each.
#[derive(Default)]
struct Differences(Vec<String>);

impl Differences {
    fn number(&mut self, what: impl std::fmt::Display, found: f64, wanted: &Value, tolerance: f64) {
        // H2O's null is a figure that is not finite, or absent.
        let wanted = wanted.as_f64().unwrap_or(f64::NAN);
        let same =
            (!found.is_finite() && wanted.is_nan()) || (found - wanted).abs() <= NOISE.max(tolerance * wanted.abs());
        if !same {
            self.0.push(format!("{what}: {found}, H2O has {wanted}"));
        }
    }

    fn text(&mut self, what: impl std::fmt::Display, found: &str, wanted: &Value) {
        if Some(found) != wanted.as_str() {
            self.0.push(format!("{what}: {found}, H2O has {wanted}"));
        }
    }

    fn into_result(self) -> Result<(), Failed> {
        if self.0.is_empty() { Ok(()) } else { Err(self.0.join("\n").into()) }
    }
}

/// Every figure of every scoring.
fn history(trained: &Trained, expected: &Value, has_fractional_weights: bool, differences: &mut Differences) {
    let category = trained.model.category;
    let has_validation = trained.reports.validation.is_some();
    let columns = history_columns(category, has_validation);
    let rows: Vec<Vec<String>> = trained.history.iter().map(|row| row.cells(category, has_validation)).collect();
    for (index, column) in columns.iter().enumerate() {
        let Some(wanted) = expected[column].as_array() else { continue };
        // Its quantiles of fractional weights lose their fractions.
        if has_fractional_weights && column.ends_with("_lift") {
            continue;
        }
        if wanted.len() != rows.len() {
            differences.0.push(format!("history: {} rows, H2O has {}", rows.len(), wanted.len()));
            return;
        }
        for (i, (row, wanted)) in rows.iter().zip(wanted).enumerate() {
            let found = row[index].parse().unwrap_or(f64::NAN);
            differences.number(format_args!("history, {column}, row {i}"), found, wanted, TRAINED);
        }
    }
}

fn report(frame: &str, report: &Report, expected: &Value, differences: &mut Differences) {
    let metrics = report.metrics();
    for metric in model::Metric::all() {
        let (name, Some(found)) = (metric.name(), metrics.get(metric)) else { continue };
        if !expected[name].is_null() {
            differences.number(format_args!("{frame} {name}"), found, &expected[name], TRAINED);
        }
    }
    if let Some(matrix) = report.confusion() {
        confusion(frame, matrix, &expected["confusion_matrix"], differences);
    }
    match report {
        Report::Multinomial(report) => {
            for (k, &ratio) in report.hit_ratios.iter().enumerate() {
                let wanted = &expected["hit_ratios"][k];
                differences.number(format_args!("{frame} top-{} hit ratio", k + 1), f64::from(ratio), wanted, SINGLE);
            }
            auc_table(frame, &report.auc_table, expected, differences);
        }
        Report::Binomial(report) => {
            if let Some(table) = expected.get("gains_lift") {
                gains_lift(frame, report.gains_lift.groups(), table, differences);
            }
            let table = &expected["max_criteria"];
            for (i, criterion) in model::Criterion::ALL.into_iter().enumerate() {
                let what = format!("{frame} max {}", criterion.name());
                differences.text(&what, &format!("max {}", criterion.name()), &table["metric"][i]);
                let Some(maximum) = report.thresholds.maximum(criterion) else { continue };
                differences.number(format_args!("{what}, value"), maximum.value, &table["value"][i], TRAINED);
                differences.number(
                    format_args!("{what}, threshold"),
                    maximum.threshold,
                    &table["threshold"][i],
                    TRAINED,
                );
            }
        }
        Report::Regression(_) | Report::AutoEncoder(_) => {}
    }
}

/// Every cell of the gains and lift table; H2O has none where `gainslift_bins` is 0.
fn gains_lift(frame: &str, groups: &[GainsLiftGroup], table: &Value, differences: &mut Differences) {
    let wanted = table["group"].as_array().map_or(0, Vec::len);
    if groups.len() != wanted {
        differences.0.push(format!("{frame} gains and lift: {} groups, H2O has {wanted}", groups.len()));
        return;
    }
    for (i, group) in groups.iter().enumerate() {
        for (name, found) in group.cells() {
            let what = format!("{frame} gains and lift, {name} of group {}", i + 1);
            differences.number(what, found, &table[name][i], TRAINED);
        }
    }
}

/// The areas of every class and pair of classes, and their means.
fn auc_table(frame: &str, rows: &[AucRow], expected: &Value, differences: &mut Differences) {
    let (auc, pr_auc) = (&expected["auc_table"], &expected["pr_auc_table"]);
    let wanted = auc["type"].as_array().map_or(0, Vec::len);
    if rows.len() != wanted {
        differences.0.push(format!("{frame} AUC: {} rows, H2O has {wanted}", rows.len()));
        return;
    }
    for (i, row) in rows.iter().enumerate() {
        differences.text(format_args!("{frame} AUC, row {i}"), &row.name, &auc["type"][i]);
        differences.number(format_args!("{frame} AUC, {}", row.name), row.auc, &auc["auc"][i], TRAINED);
        differences.number(format_args!("{frame} pr_auc, {}", row.name), row.pr_auc, &pr_auc["auc_pr"][i], TRAINED);
    }
}

/// H2O stores two classes by row, more by column.
fn confusion(frame: &str, matrix: &ConfusionMatrix, expected: &Value, differences: &mut Differences) {
    for (actual, counts) in matrix.counts.iter().enumerate() {
        for (predicted, &count) in counts.iter().enumerate() {
            let wanted = if expected.is_array() {
                &expected[actual][predicted]
            } else {
                &expected[&matrix.domain[predicted]][actual]
            };
            let what = format!("{frame} {} predicted as {}", matrix.domain[actual], matrix.domain[predicted]);
            // H2O shows whole numbers, where weights make fractions.
            differences.number(what, count.trunc(), wanted, 0.0);
        }
    }
}

fn layers(trained: &Trained, expected: &Value, differences: &mut Differences) {
    for (i, layer) in trained.layers.iter().enumerate() {
        let mut number = |name: &str, found: f64, tolerance: f64| {
            differences.number(format_args!("layer {}, {name}", i + 1), found, &expected[name][i], tolerance);
        };
        number("units", layer.units as f64, 0.0);
        let Some(LayerFigures { l1, l2, mean_rate, rate_rms, momentum, mean_weight, weight_rms, mean_bias, bias_rms }) =
            layer.trained
        else {
            continue;
        };
        number("l1", l1, SINGLE);
        number("l2", l2, SINGLE);
        number("mean_rate", mean_rate, SINGLE);
        number("rate_rms", rate_rms, SINGLE);
        number("momentum", momentum, SINGLE);
        number("mean_weight", mean_weight, SINGLE);
        number("weight_rms", weight_rms, SINGLE);
        number("mean_bias", mean_bias, SINGLE);
        number("bias_rms", bias_rms, SINGLE);
        differences.text(format_args!("layer {}, type", i + 1), layer.kind, &expected["type"][i]);
    }
}

fn importances(trained: &Trained, expected: &Value, differences: &mut Differences) {
    let Some(wanted) = expected["variable"].as_array() else { return };
    for (i, name) in wanted.iter().enumerate() {
        let found = trained.importances.iter().find(|importance| Some(importance.variable.as_str()) == name.as_str());
        let Some(found) = found else {
            differences.0.push(format!("importances: {name} is missing"));
            continue;
        };
        for (column, value) in [
            ("relative_importance", found.relative_importance),
            ("scaled_importance", found.scaled_importance),
            ("percentage", found.percentage),
        ] {
            differences.number(format_args!("{name}, {column}"), value, &expected[column][i], SINGLE);
        }
    }
}
