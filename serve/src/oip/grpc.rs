//! The protocol over gRPC.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use futures_util::Stream;
use futures_util::stream::unfold;
use tonic::service::Routes;
use tonic::{Request, Response, Status, Streaming};
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_server::{Health, HealthServer};
use tonic_health::pb::{HealthCheckRequest, HealthCheckResponse};

use super::describe::{self, Metadata, Statistics};
use super::infer::infer;
use super::invalid;
use super::outputs::{Content, Output, Outputs};
use super::proto::grpc_inference_service_server::{GrpcInferenceService, GrpcInferenceServiceServer};
use super::proto::infer_parameter::ParameterChoice;
use super::proto::{self, model_infer_request, model_infer_response};
use super::tensor::{Datatype, Elements, Tensor, element_of_bytes};
use crate::app::AppState;
use crate::error::ServeError;
use crate::metrics::{Outcome, Protocol};
use crate::registry::ServedModel;
use crate::rest::load_model;
use crate::service::{Policy, Setting, Work};
use crate::wire::Element;

/// The protocol's service, the standard one for health, and both versions of that which says what there is.
pub(crate) fn routes(state: &Arc<AppState>) -> Router {
    let inference = GrpcInferenceServiceServer::new(Inference(Arc::clone(state)))
        .max_decoding_message_size(state.service.limits().body_bytes)
        .max_encoding_message_size(state.service.limits().answer_bytes);
    let described = || {
        tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(proto::DESCRIPTORS)
            .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
    };
    let routes = Routes::new(inference).add_service(HealthServer::new(Healthy(Arc::clone(state))));
    // They fail where descriptors contradict each other, and these are generated.
    let routes = match (described().build_v1(), described().build_v1alpha()) {
        (Ok(current), Ok(earlier)) => routes.add_service(current).add_service(earlier),
        _ => routes,
    };
    routes.into_axum_router()
}

impl From<ServeError> for Status {
    fn from(error: ServeError) -> Self {
        Self::new(error.grpc_code(), error.to_string())
    }
}

struct Inference(Arc<AppState>);

type Replied<T> = Result<Response<T>, Status>;

impl Inference {
    /// The model of a name, in the version if one is given.
    fn find(&self, name: &str, version: &str) -> Result<Arc<ServedModel>, ServeError> {
        self.0.service.model(Some(name), Some(version).filter(|version| !version.is_empty()))
    }
}

#[tonic::async_trait]
impl GrpcInferenceService for Inference {
    async fn server_live(&self, _: Request<proto::ServerLiveRequest>) -> Replied<proto::ServerLiveResponse> {
        Ok(Response::new(proto::ServerLiveResponse { live: true }))
    }

    async fn server_ready(&self, _: Request<proto::ServerReadyRequest>) -> Replied<proto::ServerReadyResponse> {
        Ok(Response::new(proto::ServerReadyResponse { ready: self.0.is_ready() }))
    }

    async fn model_ready(&self, request: Request<proto::ModelReadyRequest>) -> Replied<proto::ModelReadyResponse> {
        let proto::ModelReadyRequest { name, version } = request.into_inner();
        self.find(&name, &version)?;
        Ok(Response::new(proto::ModelReadyResponse { ready: true }))
    }

    async fn server_metadata(
        &self,
        _: Request<proto::ServerMetadataRequest>,
    ) -> Replied<proto::ServerMetadataResponse> {
        Ok(Response::new(proto::ServerMetadataResponse {
            name: describe::SERVER.to_owned(),
            version: describe::VERSION.to_owned(),
            extensions: describe::EXTENSIONS.map(str::to_owned).to_vec(),
        }))
    }

    async fn model_metadata(
        &self,
        request: Request<proto::ModelMetadataRequest>,
    ) -> Replied<proto::ModelMetadataResponse> {
        let proto::ModelMetadataRequest { name, version } = request.into_inner();
        let metadata = Metadata::of(&*self.find(&name, &version)?, self.0.service.registry());
        let tensor = |tensor: describe::TensorMetadata| proto::model_metadata_response::TensorMetadata {
            name: tensor.name,
            datatype: tensor.datatype.to_owned(),
            shape: tensor.shape,
        };
        Ok(Response::new(proto::ModelMetadataResponse {
            name: metadata.name,
            versions: metadata.versions,
            platform: metadata.platform.to_owned(),
            inputs: metadata.inputs.into_iter().map(tensor).collect(),
            outputs: metadata.outputs.into_iter().map(tensor).collect(),
            properties: HashMap::new(),
        }))
    }

