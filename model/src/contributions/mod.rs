//! What each column contributes to an answer: `DeepSHAP`, as H2O's cluster computes it.
//!
//! A row `x` is compared with a reference row `z`, and what the answers differ by is shared out among the inputs:
//!
//! ```text
//! contribution_i = multiplier_i (x_i - z_i)          answer(x) = answer(z) + sum_i contribution_i
//! ```
//!
//! A layer of weights hands multipliers down as it is, `m_below = W' m_above`; a non-linearity multiplies them by its slope
//! between both rows (see [`rules`]). Contributions are means over the references, `BiasTerm` the mean of their answers.
//!
//! | model | what is explained |
//! |---|---|
//! | regression | the value; where the link is a logarithm that of the mean, unless `output_space` asks for the mean itself: then the contributions for each reference are scaled to add up to it |
//! | two classes | the probability of the second |
//! | more classes | the probability of each |
//!
//! H2O has no answer for more than two classes, an `ExpRectifier`, levels that share slots, and without a hidden layer.
//! Elsewhere we give its answers, with two exceptions, for the sake of what they add up to:
//!
//! * its `BiasTerm` for a logarithmic link is a mean of the response, to which contributions to a logarithm do not add up; ours is
//!   one of logarithms;
//! * it encodes rows as in training, and so explains another answer than that of its predictions where a cell is missing and
//!   numbers are not standardised, rows weighted or first levels dropped, and of `sparse` rows; here rows are encoded as for every
//!   score.
//!
//! Three things that H2O does are worth knowing, and [`mended`](ExplainOptions::mended) does without them:
//!
//! * all of what two classes differ by goes through the net input of the second class alone, so that contributions become
//!   large and cancel where that hardly differs;
//! * the probability of two classes is that before [`Labelling::correct`](crate::Labelling::correct);
//! * an offset is left out, and a missing level of the `Binary` encoding is missing in every bit, as in H2O's runtime.

mod columns;
mod pass;
mod reference;
mod rules;
#[cfg(test)]
mod tests;

use crate::deep_learning::{DeepLearning, scaled_offset};
use crate::model::{Algorithm, Category, Model};
use columns::Columns;
use pass::{Backward, Trace};
use rules::{Outputs, Side, slope_of_link};

/// What is wanted of the contributions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ExplainOptions {
    /// What has a contribution.
    pub format: ContributionFormat,
    /// Whether contributions to the logarithm of a mean are scaled to add up to the mean.
    pub output_space: bool,
    /// Whether the answers of [`Model::score_mended`] are explained, and two classes through both of their net inputs.
    pub mended: bool,
}

/// What has a contribution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ContributionFormat {
    /// Each input of the net: a level, or a number.
    #[default]
    Original,
    /// Each of the model's own columns: the levels of one together.
    Compact,
}

/// A model whose answers cannot be explained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ExplainError {
    /// Its answer is a row.
    #[error("the answer of an autoencoder is a row: there is no single number to explain")]
    AutoEncoder,
    /// [`DeepLearning::unhashed`] gives each level an input.
    #[error("levels share slots (max_categorical_features): write the net out first")]
    Hashed,
}

/// Explains the answers of a model by references.
#[derive(Debug, Clone)]
pub struct Explainer<'m> {
    model: &'m Model,
    net: &'m DeepLearning,
    options: ExplainOptions,
    explained: Explained,
    columns: Columns,
    backward: Backward,
    references: Vec<Reference>,
}

/// What is explained.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Explained {
    /// The value of a regression.
    Value,
    /// The probability of the second of two classes.
    SecondClass,
    /// The probability of each class.
    Classes,
}

/// A row to compare others with.
#[derive(Debug, Clone)]
struct Reference {
    trace: Trace,
    outputs: Outputs,
}

