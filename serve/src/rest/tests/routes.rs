use model::{ColumnProfile, Profile, ValueProfile};

use super::*;

#[tokio::test]
async fn health_says_live_and_ready_until_draining() {
    let state = state(registry([("m", regression())]));
    let app = app(Arc::clone(&state));
    assert_eq!(get_json(&app, "/health/live").await, (StatusCode::OK, json!({"live": true})));
    assert_eq!(get_json(&app, "/health/ready").await, (StatusCode::OK, json!({"ready": true})));
    state.drain();
    assert_eq!(get_json(&app, "/health/live").await, (StatusCode::OK, json!({"live": true})));
    assert_eq!(get_json(&app, "/health/ready").await, (StatusCode::SERVICE_UNAVAILABLE, json!({"ready": false})));
    assert_eq!(scored(&app, r#"{"x": 1}"#).await, r#"{"predict":2.5}"#);
}

#[tokio::test]
async fn the_schema_says_what_a_client_has_to_know() {
    let (status, schema) = get_json(&one(multinomial()), "/schema").await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(
        schema,
        json!({
            "name": "m",
            "version": "1",
            "algorithm": "deeplearning",
            "category": "Multinomial",
            "features": [
                {"name": "цвет", "type": "categorical", "levels": ["красный", "say \"hi\"\n", "3", "true"]},
                {"name": "größe", "type": "numeric"},
            ],
            "response": {"name": "y", "type": "categorical", "levels": ["α", "b,\"c\"", "7"]},
            "outputs": ["predict", "α", "b,\"c\"", "p7"],
            "example": {"цвет": "красный", "größe": 0},
        })
    );
}

#[tokio::test]
async fn the_example_of_the_schema_can_be_scored_and_is_warned_about_nothing() {
    for model in [binomial(), multinomial(), regression()] {
        let app = one(model);
        let (_, schema) = get_json(&app, "/schema").await;
        let body = scored(&app, schema["example"].to_string()).await;
        assert!(!body.contains("warnings"), "{body}");
    }
}

#[tokio::test]
async fn the_example_of_a_number_is_its_median() {
    let values = ValueProfile::Numeric { mean: 9.0, sigma: 1.0, quantiles: vec![1.0, 4.5, 20.0], whole: false };
    let columns = vec![ColumnProfile { name: "x".into(), missing: 0, values }];
    let registry = Registry::default();
    registry.insert(ServedModel::new("m", regression(), Some(Profile { rows: 3, columns })));
    let (_, schema) = get_json(&app(state(Arc::new(registry))), "/schema").await;
    assert_eq!(schema["example"], json!({"x": 4.5}));
    let range = json!({"name": "x", "type": "numeric", "minimum": 1.0, "maximum": 20.0, "mean": 9.0, "whole": false});
    assert_eq!(schema["features"], json!([range]));
    assert_eq!(schema["response"], json!({"name": "y", "type": "numeric"}));
}

#[tokio::test]
async fn with_several_models_the_name_is_needed() {
    let app = app(state(registry([("b", binomial()), ("a", regression())])));
    let message = "which model? this server has `a`, `b`: name it in the path, as in /models/NAME/score";
    let expected = (400, "which_model".to_owned(), message.to_owned());
    assert_eq!(refused(&app, request(Method::POST, "/score", "{}")).await, expected);
    assert_eq!(refused(&app, request(Method::GET, "/schema", "")).await, expected);
    assert_eq!(get_json(&app, "/models/b/schema").await.1["name"], "b");
    let unknown = (404, "unknown_model".to_owned(), "no model `c`: this server has `a`, `b`".to_owned());
    assert_eq!(refused(&app, request(Method::POST, "/models/c/score", "{}")).await, unknown);
    assert_eq!(refused(&app, request(Method::GET, "/models/c/schema", "")).await, unknown);
}

#[tokio::test]
async fn unknown_routes_are_404() {
    let app = one(regression());
    for path in ["/", "/scores", "/score/", "/models/m", "/models/%ff/score", "/models/%ff/schema", "/health/"] {
        let method = if path.ends_with("score") { Method::POST } else { Method::GET };
        let (status, code, _) = refused(&app, request(method, path, "")).await;
        assert_eq!((status, code.as_str()), (404, "no_route"), "{path}");
    }
}

#[tokio::test]
async fn wrong_methods_are_405_and_the_right_one_is_named() {
    let app = one(regression());
    for (method, path, allowed) in [
        (Method::GET, "/score", "POST"),
        (Method::DELETE, "/models/m/score", "POST"),
        (Method::POST, "/schema", "GET,HEAD"),
        (Method::PUT, "/health/ready", "GET,HEAD"),
    ] {
        let (status, code, _) = refused(&app, request(method.clone(), path, "")).await;
        assert_eq!((status, code.as_str()), (405, "method_not_allowed"), "{method} {path}");
        let response = app.clone().oneshot(request(method, path, "")).await.expect("the routes never fail");
        assert_eq!(response.headers()["allow"], allowed, "{path}");
    }
}
