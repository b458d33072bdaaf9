//! The models of a server: by name, each in one version or several.
//!
//! Requests look models up without waiting for anybody: they read one table, which every change replaces as a whole. Whoever
//! has a model keeps it to the end of its request, and the last one to let go of a version that was replaced frees it.
//!
//! [`Repository`] says which files there are, and `load` reads one and replays its golden rows: what fails them never gets
//! into the table, and what was there before goes on.

mod control;
mod load;
mod repository;
mod served;
mod version;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwap;

use self::control::Control;
pub(crate) use self::control::watch;
pub use self::load::RegistryError;
pub use self::repository::{ModelOptions, Repository};
pub use self::served::ServedModel;
pub use self::version::Version;
use crate::error::ServeError;

/// Models by name and version.
#[derive(Debug, Default)]
pub struct Registry {
    table: ArcSwap<Table>,
    repository: Repository,
    /// Whoever changes something holds it.
    control: Mutex<Control>,
}

/// What is served at one moment.
#[derive(Debug, Clone, Default)]
struct Table {
    models: BTreeMap<String, Arc<Versions>>,
    /// Versions that could not be loaded, and why.
    failures: BTreeMap<(String, Version), String>,
}

/// The versions of a model; there is always one.
#[derive(Debug, Clone)]
struct Versions {
    by_name: BTreeMap<Version, Arc<ServedModel>>,
    labels: BTreeMap<String, Version>,
    default: Arc<ServedModel>,
}

/// A version of a model, and how it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The name of the model.
    pub name: String,
    /// The version.
    pub version: Version,
    /// Its labels; `default` is among them where requests that name no version get it.
    pub labels: Vec<String>,
    /// Whether requests get it.
    pub is_served: bool,
    /// Why its file was not loaded when it was last tried, if it was not. An earlier one may be served meanwhile.
    pub failure: Option<String>,
}

/// The label of the version for requests that name none.
pub const DEFAULT_LABEL: &str = "default";

impl Registry {
    /// The model of this name, or without a name the only one; in this version or under this label, or else in the version
    /// that it has by default: the one with that label, or the highest.
    pub fn find(&self, name: Option<&str>, version: Option<&str>) -> Result<Arc<ServedModel>, ServeError> {
        let table = self.table.load();
        let versions = match (name, table.models.len(), table.models.first_key_value()) {
            (Some(name), ..) => table
                .models
                .get(name)
                .ok_or_else(|| ServeError::UnknownModel { name: name.to_owned(), served: table.names() })?,
            (None, 1, Some((_, only))) => only,
            _ => return Err(ServeError::WhichModel { served: table.names() }),
        };
        match version {
            None => Ok(Arc::clone(&versions.default)),
            Some(version) => versions.find(version),
        }
    }

    /// Adds a version of a model, in place of the one that it has under that name.
    pub fn insert(&self, served: ServedModel) {
        let _control = self.control.lock().unwrap_or_else(PoisonError::into_inner);
        self.install(served);
    }

    /// The models that are served.
    pub fn models(&self) -> Vec<String> {
        self.table.load().models.keys().cloned().collect()
    }

    /// The names as part of a sentence; the first ten where there are many.
    pub fn names(&self) -> String {
        self.table.load().names()
    }

    /// The versions of a model that are served, in their order.
    pub fn versions(&self, name: &str) -> Vec<Arc<ServedModel>> {
        let table = self.table.load();
        table.models.get(name).into_iter().flat_map(|versions| versions.by_name.values().cloned()).collect()
    }

