use super::ValueBin;
use crate::math::{exp, ln};

const PER_OCTAVE: f64 = 32.0;
/// Errors below 2^-40 and from 2^24 on share a bin each.
const OCTAVES_BELOW_ONE: f64 = 40.0;
const BINS: usize = 64 * 32;

/// Counts errors that are at least zero in bins whose bounds grow by 2.2 % each, in bounded memory and in any order.
#[derive(Debug, Clone)]
pub(super) struct ErrorHistogram(Vec<u64>);

impl Default for ErrorHistogram {
    fn default() -> Self {
        Self(vec![0; BINS])
    }
}

impl ErrorHistogram {
    pub(super) fn add(&mut self, error: f64) {
        let place = (ln(error) / std::f64::consts::LN_2 + OCTAVES_BELOW_ONE) * PER_OCTAVE;
        // The logarithm of zero is minus infinity, which the cast takes to the first bin.
        self.0[(place as usize).min(BINS - 1)] += 1;
    }

    /// The bins in which there are rows.
    pub(super) fn bins(&self) -> Vec<ValueBin> {
        let bound = |place: usize| match place {
            0 => 0.0,
            BINS => f64::INFINITY,
            place => exp((place as f64 / PER_OCTAVE - OCTAVES_BELOW_ONE) * std::f64::consts::LN_2),
        };
        let bins = self.0.iter().enumerate().filter(|&(_, &rows)| rows > 0);
        bins.map(|(place, &rows)| ValueBin { lower: bound(place), upper: bound(place + 1), rows }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_any_size_are_in_a_bin_that_holds_them() {
        for error in [0.0, 1e-300, 1e-9, 0.5, 0.999, 1.0, 17.3, 1e7, 1e300, f64::INFINITY] {
            let mut histogram = ErrorHistogram::default();
            histogram.add(error);
            let [bin] = histogram.bins()[..] else { unreachable!("one error is in one bin") };
            assert!(bin.lower <= error * (1.0 + 1e-12) && error <= bin.upper && bin.rows == 1, "{error} in {bin:?}");
        }
    }
}
