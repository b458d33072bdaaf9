//! The files that may be served: those that were named, and those of a folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::{RegistryError, Version};
use crate::service::Policy;

/// Where models come from. No request can name a file: it names a model, which is looked up here.
///
/// A folder has `NAME.zip`, version 1 of a model, `NAME/VERSION.zip`, or `NAME/VERSION/` with one `.zip` in it. Names that
/// begin with a dot are passed over.
#[derive(Debug, Default)]
pub struct Repository {
    files: BTreeMap<(String, Version), PathBuf>,
    folder: Option<PathBuf>,
    /// Of models that have none of their own.
    policy: Policy,
    options: BTreeMap<String, ModelOptions>,
}

/// What the operator wants of a model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelOptions {
    /// What is done with odd rows where a request does not say.
    pub policy: Policy,
    /// Versions by label.
    pub labels: BTreeMap<String, String>,
}

/// A file that may be served.
#[derive(Debug, Clone)]
pub(super) struct Source {
    pub name: String,
    pub version: Version,
    pub path: PathBuf,
    pub print: Fingerprint,
}

/// Tells whether a file is still what it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fingerprint {
    length: u64,
    modified: Option<SystemTime>,
}

impl Repository {
    /// Files, each named as it is without the ending.
    pub fn files(paths: &[PathBuf]) -> Result<Self, RegistryError> {
        let mut repository = Self::default();
        for path in paths {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if repository.files.insert((name.clone(), Version::default()), path.clone()).is_some() {
                return Err(RegistryError::NameTaken { name, path: path.clone() });
            }
        }
        Ok(repository)
    }

    /// The same files, and those of a folder.
    pub fn with_folder(self, folder: PathBuf) -> Result<Self, RegistryError> {
        if folder.is_dir() {
            Ok(Self { folder: Some(folder), ..self })
        } else {
            Err(RegistryError::NoFolder { path: folder })
        }
    }

    /// The same files, with a policy for models that have none of their own.
    #[must_use]
    pub fn with_policy(self, policy: Policy) -> Self {
        Self { policy, ..self }
    }

    /// The same files, with what is wanted of a model.
    #[must_use]
    pub fn with_options(mut self, name: impl Into<String>, options: ModelOptions) -> Self {
        self.options.insert(name.into(), options);
        self
    }

    /// Whether there is a folder in which files may come and go.
    pub fn has_folder(&self) -> bool {
        self.folder.is_some()
    }

    pub(super) fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    pub(crate) fn options(&self, name: &str) -> ModelOptions {
        let of_all = || ModelOptions { policy: self.policy, labels: BTreeMap::new() };
        self.options.get(name).cloned().unwrap_or_else(of_all)
    }

    /// Whether the file was named, and has to be there.
    pub(super) fn is_named(&self, source: &Source) -> bool {
        self.files.contains_key(&(source.name.clone(), source.version.clone()))
    }

    /// The files as they are now. What was named stands before what the folder has under the same name.
    pub(super) fn sources(&self) -> Vec<Source> {
        let mut found = self.files.clone();
        for (key, path) in self.folder.iter().flat_map(|folder| in_folder(folder)) {
            found.entry(key).or_insert(path);
        }
        let source = |((name, version), path): ((String, Version), PathBuf)| {
            let print = Fingerprint::of(&path);
            Source { name, version, path, print }
        };
        found.into_iter().map(source).collect()
    }
}

fn in_folder(folder: &Path) -> Vec<((String, Version), PathBuf)> {
    let mut found = Vec::new();
    for (name, path) in entries(folder) {
        if let Some(name) = zip_stem(&path) {
            found.push(((name, Version::default()), path));
            continue;
        }
        for (version, path) in entries(&path) {
            if let Some(version) = zip_stem(&path) {
                found.push(((name.clone(), Version::new(version)), path));
            } else if let [(_, only)] =
                &*entries(&path).into_iter().filter(|(_, p)| zip_stem(p).is_some()).collect::<Vec<_>>()
            {
                found.push(((name.clone(), Version::new(version)), only.clone()));
            }
        }
    }
    found
}

/// Names and paths in a folder; none where it is none.
fn entries(folder: &Path) -> Vec<(String, PathBuf)> {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let named = entries.map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path()));
    let mut named: Vec<_> = named.filter(|(name, _)| !name.starts_with('.')).collect();
    named.sort();
    named
}

/// The name of a `.zip` file without the ending.
fn zip_stem(path: &Path) -> Option<String> {
    let is_zip = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zip")) && path.is_file();
    is_zip.then(|| path.file_stem().unwrap_or_default().to_string_lossy().into_owned())
}

impl Fingerprint {
    fn of(path: &Path) -> Self {
        let metadata = fs::metadata(path).ok();
        let length = metadata.as_ref().map_or(0, fs::Metadata::len);
        Self { length, modified: metadata.and_then(|metadata| metadata.modified().ok()) }
    }
}