    /// Every version of every model, those included that could not be loaded.
    pub fn list(&self) -> Vec<Listed> {
        let table = self.table.load();
        let served = table.models.iter().flat_map(|(name, versions)| {
            versions.by_name.keys().map(|version| Listed {
                name: name.clone(),
                version: version.clone(),
                labels: versions.labels_of(version),
                is_served: true,
                failure: table.failures.get(&(name.clone(), version.clone())).cloned(),
            })
        });
        let absent = table.failures.iter().filter(|((name, version), _)| {
            table.models.get(name).is_none_or(|versions| !versions.by_name.contains_key(version))
        });
        let absent = absent.map(|((name, version), reason)| Listed {
            name: name.clone(),
            version: version.clone(),
            labels: Vec::new(),
            is_served: false,
            failure: Some(reason.clone()),
        });
        served.chain(absent).collect()
    }

    /// Replaces the table by one that was changed. Only whoever holds `control` may.
    fn change(&self, change: impl FnOnce(&mut Table)) {
        let mut table = Table::clone(&self.table.load());
        change(&mut table);
        self.table.store(Arc::new(table));
    }

    /// Puts a version into the table.
    fn install(&self, served: ServedModel) {
        let known = self.versions(served.name()).into_iter().find(|known| known.version() == served.version());
        let served = match known {
            Some(known) => served.with_metrics(Arc::clone(known.metrics())),
            None => served,
        };
        let served = Arc::new(served);
        self.change(|table| {
            let (name, version) = (served.name().to_owned(), served.version().clone());
            table.failures.remove(&(name.clone(), version.clone()));
            let mut versions = match table.models.get(&name) {
                Some(versions) => Versions::clone(versions),
                None => Versions::of(Arc::clone(&served)),
            };
            versions.by_name.insert(version, served);
            table.put(name, versions);
        });
    }
}

impl Table {
    fn names(&self) -> String {
        const SHOWN: usize = 10;
        let shown: Vec<String> = self.models.keys().take(SHOWN).map(|name| format!("`{name}`")).collect();
        match self.models.len() {
            0 => "none".to_owned(),
            count if count > SHOWN => format!("{} and {} more", shown.join(", "), count - SHOWN),
            _ => shown.join(", "),
        }
    }

    /// Sets what versions a model has; a model without any is gone.
    fn put(&mut self, name: String, versions: Versions) {
        match versions.settled() {
            Some(versions) => self.models.insert(name, Arc::new(versions)),
            None => self.models.remove(&name),
        };
    }
}

impl Versions {
    fn of(only: Arc<ServedModel>) -> Self {
        let by_name = BTreeMap::from([(only.version().clone(), Arc::clone(&only))]);
        Self { by_name, labels: BTreeMap::new(), default: only }
    }

    fn find(&self, version: &str) -> Result<Arc<ServedModel>, ServeError> {
        let by_label = || self.labels.get(version).and_then(|version| self.by_name.get(version));
        let by_default = || (version == DEFAULT_LABEL).then_some(&self.default);
        let found = self.by_name.get(&Version::new(version)).or_else(by_label).or_else(by_default);
        found.cloned().ok_or_else(|| ServeError::UnknownVersion {
            name: self.default.name().to_owned(),
            version: version.to_owned(),
            served: model::listed(&self.by_name.keys().map(Version::as_str).collect::<Vec<_>>()),
        })
    }

    /// The same versions with labels and a default that are among them; `None` where there is none left.
    fn settled(mut self) -> Option<Self> {
        self.labels.retain(|_, version| self.by_name.contains_key(version));
        let labelled = self.labels.get(DEFAULT_LABEL).and_then(|version| self.by_name.get(version));
        let default = labelled.or_else(|| self.by_name.last_key_value().map(|(_, highest)| highest));
        self.default = Arc::clone(default?);
        Some(self)
    }

    fn labels_of(&self, version: &Version) -> Vec<String> {
        let mut labels: Vec<String> =
            self.labels.iter().filter(|(_, labelled)| *labelled == version).map(|(label, _)| label.clone()).collect();
        if self.default.version() == version && !labels.iter().any(|label| label == DEFAULT_LABEL) {
            labels.push(DEFAULT_LABEL.to_owned());
        }
        labels
    }
}

#[cfg(test)]
mod tests;
