use std::io::Write;

use super::super::{Column, ColumnType, Frame, ReadOptions};
use super::*;

#[test]
fn a_table_has_names_types_and_values() {
    let frame = frame("age,colour,weight\n31,red,1.5\n,blue,2.25\n7,red,\n");
    assert_eq!(names(&frame), ["age", "colour", "weight"]);
    assert_eq!(kinds(&frame), [ColumnType::Numeric, ColumnType::Enum, ColumnType::Numeric]);
    assert_eq!(values(&frame, 0), ["31", ".", "7"]);
    assert_eq!(values(&frame, 1), ["red", "blue", "red"]);
    assert_eq!(values(&frame, 2), ["1.5", "2.25", "."]);
    assert_eq!(frame.column("age").map(Column::missing_count), Some(1));
    assert_eq!(frame.index_of("weight"), Some(2));
    assert_eq!(frame.index_of("height"), None);
}

#[test]
fn rows_can_be_read_in_any_order() {
    let frame = frame("a,b,c\n1,x,10\n2,y,20\n3,x,\n4,x,40\n");
    let reader = frame.row_reader(&[2, 1]);
    let mut values = [0.0; 2];
    reader.read(3, &mut values);
    assert_eq!(values, [40.0, 0.0]);
    reader.read(2, &mut values);
    assert!(values[0].is_nan());
    reader.read(1, &mut values);
    assert_eq!(values, [20.0, 1.0]);
}

#[test]
fn a_table_of_text_has_no_header_unless_told() {
    let text = "a,b\nx,y\nx,z\n";
    assert_eq!(names(&frame(text)), ["C1", "C2"]);
    assert_eq!(frame(text).rows(), 3);
    let told = frame_with(text, &ReadOptions { header: Some(true), ..ReadOptions::default() }).expect("a table");
    assert_eq!(names(&told), ["a", "b"]);
    assert_eq!(told.rows(), 2);
}

#[test]
fn numbers_in_the_first_line_are_a_row_unless_told() {
    let text = "2019,2020\n1,2\n";
    assert_eq!(frame(text).rows(), 2);
    let told = frame_with(text, &ReadOptions { header: Some(true), ..ReadOptions::default() }).expect("a table");
    assert_eq!(names(&told), ["2019", "2020"]);
}

#[test]
fn blank_names_are_positions() {
    assert_eq!(names(&frame("a,,c,\nx,1,2,3\nx,1,2,3\n")), ["a", "C2", "c", "C4"]);
    assert_eq!(names(&frame("C2,\n1,2\n3,4\n")), ["C2", "C2C2"]);
}

#[test]
fn quoted_names_keep_their_blanks_and_others_lose_the_leading_ones() {
    assert_eq!(names(&frame("\"a b\", c ,\" d \"\n1,2,3\n4,5,6\n")), ["a b", "c ", " d "]);
}

#[test]
fn quotes_hold_separators_line_breaks_and_doubled_quotes() {
    let frame =
        frame("k,v\n\"a,b\",1\n\"x\ny\",2\n\"say \"\"hi\"\"\",3\n \"q\"  ,4\n\"a,b\",5\nin\"ner\"q,6\n\"\",7\n");
    assert_eq!(values(&frame, 0), ["a,b", "x\ny", "say \"hi\"", "q", "a,b", "in\"ner\"q", ""]);
    assert_eq!(values(&frame, 1), ["1", "2", "3", "4", "5", "6", "7"]);
}

#[test]
fn leading_blanks_go_and_trailing_ones_stay() {
    let frame = frame("k,v\n  red ,1 \nblue  , 2\nred,3\n\" q \",4\nred,5\n\tred\t,6\n");
    assert_eq!(values(&frame, 0), ["red ", "blue  ", "red", " q ", "red", "red\t"]);
    assert_eq!(values(&frame, 1), ["1", "2", "3", "4", "5", "6"]);
}

