//! A model for machines.

use exporter::{ExportCheck, Table};
use model::{Feature, Layer};
use serde_json::{Value, json};

use super::description::{Contributions, Description};

pub fn of(description: &Description) -> Value {
    let (facts, net) = (&description.facts, description.net());
    let (model, info) = (&facts.model, description.info.as_ref());
    json!({
        "algorithm": description.algorithm(),
        "category": model.category,
        "description": description.sentence,
        "trained_by": description.trained_by(),
        "h2o_version": info.map(|info| &info.h2o_version),
        "mojo_version": info.map(|info| &info.mojo_version),
        "uuid": info.map(|info| &info.uuid),
        "timestamp": facts.timestamp,
        "categorical_encoding": model.encoding.name(),
        "features": model.schema.features().iter().map(feature).collect::<Vec<_>>(),
        "response": model.schema.response().map(|r| json!({ "name": r.name, "levels": r.domain })),
        "special_columns": model.schema.special(),
        "outputs": model.output_names(),
        "labelling": model.schema.classes().map(|_| &model.labelling),
        "activation": net.network.activation().name(),
        "distribution": net.distribution.name(),
        "inputs": net.network.inputs(),
        "weights_and_biases": net.network.size(),
        "bytes": description.bytes(),
        "layers": net.network.layers().iter().enumerate().map(|(l, layer)| of_layer(description, l, layer)).collect::<Vec<_>>(),
        "standardized": net.layout.scaling.is_some(),
        "use_all_factor_levels": net.layout.use_all_factor_levels,
        "response_scaling": net.response_scaling,
        "profile": facts.profile,
        "golden_rows": description.golden_rows,
        "contributions": contributions(description.contributions),
        "exports": description.exports.iter().map(export).collect::<Vec<_>>(),
        "parameters": description.parameters,
        "metrics": description.metrics,
        "layer_status": rows(&facts.layers),
        "scoring_history": rows(&facts.history),
        "variable_importances": rows(&facts.importances),
        "confusion_matrix": {
            "training": rows(&facts.training.confusion),
            "validation": rows(&facts.validation.confusion),
            "cross_validation": rows(&facts.cross_validation.confusion),
        },
    })
}

fn feature(feature: &Feature) -> Value {
    match &feature.domain {
        Some(domain) => json!({ "name": feature.name, "type": "categorical", "levels": domain.levels() }),
        None => json!({ "name": feature.name, "type": "numeric" }),
    }
}

fn of_layer(description: &Description, l: usize, layer: &Layer) -> Value {
    json!({
        "inputs": layer.inputs,
        "units": layer.units,
        "channels": layer.channels,
        "type": description.net().network.layer_kind(l, description.facts.model.category),
        "dropout_ratio": layer.dropout_ratio,
        "bytes": layer.bytes(),
        "weights": layer.weight_figures(),
        "biases": layer.bias_figures(),
    })
}

/// Where the reference row has its means from.
fn contributions(contributions: Contributions) -> Value {
    let reference = match contributions {
        Contributions::Profile => Some("profile"),
        Contributions::Scaling => Some("scaling"),
        Contributions::Background | Contributions::None => None,
    };
    json!({ "possible": contributions != Contributions::None, "reference_row": reference })
}

fn export(check: &ExportCheck) -> Value {
    json!({ "flags": check.flags, "possible": check.refusal.is_none(), "reason": check.refusal })
}

/// The rows of a table as objects, numbers as numbers; null where there is no table.
fn rows(table: &Table) -> Value {
    if table.header.is_empty() {
        return Value::Null;
    }
    let cell = |text: &String| match text.as_str() {
        "" | "NaN" => Value::Null,
        text => serde_json::from_str::<serde_json::Number>(text).map_or_else(|_| json!(text), Value::Number),
    };
    // H2O's tables may begin with headers of rows, which have no name.
    let named = |row: &Vec<String>| -> Value {
        let cells = table.header.iter().cloned().zip(row.iter().map(cell));
        cells.filter(|(name, _)| !name.is_empty()).collect()
    };
    table.rows.iter().map(named).collect()
}
