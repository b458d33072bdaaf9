//! The answers that a model was trained to give, where H2O's runtime, and so [`Model::score`], gives others.

use std::borrow::Cow;

use crate::encoding::Encoding;
use crate::model::{Algorithm, Category, Model, Prediction, Workspace};

impl Model {
    /// The answer for a raw row and its offset, without the defects of H2O's runtime:
    ///
    /// | defect | here |
    /// |---|---|
    /// | an offset is left out | it counts as in training |
    /// | with `Binary` a missing level is missing in every bit | 0 in every bit, as in training |
    /// | an autoencoder has no error for a row with a missing number | the number counts as the 0 that it was taken for |
    /// | of more than two classes a tie may be won by one of smaller probability | the first of the likeliest wins |
    pub fn score_mended<'w>(&self, row: &[f64], offset: f64, workspace: &'w mut Workspace) -> Prediction<'w> {
        let row = self.mended_row(row);
        let Algorithm::DeepLearning(net) = &self.algorithm;
        match self.category {
            Category::Regression => Prediction::Value(self.with_columns(&row, workspace, |columns, workspace| {
                net.score_value_with_offset(columns, offset, workspace)
            })),
            Category::AutoEncoder => {
                let mse = self.with_columns(&row, workspace, |columns, workspace| {
                    let mse = net.squared_errors(columns, workspace);
                    net.reconstruct(columns, workspace);
                    mse
                });
                Prediction::Reconstruction { values: &workspace.predictions, mse }
            }
            Category::Binomial | Category::Multinomial => match self.score(&row, workspace) {
                Prediction::Class { label: Some(_), probabilities } if probabilities.len() > 2 => {
                    Prediction::Class { label: Some(likeliest(probabilities)), probabilities }
                }
                prediction => prediction,
            },
        }
    }

    /// The row with the levels of `Binary` that are missing as they were in training.
    pub(crate) fn mended_row<'r>(&self, row: &'r [f64]) -> Cow<'r, [f64]> {
        if self.encoding != Encoding::Binary {
            return Cow::Borrowed(row);
        }
        let cells = self.schema.features().iter().zip(row);
        // The code one below the first has no bit.
        Cow::Owned(cells.map(|(f, &x)| if f.domain.is_some() && x.is_nan() { -1.0 } else { x }).collect())
    }
}

fn likeliest(probabilities: &[f64]) -> usize {
    let mut best = 0;
    for (class, &p) in probabilities.iter().enumerate() {
        if p > probabilities[best] {
            best = class;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_the_likeliest_classes_wins() {
        assert_eq!(likeliest(&[0.2, 0.4, 0.4]), 1);
        assert_eq!(likeliest(&[0.5, 0.25, 0.25]), 0);
    }
}
