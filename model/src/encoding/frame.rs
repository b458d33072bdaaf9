//! The rows that train, encoded as H2O's cluster encodes them.

use super::InputLayout;

/// Fills inputs from raw rows of the training frame.
#[derive(Debug, Clone)]
pub struct FrameEncoder<'a> {
    layout: &'a InputLayout,
    /// The input of each number where it is missing: the column's mean, scaled.
    imputed: Vec<f64>,
    /// With `sparse`: whether each number is missing in so many rows that a missing one counts as zero.
    mostly_missing: Option<Vec<bool>>,
}

impl<'a> FrameEncoder<'a> {
    /// An encoder that replaces a missing number by its column's mean.
    pub fn new(layout: &'a InputLayout, means: &[f64]) -> Self {
        let imputed = means.iter().enumerate().map(|(number, &mean)| layout.scaled(number, mean)).collect();
        Self { layout, imputed, mostly_missing: None }
    }

    /// An encoder of H2O's `sparse` rows, which differ from the others in three ways:
    ///
    /// * numbers are scaled and not shifted, also where scoring shifts them, as it does for an autoencoder;
    /// * a number that is missing in a [mostly missing](Self::is_mostly_missing) column is zero;
    /// * the first input of the net is lost in most rows, see [`fill`](Self::fill).
    pub fn sparse(layout: &'a InputLayout, means: &[f64], mostly_missing: Vec<bool>) -> Self {
        let imputed = means.iter().enumerate().map(|(number, &mean)| stretched(layout, number, mean)).collect();
        Self { layout, imputed, mostly_missing: Some(mostly_missing) }
    }

    /// Whether a column is one that H2O stores by its values alone.
    pub fn is_mostly_missing(rows: usize, missing: usize) -> bool {
        8 * (rows - missing) < rows
    }

    /// Sets `input` to the inputs of a training row.
    ///
    /// A sparse row of H2O has entries for the numbers that are not zero, in a buffer that has room for sixteen of them
    /// and grows by halves. What is left of the room reads as entries for input 0 with the value 0: unless the row fills
    /// its buffer exactly, its first input is set to zero. Where levels share slots as well, the entries go to the inputs of
    /// the first numbers, whatever numbers they are, and the first input stays.
    pub fn fill(&self, row: &[f64], input: &mut [f64]) {
        input.fill(0.0);
        if self.each_input(row, |place, value| input[place] += value) {
            input[0] = 0.0;
        }
    }

    /// The inputs of a training row that are not zero, with their places: what [`fill`](Self::fill) sets.
    pub fn entries(&self, row: &[f64], entries: &mut Vec<(usize, f64)>) {
        entries.clear();
        let loses_first = self.each_input(row, |place, value| {
            // Levels that share a slot count in it together.
            let shared = entries.iter_mut().find(|(other, _)| self.layout.hashing.is_some() && *other == place);
            match shared {
                Some((_, sum)) => *sum += value,
                None => entries.push((place, value)),
            }
        });
        entries.retain(|&(place, value)| value != 0.0 && !(loses_first && place == 0));
    }

    /// Adds to each input that a row has, and returns whether the row loses its first one.
    fn each_input(&self, row: &[f64], mut set: impl FnMut(usize, f64)) -> bool {
        let layout = self.layout;
        let (levels, numbers) = row.split_at(layout.categoricals());
        for (categorical, &code) in levels.iter().enumerate() {
            let place = if code.is_nan() {
                Some(self.missing_level(categorical))
            } else {
                layout.level_input(categorical, code as usize)
            };
            if let Some(place) = place {
                set(layout.hashing.map_or(place, |hashing| hashing.slot(place)), 1.0);
            }
        }
        let mut entries = 0;
        let packs = self.mostly_missing.is_some() && layout.hashing.is_some();
        for (number, &value) in numbers.iter().enumerate() {
            if self.is_no_entry(number, value) {
                continue;
            }
            let place = layout.first_numeric() + if packs { entries } else { number };
            entries += 1;
            let value = match self.mostly_missing {
                _ if value.is_nan() => self.imputed[number],
                Some(_) => stretched(layout, number, value),
                None => layout.scaled(number, value),
            };
            set(place, value);
        }
        self.mostly_missing.is_some() && !packs && entries < room_for(entries, numbers.len())
    }

