//! Which columns are predictors, and in which order the model takes them.

use model::{Domain, Encoding, Feature, Response, Schema, listed};

use super::PlanError;
use super::encoding::{self, Adaptation, OwnColumn};
use super::response::ResponseColumn;
use super::special::Special;
use crate::frame::{Column, ColumnType, Frame};
use crate::params::{Names, TrainParams, distance};

/// The predictors, the columns that they become, and those that were dropped.
#[derive(Debug)]
pub(crate) struct Predictors<'f> {
    frame: &'f Frame,
    /// Places in the frame, in the order of the schema.
    columns: Vec<usize>,
    features: Vec<Feature>,
    encoding: Encoding,
    dropped: Vec<String>,
}

impl<'f> Predictors<'f> {
    /// Chooses the predictors by `x` or `ignored_columns` and drops those that can teach nothing.
    ///
    /// The model takes categoricals by falling number of levels, then numbers as they stand in the frame. Where an encoding
    /// leaves no categoricals, the columns stay as they stand. An autoencoder, which has no response, takes the column that
    /// is named as one even where it is ignored, as H2O does.
    pub fn new(
        params: &TrainParams,
        frame: &'f Frame,
        response: Option<&ResponseColumn<'f>>,
        special: Special,
    ) -> Result<Self, PlanError> {
        let mut dropped = Vec::new();
        let mut columns = Vec::new();
        for index in candidates(params, frame, response.map(ResponseColumn::column))? {
            if special.contains(index) {
                continue;
            }
            let column = &frame.columns()[index];
            // Text cannot be an input at all; H2O with ignore_const_cols = false fails on it later.
            let is_text = matches!(column.kind(), ColumnType::String | ColumnType::Uuid);
            if is_text || (params.ignore_const_cols && is_constant(column)) {
                dropped.push(column.name().to_owned());
                continue;
            }
            if column.kind() != ColumnType::Enum {
                check_finite(column)?;
            }
            columns.push(index);
        }
        if columns.is_empty() {
            let dropped = if dropped.is_empty() {
                let besides = if response.is_some() { "besides the response" } else { "to learn from" };
                format!("there is no column {besides}")
            } else {
                format!("constant, missing or text are {}", listed(&dropped))
            };
            return Err(PlanError::NoPredictor { dropped });
        }
        let weights = special.weights.map(|index| frame.columns()[index].numbers().collect::<Vec<f64>>());
        let responses = response.map_or(Vec::new(), ResponseColumn::values);
        let mut predictors = Self { frame, columns, features: Vec::new(), encoding: Encoding::Auto, dropped };
        predictors.encode(params, &responses, weights.as_deref())?;
        if predictors.own_features().iter().any(|feature| feature.domain.is_some()) {
            predictors.sort();
            predictors.encode(params, &responses, weights.as_deref())?;
        }
        Ok(predictors)
    }

    fn encode(&mut self, params: &TrainParams, responses: &[f64], weights: Option<&[f64]>) -> Result<(), PlanError> {
        let columns: Vec<&Column> = self.columns.iter().map(|&index| &self.frame.columns()[index]).collect();
        (self.features, self.encoding) = encoding::choose(params, &columns, responses, weights)?;
        Ok(())
    }

    fn sort(&mut self) {
        let own = self.own_features();
        let levels = own.iter().map(|feature| feature.domain.as_ref().map(Domain::len));
        let sized: Vec<(usize, Option<usize>)> = self.columns.iter().copied().zip(levels).collect();
        let (mut categoricals, numerics): (Vec<_>, Vec<_>) = sized.into_iter().partition(|(_, size)| size.is_some());
        sort_as_h2o(&mut categoricals, |(_, size)| size.unwrap_or(0));
        self.columns = categoricals.into_iter().chain(numerics).map(|(index, _)| index).collect();
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
        let columns = self.columns.iter().map(|&index| &self.frame.columns()[index]);
        let times: Vec<&str> = columns.filter(|c| c.kind() == ColumnType::Time).map(Column::name).collect();
        (!times.is_empty()).then(|| {
            format!(
                "times in {} are numbers to the model: predict, serve and H2O's runtime take them as milliseconds since 1970",
                listed(&times)
            )
        })
    }

    /// Their places in the frame, in the order of the schema.
    pub fn columns(&self) -> &[usize] {
        &self.columns
    }

    /// How they become the model's own columns.
    pub fn encoding(&self) -> &Encoding {
        &self.encoding
    }

    /// The model's own columns as features.
    fn own_features(&self) -> Vec<Feature> {
        self.encoding.columns(&self.features).into_owned()
    }

    /// The model's own columns in the training frame, each with its place.
    pub fn own_columns(&self) -> Vec<OwnColumn<'f>> {
        let own = |(place, &index): (usize, &usize)| {
            let column = &self.frame.columns()[index];
            encoding::own_columns(&self.encoding, &self.features, place, index, column, Adaptation::ByName)
        };
        let first = self.encoding.first_columns(&self.features);
        let mut own: Vec<(usize, OwnColumn<'f>)> = (self.columns.iter().enumerate().map(own).zip(first))
            .flat_map(|(columns, first)| (first..).zip(columns))
            .collect();
        own.sort_by_key(|(place, _)| *place);
        own.into_iter().map(|(_, column)| column).collect()
    }

    /// The number of levels of each of the model's own categoricals.
    pub fn level_counts(&self) -> Vec<usize> {
        self.own_features().iter().filter_map(|feature| Some(feature.domain.as_ref()?.len())).collect()
    }

    /// The model's columns.
    pub fn schema(&self, response: Option<Response>, special: Special) -> Schema {
        Schema::new(self.features.clone(), response, special.names(self.frame))
    }

    /// The columns whose codes a validation frame is given: where it is taken by code, those before levels were sorted.
    pub fn validation_schema(&self, schema: &Schema, adaptation: Adaptation) -> Schema {
        let domain = |index: usize| self.frame.columns()[index].domain().map(|levels| Domain::new(levels.to_vec()));
        let features = schema.features().iter().zip(&self.columns).map(|(feature, &index)| match adaptation {
            Adaptation::ByName | Adaptation::LosingLimited => feature.clone(),
            Adaptation::ByCode => Feature { name: feature.name.clone(), domain: domain(index) },
        });
        Schema::new(features.collect(), schema.response().cloned(), schema.special().clone())
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
