//! What is told of the model's own columns, and of the inputs that they become.

use model::{DeepLearning, Encoding, Feature, LimitedLevels, Model, number_of_label};
use serde::Serialize;

use super::text;

/// From the columns that a user sends to the inputs of the net.
#[derive(Debug, Serialize)]
pub(super) struct InputFacts {
    /// How columns become others: `none` does, or levels do by their `bits` or by a `table` of numbers.
    pub encoding: &'static str,
    /// What the model's own columns are called where it scores.
    own: &'static str,
    /// How many of them there are.
    pub own_width: usize,
    /// With bits: the columns of numbers, which come first.
    kept_numbers: Vec<usize>,
    /// The columns of levels that become others.
    coded: Vec<Coded>,
    /// With a table: what a code past its end becomes.
    beyond_table: &'static str,
    /// The numbers among the `columns`.
    own_numbers: String,
    /// How many of the model's own columns have levels, and how many are numbers.
    categoricals: usize,
    numerics: usize,
    first_numeric: usize,
    /// The input of a `number`.
    numeric_input: String,
    /// The first and the last input of each column with levels.
    level_inputs: Vec<String>,
    /// Whether a first level has no input.
    drops_first: bool,
    /// Whether an `input` is the one that is `set`.
    is_set: &'static str,
    /// The scaling of each number, where there is one.
    scaling: Option<Vec<String>>,
}

/// A column of levels that becomes another one, or several.
#[derive(Debug, Serialize)]
struct Coded {
    doc: String,
    index: usize,
    /// With bits: the first of them, and where they end.
    first: usize,
    end: usize,
    /// With a table: its name and content.
    table: String,
    levels: usize,
    values: String,
}

impl InputFacts {
    /// The facts of a model whose columns have these fields.
    pub fn of(model: &Model, net: &DeepLearning, own: &[Feature], fields: &[&str]) -> Self {
        let (features, layout) = (model.schema.features(), &net.layout);
        let drops_first = !layout.use_all_factor_levels;
        let coded = coded(model, own.len(), fields);
        let (encoding, beyond_table) = match model.encoding {
            _ if coded.is_empty() => ("none", ""),
            Encoding::Auto => ("none", ""),
            Encoding::Binary => ("bits", ""),
            Encoding::LabelEncoder => ("table", "code"),
            Encoding::Eigen { .. } | Encoding::EnumLimited { .. } => ("table", "f64::NAN"),
        };
        let is_number = |&index: &usize| features[index].domain.is_none();
        let bounds = layout.cat_offsets.windows(2).map(|bounds| format!("({}, {})", bounds[0], bounds[1] - 1));
        let pair = |(&mean, &factor): (&f64, &f64)| format!("({}, {})", text::number(mean), text::number(factor));
        Self {
            encoding,
            own: if encoding == "none" { "numbers" } else { "columns" },
            own_width: own.len(),
            kept_numbers: if encoding == "bits" { (0..features.len()).filter(is_number).collect() } else { Vec::new() },
            coded,
            beyond_table,
            own_numbers: match layout.categoricals() {
                0 => "columns".to_owned(),
                first => format!("columns[{first}..]"),
            },
            categoricals: layout.categoricals(),
            numerics: layout.numerics,
            first_numeric: layout.first_numeric(),
            numeric_input: match layout.first_numeric() {
                0 => "number".to_owned(),
                first => format!("{first} + number"),
            },
            level_inputs: bounds.collect(),
            drops_first,
            is_set: if drops_first { "set == Some(input)" } else { "set == input" },
            scaling: layout.scaling.as_ref().map(|scaling| scaling.sub.iter().zip(&scaling.mul).map(pair).collect()),
        }
    }
}

fn coded(model: &Model, own: usize, fields: &[&str]) -> Vec<Coded> {
    let features = model.schema.features();
    let first_columns = model.encoding.first_columns(features);
    let categoricals: Vec<usize> = (0..features.len()).filter(|&index| features[index].domain.is_some()).collect();
    // Bits of one column follow those of another, whatever is between the two.
    let ends = categoricals.iter().skip(1).map(|&next| first_columns[next]).chain([own]);
    let coded = |((&index, end), values): ((&usize, usize), Option<Vec<f64>>)| {
        let values = values?;
        Some(Coded {
            doc: format!("The numbers for the levels of {}.", text::quoted(&features[index].name)),
            index,
            first: first_columns[index],
            end,
            table: format!("{}_NUMBERS", fields[index].to_uppercase()),
            levels: values.len(),
            values: text::array("", &values),
        })
    };
    categoricals.iter().zip(ends).zip(numbers_of_levels(model)).filter_map(coded).collect()
}

/// For each column with levels the numbers that they become, nothing where bits tell; `None` where they stay levels.
fn numbers_of_levels(model: &Model) -> Vec<Option<Vec<f64>>> {
    let features = model.schema.features();
    let domains = || features.iter().filter_map(|feature| feature.domain.as_ref());
    match &model.encoding {
        Encoding::Auto => domains().map(|_| None).collect(),
        Encoding::Binary => domains().map(|_| Some(Vec::new())).collect(),
        Encoding::Eigen { projections } => {
            // H2O hands a projection on in single precision.
            let mut numbers = projections.iter().map(|&projection| f64::from(projection as f32));
            domains().map(|domain| Some(numbers.by_ref().take(domain.len()).collect())).collect()
        }
        Encoding::LabelEncoder => {
            let number = |(level, code): (&String, u32)| number_of_label(level).unwrap_or(f64::from(code));
            domains().map(|domain| Some(domain.levels().iter().zip(0..).map(number).collect())).collect()
        }
        Encoding::EnumLimited { limited, .. } => {
            let numbers = |limited: &LimitedLevels| limited.codes.iter().map(|&code| f64::from(code)).collect();
            let with_levels = features.iter().zip(limited).filter(|(feature, _)| feature.domain.is_some());
            with_levels.map(|(_, limited)| limited.as_ref().map(numbers)).collect()
        }
    }
}
