use std::fmt;

/// A figure that a model can be judged by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "`name` says what each one is")]
pub enum Metric {
    Mse,
    Rmse,
    Logloss,
    ClassificationError,
    MeanPerClassError,
    Auc,
    PrAuc,
    R2,
    Mae,
    Rmsle,
    MeanResidualDeviance,
    LiftTopGroup,
}

/// Metric, name in `metrics.json`, name as a `stopping_metric`, less is better, bounded below by zero.
///
/// The bound decides whether a figure of exactly zero ends training: for a deviance or a lift it does not.
const TABLE: [(Metric, &str, Option<&str>, bool, bool); 12] = [
    (Metric::Mse, "mse", Some("MSE"), true, true),
    (Metric::Rmse, "rmse", Some("RMSE"), true, true),
    (Metric::Logloss, "logloss", Some("logloss"), true, true),
    (Metric::ClassificationError, "classification_error", Some("misclassification"), true, true),
    (Metric::MeanPerClassError, "mean_per_class_error", Some("mean_per_class_error"), true, true),
    (Metric::Auc, "auc", Some("AUC"), false, true),
    (Metric::PrAuc, "pr_auc", Some("AUCPR"), false, true),
    (Metric::R2, "r2", None, false, false),
    (Metric::Mae, "mae", Some("MAE"), true, true),
    (Metric::Rmsle, "rmsle", Some("RMSLE"), true, true),
    (Metric::MeanResidualDeviance, "mean_residual_deviance", Some("deviance"), true, false),
    (Metric::LiftTopGroup, "lift_top_group", Some("lift_top_group"), false, false),
];

impl Metric {
    /// Every value, in the order in which `metrics.json` has them.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|row| row.0)
    }

    /// Its key in `metrics.json`.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// Its name as a `stopping_metric`, `None` where it cannot be one.
    pub fn stopping_name(self) -> Option<&'static str> {
        self.row().2
    }

    /// Whether the smaller of two figures is the better one.
    pub fn less_is_better(self) -> bool {
        self.row().3
    }

    /// Whether zero is the least it can be.
    pub fn bounded_below_by_zero(self) -> bool {
        self.row().4
    }

    fn row(self) -> &'static (Self, &'static str, Option<&'static str>, bool, bool) {
        // The table has the order of the variants, which a test checks.
        &TABLE[self as usize]
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_the_order_of_the_variants() {
        for (i, metric) in Metric::all().enumerate() {
            assert_eq!(metric as usize, i, "{metric}");
        }
    }

    #[test]
    fn names_are_unique() {
        let names: std::collections::HashSet<_> = Metric::all().map(Metric::name).collect();
        assert_eq!(names.len(), Metric::all().count());
    }
}
