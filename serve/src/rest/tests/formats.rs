//! Every format in and out, whole and in pieces, and what is wrong with damaged ones.

use std::convert::Infallible;
use std::io::Write;

use arrow_array::{ArrayRef, DictionaryArray, Float64Array, Int32Array, RecordBatch, StringArray};
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use axum::body::Bytes;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::*;

const JSON: &str = "application/json";
const NDJSON: &str = "application/x-ndjson";
const CSV: &str = "text/csv";
const ARROW: &str = "application/vnd.apache.arrow.stream";
const PARQUET: &str = "application/vnd.apache.parquet";

/// The same two rows in each format: `b` and 0, `a` and nothing.
fn bodies() -> [(&'static str, Vec<u8>); 5] {
    [
        (JSON, br#"[{"c": "b", "n": 0}, {"n": null, "c": "a"}]"#.to_vec()),
        (NDJSON, b"{\"c\": \"b\", \"n\": 0}\n\n{\"c\": \"a\", \"n\": null}".to_vec()),
        (CSV, b"n,c\n0,b\nNA,\"a\"\n".to_vec()),
        (ARROW, arrow(&[batch()])),
        (PARQUET, parquet(&batch())),
    ]
}

fn batch() -> RecordBatch {
    let levels: DictionaryArray<arrow_array::types::Int32Type> = ["b", "a"].into_iter().collect();
    let columns: [(&str, ArrayRef); 2] =
        [("c", Arc::new(levels)), ("n", Arc::new(Int32Array::from(vec![Some(0), None])))];
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, array)| (name, array, true))).expect("two columns")
}

fn arrow(batches: &[RecordBatch]) -> Vec<u8> {
    let mut writer = StreamWriter::try_new(Vec::new(), &batches[0].schema()).expect("a schema");
    for batch in batches {
        writer.write(batch).expect("a batch");
    }
    writer.into_inner().expect("a stream")
}

fn parquet(batch: &RecordBatch) -> Vec<u8> {
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), None).expect("a schema");
    writer.write(batch).expect("a batch");
    writer.into_inner().expect("a file")
}

const CSV_ANSWER: &str =
    "predict,no,yes\nyes,0.2689414213699951,0.7310585786300049\nno,0.7310585786300049,0.2689414213699951\n";

#[tokio::test]
async fn every_format_is_answered_in_every_other() {
    let app = one(binomial());
    for (from, body) in bodies() {
        let (_, csv) = exchange(&app, from, CSV, body.clone()).await;
        assert_eq!(String::from_utf8_lossy(&csv), CSV_ANSWER, "{from}");
        let (_, json) = exchange(&app, from, JSON, body.clone()).await;
        let json: Value = serde_json::from_slice(&json).expect("JSON");
        assert_eq!(json[0]["probabilities"]["no"], 0.268_941_421_369_995_1);
        let (_, lines) = exchange(&app, from, NDJSON, body.clone()).await;
        let lines: Vec<Value> = lines
            .split(|&byte| byte == b'\n')
            .filter(|line| !line.is_empty())
            .map(|line| serde_json::from_slice(line).expect("JSON"))
            .collect();
        assert_eq!(Value::from(lines), json);
        let (headers, stream) = exchange(&app, from, ARROW, body.clone()).await;
        assert_eq!(
            (&headers["content-type"], &headers["x-model-version"]),
            (&ARROW.parse().expect("a value"), &"1".parse().expect("a value"))
        );
        let stream = StreamReader::try_new(&*stream, None).expect("a stream");
        assert_eq!(numbers(stream.map(|batch| batch.expect("a batch"))), NO);
        let (_, file) = exchange(&app, from, PARQUET, body).await;
        let file = ParquetRecordBatchReaderBuilder::try_new(Bytes::from(file)).expect("a file").build().expect("rows");
        assert_eq!(numbers(file.map(|batch| batch.expect("a batch"))), NO);
    }
}

/// The probabilities of the first class.
const NO: [f64; 2] = [0.268_941_421_369_995_1, 0.731_058_578_630_004_9];

/// The probabilities of the first class in an answer whose labels are `yes` and `no`.
fn numbers(batches: impl Iterator<Item = RecordBatch>) -> Vec<f64> {
    let mut numbers = Vec::new();
    for batch in batches {
        let labels = batch.column(0).as_any().downcast_ref::<StringArray>().expect("texts");
        assert_eq!(labels.iter().collect::<Vec<_>>(), [Some("yes"), Some("no")]);
        let column = batch.column(1).as_any().downcast_ref::<Float64Array>().expect("doubles");
        numbers.extend(column.values());
    }
    numbers
}