    async fn model_infer(&self, request: Request<proto::ModelInferRequest>) -> Replied<proto::ModelInferResponse> {
        Ok(Response::new(score(&self.0, request.into_inner()).await?))
    }

    type ModelStreamInferStream =
        Pin<Box<dyn Stream<Item = Result<proto::ModelStreamInferResponse, Status>> + Send + 'static>>;

    async fn model_stream_infer(
        &self,
        request: Request<Streaming<proto::ModelInferRequest>>,
    ) -> Replied<Self::ModelStreamInferStream> {
        let answers = unfold((request.into_inner(), Arc::clone(&self.0)), async |(mut requests, state)| {
            let answer = match requests.message().await {
                Ok(Some(request)) => Ok(match score(&state, request).await {
                    Ok(response) => {
                        proto::ModelStreamInferResponse { error_message: String::new(), infer_response: Some(response) }
                    }
                    Err(refusal) => {
                        proto::ModelStreamInferResponse { error_message: refusal.to_string(), infer_response: None }
                    }
                }),
                Ok(None) => return None,
                Err(status) => Err(status),
            };
            Some((answer, (requests, state)))
        });
        Ok(Response::new(Box::pin(answers)))
    }

    async fn model_config(&self, request: Request<proto::ModelConfigRequest>) -> Replied<proto::ModelConfigResponse> {
        let proto::ModelConfigRequest { name, version } = request.into_inner();
        let metadata = Metadata::of(&*self.find(&name, &version)?, self.0.service.registry());
        let data_type = |datatype: &str| match datatype {
            "BYTES" => proto::DataType::TypeString.into(),
            _ => proto::DataType::TypeFp64.into(),
        };
        let input = |tensor: describe::TensorMetadata| proto::ModelInput {
            data_type: data_type(tensor.datatype),
            name: tensor.name,
            dims: tensor.shape,
        };
        let output = |tensor: describe::TensorMetadata| proto::ModelOutput {
            data_type: data_type(tensor.datatype),
            name: tensor.name,
            dims: tensor.shape,
        };
        let config = proto::ModelConfig {
            name: metadata.name,
            platform: metadata.platform.to_owned(),
            // Shapes have the rows in them.
            max_batch_size: 0,
            input: metadata.inputs.into_iter().map(input).collect(),
            output: metadata.outputs.into_iter().map(output).collect(),
            backend: describe::SERVER.to_owned(),
        };
        Ok(Response::new(proto::ModelConfigResponse { config: Some(config) }))
    }

    async fn model_statistics(
        &self,
        request: Request<proto::ModelStatisticsRequest>,
    ) -> Replied<proto::ModelStatisticsResponse> {
        let proto::ModelStatisticsRequest { name, version } = request.into_inner();
        let registry = self.0.service.registry();
        let versions = match (name.as_str(), version.as_str()) {
            ("", _) => registry.models().iter().flat_map(|name| registry.versions(name)).collect(),
            (name, "") => registry.versions(self.find(name, "")?.name()),
            (name, version) => vec![self.find(name, version)?],
        };
        let model_stats = Statistics::all(&versions).into_iter().map(statistics).collect();
        Ok(Response::new(proto::ModelStatisticsResponse { model_stats }))
    }

    async fn repository_index(
        &self,
        request: Request<proto::RepositoryIndexRequest>,
    ) -> Replied<proto::RepositoryIndexResponse> {
        let indexed = describe::index(self.0.service.registry(), request.into_inner().ready);
        let models = indexed.into_iter().map(|indexed| proto::repository_index_response::ModelIndex {
            name: indexed.name,
            version: indexed.version,
            state: indexed.state.to_owned(),
            reason: indexed.reason,
        });
        Ok(Response::new(proto::RepositoryIndexResponse { models: models.collect() }))
    }

    async fn repository_model_load(
        &self,
        request: Request<proto::RepositoryModelLoadRequest>,
    ) -> Replied<proto::RepositoryModelLoadResponse> {
        load_model(&self.0, request.into_inner().model_name).await?;
        Ok(Response::new(proto::RepositoryModelLoadResponse {}))
    }

    async fn repository_model_unload(
        &self,
        request: Request<proto::RepositoryModelUnloadRequest>,
    ) -> Replied<proto::RepositoryModelUnloadResponse> {
        self.0.check_admin()?;
        self.0.service.registry().unload_model(&request.into_inner().model_name)?;
        Ok(Response::new(proto::RepositoryModelUnloadResponse {}))
    }
}

