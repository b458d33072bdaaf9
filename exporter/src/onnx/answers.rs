//! From the net inputs of the output layer to answers.

use model::{Category, DeepLearning, Distribution, Domain, Labelling, Model};

use super::graph::{Graph, Value, int, ints};
use super::inputs::Inputs;
use super::network::Layers;
use super::numbers::{Numbers, cast};
use super::options::{OnnxInputs, OnnxOptions, OnnxPrecision};
use super::proto::tensor_proto::DataType;

/// Outputs of the graph.
pub(super) mod output {
    pub(crate) const LABEL: &str = "label";
    pub(crate) const PROBABILITIES: &str = "probabilities";
    pub(crate) const PREDICT: &str = "predict";
    pub(crate) const RECONSTRUCTION: &str = "reconstruction";
    pub(crate) const MSE: &str = "mse";
}

/// H2O caps exponentials here.
const MOST_EXP: f64 = 1e19;

/// Answers, as they are written.
pub(super) struct Answers<'m> {
    pub(super) model: &'m Model,
    pub(super) layers: Layers<'m>,
    pub(super) options: OnnxOptions,
}

impl Answers<'_> {
    /// Makes the outputs of the graph.
    pub(super) fn add(&self, graph: &mut Graph, inputs: &Inputs<'_>, numbers: Option<&Numbers>) {
        let nets = self.layers.nets(graph, numbers, inputs);
        let (model, element) = (self.model, self.layers.element);
        match model.category {
            Category::Binomial | Category::Multinomial => {
                let classes = model.schema.classes().map_or(&[][..], Domain::levels);
                let probabilities = probabilities(graph, element, &model.labelling, &nets);
                let class = self.class(graph, classes.len(), &probabilities);
                self.output_class(graph, &class, classes);
                self.output(graph, probabilities, output::PROBABILITIES, classes.len());
            }
            Category::Regression => {
                let value = value(graph, element, self.layers.net, nets);
                self.output(graph, value, output::PREDICT, 1);
            }
            Category::AutoEncoder => {
                let Some((remembered, mse)) = reconstruction(graph, &self.layers, &nets, inputs, numbers) else {
                    return;
                };
                self.output(graph, remembered, output::RECONSTRUCTION, self.layers.net.layout.inputs());
                self.output(graph, mse, output::MSE, 1);
            }
        }
    }

    /// The predicted class, or the number of classes where a probability is not a number.
    ///
    /// H2O's runtime draws between classes of equal probability by the bits of the row. Here the first of the likeliest wins.
    fn class(&self, graph: &mut Graph, classes: usize, probabilities: &Value) -> Value {
        let element = self.layers.element;
        let none = graph.integers(&[1], &[classes as i64], "class.none");
        if classes == 2 {
            let [no, yes] = [0, 1].map(|class| graph.integers(&[1], &[class], &format!("class.{class}")));
            let second = graph.integers(&[], &[1], "class.second");
            let probability = graph.node_with("Gather", &[probabilities, &second], vec![int("axis", 1)], "probability");
            let threshold = self.model.labelling.default_threshold * (1.0 - self.threshold_slack());
            let threshold = graph.numbers(element, &[1], [threshold], "threshold");
            let is_yes = graph.node("GreaterOrEqual", &[&probability, &threshold], "class.is_1");
            let is_no = graph.node("Less", &[&probability, &threshold], "class.is_0");
            let no_or_none = graph.node("Where", &[&is_no, &no, &none], "class.0_or_none");
            return graph.node("Where", &[&is_yes, &yes, &no_or_none], "class");
        }
        // The first class counts most, so that the largest count of those that are likeliest tells the first of them. `ArgMax` would
        // take a class although its probability is not a number, and not every runtime has it.
        let counts: Vec<i64> = (1..=classes as i64).rev().collect();
        let counts = graph.integers(&[classes], &counts, "class.counts");
        let zero = graph.integers(&[1], &[0], "class.no_count");
        let most = graph.node_with("ReduceMax", &[probabilities], vec![ints("axes", vec![1])], "probability");
        let is_likeliest = graph.node("GreaterOrEqual", &[probabilities, &most], "class.is_likeliest");
        let counted = graph.node("Where", &[&is_likeliest, &counts, &zero], "class.counted");
        let first = graph.node_with("ReduceMax", &[&counted], vec![ints("axes", vec![1])], "class.first");
        let class = graph.node("Sub", &[&none, &first], "class.by_row");
        graph.squeezed(&class, "class")
    }

    /// How far below its threshold a probability still tells the second class, as a share of the threshold. That is mostly the
    /// probability of a row of the training frame, which roundings are not to take to the other side.
    fn threshold_slack(&self) -> f64 {
        match self.options.precision {
            OnnxPrecision::F64 => 1e-12,
            OnnxPrecision::F32 => 1e-5,
        }
    }

    fn output_class(&self, graph: &mut Graph, class: &Value, classes: &[String]) {
        if self.options.inputs == OnnxInputs::Matrices {
            return graph.output(class, output::LABEL, DataType::Int64, None);
        }
        // The class after the last is none: a probability is not a number.
        let names = graph.texts(classes.iter().cloned().chain([String::new()]), "classes");
        let label = graph.node("Gather", &[&names, class], "class.name");
        graph.output(&label, output::LABEL, DataType::String, None);
    }

    fn output(&self, graph: &mut Graph, value: Value, name: &str, width: usize) {
        let element = self.options.precision.element();
        let value =
            cast(graph, value, self.layers.element, element, &format!("{name}.{}", self.options.precision.name()));
        graph.output(&value, name, element, Some(width));
    }
}