#[test]
fn every_kind_of_line_end_is_one() {
    for text in ["a,b\n1,2\n3,4\n", "a,b\r\n1,2\r\n3,4\r\n", "a,b\r1,2\r3,4\r", "a,b\n1,2\n3,4", "a,b\r\n1,2\n3,4\r"] {
        let frame = frame(text);
        assert_eq!(values(&frame, 0), ["1", "3"], "{text:?}");
        assert_eq!(values(&frame, 1), ["2", "4"], "{text:?}");
    }
}

#[test]
fn blank_lines_and_comments_are_passed_over() {
    let frame = frame("# note\n\na,b\n1,2\n \t \n#x,y\n #z\n3,4\n\n");
    assert_eq!(values(&frame, 0), ["1", "3"]);
    assert_eq!(values(&frame, 1), ["2", "4"]);
}

#[test]
fn a_hash_within_a_row_is_text() {
    assert_eq!(values(&frame("a,b\n1,#x\n2,y\n3,#x\n"), 1), ["#x", "y", "#x"]);
}

#[test]
fn runs_of_spaces_separate_once() {
    let frame = frame("a b \n 1  2\n3 4 \n\"5\" 6");
    assert_eq!(names(&frame), ["a", "b"]);
    assert_eq!(values(&frame, 0), ["1", "3", "5"]);
    assert_eq!(values(&frame, 1), ["2", "4", "6"]);
}

#[test]
fn a_tab_between_tabs_is_an_empty_cell() {
    let frame = frame("a\tb\tc\n1\t\t3\n\t5\t\n");
    assert_eq!(values(&frame, 0), ["1", "."]);
    assert_eq!(values(&frame, 1), [".", "5"]);
    assert_eq!(values(&frame, 2), ["3", "."]);
}

#[test]
fn a_separator_can_be_told() {
    let options = ReadOptions { separator: Some(b':'), ..ReadOptions::default() };
    let frame = frame_with("a:b\n1,5:2\n1,6:3\n", &options).expect("a table");
    assert_eq!(names(&frame), ["a", "b"]);
}

#[test]
fn a_separator_at_the_end_of_all_rows_makes_a_blank_column_and_of_some_nothing() {
    let all = frame("a,b\n1,2,\n3,4,\n");
    assert_eq!(names(&all), ["a", "b", "C3"]);
    assert_eq!(all.columns()[2].missing_count(), 2);
    let some = frame("a,b\n1,2\n3,4,\n5,6\n");
    assert_eq!(names(&some), ["a", "b"]);
    assert_eq!(values(&some, 1), ["2", "4", "6"]);
}

#[test]
fn declared_types_win() {
    let text = "a,b,c\n1,x,0\n01,y,foo\n1.0,x,2\n 8 ,x,NA\n$9,y,\n";
    let frame =
        frame_with(text, &declared(&[("a", ColumnType::Enum), ("C2", ColumnType::String), ("c", ColumnType::Numeric)]))
            .expect("a table");
    assert_eq!(values(&frame, 0), ["1", "01", "1.0", "8 ", "$9"]);
    assert_eq!(frame.columns()[0].domain(), Some(&["$9", "01", "1", "1.0", "8 "].map(String::from)[..]));
    assert_eq!(frame.columns()[1].kind(), ColumnType::String);
    assert_eq!(values(&frame, 2), ["0", ".", "2", ".", "."]);
    assert_eq!(frame.columns()[2].missing_count(), 3);
    assert_eq!(frame.columns()[2].unreadable_count(), 1);
}

#[test]
fn a_position_names_a_column_only_if_no_header_does() {
    let text = "C2,b\n1,2\n3,4\n";
    let frame = frame_with(text, &declared(&[("C2", ColumnType::Enum)])).expect("a table");
    assert_eq!(kinds(&frame), [ColumnType::Enum, ColumnType::Numeric]);
}