#[tokio::test]
async fn a_body_may_come_in_any_pieces() {
    let app = one(binomial());
    for (from, body) in bodies() {
        let (_, whole) = exchange(&app, from, CSV, body.clone()).await;
        for length in [1, 2, 7] {
            let pieces: Vec<Vec<u8>> = body.chunks(length).map(<[u8]>::to_vec).collect();
            let (_, answer) = exchange(&app, from, CSV, in_pieces(pieces)).await;
            assert_eq!(answer, whole, "{from} in pieces of {length}");
        }
    }
}

fn in_pieces(pieces: Vec<Vec<u8>>) -> Body {
    let pieces = pieces.into_iter().map(|piece| Ok::<_, Infallible>(Bytes::from(piece)));
    Body::from_stream(futures_util::stream::iter(pieces))
}

#[tokio::test]
async fn a_long_body_is_answered_while_it_is_read() {
    const ROWS: usize = 300_000;
    let app = one(regression());
    for (from, start, row) in [(CSV, "x\n", "1\n"), (NDJSON, "", "{\"x\":1}\n")] {
        let rows = (0..ROWS / 1000).map(|_| row.repeat(1000).into_bytes());
        let body = in_pieces(std::iter::once(start.as_bytes().to_vec()).chain(rows).collect());
        let (_, answer) = exchange(&app, from, CSV, body).await;
        let mut lines = answer.split(|&byte| byte == b'\n');
        assert_eq!(lines.next(), Some(&b"predict"[..]));
        assert_eq!(lines.filter(|line| *line == b"2.5").count(), ROWS, "{from}");
    }
    let x: ArrayRef = Arc::new(Float64Array::from(vec![1.0; 10_000]));
    let batch = RecordBatch::try_from_iter([("x", x)]).expect("a column");
    let (_, answer) = exchange(&app, ARROW, CSV, arrow(&vec![batch; 30])).await;
    assert_eq!(memchr::memchr_iter(b'\n', &answer).count(), ROWS + 1);
}

#[tokio::test]
async fn a_mistake_early_in_a_long_body_has_a_status_and_a_late_one_breaks_the_answer_off() {
    let app = one(regression());
    let mut lines = vec!["{\"x\":1}\n".repeat(1000).into_bytes(); 1000];
    lines.insert(2, b"{\n".to_vec());
    let request = Request::post("/score").header("content-type", NDJSON).body(in_pieces(lines.clone()));
    let (status, code, message) = refused(&app, request.expect("a request")).await;
    assert_eq!((status, code.as_str()), (400, "invalid_json"));
    assert_eq!(message, "line 2001 is not JSON: EOF while parsing an object at column 1");
    lines.rotate_left(3);
    let request = Request::post("/score").header("content-type", NDJSON).body(in_pieces(lines));
    let response = app.clone().oneshot(request.expect("a request")).await.expect("the routes never fail");
    assert_eq!(response.status(), StatusCode::OK);
    assert!(to_bytes(response.into_body(), usize::MAX).await.is_err());
}

#[tokio::test]
async fn what_was_noticed_about_a_table_is_in_a_header() {
    let app = one(binomial());
    let (headers, answer) = exchange(&app, CSV, JSON, "c,d\nsecret,1\nz,2\n").await;
    let warnings: Value = serde_json::from_slice(headers["x-warnings"].as_bytes()).expect("JSON");
    let short: Vec<_> =
        warnings.as_array().expect("a list").iter().map(|w| json!([w["code"], w["columns"], w["count"]])).collect();
    assert_eq!(
        Value::from(short),
        json!([["unknown_column", ["d"], 1], ["absent_column", ["n"], 1], ["unseen_level", ["c"], 2]])
    );
    let answer: Value = serde_json::from_slice(&answer).expect("JSON");
    assert_eq!(answer[1]["warnings"][0]["code"], "unseen_level");
}

#[tokio::test]
async fn a_blank_line_of_one_column_is_a_row_and_of_more_is_none() {
    let (_, answer) = exchange(&one(regression()), CSV, CSV, "x\n1\n\n\"\n\"\n\n2\n").await;
    assert_eq!(String::from_utf8_lossy(&answer), "predict\n2.5\n0.5\n0.5\n0.5\n4.5\n");
    let (_, answer) = exchange(&one(binomial()), CSV, CSV, "c,n\n\nb,0\n\n").await;
    assert_eq!(String::from_utf8_lossy(&answer), "predict,no,yes\nyes,0.2689414213699951,0.7310585786300049\n");
}

#[tokio::test]
async fn compressed_bodies_are_unpacked() {
    let app = one(binomial());
    for (from, body) in bodies() {
        let (_, plain) = exchange(&app, from, CSV, body.clone()).await;
        for (encoding, packed) in [("gzip", gzip(&body)), ("zstd", zstd::encode_all(&*body, 3).expect("zstd"))] {
            let request = Request::post("/score").header("content-type", from).header("accept", CSV);
            let request = request.header("content-encoding", encoding).body(Body::from(packed.clone()));
            let response = app.clone().oneshot(request.expect("a request")).await.expect("the routes never fail");
            assert_eq!(to_bytes(response.into_body(), usize::MAX).await.expect("a body"), plain, "{from} {encoding}");
            // Cut anywhere it is refused.
            for length in [0, 1, packed.len() / 2, packed.len() - 1] {
                let request = Request::post("/score").header("content-type", from).header("content-encoding", encoding);
                let (status, _, message) =
                    refused(&app, request.body(Body::from(packed[..length].to_vec())).expect("a request")).await;
                assert_eq!(status, 400, "{from} {encoding} {length}: {message}");
            }
        }
    }
}