fn probabilities(graph: &mut Graph, element: DataType, labelling: &Labelling, nets: &Value) -> Value {
    let probabilities = graph.node_with("Softmax", &[nets], vec![int("axis", 1)], "softmax");
    let Some(factors) = labelling.correction() else { return probabilities };
    let factors: Vec<f64> = factors.collect();
    let factors = graph.numbers(element, &[factors.len()], factors, "classes.factors");
    let corrected = graph.node("Mul", &[&probabilities, &factors], "unbalanced");
    let total = graph.total(&corrected, "unbalanced.total");
    // What sums to nothing stays as it is.
    let [zero, one] = [0.0, 1.0].map(|value| graph.numbers(element, &[1, 1], [value], "unbalanced.bound"));
    let is_some = graph.node("Less", &[&zero, &total], "unbalanced.is_some");
    let total = graph.node("Where", &[&is_some, &total, &one], "unbalanced.divisor");
    graph.node("Div", &[&corrected, &total], "unbalanced.probabilities")
}

/// The mean of the response.
fn value(graph: &mut Graph, element: DataType, net: &DeepLearning, nets: Value) -> Value {
    let constant = |graph: &mut Graph, value: f64, name: &str| graph.numbers(element, &[1, 1], [value], name);
    let mut value = nets;
    if let Some(scaling) = net.response_scaling {
        let mul = constant(graph, scaling.mul, "response.mul");
        let sub = constant(graph, scaling.sub, "response.sub");
        let stretched = graph.node("Div", &[&value, &mul], "response.stretched");
        value = graph.node("Add", &[&stretched, &sub], "response");
    }
    match net.distribution {
        Distribution::Gaussian | Distribution::Laplace | Distribution::Quantile | Distribution::Huber => value,
        Distribution::Multinomial | Distribution::Poisson | Distribution::Gamma | Distribution::Tweedie => {
            let most = constant(graph, MOST_EXP, "exp.most");
            let exp = graph.node("Exp", &[&value], "exp");
            graph.node("Min", &[&exp, &most], "mean")
        }
        Distribution::Bernoulli => {
            let most = constant(graph, MOST_EXP, "exp.most");
            let one = constant(graph, 1.0, "one");
            let negative = graph.node("Neg", &[&value], "negative");
            let exp = graph.node("Exp", &[&negative], "exp");
            let exp = graph.node("Min", &[&exp, &most], "exp.capped");
            let odds = graph.node("Add", &[&one, &exp], "odds");
            graph.node("Div", &[&one, &odds], "mean")
        }
    }
}

