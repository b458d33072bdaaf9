//! Models as source code that needs nothing of us to score.

mod java;
mod rust;

pub(crate) use java::check_java;
pub use java::{JAVA_START, JavaError, JavaOptions, java_class_name, write_java};
pub(crate) use rust::check_rust;
pub use rust::{RUST_START, RustError, RustOptions, rust_module_name, write_rust};
pub(crate) use rust::{RUST_TEST, rust_replay_source};
