//! Generated files are what their sources make of them. `AQUEDUCT_GENERATE=1 cargo test --test generated` writes them anew.

use std::fs;
use std::path::Path;

/// Each source, and the file that is made of it.
const MESSAGES: [(&str, &str); 1] = [("exporter/proto/onnx.proto", "exporter/src/onnx/proto/onnx.rs")];

#[test]
fn messages_are_those_of_their_proto_files() {
    for (source, generated) in MESSAGES {
        let made = messages(source);
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(generated);
        if std::env::var_os("AQUEDUCT_GENERATE").is_some() {
            fs::write(&path, &made).expect("a writable file");
        }
        let committed = fs::read_to_string(&path).expect("a generated file");
        assert!(committed == made, "{generated} is not what {source} makes: generate it with AQUEDUCT_GENERATE=1");
    }
}

/// The messages of one file as Rust.
fn messages(source: &str) -> String {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
    let folder = source.parent().expect("a file stands in a folder");
    let descriptors = protox::compile([&source], [folder]).expect("a proto file without mistakes");
    let out = tempfile::tempdir().expect("a folder");
    let mut config = prost_build::Config::new();
    config.out_dir(out.path()).compile_fds(descriptors).expect("messages");
    let package = source.with_extension("rs");
    let made = fs::read_to_string(out.path().join(package.file_name().expect("a name"))).expect("one package");
    format!("// Generated from {}; see tests/generated.rs.\n{made}", relative(&source))
}

fn relative(path: &Path) -> String {
    path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap_or(path).display().to_string()
}
