use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use serde_json::{Value, json};

use crate::fixtures::{ask, autoencoder, binomial, post_json, regression, server};

async fn predictions(app: &Router, body: Value) -> Value {
    let (status, answer) = post_json(app, "/invocations", body.to_string()).await;
    assert_eq!(status, 200, "{answer}");
    answer["predictions"].clone()
}

#[tokio::test]
async fn every_shape_of_json_is_read() {
    let app = server([("m", binomial())]);
    for body in [
        json!({"dataframe_split": {"index": [0, 1], "columns": ["n", "c"], "data": [[0, "b"], [null, "a"]]}}),
        json!({"dataframe_records": [{"n": 0, "c": "b"}, {"n": null, "c": "a"}]}),
        json!({"instances": [{"n": 0, "c": "b"}, {"n": null, "c": "a"}]}),
        json!({"instances": [["b", 0], ["a", null]]}),
        json!({"inputs": {"n": [0, null], "c": ["b", "a"]}}),
        json!({"inputs": {"n": [[0], [null]], "c": [["b"], ["a"]]}}),
        json!({"inputs": [{"n": 0, "c": "b"}, {"n": null, "c": "a"}]}),
    ] {
        assert_eq!(predictions(&app, body.clone()).await, json!(["yes", "no"]), "{body}");
    }
}

#[tokio::test]
async fn the_method_says_what_is_given() {
    let records = json!([{"n": 0, "c": "b"}]);
    let body = |method: &str| json!({"dataframe_records": records.clone(), "params": {"predict_method": method}});
    let app = server([("m", binomial())]);
    assert_eq!(
        predictions(&app, body("predict_proba")).await,
        json!([[0.268_941_421_369_995_1, 0.731_058_578_630_004_9]])
    );
    assert_eq!(predictions(&app, body("all")).await[0]["probabilities"]["no"], 0.268_941_421_369_995_1);
    let threshold = json!({"dataframe_records": records.clone(), "params": {"threshold": 0.9, "unknown": 1}});
    assert_eq!(predictions(&app, threshold).await, json!(["no"]));
    let (status, answer) =
        post_json(&server([("m", regression())]), "/invocations", body("predict_proba").to_string()).await;
    assert_eq!((status, &answer["error_code"]), (422, &json!("BAD_REQUEST")));
    assert_eq!(predictions(&server([("m", regression())]), json!({"instances": [[1], [2]]})).await, json!([2.5, 4.5]));
    assert_eq!(predictions(&server([("m", autoencoder())]), json!({"instances": [["a", 1]]})).await, json!([0.0]));
}

#[tokio::test]
async fn tables_are_read() {
    let app = server([("m", binomial())]);
    let request = Request::post("/invocations").header("content-type", "text/csv").body(Body::from("c,n\nb,0\na,\n"));
    let (status, _, answer) = ask(&app, request.expect("a request")).await;
    assert_eq!((status, answer), (StatusCode::OK, r#"{"predictions":["yes","no"]}"#.into()));
}

#[tokio::test]
async fn what_is_wrong_is_named_and_no_value_is() {
    let app = server([("m", binomial())]);
    let shapes = "expected one of dataframe_split, dataframe_records, instances and inputs";
    for (body, expected) in [
        ("", "the body is empty: expected one of dataframe_split, dataframe_records, instances and inputs"),
        ("{}", shapes),
        (r#"{"inputs": [], "instances": []}"#, shapes),
        (r#"{"secret": 1}"#, shapes),
        (r#"[{"n": 1}]"#, shapes),
        ("{", "the body is not JSON: EOF while parsing an object at line 1 column 1"),
        (r#"{"dataframe_split": {"columns": ["n"]}}"#, "expected dataframe_split: {\"columns\": […], \"data\": [[…]]}"),
        (r#"{"dataframe_split": {"columns": ["n"], "data": [[1], [1, 2]]}}"#, "row 2: expected 1 cells, found 2"),
        (r#"{"dataframe_split": {"columns": ["n", "n"], "data": []}}"#, "column `n` is given twice"),
        (
            r#"{"dataframe_split": {"columns": ["n"], "data": [[["secret"]]]}}"#,
            "row 1: expected a list of numbers, texts, booleans or null",
        ),
        (r#"{"inputs": {"n": [1], "c": []}}"#, "column `c`: expected 1 values as in the first, found 0"),
        (r#"{"inputs": {"n": "secret"}}"#, "column `n`: expected a list of numbers, texts, booleans or null"),
        (r#"{"instances": [[1, 2, 3]]}"#, "row 1: expected 2 cells, found 3"),
        (
            r#"{"instances": [], "params": {"predict_method": "x"}}"#,
            "option `predict_method`: expected predict, predict_proba or all",
        ),
    ] {
        let (status, answer) = post_json(&app, "/invocations", body).await;
        assert_eq!((status, answer), (400, json!({"error_code": "BAD_REQUEST", "message": expected})), "{body}");
    }
    let request = Request::post("/invocations").header("content-type", "image/png").body(Body::from("x"));
    let (status, headers, _) = ask(&app, request.expect("a request")).await;
    assert_eq!(
        (status, &headers["content-type"]),
        (StatusCode::UNSUPPORTED_MEDIA_TYPE, &"text/plain; charset=utf-8".parse().expect("a value"))
    );
}

#[tokio::test]
async fn probes_are_answered() {
    let app = server([("m", binomial())]);
    for (path, expected) in [("/ping", "\n"), ("/health", "\n"), ("/version", env!("CARGO_PKG_VERSION"))] {
        let (status, _, body) = ask(&app, Request::get(path).body(Body::empty()).expect("a request")).await;
        assert_eq!((status, body), (StatusCode::OK, expected.into()), "{path}");
    }
}
