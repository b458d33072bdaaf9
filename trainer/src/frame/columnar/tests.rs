use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringDictionaryBuilder};
use arrow_array::types::{ArrowPrimitiveType, Float16Type, Int8Type, Int32Type};
use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, Date32Array, Decimal128Array, Decimal256Array, DurationMicrosecondArray,
    FixedSizeBinaryArray, Float16Array, Float32Array, Float64Array, Int8Array, Int16Array, Int32Array, Int64Array,
    LargeStringArray, NullArray, RecordBatch, StringArray, StringViewArray, StructArray, Time32SecondArray,
    TimestampMicrosecondArray, TimestampNanosecondArray, TimestampSecondArray, UInt8Array, UInt16Array, UInt32Array,
    UInt64Array,
};
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_ipc::{CompressionType, MetadataVersion};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use proptest::prelude::*;

use super::super::read::{Sizes, read};
use super::super::{Column, ColumnType, Frame, FrameError, ReadOptions};
use super::ColumnarFormat;

fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    let fields: Vec<Field> =
        columns.iter().map(|(name, array)| Field::new(*name, array.data_type().clone(), true)).collect();
    let arrays = columns.into_iter().map(|(_, array)| array).collect();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).expect("columns of one length")
}

fn parquet(batch: &RecordBatch, compression: Compression) -> Vec<u8> {
    let properties = WriterProperties::builder()
        .set_compression(compression)
        .set_max_row_group_row_count(Some(3))
        .set_data_page_row_count_limit(2)
        .build();
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties)).expect("a schema");
    writer.write(batch).expect("memory");
    writer.close().expect("memory");
    bytes
}

fn arrow_file(batch: &RecordBatch, compression: Option<CompressionType>) -> Vec<u8> {
    let options = IpcWriteOptions::try_new(64, false, MetadataVersion::V5).expect("an alignment");
    let options = options.try_with_compression(compression).expect("a codec");
    let mut writer = FileWriter::try_new_with_options(Vec::new(), &batch.schema(), options).expect("a schema");
    for start in (0..batch.num_rows()).step_by(4) {
        writer.write(&batch.slice(start, 4.min(batch.num_rows() - start))).expect("memory");
    }
    writer.into_inner().expect("memory")
}

fn arrow_stream(batch: &RecordBatch) -> Vec<u8> {
    let mut writer = StreamWriter::try_new(Vec::new(), &batch.schema()).expect("a schema");
    writer.write(batch).expect("memory");
    writer.into_inner().expect("memory")
}

fn every_format(batch: &RecordBatch) -> Vec<Vec<u8>> {
    vec![
        parquet(batch, Compression::UNCOMPRESSED),
        parquet(batch, Compression::SNAPPY),
        parquet(batch, Compression::GZIP(parquet::basic::GzipLevel::default())),
        parquet(batch, Compression::LZ4_RAW),
        parquet(batch, Compression::ZSTD(ZstdLevel::default())),
        arrow_file(batch, None),
        arrow_file(batch, Some(CompressionType::LZ4_FRAME)),
        arrow_file(batch, Some(CompressionType::ZSTD)),
        arrow_stream(batch),
    ]
}

fn frame_with(bytes: &[u8], options: &ReadOptions) -> Result<Frame, FrameError> {
    read(bytes, "t", options, &mut |_| {}, Sizes::default())
}

fn frame(bytes: &[u8]) -> Frame {
    frame_with(bytes, &ReadOptions::default()).expect("a table")
}

fn refusal(bytes: &[u8]) -> String {
    frame_with(bytes, &ReadOptions::default()).expect_err("no table").to_string()
}

fn only(frame: &Frame) -> &Column {
    &frame.columns()[0]
}

