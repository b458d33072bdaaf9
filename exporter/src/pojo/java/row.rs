//! From a row to the inputs of the net.

use model::{Domain, Encoding, InputLayout, Model, number_of_label};
use serde::Serialize;

use super::FIELD;
use super::literal::{integers, numbers};

#[derive(Serialize)]
pub(super) struct RowFacts {
    /// How the columns become those of the net, where it has others.
    encoding: Option<Replacement>,
    /// The columns of the net.
    columns: usize,
    categoricals: usize,
    has_all_levels: bool,
    pub first_inputs: String,
    first_numeric: usize,
    numerics: usize,
    /// `(means, factors)` of the numbers.
    scaling: Option<[String; 2]>,
    inputs: usize,
}

/// What stands for the levels of a categorical column.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Replacement {
    /// The bits of their codes.
    Bits,
    /// A number for each level. Where it is NaN the code itself is taken, or the cell is missing.
    Numbers { numbers: String, keeps_codes: bool },
}

impl RowFacts {
    pub fn new(model: &Model, layout: &InputLayout) -> Self {
        let first_inputs: Vec<i64> = layout.cat_offsets.iter().map(|&offset| offset as i64).collect();
        let scaling = layout.scaling.as_ref().filter(|_| layout.numerics > 0);
        Self {
            encoding: Replacement::new(model),
            columns: layout.categoricals() + layout.numerics,
            categoricals: layout.categoricals(),
            has_all_levels: layout.use_all_factor_levels,
            first_inputs: integers(&first_inputs, FIELD),
            first_numeric: layout.first_numeric(),
            numerics: layout.numerics,
            scaling: scaling.map(|scaling| [numbers(&scaling.sub, FIELD), numbers(&scaling.mul, FIELD)]),
            inputs: layout.inputs(),
        }
    }
}

impl Replacement {
    fn new(model: &Model) -> Option<Self> {
        let domains = || model.schema.features().iter().filter_map(|feature| feature.domain.as_ref());
        let of_levels =
            |keeps_codes, values: Vec<f64>| Some(Self::Numbers { numbers: numbers(&values, FIELD), keeps_codes });
        match &model.encoding {
            Encoding::Auto => None,
            Encoding::Binary => Some(Self::Bits),
            // H2O hands projections on in single precision.
            Encoding::Eigen { projections } => {
                of_levels(false, projections.iter().map(|&projection| f64::from(projection as f32)).collect())
            }
            Encoding::LabelEncoder => of_levels(true, domains().flat_map(numbers_of_labels).collect()),
            Encoding::EnumLimited { limited, .. } => {
                let columns = model.schema.features().iter().zip(limited);
                let codes = columns.flat_map(|(feature, limited)| match (limited, &feature.domain) {
                    (Some(limited), _) => limited.codes.iter().map(|&code| f64::from(code)).collect(),
                    (None, Some(domain)) => (0..domain.len()).map(|code| code as f64).collect(),
                    (None, None) => Vec::new(),
                });
                of_levels(false, codes.collect())
            }
        }
    }
}

fn numbers_of_labels(domain: &Domain) -> impl Iterator<Item = f64> {
    domain.levels().iter().map(|label| number_of_label(label).unwrap_or(f64::NAN))
}
