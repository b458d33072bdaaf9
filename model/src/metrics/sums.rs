/// The weighted sums behind MSE and R2, which every kind of problem has.
#[derive(Debug, Clone, Default)]
pub(super) struct Sums {
    pub(super) rows: u64,
    pub(super) weight: f64,
    squared_error: f64,
    actual: f64,
    actual_squared: f64,
}

impl Sums {
    /// One row. `actual` is the class index for a classifier.
    pub(super) fn add(&mut self, actual: f64, error: f64, weight: f64) {
        self.rows += 1;
        self.weight += weight;
        self.squared_error += weight * error * error;
        self.actual += weight * actual;
        self.actual_squared += weight * actual * actual;
    }

    pub(super) fn mse(&self) -> f64 {
        self.squared_error / self.weight
    }

    /// 1 - MSE / variance, the variance being E[y^2] - E[y]^2 as in H2O, cancellation included.
    pub(super) fn r2(&self) -> f64 {
        let mean = self.actual / self.weight;
        let variance = self.actual_squared / self.weight - mean * mean;
        1.0 - self.mse() / variance
    }
}
