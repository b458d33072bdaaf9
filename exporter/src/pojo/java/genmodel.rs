//! What H2O's runtime asks of a class that is one of its models.

use model::{Category, Domain, Encoding, Feature, Model};
use serde::Serialize;

use super::FIELD;
use super::literal::{lists, numbers, text, texts};

#[derive(Serialize)]
pub(super) struct GenModelFacts {
    category: &'static str,
    is_supervised: bool,
    response: Option<String>,
    /// The columns of the net.
    names: String,
    /// Their levels, then those of weights, offset and fold, which have none, and of the response.
    domains: String,
    /// The columns that a user sends, where the net has others.
    original: Option<OriginalFacts>,
    /// How long a prediction is.
    predictions: usize,
}

#[derive(Serialize)]
struct OriginalFacts {
    encoding: &'static str,
    names: String,
    domains: String,
    projections: Option<String>,
}

impl GenModelFacts {
    pub fn new(model: &Model) -> Self {
        let columns = model.encoding.columns(model.schema.features());
        let names = names(&columns);
        let special = model.schema.special();
        let mut all_names = names.clone();
        all_names.extend([&special.weights, &special.offset, &special.fold].into_iter().flatten().map(String::as_str));
        let mut domains = domains(&columns);
        domains.resize(all_names.len(), None);
        let response = model.schema.response();
        if let Some(response) = response {
            all_names.push(&response.name);
            domains.push(response.domain.as_ref());
        }
        let outputs = model.output_names().len();
        Self {
            category: model.category.name(),
            is_supervised: response.is_some(),
            response: response.map(|response| text(&response.name)),
            names: texts(&names, FIELD),
            domains: lists(&domains, &all_names, FIELD),
            original: OriginalFacts::new(model),
            predictions: outputs - usize::from(model.category == Category::AutoEncoder),
        }
    }

    /// All that may be a long list.
    pub fn lists(&self) -> Vec<&str> {
        let original = self.original.iter().flat_map(|original| [&original.names, &original.domains]);
        original.chain([&self.names, &self.domains]).map(String::as_str).collect()
    }
}

impl OriginalFacts {
    fn new(model: &Model) -> Option<Self> {
        let features = model.schema.features();
        let names = names(features);
        (model.encoding != Encoding::Auto).then(|| Self {
            encoding: model.encoding.name(),
            domains: lists(&domains(features), &names, FIELD),
            names: texts(&names, FIELD),
            projections: match &model.encoding {
                Encoding::Eigen { projections } => Some(numbers(projections, FIELD)),
                _ => None,
            },
        })
    }
}

fn names(features: &[Feature]) -> Vec<&str> {
    features.iter().map(|feature| feature.name.as_str()).collect()
}

fn domains(features: &[Feature]) -> Vec<Option<&Domain>> {
    features.iter().map(|feature| feature.domain.as_ref()).collect()
}
