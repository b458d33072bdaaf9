//! Which columns are predictors, and in which order the model takes them.

use model::{Domain, Feature, Response, Schema, listed};

use super::PlanError;
use super::special::Special;
use crate::frame::{Column, ColumnType, Frame};
use crate::params::{Names, TrainParams, distance};

/// The predictors in model order: categoricals by falling number of levels, then numbers as they stand in the frame.
#[derive(Debug)]
pub(crate) struct Predictors<'f> {
    frame: &'f Frame,
    categoricals: Vec<usize>,
    numerics: Vec<usize>,
    dropped: Vec<String>,
}

impl<'f> Predictors<'f> {
    /// Chooses the predictors by `x` or `ignored_columns` and drops those that can teach nothing.
    ///
    /// An autoencoder, which has no response, takes the column that is named as one even where it is ignored, as H2O does.
    pub fn new(
        params: &TrainParams,
        frame: &'f Frame,
        response: Option<usize>,
        special: Special,
    ) -> Result<Self, PlanError> {
        let mut dropped = Vec::new();
        let (mut categoricals, mut numerics) = (Vec::new(), Vec::new());
        for index in candidates(params, frame, response)?.into_iter().filter(|&index| !special.contains(index)) {
            let column = &frame.columns()[index];
            // Text cannot be an input at all; H2O with ignore_const_cols = false fails on it later.
            let is_text = matches!(column.kind(), ColumnType::String | ColumnType::Uuid);
            let drop = is_text || (params.ignore_const_cols && is_constant(column));
            if drop {
                dropped.push(column.name().to_owned());
            } else if column.kind() == ColumnType::Enum {
                categoricals.push(index);
            } else {
                check_finite(column)?;
                numerics.push(index);
            }
        }
        if categoricals.is_empty() && numerics.is_empty() {
            let dropped = if dropped.is_empty() {
                let besides = if response.is_some() { "besides the response" } else { "to learn from" };
                format!("there is no column {besides}")
            } else {
                format!("constant, missing or text are {}", listed(&dropped))
            };
            return Err(PlanError::NoPredictor { dropped });
        }
        sort_as_h2o(&mut categoricals, |&index| levels(&frame.columns()[index]).len());
        Ok(Self { frame, categoricals, numerics, dropped })
    }

    /// What a user should know about the dropped columns.
    pub fn warning(&self) -> Option<String> {
        let dropped = &self.dropped;
        let what = if let [_] = dropped.as_slice() { "column that is" } else { "columns that are" };
        let count = dropped.len();
        (!dropped.is_empty()).then(|| format!("dropped {count} {what} constant, missing or text: {}", listed(dropped)))
    }

    /// The runtime's rows have numbers where the frame has times.
    pub fn time_warning(&self) -> Option<String> {
        let times = self.numeric_columns().into_iter().filter(|column| column.kind() == ColumnType::Time);
        let times: Vec<&str> = times.map(Column::name).collect();
        (!times.is_empty()).then(|| {
            format!(
                "times in {} are numbers to the model: predict, serve and H2O's runtime take them as milliseconds since 1970",
                listed(&times)
            )
        })
    }

    /// The columns in model order.
    pub fn columns(&self) -> Vec<usize> {
        self.categoricals.iter().chain(&self.numerics).copied().collect()
    }

    /// The numeric columns, in model order.
    pub fn numeric_columns(&self) -> Vec<&'f Column> {
        self.numerics.iter().map(|&index| &self.frame.columns()[index]).collect()
    }

    /// The number of levels of each categorical.
    pub fn level_counts(&self) -> Vec<usize> {
        self.categorical_columns().map(|column| levels(column).len()).collect()
    }

    /// The model's columns.
    pub fn schema(&self, response: Option<Response>, special: Special) -> Schema {
        let feature = |column: &Column| Feature {
            name: column.name().to_owned(),
            domain: column.domain().map(|levels| Domain::new(levels.to_vec())),
        };
        let features = self.columns().iter().map(|&index| feature(&self.frame.columns()[index])).collect();
        Schema::new(features, response, special.names(self.frame))
    }

    fn categorical_columns(&self) -> impl Iterator<Item = &'f Column> {
        self.categoricals.iter().map(|&index| &self.frame.columns()[index])
    }
}

