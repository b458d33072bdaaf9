use super::*;

const INFER: &str = "/v2/models/m/infer";

#[expect(clippy::needless_pass_by_value, reason = "it is made where it is passed")]
fn column(name: &str, datatype: &str, data: Value) -> Value {
    let rows = data.as_array().map_or(0, Vec::len);
    json!({ "name": name, "shape": [rows], "datatype": datatype, "data": data })
}

/// The data of each output by its name.
async fn infer(app: &Router, request: Value) -> Value {
    let (status, response) = post_json(app, INFER, request.to_string()).await;
    assert_eq!(status, 200, "{response}");
    assert_eq!((&response["model_name"], &response["model_version"]), (&json!("m"), &json!("1")));
    response
}

fn data<'a>(response: &'a Value, name: &str) -> &'a Value {
    let outputs = response["outputs"].as_array().expect("a list");
    &outputs.iter().find(|output| output["name"] == name).expect("an output of this name")["data"]
}

async fn refused(app: &Router, request: impl Into<Body>) -> (u16, String) {
    let (status, response) = post_json(app, INFER, request).await;
    (status, response["error"].as_str().expect("a message").to_owned())
}

#[tokio::test]
async fn columns_are_scored_as_rows_are() {
    let app = server([("m", binomial())]);
    let request = json!({
        "id": "7",
        "inputs": [column("n", "INT64", json!([0, null, 4])), column("c", "BYTES", json!(["b", "a", ""]))],
    });
    let response = infer(&app, request).await;
    assert_eq!((&response["id"], response.get("parameters")), (&json!("7"), None));
    let rows = json!([{"c": "b", "n": 0}, {"c": "a", "n": null}, {"c": null, "n": 4}]);
    let answers = native(&app, rows).await;
    for (at, answer) in answers.as_array().expect("a list").iter().enumerate() {
        assert_eq!(data(&response, "predict")[at], answer["predict"]);
        assert_eq!(data(&response, "yes")[at], answer["probabilities"]["yes"]);
    }
    assert_eq!(
        response["outputs"][1],
        json!({"name": "no", "shape": [3], "datatype": "FP64", "data": data(&response, "no")})
    );
}

#[tokio::test]
async fn a_matrix_has_the_columns_in_the_order_of_the_model_and_codes_for_levels() {
    let app = server([("m", binomial())]);
    let matrix = |data: Value| json!({"inputs": [{"name": "x", "shape": [2, 2], "datatype": "FP64", "data": data}]});
    let nested = infer(&app, matrix(json!([[1, 0.5], [-1, null]]))).await;
    let flat = infer(&app, matrix(json!([1, 0.5, -1, null]))).await;
    assert_eq!(nested, flat);
    let answers = native(&app, json!([{"c": "b", "n": 0.5}, {"c": null, "n": null}])).await;
    assert_eq!(data(&flat, "yes")[0], answers[0]["probabilities"]["yes"]);
    assert_eq!(data(&flat, "yes")[1], answers[1]["probabilities"]["yes"]);
    let wide = json!({"inputs": [{"name": "x", "shape": [1, 3], "datatype": "FP64", "data": [1, 2, 3]}]});
    assert_eq!(refused(&app, wide.to_string()).await, (400, "input `x`: expected 2 columns, found 3".into()));
}

