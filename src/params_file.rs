//! The file that `--params` names.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde_json::{Map, Value, json};

use crate::commands::UsageError;

/// Parameters by name, from JSON (a file that begins with a brace) or TOML.
pub fn read(path: &Path) -> anyhow::Result<Map<String, Value>> {
    const LARGEST: u64 = 16 << 20;
    let usage = |problem: String| UsageError(format!("--params {}: {problem}", path.display()));
    let mut text = String::new();
    let file = File::open(path).map_err(|e| usage(e.to_string()))?;
    file.take(LARGEST + 1).read_to_string(&mut text).map_err(|e| usage(e.to_string()))?;
    if text.len() as u64 > LARGEST {
        return Err(usage(format!("longer than {LARGEST} bytes")).into());
    }
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with('{') {
        return Ok(serde_json::from_str(text).map_err(|e| usage(e.to_string()))?);
    }
    let table: toml::Table = toml::from_str(text).map_err(|e| {
        let line = e.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
        usage(format!("line {line}: {}", e.message()))
    })?;
    Ok(table.into_iter().map(|(name, value)| (name, to_json(value))).collect())
}

/// JSON has no infinities and no dates: they become texts.
fn to_json(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => Value::String(text),
        toml::Value::Integer(number) => json!(number),
        toml::Value::Float(number) if number.is_finite() => json!(number),
        toml::Value::Float(number) => Value::String(number.to_string()),
        toml::Value::Boolean(truth) => Value::Bool(truth),
        toml::Value::Datetime(date) => Value::String(date.to_string()),
        toml::Value::Array(items) => items.into_iter().map(to_json).collect(),
        toml::Value::Table(table) => table.into_iter().map(|(name, value)| (name, to_json(value))).collect(),
    }
}