#[test]
fn digits_declared_categorical_become_levels() {
    let frame = frame_with("0,5\n12,0\n7,5\n", &declared(&[("C2", ColumnType::Enum)])).expect("a table");
    assert_eq!(frame.columns()[1].domain(), Some(&["0", "5"].map(String::from)[..]));
    assert_eq!((0..3).map(|row| frame.columns()[1].code(row)).collect::<Vec<_>>(), [Some(1), Some(0), Some(1)]);
}

#[test]
fn levels_are_sorted_bytewise_and_broken_bytes_shown_as_hex() {
    let expected = ["10", "2", "<0xE282>", "B", "b", "x<0xEF>y", "é"].map(String::from);
    let frame = frame(b"k,v\n10,1\nb,2\n2,3\nB,3\nx\xefy,4\n\xc3\xa9,5\n\xe2\x82,6\nb,7\n");
    assert_eq!(frame.columns()[0].domain(), Some(&expected[..]));
}

#[test]
fn zeros_in_a_column_of_few_texts_are_missing() {
    assert_eq!(
        values(&frame("a,b\n0,1\nfoo,1\nbar,2\nfoo,2\nbar,3\nfoo,3\n0,4\n"), 0),
        [".", "foo", "bar", "foo", "bar", "foo", "."]
    );
}

#[test]
fn na_is_a_level_unless_declared_missing() {
    let text = "a,b\n1,x\n2,NA\n3,x\n4, NA \n-99,y\n";
    assert_eq!(values(&frame(text), 1), ["x", "NA", "x", "NA ", "y"]);
    let options = ReadOptions { na_strings: vec!["NA".to_owned(), "-99".to_owned()], ..ReadOptions::default() };
    let frame = frame_with(text, &options).expect("a table");
    assert_eq!(values(&frame, 0), ["1", "2", "3", "4", "."]);
    assert_eq!(values(&frame, 1), ["x", ".", "x", ".", "y"]);
    assert_eq!(frame.columns()[0].unreadable_count(), 0);
}

#[test]
fn words_for_infinity_and_nan_are_missing_and_huge_numbers_infinite() {
    let frame = frame("a\n1\n1e309\nInf\n-inf\nNaN\n-1e309\n");
    assert_eq!(values(&frame, 0), ["1", "inf", ".", ".", ".", "-inf"]);
    assert_eq!(frame.columns()[0].unreadable_count(), 2, "NaN says that there is no value, the others lose one");
}

#[test]
fn an_empty_column_is_numeric_and_missing() {
    let frame = frame("a,b\n1,\n2,\n");
    assert_eq!(kinds(&frame), [ColumnType::Numeric; 2]);
    assert_eq!(frame.columns()[1].missing_count(), 2);
    let declared = frame_with("a,b\n1,\n2,\n", &declared(&[("b", ColumnType::Enum)])).expect("a table");
    assert_eq!(declared.columns()[1].domain(), Some(&[][..]));
    assert_eq!(declared.columns()[1].code(0), None);
}

#[test]
fn times_are_milliseconds_and_what_is_none_is_missing() {
    let frame = frame("at,x\n2024-01-05,1\n1/6/2024 10:00:00 PM,2\n2024-01-05T10:00:00Z,3\nsoon,4\n,5\n86400000,6\n");
    assert_eq!(kinds(&frame), [ColumnType::Time, ColumnType::Numeric]);
    assert_eq!(values(&frame, 0), ["1704412800000", "1704578400000", "1704448800000", ".", ".", "86400000"]);
    assert_eq!(frame.columns()[0].unreadable_count(), 1);
}

#[test]
fn declared_times_may_be_written_days_first_with_dots() {
    let text = "d,x\n31.12.2024,1\n1.1.2025,2\n";
    assert_eq!(kinds(&frame(text))[0], ColumnType::String);
    let frame = frame_with(text, &declared(&[("d", ColumnType::Time)])).expect("a table");
    assert_eq!(values(&frame, 0), ["1735603200000", "1735689600000"]);
    // As in H2O.
    assert_eq!(values(&super::frame("d,x\n2024-12-31,1\n1.1.2025,2\n"), 0), ["1735603200000", "."]);
}

