//! `categorical_encoding`: how the columns of a frame become the model's own, by the rules of H2O's cluster.
//!
//! What is decided on the training frame is [chosen](choose) once and kept with the model, as [`model::Encoding`] and as
//! the order of levels. [`own_columns`] then finds the model's own columns in any frame. Where it differs from what the
//! runtime does with a row, `model::Encoding` says so.

mod eigen;
mod limited;
mod sorted;

use model::{Category, Domain, Encoding, Feature, LimitedLevels, number_of_label};

use super::PlanError;
use crate::frame::{Column, Frame};
use crate::params::{CategoricalEncoding, TrainParams};

/// One of the model's own columns, in a frame.
#[derive(Debug, Clone)]
pub(crate) struct OwnColumn<'f> {
    /// The place in the frame of the column that it is made from.
    pub index: usize,
    /// That column.
    pub column: &'f Column,
    /// What is in place of levels; `None` where the column's numbers stand as they are.
    pub levels: Option<LevelValues>,
}

/// What is in place of the levels of a column.
#[derive(Debug, Clone)]
pub(crate) struct LevelValues {
    /// By the code of the level.
    pub of_code: Vec<f64>,
    /// Where there is none.
    pub missing: f64,
}

impl OwnColumn<'_> {
    /// The value of each row, NaN where it is missing.
    pub fn numbers(&self) -> impl Iterator<Item = f64> + '_ {
        self.column.numbers().map(|value| self.levels.as_ref().map_or(value, |levels| levels.value(value)))
    }

    /// The rows without a value.
    pub fn missing_count(&self) -> usize {
        match &self.levels {
            Some(levels) if !levels.missing.is_nan() => 0,
            _ => self.column.missing_count(),
        }
    }
}

impl LevelValues {
    pub fn value(&self, code: f64) -> f64 {
        if code.is_nan() { self.missing } else { self.of_code[code as usize] }
    }
}

/// How the encoded levels of a frame find those of the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Adaptation {
    /// By their names.
    ByName,
    /// By their codes.
    ByCode,
    /// By their names, but those of columns with a limit on levels not at all.
    LosingLimited,
}

impl Adaptation {
    /// Of a validation frame while a model trains.
    ///
    /// H2O brings such a frame to the levels of the training frame before either is encoded, and looks at names once more
    /// for two classes alone, when it scores. Any other model is scored with the codes that the frame has by itself:
    /// `EnumLimited` counts them by its own frequencies, and `SortByResponse` leaves them unsorted, so that the validation
    /// metrics are those of levels under wrong names. With two classes the names `c.top_10_levels` of `EnumLimited` are not
    /// found under `c`, unless the levels are those of the model one by one.
    pub fn of_validation(category: Category, encoding: &Encoding, features: &[Feature], frame: &Frame) -> Self {
        match (category, encoding) {
            (Category::Binomial, Encoding::EnumLimited { most, limited }) => {
                let columns = features.iter().zip(limited).filter_map(|(f, l)| Some((f, l, frame.column(&f.name)?)));
                let mut columns = columns.filter_map(|(f, l, column)| Some((f.domain.as_ref()?, l, column)));
                let is_same = columns.all(|(domain, limited, column)| match limited {
                    Some(LimitedLevels { domain: own, .. }) => {
                        limited::levels(column, *most, &codes(domain, column.domain().unwrap_or_default()))
                            == own.levels()
                    }
                    None => column.domain().unwrap_or_default().iter().all(|level| domain.code(level).is_some()),
                });
                if is_same { Self::ByName } else { Self::LosingLimited }
            }
            (Category::Binomial, _) => Self::ByName,
            _ => Self::ByCode,
        }
    }

