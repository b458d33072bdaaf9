//! Models for tests.

use model::{
    Activation, Algorithm, Category, ColumnProfile, DeepLearning, Distribution, Domain, Encoding, Feature, InputLayout,
    Labelling, Layer, Model, Network, Profile, Response, ResponseScaling, Scaling, Schema, SpecialColumns,
    ValueProfile,
};

use crate::artifact::Artifact;

pub(crate) const TIMESTAMP: &str = "2026-11-30T15:00:36.751Z";

/// Levels with all that a line of a domain file could trip over, the empty one included.
pub(crate) const ODD_LEVELS: [&str; 12] = [
    "",
    " padded ",
    "two words",
    "comma, \"quote\"",
    "line\nfeed",
    "carriage\r\nreturn",
    "back\\slash\\n",
    "#hash",
    "[info]",
    "naïve 日本 🦀",
    "next\u{85}line\u{2028}",
    "7",
];

/// Names with all that a line of `[columns]` can carry.
pub(crate) const ODD_NAMES: [&str; 8] =
    ["a=b = c", "inner blank", "comma, \"quote\"", "naïve 日本 🦀", "[data]", "0: 2 d000.txt", "tab\there", "null"];

pub(crate) fn domain(levels: &[&str]) -> Domain {
    Domain::new(levels.iter().map(|&level| level.to_owned()).collect())
}

/// A net of two hidden layers with odd names and levels.
pub(crate) fn model(activation: Activation, category: Category) -> Model {
    let categoricals = [domain(&ODD_LEVELS), domain(&["0", "1", "2"])];
    let features = ODD_NAMES
        .iter()
        .enumerate()
        .map(|(i, &name)| Feature { name: name.to_owned(), domain: categoricals.get(i).cloned() });
    let numerics = ODD_NAMES.len() - categoricals.len();
    let (classes, distribution) = match category {
        Category::Binomial => (Some(domain(&["no", "yes"])), Distribution::Bernoulli),
        Category::Multinomial => (Some(domain(&["0", "b b", "\\"])), Distribution::Multinomial),
        Category::Regression | Category::AutoEncoder => (None, Distribution::Gaussian),
    };
    let scaling = Scaling { mul: values(numerics, 0.3), sub: values(numerics, 40.0) };
    let layout = InputLayout::new(&[ODD_LEVELS.len(), 3], numerics, true, Some(scaling));
    let is_autoencoder = category == Category::AutoEncoder;
    let outputs = if is_autoencoder { layout.inputs() } else { classes.as_ref().map_or(1, Domain::len) };
    let network = Network::new(
        activation,
        vec![
            layer(layout.inputs(), 9, activation.channels_of(0, 2), 0.25),
            layer(9, 3, activation.channels_of(1, 2), 0.5),
            layer(3, outputs, 1, 0.0),
        ],
    );
    Model {
        encoding: Encoding::Auto,
        category,
        labelling: Labelling {
            default_threshold: 0.417,
            prior_class_distrib: classes.as_ref().map(|_| vec![1.0 / outputs as f64; outputs]),
            model_class_distrib: None,
            balance_classes: false,
        },
        schema: Schema::new(
            features.collect(),
            (!is_autoencoder).then(|| Response { name: "the response".into(), domain: classes }),
            SpecialColumns { weights: Some("w".into()), offset: None, fold: Some("f".into()) },
        ),
        algorithm: Algorithm::DeepLearning(DeepLearning {
            layout,
            network: network.expect("the layers fit"),
            distribution,
            response_scaling: (category == Category::Regression).then_some(ResponseScaling { mul: 0.1, sub: 22.5 }),
            mean_imputation: true,
        }),
    }
}

/// The minimal model of a categorical and a numeric column.
pub(crate) fn minimal() -> Model {
    let hidden = Layer {
        weights: vec![0.1, 0.2, 0.3, 0.4, -0.1, 0.2, -0.3, 0.4],
        biases: vec![0.5, 0.25],
        ..layer(4, 2, 1, 0.0)
    };
    let output = Layer { weights: vec![1.5, -0.5, 0.25, 0.75], biases: vec![0.1, -0.1], ..layer(2, 2, 1, 0.0) };
    let scaling = Scaling { mul: vec![2.0], sub: vec![1.0] };
    Model {
        schema: Schema::new(
            vec![
                Feature { name: "c".into(), domain: Some(domain(&["a", "b"])) },
                Feature { name: "n".into(), domain: None },
            ],
            Some(Response { name: "y".into(), domain: Some(domain(&["no", "yes"])) }),
            SpecialColumns::default(),
        ),
        encoding: Encoding::Auto,
        category: Category::Binomial,
        labelling: Labelling {
            default_threshold: 0.5,
            prior_class_distrib: Some(vec![0.4, 0.6]),
            model_class_distrib: None,
            balance_classes: false,
        },
        algorithm: Algorithm::DeepLearning(DeepLearning {
            layout: InputLayout::new(&[2], 1, true, Some(scaling)),
            network: Network::new(Activation::Rectifier, vec![hidden, output]).expect("the layers fit"),
            distribution: Distribution::Bernoulli,
            response_scaling: None,
            mean_imputation: true,
        }),
    }
}

