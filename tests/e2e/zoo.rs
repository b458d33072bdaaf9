//! MOJOs that real H2O wrote, and its runtime's answers to a table each: `../shared/zoo`, which is no part of the project.

use std::fs;
use std::path::{Path, PathBuf};

use exporter::{Artifact, Parity};
use libtest_mimic::{Completion, Failed, Trial};
use serde_json::Value;

use crate::support::Folder;
use crate::support::answers::compare;
use crate::support::java;
use crate::support::table::Table;

pub fn tests() -> Vec<Trial> {
    let cases = cases();
    if cases.is_empty() {
        let ignored = || Ok(Completion::ignored_with(MISSING));
        return vec![Trial::ignorable_test("zoo", ignored)];
    }
    let rewritten: Vec<Trial> = cases.iter().filter(|case| case.is_rewritten()).map(Case::rewritten_trial).collect();
    cases.into_iter().map(Case::trial).chain(rewritten).collect()
}

/// Why there is no zoo.
pub const MISSING: &str = "there is no ../shared/zoo beside the project";

/// The folders of the cases, if they are there.
pub fn folders() -> Vec<PathBuf> {
    cases().into_iter().map(|case| case.folder).collect()
}

fn cases() -> Vec<Case> {
    let zoo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/zoo");
    let folders = fs::read_dir(zoo).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path());
    let mut cases: Vec<Case> = folders.filter_map(Case::of_deep_learning).collect();
    cases.sort_by(|a, b| a.folder.cmp(&b.folder));
    cases
}

struct Case {
    folder: PathBuf,
    facts: Value,
}

impl Case {
    fn of_deep_learning(folder: PathBuf) -> Option<Self> {
        let facts: Value = serde_json::from_str(&fs::read_to_string(folder.join("case.json")).ok()?).ok()?;
        (facts["algo"] == "deeplearning").then_some(Self { folder, facts })
    }

    /// Whether it is of a kind that training does not make: no other test writes such archives for the runtime.
    fn is_rewritten(&self) -> bool {
        let encoding = self.facts["params"]["categorical_encoding"].as_str().unwrap_or_default();
        self.facts["category"] == "AutoEncoder" || matches!(encoding, "Binary" | "Eigen" | "LabelEncoder")
    }

    fn rewritten_trial(&self) -> Trial {
        let mojo = self.folder.join("model.zip");
        java::trial(format!("{}::rewritten", self.name()), move |runtime| {
            let folder = Folder::new()?;
            let model = exporter::read_mojo(&mojo)?.model;
            exporter::write_mojo(&Artifact::new(model, "2026-11-30T15:00:36.751Z"), &folder.path("model.zip"))?;
            let jar = runtime.jar.display().to_string();
            folder.succeed(["verify", "model.zip", "--h2o-jar", &jar, "--scorers", "h2o-genmodel"])?;
            Ok(())
        })
    }

    fn name(&self) -> String {
        format!("zoo::{}", self.folder.file_name().unwrap_or_default().display())
    }

    fn trial(self) -> Trial {
        let name = self.name();
        Trial::test(name, move || self.is_answered())
    }

    fn is_of_version_1_00(&self) -> bool {
        self.facts["mojo_version"] == "1.00"
    }

    fn is_answered(&self) -> Result<(), Failed> {
        let folder = Folder::new()?;
        folder.succeed([
            "predict",
            &self.file("model.zip"),
            "--input",
            &self.file("input.csv"),
            "--output",
            "out.csv",
        ])?;
        let found = Table::read(&folder.path("out.csv"))?;
        let expected = Table::read(&self.folder.join("expected.csv"))?;
        if found.header != expected.header && !self.is_headed_as_1_00(&expected.header, &found.header) {
            return Err(format!("expected the columns {:?}, found {:?}", expected.header, found.header).into());
        }
        let model = exporter::read_mojo(&self.folder.join("model.zip"))?.model;
        compare(&model, Parity::of(&model), &expected.rows, &found.rows)
    }

    /// The runtimes of version 1.00 head no columns: `expected.csv` has labels there, and a `p` before numbers only for
    /// two classes, and an autoencoder's columns have numbers.
    fn is_headed_as_1_00(&self, expected: &[String], found: &[String]) -> bool {
        if self.is_of_version_1_00() && self.facts["category"] == "AutoEncoder" {
            return expected.len() == found.len() && expected.last() == found.last();
        }
        let without_p =
            found.iter().map(|name| name.strip_prefix('p').filter(|n| n.parse::<i64>().is_ok()).unwrap_or(name));
        self.is_of_version_1_00() && without_p.eq(expected)
    }

    fn file(&self, name: &str) -> String {
        self.folder.join(name).display().to_string()
    }
}