#[test]
fn every_kind_of_number_is_a_number() {
    let numbers: Vec<(ArrayRef, [f64; 2])> = vec![
        (Arc::new(BooleanArray::from(vec![Some(true), None, Some(false)])), [1.0, 0.0]),
        (Arc::new(Int8Array::from(vec![Some(-128), None, Some(1)])), [-128.0, 1.0]),
        (Arc::new(Int16Array::from(vec![Some(-300), None, Some(1)])), [-300.0, 1.0]),
        (Arc::new(Int32Array::from(vec![Some(i32::MIN), None, Some(1)])), [-2_147_483_648.0, 1.0]),
        (Arc::new(Int64Array::from(vec![Some(9_007_199_254_740_993), None, Some(1)])), [9_007_199_254_740_992.0, 1.0]),
        (Arc::new(UInt8Array::from(vec![Some(255), None, Some(1)])), [255.0, 1.0]),
        (Arc::new(UInt16Array::from(vec![Some(65_535), None, Some(1)])), [65_535.0, 1.0]),
        (Arc::new(UInt32Array::from(vec![Some(u32::MAX), None, Some(1)])), [4_294_967_295.0, 1.0]),
        (Arc::new(UInt64Array::from(vec![Some(u64::MAX), None, Some(1)])), [18_446_744_073_709_551_616.0, 1.0]),
        (Arc::new(Float32Array::from(vec![Some(0.1), Some(f32::NAN), Some(-0.0)])), [f64::from(0.1_f32), 0.0]),
        (Arc::new(Float64Array::from(vec![Some(0.1), Some(f64::NAN), Some(f64::INFINITY)])), [0.1, f64::INFINITY]),
        (
            Arc::new(
                Decimal128Array::from(vec![Some(123_456), None, Some(-1)])
                    .with_precision_and_scale(9, 4)
                    .expect("fits"),
            ),
            [12.3456, -0.0001],
        ),
        (
            Arc::new(
                Decimal256Array::from(vec![Some(7.into()), None, Some(5.into())])
                    .with_precision_and_scale(9, -2)
                    .expect("fits"),
            ),
            [700.0, 500.0],
        ),
        (Arc::new(Time32SecondArray::from(vec![Some(60), None, Some(1)])), [60_000.0, 1000.0]),
        (Arc::new(DurationMicrosecondArray::from(vec![Some(1500), None, Some(-1000)])), [1.5, -1.0]),
    ];
    for (array, [first, last]) in numbers {
        let kind = array.data_type().clone();
        // Durations and decimals of a negative scale have no Parquet type.
        let formats = match kind {
            DataType::Decimal256(_, -2) => vec![arrow_stream(&batch(vec![("a", array)]))],
            _ => every_format(&batch(vec![("a", array)])),
        };
        for bytes in formats {
            let frame = frame(&bytes);
            let column = only(&frame);
            assert_eq!((column.kind(), column.missing_count()), (ColumnType::Numeric, 1), "{kind}");
            assert_eq!((column.number(0), column.number(2)), (first, last), "{kind}");
        }
    }
}

#[test]
fn half_floats_and_nulls_are_numbers() {
    let half = <Float16Type as ArrowPrimitiveType>::Native::from_f32;
    let halves = Float16Array::from_iter_values([1.5, -2.0].map(half));
    let columns: Vec<(&str, ArrayRef)> = vec![("a", Arc::new(halves)), ("b", Arc::new(NullArray::new(2)))];
    for bytes in every_format(&batch(columns)) {
        let frame = frame(&bytes);
        assert_eq!(frame.columns()[0], Column::numeric("a", [1.5, -2.0]));
        assert_eq!(frame.columns()[1], Column::numeric("b", [f64::NAN, f64::NAN]));
    }
}

#[test]
fn dates_and_timestamps_are_times_in_utc() {
    let seconds = TimestampSecondArray::from(vec![Some(1), None, Some(-1)]).with_timezone("+02:00");
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("date", Arc::new(Date32Array::from(vec![Some(1), None, Some(-1)]))),
        ("seconds", Arc::new(seconds)),
        ("micros", Arc::new(TimestampMicrosecondArray::from(vec![Some(1999), None, Some(-1)]))),
        ("nanos", Arc::new(TimestampNanosecondArray::from(vec![Some(1_999_999), None, Some(-1)]))),
    ];
    for bytes in every_format(&batch(columns)) {
        let frame = frame(&bytes);
        let times = |name, [first, last]: [f64; 2]| Column::time(name, [first, f64::NAN, last]);
        assert_eq!(frame.columns()[0], times("date", [86_400_000.0, -86_400_000.0]));
        assert_eq!(frame.columns()[1], times("seconds", [1000.0, -1000.0]));
        assert_eq!(frame.columns()[2], times("micros", [1.0, -1.0]));
        assert_eq!(frame.columns()[3], times("nanos", [1.0, -1.0]));
    }
}

