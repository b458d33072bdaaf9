//! The keys of a Deep Learning model.

use model::{Activation, DeepLearning, Distribution, InputLayout, Layer, Network, ResponseScaling, Scaling};

use super::error::ReadError;
use super::ini::Ini;
use super::layout::key;

/// Layers that a net may have.
const MAX_LAYERS: usize = 10_000;

/// Reads the keys that follow the common ones.
pub(super) fn read(ini: &Ini<'_>) -> Result<DeepLearning, ReadError> {
    let layout = read_layout(ini)?;
    let network = read_network(ini)?;
    let first_numeric = layout.cat_offsets.last().copied().unwrap_or(0);
    // Each column has an input at least.
    let inputs = first_numeric.max(layout.categoricals()).saturating_add(layout.numerics);
    if network.inputs() < inputs {
        return Err(ReadError::HashedColumns { expected: inputs, found: network.inputs() });
    }
    Ok(DeepLearning {
        layout,
        network,
        distribution: read_distribution(ini)?,
        response_scaling: read_response_scaling(ini)?,
        mean_imputation: ini.flag(key::MEAN_IMPUTATION)?,
    })
}

fn read_layout(ini: &Ini<'_>) -> Result<InputLayout, ReadError> {
    let (nums, cats) = (ini.count(key::NUMS)?, ini.count(key::CATS)?);
    let offsets = cats.saturating_add(1);
    let cat_offsets = ini.counts(key::CAT_OFFSETS, offsets..=offsets)?;
    let mul = ini.optional_numbers(key::NORM_MUL, nums)?;
    let sub = ini.optional_numbers(key::NORM_SUB, nums)?;
    let scaling = match (mul, sub) {
        (None, None) => None,
        (mul, sub) => {
            // Empty lists scale nothing either, as H2O writes them where there are no numbers.
            let (mul, sub) = (mul.unwrap_or_default(), sub.unwrap_or_default());
            (nums == 0 || !mul.is_empty() || !sub.is_empty()).then_some(Scaling { mul, sub })
        }
    };
    Ok(InputLayout {
        cat_offsets,
        numerics: nums,
        use_all_factor_levels: ini.flag(key::USE_ALL_FACTOR_LEVELS)?,
        scaling,
        hashing: None,
    })
}

fn read_network(ini: &Ini<'_>) -> Result<Network, ReadError> {
    let name = ini.text(key::ACTIVATION)?;
    // `FromStr` takes more spellings than an archive may have.
    let activation = Activation::ALL.into_iter().find(|activation| activation.name() == name);
    let activation = activation.ok_or_else(|| {
        let names: Vec<&str> = Activation::ALL.iter().map(|activation| activation.name()).collect();
        ini.value_error(key::ACTIVATION, format!("one of {}", names.join(", ")))
    })?;
    let sizes = ini.counts(key::NEURAL_NETWORK_SIZES, 0..=MAX_LAYERS + 1)?;
    if sizes.len() < 2 || sizes[1..].contains(&0) {
        return Err(ini.value_error(key::NEURAL_NETWORK_SIZES, "the units of two layers or more"));
    }
    let layer_count = sizes.len() - 1;
    let dropout_ratios = ini.numbers(key::HIDDEN_DROPOUT_RATIOS, layer_count)?;
    let layers = sizes.windows(2).zip(dropout_ratios).enumerate().map(|(l, (units, dropout_ratio))| {
        let channels = activation.channels_of(l, layer_count - 1);
        read_layer(ini, l, units[0], units[1], channels, dropout_ratio)
    });
    Ok(Network::new(activation, layers.collect::<Result<_, _>>()?)?)
}

fn read_layer(
    ini: &Ini<'_>,
    l: usize,
    inputs: usize,
    units: usize,
    channels: usize,
    dropout_ratio: f64,
) -> Result<Layer, ReadError> {
    let bias_count = units.saturating_mul(channels);
    let biases = ini.numbers(&key::bias_layer(l), bias_count)?;
    let weights = ini.weights(&key::weight_layer(l), bias_count.saturating_mul(inputs))?;
    Ok(Layer { inputs, units, channels, weights, biases, dropout_ratio })
}

fn read_distribution(ini: &Ini<'_>) -> Result<Distribution, ReadError> {
    let name = ini.text(key::DISTRIBUTION)?;
    let found = Distribution::ALL.into_iter().find(|distribution| distribution.name() == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = Distribution::ALL.iter().map(|distribution| distribution.name()).collect();
        ReadError::Distribution { found: name.to_owned(), read: names.join(", ") }
    })
}

fn read_response_scaling(ini: &Ini<'_>) -> Result<Option<ResponseScaling>, ReadError> {
    let mul = ini.optional_numbers(key::NORM_RESP_MUL, 1)?;
    let sub = ini.optional_numbers(key::NORM_RESP_SUB, 1)?;
    match (mul.as_deref(), sub.as_deref()) {
        (None, None) => Ok(None),
        (Some(&[mul]), Some(&[sub])) => Ok(Some(ResponseScaling { mul, sub })),
        (mul, _) => {
            let key = if mul.is_none() { key::NORM_RESP_MUL } else { key::NORM_RESP_SUB };
            Err(ReadError::Length { key: key.to_owned(), expected: 1, found: 0 })
        }
    }
}
