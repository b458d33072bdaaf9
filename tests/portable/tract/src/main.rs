//! Replays the golden rows of ONNX files in tract. See `../run`.

use std::process::ExitCode;

use serde_json::Value;
use tract_onnx::pb::ModelProto;
use tract_onnx::prelude::*;
use tract_onnx::tract_hir::infer::Factoid;
use tract_onnx::tract_hir::internal::TractErrorContext;

fn main() -> ExitCode {
    let mut all_agree = true;
    for path in std::env::args().skip(1) {
        let outcome = largest_difference(&path);
        match &outcome {
            Ok(difference) => println!("tract: {path}: largest difference {difference:.1e}"),
            Err(error) => println!("tract: {path}: {error:#}"),
        }
        // What single precision may be off; the mean of squares is taken in that for doubles as well.
        all_agree &= outcome.is_ok_and(|difference| difference <= 1e-4);
    }
    if all_agree { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The largest difference of a number from the golden one, as a share of that and one.
fn largest_difference(path: &str) -> TractResult<f64> {
    let onnx = tract_onnx::onnx();
    let proto = onnx.proto_model_for_path(path)?;
    let columns = metadata(&proto, "aqueduct.columns")?;
    let golden = metadata(&proto, "aqueduct.golden")?;
    let rows = list(&golden["rows"]);
    let mut model = onnx.model_for_proto_model(&proto)?;
    let mut inputs = tvec![];
    for (index, outlet) in model.input_outlets()?.to_vec().into_iter().enumerate() {
        let is_code = model.node(outlet.node).name == "codes";
        let chosen: Vec<usize> =
            (0..list(&columns).len()).filter(|&column| columns[column]["levels"].is_array() == is_code).collect();
        let cells = rows.iter().flat_map(|row| chosen.iter().map(move |&column| (column, &row["cells"][column])));
        let shape = [rows.len(), chosen.len()];
        let element = model.input_fact(index)?.datum_type.concretize().context("an input without a type")?;
        let tensor = if is_code {
            let codes: Vec<i64> = cells.map(|(column, cell)| code(cell, &columns[column]["levels"])).collect();
            Tensor::from_shape(&shape, &codes)?
        } else {
            let numbers: Vec<f64> = cells.map(|(_, cell)| cell.as_f64().unwrap_or(f64::NAN)).collect();
            Tensor::from_shape(&shape, &numbers)?.cast_to_dt(element)?.into_owned()
        };
        model.set_input_fact(index, InferenceFact::dt_shape(element, shape))?;
        inputs.push(tensor.into());
    }
    let outputs = model.into_optimized()?.into_runnable()?.run(inputs)?;
    let mut numbers: Vec<Vec<f64>> = vec![Vec::new(); rows.len()];
    for output in outputs.iter().filter(|output| output.datum_type() != i64::datum_type()) {
        let values = output.cast_to::<f64>()?;
        let values: Vec<f64> = values.to_plain_array_view::<f64>()?.iter().copied().collect();
        for (row, values) in numbers.iter_mut().zip(values.chunks(values.len() / rows.len())) {
            row.extend(values);
        }
    }
    let of_row = |(row, found): (&Value, &Vec<f64>)| {
        let expected = answer(&row["answer"]);
        expected.iter().zip(found).map(|(a, b)| difference(*a, *b)).fold(0.0, f64::max)
    };
    Ok(rows.iter().zip(&numbers).map(of_row).fold(0.0, f64::max))
}

fn metadata(model: &ModelProto, key: &str) -> TractResult<Value> {
    let entry = model.metadata_props.iter().find(|entry| entry.key == key);
    Ok(serde_json::from_str(&entry.with_context(|| format!("no {key}"))?.value)?)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn code(cell: &Value, levels: &Value) -> i64 {
    let place = || list(levels).iter().position(|level| level == cell).unwrap_or(list(levels).len());
    if cell.is_null() { -1 } else { place() as i64 }
}

/// The numbers of a golden answer.
fn answer(answer: &Value) -> Vec<f64> {
    let number = |value: &Value| match value.as_str() {
        Some(text) => text.parse().unwrap_or(f64::NAN),
        None => value.as_f64().unwrap_or(f64::NAN),
    };
    if let Some(value) = answer.get("value") {
        return vec![number(value)];
    }
    let (class, reconstruction) = (&answer["class"], &answer["reconstruction"]);
    let mse = reconstruction.get("mse").into_iter();
    list(&class["probabilities"]).iter().chain(list(&reconstruction["values"])).chain(mse).map(number).collect()
}

fn difference(expected: f64, found: f64) -> f64 {
    if expected == found || (expected.is_nan() && found.is_nan()) {
        return 0.0;
    }
    let difference = (expected - found).abs() / (1.0 + expected.abs());
    if difference.is_nan() { f64::INFINITY } else { difference }
}
