//! Answers as CSV, the very bytes that `predict` writes.

use std::io::Write;

use model::{JavaNumber, Prediction};

use crate::registry::ServedModel;
use crate::service::Predictions;

pub(super) fn write_csv_header(served: &ServedModel, out: &mut Vec<u8>) {
    for (at, name) in served.model().output_names().iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        write_text(name, out);
    }
    out.push(b'\n');
}

pub(super) fn write_csv(predictions: Predictions<'_>, out: &mut Vec<u8>) {
    for answer in predictions.iter() {
        match answer.prediction {
            Prediction::Value(value) => write_number(value, out),
            Prediction::Class { probabilities, .. } => {
                write_text(answer.label().unwrap_or("NA"), out);
                write_numbers(probabilities, out);
            }
            Prediction::Reconstruction { values, mse } => {
                if let Some((first, rest)) = values.split_first() {
                    write_number(*first, out);
                    write_numbers(rest, out);
                    out.push(b',');
                }
                write_number(mse, out);
            }
        }
        out.push(b'\n');
    }
}

fn write_numbers(numbers: &[f64], out: &mut Vec<u8>) {
    for &number in numbers {
        out.push(b',');
        write_number(number, out);
    }
}

fn write_number(number: f64, out: &mut Vec<u8>) {
    if number.is_nan() {
        out.extend_from_slice(b"NA");
    } else {
        // A `Vec` takes everything.
        let _ = write!(out, "{}", JavaNumber(number));
    }
}

/// A text, quoted where it has to be.
fn write_text(text: &str, out: &mut Vec<u8>) {
    if text.is_empty() || text.contains([',', '"', '\n', '\r']) {
        out.push(b'"');
        out.extend_from_slice(text.replace('"', "\"\"").as_bytes());
        out.push(b'"');
    } else {
        out.extend_from_slice(text.as_bytes());
    }
}
