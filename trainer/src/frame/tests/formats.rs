use std::fmt::Write;

use proptest::prelude::*;

use super::super::{ColumnType, ReadOptions};
use super::*;

const ARFF: &str =
    "@relation r\n@attribute a numeric\n@attribute b {y,x}\n@attribute c string\n@attribute d date\n@data\n";

#[test]
fn arff_says_names_and_types_and_has_question_marks_for_missing_values() {
    let frame = frame(ARFF.to_owned() + "1,x,foo,2024-01-05\n% note\n?,y,bar,?\n2, ? ,\"?\",2024-01-06\n");
    assert_eq!(names(&frame), ["a", "b", "c", "d"]);
    assert_eq!(kinds(&frame), [ColumnType::Numeric, ColumnType::Enum, ColumnType::String, ColumnType::Time]);
    assert_eq!(values(&frame, 0), ["1", ".", "2"]);
    assert_eq!(values(&frame, 1), ["x", "y", "."]);
    assert_eq!(frame.columns()[2].missing_count(), 1);
    assert_eq!(values(&frame, 3), ["1704412800000", ".", "1704499200000"]);
}

#[test]
fn arff_levels_are_those_that_occur_in_bytewise_order() {
    let text = "@RELATION r\r\n@ATTRIBUTE b {z,y,x}\r\n@ATTRIBUTE n {1,0}\r\n@DATA\r\nx,0\r\ny,1\r\nq,1\r\n";
    assert_eq!(frame(text).columns()[0].domain(), Some(&["q", "x", "y"].map(String::from)[..]));
    assert_eq!(frame(text).columns()[1].domain(), Some(&["0", "1"].map(String::from)[..]));
}

#[test]
fn arff_quotes_with_either_quote() {
    let text = "@attribute 'a b' {x}\n@attribute n numeric\n@data\n'p, q',1\n\"r's\",'2'\n'it''s',3\n#x,4\n";
    let frame = frame(text);
    assert_eq!(names(&frame), ["a b", "n"]);
    assert_eq!(values(&frame, 0), ["p, q", "r's", "it's", "#x"]);
    assert_eq!(values(&frame, 1), ["1", "2", "3", "4"]);
}

#[test]
fn arff_rows_may_be_separated_otherwise() {
    let header = "@relation r\n@attribute a numeric\n@attribute b numeric\n@data\n";
    for rows in ["1 2\n3 4\n", "1;2\n3;4\n", "1\t2\n3\t4\n", "1,2\n3,4"] {
        let frame = frame(header.to_owned() + rows);
        assert_eq!(
            (values(&frame, 0), values(&frame, 1)),
            (vec!["1".into(), "3".into()], vec!["2".into(), "4".into()])
        );
    }
}

#[test]
fn arff_mistakes_are_named_with_their_line() {
    assert_eq!(refusal(ARFF), "t.csv has a header but no rows");
    assert_eq!(refusal(ARFF.to_owned() + "1,x,y\n"), "t.csv, line 7: expected 4 cells separated by comma, found 3");
    assert_eq!(
        refusal(ARFF.to_owned() + "\n{0 1, 1 x}\n"),
        "t.csv, line 8: sparse ARFF rows are not read, expected a cell for each attribute"
    );
    assert_eq!(
        refusal("@attribute a real\n@attribute a real\n@data\n1,2\n"),
        "t.csv has two columns named \"a\", expected different names"
    );
}

#[test]
fn a_type_that_the_user_declares_wins_over_that_of_arff() {
    let text = "@attribute a real\n@attribute b string\n@data\n1,x\n2,y\n";
    let frame = frame_with(text, &declared(&[("a", ColumnType::Enum), ("C2", ColumnType::Enum)])).expect("a table");
    assert_eq!(kinds(&frame), [ColumnType::Enum; 2]);
}

#[test]
fn an_arff_header_longer_than_the_preview_is_read() {
    let sizes = Sizes { preview: 8, block: 8, ..Sizes::default() };
    let text = ARFF.to_owned() + "1,x,foo,2024-01-05\n";
    let read = read(text.as_bytes(), "t.csv", &ReadOptions::default(), &mut |_| {}, sizes).expect("a table");
    assert_eq!(read, frame(&text));
}

#[test]
fn svmlight_is_a_target_and_features_that_are_zero_where_absent() {
    let text = "# c\n1 qid:7 1:0.5 3:2 # hello\n-1 2:1\n\n  +1\t1:3 \r\n# c\n0\n";
    let frame = frame(text);
    assert_eq!(names(&frame), ["C1", "C2", "C3", "C4"]);
    assert_eq!(values(&frame, 0), ["1", "-1", "1", "0"]);
    assert_eq!(values(&frame, 1), ["0.5", "0", "3", "0"]);
    assert_eq!(values(&frame, 2), ["0", "1", "0", "0"]);
    assert_eq!(values(&frame, 3), ["2", "0", "0", "0"]);
}

