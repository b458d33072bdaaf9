mod formats;
mod packed;
mod properties;
mod reading;
mod refusals;
mod several;
mod spilled;

use super::read::{Sizes, read};
use super::{Column, ColumnType, Frame, FrameError, ReadOptions};

fn frame_with(text: impl AsRef<[u8]>, options: &ReadOptions) -> Result<Frame, FrameError> {
    Frame::read_from(text.as_ref(), "t.csv", options, &mut |_| {})
}

fn frame(text: impl AsRef<[u8]>) -> Frame {
    frame_with(text, &ReadOptions::default()).expect("a table")
}

fn refusal(text: impl AsRef<[u8]>) -> String {
    frame_with(text, &ReadOptions::default()).expect_err("no table").to_string()
}

/// The same text read in blocks of this many bytes, by this many threads.
fn frame_in_blocks(text: &[u8], block: usize, threads: usize) -> Result<Frame, FrameError> {
    let sizes = Sizes { block, ..Sizes::default() };
    let options = ReadOptions { threads: Some(threads), ..ReadOptions::default() };
    read(text, "t.csv", &options, &mut |_| {}, sizes)
}

fn names(frame: &Frame) -> Vec<&str> {
    frame.columns().iter().map(Column::name).collect()
}

/// A column's values as text: numbers as Rust writes them, levels as they are, `.` where missing.
fn values(frame: &Frame, column: usize) -> Vec<String> {
    let column = &frame.columns()[column];
    let value = |row| match (column.is_missing(row), column.code(row), column.domain()) {
        (true, ..) => ".".to_owned(),
        (_, Some(code), Some(domain)) => domain[code as usize].clone(),
        _ => column.number(row).to_string(),
    };
    (0..column.len()).map(value).collect()
}

fn kinds(frame: &Frame) -> Vec<ColumnType> {
    frame.columns().iter().map(Column::kind).collect()
}

fn declared(types: &[(&str, ColumnType)]) -> ReadOptions {
    let column_types = types.iter().map(|&(name, kind)| (name.to_owned(), kind)).collect();
    ReadOptions { column_types, ..ReadOptions::default() }
}
