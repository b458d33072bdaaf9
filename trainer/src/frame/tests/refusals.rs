use std::path::Path;

use super::super::{Column, ColumnType, Frame, FrameError, ReadOptions};
use super::*;

fn read_path(path: &Path) -> String {
    Frame::read(path, &ReadOptions::default(), &mut |_| {}).expect_err("no table").to_string()
}

#[test]
fn a_file_that_is_not_there_is_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let message = read_path(&folder.path().join("none.csv"));
    assert!(message.starts_with("cannot open ") && message.contains("none.csv"), "{message}");
}

#[test]
fn a_folder_without_files_or_with_folders_is_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("_SUCCESS"), "").expect("written");
    let shown = folder.path().display();
    assert_eq!(
        read_path(folder.path()),
        format!(
            "{shown} is a folder without files, expected one at least (names that begin with `.` or `_` do not count)"
        )
    );
    std::fs::create_dir(folder.path().join("year=2024")).expect("made");
    assert_eq!(
        read_path(folder.path()),
        format!("{shown}/year=2024 is a folder within a folder, expected files alone")
    );
}

#[test]
fn files_without_rows_are_refused() {
    assert_eq!(refusal(""), "t.csv is empty, expected a header and rows");
    assert_eq!(refusal("\n \n# only a comment\n"), "t.csv is empty, expected a header and rows");
    assert_eq!(refusal("\u{feff}"), "t.csv is empty, expected a header and rows");
    assert_eq!(refusal("a,b,c\n"), "t.csv has a header but no rows");
    assert_eq!(refusal("a,b,c\n\n\n"), "t.csv has a header but no rows");
}

#[test]
fn rows_of_the_wrong_length_are_refused_with_their_line() {
    let start = "a,b,c\n1,2,3\n";
    let message =
        |line: u64, found: usize| format!("t.csv, line {line}: expected 3 cells separated by comma, found {found}");
    assert_eq!(refusal(start.to_owned() + "1,2\n"), message(3, 2));
    assert_eq!(refusal(start.to_owned() + "\n#\n\"x\ny\",2,3\n1,2,3,4\n"), message(7, 4));
    assert_eq!(refusal(start.to_owned() + "1,2,3\r1,2,3\r\n1,2,3,,\n"), message(5, 5));
    assert_eq!(refusal(start.to_owned() + "1,2,3\n1"), message(4, 1));
    assert_eq!(refusal("a,b\n1,2,3\n4,5,6\n"), message(1, 2));
    assert_eq!(refusal("a,b,c,d\n1,2,3\n"), "t.csv, line 2: expected 4 cells separated by comma, found 3");
}

#[test]
fn equal_names_are_refused() {
    assert_eq!(refusal("a,b,a\n1,2,3\n"), "t.csv has two columns named \"a\", expected different names");
    let column = || Column::numeric("a", [1.0]);
    assert!(matches!(
        Frame::from_columns(vec![column(), column()]),
        Err(FrameError::DuplicateColumn { name, .. }) if name == "a"
    ));
}

#[test]
fn columns_of_unequal_length_are_refused() {
    let columns = vec![Column::numeric("a", [1.0]), Column::numeric("b", [1.0, 2.0])];
    assert!(matches!(Frame::from_columns(columns), Err(FrameError::UnequalLengths { expected: 1, found: 2, .. })));
}

#[test]
fn codes_without_a_level_are_refused() {
    let column = Column::categorical("a", vec!["x".to_owned()], [Some(0), Some(1)]);
    assert!(matches!(column, Err(FrameError::CodeOutsideDomain { row: 1, code: 1, levels: 1, .. })));
}

#[test]
fn what_is_no_text_is_refused() {
    assert_eq!(refusal(b"\xff\xfea\0,\0b\0"), "t.csv is UTF-16 text, expected UTF-8");
    assert_eq!(refusal(b"\xfe\xff\0a"), "t.csv is UTF-16 text, expected UTF-8");
    assert_eq!(refusal(b"a,b\n1,2\n3,\0\n"), "t.csv, line 3: not a text file (it contains a zero byte), expected CSV");
}

#[test]
fn a_zero_byte_far_behind_the_preview_is_refused_with_its_line() {
    let text = "1,2\n".repeat(2_000_000) + "3,\0\n";
    assert_eq!(refusal(text), "t.csv, line 2000001: not a text file (it contains a zero byte), expected CSV");
}

#[test]
fn a_quote_that_swallows_lines_is_refused_with_the_line_where_it_opened() {
    assert_eq!(refusal("a,b\n1,2\n3,\"x\n4,5\n6,7\n"), "t.csv, line 3: the quote opened here is never closed");
    assert_eq!(refusal("a,b\n1,2\n\"3,x\r4,5\r"), "t.csv, line 3: the quote opened here is never closed");
}

