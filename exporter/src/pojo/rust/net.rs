//! What is told of the net and of its answer.

use model::{Category, DeepLearning, Distribution, Domain, Feature, Model, Nonlinearity};
use serde::Serialize;

use super::levels::{LevelType, Table, class_table};
use super::math::exp_source;
use super::text;
use super::weights::{self, LayerFacts, Spelling};

/// Units whose sums are computed together, at most: eight sums for each of them stay in the first cache.
const LARGEST_TILE: usize = 64;

/// The layers and what their units do.
#[derive(Debug, Serialize)]
pub(super) struct NetFacts {
    /// The names of the hidden layers, and the list of them.
    hidden: Vec<String>,
    hidden_layers: String,
    layers: Vec<LayerFacts>,
    weights_are_bytes: bool,
    /// Whether inputs that are 0 may be left out: not where a weight times 0 is none.
    skips_zeros: bool,
    pub tile: usize,
    /// The most units that a layer reads and that are not 0.
    pub most_units: usize,
    /// The most sums that a hidden layer has.
    pub most_nets: usize,
    /// What units do, where there are any that do something.
    nonlinearity: &'static str,
    /// What a hidden unit's output and an autoencoder's are multiplied by, `*` included.
    keep: &'static str,
    output_keep: String,
    uses_abs: bool,
    /// The source of `exp`, where it is needed.
    exp: Option<String>,
}

impl NetFacts {
    pub fn of(model: &Model, net: &DeepLearning, own: &[Feature], spelling: Spelling) -> Self {
        let network = &net.network;
        let layers = network.layers();
        let hidden = layers.len() - 1;
        let is_autoencoder = model.category == Category::AutoEncoder;
        let drops = (0..hidden).any(|layer| network.keep(layer) != 1.0);
        let nonlinearity = network.activation().nonlinearity();
        let nonlinearity = (hidden > 0 || is_autoencoder).then_some(nonlinearity);
        let output_keep = if is_autoencoder { network.keep(hidden) } else { 1.0 };
        let widest = layers.iter().map(|layer| layer.biases.len()).max().unwrap_or(0);
        let uses_exp = matches!(nonlinearity, Some(Nonlinearity::Tanh | Nonlinearity::ExpRectifier))
            || AnswerFacts::uses_exp(model, net);
        let skips_zeros = layers.iter().flat_map(|layer| &layer.weights).all(|weight| weight.is_finite());
        // A column sets one of its inputs.
        let most_inputs = if skips_zeros { own.len() } else { network.inputs() };
        let names: Vec<String> = (1..=hidden).map(|layer| format!("&HIDDEN_{layer}")).collect();
        Self {
            hidden_layers: text::items("", &names, true),
            hidden: names,
            layers: weights::layers(network, &weights::input_names(own, &net.layout), spelling),
            weights_are_bytes: spelling == Spelling::Bytes,
            skips_zeros,
            tile: widest.next_multiple_of(8).clamp(8, LARGEST_TILE),
            most_units: layers[1..].iter().map(|layer| layer.inputs).chain([most_inputs]).max().unwrap_or(0),
            most_nets: layers[..hidden].iter().map(|layer| layer.biases.len()).max().unwrap_or(0),
            nonlinearity: match nonlinearity {
                None => "none",
                Some(Nonlinearity::Tanh) => "Tanh",
                Some(Nonlinearity::Rectifier) => "Rectifier",
                Some(Nonlinearity::Maxout) => "Maxout",
                Some(Nonlinearity::ExpRectifier) => "ExpRectifier",
            },
            keep: if drops { " * layer.keep" } else { "" },
            output_keep: if output_keep == 1.0 { String::new() } else { format!(" * {}", text::number(output_keep)) },
            uses_abs: nonlinearity == Some(Nonlinearity::Rectifier),
            exp: uses_exp.then(exp_source),
        }
    }
}

/// What becomes of the outputs.
#[derive(Debug, Serialize)]
pub(super) struct AnswerFacts {
    category: &'static str,
    pub outputs: usize,
    /// The classes of a classifier.
    label: Option<LevelType>,
    /// The name of the response.
    response: String,
    /// Of two classes: from which probability on it is the second.
    threshold: String,
    /// Of more than two: their shares in training, which decide between equal ones.
    priors: Option<String>,
    /// What undoes the balancing of classes.
    correction: Option<String>,
    /// What brings the output of a regression back to the response's scale.
    descale: String,
    /// The mean of the response for the `output`.
    link: &'static str,
    /// What an autoencoder's outputs are.
    reconstructed: String,
}

impl AnswerFacts {
    /// The facts of the answer, and the table of its classes.
    pub fn of(model: &Model, net: &DeepLearning, label_type: &str) -> (Self, Option<Table>) {
        let response = model.schema.response().map_or("", |response| response.name.as_str());
        let classes = model.schema.classes();
        let label = classes.map(|classes| LevelType::of_classes(label_type.to_owned(), response, classes));
        let table = label.as_ref().zip(classes).filter(|(label, _)| !label.is_named());
        let table = table.map(|(label, classes)| class_table(label, classes));
        let list = |values: &Vec<f64>| text::array("", values);
        let labelling = &model.labelling;
        let is_autoencoder = model.category == Category::AutoEncoder;
        let names = if is_autoencoder { model.output_names() } else { Vec::new() };
        // But for the error, which is last.
        let reconstructed = names.iter().take(net.network.outputs()).map(|name| text::literal(name));
        let facts = Self {
            category: model.category.name(),
            outputs: net.network.outputs(),
            response: text::quoted(response),
            threshold: text::number(labelling.default_threshold),
            priors: labelling.prior_class_distrib.as_ref().filter(|_| classes.map_or(0, Domain::len) > 2).map(list),
            correction: labelling.correction().map(|factors| list(&factors.collect())),
            descale: net.response_scaling.map_or_else(String::new, |scaling| {
                let (sign, sub) = if scaling.sub < 0.0 { ('-', -scaling.sub) } else { ('+', scaling.sub) };
                format!(" / {} {sign} {}", text::number(scaling.mul), text::number(sub))
            }),
            link: link(net.distribution),
            reconstructed: text::items("", &reconstructed.collect::<Vec<_>>(), true),
            label,
        };
        (facts, table)
    }

    fn uses_exp(model: &Model, net: &DeepLearning) -> bool {
        match model.category {
            Category::Binomial | Category::Multinomial => true,
            Category::Regression => !net.distribution.has_identity_link(),
            Category::AutoEncoder => false,
        }
    }
}

/// `Distribution::link_inverse` of the `output`.
fn link(distribution: Distribution) -> &'static str {
    match distribution {
        Distribution::Bernoulli => "1.0 / (1.0 + capped_exp(-output))",
        Distribution::Multinomial | Distribution::Poisson | Distribution::Gamma | Distribution::Tweedie => {
            "capped_exp(output)"
        }
        Distribution::Gaussian | Distribution::Laplace | Distribution::Quantile | Distribution::Huber => "output",
    }
}