fn statistics(of: Statistics) -> proto::ModelStatistics {
    let count = |count: describe::Count| Some(proto::StatisticDuration { count: count.count, ns: count.ns });
    let stats = of.inference_stats;
    proto::ModelStatistics {
        name: of.name,
        version: of.version,
        last_inference: of.last_inference,
        inference_count: of.inference_count,
        execution_count: of.execution_count,
        inference_stats: Some(proto::InferStatistics {
            success: count(stats.success),
            fail: count(stats.fail),
            queue: count(stats.queue),
            compute_input: count(stats.compute_input),
            compute_infer: count(stats.compute_infer),
            compute_output: count(stats.compute_output),
            cache_hit: count(stats.cache_hit),
            cache_miss: count(stats.cache_miss),
        }),
        batch_stats: Vec::new(),
    }
}

async fn score(
    state: &Arc<AppState>,
    request: proto::ModelInferRequest,
) -> Result<proto::ModelInferResponse, ServeError> {
    let began = Instant::now();
    let version = Some(request.model_version.as_str()).filter(|version| !version.is_empty());
    let served = state.service.model(Some(&request.model_name), version)?;
    let limits = *state.service.limits();
    let bytes: usize = request.raw_input_contents.iter().map(Vec::len).sum();
    let rows = request.inputs.iter().filter_map(|input| usize::try_from(*input.shape.first()?).ok()).max();
    let work = Work::new(bytes / 8, rows.unwrap_or(0), &served);
    let model = Arc::clone(&served);
    let job = move || {
        let policy = policy(model.policy(), &request.parameters)?;
        let names: Vec<&str> = request.outputs.iter().map(|output| output.name.as_str()).collect();
        let outputs = if names.is_empty() { Output::all(&model) } else { Output::named(&names, &model)? };
        let answers = infer(&model, policy, &tensors(&request)?, &limits)?;
        let is_raw = !request.raw_input_contents.is_empty();
        Ok(response(request.id, &answers, outputs, is_raw))
    };
    let answered = state.service.compute(work, state.service.deadline(), job).await;
    let outcome = match &answered {
        Ok(_) => Outcome::Answered,
        Err(error) if error.status().is_server_error() => Outcome::Failed,
        Err(_) => Outcome::Refused,
    };
    served.metrics().count(Protocol::InferenceGrpc, outcome, began.elapsed());
    answered
}

/// The policy of a model, changed by the parameters of a request.
fn policy(mut policy: Policy, parameters: &HashMap<String, proto::InferParameter>) -> Result<Policy, ServeError> {
    for (name, parameter) in parameters {
        let setting = match &parameter.parameter_choice {
            Some(ParameterChoice::BoolParam(value)) => Setting::Bool(*value),
            Some(ParameterChoice::Int64Param(value)) => Setting::Number(*value as f64),
            Some(ParameterChoice::Uint64Param(value)) => Setting::Number(*value as f64),
            Some(ParameterChoice::DoubleParam(value)) => Setting::Number(*value),
            Some(ParameterChoice::StringParam(text)) => Setting::Text(text),
            None => continue,
        };
        policy.set(name, setting)?;
    }
    Ok(policy)
}

fn tensors(request: &proto::ModelInferRequest) -> Result<Vec<Tensor<'_>>, ServeError> {
    let raw = &request.raw_input_contents;
    if !raw.is_empty() && raw.len() != request.inputs.len() {
        let (expected, found) = (request.inputs.len(), raw.len());
        return Err(invalid(format!("raw_input_contents: expected one for each of {expected} inputs, found {found}")));
    }
    let tensor = |(at, input): (usize, _)| tensor(input, raw.get(at).map(Vec::as_slice));
    request.inputs.iter().enumerate().map(tensor).collect()
}

fn tensor<'a>(
    input: &'a model_infer_request::InferInputTensor,
    raw: Option<&'a [u8]>,
) -> Result<Tensor<'a>, ServeError> {
    let datatype = Datatype::named(&input.datatype, &input.name)?;
    let elements = match (raw, &input.contents) {
        (Some(bytes), None) => Elements::raw(bytes, datatype, &input.name)?,
        (None, Some(contents)) => elements(contents, datatype, &input.name)?,
        (None, None) => Elements::Values(Vec::new()),
        (Some(_), Some(_)) => {
            return Err(invalid(format!("input `{}`: expected contents or raw_input_contents, not both", input.name)));
        }
    };
    let mut tensor = Tensor::new(input.name.as_str().into(), datatype, &input.shape, elements)?;
    let content_type = input.parameters.get("content_type").and_then(|parameter| parameter.parameter_choice.as_ref());
    tensor.is_json = matches!(content_type, Some(ParameterChoice::StringParam(text)) if text == "json");
    Ok(tensor)
}

