//! Encodings that replace categorical columns by numeric ones before the net's inputs are filled, as H2O's scoring
//! runtime has them.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::runtime::{Cell, NO_LEVEL, NOTHING, Remark, level_code, raw_value};
use crate::schema::{Domain, Feature};

/// How the columns that a user sends become the model's own.
///
/// | encoding | the model's columns | a missing cell | an unseen level |
/// |---|---|---|---|
/// | `Auto` | as they are | missing | missing |
/// | `Binary` | the numbers, then for each categorical the bits of the level's code and one, the least first: `c:0`, `c:1` … | missing in every bit | 0 in every bit |
/// | `Eigen` | in order, `c.Eigen` for the categorical `c` | missing | missing |
/// | `LabelEncoder` | in order, by the same names | missing | missing |
/// | `EnumLimited` | in order, `c.top_10_levels` for a categorical of more levels | missing | missing |
///
/// H2O's runtime has no `EnumLimited`: what is said of it here are the rules for the others, carried on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub enum Encoding {
    /// Columns as they are: the layout of the inputs takes care of levels.
    #[default]
    Auto,
    /// Levels by the bits of their codes.
    Binary,
    /// Levels by their projections on the first eigenvector of the training frame.
    Eigen {
        /// One for each level, one categorical after the other.
        #[serde(with = "crate::number::many")]
        projections: Vec<f64>,
    },
    /// Levels by the whole numbers that they spell, or by their codes.
    LabelEncoder,
    /// The most frequent levels of the training frame, and one more for all the others that it had.
    EnumLimited {
        /// Levels that are kept of a categorical that has more.
        most: usize,
        /// For each column that a user sends what became of it; `None` for one that stays.
        limited: Vec<Option<LimitedLevels>>,
    },
}

/// What `EnumLimited` makes of the levels of a categorical.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LimitedLevels {
    /// The levels of the model's own column.
    pub domain: Domain,
    /// For each level that a user sends its code in that domain.
    pub codes: Vec<u32>,
}

