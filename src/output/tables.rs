//! H2O's tables: as cells for CSV files, and drawn for the terminal.

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, TableStyle};
use model::{
    AucRow, Category, ConfusionMatrix, Criterion, DensityCell, GainsLift, Metric, Metrics, ThresholdTable, ValueBin,
};
use trainer::{Importance, LayerStatus, Trained, history_columns};

/// A header and rows of cells.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table {
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// Without the columns that are zero or empty in every row.
    pub fn without_idle_columns(&self) -> Self {
        let idle = |column: usize| self.rows.iter().all(|row| row[column].is_empty() || row[column] == "0");
        self.columns(|column| !idle(column))
    }

    /// The named columns.
    pub fn only(&self, names: &[&str]) -> Self {
        self.columns(|column| names.contains(&self.header[column].as_str()))
    }

    /// The columns that are chosen by position.
    fn columns(&self, choose: impl Fn(usize) -> bool) -> Self {
        let of = |cells: &[String]| {
            cells.iter().enumerate().filter(|(i, _)| choose(*i)).map(|(_, cell)| cell.clone()).collect()
        };
        Self { header: of(&self.header), rows: self.rows.iter().map(|row| of(row)).collect() }
    }

    /// Drawn with a title; long tables show their first and last rows, numbers six digits.
    pub fn draw(&self, title: &str, most_rows: usize) -> String {
        let mut drawing = comfy_table::Table::new();
        let style = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));
        drawing.load_style(style).set_content_arrangement(ContentArrangement::Disabled);
        drawing.set_header(&self.header);
        let (head, tail) = split(self.rows.len(), most_rows);
        for row in &self.rows[..head] {
            drawing.add_row(row.iter().map(|cell| shortened(cell)));
        }
        if head + tail < self.rows.len() {
            drawing.add_row(vec!["..."; self.header.len()]);
        }
        for row in &self.rows[self.rows.len() - tail..] {
            drawing.add_row(row.iter().map(|cell| shortened(cell)));
        }
        for (index, column) in drawing.column_iter_mut().enumerate() {
            let is_number = |row: &Vec<String>| row[index].is_empty() || row[index].parse::<f64>().is_ok();
            if self.rows.iter().all(is_number) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        // Without what only fills the last column: on a narrow terminal it would wrap.
        let lines = drawing.to_string();
        let lines: Vec<&str> = lines.lines().map(str::trim_end).collect();
        format!("{title}\n{}", lines.join("\n"))
    }
}

/// How many rows to show from the start and from the end.
fn split(rows: usize, most: usize) -> (usize, usize) {
    if rows <= most { (rows, 0) } else { (most / 2, most - most / 2) }
}

/// Six significant digits of a fraction, and of a number with more digits than a count or a seed has; everything else as it is.
fn shortened(cell: &str) -> String {
    const LONGEST_COUNT: usize = 20;
    let is_fraction = || cell.contains(['.', 'e', 'E']) || cell.len() > LONGEST_COUNT;
    match cell.parse::<f64>() {
        Ok(value) if value.is_finite() && is_fraction() => significant(value),
        _ => cell.to_owned(),
    }
}