/// Encodings that replace columns, each with what it needs for the model of [`encoded`].
pub(crate) fn encodings() -> [Encoding; 3] {
    [Encoding::Binary, Encoding::Eigen { projections: values(14, 0.7) }, Encoding::LabelEncoder]
}

/// The minimal net grown to encoded columns: a number, three levels that are mostly numbers, a number, odd levels.
pub(crate) fn encoded(encoding: Encoding) -> Model {
    let odd: Vec<&str> = ODD_LEVELS.into_iter().filter(|level| *level != " padded ").collect();
    let domains = [None, Some(domain(&["10", "x", "-7"])), None, Some(domain(&odd))];
    let features: Vec<Feature> =
        ODD_NAMES.iter().zip(domains).map(|(&name, domain)| Feature { name: name.to_owned(), domain }).collect();
    of_columns(features, encoding)
}

/// The minimal net grown to so many columns, each second one of them levels that count as numbers.
pub(crate) fn wide(columns: usize) -> Model {
    let levels = |column: usize| (column % 2 == 1).then(|| domain(&["a", "b"]));
    let feature = |column| Feature { name: format!("c{column}"), domain: levels(column) };
    of_columns((0..columns).map(feature).collect(), Encoding::LabelEncoder)
}

/// The minimal net grown to columns that are all numbers once they are encoded.
fn of_columns(features: Vec<Feature>, encoding: Encoding) -> Model {
    let numerics = encoding.columns(&features).len();
    let scaling = Scaling { mul: values(numerics, 0.3), sub: values(numerics, 4.0) };
    let layout = InputLayout::new(&[], numerics, true, Some(scaling));
    let layers = vec![layer(numerics, 5, 1, 0.0), layer(5, 2, 1, 0.0)];
    let minimal = minimal();
    Model {
        schema: Schema::new(
            features,
            minimal.schema.response().cloned(),
            SpecialColumns { weights: Some("w".into()), offset: None, fold: None },
        ),
        encoding,
        algorithm: Algorithm::DeepLearning(DeepLearning {
            layout,
            network: Network::new(Activation::Rectifier, layers).expect("the layers fit"),
            distribution: Distribution::Bernoulli,
            response_scaling: None,
            mean_imputation: true,
        }),
        ..minimal
    }
}

/// A profile that fits a model.
pub(crate) fn profile(model: &Model) -> Profile {
    let columns = model.schema.features().iter().map(|feature| ColumnProfile {
        name: feature.name.clone(),
        missing: 100,
        values: match &feature.domain {
            Some(domain) => ValueProfile::Categorical { counts: (0..domain.len() as u64).collect() },
            None => {
                ValueProfile::Numeric { mean: 1.0, sigma: f64::NAN, quantiles: vec![-2.0, 0.5, 90.0], whole: false }
            }
        },
    });
    Profile { rows: 1000, columns: columns.collect() }
}

/// The minimal model with all that may travel with it.
pub(crate) fn artifact() -> Artifact {
    let model = minimal();
    let profile = profile(&model);
    Artifact::new(model, TIMESTAMP).with_profile(profile)
}

fn layer(inputs: usize, units: usize, channels: usize, dropout_ratio: f64) -> Layer {
    let biases = units * channels;
    let weights = values(biases * inputs, 1.0).into_iter().map(|weight| weight as f32).collect();
    Layer { inputs, units, channels, weights, biases: values(biases, 0.2), dropout_ratio }
}

/// Numbers of both signs with many digits, none of them 0.
fn values(count: usize, size: f64) -> Vec<f64> {
    (0..count).map(|i| size * ((i as f64 + 0.3).mul_add(1.9, size) % 2.0 - 1.0)).collect()
}