#[tokio::test]
async fn rows_may_be_json_in_a_tensor() {
    let app = server([("m", binomial())]);
    let frame = |data: Value| json!({"inputs": [{"name": "x", "shape": [1], "datatype": "BYTES", "parameters": {"content_type": "json"}, "data": data}]});
    let response = infer(&app, frame(json!([r#"{"c": "b", "n": 0}"#]))).await;
    assert_eq!(data(&response, "predict"), &json!(["yes"]));
    let expected = "row 1: expected an object with a value for each column".to_owned();
    assert_eq!(refused(&app, frame(json!(["[]"])).to_string()).await, (400, expected));
}

/// A request whose first tensor is binary, and the answers too.
fn binary(json: &Value, bytes: &[u8]) -> Request<Body> {
    let json = json.to_string();
    let request = Request::post(INFER).header("inference-header-content-length", json.len());
    request.body(Body::from([json.as_bytes(), bytes].concat())).expect("a request")
}

#[tokio::test]
async fn tensors_may_be_binary() {
    let app = server([("m", binomial())]);
    let levels = [&[1, 0, 0, 0, b'b'][..], &[0, 0, 0, 0], &[1, 0, 0, 0, b'a']].concat();
    let numbers: Vec<u8> = [0.0_f32, f32::NAN, 4.0].iter().flat_map(|number| number.to_le_bytes()).collect();
    let request = json!({
        "parameters": {"binary_data_output": true},
        "inputs": [
            {"name": "c", "shape": [3, 1], "datatype": "BYTES", "parameters": {"binary_data_size": levels.len()}},
            {"name": "n", "shape": [3, 1], "datatype": "FP32", "parameters": {"binary_data_size": numbers.len()}},
        ],
        "outputs": [{"name": "predict"}, {"name": "probabilities"}, {"name": "no", "parameters": {"binary_data": false}}],
    });
    let body = [levels, numbers].concat();
    let (status, headers, answer) = ask(&app, binary(&request, &body)).await;
    assert_eq!(
        (status, &headers["content-type"]),
        (StatusCode::OK, &"application/octet-stream".parse().expect("a value"))
    );
    let length: usize =
        headers["inference-header-content-length"].to_str().expect("a number").parse().expect("a number");
    let (head, bytes) = answer.split_at(length);
    let head: Value = serde_json::from_slice(head).expect("JSON");
    assert_eq!(
        head["outputs"][1],
        json!({"name": "probabilities", "shape": [3, 2], "datatype": "FP64", "parameters": {"binary_data_size": 48}})
    );
    let (labels, numbers) = bytes.split_at(bytes.len() - 48);
    let answers = native(&app, json!([{"c": "b", "n": 0}, {}, {"c": "a", "n": 4}])).await;
    for at in 0..3 {
        let label = answers[at]["predict"].as_str().expect("a label");
        assert!(String::from_utf8_lossy(labels).contains(label));
        let number = f64::from_le_bytes(numbers[16 * at..16 * at + 8].try_into().expect("eight bytes"));
        assert_eq!(json!(number), answers[at]["probabilities"]["no"]);
        assert_eq!(head["outputs"][2]["data"][at], answers[at]["probabilities"]["no"]);
    }
    // Sizes have to add up exactly.
    for (length, expected) in [
        (body.len() - 1, "input `n`: binary_data_size is more than the body has"),
        (3, "input `c`: binary_data_size is more than the body has"),
    ] {
        let (status, _, answer) = ask(&app, binary(&request, &body[..length])).await;
        assert_eq!((status, answer), (StatusCode::BAD_REQUEST, json!({ "error": expected }).to_string().into()));
    }
    let (_, _, answer) = ask(&app, binary(&request, &[body, vec![0]].concat())).await;
    assert_eq!(answer, json!({"error": "the body has more bytes than its tensors"}).to_string());
}

#[tokio::test]
async fn every_datatype_is_read() {
    let app = server([("m", regression())]);
    let bytes = |datatype: &str| -> Vec<u8> {
        match datatype {
            "BOOL" | "UINT8" | "INT8" => vec![1],
            "UINT16" | "INT16" => vec![1, 0],
            "UINT32" | "INT32" => vec![1, 0, 0, 0],
            "UINT64" | "INT64" => vec![1, 0, 0, 0, 0, 0, 0, 0],
            "FP16" => half::f16::from_f32(1.0).to_le_bytes().to_vec(),
            "FP32" => 1.0_f32.to_le_bytes().to_vec(),
            "FP64" => 1.0_f64.to_le_bytes().to_vec(),
            _ => vec![1, 0, 0, 0, b'1'],
        }
    };
    for datatype in [
        "BOOL", "UINT8", "UINT16", "UINT32", "UINT64", "INT8", "INT16", "INT32", "INT64", "FP16", "FP32", "FP64",
        "BYTES",
    ] {
        let bytes = bytes(datatype);
        let parameters = json!({ "binary_data_size": bytes.len() });
        let request = json!({"inputs": [{"name": "x", "shape": [1], "datatype": datatype, "parameters": parameters}]});
        let (status, _, answer) = ask(&app, binary(&request, &bytes)).await;
        let answer: Value = serde_json::from_slice(&answer).expect("JSON");
        assert_eq!((status, &answer["outputs"][0]["data"]), (StatusCode::OK, &json!([2.5])), "{datatype}");
    }
}

#[tokio::test]
async fn what_is_wrong_is_named_and_no_value_is() {
    let app = server([("m", binomial())]);
    let input = |shape: Value, datatype: &str, data: Value| {
        json!({"inputs": [{"name": "n", "shape": shape, "datatype": datatype, "data": data}]}).to_string()
    };
    for (request, expected) in [
        (String::new(), "the body is empty: expected an inference request in JSON"),
        ("{}".to_owned(), "missing field `inputs`"),
        ("secret".to_owned(), "the body is not JSON: expected value at line 1 column 1"),
        (r#"{"inputs": []}"#.to_owned(), "inputs: expected at least one tensor"),
        (r#"{"inputs": "secret"}"#.to_owned(), "a value of the request is of the wrong type at line 1 column 19"),
        (input(json!([2]), "FP64", json!([1])), "input `n`: shape [2] is not that of its 1 elements"),
        (input(json!([-1]), "FP64", json!([1])), "input `n`: shape [-1] is not that of its 1 elements"),
        (input(json!([]), "FP64", json!([1])), "input `n`: shape [] is not that of its 1 elements"),
        (
            input(json!([1_u64 << 62, 8]), "FP64", json!([])),
            "input `n`: shape [4611686018427387904, 8] is not that of its 0 elements",
        ),
        (
            input(json!([1]), "FP65", json!([1])),
            "input `n`: datatype: expected one of BOOL, UINT8, UINT16, UINT32, UINT64, INT8, INT16, INT32, INT64, FP16, \
             FP32, FP64, BYTES",
        ),
        (
            input(json!([1]), "BYTES", json!([{"secret": 1}])),
            "input `n`: data: expected a list of numbers, texts, booleans or null",
        ),
        (input(json!([1]), "FP64", json!(null)), "input `n`: expected either data or binary_data_size"),
    ] {
        assert_eq!(refused(&app, request.clone()).await, (400, expected.to_owned()), "{request}");
    }
    let uneven = json!({"inputs": [column("n", "FP64", json!([1, 2])), column("c", "BYTES", json!(["a"]))]});
    assert_eq!(refused(&app, uneven.to_string()).await, (400, "input `c`: it has 1 rows, `n` has 2".into()));
    let output = json!({"inputs": [column("n", "FP64", json!([1]))], "outputs": [{"name": "p1"}]});
    let expected = "outputs: no `p1`, there is `predict`, `no`, `yes`, `probabilities`".to_owned();
    assert_eq!(refused(&app, output.to_string()).await, (400, expected));
    let (status, answer) = post_json(&app, "/v2/models/x/infer", "{}").await;
    assert_eq!((status, answer), (404, json!({"error": "no model `x`: this server has `m`"})));
    let (status, answer) = post_json(&app, "/v2/models/m/versions/2/infer", "{}").await;
    assert_eq!((status, answer), (404, json!({"error": "model `m` has no version or label `2`: it has `1`"})));
}

#[tokio::test]
async fn parameters_are_options_and_what_was_noticed_is_one() {
    let app = server([("m", binomial())]);
    let request = |parameters: Value| json!({"parameters": parameters, "inputs": [column("n", "FP64", json!([0])), column("c", "BYTES", json!(["secret"]))]});
    let response = infer(&app, request(json!({"unknown": 1, "threshold": 1.0}))).await;
    assert_eq!(data(&response, "predict"), &json!(["no"]));
    let warnings: Value =
        serde_json::from_str(response["parameters"]["warnings"].as_str().expect("a text")).expect("JSON");
    assert_eq!(warnings[0]["code"], "unseen_level");
    let strict = request(json!({"unknown_levels": "error"})).to_string();
    let expected = "row 1, column `c`: expected one of its 2 levels".to_owned();
    assert_eq!(refused(&app, strict).await, (400, expected));
    let late = request(json!({"timeout": 1})).to_string();
    let (status, message) = refused(&app, late).await;
    assert!(status == 504 && message == "the request was not answered within its time", "{status} {message}");
}

#[tokio::test]
async fn an_autoencoder_has_a_matrix_and_its_error() {
    let app = server([("m", autoencoder())]);
    let request = json!({"inputs": [column("n", "FP64", json!([2, null])), column("c", "BYTES", json!(["b", "a"]))]});
    let response = infer(&app, request).await;
    assert_eq!(
        (&response["outputs"][0]["name"], &response["outputs"][0]["shape"]),
        (&json!("reconstruction"), &json!([2, 4]))
    );
    assert_eq!(data(&response, "reconstruction"), &json!([0.0, 1.0, 0.0, 2.0, 1.0, 0.0, 0.0, 0.0]));
    assert_eq!(data(&response, "mse"), &json!([0.0, null]));
}

#[tokio::test]
async fn the_server_and_its_models_are_described() {
    let app = server([("m", binomial())]);
    let (_, metadata) = get_json(&app, "/v2").await;
    assert_eq!((&metadata["name"], &metadata["extensions"][0]), (&json!("aqueduct"), &json!("binary_tensor_data")));
    assert_eq!(get_json(&app, "/v2/health/live").await, (200, json!({"live": true})));
    assert_eq!(get_json(&app, "/v2/health/ready").await, (200, json!({"ready": true})));
    assert_eq!(get_json(&app, "/v2/models").await, (200, json!({"models": ["m"]})));
    let ready = (200, json!({"name": "m", "ready": true}));
    assert_eq!(get_json(&app, "/v2/models/m/versions/1/ready").await, ready);
    assert_eq!(get_json(&app, "/v2/models/x/ready").await.0, 404);
    let (_, model) = get_json(&app, "/v2/models/m").await;
    assert_eq!(
        model,
        json!({
            "name": "m", "versions": ["1"], "platform": "h2o_mojo",
            "inputs": [{"name": "c", "datatype": "BYTES", "shape": [-1]}, {"name": "n", "datatype": "FP64", "shape": [-1]}],
            "outputs": [
                {"name": "predict", "datatype": "BYTES", "shape": [-1]},
                {"name": "no", "datatype": "FP64", "shape": [-1]},
                {"name": "yes", "datatype": "FP64", "shape": [-1]},
            ],
        })
    );
}

#[tokio::test]
async fn requests_and_rows_are_counted() {
    let app = server([("m", regression())]);
    infer(&app, json!({"inputs": [column("x", "FP64", json!([1, 2, 3]))]})).await;
    post_json(&app, INFER, "{}").await;
    let (_, stats) = get_json(&app, "/v2/models/m/stats").await;
    let stats = &stats["model_stats"][0];
    assert_eq!((&stats["inference_count"], &stats["execution_count"]), (&json!(3), &json!(1)));
    assert_eq!(stats["inference_stats"]["fail"]["count"], 1);
    assert_eq!(get_json(&app, "/v2/models/stats").await.1["model_stats"][0]["name"], "m");
    let (_, _, metrics) = ask(&app, Request::get("/metrics").body(Body::empty()).expect("a request")).await;
    let metrics = String::from_utf8_lossy(&metrics);
    for expected in [
        r#"aqueduct_requests_total{model="m",version="1",protocol="oip_rest",outcome="answered"} 1"#,
        r#"aqueduct_requests_total{model="m",version="1",protocol="oip_rest",outcome="refused"} 1"#,
        r#"aqueduct_rows_total{model="m",version="1"} 3"#,
        r#"aqueduct_request_duration_seconds_bucket{model="m",version="1",le="+Inf"} 1"#,
    ] {
        assert!(metrics.contains(expected), "{metrics}");
    }
}

#[tokio::test]
async fn the_repository_is_listed_and_closed_unless_it_is_opened() {
    let app = server([("m", regression())]);
    let (_, index) = post_json(&app, "/v2/repository/index", "").await;
    assert_eq!(index, json!([{"name": "m", "version": "1", "state": "READY", "reason": ""}]));
    for action in ["load", "unload"] {
        let (status, answer) = post_json(&app, &format!("/v2/repository/models/m/{action}"), "{}").await;
        assert_eq!(status, 403);
        assert_eq!(
            answer["error"],
            "models are not changed by requests here: start the server with --admin to allow it"
        );
    }
}
