/// Rows from this quantile of the predictions on are the top group.
const TOP_GROUP: f64 = 0.99;

/// The predictions behind the lift, which needs exact quantiles.
#[derive(Debug, Clone, Default)]
pub(super) struct Lift {
    rows: Vec<Row>,
}

#[derive(Debug, Clone, Copy)]
struct Row {
    prediction: f64,
    positive: bool,
    weight: f64,
}

impl Lift {
    pub(super) fn add(&mut self, prediction: f64, positive: bool, weight: f64) {
        self.rows.push(Row { prediction, positive, weight });
    }

    /// The share of class 1 among the rows with the highest 1 % of the predictions, over its share among all rows.
    pub(super) fn top_group(&self) -> f64 {
        let mut sorted = self.rows.clone();
        sorted.sort_unstable_by(|a, b| a.prediction.total_cmp(&b.prediction));
        let Some(lowest) = quantile(&sorted, TOP_GROUP) else {
            return f64::NAN;
        };
        let start = sorted.partition_point(|row| row.prediction < lowest);
        response_rate(&sorted[start..]) / response_rate(&sorted)
    }
}

/// Weights count as whole numbers, as H2O's counters are.
fn response_rate(rows: &[Row]) -> f64 {
    let (mut positives, mut all) = (0.0, 0.0);
    for row in rows {
        let weight = row.weight.trunc();
        all += weight;
        positives += if row.positive { weight } else { 0.0 };
    }
    positives / all
}

/// Linear interpolation at position q (W - 1) of the rows, each repeated as often as its weight says.
fn quantile(sorted: &[Row], q: f64) -> Option<f64> {
    let total: f64 = sorted.iter().map(|row| row.weight).sum();
    let position = q * (total - 1.0);
    let (lower, fraction) = (position.floor(), position.fract());
    let mut reached = 0.0;
    let mut rows = sorted.iter();
    let at = rows.by_ref().find(|row| {
        reached += row.weight;
        reached > lower
    })?;
    let next = if reached > lower + 1.0 { at } else { rows.next().unwrap_or(at) };
    Some(at.prediction + fraction * (next.prediction - at.prediction))
}