fn gzip(body: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(body).and_then(|()| encoder.finish()).expect("gzip")
}

#[tokio::test]
async fn a_body_that_expands_without_end_is_refused() {
    let limits = Limits { body_bytes: 1 << 20, ..Limits::default() };
    let app = app(AppState::new(Service::new(registry([("m", regression())]), limits), Options::default()));
    let bomb = vec![b' '; 64 << 20];
    for (encoding, packed) in [("gzip", gzip(&bomb)), ("zstd", zstd::encode_all(&*bomb, 3).expect("zstd"))] {
        for from in [JSON, NDJSON] {
            let request = Request::post("/score").header("content-type", from).header("content-encoding", encoding);
            let (status, code, _) = refused(&app, request.body(Body::from(packed.clone())).expect("a request")).await;
            assert_eq!((status, code.as_str()), (413, "body_too_long"), "{encoding} {from}");
        }
    }
}

#[tokio::test]
async fn tables_that_are_damaged_are_refused_wherever_they_are_cut() {
    let app = one(binomial());
    // A stream may end after any message: that of the schema, and that of the dictionary.
    for ((from, body), whole) in bodies().into_iter().skip(3).zip([2, 0]) {
        let mut answered = 0;
        for length in 0..body.len() - 8 {
            let request = Request::post("/score").header("content-type", from).header("accept", JSON);
            let request = request.body(Body::from(body[..length].to_vec())).expect("a request");
            let (status, answer) = send(&app, request).await;
            answered += usize::from(status == StatusCode::OK);
            assert!(status == StatusCode::BAD_REQUEST || answer == "[]", "{from} {length}: {status} {answer}");
        }
        assert_eq!(answered, whole, "{from}");
    }
}

#[tokio::test]
async fn tables_that_are_damaged_anywhere_never_fail_the_server() {
    let app = one(binomial());
    for (from, body) in bodies().into_iter().skip(2) {
        for at in 0..body.len() {
            for bits in [0xff, 0x80, 0x01] {
                let mut damaged = body.clone();
                damaged[at] ^= bits;
                let request = Request::post("/score").header("content-type", from).body(Body::from(damaged));
                let response = app.clone().oneshot(request.expect("a request")).await.expect("the routes never fail");
                assert!(!response.status().is_server_error(), "{from} {at} {bits}: {}", response.status());
            }
        }
    }
}

#[tokio::test]
async fn rows_of_a_table_have_its_columns() {
    let app = one(binomial());
    for (body, expected) in [
        ("c,n\na,1\na\n", "row 2: expected 2 cells, found 1"),
        ("c,n\na,1,2\n", "row 1: expected 2 cells, found 3"),
        ("c,n,c\na,1,2\n", "column `c` is given twice"),
        ("", "the body is empty: expected a header and rows"),
    ] {
        let request = Request::post("/score").header("content-type", CSV).body(Body::from(body));
        let (status, _, message) = refused(&app, request.expect("a request")).await;
        assert_eq!((status, message.as_str()), (400, expected));
    }
    let (_, answer) = exchange(&app, CSV, CSV, "c,n\n").await;
    assert_eq!(answer, b"predict,no,yes\n");
}

#[tokio::test]
async fn options_are_in_the_query() {
    let app = one(binomial());
    let (_, body) = post_to(&app, "/score?threshold=0.9", r#"{"c": "b", "n": 0}"#).await;
    assert!(body.starts_with(r#"{"predict":"no","#), "{body}");
    for (query, status, message) in [
        ("unknown_levels=error", 400, "row 1, column `c`: expected one of its 2 levels"),
        ("strict_columns=true", 400, "row 1: column `n` is absent"),
        ("unknown_levels=none", 400, "option `unknown_levels`: expected h2o, error, zero"),
        (
            "treshold=1",
            400,
            "no option `treshold`: expected unknown_levels, invalid_numbers, strict_columns, strict_types, threshold",
        ),
    ] {
        let request = request(Method::POST, &format!("/score?{query}"), r#"{"c": "secret"}"#);
        let (found, _, found_message) = refused(&app, request).await;
        assert_eq!((found, found_message.as_str()), (status, message), "{query}");
    }
    let (status, code, _) =
        refused(&one(regression()), request(Method::POST, "/score?threshold=0.5", r#"{"x": 1}"#)).await;
    assert_eq!((status, code.as_str()), (422, "unsupported"));
}