#[test]
fn texts_of_every_kind_are_levels_in_bytewise_order() {
    let texts = [Some("b"), None, Some(""), Some("b"), Some("a"), Some("a")];
    let mut dictionary = StringDictionaryBuilder::<Int8Type>::new();
    dictionary.extend(texts);
    let bytes: Vec<Option<&[u8]>> = texts.iter().map(|text| text.map(str::as_bytes)).collect();
    let fixed = bytes.iter().map(|text| text.map(|text| [text, b".."].concat()[..2].to_vec()));
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("plain", Arc::new(StringArray::from(texts.to_vec()))),
        ("large", Arc::new(LargeStringArray::from(texts.to_vec()))),
        ("view", Arc::new(StringViewArray::from(texts.to_vec()))),
        ("binary", Arc::new(BinaryArray::from(bytes.clone()))),
        ("dictionary", Arc::new(dictionary.finish())),
        ("fixed", Arc::new(FixedSizeBinaryArray::try_from_sparse_iter_with_size(fixed, 2).expect("two bytes"))),
    ];
    for bytes in every_format(&batch(columns)) {
        let frame = frame(&bytes);
        for column in &frame.columns()[..5] {
            let codes = [Some(2), None, Some(0), Some(2), Some(1), Some(1)];
            let domain = ["", "a", "b"].map(String::from).to_vec();
            assert_eq!(*column, Column::categorical(column.name(), domain, codes).expect("codes of the domain"));
        }
        assert_eq!(frame.columns()[5].domain(), Some(&["..", "a.", "b."].map(String::from)[..]));
    }
}

#[test]
fn varied_texts_are_strings_unless_they_are_declared_or_a_dictionary() {
    let texts: Vec<String> = (0..100).map(|row| format!("text {row}")).collect();
    let mut dictionary = StringDictionaryBuilder::<Int32Type>::new();
    dictionary.extend(texts.iter().map(Some));
    let columns: Vec<(&str, ArrayRef)> =
        vec![("plain", Arc::new(StringArray::from(texts))), ("dictionary", Arc::new(dictionary.finish()))];
    for bytes in every_format(&batch(columns)) {
        let kinds = |options: &ReadOptions| {
            frame_with(&bytes, options).expect("a table").columns().iter().map(Column::kind).collect::<Vec<_>>()
        };
        assert_eq!(kinds(&ReadOptions::default()), [ColumnType::String, ColumnType::Enum]);
        assert_eq!(kinds(&declared(&[("C1", ColumnType::Enum)])), [ColumnType::Enum, ColumnType::Enum]);
    }
}

fn declared(types: &[(&str, ColumnType)]) -> ReadOptions {
    let column_types = types.iter().map(|&(name, kind)| (name.to_owned(), kind)).collect();
    ReadOptions { column_types, ..ReadOptions::default() }
}

#[test]
fn a_declared_type_wins() {
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("number", Arc::new(Int32Array::from(vec![10, 9, 10]))),
        ("text", Arc::new(StringArray::from(vec!["1.5", "x", ""]))),
        ("time", Arc::new(Date32Array::from(vec![1, 0, 1]))),
    ];
    let bytes = parquet(&batch(columns), Compression::SNAPPY);
    let read = |types: &[(&str, ColumnType)]| frame_with(&bytes, &declared(types)).expect("a table");
    let frame = read(&[("number", ColumnType::Enum), ("text", ColumnType::Numeric), ("time", ColumnType::Numeric)]);
    assert_eq!(frame.columns()[0].domain(), Some(&["9", "10"].map(String::from)[..]));
    assert_eq!((frame.columns()[1].number(0), frame.columns()[1].unreadable_count()), (1.5, 1));
    assert_eq!(frame.columns()[2].number(0), 86_400_000.0);
    assert_eq!(read(&[("number", ColumnType::String)]).columns()[0].kind(), ColumnType::String);
    let refused =
        |types: &[(&str, ColumnType)]| frame_with(&bytes, &declared(types)).expect_err("no table").to_string();
    assert_eq!(
        refused(&[("number", ColumnType::Uuid)]),
        "t: column \"number\" can be numeric, enum, time or string, not uuid"
    );
    assert_eq!(
        refused(&[("age", ColumnType::Enum)]),
        "t has no column \"age\" to give a type to; it has \"number\", \"text\", \"time\""
    );
}

