//! Flags of `predict`.

use std::path::PathBuf;

use clap::ValueEnum;
use model::ContributionFormat;

use super::HeaderKind;

#[derive(Debug, clap::Args)]
pub struct PredictArgs {
    /// Folder that `train` wrote, or a MOJO
    pub model: PathBuf,
    /// CSV file with the rows, plain or gzip, its columns found by name
    #[arg(long, value_name = "FILE")]
    pub input: PathBuf,
    /// CSV file to write the predictions to, - for standard output
    #[arg(long, value_name = "FILE")]
    pub output: PathBuf,
    /// Write how far an autoencoder is off at each of its inputs, squared, instead of the reconstruction
    #[arg(long, conflicts_with = "deep_features")]
    pub per_feature: bool,
    /// Write the outputs of a hidden layer, counted from 0, instead of the prediction
    #[arg(long, value_name = "LAYER", allow_negative_numbers = true, value_parser = hidden_layer)]
    pub deep_features: Option<usize>,
    #[command(flatten)]
    pub explain: ContributionArgs,
    /// Give the answers that the model was trained to give where H2O's runtime has defects: it leaves offsets out, takes a
    /// missing level of the Binary encoding for missing bits, has no error of an autoencoder where a number is missing, and
    /// may decide ties between classes for one of smaller probability. Of contributions, explain those answers, and two classes
    /// through both of their net inputs
    #[arg(long, conflicts_with_all = ["per_feature", "deep_features"])]
    pub fix_defects: bool,
    /// Refuse unseen levels, unreadable numbers and rows with a cell too few or too many, instead of taking what is
    /// wrong as missing
    #[arg(long)]
    pub strict: bool,
    /// Whether the first line holds column names: auto says yes, unless the model was trained without names and the line
    /// has none of them
    #[arg(long, value_enum, default_value_t = HeaderKind::Auto)]
    pub header: HeaderKind,
}

#[derive(Debug, clap::Args)]
pub struct ContributionArgs {
    /// Write what each input or column contributes to the value or the probabilities, then `BiasTerm`: a row adds up to what is
    /// explained, that of the second of two classes, and with more classes of each, behind its name
    #[arg(long, conflicts_with_all = ["per_feature", "deep_features"])]
    pub contributions: bool,
    /// CSV file with rows that contributions compare with, in the mean [default: one row, every number at its mean and every
    /// level missing]
    #[arg(long, value_name = "FILE", requires = "contributions")]
    pub background_frame: Option<PathBuf>,
    /// What has a contribution
    #[arg(long, value_enum, default_value_t = ContributionFormatKind::Original, requires = "contributions")]
    pub output_format: ContributionFormatKind,
    /// Scale contributions to the logarithm of a mean (poisson, gamma, tweedie) so that they add up to the mean itself
    #[arg(long, requires = "contributions")]
    pub output_space: bool,
    /// Write a row for each row of the background frame instead of their mean, with `RowIdx` and `BackgroundRowIdx`
    #[arg(long, requires = "background_frame")]
    pub output_per_reference: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ContributionFormatKind {
    /// Each input of the net: a level, or a number
    Original,
    /// Each column: its levels together
    Compact,
}

impl ContributionFormatKind {
    pub fn format(self) -> ContributionFormat {
        match self {
            Self::Original => ContributionFormat::Original,
            Self::Compact => ContributionFormat::Compact,
        }
    }
}

/// Reads which hidden layer is meant.
fn hidden_layer(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "expected the number of a hidden layer, counted from 0".to_owned())
}
