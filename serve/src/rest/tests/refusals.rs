use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Bytes, HttpBody};
use axum::response::IntoResponse;
use hyper::body::Frame;

use super::*;

/// Code and message of a body that is refused with 400.
async fn bad(app: &Router, body: impl Into<Body>) -> (String, String) {
    let (status, code, message) = refused(app, request(Method::POST, "/score", body)).await;
    assert_eq!(status, 400, "{message}");
    (code, message)
}

#[tokio::test]
async fn what_is_not_json_is_refused_with_the_place() {
    let app = one(regression());
    for (body, problem) in [
        (r#"{"x": 1"#, "EOF while parsing an object at line 1 column 7"),
        (r#"{"x" 1}"#, "expected `:` at line 1 column 6"),
        ("{\"x\": 1,\n\"z\" 2}", "expected `:` at line 2 column 5"),
        (r#"{"x": 1} {"x": 2}"#, "trailing characters at line 1 column 10"),
        (r#"{"x": 1e400}"#, "number out of range at line 1 column 11"),
        (r#"{"x": NaN}"#, "expected value at line 1 column 7"),
        (r#"{"x": 01}"#, "invalid number at line 1 column 8"),
        (r#"{"x": "\ud800"}"#, "unexpected end of hex escape at line 1 column 14"),
        ("{x: 1}", "key must be a string at line 1 column 2"),
        (r#"[{"x": 1},]"#, "trailing comma at line 1 column 11"),
        (r#"{"q": {"deep": [}}"#, "expected value at line 1 column 17"),
        ("x,y\n1,2\n", "expected value at line 1 column 1"),
    ] {
        let expected = ("invalid_json".to_owned(), format!("the body is not JSON: {problem}"));
        assert_eq!(bad(&app, body).await, expected, "{body}");
    }
}

#[tokio::test]
async fn a_body_cut_at_any_byte_is_refused() {
    let app = one(multinomial());
    let body = r#"[{"größe": -1.5e3, "цвет": "say \"hi\"\n", "extra": {"a": [1, null]}}, {"größe": true}]"#.as_bytes();
    scored(&app, body).await;
    for length in 0..body.len() {
        bad(&app, &body[..length]).await;
    }
}

#[tokio::test]
async fn what_is_not_utf8_is_refused() {
    let expected =
        ("invalid_json".to_owned(), "the body is not UTF-8: byte 5 (counted from 0) does not fit".to_owned());
    assert_eq!(bad(&one(regression()), &b"{\"x\":\xff}"[..]).await, expected);
}

#[tokio::test]
async fn an_empty_body_is_refused() {
    for body in ["", " \n"] {
        let expected = "the body is empty: expected a JSON object (one row) or an array of objects";
        assert_eq!(bad(&one(regression()), body).await, ("empty_body".to_owned(), expected.to_owned()));
    }
}

#[tokio::test]
async fn what_is_no_row_is_refused_without_quoting_it() {
    let app = one(regression());
    for body in ["1", r#""secret""#, "null", "true", "-1", "1.5"] {
        let expected = ("invalid_row".to_owned(), "expected a JSON object (one row) or an array of objects".to_owned());
        assert_eq!(bad(&app, body).await, expected, "{body}");
    }
    for row in ["1", r#""secret""#, "null", "[1]", "true"] {
        let expected = ("invalid_row".to_owned(), "row 2: expected an object with a value for each column".to_owned());
        assert_eq!(bad(&app, format!(r#"[{{"x": 1}}, {row}]"#)).await, expected, "{row}");
    }
}

#[tokio::test]
async fn a_nested_value_is_refused_with_row_and_column() {
    for nested in ["{}", "[]", r#"{"secret": 1}"#, "[1, 2]"] {
        let body = format!(r#"[{{"n": 1}}, {{"n": 2}}, {{"n": 3, "c": {nested}}}]"#);
        let message = "row 3, column `c`: expected a number, a text, true, false or null, found an object or an array";
        assert_eq!(bad(&one(binomial()), body).await, ("nested_value".to_owned(), message.to_owned()));
    }
}

#[tokio::test]
async fn a_column_given_twice_is_refused() {
    let message = "row 1: column `c` is given twice".to_owned();
    let found = bad(&one(binomial()), r#"{"c": "a", "n": 1, "\u0063": "b"}"#).await;
    assert_eq!(found, ("repeated_column".to_owned(), message));
}

#[tokio::test]
async fn deep_nesting_is_harmless() {
    let app = one(regression());
    assert_eq!(bad(&app, "[".repeat(1 << 20)).await.0, "invalid_row");
    let ignored = format!(r#"{{"x": 1, "q": {}{}}}"#, "[".repeat(1 << 20), "]".repeat(1 << 20));
    assert!(scored(&app, ignored).await.starts_with(r#"{"predict":2.5,"#));
}

fn limited(limits: Limits) -> Router {
    app(AppState::new(Service::new(registry([("m", regression())]), limits), Options::default()))
}

#[tokio::test]
async fn too_many_rows_are_refused() {
    let app = limited(Limits { rows: 2, ..Limits::default() });
    assert_eq!(scored(&app, r#"[{"x":0},{"x":0}]"#).await, r#"[{"predict":0.5},{"predict":0.5}]"#);
    let expected = ("too_many_rows".to_owned(), "more than 2 rows: send them in several requests".to_owned());
    assert_eq!(bad(&app, r#"[{"x":0},{"x":0},{"x":0}]"#).await, expected);
}

#[tokio::test]
async fn too_long_an_answer_is_refused() {
    let app = limited(Limits { answer_bytes: 100, ..Limits::default() });
    let message = "the answer would be longer than 100 bytes: send fewer rows in a request".to_owned();
    assert_eq!(bad(&app, "[{},{},{}]").await, ("answer_too_long".to_owned(), message));
}

#[tokio::test]
async fn too_long_a_body_is_refused_announced_or_not() {
    let app = limited(Limits { body_bytes: 8, ..Limits::default() });
    assert_eq!(scored(&app, r#"{"x":10}"#).await, r#"{"predict":20.5}"#);
    let message = "the body is longer than 8 bytes: send fewer rows in a request, or CSV, NDJSON or an Arrow stream, which may be of any length";
    let expected = (413, "body_too_long".to_owned(), message.to_owned());
    assert_eq!(refused(&app, request(Method::POST, "/score", r#"{"x":100}"#)).await, expected);
    let unannounced = Upload { chunks: 3, end: || Poll::Ready(None) };
    assert_eq!(refused(&app, request(Method::POST, "/score", Body::new(unannounced))).await, expected);
}

#[tokio::test]
async fn a_body_that_does_not_arrive_is_refused() {
    let app = limited(Limits { body_timeout: Duration::from_millis(10), ..Limits::default() });
    let stalled = Upload { chunks: 1, end: || Poll::Pending };
    let message = "the body did not arrive within 0.01 s".to_owned();
    let expected = (408, "body_timeout".to_owned(), message);
    assert_eq!(refused(&app, request(Method::POST, "/score", Body::new(stalled))).await, expected);
    let broken = Upload { chunks: 1, end: || Poll::Ready(Some(Err(io::ErrorKind::ConnectionReset.into()))) };
    let expected = (400, "body_broken_off".to_owned(), "the body broke off".to_owned());
    assert_eq!(refused(&app, request(Method::POST, "/score", Body::new(broken))).await, expected);
}

type Chunk = Poll<Option<Result<Frame<Bytes>, io::Error>>>;

/// A body of unknown length: so many chunks of four blanks, then its end, whatever that is.
struct Upload {
    chunks: usize,
    end: fn() -> Chunk,
}

impl HttpBody for Upload {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Chunk {
        if self.chunks == 0 {
            return (self.end)();
        }
        self.chunks -= 1;
        Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(b"    ")))))
    }
}

#[tokio::test]
async fn types_and_encodings_that_are_not_read_are_refused() {
    let app = one(regression());
    let types = "application/json, application/x-ndjson, text/csv, application/vnd.apache.arrow.stream or \
                 application/vnd.apache.parquet";
    for (header, given, expected) in [
        (
            "content-type",
            "image/png",
            (415, "unsupported_content_type", format!("content type `image/png`: expected {types}")),
        ),
        ("accept", "text/html", (406, "not_acceptable", format!("accept `text/html`: there is {types}"))),
        (
            "content-encoding",
            "br",
            (
                415,
                "unsupported_content_encoding",
                "content encoding `br`: expected gzip, zstd or a body that is not compressed".to_owned(),
            ),
        ),
    ] {
        let mut request = request(Method::POST, "/score", r#"{"x": 1}"#);
        request.headers_mut().insert(header, given.parse().expect("a value"));
        let (status, code, message) = refused(&app, request).await;
        assert_eq!((status, code.as_str(), message), expected);
    }
}

#[tokio::test]
async fn a_panic_is_an_internal_error_and_the_next_request_is_answered() {
    let app = app(state(registry([("bad", panicking()), ("good", regression())])));
    let expected = (500, "internal".to_owned(), "internal error: the server's log says more".to_owned());
    assert_eq!(refused(&app, request(Method::POST, "/models/bad/score", r#"{"x": 1}"#)).await, expected);
    assert_eq!(post_to(&app, "/models/good/score", r#"{"x": 1}"#).await.0, StatusCode::OK);
}

#[tokio::test]
async fn a_busy_server_says_when_to_try_again() {
    let response = ServeError::Busy { limit: 64 }.into_response();
    assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(response.headers()["retry-after"], "1");
    assert!(!ServeError::Internal.into_response().headers().contains_key("retry-after"));
}