#[test]
fn an_svmlight_target_may_be_declared_categorical() {
    let frame = frame_with("-1 1:1\n10 2:2\n2 1:3\n", &declared(&[("C1", ColumnType::Enum)])).expect("a table");
    assert_eq!(frame.columns()[0].domain(), Some(&["-1", "2", "10"].map(String::from)[..]), "in numeric order");
    let refused = |name, kind| frame_with("1 1:1\n", &declared(&[(name, kind)])).expect_err("no table").to_string();
    assert_eq!(
        refused("C2", ColumnType::Uuid),
        "t.csv: column \"C2\" of an SVMLight file can be numeric, enum or time, not uuid"
    );
    assert_eq!(refused("C3", ColumnType::Enum), "t.csv has no column \"C3\" to give a type to; it has \"C1\", \"C2\"");
}

#[test]
fn svmlight_mistakes_are_named_with_their_line() {
    let start = "1 1:1\n# c\n0 2:1\n0 3:1\n";
    let feature =
        |found: &str| format!("t.csv, line 5: expected INDEX:VALUE with rising indices from 1, found {found:?}");
    for (row, found) in [
        ("1 1:1 junk 3:3", "junk"),
        ("1 2:1 1:1", "1:1"),
        ("1 0:1", "0:1"),
        ("1 1:x", "1:x"),
        ("1 1:", "1:"),
        ("1 -1:1", "-1:1"),
        ("1 99999999999999999999:1", "99999999999999999999:1"),
    ] {
        assert_eq!(refusal(format!("{start}{row}\n")), feature(found));
    }
    assert_eq!(refusal(format!("{start}x 1:1\n")), "t.csv, line 5: expected the target, a number, found \"x\"");
    assert_eq!(refusal("1 4000000:1\n"), "t.csv has 4000001 columns, expected at most 1000000");
}

#[test]
fn wide_and_empty_features_take_little_memory() {
    let rows = (1..=2000).map(|row| format!("{} {row}:1\n", row % 2)).collect::<Vec<_>>().concat();
    let frame = frame(rows);
    assert_eq!((frame.rows(), frame.columns().len()), (2000, 2001));
    assert!(frame.memory_bytes() < 20_000, "{}", frame.memory_bytes());
    assert_eq!(frame.columns()[1000].numbers().position(|value| value == 1.0), Some(999));
}

#[test]
fn a_declared_enum_comes_from_numbers_that_were_read_as_such() {
    let frame = frame("a\n10\n9\n10\n");
    let converted = frame.columns()[0].to_categorical().expect("two levels");
    assert_eq!(converted.domain(), Some(&["9", "10"].map(String::from)[..]));
}

fn arff_like() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "@attribute",
        "@data",
        "@relation",
        " ",
        "\n",
        "a",
        "b",
        "numeric",
        "{x,y}",
        "date",
        "string",
        "'",
        "\"",
        "1",
        ",",
        "?",
        "%",
        "{",
        "2024-01-05",
        "\r\n",
        "relational",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| format!("@attribute a {}", pieces.concat()))
}

fn svmlight_like() -> impl Strategy<Value = String> {
    let row = "[0-9-]{1,2}( qid:1)?( [1-3]:[0-9.e-]{1,4})?( [4-9]:[0-9.x]{1,3})?[ #]?(\n|\r\n|\r)";
    prop::collection::vec(row, 0..8).prop_map(|rows| format!("1 1:1\n{}", rows.concat()))
}

proptest! {
    #[test]
    fn any_text_like_arff_is_a_table_or_a_sentence(text in arff_like()) {
        if let Err(error) = frame_with(&text, &ReadOptions::default()) {
            prop_assert!(!error.to_string().is_empty());
        }
    }

    #[test]
    fn any_text_like_svmlight_is_a_table_or_a_sentence(text in svmlight_like()) {
        if let Err(error) = frame_with(&text, &ReadOptions::default()) {
            prop_assert!(!error.to_string().is_empty());
        }
    }

    #[test]
    fn blocks_do_not_matter_to_any_format(text in prop_oneof![arff_like(), svmlight_like()], block in 1_usize..8) {
        let at_once = frame_with(&text, &ReadOptions::default()).ok();
        prop_assert_eq!(at_once, frame_in_blocks(text.as_bytes(), block, 2).ok());
    }

    #[test]
    fn numbers_written_as_svmlight_and_read_are_the_same(
        rows in prop::collection::vec(prop::collection::vec(prop_oneof![3 => Just(0.0), 2 => -1e9..1e9], 4), 1..30)
    ) {
        let mut text = String::new();
        for row in &rows {
            let features = (1..).zip(&row[1..]).filter(|(_, value)| **value != 0.0);
            let features: Vec<String> = features.map(|(index, value)| format!(" {index}:{value:e}")).collect();
            writeln!(text, "{:e}{}", row[0], features.concat()).expect("a string");
        }
        // A file without any feature is a column of CSV.
        prop_assume!(rows.iter().any(|row| row[1..].iter().any(|&value| value != 0.0)));
        let read = frame(text);
        for (at, column) in read.columns().iter().enumerate() {
            let expected: Vec<f64> = rows.iter().map(|row| row[at]).collect();
            prop_assert_eq!(column.numbers().collect::<Vec<_>>(), expected);
        }
    }
}
