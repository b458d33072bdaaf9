//! The rows that train, encoded as H2O's cluster encodes them.

use super::InputLayout;

/// Fills inputs from raw rows of the training frame.
#[derive(Debug, Clone)]
pub struct FrameEncoder<'a> {
    layout: &'a InputLayout,
    /// The input of each number where it is missing: the column's mean, scaled.
    imputed: Vec<f64>,
}

impl<'a> FrameEncoder<'a> {
    /// An encoder that replaces a missing number by its column's mean.
    pub fn new(layout: &'a InputLayout, means: &[f64]) -> Self {
        let imputed = means.iter().enumerate().map(|(number, &mean)| layout.scaled(number, mean)).collect();
        Self { layout, imputed }
    }

    /// Sets `input` to the inputs of a training row.
    pub fn fill(&self, row: &[f64], input: &mut [f64]) {
        input.fill(0.0);
        let layout = self.layout;
        let (levels, numbers) = row.split_at(layout.categoricals());
        for (categorical, &code) in levels.iter().enumerate() {
            let set = if code.is_nan() {
                Some(self.missing_level(categorical))
            } else {
                layout.level_input(categorical, code as usize)
            };
            if let Some(set) = set {
                input[set] = 1.0;
            }
        }
        let inputs = &mut input[layout.first_numeric()..];
        for (number, (&value, input)) in numbers.iter().zip(inputs).enumerate() {
            *input = if value.is_nan() { self.imputed[number] } else { layout.scaled(number, value) };
        }
    }

    /// H2O's index arithmetic: with the first level dropped, a missing level trains the input of the last one.
    fn missing_level(&self, categorical: usize) -> usize {
        let bucket = self.layout.missing_bucket(categorical);
        let first = self.layout.cat_offsets[categorical];
        if self.layout.use_all_factor_levels { bucket } else { bucket.saturating_sub(1).max(first) }
    }
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
}
