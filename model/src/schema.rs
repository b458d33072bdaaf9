//! What a row is: the columns a model reads, in the model's order, and the response it answers with.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

/// The columns of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema {
    features: Vec<Feature>,
    response: Option<Response>,
    special: SpecialColumns,
    index: HashMap<String, usize>,
}

/// A predictor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Feature {
    /// Its name in the training frame. Empty where an archive lost it: no input can then reach the column.
    pub name: String,
    /// `None` for a number, the levels for a categorical.
    pub domain: Option<Domain>,
}

/// What the model predicts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Response {
    /// Its name in the training frame.
    pub name: String,
    /// The classes, in the order of the probabilities; `None` for a regression.
    pub domain: Option<Domain>,
}

/// Columns that took part in training and are no inputs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SpecialColumns {
    /// Observation weights.
    pub weights: Option<String>,
    /// Offset of the linear predictor.
    pub offset: Option<String>,
    /// Cross-validation folds.
    pub fold: Option<String>,
}

impl Schema {
    /// A schema of these columns. Of two features with one name the first is found by it.
    pub fn new(features: Vec<Feature>, response: Option<Response>, special: SpecialColumns) -> Self {
        let mut index = HashMap::with_capacity(features.len());
        for (i, feature) in features.iter().enumerate().filter(|(_, f)| !f.name.is_empty()) {
            index.entry(feature.name.clone()).or_insert(i);
        }
        Self { features, response, special, index }
    }

    /// The predictors, in the order of a raw row.
    pub fn features(&self) -> &[Feature] {
        &self.features
    }

    /// Where in a raw row the column of this name goes.
    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.index.get(name).copied()
    }

    /// The response; `None` for an unsupervised model.
    pub fn response(&self) -> Option<&Response> {
        self.response.as_ref()
    }

    /// Weights, offset and fold columns.
    pub fn special(&self) -> &SpecialColumns {
        &self.special
    }

    /// The classes of a classifier.
    pub fn classes(&self) -> Option<&Domain> {
        self.response.as_ref()?.domain.as_ref()
    }
}

/// The levels of a categorical column, in the order of their codes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "Vec<String>", into = "Vec<String>")]
pub struct Domain {
    levels: Vec<String>,
    codes: HashMap<String, u32>,
}

impl Domain {
    /// A domain with these levels; of two equal ones the first is found.
    pub fn new(levels: Vec<String>) -> Self {
        let mut codes = HashMap::with_capacity(levels.len());
        for (code, level) in (0..).zip(&levels) {
            codes.entry(level.clone()).or_insert(code);
        }
        Self { levels, codes }
    }

    /// The levels by code.
    pub fn levels(&self) -> &[String] {
        &self.levels
    }

    /// The code of a level, compared as it stands.
    pub fn code(&self, level: &str) -> Option<u32> {
        self.codes.get(level).copied()
    }

    /// The number of levels.
    pub fn len(&self) -> usize {
        self.levels.len()
    }

    /// Whether there are no levels.
    pub fn is_empty(&self) -> bool {
        self.levels.is_empty()
    }
}

impl From<Vec<String>> for Domain {
    fn from(levels: Vec<String>) -> Self {
        Self::new(levels)
    }
}

impl From<Domain> for Vec<String> {
    fn from(domain: Domain) -> Self {
        domain.levels
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_name_is_not_found() {
        let lost = Feature { name: String::new(), domain: None };
        let schema = Schema::new(vec![lost], None, SpecialColumns::default());
        assert_eq!(schema.index_of(""), None);
    }

    #[test]
    fn levels_are_compared_as_they_stand() {
        let domain = Domain::new(vec!["a".into(), " a".into()]);
        assert_eq!((domain.code("a"), domain.code(" a"), domain.code("A")), (Some(0), Some(1), None));
    }
}
