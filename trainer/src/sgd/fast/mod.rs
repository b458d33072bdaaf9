//! The fast engine: the plain one's meaning, sixteen numbers at a time, on several threads.
//!
//! Rows are encoded once and packed (`store`). A step (`step`) goes forward and back through layers that are laid out for
//! what is touched of them (`layer`, `layout`, `forward`, `error`, `backward`, `biases`). Each thread trains a `replica` of the net on rows of its
//! own; at fixed counts of rows the replicas meet and go on from their `mean`.

#![expect(
    clippy::inline_always,
    reason = "what is not inlined into `Simd::run` is compiled without the tier's instructions"
)]

mod backward;
mod barrier;
mod biases;
mod draws;
mod engine;
mod error;
mod forward;
mod layer;
mod layout;
mod mean;
mod output;
mod replica;
mod rule;
mod step;
mod store;
mod sums;
mod terms;
#[cfg(test)]
mod tests;
mod units;
mod update;
mod work;

pub(super) use engine::{FastEngine, FastState};
