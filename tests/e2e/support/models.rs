//! Models that nobody trained: every combination of what a model can be made of, at random.

use libtest_mimic::Failed;
use model::{
    Activation, Algorithm, Category, DeepLearning, Distribution, Domain, Encoding, Feature, Hashing, InputLayout,
    Labelling, Layer, LimitedLevels, Model, Network, Nonlinearity, Response, ResponseScaling, Scaling, Schema,
    SpecialColumns,
};

use super::random::Random;

/// Names of columns, some of which an artifact may take for something of its own.
const NAMES: [&str; 16] = [
    "age",
    "größe",
    "a,b = [1, 2]",
    "\"quoted\" 'name'",
    "数",
    "tab\there",
    "not # first",
    "label",
    "probabilities",
    "predict",
    "mse",
    "codes",
    "numbers",
    "softmax",
    "output",
    "two\nlines",
];

/// Levels, some of which look missing, or like numbers.
const LEVELS: [&str; 16] = [
    "plain",
    "",
    "NA",
    "-",
    "N/A",
    " padded ",
    "a,b",
    "line\nfeed",
    "naïve 日本 🦀",
    "7",
    "-3",
    "label",
    "unseen level",
    "null",
    "\\",
    "x",
];

/// A model of this category and activation; the same for the same random numbers.
pub fn random(random: &mut Random, category: Category, activation: Activation) -> Result<Model, Failed> {
    let is_autoencoder = category == Category::AutoEncoder;
    let features = features(random);
    let encoding = encoding(random, &features);
    let features = if has_own_order(&encoding) { features } else { categoricals_first(features) };
    let encoding = limited(random, encoding, &features);
    let columns = encoding.columns(&features);
    let levels: Vec<usize> = columns.iter().filter_map(|column| column.domain.as_ref()).map(Domain::len).collect();
    let numerics = columns.len() - levels.len();
    let scaling = (!random.once_in(4)).then(|| Scaling {
        mul: (0..numerics).map(|_| 0.05 + random.unit()).collect(),
        sub: (0..numerics).map(|_| number(random, 20.0)).collect(),
    });
    let mut layout = InputLayout::new(&levels, numerics, random.once_in(2), scaling);
    if !is_autoencoder && layout.level_inputs() > 2 && random.once_in(5) {
        layout.hashing =
            Some(Hashing { slots: 1 + random.below(layout.level_inputs() - 1), seed: random.next() as u32 });
    }
    if layout.inputs() == 0 {
        // A lone categorical of one level that has no input.
        layout = InputLayout::new(&levels, numerics, true, layout.scaling);
    }
    let classes = match category {
        Category::Binomial => Some(domain(&["no", "yes"])),
        Category::Multinomial => Some(domain(&["0", "b b", "\\", "ÿ"])),
        Category::Regression | Category::AutoEncoder => None,
    };
    let outputs = if is_autoencoder { layout.inputs() } else { classes.as_ref().map_or(1, Domain::len) };
    let network = network(random, activation, layout.inputs(), outputs)?;
    let distribution = *random.pick(match category {
        Category::Binomial => &[Distribution::Bernoulli],
        Category::Multinomial => &[Distribution::Multinomial],
        Category::AutoEncoder => &[Distribution::Gaussian],
        Category::Regression => &Distribution::ALL,
    });
    let response_scaling = (category == Category::Regression && random.once_in(2))
        .then(|| ResponseScaling { mul: 0.1 + random.unit(), sub: number(random, 5.0) });
    let shares = |random: &mut Random| (0..outputs).map(|_| 0.1 + random.unit()).collect::<Vec<_>>();
    let is_balanced = classes.is_some() && random.once_in(2);
    let response = (!is_autoencoder).then(|| Response { name: "the response".to_owned(), domain: classes });
    let model = Model {
        schema: Schema::new(features, response, SpecialColumns::default()),
        encoding,
        category,
        labelling: Labelling {
            default_threshold: random.unit(),
            prior_class_distrib: is_balanced.then(|| shares(random)),
            model_class_distrib: is_balanced.then(|| shares(random)),
            balance_classes: is_balanced,
        },
        algorithm: Algorithm::DeepLearning(DeepLearning {
            layout,
            network,
            distribution,
            response_scaling,
            mean_imputation: random.once_in(2),
        }),
    };
    model.check()?;
    Ok(model)
}

