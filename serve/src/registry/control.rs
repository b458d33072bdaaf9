//! Loading, unloading, labels: what changes the table.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::Duration;

use super::load::load;
use super::repository::{Fingerprint, Source};
use super::{Registry, RegistryError, Repository, Version, Versions};
use crate::error::ServeError;

/// What is known about the files behind the table.
#[derive(Debug, Default)]
pub(super) struct Control {
    /// Files that were tried, whatever came of it.
    tried: BTreeMap<(String, Version), Fingerprint>,
    /// Files as the last look found them, which were about to be tried.
    changed: BTreeMap<(String, Version), Fingerprint>,
    /// Models that were taken out, and stay out until they are asked for.
    unloaded: BTreeSet<String>,
}

impl Registry {
    /// Reads MOJO files. Each model is named as its file is, without the ending.
    pub fn load(paths: &[PathBuf]) -> Result<Self, RegistryError> {
        Self::open(Repository::files(paths)?)
    }

    /// Reads the models of a repository. Those that were named have to be right; of a folder one has to be, and the others
    /// are listed as failed.
    pub fn open(repository: Repository) -> Result<Self, RegistryError> {
        let registry = Self { repository, ..Self::default() };
        {
            let mut control = registry.control();
            for source in registry.repository.sources() {
                if registry.repository.is_named(&source) {
                    registry.load_source(&mut control, &source)?;
                } else {
                    // What can be served is; a failure is logged and listed.
                    let _ =
                        registry.load_source(&mut control, &source).inspect_err(|error| log_failure(&source, error));
                }
            }
        }
        match (registry.table.load().models.is_empty(), registry.repository.folder()) {
            (false, _) => {}
            (true, Some(folder)) => return Err(RegistryError::EmptyRepository { folder: folder.to_owned() }),
            (true, None) => return Err(RegistryError::NoModel),
        }
        Ok(registry)
    }

    /// Where models come from.
    pub fn repository(&self) -> &Repository {
        &self.repository
    }

    /// Looks at the files again, loads what is new or changed, and takes out what is gone. A file counts once two looks have
    /// found it the same, so that none is read while it is written.
    pub fn refresh(&self) {
        let mut control = self.control();
        let sources = self.repository.sources();
        let keys: BTreeSet<_> = sources.iter().map(Source::key).collect();
        for source in &sources {
            let key = source.key();
            if control.unloaded.contains(&source.name) || control.tried.get(&key) == Some(&source.print) {
                continue;
            }
            if control.changed.insert(key.clone(), source.print) == Some(source.print) {
                control.changed.remove(&key);
                // Its failure is listed.
                let _ = self.reload_source(&mut control, source);
            }
        }
        let gone: Vec<_> = control.tried.keys().filter(|key| !keys.contains(*key)).cloned().collect();
        for (name, version) in gone {
            control.tried.remove(&(name.clone(), version.clone()));
            tracing::info!(model = name, version = version.as_str(), "its file is gone, it is served no longer");
            self.take_out(&name, Some(&version));
        }
    }

    /// Loads all versions of a model anew.
    pub fn load_model(&self, name: &str) -> Result<(), RegistryError> {
        let mut control = self.control();
        control.unloaded.remove(name);
        let sources: Vec<Source> = self.repository.sources().into_iter().filter(|source| source.name == name).collect();
        if sources.is_empty() {
            return Err(RegistryError::NotInRepository { name: name.to_owned() });
        }
        sources.iter().try_for_each(|source| self.reload_source(&mut control, source))
    }

    /// Takes a model out, until it is loaded again.
    pub fn unload_model(&self, name: &str) -> Result<(), ServeError> {
        let mut control = self.control();
        self.find(Some(name), None)?;
        control.unloaded.insert(name.to_owned());
        control.tried.retain(|(tried, _), _| tried != name);
        self.take_out(name, None);
        tracing::info!(model = name, "unloaded");
        Ok(())
    }

    /// Gives a label to a version of a model. The label [`DEFAULT_LABEL`](super::DEFAULT_LABEL) decides what requests get that
    /// name no version: to set it is to roll out, or back.
    pub fn set_label(&self, name: &str, label: &str, version: &str) -> Result<(), ServeError> {
        let _control = self.control();
        let served = self.find(Some(name), Some(version))?;
        self.change_versions(name, |versions| {
            versions.labels.insert(label.to_owned(), served.version().clone());
        });
        tracing::info!(model = name, label, version = served.version().as_str(), "labelled");
        Ok(())
    }

    /// Takes a label away.
    pub fn remove_label(&self, name: &str, label: &str) -> Result<(), ServeError> {
        let _control = self.control();
        self.find(Some(name), None)?;
        self.change_versions(name, |versions| {
            versions.labels.remove(label);
        });
        tracing::info!(model = name, label, "label removed");
        Ok(())
    }

    fn control(&self) -> MutexGuard<'_, Control> {
        self.control.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Loads a file while the server runs, and logs what came of it.
    fn reload_source(&self, control: &mut Control, source: &Source) -> Result<(), RegistryError> {
        let Source { name, version, path, .. } = source;
        self.load_source(control, source)
            .inspect(|()| tracing::info!(model = name, version = version.as_str(), file = %path.display(), "loaded"))
            .inspect_err(|error| log_failure(source, error))
    }

    fn load_source(&self, control: &mut Control, source: &Source) -> Result<(), RegistryError> {
        let Source { name, version, path, print } = source;
        control.tried.insert(source.key(), *print);
        match load(name, version, path) {
            Ok(served) => {
                let options = self.repository.options(name);
                self.install(served.with_policy(options.policy));
                self.change_versions(name, |versions| {
                    for (label, labelled) in &options.labels {
                        if labelled == version.as_str() {
                            versions.labels.insert(label.clone(), version.clone());
                        }
                    }
                });
                Ok(())
            }
            Err(error) => {
                let reason = reason(&error);
                self.change(|table| {
                    table.failures.insert(source.key(), reason);
                });
                Err(error)
            }
        }
    }

    fn take_out(&self, name: &str, version: Option<&Version>) {
        self.change_versions(name, |versions| versions.by_name.retain(|known, _| version.is_some_and(|v| v != known)));
        self.change(|table| {
            table.failures.retain(|(failed, of), _| failed != name || version.is_some_and(|version| version != of));
        });
    }

    fn change_versions(&self, name: &str, change: impl FnOnce(&mut Versions)) {
        self.change(|table| {
            if let Some(versions) = table.models.get(name) {
                let mut versions = Versions::clone(versions);
                change(&mut versions);
                table.put(name.to_owned(), versions);
            }
        });
    }
}

/// The whole of what went wrong.
fn reason(error: &RegistryError) -> String {
    match std::error::Error::source(error) {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    }
}

fn log_failure(source: &Source, error: &RegistryError) {
    tracing::error!(model = source.name, version = source.version.as_str(), reason = reason(error), "not loaded");
}

impl Source {
    fn key(&self) -> (String, Version) {
        (self.name.clone(), self.version.clone())
    }
}

/// Looks at a folder again and again, for ever.
pub(crate) async fn watch(registry: Arc<Registry>, interval: Duration) {
    loop {
        tokio::time::sleep(interval).await;
        let registry = Arc::clone(&registry);
        // It reads files. That it panics is logged by the panic itself.
        let _ = tokio::task::spawn_blocking(move || registry.refresh()).await;
    }
}