#[test]
fn a_cell_without_end_is_refused() {
    let sizes = Sizes { preview: 16, block: 16, longest: 64, ..Sizes::default() };
    let read = |text: String| {
        read(text.as_bytes(), "t.csv", &ReadOptions::default(), &mut |_| {}, sizes).expect_err("no table").to_string()
    };
    assert_eq!(read("x".repeat(1000)), "t.csv, line 1: no end of the cell or line within 64 bytes");
    assert_eq!(
        read("a,b\n1,2\n".to_owned() + &"7".repeat(1000)),
        "t.csv, line 3: no end of the cell or line within 64 bytes"
    );
    assert_eq!(
        read("a,b\n1,\"".to_owned() + &"7\n".repeat(1000)),
        "t.csv, line 2: the quote opened here is never closed"
    );
}

#[test]
fn too_many_levels_are_refused() {
    let sizes = Sizes { levels: 2, ..Sizes::default() };
    let options = declared(&[("b", ColumnType::Enum)]);
    let read = |text: &str| read(text.as_bytes(), "t.csv", &options, &mut |_| {}, sizes);
    assert!(read("a,b\n1,x\n2,y\n3,x\n").is_ok());
    assert_eq!(
        read("a,b\n1,x\n2,y\n3,z\n").expect_err("no table").to_string(),
        "t.csv, column \"b\": more than 2 different levels; declare it string or leave it out"
    );
}

#[test]
fn too_many_rows_are_refused() {
    let text = (0..100).map(|row| format!("{row},x{row}\n")).collect::<Vec<_>>().concat();
    for block in [8, 1 << 18] {
        let sizes = |rows| Sizes { preview: 64, block, rows, ..Sizes::default() };
        let read = |rows| read(text.as_bytes(), "t.csv", &ReadOptions::default(), &mut |_| {}, sizes(rows));
        assert_eq!(read(100).expect("as many as there may be").rows(), 100);
        assert_eq!(read(99).expect_err("one too many").to_string(), "t.csv has more than 99 rows");
    }
}

#[test]
fn text_behind_a_closing_quote_is_refused() {
    assert_eq!(
        refusal("a,b\n1,2\n3,\"x\"y\n"),
        "t.csv, line 3, cell 2: text after the closing quote, expected a separator \
         (a quote inside quotes is written twice)"
    );
}

#[test]
fn a_type_for_an_unknown_column_is_refused() {
    let message =
        |name| frame_with("a,b\n1,2\n", &declared(&[(name, ColumnType::Enum)])).expect_err("no table").to_string();
    assert_eq!(message("c"), "t.csv has no column \"c\" to give a type to; it has \"a\", \"b\"");
    assert!(message("C3").starts_with("t.csv has no column \"C3\""));
    assert!(message("C0").starts_with("t.csv has no column \"C0\""));
    let wide = (1..=20).map(|n| n.to_string()).collect::<Vec<_>>().join(",") + "\n";
    let refused = frame_with(wide, &declared(&[("x", ColumnType::Enum)])).expect_err("no table").to_string();
    assert!(refused.ends_with("\"C7\", \"C8\" and 12 more"), "{refused}");
}

#[test]
fn type_names_are_h2os() {
    for (name, kind) in [
        ("numeric", ColumnType::Numeric),
        ("Real", ColumnType::Numeric),
        ("int", ColumnType::Numeric),
        ("double", ColumnType::Numeric),
        ("float", ColumnType::Numeric),
        ("long", ColumnType::Numeric),
        ("enum", ColumnType::Enum),
        ("factor", ColumnType::Enum),
        ("categorical", ColumnType::Enum),
        ("time", ColumnType::Time),
        ("string", ColumnType::String),
        ("UUID", ColumnType::Uuid),
    ] {
        assert_eq!(name.parse::<ColumnType>().expect("a type"), kind, "{name}");
        assert_eq!(kind.to_string().parse::<ColumnType>().expect("a type"), kind);
    }
    let message = |name: &str| name.parse::<ColumnType>().expect_err("no type").to_string();
    assert_eq!(message("number"), "unknown column type \"number\", expected numeric, enum, time, string or uuid");
}

#[test]
fn a_separator_that_is_part_of_cells_is_refused() {
    let message = |separator| {
        let options = ReadOptions { separator: Some(separator), ..ReadOptions::default() };
        frame_with("a,b\n1,2\n", &options).expect_err("no table").to_string()
    };
    assert!(message(b'"').starts_with("'\"' cannot separate cells"), "{}", message(b'"'));
    for separator in *b"0x.-\n\xe9" {
        assert!(message(separator).contains("cannot separate cells"));
    }
}
