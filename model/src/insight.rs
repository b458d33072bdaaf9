//! What a net says besides its answer: how far an autoencoder is off at each input, and the outputs of hidden layers.
//!
//! H2O has both in its cluster alone. Rows are encoded as everywhere in scoring.

use crate::deep_learning::DeepLearning;
use crate::model::{Algorithm, Model, Workspace};

impl Model {
    /// The names of an autoencoder's errors, as H2O heads them: those of its reconstruction with `.SE` behind them.
    pub fn error_names(&self) -> Vec<String> {
        self.reconstruction_names().into_iter().map(|name| name + ".SE").collect()
    }

    /// How far an autoencoder is off at each input of its net, squared, for a raw row. Numbers count in their scale; a
    /// missing one is compared with the 0 that it was taken for.
    pub fn squared_errors<'w>(&self, row: &[f64], workspace: &'w mut Workspace) -> &'w [f64] {
        self.with_columns(row, workspace, |columns, workspace| self.net().squared_errors(columns, workspace));
        &workspace.predictions
    }

    /// How many hidden layers there are.
    pub fn hidden_layers(&self) -> usize {
        self.net().network.layers().len() - 1
    }

    /// The names of the outputs of a hidden layer, counted from 0, as H2O heads them: `DF.L1.C1` is the first unit of
    /// layer 0.
    pub fn deep_feature_names(&self, layer: usize) -> Vec<String> {
        let units = self.net().network.layers()[layer].units;
        (1..=units).map(|unit| format!("DF.L{}.C{unit}", layer + 1)).collect()
    }

    /// The outputs of a hidden layer, counted from 0 and below [`hidden_layers`](Self::hidden_layers), for a raw row. Where
    /// training dropped units they are scaled as for every score.
    pub fn deep_features<'w>(&self, layer: usize, row: &[f64], workspace: &'w mut Workspace) -> &'w [f64] {
        let net = self.net();
        self.with_columns(row, workspace, |columns, workspace| {
            net.read(columns, workspace);
            let Workspace { terms, predictions, .. } = workspace;
            net.network.hidden_layer(0, terms, predictions);
            for hidden in 1..=layer {
                net.network.read(hidden, predictions, terms);
                net.network.hidden_layer(hidden, terms, predictions);
            }
        });
        &workspace.predictions
    }

    /// What computes the answer of a deep-learning model.
    pub fn net(&self) -> &DeepLearning {
        let Algorithm::DeepLearning(net) = &self.algorithm;
        net
    }
}
