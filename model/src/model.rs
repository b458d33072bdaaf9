//! A model of any algorithm, as the rest of the workspace sees it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::deep_learning::DeepLearning;
use crate::encoding::Encoding;
use crate::kernel::Terms;
use crate::label::Labelling;
use crate::schema::{Feature, Schema};

/// A model that scores raw rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// The columns that a user sends.
    pub schema: Schema,
    /// How they become the model's own columns.
    pub encoding: Encoding,
    /// What kind of answer it gives.
    pub category: Category,
    /// How a classifier labels rows.
    pub labelling: Labelling,
    /// What computes the answer.
    pub algorithm: Algorithm,
}

/// The kind of answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Category {
    /// Two classes.
    Binomial,
    /// More than two classes.
    Multinomial,
    /// A number.
    Regression,
    /// The row itself, as the net remembers it.
    AutoEncoder,
}

/// What computes the answer.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Algorithm {
    /// A feed-forward net.
    DeepLearning(DeepLearning),
}

/// The answer for one row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Prediction<'a> {
    /// Of a classifier.
    Class {
        /// The predicted class; `None` where a probability is not a number.
        label: Option<usize>,
        /// One for each class, in the order of the response's domain.
        probabilities: &'a [f64],
    },
    /// Of a regression.
    Value(f64),
    /// Of an autoencoder.
    Reconstruction {
        /// One for each input of the net: levels as they were set, numbers as they were sent.
        values: &'a [f64],
        /// How far that is from the row: the mean of the squares, numbers scaled. NaN where a number is missing.
        mse: f64,
    },
}

/// Buffers for scoring, to be used again from row to row.
#[derive(Debug, Clone, Default)]
pub struct Workspace {
    columns: Vec<f64>,
    pub(crate) input: Vec<f64>,
    pub(crate) terms: Terms,
    pub(crate) nets: Vec<f64>,
    pub(crate) predictions: Vec<f64>,
}

/// An answer whose list of numbers, if it has one, is in the workspace.
#[derive(Clone, Copy)]
enum Answer {
    Class(Option<usize>),
    Value(f64),
    Reconstruction(f64),
}

impl Model {
    /// The answer for a raw row: one number per feature, the code of a level, NaN for missing.
    pub fn score<'w>(&self, row: &[f64], workspace: &'w mut Workspace) -> Prediction<'w> {
        let answer = self.with_columns(row, workspace, |columns, workspace| self.answer(columns, workspace));
        Self::prediction(answer, workspace)
    }

    /// The answer for the values of the model's own columns, which a caller encoded by its own rules.
    pub fn score_columns<'w>(&self, columns: &[f64], workspace: &'w mut Workspace) -> Prediction<'w> {
        Self::prediction(self.answer(columns, workspace), workspace)
    }

    fn prediction(answer: Answer, workspace: &Workspace) -> Prediction<'_> {
        let numbers = workspace.predictions.as_slice();
        match answer {
            Answer::Class(label) => Prediction::Class { label, probabilities: numbers },
            Answer::Value(value) => Prediction::Value(value),
            Answer::Reconstruction(mse) => Prediction::Reconstruction { values: numbers, mse },
        }
    }

    /// What comes of the values of the model's own columns for a raw row.
    pub(crate) fn with_columns<T>(
        &self,
        row: &[f64],
        workspace: &mut Workspace,
        score: impl FnOnce(&[f64], &mut Workspace) -> T,
    ) -> T {
        let mut columns = std::mem::take(&mut workspace.columns);
        let scored = score(self.encoding.encode(self.schema.features(), row, &mut columns), workspace);
        workspace.columns = columns;
        scored
    }

    /// The answer for the values of the model's own columns.
    fn answer(&self, row: &[f64], workspace: &mut Workspace) -> Answer {
        let Algorithm::DeepLearning(deep_learning) = &self.algorithm;
        match self.category {
            Category::Binomial | Category::Multinomial => {
                deep_learning.score_classes(row, &self.labelling, workspace);
                let probabilities = workspace.predictions.as_slice();
                let finite = !probabilities.iter().any(|p| p.is_nan());
                Answer::Class(finite.then(|| self.labelling.choose(probabilities, row)))
            }
            Category::Regression => Answer::Value(deep_learning.score_value(row, workspace)),
            Category::AutoEncoder => Answer::Reconstruction(deep_learning.reconstruct(row, workspace)),
        }
    }

    /// The names of the prediction's columns, as H2O heads them: `predict`, then a column for each class, whose name
    /// has a `p` before it where the label is a whole number. Of an autoencoder `reconstr_` and the name of each column,
    /// or of each level as `column.level` with `column.missing(NA)` after them, then `mse`.
    pub fn output_names(&self) -> Vec<String> {
        if self.category == Category::AutoEncoder {
            let mut names = self.reconstruction_names();
            names.push("mse".to_owned());
            return names;
        }
        let classes = self.schema.classes().map_or(&[][..], |domain| domain.levels());
        let mut names = vec!["predict".to_owned()];
        names.extend(classes.iter().map(|level| probability_name(level)));
        names
    }

    /// A name for each output of an autoencoder's net.
    pub(crate) fn reconstruction_names(&self) -> Vec<String> {
        self.input_names().into_iter().map(|name| format!("reconstr_{name}")).collect()
    }

    /// A name for each input of the net, where levels share no slots: of a number that of its column, of a level
    /// `column.level`, with `column.missing(NA)` after them.
    pub fn input_names(&self) -> Vec<String> {
        let Algorithm::DeepLearning(DeepLearning { layout, .. }) = &self.algorithm;
        let without_input = usize::from(!layout.use_all_factor_levels);
        let mut names = Vec::new();
        for Feature { name, domain } in &*self.encoding.columns(self.schema.features()) {
            match domain {
                Some(domain) => {
                    let levels = domain.levels().iter().skip(without_input);
                    names.extend(levels.map(|level| format!("{name}.{level}")));
                    names.push(format!("{name}.missing(NA)"));
                }
                None => names.push(name.clone()),
            }
        }
        names
    }

    /// The algorithm's name, as in a MOJO.
    pub fn algorithm_name(&self) -> &'static str {
        match self.algorithm {
            Algorithm::DeepLearning(_) => "deeplearning",
        }
    }
}

/// A level that Java's `Integer.parseInt` reads gets a `p`: `0` is `p0`, `+1` is `p+1`, `1.5` stays.
fn probability_name(level: &str) -> String {
    if level.parse::<i32>().is_ok() { format!("p{level}") } else { level.to_owned() }
}

impl Category {
    /// Every value.
    pub const ALL: [Self; 4] = [Self::Binomial, Self::Multinomial, Self::Regression, Self::AutoEncoder];

    /// H2O's name, as in a MOJO.
    pub fn name(self) -> &'static str {
        match self {
            Self::Binomial => "Binomial",
            Self::Multinomial => "Multinomial",
            Self::Regression => "Regression",
            Self::AutoEncoder => "AutoEncoder",
        }
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests;
