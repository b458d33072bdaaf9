use std::cmp::Ordering;

/// More distinct predictions than this are merged.
const MAX_BINS: usize = 400;

/// Neighbouring predictions of a binomial model, and the actual classes they were made for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bin {
    /// Weighted mean of the predictions.
    pub(super) center: f64,
    squared_error: f64,
    pub(super) positives: f64,
    pub(super) negatives: f64,
}

impl Bin {
    fn new(prediction: f64, positive: bool, weight: f64) -> Self {
        let (positives, negatives) = if positive { (weight, 0.0) } else { (0.0, weight) };
        Self { center: prediction, squared_error: 0.0, positives, negatives }
    }

    fn weight(&self) -> f64 {
        self.positives + self.negatives
    }

    /// What merging with the bin above adds to the squared errors of the two; zero when their centers are equal as `f32`.
    fn added_error(&self, above: &Self) -> f64 {
        let delta = f64::from(above.center as f32 - self.center as f32);
        delta * delta * self.weight() * above.weight() / (self.weight() + above.weight())
    }

    /// The squared error of this bin merged with the one above.
    fn merged_error(&self, above: &Self) -> f64 {
        self.squared_error + above.squared_error + self.added_error(above)
    }

    fn merged(&self, above: &Self) -> Self {
        let weight = self.weight() + above.weight();
        Self {
            center: (self.center * self.weight() + above.center * above.weight()) / weight,
            squared_error: self.merged_error(above),
            positives: self.positives + above.positives,
            negatives: self.negatives + above.negatives,
        }
    }
}

/// At most [`MAX_BINS`] bins over the predictions of class 1, filled in row order.
///
/// A prediction joins the bin whose center it equals, or becomes a bin. One too many, and the pair of neighbours whose
/// merged squared error is least becomes one bin. What makes the result H2O's to the bit is which pair wins a tie and
/// how long a found pair is trusted: see [`Self::add`].
#[derive(Debug, Clone, Default)]
pub(super) struct Histogram {
    bins: Vec<Bin>,
    /// Lower index of the pair to merge next, as far as known. It may have been overtaken by a cheaper pair since.
    next_merge: Option<usize>,
}

impl Histogram {
    /// From the smallest center to the largest.
    pub(super) fn bins(&self) -> &[Bin] {
        &self.bins
    }

    /// Adds one prediction.
    ///
    /// When all bins are taken, a prediction between two centers is first compared with them: if merging with one costs
    /// less than the pair to merge next, it is folded into that bin (the lower one on a tie), and the pair stays known
    /// unless the bin belongs to it. Otherwise the prediction becomes a bin and the known pair is merged. The pair is
    /// searched anew when the new bin lies between the two or just below them, or beyond all others, and after a join.
    pub(super) fn add(&mut self, prediction: f64, positive: bool, weight: f64) {
        let new = Bin::new(prediction, positive, weight);
        let at = match self.bins.binary_search_by(|bin| compare(bin.center, prediction)) {
            Ok(at) => {
                let bin = &mut self.bins[at];
                bin.positives += new.positives;
                bin.negatives += new.negatives;
                self.next_merge = None;
                return;
            }
            Err(at) => at,
        };
        if self.bins.len() < MAX_BINS {
            self.bins.insert(at, new);
            return;
        }
        if at == 0 || at == self.bins.len() {
            self.next_merge = None;
        } else if self.fold(&new, at) {
            return;
        }
        self.bins.insert(at, new);
        self.next_merge = match self.next_merge {
            Some(pair) if at < pair => Some(pair + 1),
            Some(pair) if at > pair + 1 => Some(pair),
            _ => None,
        };
        self.merge();
    }

    /// Folds the prediction that would become bin `at` into a neighbour, if that is cheaper than the next merge.
    fn fold(&mut self, new: &Bin, at: usize) -> bool {
        let pair = self.pair_to_merge();
        let next = self.bins[pair].merged_error(&self.bins[pair + 1]);
        let (below, above) = (self.bins[at - 1], self.bins[at]);
        let (into_below, into_above) = (below.merged_error(new), new.merged_error(&above));
        if into_below.min(into_above) >= next {
            return false;
        }
        let into = if into_above < into_below { at } else { at - 1 };
        self.bins[into] = if into == at { new.merged(&above) } else { below.merged(new) };
        self.next_merge = (into != pair && into != pair + 1).then_some(pair);
        true
    }

    fn merge(&mut self) {
        let pair = self.pair_to_merge();
        self.bins[pair] = self.bins[pair].merged(&self.bins[pair + 1]);
        self.bins.remove(pair + 1);
        self.next_merge = None;
    }

    /// The known pair, or the first of those with the least merged squared error. The first pair whose centers are
    /// equal as `f32` comes before all.
    fn pair_to_merge(&mut self) -> usize {
        if let Some(pair) = self.next_merge {
            return pair;
        }
        let mut best = 0;
        let mut least = f64::INFINITY;
        for (i, two) in self.bins.windows(2).enumerate() {
            let added = two[0].added_error(&two[1]);
            if added == 0.0 {
                best = i;
                break;
            }
            let error = two[0].squared_error + two[1].squared_error + added;
            if error < least {
                least = error;
                best = i;
            }
        }
        self.next_merge = Some(best);
        best
    }
}

/// Neither side is NaN: rows with such a prediction do not count.
fn compare(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}
