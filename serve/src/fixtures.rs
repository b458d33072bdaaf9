//! Models small enough to know their answers by heart.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode};

use model::{
    Activation, Algorithm, Category, DeepLearning, Distribution, Domain, Encoding, Feature, InputLayout, Labelling,
    Layer, Model, Network, Response, Scaling, Schema, SpecialColumns,
};

use serde_json::Value;
use tower::ServiceExt;

use crate::app::{AppState, Options, app};
use crate::limits::Limits;
use crate::registry::{Registry, ServedModel};
use crate::service::Service;

/// A feature: a number where there are no levels.
pub(crate) fn feature(name: &str, levels: &[&str]) -> Feature {
    Feature { name: name.into(), domain: domain(levels) }
}

fn domain(levels: &[&str]) -> Option<Domain> {
    let levels: Vec<String> = levels.iter().map(|&level| level.to_owned()).collect();
    if levels.is_empty() { None } else { Some(Domain::new(levels)) }
}

/// One layer of weights straight from the inputs to the outputs.
pub(crate) fn flat(
    features: Vec<Feature>,
    classes: &[&str],
    scaling: Option<Scaling>,
    weights: Vec<f32>,
    biases: Vec<f64>,
) -> Model {
    let levels: Vec<usize> = features.iter().filter_map(|f| f.domain.as_ref()).map(Domain::len).collect();
    let layout = InputLayout::new(&levels, features.len() - levels.len(), true, scaling);
    let (inputs, units) = (layout.inputs(), classes.len().max(1));
    let output = Layer { inputs, units, channels: 1, weights, biases, dropout_ratio: 0.0 };
    let (category, distribution) = match units {
        1 => (Category::Regression, Distribution::Gaussian),
        2 => (Category::Binomial, Distribution::Bernoulli),
        _ => (Category::Multinomial, Distribution::Multinomial),
    };
    let special = SpecialColumns { weights: Some("weight".into()), offset: None, fold: Some("fold".into()) };
    let labelling = Labelling {
        default_threshold: 0.5,
        prior_class_distrib: None,
        model_class_distrib: None,
        balance_classes: false,
    };
    Model {
        schema: Schema::new(features, Some(Response { name: "y".into(), domain: domain(classes) }), special),
        encoding: Encoding::Auto,
        category,
        labelling,
        algorithm: Algorithm::DeepLearning(DeepLearning {
            layout,
            network: Network::new(Activation::Rectifier, vec![output]).expect("the layers fit"),
            distribution,
            response_scaling: None,
            mean_imputation: true,
        }),
    }
}

/// `c` in `a`, `b` and a number `n`; `yes` is likelier than `no` where `c` is `b` and, less so, where `n` is large.
pub(crate) fn binomial() -> Model {
    let features = vec![feature("c", &["a", "b"]), feature("n", &[])];
    flat(features, &["no", "yes"], None, vec![0.0, 0.0, 0.0, 0.0, -1.0, 1.0, 0.0, 0.25], vec![0.0, 0.0])
}

/// `2 x + 0.5`
pub(crate) fn regression() -> Model {
    flat(vec![feature("x", &[])], &[], None, vec![2.0], vec![0.5])
}

/// Always a quarter, a quarter and a half, whatever the row.
pub(crate) fn multinomial() -> Model {
    let features = vec![feature("größe", &[]), feature("цвет", &["красный", "say \"hi\"\n", "3", "true"])];
    // The categoricals come first in a raw row, and so among the features.
    let features = features.into_iter().rev().collect();
    flat(features, &["α", "b,\"c\"", "7"], None, vec![0.0; 18], vec![0.0, 0.0, std::f64::consts::LN_2])
}

/// An autoencoder of `c` in `a`, `b` and a number `n` that forgets nothing but signs.
pub(crate) fn autoencoder() -> Model {
    let weights = (0..16).map(|i| if i % 5 == 0 { 1.0 } else { 0.0 }).collect();
    let mut model = binomial();
    let Algorithm::DeepLearning(net) = &mut model.algorithm else { unreachable!("it is one") };
    let layer = Layer { inputs: 4, units: 4, channels: 1, weights, biases: vec![0.0; 4], dropout_ratio: 0.0 };
    net.network = Network::new(Activation::Rectifier, vec![layer]).expect("the layers fit");
    net.distribution = Distribution::Gaussian;
    let features = model.schema.features().to_vec();
    model.schema = Schema::new(features, None, SpecialColumns::default());
    model.category = Category::AutoEncoder;
    model
}

/// Breaks the promise that a model's parts fit: scoring it panics.
pub(crate) fn panicking() -> Model {
    let scaling = Scaling { mul: Vec::new(), sub: Vec::new() };
    flat(vec![feature("x", &[])], &[], Some(scaling), vec![2.0], vec![0.5])
}

/// A model that is served as `m`.
pub(crate) fn served(model: Model) -> Arc<ServedModel> {
    Arc::new(ServedModel::new("m", model, None))
}

/// A registry of these models.
pub(crate) fn registry<const N: usize>(models: [(&str, Model); N]) -> Arc<Registry> {
    let registry = Registry::default();
    for (name, model) in models {
        registry.insert(ServedModel::new(name, model, None));
    }
    Arc::new(registry)
}

/// All routes of a server of these models.
pub(crate) fn server<const N: usize>(models: [(&str, Model); N]) -> Router {
    app(AppState::new(Service::new(registry(models), Limits::default()), Options::default()))
}

/// Status, headers and body of the answer to a request.
pub(crate) async fn ask(app: &Router, request: Request<Body>) -> (StatusCode, HeaderMap, Bytes) {
    let response = app.clone().oneshot(request).await.expect("the routes never fail");
    let (head, body) = response.into_parts();
    (head.status, head.headers, to_bytes(body, usize::MAX).await.expect("a body"))
}

/// Status and JSON of the answer to a body that is posted.
pub(crate) async fn post_json(app: &Router, path: &str, body: impl Into<Body>) -> (u16, Value) {
    let request = Request::post(path).header("content-type", "application/json").body(body.into());
    let (status, _, answer) = ask(app, request.expect("a request")).await;
    (status.as_u16(), serde_json::from_slice(&answer).expect("JSON"))
}

/// Status and JSON of the answer to a path.
pub(crate) async fn get_json(app: &Router, path: &str) -> (u16, Value) {
    let (status, _, answer) = ask(app, Request::get(path).body(Body::empty()).expect("a request")).await;
    (status.as_u16(), serde_json::from_slice(&answer).unwrap_or(Value::Null))
}