fn candidates(params: &TrainParams, frame: &Frame, response: Option<usize>) -> Result<Vec<usize>, PlanError> {
    let listed = |parameter, names: &Names| -> Result<Vec<usize>, PlanError> {
        names.0.iter().map(|name| find(frame, parameter, name)).collect()
    };
    let all = 0..frame.columns().len();
    let mut chosen: Vec<usize> = match (&params.x, &params.ignored_columns) {
        (Some(names), _) => listed("x", names)?,
        (None, Some(names)) => {
            let ignored = listed("ignored_columns", names)?;
            all.filter(|index| !ignored.contains(index)).collect()
        }
        (None, None) => all.collect(),
    };
    match (response, &params.response_column) {
        (None, Some(name)) => chosen.push(find(frame, "response_column", name)?),
        _ => chosen.retain(|&index| Some(index) != response),
    }
    chosen.sort_unstable();
    chosen.dedup();
    Ok(chosen)
}

/// The position of a column that a parameter names, or its position as `C<number from 1>`.
pub(super) fn find(frame: &Frame, parameter: &'static str, name: &str) -> Result<usize, PlanError> {
    let by_position = || {
        let number: usize = name.strip_prefix('C')?.parse().ok()?;
        (1..=frame.columns().len()).contains(&number).then(|| number - 1)
    };
    let near = || {
        let plain = |name: &str| name.trim().to_lowercase();
        let names = frame.columns().iter().map(Column::name);
        names
            .map(|other| (distance(&plain(name), &plain(other)), other))
            .min()
            .filter(|(distance, _)| *distance <= 2 && 2 * distance < name.len())
    };
    frame.index_of(name).or_else(by_position).ok_or_else(|| PlanError::UnknownColumn {
        parameter,
        column: name.to_owned(),
        suggestion: near().map_or(String::new(), |(_, name)| format!(", did you mean `{name}`?")),
        has_names: (1..).zip(frame.columns()).any(|(number, column)| column.name() != format!("C{number}")),
        columns: listed(&frame.columns().iter().map(Column::name).collect::<Vec<_>>()),
    })
}

/// All missing, or one value besides missing ones.
fn is_constant(column: &Column) -> bool {
    let mut values = column.numbers().filter(|x| !x.is_nan());
    let Some(first) = values.next() else { return true };
    values.all(|x| x == first)
}

fn check_finite(column: &Column) -> Result<(), PlanError> {
    match column.numbers().position(f64::is_infinite) {
        None => Ok(()),
        Some(row) => Err(PlanError::InfinitePredictor {
            column: column.name().to_owned(),
            row: row + 1,
            value: column.number(row),
        }),
    }
}

fn levels(column: &Column) -> &[String] {
    column.domain().unwrap_or(&[])
}

/// H2O's exchange sort by falling size. It is not stable: columns of one size may change places.
fn sort_as_h2o<T>(items: &mut [T], size: impl Fn(&T) -> usize) {
    for i in 0..items.len() {
        for j in i + 1..items.len() {
            if size(&items[i]) < size(&items[j]) {
                items.swap(i, j);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exchange_sort_is_not_stable() {
        let mut columns = [("a", 2), ("b", 2), ("c", 3)];
        sort_as_h2o(&mut columns, |c| c.1);
        assert_eq!(columns.map(|c| c.0), ["c", "b", "a"]);
    }

    #[test]
    fn a_column_that_is_constant_apart_from_missing_values_is_dropped() {
        assert!(is_constant(&Column::numeric("a", [f64::NAN, 3.0, 3.0])));
        assert!(is_constant(&Column::numeric("a", [f64::NAN])));
        assert!(!is_constant(&Column::numeric("a", [1.0, 2.0])));
    }
}
