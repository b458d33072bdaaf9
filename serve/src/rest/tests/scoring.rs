use super::*;

#[tokio::test]
async fn an_object_gives_an_object() {
    let app = one(binomial());
    let body = scored(&app, r#"{"c": "b", "n": 0}"#).await;
    assert_eq!(body, r#"{"predict":"yes","probabilities":{"no":0.2689414213699951,"yes":0.7310585786300049}}"#);
}

#[tokio::test]
async fn an_array_gives_an_array_in_the_same_order() {
    let app = one(regression());
    assert_eq!(scored(&app, r#"[{"x": 1}, {"x": 0.5}]"#).await, r#"[{"predict":2.5},{"predict":1.5}]"#);
    assert_eq!(scored(&app, r#" [ { "x" : -1e-3 } ] "#).await, r#"[{"predict":0.498}]"#);
    assert_eq!(scored(&app, "[]").await, "[]");
}

#[tokio::test]
async fn probabilities_have_the_names_and_the_order_of_the_classes() {
    let app = one(multinomial());
    let body = scored(&app, r#"{"größe": 1, "цвет": "красный"}"#).await;
    assert_eq!(body, r#"{"predict":"7","probabilities":{"α":0.25,"b,\"c\"":0.25,"7":0.5}}"#);
}

#[tokio::test]
async fn names_and_levels_may_be_escaped() {
    let app = one(multinomial());
    let body = scored(&app, r#"{"gr\u00f6\u00dfe": "1", "\u0446\u0432\u0435\u0442": "say \"hi\"\n"}"#).await;
    assert!(!body.contains("warnings"), "{body}");
}

#[tokio::test]
async fn what_was_noticed_is_in_the_answer_and_no_value_is() {
    let app = one(binomial());
    let body = scored(&app, r#"[{"c": "secret", "n": "secret", "d": {"deep": ["secret"]}}, {"c": "a", "n": 1}]"#).await;
    assert!(!body.contains("secret"), "{body}");
    let rows: Value = serde_json::from_str(&body).expect("JSON");
    assert_eq!(
        rows[0]["warnings"],
        json!([
            {"code": "unseen_level", "columns": ["c"], "count": 1, "message": "not a level of the column, scored as missing"},
            {"code": "invalid_number", "columns": ["n"], "count": 1, "message": "not a number, scored as missing"},
            {"code": "unknown_column", "columns": ["d"], "count": 1, "message": "not a column of the model, ignored"},
        ])
    );
    assert_eq!(rows[1].get("warnings"), None);
}

#[tokio::test]
async fn a_row_without_cells_is_scored_as_missing() {
    let app = one(binomial());
    let body: Value = serde_json::from_str(&scored(&app, "{}").await).expect("JSON");
    assert_eq!(body["predict"], "yes");
    assert_eq!(body["warnings"][0]["code"], "absent_column");
    assert_eq!(body["warnings"][0]["columns"], json!(["c", "n"]));
}

#[tokio::test]
async fn an_answer_that_is_not_finite_is_null() {
    let body: Value = serde_json::from_str(&scored(&one(regression()), r#"{"x": "Infinity"}"#).await).expect("JSON");
    assert_eq!(body["predict"], Value::Null);
    assert_eq!(body["warnings"][0]["code"], "non_finite_output");
    let body: Value =
        serde_json::from_str(&scored(&one(binomial()), r#"{"c": "a", "n": "Infinity"}"#).await).expect("JSON");
    assert_eq!((&body["predict"], &body["probabilities"]), (&Value::Null, &json!({"no": null, "yes": null})));
}

#[tokio::test]
async fn every_double_is_written_so_that_it_reads_back() {
    let app = one(regression());
    for x in [0.1, 1e-320, 1.7e300, -123_456.789, 1.0 / 3.0] {
        let body: Value = serde_json::from_str(&scored(&app, format!(r#"{{"x": {x:e}}}"#)).await).expect("JSON");
        assert_eq!(body["predict"].as_f64(), Some(2.0 * x + 0.5), "{x:e}");
    }
}

#[tokio::test]
async fn a_large_batch_leaves_the_worker_and_keeps_its_order() {
    let app = one(regression());
    let rows: Vec<Value> = (0..50_000).map(|i| json!({ "x": i })).collect();
    let body: Vec<Value> = serde_json::from_str(&scored(&app, Value::from(rows).to_string()).await).expect("JSON");
    assert_eq!(body.len(), 50_000);
    for (i, answer) in body.iter().enumerate() {
        assert_eq!(answer["predict"].as_f64(), Some(2.0 * i as f64 + 0.5));
    }
}

#[tokio::test]
async fn every_common_way_to_send_json_is_taken() {
    let app = one(regression());
    for given in [
        "application/json",
        "Application/JSON; charset=utf-8",
        "application/vnd.acme+json",
        "text/plain",
        "application/x-www-form-urlencoded",
    ] {
        let mut request = request(Method::POST, "/score", r#"{"x": 1}"#);
        request.headers_mut().insert("content-type", given.parse().expect("a value"));
        assert_eq!(send(&app, request).await.0, StatusCode::OK, "{given}");
    }
    assert_eq!(scored(&app, "\u{feff}{\"x\": 1}").await, r#"{"predict":2.5}"#);
}

#[tokio::test]
async fn a_model_is_scored_by_its_name() {
    let app = app(state(registry([("first one", regression()), ("zweites/ß", binomial())])));
    let (status, body) = post_to(&app, "/models/first%20one/score", r#"{"x": 1}"#).await;
    assert_eq!((status, body.as_str()), (StatusCode::OK, r#"{"predict":2.5}"#));
    let (status, _) = post_to(&app, "/models/zweites%2F%C3%9F/score", r#"{"c": "a", "n": 1}"#).await;
    assert_eq!(status, StatusCode::OK);
}

#[tokio::test]
async fn an_autoencoder_answers_with_the_row_and_its_error() {
    let app = one(autoencoder());
    let answer = |values: [&str; 4], mse: &str| {
        let names = ["reconstr_c.a", "reconstr_c.b", "reconstr_c.missing(NA)", "reconstr_n"];
        let [a, b, missing, n] = std::array::from_fn(|i| format!("\"{}\":{}", names[i], values[i]));
        format!("{{\"reconstruction\":{{{a},{b},{missing},{n}}},\"mse\":{mse}}}")
    };
    let body = scored(&app, r#"{"c": "b", "n": 2}"#).await;
    assert_eq!(body, answer(["0.0", "1.0", "0.0", "2.0"], "0.0"));
    let body = scored(&app, r#"{"c": "a", "n": -2}"#).await;
    assert_eq!(body, answer(["1.0", "0.0", "0.0", "0.0"], "1.0"));
    // How far a number that is not there is from its reconstruction nobody knows.
    let body = scored(&app, r#"{"c": "a", "n": null}"#).await;
    assert_eq!(body, answer(["1.0", "0.0", "0.0", "0.0"], "null"));
    let (_, schema) = get_json(&app, "/schema").await;
    assert_eq!((&schema["category"], &schema["response"]), (&json!("AutoEncoder"), &Value::Null));
    assert_eq!(schema["outputs"][4], "mse");
}
