use axum::body::Bytes;
use http_body_util::BodyExt;
use prost::Message;
use tower::ServiceExt;

use super::super::proto::{self, infer_parameter::ParameterChoice, model_infer_request::InferInputTensor};
use super::*;

/// The answer to a message, or the code and the words of a refusal.
async fn call<T: Message + Default>(app: &Router, method: &str, message: &impl Message) -> Result<T, (u32, String)> {
    let (messages, status) =
        stream(app, &format!("inference.GRPCInferenceService/{method}"), &[message.encode_to_vec()]).await;
    match (status.0, messages.first()) {
        (0, Some(message)) => Ok(T::decode(&**message).expect("a message")),
        _ => Err(status),
    }
}

/// The messages that answer some, and the status at their end.
async fn stream(app: &Router, path: &str, messages: &[Vec<u8>]) -> (Vec<Vec<u8>>, (u32, String)) {
    let framed =
        messages.iter().flat_map(|message| [&[0][..], &(message.len() as u32).to_be_bytes(), message].concat());
    let request = Request::post(format!("/{path}")).header("content-type", "application/grpc").header("te", "trailers");
    let response = app.clone().oneshot(request.body(Body::from(framed.collect::<Vec<u8>>())).expect("a request")).await;
    let (head, body) = response.expect("the routes never fail").into_parts();
    let body = body.collect().await.expect("a body");
    let trailers = body.trailers().cloned().unwrap_or(head.headers);
    let mut bytes: Bytes = body.to_bytes();
    let mut answers = Vec::new();
    while bytes.len() > 5 {
        let prefix = bytes.split_to(5);
        let length = u32::from_be_bytes([prefix[1], prefix[2], prefix[3], prefix[4]]);
        answers.push(bytes.split_to(length as usize).to_vec());
    }
    (answers, status(&trailers))
}

fn status(trailers: &HeaderMap) -> (u32, String) {
    let text = |name: &str| trailers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    (text("grpc-status").parse().expect("a code"), text("grpc-message").replace("%20", " ").replace("%60", "`"))
}

fn tensor(name: &str, datatype: &str, rows: i64, contents: Option<proto::InferTensorContents>) -> InferInputTensor {
    InferInputTensor { name: name.into(), datatype: datatype.into(), shape: vec![rows], contents, ..Default::default() }
}

fn request(inputs: Vec<InferInputTensor>) -> proto::ModelInferRequest {
    proto::ModelInferRequest { model_name: "m".into(), id: "7".into(), inputs, ..Default::default() }
}

fn typed() -> proto::ModelInferRequest {
    let levels =
        proto::InferTensorContents { bytes_contents: vec![b"b".to_vec(), b"a".to_vec()], ..Default::default() };
    let numbers = proto::InferTensorContents { fp64_contents: vec![0.0, f64::NAN], ..Default::default() };
    request(vec![tensor("c", "BYTES", 2, Some(levels)), tensor("n", "FP64", 2, Some(numbers))])
}

#[tokio::test]
async fn typed_and_raw_tensors_are_scored_as_rows_are() {
    let app = server([("m", binomial())]);
    let answers = native(&app, json!([{"c": "b", "n": 0}, {"c": "a", "n": null}])).await;
    let expected: Vec<f64> =
        (0..2).map(|row| answers[row]["probabilities"]["yes"].as_f64().expect("a number")).collect();

    let response: proto::ModelInferResponse = call(&app, "ModelInfer", &typed()).await.expect("an answer");
    assert_eq!((&*response.model_name, &*response.model_version, &*response.id), ("m", "1", "7"));
    assert_eq!(response.outputs.iter().map(|output| &*output.name).collect::<Vec<_>>(), ["predict", "no", "yes"]);
    let contents = |at: usize| response.outputs[at].contents.clone().expect("contents");
    assert_eq!(contents(0).bytes_contents, [b"yes".to_vec(), b"no".to_vec()]);
    assert_eq!(contents(2).fp64_contents, expected);
    assert!(response.raw_output_contents.is_empty());

    let mut raw = request(vec![tensor("c", "BYTES", 2, None), tensor("n", "FP64", 2, None)]);
    raw.raw_input_contents = vec![
        vec![1, 0, 0, 0, b'b', 1, 0, 0, 0, b'a'],
        [0.0, f64::NAN].iter().flat_map(|number: &f64| number.to_le_bytes()).collect(),
    ];
    let response: proto::ModelInferResponse = call(&app, "ModelInfer", &raw).await.expect("an answer");
    let expected: Vec<u8> = expected.iter().flat_map(|number| number.to_le_bytes()).collect();
    assert_eq!(response.raw_output_contents[2], expected);
    assert!(response.outputs.iter().all(|output| output.contents.is_none()));
}

