//! The models of a server, by name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use model::{Algorithm, Category, Model, Profile};

use crate::error::ServeError;

/// Models by name.
#[derive(Debug, Default)]
pub struct Registry {
    models: BTreeMap<String, Arc<ServedModel>>,
}

/// A model under its name.
#[derive(Debug)]
pub struct ServedModel {
    name: String,
    model: Model,
    profile: Option<Profile>,
    /// For each feature whether a column of a request can be it.
    addressable: Vec<bool>,
    /// How many are.
    columns: usize,
    /// The names of what an autoencoder reconstructs; empty for any other model.
    reconstructed: Vec<String>,
}

/// Files that make no registry.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what each variant is, the fields are what they name")]
pub enum RegistryError {
    #[error("no model to serve: expected at least one MOJO file")]
    NoModel,
    #[error("{}: expected a MOJO file, found a folder", path.display())]
    Folder { path: PathBuf },
    #[error("{}: another file is already served as `{name}`: rename one of them", path.display())]
    NameTaken { name: String, path: PathBuf },
    #[error("{}", path.display())]
    Unreadable { path: PathBuf, source: Box<exporter::ReadError> },
}

impl Registry {
    /// Reads MOJO files. Each model is named as its file is, without the ending.
    pub fn load(paths: &[PathBuf]) -> Result<Self, RegistryError> {
        let mut registry = Self::default();
        for path in paths {
            let served = load(path)?;
            if registry.models.contains_key(&served.name) {
                return Err(RegistryError::NameTaken { name: served.name, path: path.clone() });
            }
            registry.insert(served);
        }
        if registry.models.is_empty() { Err(RegistryError::NoModel) } else { Ok(registry) }
    }

    /// Adds a model, in place of the one of the same name if there is one.
    pub fn insert(&mut self, served: ServedModel) {
        self.models.insert(served.name.clone(), Arc::new(served));
    }

    /// The model of this name, or without a name the only one.
    pub fn find(&self, name: Option<&str>) -> Result<&Arc<ServedModel>, ServeError> {
        match name {
            Some(name) => self
                .models
                .get(name)
                .ok_or_else(|| ServeError::UnknownModel { name: name.to_owned(), served: self.names() }),
            None => match (self.models.len(), self.models.first_key_value()) {
                (1, Some((_, only))) => Ok(only),
                _ => Err(ServeError::WhichModel { served: self.names() }),
            },
        }
    }

    /// The names as part of a sentence; the first ten where there are many.
    pub fn names(&self) -> String {
        const SHOWN: usize = 10;
        let shown: Vec<String> = self.models.keys().take(SHOWN).map(|name| format!("`{name}`")).collect();
        match self.models.len() {
            0 => "none".to_owned(),
            count if count > SHOWN => format!("{} and {} more", shown.join(", "), count - SHOWN),
            _ => shown.join(", "),
        }
    }
}

/// The one place that opens model files.
fn load(path: &Path) -> Result<ServedModel, RegistryError> {
    if path.is_dir() {
        return Err(RegistryError::Folder { path: path.to_owned() });
    }
    let artifact = exporter::read_mojo(path)
        .map_err(|source| RegistryError::Unreadable { path: path.to_owned(), source: Box::new(source) })?;
    // A path that has been read ends in a name.
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    Ok(ServedModel::new(name, artifact.model, artifact.profile))
}

impl ServedModel {
    /// A model under this name, with what is known of its training columns.
    pub fn new(name: impl Into<String>, model: Model, profile: Option<Profile>) -> Self {
        let schema = &model.schema;
        let found = |(index, feature): (usize, &model::Feature)| schema.index_of(&feature.name) == Some(index);
        let addressable: Vec<bool> = schema.features().iter().enumerate().map(found).collect();
        let columns = addressable.iter().filter(|&&yes| yes).count();
        let reconstructed = match model.category {
            Category::AutoEncoder => model.output_names(),
            Category::Binomial | Category::Multinomial | Category::Regression => Vec::new(),
        };
        Self { name: name.into(), model, profile, addressable, columns, reconstructed }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What scores.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// What its training columns looked like, where the file says so.
    pub fn profile(&self) -> Option<&Profile> {
        self.profile.as_ref()
    }

    /// Whether a column of a request can be this feature: not where an archive has lost its name, nor where an earlier
    /// feature has the same.
    pub fn is_addressable(&self, feature: usize) -> bool {
        self.addressable[feature]
    }

    /// What the numbers of a prediction are called: the classes, or the columns that an autoencoder reconstructs.
    pub fn names(&self) -> &[String] {
        self.model.schema.classes().map_or(&self.reconstructed, |domain| domain.levels())
    }

    /// How many columns a complete row has.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Whether a column goes without a warning although the model does not read it: its response, weights and folds,
    /// which rows of the training data have.
    pub fn ignores(&self, column: &str) -> bool {
        let (schema, special) = (&self.model.schema, self.model.schema.special());
        schema.response().is_some_and(|response| response.name == column)
            || special.weights.as_deref() == Some(column)
            || special.fold.as_deref() == Some(column)
    }

    /// About how many weights are multiplied to score a row.
    pub fn row_cost(&self) -> usize {
        match &self.model.algorithm {
            Algorithm::DeepLearning(deep_learning) => deep_learning.network.size(),
            _ => self.addressable.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use exporter::{Artifact, write_mojo};

    use super::*;
    use crate::fixtures::{binomial, registry, regression};

    /// A MOJO of this name in a folder.
    fn mojo(folder: &Path, name: &str, model: Model) -> PathBuf {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("it has one")).expect("a folder");
        write_mojo(&Artifact::new(model, "2026-01-01T00:00:00Z"), &path).expect("a MOJO");
        path
    }

    #[test]
    fn models_are_named_as_their_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = [mojo(folder.path(), "churn.v2.zip", binomial()), mojo(folder.path(), "price", regression())];
        let registry = Registry::load(&files).expect("two models");
        assert_eq!(registry.names(), "`churn.v2`, `price`");
        assert_eq!(registry.find(Some("price")).expect("it is there").model(), &regression());
    }

    #[test]
    fn the_only_model_needs_no_name() {
        assert_eq!(registry([("m", regression())]).find(None).expect("the only one").name(), "m");
        let two = registry([("a", regression()), ("b", regression())]);
        assert_eq!(two.find(None).err(), Some(ServeError::WhichModel { served: "`a`, `b`".into() }));
    }

    #[test]
    fn many_names_are_cut_short() {
        let mut many = Registry::default();
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
}
