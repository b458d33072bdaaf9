//! Quantiles as H2O finds them: by histograms of 1024 bins, refined where the quantile lies.
//!
//! With whole weights the result is the usual interpolated quantile of the weighted values. With fractional weights H2O's
//! running sum of rows loses its fraction after each bin, and the result is what that makes of it.

const BINS: usize = 1024;
/// Each refinement narrows the range a thousandfold; no range of doubles needs more.
const REFINEMENTS: usize = 120;

/// The quantile at a probability of values and their weights; NaN where there is none.
///
/// Values without weight have no part in it but this: the first histogram spans them too.
pub fn quantile(values: &[(f64, f64)], probability: f64) -> f64 {
    let known = || values.iter().filter(|(value, _)| !value.is_nan());
    let rows: f64 = known().map(|v| v.1).sum();
    if rows == 0.0 {
        return f64::NAN;
    }
    let least = known().map(|v| v.0).fold(f64::INFINITY, f64::min);
    let largest = known().map(|v| v.0).fold(f64::NEG_INFINITY, f64::max);
    let mut histogram = Histogram::new(values, least, largest, 0, rows);
    for _ in 0..REFINEMENTS {
        match histogram.find(probability) {
            Ok(found) => return found,
            Err(bin) => {
                let Bin { least, largest, .. } = histogram.bins[bin];
                histogram = Histogram::new(values, least, largest, histogram.rows_before(bin), rows);
            }
        }
    }
    histogram.least
}

/// The values between two bounds, counted.
struct Histogram {
    least: f64,
    /// Rows below the first bin.
    start: i64,
    rows: f64,
    bins: Vec<Bin>,
    /// Where the last bin ends.
    end: f64,
}

#[derive(Clone, Copy, Default)]
struct Bin {
    rows: f64,
    least: f64,
    largest: f64,
}

impl Histogram {
    fn new(values: &[(f64, f64)], least: f64, largest: f64, start: i64, rows: f64) -> Self {
        let ulp = unit_in_the_last_place(least.abs().max(largest.abs()));
        let step = if largest > least { (largest + ulp - least) / BINS as f64 } else { ulp };
        let mut bins = vec![Bin::default(); BINS];
        for &(value, weight) in values.iter().filter(|(_, weight)| *weight != 0.0) {
            let place = (value - least) / step;
            if !(0.0..BINS as f64).contains(&place) {
                continue;
            }
            let bin = &mut bins[place as usize];
            if bin.rows == 0.0 {
                (bin.least, bin.largest) = (value, value);
            }
            bin.least = bin.least.min(value);
            bin.largest = bin.largest.max(value);
            bin.rows += weight;
        }
        Self { least, start, rows, bins, end: least + step * BINS as f64 }
    }

    /// The quantile, or the bin in which it lies.
    fn find(&self, probability: f64) -> Result<f64, usize> {
        let place = probability * (self.rows - 1.0);
        let row = place.trunc();
        let (low_bin, high_bin) = (self.bin_of(row as i64), self.bin_of(row as i64 + 1));
        let low = low_bin.map_or(self.end, |bin| self.bins[bin].largest);
        if let Some(bin) = low_bin.filter(|_| row == place)
            && self.bins[bin].least == low
        {
            return Ok(low);
        }
        let high = high_bin.map_or(self.end, |bin| self.bins[bin].least);
        if low_bin == high_bin {
            // Past the last bin both are its end.
            let Some(bin) = low_bin else { return Ok(low) };
            return if low == high { Ok(low) } else { Err(bin) };
        }
        if low == high || row == place {
            return Ok(low);
        }
        let (below, above) = (row / (self.rows - 1.0), (row + 1.0) / (self.rows - 1.0));
        Ok(low + (high - low) * (probability - below) / (above - below))
    }

    /// The bin of a row, by the sum that loses its fraction.
    fn bin_of(&self, row: i64) -> Option<usize> {
        let mut sum = self.start;
        self.bins.iter().position(|bin| {
            sum = (sum as f64 + bin.rows) as i64;
            row < sum
        })
    }

    fn rows_before(&self, bin: usize) -> i64 {
        self.bins[..bin].iter().fold(self.start, |sum, bin| (sum as f64 + bin.rows) as i64)
    }
}

/// The distance to the next double of larger magnitude.
fn unit_in_the_last_place(magnitude: f64) -> f64 {
    f64::from_bits(magnitude.to_bits() + 1) - magnitude
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_interpolated() {
        let values: Vec<(f64, f64)> = (0..=10).map(|i| (f64::from(i), 1.0)).collect();
        for (probability, wanted) in [(0.0, 0.0), (0.5, 5.0), (0.25, 2.5), (1.0, 10.0)] {
            assert!((quantile(&values, probability) - wanted).abs() < 1e-12, "{probability}");
        }
    }

    #[test]
    fn values_that_lie_close_are_told_apart() {
        let values: Vec<(f64, f64)> =
            (0..1000).map(|i| (1.0 + f64::from(i) * 1e-13, 1.0)).chain([(1e6, 1.0)]).collect();
        let median = quantile(&values, 0.5);
        assert!((median - (1.0 + 500.0 * 1e-13)).abs() < 1e-15, "{median}");
    }

    #[test]
    fn nothing_has_no_quantile_and_one_value_has_itself() {
        assert!(quantile(&[], 0.5).is_nan());
        assert!(quantile(&[(1.0, 0.0)], 0.5).is_nan());
        assert_eq!(quantile(&[(3.0, 1.0)], 0.9), 3.0);
        assert_eq!(quantile(&[(0.0, 1.0), (0.0, 1.0)], 0.9), 0.0);
    }
}