#[test]
fn nested_columns_are_refused_by_name() {
    let mut lists = ListBuilder::new(arrow_array::builder::Int32Builder::new());
    lists.append_value([Some(1)]);
    let inner: ArrayRef = Arc::new(Int32Array::from(vec![1]));
    let structs = StructArray::from(vec![(Arc::new(Field::new("x", DataType::Int32, true)), inner)]);
    for (array, found) in [(Arc::new(lists.finish()) as ArrayRef, "lists"), (Arc::new(structs), "structs")] {
        for bytes in every_format(&batch(vec![("a", Arc::new(Int32Array::from(vec![1]))), ("b", array.clone())])) {
            assert_eq!(
                refusal(&bytes),
                format!(
                    "t: column \"b\" holds {found}, expected numbers, booleans, texts, dates or times: flatten it or \
                     leave it out of the file"
                )
            );
        }
    }
}

#[test]
fn files_without_rows_or_columns_are_refused() {
    for bytes in every_format(&batch(vec![("a", Arc::new(Int32Array::from(Vec::<i32>::new())))])) {
        assert_eq!(refusal(&bytes), "t has a header but no rows");
    }
    let empty = RecordBatch::new_empty(Arc::new(Schema::empty()));
    assert_eq!(refusal(&arrow_stream(&empty)), "t has no columns");
}

#[test]
fn packed_files_are_refused() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, &sample_formats()[0]).expect("memory");
    let packed = encoder.finish().expect("memory");
    assert_eq!(refusal(&packed), "t is a Parquet file that is packed once more, expected it unpacked");
}

fn sample_formats() -> Vec<Vec<u8>> {
    every_format(&batch(vec![
        ("number", Arc::new(Float64Array::from(vec![Some(1.5), None, Some(3.0), Some(2.5), Some(9.0)]))),
        ("text", Arc::new(StringArray::from(vec!["a", "b", "a", "b", "a"]))),
    ]))
}

#[test]
fn a_file_that_is_cut_at_any_byte_is_refused() {
    for bytes in sample_formats() {
        let is_stream = bytes.starts_with(&[0xff; 4]);
        let whole = frame(&bytes);
        for length in ColumnarFormat::MAGIC_BYTES..bytes.len() {
            match frame_with(&bytes[..length], &ReadOptions::default()) {
                Err(error) => assert!(error.to_string().starts_with("t "), "{length}: {error}"),
                // A stream may end behind any message.
                Ok(frame) => assert!(is_stream && frame == whole, "{length} of {}", bytes.len()),
            }
        }
    }
}

proptest! {
    #[test]
    fn damaged_files_are_a_table_or_a_sentence(
        which in 0_usize..9,
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut bytes = sample_formats()[which].clone();
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Err(error) = frame_with(&bytes, &ReadOptions::default()) {
            prop_assert!(!error.to_string().contains('\n'));
        }
    }

    #[test]
    fn a_table_written_and_read_is_the_same(
        rows in prop::collection::vec(
            (
                prop_oneof![Just(f64::NAN), any::<f64>(), (-300_i32..300).prop_map(f64::from)],
                prop::option::of(prop::sample::select(vec!["red", "a,b", "line\nbreak", "", "é", " pad "])),
                prop::option::of(-9_000_000_000_000_i64..9_000_000_000_000),
            ),
            1..20,
        ),
        which in 0_usize..9,
    ) {
        let mut domain: Vec<String> = rows.iter().filter_map(|(_, text, _)| text.map(str::to_owned)).collect();
        domain.sort();
        domain.dedup();
        let code = |text: &str| domain.iter().position(|level| level == text).map(|code| code as u32);
        let codes: Vec<Option<u32>> = rows.iter().map(|(_, text, _)| text.and_then(code)).collect();
        let written = Frame::from_columns(vec![
            Column::numeric("number", rows.iter().map(|(number, ..)| *number)),
            Column::categorical("text", domain.clone(), codes).expect("codes of the domain"),
            Column::time("time", rows.iter().map(|(.., time)| time.map_or(f64::NAN, |millis| millis as f64))),
        ]).expect("equal lengths");
        let times: arrow_array::TimestampMillisecondArray = rows.iter().map(|(.., time)| *time).collect();
        let columns: Vec<(&str, ArrayRef)> = vec![
            ("number", Arc::new(Float64Array::from(rows.iter().map(|(number, ..)| *number).collect::<Vec<_>>()))),
            ("text", Arc::new(StringArray::from(rows.iter().map(|(_, text, _)| *text).collect::<Vec<_>>()))),
            ("time", Arc::new(times)),
        ];
        let bytes = every_format(&batch(columns)).swap_remove(which);
        prop_assert_eq!(frame_with(&bytes, &declared(&[("text", ColumnType::Enum)])).expect("a table"), written);
    }
}

