//! The kinds of values that parameters have: how they are read from a flag or a JSON value, and written.

use std::path::PathBuf;

use model::{Activation, AucMean, Distribution, Metric};
use serde_json::{Value, json};

use crate::frame::ColumnType;

/// A kind of value.
pub(super) trait ParamValue: Sized {
    /// What a value looks like.
    const EXPECTED: &'static str;
    /// Whether a flag without a value means `true`.
    const IS_SWITCH: bool = false;
    /// Whether a flag takes several values.
    const IS_LIST: bool = false;
    /// Reads the value of a flag.
    fn from_text(text: &str) -> Option<Self>;
    /// Reads the value of a key in a file.
    fn from_json(value: &Value) -> Option<Self> {
        Self::from_text(value.as_str()?)
    }
    /// For `params.json`.
    fn to_json(&self) -> Value;
    /// For help texts.
    fn to_text(&self) -> String {
        match self.to_json() {
            Value::Null => String::new(),
            Value::String(text) => text,
            Value::Array(items) => items.iter().map(plain_text).collect::<Vec<_>>().join(","),
            other => other.to_string(),
        }
    }
}

fn plain_text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

impl ParamValue for bool {
    const EXPECTED: &'static str = "true or false";
    const IS_SWITCH: bool = true;

    fn from_text(text: &str) -> Option<Self> {
        match text.to_ascii_lowercase().as_str() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    fn from_json(value: &Value) -> Option<Self> {
        value.as_bool().or_else(|| Self::from_text(value.as_str()?))
    }

    fn to_json(&self) -> Value {
        json!(self)
    }
}

impl ParamValue for f64 {
    const EXPECTED: &'static str = "a number";

    fn from_text(text: &str) -> Option<Self> {
        text.trim().parse().ok().filter(|x: &Self| !x.is_nan())
    }

    fn from_json(value: &Value) -> Option<Self> {
        value.as_f64().or_else(|| Self::from_text(value.as_str()?))
    }

    fn to_json(&self) -> Value {
        // JSON has no infinity.
        if self.is_finite() { json!(self) } else { json!(self.to_string()) }
    }
}

impl ParamValue for f32 {
    const EXPECTED: &'static str = "a number";

    fn from_text(text: &str) -> Option<Self> {
        text.trim().parse().ok().filter(|x: &Self| !x.is_nan())
    }

    fn from_json(value: &Value) -> Option<Self> {
        value.as_f64().map(|x| x as Self).or_else(|| Self::from_text(value.as_str()?))
    }

    fn to_json(&self) -> Value {
        // Through the shortest text, so that 0.1f32 is written as 0.1.
        self.to_string().parse::<f64>().map_or_else(|_| json!(self.to_string()), |x| x.to_json())
    }
}

impl ParamValue for i64 {
    const EXPECTED: &'static str = "a whole number";

    fn from_text(text: &str) -> Option<Self> {
        text.trim().parse().ok()
    }

    fn from_json(value: &Value) -> Option<Self> {
        let whole = |x: f64| (x.fract() == 0.0 && x.abs() < 9e15).then_some(x as Self);
        value.as_i64().or_else(|| value.as_f64().and_then(whole)).or_else(|| Self::from_text(value.as_str()?))
    }

    fn to_json(&self) -> Value {
        json!(self)
    }
}

/// Layer sizes.
impl ParamValue for Vec<i64> {
    const EXPECTED: &'static str = "whole numbers separated by commas, such as 128,64, or nothing for no hidden layer";

    fn from_text(text: &str) -> Option<Self> {
        list(text).iter().map(|item| i64::from_text(item)).collect()
    }

    fn from_json(value: &Value) -> Option<Self> {
        match value {
            Value::Array(items) => items.iter().map(i64::from_json).collect(),
            Value::Number(_) => Some(vec![i64::from_json(value)?]),
            Value::Null => Some(Self::new()),
            _ => Self::from_text(value.as_str()?),
        }
    }

    fn to_json(&self) -> Value {
        json!(self)
    }
}

/// Ratios, one for each layer.
impl ParamValue for Option<Vec<f64>> {
    const EXPECTED: &'static str = "numbers separated by commas, such as 0.5,0.3";

    fn from_text(text: &str) -> Option<Self> {
        let numbers: Option<Vec<f64>> = list(text).iter().map(|item| f64::from_text(item)).collect();
        numbers.map(|numbers| (!numbers.is_empty()).then_some(numbers))
    }

