//! What is written of each row that is scored.

use anyhow::bail;
use model::{Category, Domain, JavaNumber, Model, Prediction, Workspace};

use crate::args::PredictArgs;

/// A model with what is wanted of it.
pub struct Answers<'m> {
    model: &'m Model,
    wanted: Wanted,
}

enum Wanted {
    /// The prediction of H2O's runtime.
    Prediction,
    /// The prediction without the runtime's defects.
    Mended,
    /// An autoencoder's squared error at each input.
    Errors,
    /// The outputs of this hidden layer.
    Features(usize),
}

/// The cells of a row.
pub struct Answer {
    pub cells: Vec<String>,
    /// Whether the numbers in it are numbers.
    pub is_number: bool,
}

impl<'m> Answers<'m> {
    /// What the flags want, if the model has it.
    pub fn of(args: &PredictArgs, model: &'m Model) -> anyhow::Result<Self> {
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
            None if args.fix_defects => Wanted::Mended,
            None => Wanted::Prediction,
        };
        Ok(Self { model, wanted })
    }

    /// The names of the cells.
    pub fn names(&self) -> Vec<String> {
        match self.wanted {
            Wanted::Prediction | Wanted::Mended => self.model.output_names(),
            Wanted::Errors => self.model.error_names(),
            Wanted::Features(layer) => self.model.deep_feature_names(layer),
        }
    }

    /// The column whose offset counts, if any does.
    pub fn offset_column(&self) -> Option<&str> {
        let wanted = matches!(self.wanted, Wanted::Mended);
        self.model.schema.special().offset.as_deref().filter(|_| wanted)
    }

    /// The cells for a raw row and its offset.
    pub fn answer(&self, row: &[f64], offset: f64, workspace: &mut Workspace) -> Answer {
        match self.wanted {
            Wanted::Mended => self.prediction(self.model.score_mended(row, offset, workspace)),
            Wanted::Prediction => self.prediction(self.model.score(row, workspace)),
            Wanted::Errors => of_numbers(self.model.squared_errors(row, workspace)),
            Wanted::Features(layer) => of_numbers(self.model.deep_features(layer, row, workspace)),
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
                Answer { cells, is_number }
            }
            Prediction::Reconstruction { values, mse } => {
                let mut answer = of_numbers(values);
                // The error of a row with a missing number is none, and that is in order.
                answer.cells.push(number(mse));
                answer
            }
        }
    }
}

fn of_numbers(values: &[f64]) -> Answer {
    Answer {
        cells: values.iter().map(|&value| number(value)).collect(),
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
