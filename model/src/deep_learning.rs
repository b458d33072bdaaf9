//! A deep-learning model: inputs, net, and what its outputs mean.

use crate::distribution::Distribution;
use crate::encoding::InputLayout;
use crate::label::Labelling;
use crate::model::Workspace;
use crate::network::Network;

/// What training made.
#[derive(Debug, Clone, PartialEq)]
pub struct DeepLearning {
    /// From raw rows to the inputs of the net.
    pub layout: InputLayout,
    /// The net.
    pub network: Network,
    /// What the outputs mean.
    pub distribution: Distribution,
    /// Scaling that training gave the response of a regression: the output is `out / mul + sub`.
    pub response_scaling: Option<ResponseScaling>,
    /// Whether missing numbers were imputed in training, or their rows skipped. Scoring imputes in any case.
    pub mean_imputation: bool,
}

/// `(y - sub) * mul`
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ResponseScaling {
    /// One over the standard deviation.
    #[serde(with = "crate::number::one")]
    pub mul: f64,
    /// The mean.
    #[serde(with = "crate::number::one")]
    pub sub: f64,
}

impl DeepLearning {
    /// The probability of each class for a raw row, in the workspace's predictions.
    pub fn score_classes(&self, row: &[f64], labelling: &Labelling, workspace: &mut Workspace) {
        self.forward(row, workspace);
        softmax(&workspace.nets, &mut workspace.predictions);
        labelling.correct(&mut workspace.predictions);
    }

    /// The predicted value for a raw row. H2O's runtime leaves offsets out.
    pub fn score_value(&self, row: &[f64], workspace: &mut Workspace) -> f64 {
        self.score_value_with_offset(row, 0.0, workspace)
    }

    /// The predicted value for a raw row and its offset, as H2O's cluster has it.
    pub fn score_value_with_offset(&self, row: &[f64], offset: f64, workspace: &mut Workspace) -> f64 {
        self.forward(row, workspace);
        self.mean_of(workspace.nets[0] + scaled_offset(offset, self.response_scaling))
    }

    /// What the net remembers of a row, in the workspace's predictions, and the mean of the squares of how far that is from
    /// the row: numbers count in their scale, and a missing one makes it NaN.
    pub fn reconstruct(&self, row: &[f64], workspace: &mut Workspace) -> f64 {
        self.outputs(row, workspace);
        let predictions = &mut workspace.predictions;
        let first_numeric = self.layout.first_numeric();
        let mut squares = 0.0;
        for (unit, original) in self.layout.levels_set(row) {
            let error = predictions[unit] - original;
            squares += error * error;
        }
        let (_, numbers) = row.split_at(self.layout.categoricals());
        for (number, (out, &original)) in predictions[first_numeric..].iter_mut().zip(numbers).enumerate() {
            let mut scale = 1.0;
            if let Some(scaling) = &self.layout.scaling {
                scale = scaling.mul[number];
                *out = *out / scale + scaling.sub[number];
            }
            let error = (*out - original) * scale;
            squares += error * error;
        }
        squares / predictions.len() as f64
    }

    /// How far an autoencoder is off at each input, squared, in the workspace's predictions, and the mean of them: in
    /// H2O's cluster, which compares the outputs of the net with its inputs. A missing number was taken for 0 there, so
    /// unlike [`reconstruct`](Self::reconstruct) this has an error for it.
    pub fn squared_errors(&self, row: &[f64], workspace: &mut Workspace) -> f64 {
        self.outputs(row, workspace);
        let Workspace { input, predictions, .. } = workspace;
        self.layout.fill(row, input);
        for (output, input) in predictions.iter_mut().zip(&*input) {
            let error = *output - input;
            *output = error * error;
        }
        predictions.iter().sum::<f64>() / predictions.len() as f64
    }

    /// The outputs of an autoencoder's net, in the workspace's predictions.
    fn outputs(&self, row: &[f64], workspace: &mut Workspace) {
        self.forward(row, workspace);
        let Workspace { nets, predictions, .. } = workspace;
        predictions.clear();
        predictions.extend(nets.iter().map(|&net| self.network.output(net)));
    }

    /// The net inputs of the output layer, in the workspace's.
    fn forward(&self, row: &[f64], workspace: &mut Workspace) {
        self.read(row, workspace);
        self.network.forward(&mut workspace.terms, &mut workspace.nets);
    }

    /// What the first layer reads of a row, in the workspace's terms.
    pub(crate) fn read(&self, row: &[f64], workspace: &mut Workspace) {
        let Workspace { input, terms, .. } = workspace;
        if self.layout.hashing.is_some() || self.network.reads_zeros() {
            self.layout.fill(row, input);
            self.network.read(0, input, terms);
        } else {
            self.network.begin(0, terms);
            self.layout.fill_terms(row, input, terms);
        }
    }

    /// The mean of the response for an output of the net.
    pub fn mean_of(&self, out: f64) -> f64 {
        self.distribution.link_inverse(self.descaled(out))
    }

    /// An output of the net in the units of the response, or of its logarithm.
    pub(crate) fn descaled(&self, out: f64) -> f64 {
        self.response_scaling.map_or(out, |scaling| out / scaling.mul + scaling.sub)
    }
}

/// What an offset adds to the output of the net: it is brought to the output's scale, mean included, and H2O leaves it out
/// unless it is above zero.
pub fn scaled_offset(offset: f64, scaling: Option<ResponseScaling>) -> f64 {
    match scaling {
        _ if offset <= 0.0 => 0.0,
        Some(scaling) => (offset - scaling.sub) * scaling.mul,
        None => offset,
    }
}

/// `exp(x - max) / sum`, added in the order of the classes.
pub fn softmax(net: &[f64], probabilities: &mut Vec<f64>) {
    let max = net.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    probabilities.clear();
    probabilities.extend(net.iter().map(|&x| crate::math::exp(x - max)));
    let sum: f64 = probabilities.iter().sum();
    for p in probabilities {
        *p /= sum;
    }
}