    /// What a user should know about validation metrics.
    pub fn warning(self, params: &TrainParams, encoding: &Encoding) -> Option<String> {
        let metrics = match (self, params.categorical_encoding) {
            (Self::ByCode, CategoricalEncoding::SortByResponse) => "take levels by their place before they were sorted",
            (Self::ByCode, CategoricalEncoding::EnumLimited) if has_limited(encoding) => {
                "take levels by their place among the most frequent ones of the validation frame"
            }
            (Self::LosingLimited, _) if has_limited(encoding) => "take the columns with a limit on levels for missing",
            _ => return None,
        };
        let name = params.categorical_encoding.name();
        Some(format!("validation frame: as in H2O, with categorical_encoding {name} its metrics {metrics}"))
    }
}

fn has_limited(encoding: &Encoding) -> bool {
    matches!(encoding, Encoding::EnumLimited { limited, .. } if limited.iter().any(Option::is_some))
}

/// What the training frame decides: the levels of its columns in the model's order, and the encoding.
pub(super) fn choose(
    params: &TrainParams,
    columns: &[&Column],
    responses: &[f64],
    weights: Option<&[f64]>,
) -> Result<(Vec<Feature>, Encoding), PlanError> {
    for column in columns {
        check_levels(params.categorical_encoding, column)?;
    }
    let sorts = params.categorical_encoding == CategoricalEncoding::SortByResponse;
    let levels = |column: &Column| -> Option<Domain> {
        let levels = column.domain()?;
        let sorted = || sorted::by_response(column, levels, responses, weights);
        Some(Domain::new(if sorts { sorted() } else { levels.to_vec() }))
    };
    let feature = |column: &&Column| Feature { name: column.name().to_owned(), domain: levels(column) };
    let features = columns.iter().map(feature).collect();
    let encoding = match params.categorical_encoding {
        CategoricalEncoding::Binary => Encoding::Binary,
        CategoricalEncoding::LabelEncoder => Encoding::LabelEncoder,
        CategoricalEncoding::Eigen => Encoding::Eigen {
            projections: columns
                .iter()
                .filter_map(|column| Some(eigen::projections_of(column, column.domain()?.len(), None)))
                .flatten()
                .collect(),
        },
        CategoricalEncoding::EnumLimited => {
            let most = params.max_categorical_levels as usize;
            Encoding::EnumLimited { most, limited: columns.iter().map(|column| limited::of(column, most)).collect() }
        }
        _ => Encoding::Auto,
    };
    Ok((features, encoding))
}

/// Refuses levels of the training frame that an encoding has no number for.
fn check_levels(encoding: CategoricalEncoding, column: &Column) -> Result<(), PlanError> {
    let Some(levels) = column.domain() else { return Ok(()) };
    match encoding {
        CategoricalEncoding::Eigen => check_eigen(column.name(), levels.len()),
        CategoricalEncoding::LabelEncoder => check_labels(column.name(), levels, levels),
        _ => Ok(()),
    }
}

/// Refuses levels of another frame that an encoding has no number for.
pub(super) fn check_other_levels(encoding: &Encoding, column: &Column, domain: &Domain) -> Result<(), PlanError> {
    let Some(levels) = column.domain() else { return Ok(()) };
    match encoding {
        Encoding::Eigen { .. } => check_eigen(column.name(), size(&codes(domain, levels), domain)),
        Encoding::LabelEncoder => check_labels(column.name(), domain.levels(), levels),
        _ => Ok(()),
    }
}

/// The projection takes the cube of the levels in time. H2O has the same limit, and takes the levels past it together.
fn check_eigen(column: &str, levels: usize) -> Result<(), PlanError> {
    const MOST_LEVELS: usize = 1024;
    if levels <= MOST_LEVELS {
        return Ok(());
    }
    Err(PlanError::EigenLevels { column: column.to_owned(), levels, limit: MOST_LEVELS })
}

/// Where the first level is a number, all have to be: in H2O such a run fails.
fn check_labels(column: &str, domain: &[String], levels: &[String]) -> Result<(), PlanError> {
    let Some(first) = domain.first().filter(|first| number_of_label(first).is_some()) else { return Ok(()) };
    match levels.iter().find(|level| number_of_label(level).is_none()) {
        None => Ok(()),
        Some(level) => {
            Err(PlanError::NoLabel { column: column.to_owned(), level: level.clone(), first: first.clone() })
        }
    }
}