    /// Whether missing numbers of the column keep a row from training under `missing_values_handling = Skip`.
    pub fn skips_missing(&self, number: usize) -> bool {
        !self.mostly_missing.as_ref().is_some_and(|columns| columns[number])
    }

    fn is_no_entry(&self, number: usize, value: f64) -> bool {
        self.mostly_missing.as_ref().is_some_and(|columns| value == 0.0 || (value.is_nan() && columns[number]))
    }

    /// H2O's index arithmetic: with the first level dropped, a missing level trains the input of the last one.
    fn missing_level(&self, categorical: usize) -> usize {
        let bucket = self.layout.missing_bucket(categorical);
        let first = self.layout.cat_offsets[categorical];
        if self.layout.use_all_factor_levels { bucket } else { bucket.saturating_sub(1).max(first) }
    }
}

/// Scaled and not shifted.
fn stretched(layout: &InputLayout, number: usize, value: f64) -> f64 {
    layout.scaling.as_ref().map_or(value, |scaling| value * scaling.mul[number])
}

/// Entries that the buffer of a sparse row has room for.
fn room_for(entries: usize, numbers: usize) -> usize {
    let mut room = numbers.min(16);
    while room < entries {
        // Only rows of more than sixteen numbers get here, so there is a half to add.
        room += room >> 1;
    }
    room
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::Scaling;

    #[test]
    fn a_missing_number_is_the_scaled_mean() {
        let scaling = Scaling { mul: vec![2.0], sub: vec![0.0] };
        let layout = InputLayout::new(&[2], 1, true, Some(scaling));
        let mut input = [9.0; 4];
        FrameEncoder::new(&layout, &[5.0]).fill(&[1.0, f64::NAN], &mut input);
        assert_eq!(input, [0.0, 1.0, 0.0, 10.0]);
    }

    #[test]
    fn a_missing_level_trains_the_last_level_where_the_first_is_dropped() {
        let layout = InputLayout::new(&[3], 0, false, None);
        let mut input = [0.0; 3];
        FrameEncoder::new(&layout, &[]).fill(&[f64::NAN], &mut input);
        assert_eq!(input, [0.0, 1.0, 0.0]);
    }

    #[test]
    fn a_sparse_row_is_not_shifted() {
        let scaling = Scaling { mul: vec![2.0, 2.0], sub: vec![1.0, 1.0] };
        let layout = InputLayout::new(&[], 2, true, Some(scaling));
        let mut input = [9.0; 2];
        FrameEncoder::sparse(&layout, &[5.0, 5.0], vec![false; 2]).fill(&[3.0, f64::NAN], &mut input);
        assert_eq!(input, [6.0, 10.0]);
        FrameEncoder::new(&layout, &[5.0, 5.0]).fill(&[3.0, f64::NAN], &mut input);
        assert_eq!(input, [4.0, 8.0]);
    }

    #[test]
    fn a_sparse_row_that_does_not_fill_its_buffer_loses_its_first_input() {
        let layout = InputLayout::new(&[], 3, true, None);
        let encoder = FrameEncoder::sparse(&layout, &[0.0; 3], vec![false; 3]);
        let mut input = [0.0; 3];
        encoder.fill(&[7.0, 8.0, 9.0], &mut input);
        assert_eq!(input, [7.0, 8.0, 9.0]);
        encoder.fill(&[7.0, 8.0, 0.0], &mut input);
        assert_eq!(input, [0.0, 8.0, 0.0]);
        let mut entries = Vec::new();
        encoder.entries(&[7.0, 8.0, 0.0], &mut entries);
        assert_eq!(entries, [(1, 8.0)]);
        // A missing number is an entry, here of the mean 0.
        encoder.fill(&[7.0, 8.0, f64::NAN], &mut input);
        assert_eq!(input, [7.0, 8.0, 0.0]);
        assert_eq!([16, 17, 24, 25].map(|entries| room_for(entries, 30)), [16, 24, 24, 36]);
    }
}