#[test]
fn uuids_are_counted_and_not_kept() {
    let uuid = "f47ac10b-58cc-4372-a567-0e02b2c3d479";
    assert_eq!(kinds(&frame(format!("{uuid},1\n{uuid},2\n,3\n"))), [ColumnType::Uuid, ColumnType::Numeric]);
    let text = format!("{uuid},1\n{uuid},2\n,3\nnone,4\n");
    let frame = frame_with(text, &declared(&[("C1", ColumnType::Uuid)])).expect("a table");
    let column = &frame.columns()[0];
    assert_eq!((column.len(), column.missing_count(), column.unreadable_count()), (4, 2, 1));
    assert_eq!(column.memory_bytes(), 8, "the bits of the missing rows");
}

#[test]
fn a_time_or_a_uuid_is_no_name() {
    assert_eq!(names(&frame("d,k\n2024-01-05,x\n2024-01-06,y\n")), ["d", "k"]);
    assert_eq!(names(&frame("u,k\nf47ac10b-58cc-4372-a567-0e02b2c3d479,x\n,y\n")), ["u", "k"]);
    assert_eq!(names(&frame("2024-01-05,b\nx,1\ny,2\n")), ["C1", "C2"]);
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_first_name() {
    assert_eq!(names(&frame("\u{feff}\"a\",b\n1,2\n3,4\n")), ["a", "b"]);
}

#[test]
fn a_quote_left_open_in_the_last_line_is_closed() {
    assert_eq!(values(&frame("a,b\n1,x\n2,x\n3,\"y"), 1), ["x", "x", "y"]);
}

#[test]
fn progress_ends_with_all_bytes_and_rows() {
    let text = "a,b\n1,2\n".to_owned() + &"3,4\n".repeat(200_000);
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(text.as_bytes()).expect("written");
    let mut steps = Vec::new();
    let total = text.len() as u64;
    let frame = Frame::read(file.path(), &ReadOptions::default(), &mut |step| steps.push(step)).expect("a table");
    assert_eq!(frame.rows(), 200_001);
    assert!(steps.len() > 2);
    assert!(steps.is_sorted_by_key(|step| (step.bytes_read, step.rows)));
    let last = steps.last().expect("a step");
    assert_eq!((last.bytes_read, last.bytes_total, last.rows), (total, Some(total), 200_001));
    assert_eq!(Frame::read(file.path(), &ReadOptions::default(), &mut |_| {}).expect("a table"), frame);
}

#[test]
fn the_preview_grows_until_it_holds_a_header_and_a_row() {
    let text = "# a comment longer than the preview\n\"a\nb\",c\n\"x\ny\",2\nz,3\n\"x\ny\",4\n";
    let sizes = Sizes { preview: 4, block: 4, ..Sizes::default() };
    let options = declared(&[("a\nb", ColumnType::Enum)]);
    let frame = read(text.as_bytes(), "t.csv", &options, &mut |_| {}, sizes).expect("a table");
    assert_eq!(names(&frame), ["a\nb", "c"]);
    assert_eq!(values(&frame, 0), ["x\ny", "z", "x\ny"]);
    assert_eq!(values(&frame, 1), ["2", "3", "4"]);
}

#[test]
fn columns_take_the_narrowest_type() {
    let row = |row: u32| format!("{},{},{},{}\n", row % 256, row * 30, row * 1000, f64::from(row) / 2.0);
    let rows = (0..1000).map(row).collect::<Vec<_>>().concat();
    let frame = frame("a,b,c,d\n".to_owned() + &rows);
    let bytes: Vec<usize> = frame.columns().iter().map(Column::memory_bytes).collect();
    assert_eq!(bytes, [1000, 2000, 4000, 4000]);
    assert_eq!(frame.memory_bytes(), 11_000);
}
