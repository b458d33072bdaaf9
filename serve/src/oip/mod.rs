//! The Open Inference Protocol, version 2, over REST and gRPC, with Triton's extensions for binary tensors, statistics and the
//! repository of models.
//!
//! A request is a list of tensors, and is one of these tables:
//!
//! * columns: a tensor for each column by its name, of shape `[n]` or `[n, 1]`; of numbers any numeric type, of categories
//!   BYTES;
//! * matrix: one tensor of numbers of shape `[n, p]`, the model's columns in its order, levels by their codes;
//! * frame: one BYTES tensor of shape `[n]` whose elements are JSON objects, with the parameter `content_type: json`.
//!
//! In JSON a missing value is `null`, in numbers NaN or, of codes, -1; in BYTES it is an empty text, where that is no level.
//! Outputs are the columns of H2O's prediction frame, `predict` and one for each class, each of shape `[n]`; of an
//! autoencoder `reconstruction`, of shape `[n, m]`, and `mse`. `probabilities`, of shape `[n, k]`, is given when it is asked
//! for. The parameters of a request may have the options of [`crate::Policy`]; what was noticed is in the parameter `warnings` of the
//! response, as JSON.
//!
//! `tensor` is what is in a tensor, `infer` what happens to a request whatever the transport, `rest` and `grpc` are those.

mod describe;
mod grpc;
mod infer;
mod json;
mod outputs;
mod proto;
mod rest;
mod tensor;

pub(crate) use self::grpc::routes as grpc_routes;
pub(crate) use self::rest::routes as rest_routes;

use crate::error::ServeError;

fn invalid(problem: impl Into<String>) -> ServeError {
    ServeError::InvalidRequest { problem: problem.into() }
}

#[cfg(test)]
mod tests;
