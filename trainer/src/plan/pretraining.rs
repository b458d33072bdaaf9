//! Hidden layers that were trained before, by an autoencoder.

use model::{Activation, Algorithm, Category, Encoding, Layer, Model, Schema};

use super::PlanError;

/// The hidden layers of an autoencoder, if they are of the shapes that a net of these layer sizes has.
pub(super) fn hidden_layers<'m>(
    model: &'m Model,
    activation: Activation,
    sizes: &[usize],
) -> Result<&'m [Layer], PlanError> {
    if model.category != Category::AutoEncoder {
        return Err(PlanError::PretrainedCategory { category: model.category.name().to_lowercase() });
    }
    let Algorithm::DeepLearning(net) = &model.algorithm else {
        return Err(PlanError::PretrainedAlgorithm { algorithm: model.algorithm_name() });
    };
    let Some((_, hidden)) = net.network.layers().split_last() else { return Ok(&[]) };
    let (expected, found) = (sizes.len() - 2, hidden.len());
    if expected != found {
        return Err(PlanError::PretrainedLayers { expected, found });
    }
    for (l, layer) in hidden.iter().enumerate() {
        let channels = activation.channels_of(l, expected);
        if (layer.inputs, layer.units, layer.channels) != (sizes[l], sizes[l + 1], channels) {
            return Err(PlanError::PretrainedShape {
                layer: l + 1,
                inputs: sizes[l],
                units: sizes[l + 1],
                channels,
                found_inputs: layer.inputs,
                found_units: layer.units,
                found_channels: layer.channels,
            });
        }
    }
    Ok(hidden)
}

/// H2O looks at nothing but the shapes.
pub(super) fn warning(model: &Model, schema: &Schema, encoding: &Encoding, activation: Activation) -> Option<String> {
    let Algorithm::DeepLearning(net) = &model.algorithm else { return None };
    let differs = if (model.schema.features(), &model.encoding) != (schema.features(), encoding) {
        "columns or levels are not those"
    } else if net.network.activation().nonlinearity() != activation.nonlinearity() {
        "activation is not that"
    } else {
        return None;
    };
    Some(format!(
        "pretrained_autoencoder: its {differs} of this model, so what its layers have learned may mean nothing here"
    ))
}
