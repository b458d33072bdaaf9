//! From the cells of rows to predictions.

use std::sync::Arc;
use std::time::Instant;

use model::{Category, Feature, Prediction, Workspace};

use super::policy::{InvalidNumbers, Policy, UnknownLevels};
use super::predictions::{Predictions, Scored};
use super::value::Value;
use super::warning::{Column, Notes, Summary, Warning, WarningKind};
use crate::error::ServeError;
use crate::registry::ServedModel;

/// Scores the rows of one request with one model, block by block.
///
/// A block is filled row by row (`begin_row`, then `column` and `set` for each cell, then `end_row`) or column by column
/// (`begin_block`, then `numbers` or `cells` for each column, then `end_block`), and scored when it [is full](Self::is_full) or
/// the rows are at their end.
#[derive(Debug)]
pub struct Scoring {
    served: Arc<ServedModel>,
    policy: Policy,
    /// The raw rows of the block, one after the other.
    values: Vec<f64>,
    /// Rows of the block.
    rows: usize,
    /// Rows of the request before it.
    before: usize,
    /// For each feature the last row of the request that had it.
    given_in: Vec<usize>,
    /// Features that the current row has.
    given: usize,
    /// The feature after the one that was given last: rows mostly come in the order of the schema.
    next: usize,
    notes: Notes,
    summary: Summary,
    scored: Scored,
    workspace: Workspace,
}

impl Scoring {
    /// A scorer that has seen no row yet.
    pub fn new(served: Arc<ServedModel>, policy: Policy) -> Result<Self, ServeError> {
        if policy.threshold.is_some() && served.model().category != Category::Binomial {
            return Err(ServeError::Unsupported { wanted: "a threshold", needed: "a model of two classes" });
        }
        let features = served.model().schema.features().len();
        Ok(Self {
            policy,
            values: Vec::with_capacity(features),
            rows: 0,
            before: 0,
            given_in: vec![0; features],
            given: 0,
            next: 0,
            notes: Notes::default(),
            summary: Summary::default(),
            scored: Scored::default(),
            workspace: Workspace::default(),
            served,
        })
    }

    /// The model.
    pub fn served(&self) -> &Arc<ServedModel> {
        &self.served
    }

    /// Rows of the request so far.
    pub fn rows(&self) -> usize {
        self.before + self.rows
    }

    /// Whether the block is to be scored before it takes more rows.
    pub fn is_full(&self) -> bool {
        self.rows >= self.served.block_rows()
    }

