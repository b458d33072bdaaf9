//! Models as source code that needs nothing of us to score.

mod rust;

pub(crate) use rust::rust_replay_source;
pub use rust::{RustError, RustOptions, rust_module_name, write_rust};
