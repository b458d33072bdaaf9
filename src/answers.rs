//! What is written of each row that is scored.

use anyhow::bail;
use model::{Category, Domain, ExplainWorkspace, Explainer, JavaNumber, Model, Prediction, Profile};

use crate::args::PredictArgs;
use crate::contributions::{self, offset_column};

/// A model with what is wanted of it.
pub struct Answers<'m> {
    model: &'m Model,
    wanted: Wanted<'m>,
    offset_column: Option<&'m str>,
}

enum Wanted<'m> {
    /// The prediction of H2O's runtime.
    Prediction,
    /// The prediction without the runtime's defects.
    Mended,
    /// An autoencoder's squared error at each input.
    Errors,
    /// The outputs of this hidden layer.
    Features(usize),
    /// The contributions of the columns.
    Contributions {
        explainer: Box<Explainer<'m>>,
        /// Whether there is a row for each reference.
        per_reference: bool,
    },
}

/// What is written of a row.
#[derive(Default)]
pub struct Answer {
    /// A row of cells; by reference one for each.
    pub rows: Vec<Vec<String>>,
    /// Whether the numbers in it are numbers.
    pub is_number: bool,
}

/// Buffers for scoring and explaining.
#[derive(Default)]
pub struct Workspace {
    scoring: model::Workspace,
    explaining: ExplainWorkspace,
}

impl<'m> Answers<'m> {
    /// What the flags want, if the model has it.
    pub fn of(args: &PredictArgs, model: &'m Model, profile: Option<&Profile>) -> anyhow::Result<Self> {
        let shown = args.model.display();
        let wanted = match args.deep_features {
            Some(layer) if layer >= model.hidden_layers() => {
                let layers: Vec<String> = (0..model.hidden_layers()).map(|layer| layer.to_string()).collect();
                match layers.as_slice() {
                    [] => bail!("--deep-features {layer}: {shown} has no hidden layer"),
                    [_] => bail!("--deep-features {layer}: {shown} has one hidden layer, 0"),
                    _ => bail!("--deep-features {layer}: {shown} has the hidden layers {}", layers.join(", ")),
                }
            }
            Some(layer) => Wanted::Features(layer),
            None if args.per_feature && model.category != Category::AutoEncoder => {
                let category = model.category.name().to_lowercase();
                bail!("--per-feature: {shown} is a {category} model, expected an autoencoder");
            }
            None if args.per_feature => Wanted::Errors,
            None if args.explain.contributions => Wanted::Contributions {
                explainer: Box::new(contributions::explainer(args, model, profile)?),
                per_reference: args.explain.output_per_reference,
            },
            None if args.fix_defects => Wanted::Mended,
            None => Wanted::Prediction,
        };
        Ok(Self { model, wanted, offset_column: offset_column(args, model) })
    }

    /// The names of the cells.
    pub fn names(&self) -> Vec<String> {
        match &self.wanted {
            Wanted::Prediction | Wanted::Mended => self.model.output_names(),
            Wanted::Errors => self.model.error_names(),
            Wanted::Features(layer) => self.model.deep_feature_names(*layer),
            Wanted::Contributions { explainer, per_reference } => {
                let mut names = explainer.names();
                names.extend(
                    per_reference.then(|| ["RowIdx", "BackgroundRowIdx"].map(str::to_owned)).into_iter().flatten(),
                );
                names
            }
        }
    }

    /// The column whose offset counts, if any does.
    pub fn offset_column(&self) -> Option<&str> {
        self.offset_column
    }

    /// How many rows to answer together: answers that are long or take long are not to pile up.
    pub fn batch(&self) -> usize {
        const MOST: usize = 4096;
        const MOST_EXPLAINED: usize = 64;
        const MOST_CELLS: usize = 1 << 20;
        match &self.wanted {
            Wanted::Contributions { explainer, per_reference } => {
                let rows = if *per_reference { explainer.references() } else { 1 };
                (MOST_CELLS / (rows * self.names().len())).clamp(1, MOST_EXPLAINED)
            }
            _ => MOST,
        }
    }

    /// What is written of a raw row and its offset; rows are numbered from 0.
    pub fn answer(&self, number: u64, row: &[f64], offset: f64, workspace: &mut Workspace) -> Answer {
        let Workspace { scoring, explaining } = workspace;
        match &self.wanted {
            Wanted::Mended => self.prediction(self.model.score_mended(row, offset, scoring)),
            Wanted::Prediction => self.prediction(self.model.score(row, scoring)),
            Wanted::Errors => of_numbers(self.model.squared_errors(row, scoring)),
            Wanted::Features(layer) => of_numbers(self.model.deep_features(*layer, row, scoring)),
            Wanted::Contributions { explainer, per_reference: false } => {
                of_numbers(explainer.explain(row, offset, explaining))
            }
            Wanted::Contributions { explainer, per_reference: true } => {
                let mut answer = Answer { rows: Vec::new(), is_number: true };
                explainer.explain_each(row, offset, explaining, |contributions| {
                    let mut by_one = of_numbers(contributions);
                    let reference = answer.rows.len();
                    for cells in &mut by_one.rows {
                        cells.extend([number.to_string(), reference.to_string()]);
                    }
                    answer.rows.append(&mut by_one.rows);
                    answer.is_number &= by_one.is_number;
                });
                answer
            }
        }
    }

    fn prediction(&self, prediction: Prediction<'_>) -> Answer {
        match prediction {
            Prediction::Value(value) => of_numbers(&[value]),
            Prediction::Class { label, probabilities } => {
                let levels = self.model.schema.classes().map_or(&[][..], Domain::levels);
                let is_number = label.is_some();
                let label = label.and_then(|label| levels.get(label)).cloned().unwrap_or_else(|| "NA".to_owned());
                let cells = std::iter::once(label).chain(probabilities.iter().map(|&p| number(p))).collect();
                Answer { rows: vec![cells], is_number }
            }
            Prediction::Reconstruction { values, mse } => {
                let mut answer = of_numbers(values);
                // The error of a row with a missing number is none, and that is in order.
                answer.rows.iter_mut().for_each(|cells| cells.push(number(mse)));
                answer
            }
        }
    }
}

fn of_numbers(values: &[f64]) -> Answer {
    Answer {
        rows: vec![values.iter().map(|&value| number(value)).collect()],
        is_number: values.iter().all(|value| value.is_finite()),
    }
}

/// The shortest decimal that reads back as the same double, spelled as H2O spells it; `NA` for none.
fn number(value: f64) -> String {
    if value.is_nan() { "NA".to_owned() } else { JavaNumber(value).to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_spelled_as_h2o_spells_them() {
        let spelled = [0.1 + 0.2, 1.0, 1e300, -5e-324, f64::INFINITY, f64::NAN].map(number);
        assert_eq!(spelled, ["0.30000000000000004", "1.0", "1.0E300", "-5.0E-324", "Infinity", "NA"]);
    }
}