/// Six significant digits.
pub fn significant(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let magnitude = value.abs().log10().floor();
    if !(-5.0..15.0).contains(&magnitude) {
        return format!("{value:.5e}");
    }
    let decimals = (5.0 - magnitude).max(0.0) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// "Scoring History".
pub fn history(trained: &Trained) -> Table {
    let category = trained.model.category;
    let has_validation = trained.reports.validation.is_some();
    Table {
        header: history_columns(category, has_validation),
        rows: trained.history.iter().map(|row| row.cells(category, has_validation)).collect(),
    }
}

/// The columns of "Scoring History" that fit a terminal.
pub fn short_history(history: &Table, category: Category) -> Table {
    let metrics: &[&str] = match category {
        Category::Regression => &["rmse", "deviance"],
        Category::AutoEncoder => &["rmse", "mse"],
        Category::Binomial => &["logloss", "auc"],
        Category::Multinomial => &["logloss", "classification_error"],
    };
    history.columns(|column| {
        let name = history.header[column].as_str();
        let metric = name.strip_prefix("training_").or_else(|| name.strip_prefix("validation_"));
        matches!(name, "duration" | "training_speed" | "epochs" | "samples")
            || metric.is_some_and(|m| metrics.contains(&m))
    })
}

/// "Status of Neuron Layers".
pub fn layers(layers: &[LayerStatus]) -> Table {
    let names = [
        "layer",
        "units",
        "type",
        "dropout",
        "l1",
        "l2",
        "mean_rate",
        "rate_rms",
        "momentum",
        "mean_weight",
        "weight_rms",
        "mean_bias",
        "bias_rms",
    ];
    let row = |layer: &LayerStatus| {
        let mut cells = vec![layer.layer.to_string(), layer.units.to_string(), layer.kind.to_owned()];
        cells.push(layer.dropout.map_or(String::new(), |d| d.to_string()));
        cells.extend(match &layer.trained {
            Some(t) => {
                [t.l1, t.l2, t.mean_rate, t.rate_rms, t.momentum, t.mean_weight, t.weight_rms, t.mean_bias, t.bias_rms]
                    .map(|x| x.to_string())
            }
            None => Default::default(),
        });
        cells
    };
    Table { header: names.map(str::to_owned).to_vec(), rows: layers.iter().map(row).collect() }
}

/// "Variable Importances".
pub fn importances(importances: &[Importance]) -> Table {
    let names = ["variable", "relative_importance", "scaled_importance", "percentage"];
    let row = |i: &Importance| {
        vec![
            i.variable.clone(),
            i.relative_importance.to_string(),
            i.scaled_importance.to_string(),
            i.percentage.to_string(),
        ]
    };
    Table { header: names.map(str::to_owned).to_vec(), rows: importances.iter().map(row).collect() }
}

/// "Confusion Matrix": a row for each actual class, a column for each predicted one.
pub fn confusion(matrix: &ConfusionMatrix) -> Table {
    let mut header = vec!["actual".to_owned()];
    header.extend(matrix.domain.iter().cloned());
    header.extend(["Error".to_owned(), "Rate".to_owned()]);
    let mut rows: Vec<Vec<String>> = Vec::new();
    for (class, level) in matrix.domain.iter().enumerate() {
        let mut row = vec![level.clone()];
        row.extend(matrix.counts[class].iter().map(ToString::to_string));
        row.extend([matrix.class_error(class).to_string(), matrix.class_rate(class)]);
        rows.push(row);
    }
    let mut totals = vec!["Totals".to_owned()];
    totals.extend((0..matrix.domain.len()).map(|class| matrix.column_total(class).to_string()));
    totals.extend([matrix.error().to_string(), matrix.total_rate()]);
    rows.push(totals);
    Table { header, rows }
}

/// "Metrics for Thresholds": every criterion at every threshold.
pub fn thresholds(table: &ThresholdTable) -> Table {
    let mut header = vec!["threshold".to_owned()];
    header.extend(Criterion::ALL.map(|criterion| criterion.name().to_owned()));
    header.push("idx".to_owned());
    let rows = table.rows().iter().enumerate().map(|(index, row)| {
        let mut cells = vec![row.threshold.to_string()];
        cells.extend(Criterion::ALL.map(|criterion| number(row.score(criterion))));
        cells.push(index.to_string());
        cells
    });
    Table { rows: rows.collect(), header }
}

/// "Maximum Metrics": where each criterion is best.
pub fn max_criteria(table: &ThresholdTable) -> Table {
    let row = |criterion| {
        let best = table.maximum(criterion)?;
        let name = format!("max {}", criterion.name());
        Some(vec![name, best.threshold.to_string(), best.value.to_string(), best.index.to_string()])
    };
    let header = ["metric", "threshold", "value", "idx"].map(str::to_owned).to_vec();
    Table { header, rows: Criterion::ALL.into_iter().filter_map(row).collect() }
}

/// "Gains/Lift Table": rows grouped by their predictions, from the highest down.
pub fn gains_lift(table: &GainsLift) -> Table {
    let mut header = vec!["group".to_owned()];
    header.extend(table.groups().first().iter().flat_map(|group| group.cells()).map(|(name, _)| name.to_owned()));
    let rows = table.groups().iter().enumerate().map(|(index, group)| {
        let mut cells = vec![(index + 1).to_string()];
        cells.extend(group.cells().map(|(_, value)| number(value)));
        cells
    });
    Table { rows: rows.collect(), header }
}

/// "Top-K Hit Ratios": how often the actual class is among the k most probable ones.
pub fn hit_ratios(ratios: &[f32]) -> Table {
    let rows = (1..).zip(ratios).map(|(k, ratio): (usize, _)| vec![k.to_string(), ratio.to_string()]);
    Table { header: ["k", "hit_ratio"].map(str::to_owned).to_vec(), rows: rows.collect() }
}

/// "Multinomial AUC": of each class against the rest, of each pair of classes, and their means.
pub fn multinomial_auc(rows: &[AucRow]) -> Table {
    let header = ["type", "first_class_domain", "second_class_domain", "auc", "auc_pr"].map(str::to_owned).to_vec();
    let cells = |row: &AucRow| {
        let [first, second] = [&row.first, &row.second].map(|class| class.clone().unwrap_or_default());
        vec![row.name.clone(), first, second, number(row.auc), number(row.pr_auc)]
    };
    Table { header, rows: rows.iter().map(cells).collect() }
}

/// Rows by a value in adjoining ranges, such as residuals.
pub fn value_bins(bins: &[ValueBin]) -> Table {
    let header = ["lower", "upper", "rows"].map(str::to_owned).to_vec();
    let cells = |bin: &ValueBin| vec![number(bin.lower), number(bin.upper), bin.rows.to_string()];
    Table { header, rows: bins.iter().map(cells).collect() }
}

/// Rows by their actual and predicted values, in squares.
pub fn density(cells: &[DensityCell]) -> Table {
    let header = ["actual", "predicted", "side", "rows"].map(str::to_owned).to_vec();
    let row = |cell: &DensityCell| {
        vec![cell.actual.to_string(), cell.predicted.to_string(), cell.side.to_string(), cell.rows.to_string()]
    };
    Table { header, rows: cells.iter().map(row).collect() }
}

/// A figure that does not exist is empty, as in the history.
fn number(value: f64) -> String {
    if value.is_nan() { String::new() } else { value.to_string() }
}

/// The figures of the training sample and, where there is one, of the validation sample.
pub fn metrics(training: &Metrics, validation: Option<&Metrics>) -> Table {
    let mut header = vec!["metric".to_owned(), "training".to_owned()];
    header.extend(validation.map(|_| "validation".to_owned()));
    let cell = |metrics: &Metrics, metric| metrics.get(metric).map_or(String::new(), |x| x.to_string());
    let rows = Metric::all().filter(|&metric| training.get(metric).is_some_and(|x| !x.is_nan())).map(|metric| {
        let mut row = vec![metric.name().to_owned(), cell(training, metric)];
        row.extend(validation.map(|v| cell(v, metric)));
        row
    });
    Table { header, rows: rows.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_shown_with_six_digits() {
        let cases = [(0.123_456_789, "0.123457"), (1234.5, "1234.5"), (1e-9, "1.00000e-9"), (0.0, "0"), (100.0, "100")];
        for (value, text) in cases {
            assert_eq!(significant(value), text);
        }
        assert_eq!(shortened("60000"), "60000");
        assert_eq!(shortened("-9223372036854775808"), "-9223372036854775808");
        assert_eq!(shortened("24837471485787717000000000000000000000"), "2.48375e37");
        assert_eq!(shortened("Rectifier"), "Rectifier");
    }

    #[test]
    fn a_long_table_shows_its_ends() {
        let rows = (0..100).map(|i| vec![i.to_string()]).collect();
        let drawn = Table { header: vec!["n".into()], rows }.draw("Numbers", 4);
        assert!(drawn.contains("...") && drawn.contains(" 99") && !drawn.contains("50"), "{drawn}");
    }
}
