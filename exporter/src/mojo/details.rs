//! What H2O's archives say of the making of a model: `experimental/modelDetails.json`, which is what its REST interface says.

use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::path::Path;

use serde_json::{Value, json};

use super::archive::Archive;
use super::error::ReadError;
use super::layout::entry::DETAILS;
use crate::report::{FrameFacts, ParameterFacts, Table};

/// Longer texts are of no model that anybody looks at; parsed they take many times as much.
const LONGEST: usize = 64 << 20;

/// How a model of H2O was made. Tables have the names of H2O's columns; what the archive does not say is empty.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelDetails {
    /// The model in a sentence: loss, size, mini-batch.
    pub description: Option<String>,
    /// `given` and `effective` parameters as JSON has them, with references by their names.
    pub values: Value,
    /// What was asked for, and what came of it.
    pub parameters: Vec<ParameterFacts>,
    /// "Status of Neuron Layers".
    pub layers: Table,
    /// "Scoring History".
    pub history: Table,
    /// "Variable Importances".
    pub importances: Table,
    /// Metrics on the training frame.
    pub training: FrameFacts,
    /// Metrics on the validation frame.
    pub validation: FrameFacts,
    /// Metrics on the rows that were held out, fold by fold.
    pub cross_validation: FrameFacts,
}

/// Reads what the MOJO at this path says besides its model. `None` where it says nothing that can be read: as H2O does, such
/// an entry is passed over.
pub fn read_mojo_details(path: &Path) -> Result<Option<ModelDetails>, ReadError> {
    read_from(BufReader::new(File::open(path)?))
}

fn read_from(reader: impl Read + Seek) -> Result<Option<ModelDetails>, ReadError> {
    let text = Archive::open(reader)?.optional_text(DETAILS)?;
    let text = text.filter(|text| text.len() <= LONGEST);
    Ok(text.and_then(|text| serde_json::from_str(&text).ok()).map(|details| of_details(&details)))
}

fn of_details(details: &Value) -> ModelDetails {
    let output = &details["output"];
    let parameters = details["parameters"].as_array().into_iter().flatten();
    let description = output["model_summary"]["description"].as_str().filter(|text| !text.is_empty());
    ModelDetails {
        description: description.map(str::to_owned),
        values: values(&details["parameters"]),
        parameters: parameters.filter_map(parameter).collect(),
        layers: table(&output["model_summary"]),
        history: table(&output["scoring_history"]),
        importances: table(&output["variable_importances"]),
        training: frame(&output["training_metrics"]),
        validation: frame(&output["validation_metrics"]),
        cross_validation: frame(&output["cross_validation_metrics"]),
    }
}

fn parameter(parameter: &Value) -> Option<ParameterFacts> {
    let effective = &parameter["actual_value"];
    // Older releases say only what came of it.
    let given = parameter.get("input_value").unwrap_or(effective);
    Some(ParameterFacts::from_json(parameter["name"].as_str()?, given, effective, &parameter["default_value"]))
}

fn values(parameters: &Value) -> Value {
    let Some(parameters) = parameters.as_array() else { return Value::Null };
    let by_name = |key: &str| -> Value {
        let named = parameters.iter().filter_map(|parameter| {
            Some((
                parameter["name"].as_str()?.to_owned(),
                plain(parameter.get(key).unwrap_or(&parameter["actual_value"])),
            ))
        });
        named.collect()
    };
    json!({ "given": by_name("input_value"), "effective": by_name("actual_value") })
}

/// References to columns, frames and models are objects with a name.
fn plain(value: &Value) -> Value {
    match value {
        Value::Object(object) if object.contains_key("__meta") => {
            let name = ["column_name", "name"].into_iter().find_map(|key| object.get(key));
            name.cloned().unwrap_or_default()
        }
        Value::Array(values) => values.iter().map(plain).collect(),
        plain => plain.clone(),
    }
}

