//! What may name what, and where things may stand: the picture that every other file relies on.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use cargo_metadata::{Metadata, MetadataCommand, Package};
use toml::{Table, Value};

/// Each package, and which of the others it may name. Data goes one way: frame, trainer, model, exporter, artifact, serve.
const ARROWS: [(&str, &[&str]); 5] = [
    ("aqueduct", &["exporter", "model", "serve", "trainer"]),
    ("exporter", &["model"]),
    ("model", &[]),
    ("serve", &["exporter", "model"]),
    ("trainer", &["model"]),
];

/// The rooms of `unsafe`: scoring kernels, training kernels, the memory map.
const UNSAFE: [&str; 3] = ["model/src/kernel/", "trainer/src/kernel/", "trainer/src/frame/spill.rs"];

#[test]
fn packages_name_only_what_they_may() {
    let metadata = metadata();
    let members: BTreeSet<&str> = metadata.workspace_packages().iter().map(|package| package.name.as_str()).collect();
    let named = |package: &Package| -> BTreeSet<String> {
        let names = package.dependencies.iter().map(|dependency| dependency.name.clone());
        names.filter(|name| members.contains(name.as_str())).collect()
    };
    let found: BTreeMap<String, BTreeSet<String>> =
        metadata.workspace_packages().into_iter().map(|package| (package.name.to_string(), named(package))).collect();
    let allowed: BTreeMap<String, BTreeSet<String>> = ARROWS
        .into_iter()
        .map(|(package, others)| (package.to_owned(), others.iter().map(ToString::to_string).collect()))
        .collect();
    assert_eq!(found, allowed);
}

#[test]
fn packages_are_named_as_their_folders() {
    for package in metadata().workspace_packages() {
        let folder = package.manifest_path.parent().expect("a manifest stands in a folder");
        // The root's folder is called as whoever cloned it likes.
        if folder != root() {
            assert_eq!(folder.file_name(), Some(package.name.as_str()));
        }
    }
}

#[test]
fn a_plain_cargo_command_is_about_the_whole_workspace() {
    let metadata = metadata();
    let mut all: Vec<_> = metadata.workspace_members.iter().collect();
    let mut by_default: Vec<_> = metadata.workspace_default_members.iter().collect();
    all.sort();
    by_default.sort();
    assert_eq!(all, by_default);
}

#[test]
fn versions_stand_in_the_root_only() {
    for (path, manifest) in manifests() {
        for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
            for (name, dependency) in manifest.get(section).and_then(Value::as_table).into_iter().flatten() {
                let inherits = dependency.get("workspace").and_then(Value::as_bool) == Some(true);
                assert!(inherits, "{}: `{name}` does not say `workspace = true`", path.display());
            }
        }
        assert!(!manifest.contains_key("target"), "{}: dependencies of a target", path.display());
    }
}

#[test]
fn every_package_inherits_lints_edition_and_licence() {
    for (path, manifest) in manifests() {
        let inherits = |value: Option<&Value>| value.and_then(|v| v.get("workspace")?.as_bool()) == Some(true);
        assert!(inherits(manifest.get("lints")), "{}: no `[lints] workspace = true`", path.display());
        for key in ["version", "edition", "rust-version", "license", "publish"] {
            assert!(inherits(manifest["package"].get(key)), "{}: {key}.workspace is not true", path.display());
        }
    }
}

#[test]
fn the_toolchain_is_one_release_that_the_packages_accept() {
    let toolchain = parse(&root().join("rust-toolchain.toml"));
    let channel = toolchain["toolchain"]["channel"].as_str().expect("a channel");
    let manifest = parse(&root().join("Cargo.toml"));
    let least = manifest["workspace"]["package"]["rust-version"].as_str().expect("a version");
    assert_eq!(channel.split('.').count(), 3, "{channel} is no full version number");
    assert!(channel.starts_with(&format!("{least}.")), "{channel} is not {least}");
}

#[test]
fn unsafe_stays_in_its_rooms() {
    for package in metadata().workspace_packages() {
        let folder = package.manifest_path.parent().expect("a manifest stands in a folder");
        for part in ["src", "tests", "benches", "build.rs"] {
            for file in rust_files(&folder.join(part).into_std_path_buf()) {
                let shown = file.strip_prefix(root()).expect("it is below the root").display().to_string();
                let text = fs::read_to_string(&file).expect("a readable file");
                let is_room = UNSAFE.iter().any(|room| shown.starts_with(room));
                assert!(is_room || !says_unsafe(&text), "{shown} has `unsafe`; its rooms are {UNSAFE:?}");
            }
        }
    }
}

/// Whether the keyword stands outside of comments and quotes.
fn says_unsafe(text: &str) -> bool {
    text.lines().any(|line| {
        let code = line.split("//").next().unwrap_or_default();
        let outside_quotes = code.split('"').step_by(2);
        outside_quotes
            .flat_map(|part| part.split(|c: char| !c.is_alphanumeric() && c != '_'))
            .any(|word| word == KEYWORD)
    })
}

/// Spelled so that this file is not found.
const KEYWORD: &str = concat!("un", "safe");

#[test]
fn the_search_for_unsafe_finds_it() {
    assert!(says_unsafe(&format!("    {KEYWORD} {{ f() }}")));
    assert!(says_unsafe(&format!("pub {KEYWORD} fn f() {{}}")));
    assert!(!says_unsafe(&format!("// {KEYWORD}\n#[deny({KEYWORD}_code)] let x = \"{KEYWORD}\";")));
}

fn metadata() -> Metadata {
    let offline = ["--offline", "--locked"].map(str::to_owned).to_vec();
    MetadataCommand::new().no_deps().other_options(offline).exec().expect("cargo describes the workspace")
}

fn manifests() -> Vec<(PathBuf, Table)> {
    let metadata = metadata();
    let paths = metadata.workspace_packages().into_iter().map(|p| p.manifest_path.clone().into_std_path_buf());
    paths.map(|path| (path.clone(), parse(&path))).collect()
}

fn parse(path: &Path) -> Table {
    let text = fs::read_to_string(path).expect("a readable file");
    text.parse().expect("TOML")
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The Rust files below a folder, or the file itself; none where there is neither.
fn rust_files(path: &Path) -> Vec<PathBuf> {
    if path.extension().is_some_and(|extension| extension == "rs") && path.is_file() {
        return vec![path.to_owned()];
    }
    let entries = fs::read_dir(path).into_iter().flatten().filter_map(Result::ok);
    entries.flat_map(|entry| rust_files(&entry.path())).collect()
}