    fn from_json(value: &Value) -> Option<Self> {
        match value {
            Value::Array(items) => items.iter().map(f64::from_json).collect::<Option<Vec<f64>>>().map(Some),
            Value::Number(_) => Some(Some(vec![f64::from_json(value)?])),
            Value::Null => Some(None),
            _ => Self::from_text(value.as_str()?),
        }
    }

    fn to_json(&self) -> Value {
        json!(self)
    }
}

/// The items of a list of numbers, with or without brackets.
fn list(text: &str) -> Vec<&str> {
    let text = text.trim();
    let inner = text.strip_prefix('[').and_then(|t| t.strip_suffix(']')).unwrap_or(text);
    if inner.trim().is_empty() { Vec::new() } else { inner.split(',').collect() }
}

impl ParamValue for Option<String> {
    const EXPECTED: &'static str = "a column's name or position, such as C785";

    fn from_text(text: &str) -> Option<Self> {
        Some(Some(text.to_owned()))
    }

    fn from_json(value: &Value) -> Option<Self> {
        if value.is_null() { Some(None) } else { Self::from_text(value.as_str()?) }
    }

    fn to_json(&self) -> Value {
        json!(self)
    }
}

/// Files that make up one table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Files(pub Vec<PathBuf>);

impl ParamValue for Files {
    const EXPECTED: &'static str = "one or more files";
    const IS_LIST: bool = true;

    fn from_text(text: &str) -> Option<Self> {
        let fields = csv_fields(text)?;
        let named = !fields.is_empty() && fields.iter().all(|field| !field.is_empty());
        named.then(|| Self(fields.into_iter().map(PathBuf::from).collect()))
    }

    fn from_json(value: &Value) -> Option<Self> {
        let file = |value: &Value| value.as_str().filter(|text| !text.is_empty()).map(PathBuf::from);
        match value {
            Value::Null => Some(Self::default()),
            Value::Array(items) => items.iter().map(file).collect::<Option<Vec<_>>>().map(Self),
            _ => file(value).map(|file| Self(vec![file])),
        }
    }

    fn to_json(&self) -> Value {
        let files: Vec<String> = self.0.iter().map(|path| path.display().to_string()).collect();
        match files.as_slice() {
            [] => Value::Null,
            [file] => json!(file),
            files => json!(files),
        }
    }
}

/// A file for each layer, or none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LayerFiles(pub Vec<Option<PathBuf>>);

impl ParamValue for LayerFiles {
    const EXPECTED: &'static str = "a file for each layer of weights, separated by commas, nothing for a random layer";

    fn from_text(text: &str) -> Option<Self> {
        let file = |name: String| (!name.is_empty()).then(|| PathBuf::from(name));
        csv_fields(text).map(|names| Self(names.into_iter().map(file).collect()))
    }

    fn from_json(value: &Value) -> Option<Self> {
        let file = |item: &Value| match item {
            Value::Null => Some(None),
            Value::String(name) => Some((!name.is_empty()).then(|| PathBuf::from(name))),
            _ => None,
        };
        match value {
            Value::Null => Some(Self::default()),
            Value::Array(items) => items.iter().map(file).collect::<Option<_>>().map(Self),
            _ => Self::from_text(value.as_str()?),
        }
    }

    fn to_json(&self) -> Value {
        self.0.iter().map(|file| json!(file.as_ref().map(|file| file.display().to_string()))).collect()
    }
}

/// A model that there is already.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ModelPath(pub Option<PathBuf>);

impl ParamValue for ModelPath {
    const EXPECTED: &'static str = "the folder of a run, or a MOJO";

    fn from_text(text: &str) -> Option<Self> {
        (!text.is_empty()).then(|| Self(Some(PathBuf::from(text))))
    }

    fn from_json(value: &Value) -> Option<Self> {
        if value.is_null() { Some(Self(None)) } else { Self::from_text(value.as_str()?) }
    }

    fn to_json(&self) -> Value {
        json!(self.0.as_ref().map(|path| path.display().to_string()))
    }
}

/// Names of columns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names(pub Vec<String>);

impl ParamValue for Option<Names> {
    const EXPECTED: &'static str = "column names separated by commas, quoted as in a CSV file where a name has a comma";

    fn from_text(text: &str) -> Option<Self> {
        csv_fields(text).map(|names| Some(Names(names)))
    }

