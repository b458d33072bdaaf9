//! Models of every kind, with names and levels as odd as they come.

use model::{
    Activation, Algorithm, Category, DeepLearning, Distribution, Domain, Encoding, Feature, InputLayout, Labelling,
    Layer, LimitedLevels, Model, Network, Response, ResponseScaling, Scaling, Schema, SpecialColumns,
};

use crate::golden::SplitMix64;
use crate::samples::{ODD_LEVELS, ODD_NAMES};

/// Names that a program cannot have, or that it has already.
const MORE_NAMES: [&str; 12] = [
    "type",
    "Type",
    "self",
    "Row",
    "Option",
    "",
    "`tick`",
    "break\nout",
    "\u{202e}evil",
    "*/ // \\",
    "units",
    "{{ x }}",
];

const MORE_LEVELS: [&str; 8] = ["Missing", "Unseen", "Self", "missing", "<=50K", ">50K", "``", "\u{202e}"];

pub(super) struct RandomModels(SplitMix64);

impl RandomModels {
    pub const ENCODINGS: usize = 5;

    pub fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    pub fn once_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn below(&mut self, count: usize) -> usize {
        (self.0.unit() * count as f64) as usize
    }

    /// A number of either sign, 0 now and then.
    fn number(&mut self, size: f64) -> f64 {
        if self.once_in(8) { 0.0 } else { size * (2.0 * self.0.unit() - 1.0) }
    }

    fn numbers(&mut self, count: usize, size: f64) -> Vec<f64> {
        (0..count).map(|_| self.number(size)).collect()
    }

    fn shares(&mut self, count: usize) -> Vec<f64> {
        (0..count).map(|_| if self.once_in(10) { 0.0 } else { self.0.unit() }).collect()
    }

    pub fn model(&mut self, activation: Activation, category: Category, encoding: usize) -> Model {
        let features = self.features();
        let (encoding, use_all) = (self.encoding(encoding, &features), self.once_in(2));
        let own = encoding.columns(&features).into_owned();
        let levels: Vec<usize> = own.iter().filter_map(|column| Some(column.domain.as_ref()?.len())).collect();
        let numerics = own.len() - levels.len();
        let scaling =
            (!self.once_in(3)).then(|| Scaling { mul: self.numbers(numerics, 0.9), sub: self.numbers(numerics, 2.0) });
        let layout = InputLayout::new(&levels, numerics, use_all, scaling);
        let classes = match category {
            Category::Binomial => Some(2),
            Category::Multinomial => Some(if self.once_in(6) { 60 } else { 3 + self.below(4) }),
            Category::Regression | Category::AutoEncoder => None,
        };
        let is_autoencoder = category == Category::AutoEncoder;
        let outputs = classes.unwrap_or(if is_autoencoder { layout.inputs() } else { 1 });
        let distribution = match category {
            Category::Regression => Distribution::ALL[self.below(Distribution::ALL.len())],
            _ => Distribution::Gaussian,
        };
        Model {
            encoding,
            category,
            labelling: self.labelling(classes),
            schema: Schema::new(
                features,
                (!is_autoencoder).then(|| Response {
                    name: if self.once_in(3) { "Row".into() } else { "the response".into() },
                    domain: classes.map(|count| self.domain(count)),
                }),
                SpecialColumns::default(),
            ),
            algorithm: Algorithm::DeepLearning(DeepLearning {
                network: self.network(activation, layout.inputs(), outputs),
                layout,
                distribution,
                response_scaling: self.once_in(2).then(|| ResponseScaling { mul: 0.3, sub: self.number(4.0) }),
                mean_imputation: true,
            }),
        }
    }

    /// Columns with levels, then numbers; some have names of others.
    fn features(&mut self) -> Vec<Feature> {
        let (categoricals, numerics) = (self.below(4), self.below(12));
        let names: Vec<&str> = ODD_NAMES.into_iter().chain(MORE_NAMES).collect();
        let count = (categoricals + numerics).max(1);
        let feature = |index: usize| {
            let name = names[self.below(names.len())].to_owned();
            let levels = match self.below(8) {
                0 => 0,
                1 => 1,
                2 => 70,
                _ => 2 + self.below(20),
            };
            Feature { name, domain: (index < categoricals).then(|| self.domain(levels)) }
        };
        (0..count).map(feature).collect()
    }

    fn domain(&mut self, count: usize) -> Domain {
        let odd: Vec<&str> = ODD_LEVELS.into_iter().chain(MORE_LEVELS).collect();
        let level = |index: usize| match self.below(3) {
            0 => odd[index % odd.len()].to_owned(),
            1 => format!("{}", index as i64 - 3),
            _ => format!("level {index}"),
        };
        Domain::new((0..count).map(level).collect())
    }

    fn encoding(&mut self, encoding: usize, features: &[Feature]) -> Encoding {
        match encoding {
            0 => Encoding::Auto,
            1 => Encoding::Binary,
            2 => {
                let levels = features.iter().filter_map(|feature| feature.domain.as_ref()).map(Domain::len);
                Encoding::Eigen { projections: self.numbers(levels.sum(), 1.0) }
            }
            3 => Encoding::LabelEncoder,
            _ => {
                let limit = |feature: &Feature| {
                    let levels = feature.domain.as_ref().filter(|domain| domain.len() > 3)?.len();
                    let codes = (0..levels).map(|_| self.below(3) as u32).collect();
                    Some(LimitedLevels { domain: Domain::new(["x", "y", "z"].map(str::to_owned).to_vec()), codes })
                };
                Encoding::EnumLimited { most: 2, limited: features.iter().map(limit).collect() }
            }
        }
    }

    fn labelling(&mut self, classes: Option<usize>) -> Labelling {
        let shares = |random: &mut Self| classes.map(|count| random.shares(count));
        Labelling {
            default_threshold: self.0.unit(),
            prior_class_distrib: if self.once_in(4) { None } else { shares(self) },
            model_class_distrib: if self.once_in(4) { None } else { shares(self) },
            balance_classes: self.once_in(2),
        }
    }

    /// Layers of all sizes: none, one unit, more than a tile; some with equal outputs, some with a weight that is not finite.
    fn network(&mut self, activation: Activation, inputs: usize, outputs: usize) -> Network {
        let sizes: &[usize] = [&[][..], &[1], &[9], &[5, 8], &[70, 17], &[3, 12, 4], &[130]][self.below(7)];
        let mut below = inputs;
        let mut layers = Vec::new();
        for (index, &units) in sizes.iter().chain([&outputs]).enumerate() {
            let channels = activation.channels_of(index, sizes.len());
            let biases = units * channels;
            let size = if index == sizes.len() && self.once_in(5) { 0.0 } else { 1.5 };
            let mut weights: Vec<f32> = (0..biases * below).map(|_| self.number(size) as f32).collect();
            if let (true, Some(weight)) = (self.once_in(40), weights.last_mut()) {
                *weight = [f32::INFINITY, f32::NEG_INFINITY, f32::NAN][self.below(3)];
            }
            let biases = self.numbers(biases, size);
            layers.push(Layer { inputs: below, units, channels, weights, biases, dropout_ratio: self.0.unit() });
            below = units;
        }
        Network::new(activation, layers).expect("the layers fit")
    }
}