/// Files in a folder of their own, under these names.
fn folder(files: &[(&str, &[u8])]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).expect("written");
    }
    let path = folder.path().to_owned();
    (folder, path)
}

fn numbers(values: &[i32]) -> RecordBatch {
    batch(vec![("a", Arc::new(Int32Array::from(values.to_vec())))])
}

#[test]
fn a_folder_is_its_files_in_the_order_of_their_names() {
    let (_kept, path) = folder(&[
        ("2.parquet", &parquet(&numbers(&[3]), Compression::SNAPPY)),
        ("10.parquet", &parquet(&numbers(&[1, 2]), Compression::SNAPPY)),
        (".hidden", b"x"),
        ("_SUCCESS", b""),
    ]);
    let mut steps = Vec::new();
    let frame = Frame::read(&path, &ReadOptions::default(), &mut |step| steps.push(step)).expect("a table");
    assert_eq!(*only(&frame), Column::numeric("a", [1.0, 2.0, 3.0]));
    let last = steps.last().expect("a step");
    assert_eq!((Some(last.bytes_read), last.rows), (last.bytes_total, 3));
}

#[test]
fn files_that_do_not_agree_are_refused() {
    let first = parquet(&numbers(&[1]), Compression::SNAPPY);
    let texts = batch(vec![("a", Arc::new(StringArray::from(vec!["x"])))]);
    let named = batch(vec![("b", Arc::new(Int32Array::from(vec![1])))]);
    let wider = batch(vec![("a", Arc::new(Int32Array::from(vec![1]))), ("b", Arc::new(Int32Array::from(vec![1])))]);
    for (other, found) in [
        (parquet(&texts, Compression::SNAPPY), "holds texts in column \"a\", but 1 holds numbers in column \"a\""),
        (parquet(&named, Compression::SNAPPY), "calls column 1 \"b\", but 1 calls column 1 \"a\""),
        (parquet(&wider, Compression::SNAPPY), "has 2 columns, but 1 has 1 columns"),
        (arrow_stream(&numbers(&[1])), "is Arrow, but 1 is Parquet"),
        (b"a\n1\n".to_vec(), "is text, but 1 is Parquet"),
    ] {
        let (_kept, path) = folder(&[("1", &first), ("2", &other)]);
        let refused = Frame::read(&path, &ReadOptions::default(), &mut |_| {}).expect_err("no table").to_string();
        let refused = refused.replace(&format!("{}/", path.display()), "");
        assert_eq!(refused, format!("2 {found}: the files of a table have to agree"));
    }
    // Other widths of numbers agree.
    let floats = batch(vec![("a", Arc::new(Float64Array::from(vec![0.5])))]);
    let (_kept, path) = folder(&[("1", &first), ("2", &parquet(&floats, Compression::SNAPPY))]);
    let frame = Frame::read(&path, &ReadOptions::default(), &mut |_| {}).expect("a table");
    assert_eq!(*only(&frame), Column::numeric("a", [1.0, 0.5]));
}

#[test]
fn a_pipe_is_read_as_a_file_is() {
    let (_kept, path) = folder(&[("t", &sample_formats()[0])]);
    let piped = frame_with(&std::fs::read(path.join("t")).expect("a file"), &ReadOptions::default()).expect("a table");
    let opened = File::open(path.join("t")).expect("a file");
    assert_eq!(read(opened, "t", &ReadOptions::default(), &mut |_| {}, Sizes::default()).expect("a table"), piped);
    assert_eq!(Frame::read(&path.join("t"), &ReadOptions::default(), &mut |_| {}).expect("a table"), piped);
}