    fn from_json(value: &Value) -> Option<Self> {
        match value {
            Value::Null => Some(None),
            Value::Array(items) => {
                let names: Option<Vec<String>> = items.iter().map(|i| i.as_str().map(str::to_owned)).collect();
                names.map(|names| Some(Names(names)))
            }
            _ => Self::from_text(value.as_str()?),
        }
    }

    fn to_json(&self) -> Value {
        json!(self.as_ref().map(|names| &names.0))
    }
}

/// Types that a user gives to columns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ColumnTypes(pub Vec<(String, ColumnType)>);

impl ParamValue for ColumnTypes {
    const EXPECTED: &'static str =
        "NAME=TYPE pairs separated by commas, with a type of numeric, enum, time, string or uuid";

    fn from_text(text: &str) -> Option<Self> {
        let pairs = csv_fields(text)?;
        let pair = |field: &String| {
            let (name, kind) = field.rsplit_once('=')?;
            Some((name.to_owned(), kind.trim().parse().ok()?))
        };
        pairs.iter().map(pair).collect::<Option<Vec<_>>>().map(Self)
    }

    fn from_json(value: &Value) -> Option<Self> {
        match value {
            Value::Null => Some(Self::default()),
            Value::Object(entries) => {
                let entry = |(name, kind): (&String, &Value)| Some((name.clone(), kind.as_str()?.parse().ok()?));
                entries.iter().map(entry).collect::<Option<Vec<_>>>().map(Self)
            }
            _ => Self::from_text(value.as_str()?),
        }
    }

    fn to_json(&self) -> Value {
        Value::Object(self.0.iter().map(|(name, kind)| (name.clone(), json!(kind.to_string()))).collect())
    }

    fn to_text(&self) -> String {
        self.0.iter().map(|(name, kind)| format!("{name}={kind}")).collect::<Vec<_>>().join(",")
    }
}

/// The fields of one line of CSV; `None` where a quote is not closed.
fn csv_fields(text: &str) -> Option<Vec<String>> {
    let mut fields = Vec::new();
    let mut field = String::new();
    let mut chars = text.chars().peekable();
    let mut quoted = false;
    let mut any = false;
    while let Some(c) = chars.next() {
        any = true;
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                field.push('"');
            }
            '"' if quoted || field.is_empty() => quoted = !quoted,
            ',' if !quoted => fields.push(std::mem::take(&mut field)),
            _ => field.push(c),
        }
    }
    if any {
        fields.push(field);
    }
    (!quoted).then_some(fields)
}

/// Declares an enum whose values are matched in any case, underscores optional.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident: $expected:literal { $($(#[$value_doc:meta])* $value:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name { $($(#[$value_doc])* $value,)* }

        impl $name {
            /// H2O's name of the value.
            pub fn name(self) -> &'static str {
                match self { $(Self::$value => $text,)* }
            }
        }

        impl ParamValue for $name {
            const EXPECTED: &'static str = $expected;

            fn from_text(text: &str) -> Option<Self> {
                let plain = |t: &str| t.replace('_', "").to_ascii_lowercase();
                [$(($text, Self::$value),)*].into_iter().find(|(name, _)| plain(name) == plain(text)).map(|(_, value)| value)
            }

            fn to_json(&self) -> Value {
                json!(self.name())
            }
        }
    };
}

choice! {
    /// How the first weights are drawn.
    InitialWeightDistribution: "UniformAdaptive, Uniform or Normal" {
        /// Uniform, within the square root of six over the units on both sides.
        UniformAdaptive = "UniformAdaptive",
        /// Uniform within `initial_weight_scale`.
        Uniform = "Uniform",
        /// Normal with `initial_weight_scale` as its standard deviation.
        Normal = "Normal",
    }
}

choice! {
    /// What a missing number does in training.
    MissingValuesHandling: "MeanImputation or Skip" {
        /// It becomes the column's mean.
        MeanImputation = "MeanImputation",
        /// Its row is left out.
        Skip = "Skip",
    }
}

choice! {
    /// How categorical columns become the model's own columns.
    CategoricalEncoding: "AUTO, OneHotInternal, Binary, Eigen, LabelEncoder, SortByResponse or EnumLimited" {
        /// An input for each level.
        Automatic = "AUTO",
        /// An input for each level.
        OneHotInternal = "OneHotInternal",
        /// A number for each bit of the level's code.
        Binary = "Binary",
        /// A number: the projection on an eigenvector.
        Eigen = "Eigen",
        /// The number that the level spells, or its code.
        LabelEncoder = "LabelEncoder",
        /// An input for each level, the levels in the order of their mean response.
        SortByResponse = "SortByResponse",
        /// An input for each of the most frequent levels, and one for the others.
        EnumLimited = "EnumLimited",
        /// Of trees.
        Enum = "Enum",
        /// Columns of zeros and ones, of other algorithms.
        OneHotExplicit = "OneHotExplicit",
    }
}