/// What an autoencoder's net remembers of a row, and how far that is from the row: the mean of the squares over its inputs,
/// numbers in their scale. A missing number has no error.
fn reconstruction(
    graph: &mut Graph,
    layers: &Layers<'_>,
    nets: &Value,
    inputs: &Inputs<'_>,
    numbers: Option<&Numbers>,
) -> Option<(Value, Value)> {
    let Layers { net, element } = *layers;
    let output = net.network.layers().len() - 1;
    let (first_numeric, width) = (net.layout.first_numeric(), net.layout.inputs());
    let mut units = layers.activated(graph, nets, width, "output");
    if net.network.keep(output) != 1.0 {
        let keep = graph.numbers(element, &[1], [net.network.keep(output)], "output.keep");
        units = graph.node("Mul", &[&units, &keep], "output.kept");
    }
    let part = |graph: &mut Graph, from: usize, to: usize, name: &str| {
        let indices: Vec<i64> = (from as i64..to as i64).collect();
        let indices = graph.integers(&[indices.len()], &indices, &format!("{name}.indices"));
        graph.node_with("Gather", &[&units, &indices], vec![int("axis", 1)], name)
    };
    let (mut remembered, mut errors) = (Vec::new(), Vec::new());
    if first_numeric > 0 {
        let levels = part(graph, 0, first_numeric, "output.levels");
        let set = levels_set(graph, element, net, inputs);
        errors.extend(set.map(|set| graph.node("Sub", &[&levels, &set], "levels.errors")));
        remembered.push(levels);
    }
    if let Some(numbers) = numbers {
        let scaled = part(graph, first_numeric, width, "output.numbers");
        let sent = cast(graph, numbers.scaled.clone(), inputs.element, element, "numbers.sent");
        errors.push(graph.node("Sub", &[&scaled, &sent], "numbers.errors"));
        remembered.push(match &net.layout.scaling {
            None => scaled,
            Some(scaling) => {
                let numerics = net.layout.numerics;
                let mul = graph.numbers(element, &[numerics], scaling.mul.iter().copied(), "output.mul");
                let sub = graph.numbers(element, &[numerics], scaling.sub.iter().copied(), "output.sub");
                let stretched = graph.node("Div", &[&scaled, &mul], "output.stretched");
                graph.node("Add", &[&stretched, &sub], "output.numbers_as_sent")
            }
        });
    }
    let remembered = graph.concat(remembered, "remembered")?;
    let errors = graph.concat(errors, "errors")?;
    let squares = graph.node("Mul", &[&errors, &errors], "squares");
    let mse = graph.node_with("ReduceMean", &[&squares], vec![ints("axes", vec![1])], "squares.mean");
    Some((remembered, mse))
}

/// The inputs of levels: 1 where one is set, 0 elsewhere.
fn levels_set(graph: &mut Graph, element: DataType, net: &DeepLearning, inputs: &Inputs<'_>) -> Option<Value> {
    let rows = inputs.rows()?;
    // For each input, what the column that it is of looked up; that is the input itself where it is set.
    let bounds = net.layout.cat_offsets.windows(2).enumerate();
    let columns: Vec<i64> =
        bounds.flat_map(|(column, bounds)| (bounds[0]..bounds[1]).map(move |_| column as i64)).collect();
    let own: Vec<i64> = (0..columns.len() as i64).collect();
    let columns = graph.integers(&[columns.len()], &columns, "levels.columns");
    let own = graph.integers(&[own.len()], &own, "levels.own");
    let spread = graph.node_with("Gather", &[rows, &columns], vec![int("axis", 1)], "levels.spread");
    let is_set = graph.node("Equal", &[&spread, &own], "levels.is_set");
    Some(cast(graph, is_set, DataType::Bool, element, "levels.set"))
}
