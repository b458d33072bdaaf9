//! Models as Rust source, compiled and asked as a program of a user asks them.

use std::path::{Path, PathBuf};

use exporter::{Parity, RustOptions};
use libtest_mimic::{Completion, Failed, Trial};

use crate::support::Folder;
use crate::support::answers::compare;
use crate::support::rust_source::{Source, answers};
use crate::support::table::Table;
use crate::zoo;

/// Cases that are compiled together, as one alone takes a second.
const TOGETHER: usize = 16;

pub fn tests() -> Vec<Trial> {
    let folders = zoo::folders();
    if folders.is_empty() {
        return vec![Trial::ignorable_test("rust_source::zoo", || Ok(Completion::ignored_with(zoo::MISSING)))];
    }
    let trial = |(folders, number): (&[PathBuf], usize)| {
        let folders = folders.to_vec();
        Trial::test(format!("rust_source::zoo_{number}"), move || the_zoo_is_answered(&folders))
    };
    folders.chunks(TOGETHER).zip(1..).map(trial).collect()
}

/// The rows of each case get the answers that the real runtime gave.
fn the_zoo_is_answered(folders: &[PathBuf]) -> Result<(), Failed> {
    let sources = folders.iter().map(|folder| source(folder)).collect::<Result<Vec<_>, _>>()?;
    for ((case, source), found) in folders.iter().zip(&sources).zip(answers(&sources)?) {
        let expected = Table::read(&case.join("expected.csv"))?;
        let compared = compare(&source.model, Parity::of(&source.model), &expected.rows, &found);
        compared.map_err(|failed| format!("{}: {}", case.display(), failed.message().unwrap_or_default()))?;
    }
    Ok(())
}

fn source(case: &Path) -> Result<Source, Failed> {
    let folder = Folder::new()?;
    let artifact = exporter::read_mojo(&case.join("model.zip"))?;
    let options = RustOptions { module: "model".to_owned(), as_crate: false };
    exporter::write_rust(&artifact, &options, &folder.path(""))?;
    let rows = Table::read(&case.join("input.csv"))?;
    Ok(Source { text: folder.read("model.rs")?, model: artifact.model, rows })
}