fn frame(metrics: &Value) -> FrameFacts {
    /// H2O's names of figures, with those of `metrics.json`.
    const FIGURES: [(&str, &str); 12] = [
        ("AUC", "auc"),
        ("pr_auc", "pr_auc"),
        ("Gini", "gini"),
        ("logloss", "logloss"),
        ("mean_per_class_error", "mean_per_class_error"),
        ("mean_residual_deviance", "mean_residual_deviance"),
        ("mae", "mae"),
        ("RMSE", "rmse"),
        ("MSE", "mse"),
        ("rmsle", "rmsle"),
        ("r2", "r2"),
        ("nobs", "nobs"),
    ];
    let confusion = confusion(&metrics["cm"]["table"]);
    let figure = |&(theirs, ours): &(&str, &str)| Some((ours.to_owned(), metrics[theirs].as_f64()?));
    let error = confusion.rows.last().and_then(|totals| totals.get(totals.len().checked_sub(2)?)?.parse().ok());
    FrameFacts {
        metrics: FIGURES
            .iter()
            .filter_map(figure)
            .chain(error.map(|error| ("classification_error".to_owned(), error)))
            .collect(),
        confusion,
        thresholds: table(&metrics["thresholds_and_metric_scores"]),
        gains_lift: table(&metrics["gains_lift_table"]),
        hit_ratios: table(&metrics["hit_ratio_table"]),
        ..FrameFacts::default()
    }
}

/// A table, which H2O stores column by column.
fn table(table: &Value) -> Table {
    let columns = table["columns"].as_array().map(Vec::as_slice).unwrap_or_default();
    let data: Vec<&[Value]> = table["data"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|column| column.as_array().map(Vec::as_slice))
        .collect();
    let rows = data.first().map_or(0, |column| column.len());
    // Columns of any length would make a small file a table that no memory holds.
    if columns.len() != data.len() || data.iter().any(|column| column.len() != rows) {
        return Table::default();
    }
    Table {
        header: columns.iter().map(|column| column["name"].as_str().unwrap_or_default().to_owned()).collect(),
        rows: (0..rows).map(|row| data.iter().map(|column| cell(&column[row])).collect()).collect(),
    }
}

/// A matrix whose rows have no names there: those of its columns, then the totals.
fn confusion(matrix: &Value) -> Table {
    let Table { mut header, mut rows } = table(matrix);
    // Besides a column for each class there are the error and the rate.
    if rows.len() + 1 != header.len() {
        return Table::default();
    }
    for (row, name) in rows.iter_mut().zip(header.iter()) {
        row.insert(0, name.clone());
    }
    if let Some(totals) = rows.last_mut() {
        "Totals".clone_into(&mut totals[0]);
    }
    header.insert(0, "actual".to_owned());
    Table { header, rows }
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str) -> Value {
        json!({ "name": name, "description": name, "type": "double", "format": "%f" })
    }

    #[test]
    fn tables_are_turned_and_matrices_named() {
        let columns = ["no", "yes", "Error", "Rate"].map(column);
        let matrix = json!({
            "columns": columns,
            "rowcount": 3,
            "data": [[5, 1, 6], [2, 4, 6], [0.25, 0.2, 0.25], ["2 / 7", "1 / 5", "3 / 12"]],
        });
        let confusion = confusion(&matrix);
        assert_eq!(confusion.header, ["actual", "no", "yes", "Error", "Rate"]);
        assert_eq!(confusion.rows[1], ["yes", "1", "4", "0.2", "1 / 5"]);
        assert_eq!(confusion.rows[2][0], "Totals");
        let facts = frame(&json!({ "AUC": 0.75, "MSE": "NaN", "nobs": 12, "cm": { "table": matrix } }));
        let expected = [("auc", 0.75), ("nobs", 12.0), ("classification_error", 0.25)];
        assert_eq!(facts.metrics, expected.map(|(name, value)| (name.to_owned(), value)));
    }

    #[test]
    fn what_is_missing_or_malformed_is_empty() {
        for details in [json!({}), json!([]), json!({ "output": { "model_summary": { "columns": [1], "data": [] } } })]
        {
            assert_eq!(of_details(&details), ModelDetails::default());
        }
        let uneven = json!({ "columns": [column("a"), column("b")], "data": [[1, 2], [null]] });
        assert_eq!(table(&uneven), Table::default());
    }

    #[test]
    fn parameters_that_are_objects_are_named_by_them() {
        let response = json!({ "name": "response_column", "actual_value": { "__meta": {}, "column_name": "y" } });
        let found = parameter(&response).expect("it has a name");
        assert_eq!((found.effective.as_str(), found.given.as_str(), found.default.as_str()), ("y", "y", ""));
        let named = json!({ "response_column": "y" });
        assert_eq!(values(&json!([response])), json!({ "given": named, "effective": named }));
    }
}