choice! {
    /// How rows of the validation frame are drawn for scoring.
    ValidationSampling: "Uniform or Stratified" {
        /// Each row alike.
        Uniform = "Uniform",
        /// Each class alike.
        Stratified = "Stratified",
    }
}

choice! {
    /// The mean of areas under curves that a classifier for more than two classes is given.
    AucType: "AUTO, NONE, MACRO_OVR, WEIGHTED_OVR, MACRO_OVO or WEIGHTED_OVO" {
        /// None.
        Automatic = "AUTO",
        /// None.
        None = "NONE",
        /// Each class against the rest.
        MacroOvr = "MACRO_OVR",
        /// The same, weighted by the rows of the class.
        WeightedOvr = "WEIGHTED_OVR",
        /// Each pair of classes.
        MacroOvo = "MACRO_OVO",
        /// The same, weighted by the rows of both.
        WeightedOvo = "WEIGHTED_OVO",
    }
}

impl AucType {
    /// The mean, where there is one.
    pub(crate) fn mean(self) -> Option<AucMean> {
        match self {
            Self::Automatic | Self::None => None,
            Self::MacroOvr => Some(AucMean::MacroOvr),
            Self::WeightedOvr => Some(AucMean::WeightedOvr),
            Self::MacroOvo => Some(AucMean::MacroOvo),
            Self::WeightedOvo => Some(AucMean::WeightedOvo),
        }
    }
}

/// The metric whose moving average ends training, and picks the best model. `None` is `AUTO`: the log loss of a
/// classifier, the deviance of a regression, the MSE of an autoencoder.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StoppingMetric(pub Option<Metric>);

impl StoppingMetric {
    /// H2O's name.
    pub fn name(self) -> &'static str {
        self.0.and_then(Metric::stopping_name).unwrap_or("AUTO")
    }
}

impl ParamValue for StoppingMetric {
    const EXPECTED: &'static str = "AUTO, deviance, logloss, MSE, RMSE, MAE, RMSLE, AUC, AUCPR, lift_top_group, \
                                    misclassification or mean_per_class_error";

    fn from_text(text: &str) -> Option<Self> {
        let all = std::iter::once(Self(None))
            .chain(Metric::all().filter(|m| m.stopping_name().is_some()).map(Some).map(Self));
        all.into_iter().find(|metric| metric.name().eq_ignore_ascii_case(text))
    }

    fn to_json(&self) -> Value {
        json!(self.name())
    }
}

/// The distribution of the response; `None` is `AUTO`: by the response's type and the loss.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DistributionChoice(pub Option<Distribution>);

impl ParamValue for DistributionChoice {
    const EXPECTED: &'static str =
        "AUTO, bernoulli, multinomial, gaussian, poisson, gamma, tweedie, laplace, quantile or huber";

    fn from_text(text: &str) -> Option<Self> {
        if text.eq_ignore_ascii_case("AUTO") { Some(Self(None)) } else { text.parse().ok().map(Some).map(Self) }
    }

    fn to_json(&self) -> Value {
        json!(self.0.map_or("AUTO", Distribution::name))
    }
}

choice! {
    /// The loss that a distribution of AUTO follows from. The gradient goes by the distribution alone, except for a
    /// classifier's Quadratic.
    Loss: "Automatic, CrossEntropy, Quadratic, Huber, Absolute or Quantile" {
        /// By the distribution.
        Automatic = "Automatic",
        /// Of a classifier.
        CrossEntropy = "CrossEntropy",
        /// Squared error.
        Quadratic = "Quadratic",
        /// Squared error near, absolute error far.
        Huber = "Huber",
        /// Absolute error.
        Absolute = "Absolute",
        /// Of a quantile.
        Quantile = "Quantile",
    }
}

impl ParamValue for Activation {
    const EXPECTED: &'static str = "Tanh, Rectifier, Maxout or ExpRectifier, each optionally followed by WithDropout";

    fn from_text(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    fn to_json(&self) -> Value {
        json!(self.name())
    }
}