#[tokio::test]
async fn refusals_have_codes() {
    let app = server([("m", binomial())]);
    let refused = async |request: proto::ModelInferRequest| {
        call::<proto::ModelInferResponse>(&app, "ModelInfer", &request).await.expect_err("it is refused")
    };
    let (code, message) = refused(proto::ModelInferRequest { model_name: "x".into(), ..typed() }).await;
    assert_eq!((code, message.as_str()), (5, "no model `x`: this server has `m`"));
    assert_eq!(refused(request(Vec::new())).await.0, 3);
    let mut both = typed();
    both.raw_input_contents = vec![Vec::new(); 2];
    assert_eq!(refused(both).await.0, 3);
    let mut strict = typed();
    let parameter = proto::InferParameter { parameter_choice: Some(ParameterChoice::StringParam("maybe".into())) };
    strict.parameters.insert("unknown_levels".into(), parameter);
    assert_eq!(refused(strict).await, (3, "option `unknown_levels`: expected h2o, error, zero".into()));
    let closed = proto::RepositoryModelUnloadRequest { model_name: "m".into(), ..Default::default() };
    let refusal = call::<proto::RepositoryModelUnloadResponse>(&app, "RepositoryModelUnload", &closed).await;
    assert_eq!(refusal.expect_err("it is closed").0, 7);
    let unknown =
        call::<proto::ServerLiveResponse>(&app, "SystemSharedMemoryStatus", &proto::ServerLiveRequest {}).await;
    assert_eq!(unknown.expect_err("it is not offered").0, 12);
}

#[tokio::test]
async fn a_stream_has_an_answer_for_each_request_and_goes_on_after_a_refusal() {
    let app = server([("m", binomial())]);
    let bad = proto::ModelInferRequest { model_name: "x".into(), ..typed() };
    let requests = [typed().encode_to_vec(), bad.encode_to_vec(), typed().encode_to_vec()];
    let (answers, status) = stream(&app, "inference.GRPCInferenceService/ModelStreamInfer", &requests).await;
    assert_eq!(status.0, 0);
    let answers: Vec<_> =
        answers.iter().map(|answer| proto::ModelStreamInferResponse::decode(&**answer).expect("a message")).collect();
    let answered: Vec<bool> = answers.iter().map(|answer| answer.infer_response.is_some()).collect();
    assert_eq!(answered, [true, false, true]);
    assert_eq!(answers[1].error_message, "no model `x`: this server has `m`");
}

#[tokio::test]
async fn the_server_and_its_models_are_described() {
    let app = server([("m", binomial())]);
    let ready: proto::ServerReadyResponse =
        call(&app, "ServerReady", &proto::ServerReadyRequest {}).await.expect("an answer");
    assert!(ready.ready);
    let asked = proto::ModelMetadataRequest { name: "m".into(), version: String::new() };
    let metadata: proto::ModelMetadataResponse = call(&app, "ModelMetadata", &asked).await.expect("an answer");
    assert_eq!((metadata.inputs.len(), &*metadata.outputs[0].datatype), (2, "BYTES"));
    let asked = proto::ModelConfigRequest { name: "m".into(), version: "1".into() };
    let config: proto::ModelConfigResponse = call(&app, "ModelConfig", &asked).await.expect("an answer");
    assert_eq!(config.config.expect("a configuration").input[0].data_type(), proto::DataType::TypeString);
    call::<proto::ModelInferResponse>(&app, "ModelInfer", &typed()).await.expect("an answer");
    let all = proto::ModelStatisticsRequest::default();
    let statistics: proto::ModelStatisticsResponse = call(&app, "ModelStatistics", &all).await.expect("an answer");
    assert_eq!((statistics.model_stats[0].inference_count, statistics.model_stats[0].execution_count), (2, 1));
    let index: proto::RepositoryIndexResponse =
        call(&app, "RepositoryIndex", &proto::RepositoryIndexRequest::default()).await.expect("an answer");
    assert_eq!(index.models[0].state, "READY");
}

#[tokio::test]
async fn health_is_the_standard_one() {
    use tonic_health::pb::{HealthCheckRequest, HealthCheckResponse};

    let app = server([("m", binomial())]);
    let check = async |service: &str| {
        let request = HealthCheckRequest { service: service.into() };
        let (answers, status) = stream(&app, "grpc.health.v1.Health/Check", &[request.encode_to_vec()]).await;
        let answer = answers.first().map(|answer| HealthCheckResponse::decode(&**answer).expect("a message").status);
        (status.0, answer)
    };
    assert_eq!(check("").await, (0, Some(1)));
    assert_eq!(check("inference.GRPCInferenceService").await, (0, Some(1)));
    assert_eq!(check("other").await, (5, None));
}
