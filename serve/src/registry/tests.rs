use std::fs;
use std::path::{Path, PathBuf};

use exporter::{Artifact, write_mojo};
use model::Model;

use super::*;
use crate::fixtures::{binomial, registry, regression};

/// A MOJO of this name in a folder.
fn mojo(folder: &Path, name: &str, model: Model) -> PathBuf {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("it has one")).expect("a folder");
    write_mojo(&Artifact::new(model, "2026-01-01T00:00:00Z").adopted(), &path).expect("a MOJO");
    path
}

/// `2 x` and this.
fn plus(bias: f64) -> Model {
    let mut model = regression();
    let model::Algorithm::DeepLearning(net) = &mut model.algorithm else { unreachable!("it is one") };
    net.network.parameters_mut(0).1[0] = bias;
    model
}

fn in_folder(folder: &Path) -> Registry {
    let repository = Repository::default().with_folder(folder.to_owned()).expect("a folder");
    Registry::open(repository).expect("models")
}

/// The bias of the version that a request gets.
fn bias(registry: &Registry, version: Option<&str>) -> f64 {
    let found = registry.find(Some("price"), version).expect("it is served");
    let model::Algorithm::DeepLearning(net) = &found.model().algorithm else { unreachable!("it is one") };
    net.network.layers()[0].biases[0]
}

#[test]
fn models_are_named_as_their_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = [mojo(folder.path(), "churn.v2.zip", binomial()), mojo(folder.path(), "price", regression())];
    let registry = Registry::load(&files).expect("two models");
    assert_eq!(registry.names(), "`churn.v2`, `price`");
    assert_eq!(registry.find(Some("price"), None).expect("it is there").model(), &regression());
}

#[test]
fn the_only_model_needs_no_name() {
    assert_eq!(registry([("m", regression())]).find(None, None).expect("the only one").name(), "m");
    let two = registry([("a", regression()), ("b", regression())]);
    assert_eq!(two.find(None, None).err(), Some(ServeError::WhichModel { served: "`a`, `b`".into() }));
}

#[test]
fn many_names_are_cut_short() {
    let many = Registry::default();
    for i in 0..12 {
        many.insert(ServedModel::new(format!("m{i:02}"), regression(), None));
    }
    let names = many.names();
    assert!(names.starts_with("`m00`, ") && names.ends_with("`m09` and 2 more"), "{names}");
}

#[test]
fn files_that_make_no_registry_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let (first, second) = (mojo(here, "m.zip", regression()), mojo(here, "b/m.zip", regression()));
    let refusal = |files: &[PathBuf]| Registry::load(files).expect_err("it is refused").to_string();
    assert_eq!(refusal(&[]), "no model to serve: expected at least one MOJO file");
    let (b, shown) = (here.join("b"), second.display().to_string());
    assert_eq!(refusal(std::slice::from_ref(&b)), format!("{}: expected a MOJO file, found a folder", b.display()));
    assert_eq!(
        refusal(&[first, second]),
        format!("{shown}: another file is already served as `m`: rename one of them")
    );
    let absent = Registry::load(&[here.join("absent.zip")]).expect_err("it is refused");
    assert!(matches!(absent, RegistryError::Unreadable { .. }), "{absent}");
}

#[test]
fn a_folder_has_models_in_versions_and_the_highest_is_the_default() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, bias) in [("price/9.zip", 9.0), ("price/10/model.zip", 10.0), ("price/.11.zip", 11.0)] {
        mojo(folder.path(), name, plus(bias));
    }
    mojo(folder.path(), "churn.zip", binomial());
    fs::write(folder.path().join("README.txt"), "no model").expect("a file");
    let registry = in_folder(folder.path());
    assert_eq!(registry.models(), ["churn", "price"]);
    let versions: Vec<String> = registry.versions("price").iter().map(|served| served.version().to_string()).collect();
    assert_eq!(versions, ["9", "10"]);
    assert_eq!((bias(&registry, None), bias(&registry, Some("9"))), (10.0, 9.0));
    let unknown = registry.find(Some("price"), Some("11")).expect_err("it begins with a dot");
    assert_eq!(unknown.to_string(), "model `price` has no version or label `11`: it has `9`, `10`");
}