/// Every category with every activation that it may have.
pub fn kinds() -> Vec<(Category, Activation)> {
    let all = Category::ALL.into_iter().flat_map(|category| Activation::ALL.map(|activation| (category, activation)));
    // An autoencoder has no two channels.
    let is_one = |&(category, activation): &(Category, Activation)| {
        category != Category::AutoEncoder || activation.nonlinearity() != Nonlinearity::Maxout
    };
    all.filter(is_one).collect()
}

fn features(random: &mut Random) -> Vec<Feature> {
    let mut names = NAMES.to_vec();
    (0..=random.below(6))
        .map(|_| {
            let name = names.swap_remove(random.below(names.len())).to_owned();
            let domain = random.once_in(2).then(|| {
                let mut levels = LEVELS.to_vec();
                let count = 1 + random.below(6);
                let mut picked: Vec<String> =
                    (0..count).map(|_| levels.swap_remove(random.below(levels.len())).to_owned()).collect();
                // The runtime finds it without the column as well.
                if random.once_in(3) {
                    picked.push(format!("{name}.short"));
                }
                Domain::new(picked)
            });
            Feature { name, domain }
        })
        .collect()
}

fn categoricals_first(features: Vec<Feature>) -> Vec<Feature> {
    let (mut first, numbers): (Vec<_>, Vec<_>) = features.into_iter().partition(|feature| feature.domain.is_some());
    first.extend(numbers);
    first
}

fn encoding(random: &mut Random, features: &[Feature]) -> Encoding {
    match random.below(6) {
        0 => Encoding::Binary,
        1 => {
            let levels = features.iter().filter_map(|feature| feature.domain.as_ref()).map(Domain::len).sum();
            Encoding::Eigen { projections: (0..levels).map(|_| number(random, 1.0)).collect() }
        }
        2 => Encoding::LabelEncoder,
        3 => Encoding::EnumLimited { most: 2, limited: Vec::new() },
        _ => Encoding::Auto,
    }
}

/// Whether the columns that a user sends need not be the categorical ones first.
fn has_own_order(encoding: &Encoding) -> bool {
    !matches!(encoding, Encoding::Auto | Encoding::EnumLimited { .. })
}

/// `EnumLimited` with what becomes of these columns.
fn limited(random: &mut Random, encoding: Encoding, features: &[Feature]) -> Encoding {
    let Encoding::EnumLimited { most, .. } = encoding else { return encoding };
    let limited = features.iter().map(|feature| {
        let levels = feature.domain.as_ref().filter(|domain| domain.len() > most)?;
        let codes = (0..levels.len()).map(|_| random.below(most + 1) as u32).collect();
        Some(LimitedLevels { domain: domain(&["first", "second", "other"]), codes })
    });
    Encoding::EnumLimited { most, limited: limited.collect() }
}

fn network(random: &mut Random, activation: Activation, inputs: usize, outputs: usize) -> Result<Network, Failed> {
    let mut units: Vec<usize> = (0..random.below(4)).map(|_| 1 + random.below(9)).collect();
    units.push(outputs);
    let last = units.len() - 1;
    let mut below = inputs;
    let mut layers = Vec::new();
    for (l, &units) in units.iter().enumerate() {
        let channels = activation.channels_of(l, last);
        let size = 2.0 / (below as f64).sqrt();
        layers.push(Layer {
            inputs: below,
            units,
            channels,
            weights: (0..units * channels * below).map(|_| number(random, size) as f32).collect(),
            biases: (0..units * channels).map(|_| number(random, 1.0)).collect(),
            dropout_ratio: if l == last { 0.0 } else { random.unit() / 2.0 },
        });
        below = units;
    }
    Ok(Network::new(activation, layers)?)
}

/// From minus the size to the size.
fn number(random: &mut Random, size: f64) -> f64 {
    (2.0 * random.unit() - 1.0) * size
}

fn domain(levels: &[&str]) -> Domain {
    Domain::new(levels.iter().map(|&level| level.to_owned()).collect())
}