fn elements<'a>(
    contents: &'a proto::InferTensorContents,
    datatype: Datatype,
    name: &str,
) -> Result<Elements<'a>, ServeError> {
    fn integers<'a, T: Copy + Into<i128>>(values: &[T]) -> Elements<'a> {
        Elements::Values(values.iter().map(|&value| Element::Integer(value.into())).collect())
    }
    Ok(match datatype {
        Datatype::Bool => Elements::Values(contents.bool_contents.iter().map(|&value| Element::Bool(value)).collect()),
        Datatype::Int8 | Datatype::Int16 | Datatype::Int32 => integers(&contents.int_contents),
        Datatype::Int64 => integers(&contents.int64_contents),
        Datatype::Uint8 | Datatype::Uint16 | Datatype::Uint32 => integers(&contents.uint_contents),
        Datatype::Uint64 => integers(&contents.uint64_contents),
        Datatype::Fp32 => Elements::Numbers(contents.fp32_contents.iter().map(|&value| value.into()).collect()),
        Datatype::Fp64 => Elements::Numbers(contents.fp64_contents.clone()),
        Datatype::Bytes => {
            let texts = contents.bytes_contents.iter().map(|text| element_of_bytes(text, name));
            Elements::Values(texts.collect::<Result<_, _>>()?)
        }
        Datatype::Fp16 => return Err(invalid(format!("input `{name}`: FP16 is for raw_input_contents only"))),
    })
}

fn response(id: String, answers: &Outputs, outputs: Vec<Output>, is_raw: bool) -> proto::ModelInferResponse {
    let mut raw_output_contents = Vec::new();
    let tensor = |output: Output| {
        let mut contents = None;
        if is_raw {
            raw_output_contents.push(answers.raw(output.content));
        } else {
            contents = Some(typed(answers, output.content));
        }
        model_infer_response::InferOutputTensor {
            datatype: output.datatype().to_owned(),
            shape: output.shape(answers.rows as i64),
            name: output.name,
            parameters: HashMap::new(),
            contents,
        }
    };
    let outputs = outputs.into_iter().map(tensor).collect();
    let warnings = answers.warnings.clone().map(|warnings| {
        let parameter = proto::InferParameter { parameter_choice: Some(ParameterChoice::StringParam(warnings)) };
        ("warnings".to_owned(), parameter)
    });
    proto::ModelInferResponse {
        model_name: answers.served.name().to_owned(),
        model_version: answers.served.version().to_string(),
        id,
        parameters: warnings.into_iter().collect(),
        outputs,
        raw_output_contents,
    }
}

fn typed(answers: &Outputs, content: Content) -> proto::InferTensorContents {
    let mut contents = proto::InferTensorContents::default();
    match content {
        Content::Labels => {
            contents.bytes_contents =
                answers.labels().map(|label| label.unwrap_or_default().as_bytes().to_vec()).collect();
        }
        Content::Numbers { first, count, .. } => contents.fp64_contents = answers.numbers(first, count).collect(),
    }
    contents
}

/// The standard service for health.
struct Healthy(Arc<AppState>);

impl Healthy {
    fn check_name(service: &str) -> Result<(), Status> {
        match service {
            "" | "inference.GRPCInferenceService" => Ok(()),
            _ => Err(Status::not_found("no such service")),
        }
    }
}

fn health(ready: bool) -> HealthCheckResponse {
    let status = if ready { ServingStatus::Serving } else { ServingStatus::NotServing };
    HealthCheckResponse { status: status.into() }
}

#[tonic::async_trait]
impl Health for Healthy {
    async fn check(&self, request: Request<HealthCheckRequest>) -> Replied<HealthCheckResponse> {
        Self::check_name(&request.into_inner().service)?;
        Ok(Response::new(health(self.0.is_ready())))
    }

    type WatchStream = Pin<Box<dyn Stream<Item = Result<HealthCheckResponse, Status>> + Send + 'static>>;

    async fn watch(&self, request: Request<HealthCheckRequest>) -> Replied<Self::WatchStream> {
        Self::check_name(&request.into_inner().service)?;
        // First how it is, then each change; the sender lives as long as the server.
        let mut changes = self.0.watch_draining();
        changes.mark_changed();
        let answers = unfold(changes, async |mut changes| {
            changes.changed().await.ok()?;
            let ready = !*changes.borrow_and_update();
            Some((Ok(health(ready)), changes))
        });
        Ok(Response::new(Box::pin(answers)))
    }
}
