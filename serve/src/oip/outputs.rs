//! The answers to a request, as tensors.

use std::sync::Arc;

use model::Category;

use super::invalid;
use crate::error::ServeError;
use crate::registry::ServedModel;
use crate::service::{Predictions, Warning};
use crate::wire::Writer;

/// The answers to all rows of a request.
#[derive(Debug)]
pub(super) struct Outputs {
    pub served: Arc<ServedModel>,
    pub rows: usize,
    labels: Vec<Option<u32>>,
    /// Row by row, as in [`Predictions`].
    numbers: Vec<f64>,
    /// What was noticed, as JSON.
    pub warnings: Option<String>,
}

/// A tensor of the answer: its name, and what it takes of the answers to each row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Output {
    pub name: String,
    pub content: Content,
}

/// What is in a tensor of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    /// The names of the predicted classes.
    Labels,
    /// So many numbers of each row, from this one on; a list of lists where it is no single one.
    Numbers { first: usize, count: usize, nested: bool },
}

impl Output {
    /// Those that a response has by itself.
    pub fn all(served: &ServedModel) -> Vec<Self> {
        let single = |(first, name): (usize, String)| Self {
            name,
            content: Content::Numbers { first, count: 1, nested: false },
        };
        let names = served.model().output_names();
        match served.model().category {
            Category::AutoEncoder => {
                let count = served.numbers() - 1;
                let values = Content::Numbers { first: 0, count, nested: true };
                let mse = Content::Numbers { first: count, count: 1, nested: false };
                vec![Self { name: "reconstruction".into(), content: values }, Self { name: "mse".into(), content: mse }]
            }
            Category::Regression => names.into_iter().enumerate().map(single).collect(),
            Category::Binomial | Category::Multinomial => {
                let mut names = names.into_iter();
                let label = names.next().map(|name| Self { name, content: Content::Labels });
                label.into_iter().chain(names.enumerate().map(single)).collect()
            }
        }
    }

    /// Those that a request names.
    pub fn named(names: &[&str], served: &ServedModel) -> Result<Vec<Self>, ServeError> {
        let mut known = Self::all(served);
        if served.model().schema.classes().is_some() {
            let content = Content::Numbers { first: 0, count: served.numbers(), nested: true };
            known.push(Self { name: "probabilities".to_owned(), content });
        }
        let find = |name: &&str| {
            let found = known.iter().find(|output| output.name == *name).cloned();
            found.ok_or_else(|| {
                let known: Vec<&str> = known.iter().map(|output| output.name.as_str()).collect();
                invalid(format!("outputs: no `{name}`, there is {}", model::listed(&known)))
            })
        };
        names.iter().map(find).collect()
    }

    pub fn datatype(&self) -> &'static str {
        match self.content {
            Content::Labels => "BYTES",
            Content::Numbers { .. } => "FP64",
        }
    }

    pub fn shape(&self, rows: i64) -> Vec<i64> {
        match self.content {
            Content::Numbers { count, nested: true, .. } => vec![rows, count as i64],
            Content::Labels | Content::Numbers { .. } => vec![rows],
        }
    }
}

impl Outputs {
    pub fn new(served: Arc<ServedModel>) -> Self {
        Self { served, rows: 0, labels: Vec::new(), numbers: Vec::new(), warnings: None }
    }

    pub fn keep_warnings(&mut self, warnings: &[Warning<'_>]) {
        self.warnings = (!warnings.is_empty()).then(|| serde_json::to_string(warnings).unwrap_or_default());
    }

    /// The name of the predicted class of each row; `None` where there is none.
    pub fn labels(&self) -> impl ExactSizeIterator<Item = Option<&str>> {
        let names = self.served.names();
        self.labels.iter().map(|label| names.get((*label)? as usize).map(String::as_str))
    }

    /// So many numbers of each row, from one on.
    pub fn numbers(&self, first: usize, count: usize) -> impl Iterator<Item = f64> + Clone {
        self.numbers.chunks_exact(self.served.numbers()).flat_map(move |row| row[first..first + count].iter().copied())
    }

    /// A tensor as bytes.
    pub fn raw(&self, content: Content) -> Vec<u8> {
        match content {
            Content::Numbers { first, count, .. } => {
                let mut bytes = Vec::with_capacity(self.rows * count * 8);
                self.numbers(first, count).for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
                bytes
            }
            Content::Labels => {
                let mut bytes = Vec::with_capacity(self.rows * 12);
                for label in self.labels() {
                    let label = label.unwrap_or_default();
                    bytes.extend_from_slice(&(label.len() as u32).to_le_bytes());
                    bytes.extend_from_slice(label.as_bytes());
                }
                bytes
            }
        }
    }
}

impl Writer for Outputs {
    fn write(&mut self, predictions: Predictions<'_>, _: &mut Vec<u8>) -> Result<(), ServeError> {
        self.rows += predictions.rows();
        self.labels.extend_from_slice(predictions.labels());
        self.numbers.extend_from_slice(predictions.all_numbers());
        Ok(())
    }
}
