use serde::{Deserialize, Serialize};

/// How often each actual class (row) got each label (column).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ConfusionMatrix {
    /// The classes, in the order of rows and columns.
    pub domain: Vec<String>,
    /// Rows counted, or for two classes their weights.
    pub counts: Vec<Vec<f64>>,
}

impl ConfusionMatrix {
    /// The weight of the rows of one actual class.
    pub fn row_total(&self, class: usize) -> f64 {
        self.counts[class].iter().sum()
    }

    /// The weight of the rows that got one label.
    pub fn column_total(&self, class: usize) -> f64 {
        self.counts.iter().map(|row| row[class]).sum()
    }

    /// The weight of all rows.
    pub fn total(&self) -> f64 {
        self.counts.iter().flatten().sum()
    }

    /// The weight of the wrongly labelled rows of one actual class.
    pub fn wrong(&self, class: usize) -> f64 {
        self.counts[class].iter().enumerate().filter(|&(label, _)| label != class).map(|(_, count)| count).sum()
    }

    /// The share of wrongly labelled rows of one actual class; NaN when it has no rows.
    pub fn class_error(&self, class: usize) -> f64 {
        self.wrong(class) / self.row_total(class)
    }

    /// The share of wrongly labelled rows.
    pub fn error(&self) -> f64 {
        self.total_wrong() / self.total()
    }

    /// The mean of the class errors over all classes; a class without rows counts as without error.
    pub fn mean_per_class_error(&self) -> f64 {
        let errors = (0..self.counts.len()).map(|class| self.class_error(class)).filter(|error| !error.is_nan());
        errors.sum::<f64>() / self.counts.len() as f64
    }

    /// The `Rate` cell of one class, such as `1,698 / 2,453`.
    pub fn class_rate(&self, class: usize) -> String {
        rate(self.wrong(class), self.row_total(class), 4)
    }

    /// The `Rate` cell of the totals.
    pub fn total_rate(&self) -> String {
        rate(self.total_wrong(), self.total(), 2)
    }

    fn total_wrong(&self) -> f64 {
        (0..self.counts.len()).map(|class| self.wrong(class)).sum()
    }
}

/// Whole numbers with a comma every three digits; fractional weights with the given decimals, as H2O prints them.
fn rate(part: f64, whole: f64, decimals: usize) -> String {
    if part.fract() != 0.0 || whole.fract() != 0.0 {
        return format!("{part:.decimals$} / {whole:.decimals$}");
    }
    format!("{} / {}", grouped(part), grouped(whole))
}

fn grouped(count: f64) -> String {
    let digits = format!("{count:.0}");
    let mut text = String::with_capacity(digits.len() * 4 / 3 + 1);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(counts: [[f64; 2]; 2]) -> ConfusionMatrix {
        ConfusionMatrix {
            domain: vec!["no".into(), "yes".into()],
            counts: counts.into_iter().map(|row| row.to_vec()).collect(),
        }
    }

    #[test]
    fn rates_read_as_those_of_h2o() {
        let whole = matrix([[755.0, 1698.0], [331.0, 2216.0]]);
        assert_eq!(whole.class_rate(0), "1,698 / 2,453");
        assert_eq!(whole.class_rate(1), "331 / 2,547");
        assert_eq!(whole.total_rate(), "2,029 / 5,000");
        assert_eq!(grouped(1_234_567.0), "1,234,567");
        let weighted = matrix([[806.248, 2157.032], [279.204, 2605.932]]);
        assert_eq!(weighted.class_rate(1), "279.2040 / 2885.1360");
        assert_eq!(weighted.total_rate(), "2436.24 / 5848.42");
    }

    #[test]
    fn a_class_without_rows_counts_as_without_error() {
        let matrix = matrix([[0.0, 0.0], [1.0, 3.0]]);
        assert!(matrix.class_error(0).is_nan());
        assert_eq!(matrix.mean_per_class_error(), 0.125);
        assert_eq!(matrix.error(), 0.25);
        assert_eq!(matrix.class_rate(0), "0 / 0");
        assert_eq!((matrix.column_total(1), matrix.row_total(1), matrix.total()), (3.0, 4.0, 4.0));
    }
}
