use std::fmt::Write;

use proptest::prelude::*;

use super::super::{Column, ColumnType, Frame, ReadOptions};
use super::*;

/// Bytes among which everything that means something in CSV is frequent.
fn csv_like() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        8 => prop::sample::select(vec![",", "\n", "\"", " ", "1", "x", ".5", "0", "-3", "NA"]),
        2 => prop::sample::select(vec!["\r\n", "\r", "\t", ";", "\"\"", "#", "1e9", "é", "300", "%", "$", "abc"]),
    ];
    let bytes = prop_oneof![
        12 => piece.prop_map(|text| text.as_bytes().to_vec()),
        1 => any::<u8>().prop_map(|byte| vec![byte]),
    ];
    prop::collection::vec(bytes, 0..60).prop_map(|pieces| pieces.concat())
}

/// Rows of equal length, so that most of them are a table.
fn table_like() -> impl Strategy<Value = Vec<u8>> {
    let cell = prop::sample::select(vec![
        "",
        "1",
        "2.5",
        "x",
        "\"a,b\"",
        "\"l\nm\"",
        "\"say \"\"q\"\"\"",
        " pad ",
        "70000",
        "-1",
        "é",
        "\"\"",
        "\"x\" ",
    ]);
    let end = prop::sample::select(vec!["\n", "\r\n", "\r", "\n\n", "\n# c\n"]);
    prop::collection::vec((cell.clone(), cell.clone(), cell, end), 1..12).prop_map(|rows| {
        rows.iter().fold(b"k,v,w\n".to_vec(), |mut text, (a, b, c, end)| {
            text.extend_from_slice(format!("{a},{b},{c}{end}").as_bytes());
            text
        })
    })
}

/// A table whose columns are as reading makes them: categories that all occur, in bytewise order.
fn any_frame() -> impl Strategy<Value = Frame> {
    let number = prop_oneof![
        1 => Just(f64::NAN),
        3 => (0..300_i32).prop_map(f64::from),
        2 => any::<f32>().prop_map(f64::from),
        2 => any::<f64>(),
    ];
    let text = prop_oneof![
        1 => Just(None),
        5 => prop::sample::select(vec!["red", "a,b", "line\nbreak", "say \"hi\"", " pad ", "é", "#", "7", ""]).prop_map(Some),
    ];
    let time =
        prop_oneof![1 => Just(f64::NAN), 5 => (-9_000_000_000_000_i64..9_000_000_000_000).prop_map(|ms| ms as f64)];
    prop::collection::vec((number, text, time), 1..20).prop_map(|rows| {
        let mut domain: Vec<String> = rows.iter().filter_map(|(_, text, _)| text.map(str::to_owned)).collect();
        domain.sort();
        domain.dedup();
        let code = |text: &str| domain.iter().position(|level| level == text).map(|code| code as u32);
        let codes: Vec<Option<u32>> = rows.iter().map(|(_, text, _)| text.and_then(code)).collect();
        let columns = vec![
            Column::numeric("first, with comma", rows.iter().map(|(number, ..)| *number)),
            Column::categorical("second \"quoted\"", domain.clone(), codes).expect("codes of the domain"),
            Column::time("third", rows.iter().map(|(.., time)| *time)),
        ];
        Frame::from_columns(columns).expect("equal lengths")
    })
}

fn written(frame: &Frame) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let header: Vec<String> = names(frame).into_iter().map(quoted).collect();
    let mut text = header.join(",") + "\n";
    for row in 0..frame.rows() {
        let cell = |column: &Column| match (column.is_missing(row), column.code(row), column.domain()) {
            (true, ..) => String::new(),
            (_, Some(code), Some(domain)) => quoted(&domain[code as usize]),
            _ if column.kind() == ColumnType::Time => {
                jiff::Timestamp::from_millisecond(column.number(row) as i64).expect("a year of four digits").to_string()
            }
            _ => format!("{:e}", column.number(row)),
        };
        let cells: Vec<String> = frame.columns().iter().map(cell).collect();
        writeln!(text, "{}", cells.join(",")).expect("a string");
    }
    text
}

proptest! {
    #[test]
    fn any_bytes_are_a_table_or_a_sentence(text in csv_like()) {
        if let Err(error) = frame_with(&text, &ReadOptions::default()) {
            prop_assert!(!error.to_string().is_empty());
        }
    }

    #[test]
    fn random_bytes_are_a_table_or_a_sentence(text in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = frame_with(&text, &ReadOptions::default());
    }

    #[test]
    fn neither_blocks_nor_threads_matter(
        text in prop_oneof![csv_like(), table_like()], block in 1_usize..60, threads in 1_usize..4
    ) {
        // Errors may differ where there are two: a zero byte is seen as soon as it is read.
        let at_once = frame_with(&text, &ReadOptions::default()).ok();
        let in_blocks = frame_in_blocks(&text, block, threads).ok();
        prop_assert_eq!(at_once, in_blocks);
    }

    #[test]
    fn a_table_written_and_read_is_the_same(frame in any_frame()) {
        // Infinities have no spelling, and infinite values are not written by anybody.
        prop_assume!(frame.columns()[0].numbers().all(|value| !value.is_infinite()));
        let options = ReadOptions {
            header: Some(true),
            separator: Some(b','),
            ..declared(&[("C1", ColumnType::Numeric), ("C2", ColumnType::Enum), ("C3", ColumnType::Time)])
        };
        let read = frame_with(written(&frame), &options).expect("a table");
        prop_assert_eq!(read, frame);
    }
}