/// The model's own columns that are made from a frame's column, for the feature with this place.
///
/// Levels that the model does not know are taken for levels after its own, as H2O's cluster takes them: with `Binary`
/// their codes have bits (those past the model's are lost), with `LabelEncoder` they are the numbers they spell or their
/// codes. `Eigen` projects anew, by how often this frame has each level, and `EnumLimited` limits anew. A column without
/// any value may be of any type.
pub(super) fn own_columns<'f>(
    encoding: &Encoding,
    features: &[Feature],
    place: usize,
    index: usize,
    column: &'f Column,
    adaptation: Adaptation,
) -> Vec<OwnColumn<'f>> {
    let levels = column.domain().unwrap_or_default();
    let domain = match &features[place].domain {
        Some(domain) if *encoding != Encoding::Auto || domain.levels() != levels => domain,
        _ => return vec![OwnColumn { index, column, levels: None }],
    };
    let codes = codes(domain, levels);
    let known = |code: u32| if (code as usize) < domain.len() { f64::from(code) } else { f64::NAN };
    let one = |of_code: Vec<f64>| vec![LevelValues { of_code, missing: f64::NAN }];
    let values = match encoding {
        Encoding::Auto => one(codes.iter().map(|&code| known(code)).collect()),
        Encoding::Binary => {
            let bits = domain.len().checked_ilog2().map_or(0, |bits| bits + 1);
            let bit = |bit| codes.iter().map(|code| f64::from((code + 1) >> bit & 1)).collect();
            (0..bits).map(|i| LevelValues { of_code: bit(i), missing: 0.0 }).collect()
        }
        Encoding::LabelEncoder => {
            let first = domain.levels().first().and_then(|label| number_of_label(label));
            let value = |(label, &code): (&String, &u32)| match first {
                Some(_) => number_of_label(label).unwrap_or(f64::NAN),
                None => f64::from(code),
            };
            one(levels.iter().zip(&codes).map(value).collect())
        }
        Encoding::Eigen { .. } => {
            let projections = eigen::projections_of(column, size(&codes, domain), Some(&codes));
            // Kept in double, handed on in single precision.
            one(codes.iter().map(|&code| f64::from(projections[code as usize] as f32)).collect())
        }
        Encoding::EnumLimited { most, limited } => one(match (&limited[place], adaptation) {
            (Some(LimitedLevels { domain, .. }), Adaptation::ByName) => limited::codes(column, *most, &codes, domain),
            (Some(_), Adaptation::LosingLimited) => vec![f64::NAN; codes.len()],
            (limited, Adaptation::ByCode) if limited.is_some() || size(&codes, domain) > *most => {
                limited::codes_here(column, *most, &codes)
            }
            _ => codes.iter().map(|&code| known(code)).collect(),
        }),
    };
    values.into_iter().map(|levels| OwnColumn { index, column, levels: Some(levels) }).collect()
}

/// The model's code for each level of a frame: those that it does not know follow its own.
fn codes(domain: &Domain, levels: &[String]) -> Vec<u32> {
    let mut next = domain.len() as u32;
    let code = |level: &String| {
        domain.code(level).unwrap_or_else(|| {
            next += 1;
            next - 1
        })
    };
    levels.iter().map(code).collect()
}

/// Levels that the model and a frame have together.
fn size(codes: &[u32], domain: &Domain) -> usize {
    codes.iter().map(|&code| code as usize + 1).max().unwrap_or(0).max(domain.len())
}

/// How many rows have each level.
fn counts(column: &Column, levels: usize) -> Vec<u64> {
    let mut counts = vec![0; levels];
    for code in column.numbers().filter(|code| !code.is_nan()) {
        counts[code as usize] += 1;
    }
    counts
}

#[cfg(test)]
mod tests;
