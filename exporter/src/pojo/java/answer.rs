//! From the outputs of the net to a prediction.

use model::{Category, DeepLearning, Distribution, Model, Nonlinearity, exp_powers};
use serde::Serialize;

use super::FIELD;
use super::literal::{number, numbers};

#[derive(Serialize)]
pub(super) struct AnswerFacts {
    is_autoencoder: bool,
    /// Of two classes, the probability from which on the second is predicted.
    threshold: Option<String>,
    /// What undoes the balancing of classes.
    correction: Option<String>,
    prior_class_distrib: Option<String>,
    model_class_distrib: Option<String>,
    /// `(mul, sub)` of a regression.
    response_scaling: Option<[String; 2]>,
    /// What inverts the link of a regression: `identity`, `log` or `logit`.
    link: &'static str,
    needs_exp: bool,
    /// 2^(i/128), and what it lacks.
    powers: [String; 2],
}

impl AnswerFacts {
    pub fn new(model: &Model, net: &DeepLearning) -> Self {
        let labelling = &model.labelling;
        let shares = |shares: &Option<Vec<f64>>| shares.as_ref().map(|shares| numbers(shares, FIELD));
        let is_two_classes = model.schema.classes().is_some_and(|classes| classes.len() == 2);
        let link = match net.distribution {
            Distribution::Bernoulli => "logit",
            Distribution::Multinomial | Distribution::Poisson | Distribution::Gamma | Distribution::Tweedie => "log",
            Distribution::Gaussian | Distribution::Laplace | Distribution::Quantile | Distribution::Huber => "identity",
        };
        let (powers, rests): (Vec<f64>, Vec<f64>) = exp_powers().iter().copied().unzip();
        Self {
            is_autoencoder: model.category == Category::AutoEncoder,
            threshold: is_two_classes.then(|| number(labelling.default_threshold)),
            correction: labelling.correction().map(|factors| numbers(&factors.collect::<Vec<_>>(), FIELD)),
            prior_class_distrib: shares(&labelling.prior_class_distrib),
            model_class_distrib: shares(&labelling.model_class_distrib),
            response_scaling: net.response_scaling.map(|scaling| [number(scaling.mul), number(scaling.sub)]),
            link,
            needs_exp: needs_exp(model.category, net, link),
            powers: [numbers(&powers, FIELD), numbers(&rests, FIELD)],
        }
    }
}

fn needs_exp(category: Category, net: &DeepLearning, link: &str) -> bool {
    let nonlinearity = net.network.activation().nonlinearity();
    let is_activated = net.network.layers().len() > 1 || category == Category::AutoEncoder;
    let in_layers = is_activated && matches!(nonlinearity, Nonlinearity::Tanh | Nonlinearity::ExpRectifier);
    let in_answer = match category {
        Category::Binomial | Category::Multinomial => true,
        Category::Regression => link != "identity",
        Category::AutoEncoder => false,
    };
    in_layers || in_answer
}