/// Buffers for explaining, to be used again from row to row.
#[derive(Debug, Clone, Default)]
pub struct ExplainWorkspace {
    columns: Vec<f64>,
    trace: Trace,
    pass: pass::Workspace,
    /// For each explained number the contributions of the inputs and of the offset.
    sums: Vec<f64>,
    contributions: Vec<f64>,
}

impl<'m> Explainer<'m> {
    /// Explains this model, by no reference yet.
    pub fn new(model: &'m Model, options: ExplainOptions) -> Result<Self, ExplainError> {
        let Algorithm::DeepLearning(net) = &model.algorithm;
        let explained = match model.category {
            Category::Regression => Explained::Value,
            Category::Binomial => Explained::SecondClass,
            Category::Multinomial => Explained::Classes,
            Category::AutoEncoder => return Err(ExplainError::AutoEncoder),
        };
        if net.layout.hashing.is_some() {
            return Err(ExplainError::Hashed);
        }
        let columns = Columns::new(model, options);
        let backward = Backward::new(&net.network);
        Ok(Self { model, net, options, explained, columns, backward, references: Vec::new() })
    }

    /// Adds a reference: a raw row and its offset, which counts where answers are mended.
    pub fn add_reference(&mut self, row: &[f64], offset: f64) {
        let mut workspace = ExplainWorkspace::default();
        self.trace(row, offset, &mut workspace);
        let trace = workspace.trace;
        let outputs = self.outputs(&trace);
        self.references.push(Reference { trace, outputs });
    }

    /// How many references there are.
    pub fn references(&self) -> usize {
        self.references.len()
    }

    /// About how many bytes a reference takes.
    pub fn reference_bytes(&self) -> usize {
        let layers = self.net.network.layers().iter();
        let numbers: usize = layers.map(|layer| layer.biases.len() + layer.units).sum();
        (numbers + self.net.network.inputs()) * size_of::<f64>()
    }

    /// The names of the contributions: of the inputs or columns, then `BiasTerm`; with more than two classes for each of them,
    /// behind its name as the predictions have it.
    pub fn names(&self) -> Vec<String> {
        let names = || self.columns.names().iter().map(String::as_str).chain(["BiasTerm"]);
        if self.explained != Explained::Classes {
            return names().map(str::to_owned).collect();
        }
        let classes = self.model.output_names().into_iter().skip(1);
        classes.flat_map(|class| names().map(move |name| format!("{class}.{name}")).collect::<Vec<_>>()).collect()
    }