impl Encoding {
    /// H2O's name, as in a MOJO.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Auto => "AUTO",
            Self::Binary => "Binary",
            Self::Eigen { .. } => "Eigen",
            Self::LabelEncoder => "LabelEncoder",
            Self::EnumLimited { .. } => "EnumLimited",
        }
    }

    /// The raw value of a cell: the number or the level's code, NaN where it is missing. An unseen level is missing, too,
    /// but for `Binary`, which has a code for it.
    pub fn raw_value(&self, feature: &Feature, cell: Cell<'_>) -> (f64, Option<Remark>) {
        let no_level = if *self == Self::Binary { NO_LEVEL } else { f64::NAN };
        raw_value(feature, cell, no_level, |domain, text| match self {
            Self::Auto => level_code(&feature.name, domain, text),
            _ => domain.code(text).map(f64::from),
        })
    }

    /// The raw value of a categorical cell that is to add nothing to the net, not even what a missing level adds. Where
    /// levels are numbers to the net, a missing one adds nothing once it is scaled.
    pub fn nothing(&self) -> f64 {
        match self {
            Self::Auto | Self::EnumLimited { .. } => NOTHING,
            Self::Binary => NO_LEVEL,
            Self::Eigen { .. } | Self::LabelEncoder => f64::NAN,
        }
    }

    /// The model's own columns, for the columns that a user sends.
    pub fn columns<'f>(&self, features: &'f [Feature]) -> Cow<'f, [Feature]> {
        let number = |name: String| Feature { name, domain: None };
        match self {
            Self::Auto => Cow::Borrowed(features),
            Self::Binary => {
                let mut columns: Vec<Feature> = features.iter().filter(|f| f.domain.is_none()).cloned().collect();
                for (feature, domain) in categoricals(features) {
                    columns.extend((0..bits(domain)).map(|bit| number(format!("{}:{bit}", feature.name))));
                }
                Cow::Owned(columns)
            }
            Self::Eigen { .. } => {
                let column = |feature: &Feature| match &feature.domain {
                    Some(_) => number(format!("{}.Eigen", feature.name)),
                    None => feature.clone(),
                };
                Cow::Owned(features.iter().map(column).collect())
            }
            Self::LabelEncoder => Cow::Owned(features.iter().map(|feature| number(feature.name.clone())).collect()),
            Self::EnumLimited { most, limited } => {
                let column = |(feature, limited): (&Feature, &Option<LimitedLevels>)| match limited {
                    None => feature.clone(),
                    Some(LimitedLevels { domain, .. }) => {
                        Feature { name: format!("{}.top_{most}_levels", feature.name), domain: Some(domain.clone()) }
                    }
                };
                Cow::Owned(features.iter().zip(limited).map(column).collect())
            }
        }
    }

    /// Where the first of the model's own columns is for each column that a user sends.
    pub fn first_columns(&self, features: &[Feature]) -> Vec<usize> {
        if *self != Self::Binary {
            return (0..features.len()).collect();
        }
        let mut next_number = 0;
        let mut next_bit = features.iter().filter(|feature| feature.domain.is_none()).count();
        let first = features.iter().map(|feature| {
            let (next, width) = match &feature.domain {
                Some(domain) => (&mut next_bit, bits(domain)),
                None => (&mut next_number, 1),
            };
            let first = *next;
            *next += width;
            first
        });
        first.collect()
    }

    /// For each column that a user sends the encoding of a row that has it alone.
    pub fn by_column(&self, features: &[Feature]) -> Vec<Self> {
        match self {
            Self::Auto | Self::Binary | Self::LabelEncoder => vec![self.clone(); features.len()],
            Self::Eigen { projections } => {
                let mut rest = projections.as_slice();
                let own = features.iter().map(|feature| {
                    let (own, others) = rest.split_at(feature.domain.as_ref().map_or(0, Domain::len));
                    rest = others;
                    Self::Eigen { projections: own.to_vec() }
                });
                own.collect()
            }
            Self::EnumLimited { most, limited } => {
                limited.iter().map(|own| Self::EnumLimited { most: *most, limited: vec![own.clone()] }).collect()
            }
        }
    }

    /// The values of the model's own columns for a raw row, in `columns` where they are not the row itself.
    pub fn encode<'r>(&self, features: &[Feature], row: &'r [f64], columns: &'r mut Vec<f64>) -> &'r [f64] {
        columns.clear();
        match self {
            Self::Auto => return row,
            Self::Binary => {
                columns.extend(features.iter().zip(row).filter(|(f, _)| f.domain.is_none()).map(|(_, &value)| value));
                for (feature, &code) in features.iter().zip(row) {
                    let Some(domain) = &feature.domain else { continue };
                    let pattern = (code + 1.0) as u64;
                    let bit = |bit| if code.is_nan() { f64::NAN } else { f64::from(u8::from(pattern >> bit & 1 == 1)) };
                    columns.extend((0..bits(domain)).map(bit));
                }
            }
            Self::Eigen { projections } => {
                let mut rest = projections.as_slice();
                for (feature, &value) in features.iter().zip(row) {
                    let Some(domain) = &feature.domain else {
                        columns.push(value);
                        continue;
                    };
                    let (own, others) = rest.split_at(domain.len());
                    rest = others;
                    let projection = own.get(value as usize).filter(|_| !value.is_nan());
                    // H2O keeps a projection as a double and hands it on in single precision.
                    columns.push(projection.map_or(f64::NAN, |&projection| f64::from(projection as f32)));
                }
            }
            Self::LabelEncoder => {
                columns.extend(features.iter().zip(row).map(|(feature, &value)| match &feature.domain {
                    Some(domain) if !value.is_nan() => label_value(domain, value),
                    _ => value,
                }));
            }
            Self::EnumLimited { limited, .. } => {
                let code = |codes: &[u32], value: f64| codes.get(value as usize).map_or(f64::NAN, |&c| f64::from(c));
                columns.extend(row.iter().zip(limited).map(|(&value, limited)| match limited {
                    Some(LimitedLevels { codes, .. }) if !value.is_nan() && value != NOTHING => code(codes, value),
                    _ => value,
                }));
            }
        }
        columns
    }
}

fn categoricals(features: &[Feature]) -> impl Iterator<Item = (&Feature, &Domain)> {
    features.iter().filter_map(|feature| Some((feature, feature.domain.as_ref()?)))
}

/// The columns of `Binary`: the bits of the largest code and one.
fn bits(domain: &Domain) -> usize {
    (usize::BITS - domain.len().leading_zeros()) as usize
}

/// The number that the label spells as Java's `Integer.parseInt` reads it, or else its code.
fn label_value(domain: &Domain, code: f64) -> f64 {
    domain.levels().get(code as usize).and_then(|label| number_of_label(label)).unwrap_or(code)
}

