//! The one place that opens model files.

use std::path::{Path, PathBuf};

use exporter::{Outcome, Scorers};

use super::{ServedModel, Version};

/// Files that make no registry.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what each variant is, the fields are what they name")]
pub enum RegistryError {
    #[error("no model to serve: expected at least one MOJO file")]
    NoModel,
    #[error("{}: no model to serve: expected NAME.zip or NAME/VERSION.zip", folder.display())]
    EmptyRepository { folder: PathBuf },
    #[error("{}: expected a MOJO file, found a folder", path.display())]
    Folder { path: PathBuf },
    #[error("{}: expected a folder of MOJO files", path.display())]
    NoFolder { path: PathBuf },
    #[error("{}: another file is already served as `{name}`: rename one of them", path.display())]
    NameTaken { name: String, path: PathBuf },
    #[error("{}", path.display())]
    Unreadable { path: PathBuf, source: Box<exporter::ReadError> },
    #[error("{}: it does not answer its golden rows as it did when it was written: {disagreement}", path.display())]
    Golden { path: PathBuf, disagreement: String },
    #[error("no model `{name}` in the repository")]
    NotInRepository { name: String },
    #[error("model `{name}` has no version `{version}`")]
    NoVersion { name: String, version: String },
}

/// Reads a MOJO, and replays its golden rows.
pub(super) fn load(name: &str, version: &Version, path: &Path) -> Result<ServedModel, RegistryError> {
    if path.is_dir() {
        return Err(RegistryError::Folder { path: path.to_owned() });
    }
    let unreadable = |source| RegistryError::Unreadable { path: path.to_owned(), source: Box::new(source) };
    let artifact = exporter::read_mojo(path).map_err(unreadable)?;
    // No other scorer is asked, so nothing else can fail.
    if let Ok(report) = exporter::verify(&artifact, path, &Scorers::default())
        && let Some(ours) = report.scorers.iter().find(|scorer| matches!(scorer.outcome, Outcome::Disagrees { .. }))
    {
        return Err(RegistryError::Golden { path: path.to_owned(), disagreement: ours.to_string() });
    }
    let served = ServedModel::new(name, artifact.model, artifact.profile);
    Ok(served.with_version(version.clone()).with_source(path.to_owned()))
}