#[test]
fn a_label_rolls_out_and_back() {
    let folder = tempfile::tempdir().expect("a folder");
    for version in 1..=2 {
        mojo(folder.path(), &format!("price/{version}.zip"), plus(f64::from(version)));
    }
    let registry = in_folder(folder.path());
    assert_eq!(bias(&registry, Some("default")), 2.0);
    registry.set_label("price", "stable", "1").expect("a version");
    registry.set_label("price", DEFAULT_LABEL, "stable").expect("a label is as good");
    assert_eq!((bias(&registry, None), bias(&registry, Some("stable"))), (1.0, 1.0));
    let labels: Vec<Vec<String>> = registry.list().into_iter().map(|listed| listed.labels).collect();
    assert_eq!(labels, [vec!["default".to_owned(), "stable".to_owned()], Vec::new()]);
    registry.remove_label("price", DEFAULT_LABEL).expect("a model");
    assert_eq!(bias(&registry, None), 2.0);
    assert!(registry.set_label("price", "stable", "3").is_err());
}

#[test]
fn changed_files_are_loaded_once_they_are_at_rest_and_absent_ones_go() {
    let folder = tempfile::tempdir().expect("a folder");
    mojo(folder.path(), "price/1.zip", plus(1.0));
    let registry = in_folder(folder.path());
    let second = mojo(folder.path(), "price/2.zip", plus(2.0));
    registry.refresh();
    assert_eq!(bias(&registry, None), 1.0);
    registry.refresh();
    assert_eq!(bias(&registry, None), 2.0);

    // A file that is no model is listed, and what was there before goes on.
    fs::write(&second, "half a file").expect("a file");
    registry.refresh();
    registry.refresh();
    assert_eq!(bias(&registry, None), 2.0);
    let listed = &registry.list()[1];
    assert!(listed.is_served && listed.failure.as_ref().is_some_and(|reason| reason.contains("2.zip")), "{listed:?}");

    fs::remove_file(&second).expect("it is there");
    registry.refresh();
    assert_eq!(bias(&registry, None), 1.0);
    assert_eq!(registry.list().len(), 1);
}

#[test]
fn a_model_that_fails_its_golden_rows_takes_no_traffic() {
    let folder = tempfile::tempdir().expect("a folder");
    mojo(folder.path(), "price/1.zip", plus(1.0));
    let mut wrong = Artifact::new(plus(2.0), "2026-01-01T00:00:00Z").adopted();
    wrong.model = plus(3.0);
    write_mojo(&wrong, &folder.path().join("price/2.zip")).expect("a MOJO");
    let registry = in_folder(folder.path());
    assert_eq!(bias(&registry, None), 1.0);
    let reason = registry.list()[1].failure.clone().expect("it failed");
    assert!(reason.contains("golden rows") && reason.contains("expected "), "{reason}");
    let refused = registry.load_model("price").expect_err("one version of it is wrong");
    assert!(matches!(refused, RegistryError::Golden { .. }), "{refused}");
}

#[test]
fn an_unloaded_model_stays_away_until_it_is_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    mojo(folder.path(), "price.zip", plus(1.0));
    mojo(folder.path(), "churn.zip", binomial());
    let registry = in_folder(folder.path());
    let held = registry.find(Some("price"), None).expect("it is served");
    registry.unload_model("price").expect("it is served");
    assert_eq!(Arc::strong_count(&held), 1, "whoever has it is the last");
    registry.refresh();
    registry.refresh();
    assert_eq!(registry.models(), ["churn"]);
    registry.load_model("price").expect("its file is there");
    assert_eq!(bias(&registry, None), 1.0);
    assert!(matches!(registry.load_model("../price"), Err(RegistryError::NotInRepository { .. })));
}

#[test]
fn versions_are_in_the_order_of_their_numbers() {
    let mut versions = ["2026-11-30", "10", "9", "a", "010"].map(Version::new);
    versions.sort();
    assert_eq!(versions.map(|version| version.to_string()), ["9", "010", "10", "2026-11-30", "a"]);
}
