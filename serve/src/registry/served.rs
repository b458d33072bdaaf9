//! A model that is served, with what is asked of it all the time.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use model::{Algorithm, Category, Model, Profile};

use super::Version;
use crate::metrics::ModelMetrics;
use crate::service::Policy;

/// A version of a model under its name.
#[derive(Debug)]
pub struct ServedModel {
    name: String,
    version: Version,
    model: Model,
    profile: Option<Profile>,
    policy: Policy,
    source: Option<PathBuf>,
    metrics: Arc<ModelMetrics>,
    /// For each feature whether a column of a request can be it.
    addressable: Vec<bool>,
    /// How many are.
    columns: usize,
    /// The names of what an autoencoder reconstructs; empty for any other model.
    reconstructed: Vec<String>,
}

impl ServedModel {
    /// The first version of a model under this name, with what is known of its training columns.
    pub fn new(name: impl Into<String>, model: Model, profile: Option<Profile>) -> Self {
        let schema = &model.schema;
        let found = |(index, feature): (usize, &model::Feature)| schema.index_of(&feature.name) == Some(index);
        let addressable: Vec<bool> = schema.features().iter().enumerate().map(found).collect();
        let columns = addressable.iter().filter(|&&yes| yes).count();
        let reconstructed = match model.category {
            Category::AutoEncoder => model.output_names(),
            Category::Binomial | Category::Multinomial | Category::Regression => Vec::new(),
        };
        Self {
            name: name.into(),
            version: Version::default(),
            model,
            profile,
            policy: Policy::default(),
            source: None,
            metrics: Arc::default(),
            addressable,
            columns,
            reconstructed,
        }
    }

    /// The same model as this version.
    #[must_use]
    pub fn with_version(self, version: Version) -> Self {
        Self { version, ..self }
    }

    /// The same model with another policy for requests that say nothing.
    #[must_use]
    pub fn with_policy(self, policy: Policy) -> Self {
        Self { policy, ..self }
    }

    /// The same model, read from this file.
    #[must_use]
    pub fn with_source(self, source: PathBuf) -> Self {
        Self { source: Some(source), ..self }
    }

    /// The same model, counted where an earlier one of its name and version was.
    #[must_use]
    pub(crate) fn with_metrics(self, metrics: Arc<ModelMetrics>) -> Self {
        Self { metrics, ..self }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its version.
    pub fn version(&self) -> &Version {
        &self.version
    }

    /// What scores.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// What its training columns looked like, where the file says so.
    pub fn profile(&self) -> Option<&Profile> {
        self.profile.as_ref()
    }

    /// What is done with odd rows where a request does not say.
    pub fn policy(&self) -> Policy {
        self.policy
    }

    /// The file it was read from.
    pub fn source(&self) -> Option<&Path> {
        self.source.as_deref()
    }

    /// What is counted of its requests.
    pub(crate) fn metrics(&self) -> &Arc<ModelMetrics> {
        &self.metrics
    }

    /// Whether a column of a request can be this feature: not where an archive has lost its name, nor where an earlier
    /// feature has the same.
    pub fn is_addressable(&self, feature: usize) -> bool {
        self.addressable[feature]
    }

    /// What the numbers of a prediction are called: the classes, or the columns that an autoencoder reconstructs and
    /// `mse`; none of a regression.
    pub fn names(&self) -> &[String] {
        self.model.schema.classes().map_or(&self.reconstructed, |domain| domain.levels())
    }

    /// How many numbers the answer to a row has: the probabilities, the value, or what an autoencoder reconstructs and its
    /// error.
    pub fn numbers(&self) -> usize {
        self.names().len().max(1)
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

    /// How many rows are best read before they are scored: so many that they fit the caches.
    pub fn block_rows(&self) -> usize {
        const CELLS: usize = 1 << 15;
        (CELLS / self.addressable.len().max(self.numbers())).clamp(8, 1024)
    }

    /// About how many weights are multiplied to score a row.
    pub fn row_cost(&self) -> usize {
        match &self.model.algorithm {
            Algorithm::DeepLearning(deep_learning) => deep_learning.network.size(),
            _ => self.addressable.len(),
        }
    }
}
