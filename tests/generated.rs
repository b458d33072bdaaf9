//! Generated files are what their sources make of them. `AQUEDUCT_GENERATE=1 cargo test --test generated` writes them anew.

use std::fs;
use std::path::{Path, PathBuf};

use prost::Message;
use prost_types::FileDescriptorSet;

/// Each source, and the file that is made of it.
const MESSAGES: [(&str, &str); 2] = [
    ("exporter/proto/onnx.proto", "exporter/src/onnx/proto/onnx.rs"),
    ("serve/proto/inference.proto", "serve/src/oip/proto/inference.rs"),
];

/// The descriptors of a service, for clients that ask for them.
const DESCRIPTORS: (&str, &str) = ("serve/proto/inference.proto", "serve/src/oip/proto/inference.bin");

#[test]
fn messages_are_those_of_their_proto_files() {
    for (source, generated) in MESSAGES {
        is_committed(source, generated, messages(source).as_bytes());
    }
}

#[test]
fn descriptors_are_those_of_their_proto_file() {
    let (source, generated) = DESCRIPTORS;
    is_committed(source, generated, &descriptors(&path(source)).encode_to_vec());
}

fn is_committed(source: &str, generated: &str, made: &[u8]) {
    if std::env::var_os("AQUEDUCT_GENERATE").is_some() {
        fs::write(path(generated), made).expect("a writable file");
    }
    let committed = fs::read(path(generated)).expect("a generated file");
    assert!(committed == made, "{generated} is not what {source} makes: generate it with AQUEDUCT_GENERATE=1");
}

fn path(relative: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(relative)
}

fn descriptors(source: &Path) -> FileDescriptorSet {
    let folder = source.parent().expect("a file stands in a folder");
    protox::compile([source], [folder]).expect("a proto file without mistakes")
}

/// The messages of one file as Rust, and its service where it has one.
fn messages(source: &str) -> String {
    let source = path(source);
    let out = tempfile::tempdir().expect("a folder");
    tonic_prost_build::configure()
        .build_client(false)
        .build_transport(false)
        .out_dir(out.path())
        .compile_fds(descriptors(&source))
        .expect("messages");
    let package = source.with_extension("rs");
    let made = fs::read_to_string(out.path().join(package.file_name().expect("a name"))).expect("one package");
    // Lints are let off with a reason, and where there is something to let off: all names are in camel case.
    let made = made.replace("clippy::let_unit_value,\n", "clippy::let_unit_value,\n        reason = \"generated\",\n");
    let is_idle = |line: &&str| line.trim() == "#[allow(non_camel_case_types)]";
    let made: String = made.split_inclusive('\n').filter(|line| !is_idle(line)).collect();
    format!("// Generated from {}; see tests/generated.rs.\n{made}", relative(&source))
}

fn relative(path: &Path) -> String {
    path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap_or(path).display().to_string()
}