    /// The contributions to the answer for a raw row and its offset: means over the references.
    pub fn explain<'w>(&self, row: &[f64], offset: f64, workspace: &'w mut ExplainWorkspace) -> &'w [f64] {
        let outputs = self.start(row, offset, workspace);
        for reference in &self.references {
            self.add_pair(&outputs, reference, workspace);
        }
        self.finish(&self.references, workspace);
        &workspace.contributions
    }

    /// The contributions by one reference after the other.
    pub fn explain_each(
        &self,
        row: &[f64],
        offset: f64,
        workspace: &mut ExplainWorkspace,
        mut take: impl FnMut(&[f64]),
    ) {
        let outputs = self.start(row, offset, workspace);
        for reference in &self.references {
            workspace.sums.fill(0.0);
            self.add_pair(&outputs, reference, workspace);
            self.finish(std::slice::from_ref(reference), workspace);
            take(&workspace.contributions);
        }
    }

    fn start(&self, row: &[f64], offset: f64, workspace: &mut ExplainWorkspace) -> Outputs {
        self.trace(row, offset, workspace);
        workspace.sums.clear();
        workspace.sums.resize(self.numbers() * self.width(), 0.0);
        self.outputs(&workspace.trace)
    }

    /// Adds the contributions for one reference.
    fn add_pair(&self, outputs: &Outputs, reference: &Reference, workspace: &mut ExplainWorkspace) {
        let ExplainWorkspace { trace, pass, sums, .. } = workspace;
        let (x, z) = (Side { trace, outputs }, Side { trace: &reference.trace, outputs: &reference.outputs });
        pass.compare(&self.net.network, x.trace, z.trace);
        for (number, sums) in sums.chunks_exact_mut(self.width()).enumerate() {
            let into_nets = self.slopes(number, x, z);
            let (inputs, offset) = sums.split_at_mut(self.net.network.inputs());
            if let (Some(sum), [slope]) = (offset.first_mut(), &*into_nets) {
                *sum += slope * (x.trace.offset - z.trace.offset);
            }
            self.backward.add(into_nets, pass, inputs);
        }
    }

    /// The slopes of an explained number, for each net input of the output layer.
    fn slopes(&self, number: usize, x: Side<'_>, z: Side<'_>) -> Vec<f64> {
        match self.explained {
            Explained::Value => {
                let to_link = self.net.response_scaling.map_or(1.0, |scaling| 1.0 / scaling.mul);
                let [x, z] = [x, z].map(|side| side.outputs.values[0]);
                let of_link = if self.options.output_space { slope_of_link(self.net.distribution, x, z) } else { 1.0 };
                vec![to_link * of_link]
            }
            Explained::SecondClass if self.options.mended => rules::softmax(1, x, z),
            Explained::SecondClass => rules::second_class(x, z),
            Explained::Classes => rules::softmax(number, x, z),
        }
    }

    /// Sums over references, as means of columns and with the answers of the references behind them.
    fn finish(&self, references: &[Reference], workspace: &mut ExplainWorkspace) {
        let ExplainWorkspace { sums, contributions, .. } = workspace;
        let count = references.len() as f64;
        contributions.clear();
        for (number, sums) in sums.chunks_exact(self.width()).enumerate() {
            let start = contributions.len();
            contributions.resize(start + self.columns.names().len(), 0.0);
            for (&column, sum) in self.columns.of_inputs().iter().zip(sums) {
                contributions[start + column] += sum / count;
            }
            let answers = references.iter().map(|reference| self.answer(number, &reference.outputs));
            contributions.push(answers.sum::<f64>() / count);
        }
    }

    /// An explained number of one row.
    fn answer(&self, number: usize, outputs: &Outputs) -> f64 {
        match self.explained {
            Explained::Value if self.options.output_space => self.net.distribution.link_inverse(outputs.values[0]),
            Explained::Value | Explained::Classes => outputs.values[number],
            Explained::SecondClass => outputs.values[1],
        }
    }

    /// How many numbers of an answer are explained.
    fn numbers(&self) -> usize {
        if self.explained == Explained::Classes { self.net.network.outputs() } else { 1 }
    }

    /// Terms of a contribution: the inputs, and the offset where it counts.
    fn width(&self) -> usize {
        self.columns.of_inputs().len()
    }

    /// Runs a row through the net.
    fn trace(&self, row: &[f64], offset: f64, workspace: &mut ExplainWorkspace) {
        let ExplainWorkspace { columns, trace, pass, .. } = workspace;
        let mended = self.options.mended.then(|| self.model.mended_row(row));
        let row = mended.as_deref().unwrap_or(row);
        let columns = self.model.encoding.encode(self.model.schema.features(), row, columns);
        self.net.layout.fill(columns, &mut trace.inputs);
        trace.fill(&self.net.network, &mut pass.terms);
        trace.offset = if self.columns.has_offset() { scaled_offset(offset, self.net.response_scaling) } else { 0.0 };
    }

    fn outputs(&self, trace: &Trace) -> Outputs {
        let factors = || self.model.labelling.correction().map(Iterator::collect);
        match self.explained {
            Explained::Value => Outputs::of_value(self.net.descaled(trace.top()[0] + trace.offset)),
            Explained::SecondClass if !self.options.mended => Outputs::of_classes(trace.top(), None),
            Explained::SecondClass | Explained::Classes => Outputs::of_classes(trace.top(), factors()),
        }
    }
}