    /// What was noticed in the whole request so far, one warning for each kind.
    pub fn warnings(&self) -> Vec<Warning<'_>> {
        self.summary.warnings(&self.served)
    }

    /// Starts a row in which every column is still absent.
    pub fn begin_row(&mut self) {
        self.begin_block(1);
    }

    /// The feature that a column of the row is; `None` for a column that the model does not read.
    pub fn column(&mut self, name: &str) -> Result<Option<usize>, ServeError> {
        let found = match self.features().get(self.next) {
            Some(feature) if feature.name == name && self.served.is_addressable(self.next) => Some(self.next),
            _ => self.served.model().schema.index_of(name),
        };
        match found {
            Some(feature) => self.next = feature + 1,
            None if self.served.ignores(name) => {}
            None if self.policy.strict_columns => {
                return Err(ServeError::UnknownColumn { row: self.rows(), column: name.to_owned() });
            }
            None => self.note(WarningKind::UnknownColumn, || Column::Other(name.to_owned())),
        }
        Ok(found)
    }

    /// Sets the value of a feature, which is one that [`Self::column`] found.
    pub fn set(&mut self, feature: usize, value: Value<'_>) -> Result<(), ServeError> {
        let row = self.rows();
        if self.given_in[feature] == row {
            return Err(ServeError::RepeatedColumn { row, column: self.name(feature).to_owned() });
        }
        self.given_in[feature] = row;
        self.given += 1;
        let (raw, noticed) = self.read(feature, value, row)?;
        let at = self.values.len() - self.features().len() + feature;
        self.values[at] = raw;
        if let Some(kind) = noticed {
            self.note(kind, || Column::Feature(feature));
        }
        Ok(())
    }

    /// The row is complete.
    pub fn end_row(&mut self) -> Result<(), ServeError> {
        if self.given == self.served.columns() {
            return Ok(());
        }
        let row = self.rows();
        for feature in 0..self.given_in.len() {
            if self.given_in[feature] != row && self.served.is_addressable(feature) {
                if self.policy.strict_columns {
                    return Err(ServeError::AbsentColumn { row, column: self.name(feature).to_owned() });
                }
                self.note(WarningKind::AbsentColumn, || Column::Feature(feature));
            }
        }
        Ok(())
    }

    /// Finds the columns of a table by their names: the feature that each is, `None` for one that the model does not
    /// read. Absent and unknown ones are noted for the request, and not for each row.
    pub fn bind<'n>(&mut self, names: impl Iterator<Item = &'n str>) -> Result<Vec<Option<usize>>, ServeError> {
        let mut places = Vec::new();
        let mut notes = Notes::default();
        let mut found = vec![false; self.features().len()];
        for name in names {
            let feature = self.served.model().schema.index_of(name);
            match feature {
                Some(feature) if found[feature] => return Err(ServeError::RepeatedName { column: name.to_owned() }),
                Some(feature) => found[feature] = true,
                None if self.served.ignores(name) => {}
                None if self.policy.strict_columns => {
                    return Err(ServeError::UnknownName { column: name.to_owned() });
                }
                None => notes.note(0, WarningKind::UnknownColumn, || Column::Other(name.to_owned())),
            }
            places.push(feature);
        }
        for (feature, _) in found.iter().enumerate().filter(|(f, found)| !**found && self.served.is_addressable(*f)) {
            if self.policy.strict_columns {
                return Err(ServeError::AbsentName { column: self.name(feature).to_owned() });
            }
            notes.note(0, WarningKind::AbsentColumn, || Column::Feature(feature));
        }
        self.summary.add(&notes);
        Ok(places)
    }

    /// Starts so many rows in which every column is still missing.
    pub fn begin_block(&mut self, rows: usize) {
        self.rows += rows;
        self.values.resize(self.rows * self.features().len(), f64::NAN);
        self.given = 0;
        self.next = 0;
    }

    /// Sets a feature in all rows of the block, by numbers of which NaN is missing.
    pub fn numbers(&mut self, feature: usize, numbers: impl Iterator<Item = f64>) -> Result<(), ServeError> {
        if self.features()[feature].domain.is_some() {
            return self.cells(feature, numbers.map(Value::Number));
        }
        let stride = self.features().len();
        for (cell, number) in self.values.iter_mut().skip(feature).step_by(stride).zip(numbers) {
            *cell = number;
        }
        Ok(())
    }

    /// Sets a feature in all rows of the block.
    pub fn cells<'v>(&mut self, feature: usize, values: impl Iterator<Item = Value<'v>>) -> Result<(), ServeError> {
        let stride = self.features().len();
        for (row, value) in values.take(self.rows).enumerate() {
            let (raw, noticed) = self.read(feature, value, self.before + row + 1)?;
            self.values[row * stride + feature] = raw;
            if let Some(kind) = noticed {
                self.notes.push(row, kind, Column::Feature(feature));
            }
        }
        Ok(())
    }

    /// Sets a feature in all rows of the block by the codes of its levels, of which NaN is missing. A code without a level is
    /// one that the model does not know.
    pub fn codes(&mut self, feature: usize, codes: impl Iterator<Item = f64>) -> Result<(), ServeError> {
        let levels = self.features()[feature].domain.as_ref().map_or(0, model::Domain::len);
        let stride = self.features().len();
        for (row, code) in codes.take(self.rows).enumerate() {
            let known = code.is_nan() || (code >= 0.0 && code < levels as f64 && code.fract() == 0.0);
            self.values[row * stride + feature] = if known {
                code
            } else {
                self.notes.push(row, WarningKind::UnseenLevel, Column::Feature(feature));
                self.unknown_level(feature, f64::NAN, self.before + row + 1)?
            };
        }
        Ok(())
    }

    /// The block is complete.
    pub fn end_block(&mut self) {
        self.notes.sort();
    }

    /// Scores the block, and starts the next.
    pub fn score(&mut self) -> Predictions<'_> {
        self.scored.rows = self.rows;
        self.scored.labels.clear();
        self.scored.numbers.clear();
        let features = self.served.model().schema.features().len();
        let began = Instant::now();
        for row in 0..self.rows {
            self.score_row(row, row * features..(row + 1) * features);
        }
        self.served.metrics().count_rows(self.rows, began.elapsed());
        if !self.notes.is_empty() {
            for (kind, count) in self.notes.counts() {
                self.served.metrics().count_warnings(kind, count);
            }
            self.summary.add(&self.notes);
        }
        std::mem::swap(&mut self.notes, &mut self.scored.notes);
        self.notes.clear();
        self.values.clear();
        self.before += self.rows;
        self.rows = 0;
        Predictions { served: &self.served, scored: &self.scored }
    }

    fn score_row(&mut self, row: usize, values: std::ops::Range<usize>) {
        let Scored { labels, numbers, .. } = &mut self.scored;
        let start = numbers.len();
        match self.served.model().score(&self.values[values], &mut self.workspace) {
            Prediction::Value(value) => numbers.push(value),
            Prediction::Class { label, probabilities } => {
                let label = match (self.policy.threshold, probabilities) {
                    (Some(threshold), [_, second]) => label.map(|_| usize::from(*second >= threshold)),
                    _ => label,
                };
                labels.push(label.map(|label| label as u32));
                numbers.extend_from_slice(probabilities);
            }
            Prediction::Reconstruction { values, mse } => {
                numbers.extend_from_slice(values);
                // That it is NaN says no more than that a number is missing.
                let finite = values.iter().all(|value| value.is_finite());
                if !finite {
                    for (output, _) in values.iter().enumerate().filter(|(_, value)| !value.is_finite()) {
                        self.notes.note(row, WarningKind::NonFiniteOutput, || Column::Output(output));
                    }
                }
                numbers.push(mse);
                return;
            }
        }
        for (output, _) in numbers[start..].iter().enumerate().filter(|(_, number)| !number.is_finite()) {
            self.notes.push(row, WarningKind::NonFiniteOutput, Column::Output(output));
        }
    }

    /// The raw value of a cell, and what was noticed, where the policy takes it.
    fn read(&self, feature: usize, value: Value<'_>, row: usize) -> Result<(f64, Option<WarningKind>), ServeError> {
        let column = &self.features()[feature];
        if self.policy.strict_types && !value.has_type_of(column) {
            let (column, expected) = (column.name.clone(), if column.domain.is_some() { "a text" } else { "a number" });
            return Err(ServeError::WrongType { row, column, expected });
        }
        let (raw, remark) = value.read(column, &self.served.model().encoding);
        let Some(remark) = remark else { return Ok((raw, None)) };
        let kind = WarningKind::from(remark);
        let raw = match kind {
            WarningKind::UnseenLevel => self.unknown_level(feature, raw, row)?,
            WarningKind::InvalidNumber if self.policy.invalid_numbers == InvalidNumbers::Error => {
                return Err(ServeError::InvalidNumber { row, column: column.name.clone() });
            }
            _ => raw,
        };
        Ok((raw, Some(kind)))
    }

    /// The raw value of a level that the model does not know, given what H2O makes of it.
    fn unknown_level(&self, feature: usize, raw: f64, row: usize) -> Result<f64, ServeError> {
        match self.policy.unknown_levels {
            UnknownLevels::H2o => Ok(raw),
            UnknownLevels::Zero => Ok(self.served.model().encoding.nothing()),
            UnknownLevels::Error => {
                let column = &self.features()[feature];
                let levels = column.domain.as_ref().map_or(0, model::Domain::len);
                Err(ServeError::UnknownLevel { row, column: column.name.clone(), levels })
            }
        }
    }

    fn note(&mut self, kind: WarningKind, column: impl FnOnce() -> Column) {
        self.notes.note(self.rows - 1, kind, column);
    }

    /// Whether a feature is a number.
    pub(crate) fn is_numeric(&self, feature: usize) -> bool {
        self.features()[feature].domain.is_none()
    }

    pub(crate) fn name(&self, feature: usize) -> &str {
        &self.features()[feature].name
    }

    fn features(&self) -> &[Feature] {
        self.served.model().schema.features()
    }
}