/// The whole number that a label spells, as Java's `Integer.parseInt` reads it.
pub fn number_of_label(label: &str) -> Option<f64> {
    label.parse::<i32>().ok().map(f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features() -> Vec<Feature> {
        let levels = |levels: &[&str]| Some(Domain::new(levels.iter().map(|&l| l.to_owned()).collect()));
        vec![
            Feature { name: "c".into(), domain: levels(&["10", "x", "-7"]) },
            Feature { name: "n".into(), domain: None },
            Feature { name: "d".into(), domain: levels(&["d.a", "b"]) },
        ]
    }

    fn eigen() -> Encoding {
        Encoding::Eigen { projections: vec![0.1, 0.2, 0.3, -0.4, -0.5] }
    }

    /// The model's own columns for these cells.
    fn encoded(encoding: &Encoding, cells: [Cell<'_>; 3]) -> Vec<f64> {
        let features = features();
        let row: Vec<f64> = features.iter().zip(cells).map(|(f, cell)| encoding.raw_value(f, cell).0).collect();
        encoding.encode(&features, &row, &mut Vec::new()).to_vec()
    }

    /// As text, in which a NaN is equal to another.
    fn shown(encoding: &Encoding, cells: [Cell<'_>; 3]) -> String {
        format!("{:?}", encoded(encoding, cells))
    }

    const KNOWN: [Cell<'static>; 3] = [Cell::Text("-7"), Cell::Number(2.5), Cell::Text("b")];
    const UNSEEN: [Cell<'static>; 3] = [Cell::Text("?"), Cell::Number(2.5), Cell::Text("a")];
    const MISSING: [Cell<'static>; 3] = [Cell::Missing; 3];

    #[test]
    fn columns_are_named_as_h2o_names_them() {
        let names = |encoding: Encoding| -> Vec<String> {
            encoding.columns(&features()).iter().map(|column| column.name.clone()).collect()
        };
        assert_eq!(names(Encoding::Auto), ["c", "n", "d"]);
        assert_eq!(names(Encoding::Binary), ["n", "c:0", "c:1", "d:0", "d:1"]);
        assert_eq!(names(eigen()), ["c.Eigen", "n", "d.Eigen"]);
        assert_eq!(names(Encoding::LabelEncoder), ["c", "n", "d"]);
        assert!(Encoding::LabelEncoder.columns(&features()).iter().all(|column| column.domain.is_none()));
        assert_eq!(Encoding::Binary.first_columns(&features()), [1, 0, 3]);
        assert_eq!(eigen().first_columns(&features()), [0, 1, 2]);
    }

    #[test]
    fn a_column_alone_becomes_what_it_becomes_in_its_row() {
        let features = features();
        let limited = LimitedLevels { domain: Domain::new(vec!["x".into(), "other".into()]), codes: vec![1, 0, 1] };
        let limited = Encoding::EnumLimited { most: 1, limited: vec![Some(limited), None, None] };
        for encoding in [Encoding::Auto, Encoding::Binary, eigen(), Encoding::LabelEncoder, limited] {
            let alone = encoding.by_column(&features);
            for cells in [KNOWN, UNSEEN, MISSING] {
                let row = encoded(&encoding, cells);
                for (index, first) in encoding.first_columns(&features).into_iter().enumerate() {
                    let raw = [encoding.raw_value(&features[index], cells[index]).0];
                    let mut columns = Vec::new();
                    let own = alone[index].encode(&features[index..=index], &raw, &mut columns);
                    assert_eq!(format!("{own:?}"), format!("{:?}", &row[first..first + own.len()]));
                }
            }
        }
    }

    #[test]
    fn bits_tell_an_unseen_level_from_a_missing_cell() {
        assert_eq!(encoded(&Encoding::Binary, KNOWN), [2.5, 1.0, 1.0, 0.0, 1.0]);
        assert_eq!(encoded(&Encoding::Binary, UNSEEN), [2.5, 0.0, 0.0, 0.0, 0.0]);
        assert!(encoded(&Encoding::Binary, MISSING).iter().all(|value| value.is_nan()));
    }

    #[test]
    fn projections_are_of_single_precision() {
        assert_eq!(encoded(&eigen(), KNOWN), [f64::from(0.3_f32), 2.5, f64::from(-0.5_f32)]);
        assert_eq!(shown(&eigen(), UNSEEN), "[NaN, 2.5, NaN]");
    }

    #[test]
    fn labels_that_are_numbers_are_taken_for_them() {
        assert_eq!(encoded(&Encoding::LabelEncoder, KNOWN), [-7.0, 2.5, 1.0]);
        assert_eq!(shown(&Encoding::LabelEncoder, UNSEEN), "[NaN, 2.5, NaN]");
        assert_eq!(shown(&Encoding::LabelEncoder, MISSING), "[NaN, NaN, NaN]");
    }

    #[test]
    fn a_level_may_be_named_without_its_column_only_where_columns_stay() {
        let d = &features()[2];
        assert_eq!(Encoding::Auto.raw_value(d, Cell::Text("a")), (0.0, None));
        assert_eq!(Encoding::Binary.raw_value(d, Cell::Text("a")), (NO_LEVEL, Some(Remark::UnseenLevel)));
    }
}
