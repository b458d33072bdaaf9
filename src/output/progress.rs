//! Progress of reading and training, on standard error.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use model::{Category, Metric, Metrics};
use serde_json::json;
use trainer::{ColumnType, Frame, HistoryRow, Observer, ReadProgress, Tuning};

use super::tables::significant;
use super::{note, thousands, warning};
use crate::args::ProgressKind;
use crate::memory;

/// How progress is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    Bar,
    Lines,
    Json,
    Off,
}

/// Tells how far things are.
pub struct Reporter {
    style: Style,
    stop: Arc<AtomicBool>,
}

impl Reporter {
    /// A reporter; setting `stop` ends training after its iteration.
    pub fn new(kind: ProgressKind, stop: Arc<AtomicBool>) -> Self {
        let style = match kind {
            ProgressKind::Auto if io::stderr().is_terminal() => Style::Bar,
            ProgressKind::Bar => Style::Bar,
            ProgressKind::Auto | ProgressKind::Lines => Style::Lines,
            ProgressKind::Json => Style::Json,
            ProgressKind::Off => Style::Off,
        };
        Self { style, stop }
    }

    /// Reads a frame, telling how far it is.
    pub fn reading<E>(
        &self,
        files: &str,
        read: impl FnOnce(&mut dyn FnMut(ReadProgress)) -> Result<Frame, E>,
    ) -> Result<Frame, E> {
        let start = Instant::now();
        let bar = (self.style == Style::Bar).then(|| bar(READING));
        let frame = read(&mut |progress| {
            if let Some(bar) = &bar {
                bar.set_length(progress.bytes_total.unwrap_or(progress.bytes_read));
                bar.set_position(progress.bytes_read);
                bar.set_message(format!("{} rows", thousands(progress.rows as u64)));
            }
        });
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
        let frame = frame?;
        let (rows, columns, seconds) = (frame.rows(), frame.columns().len(), start.elapsed().as_secs_f64());
        match self.style {
            Style::Bar | Style::Lines => note(format_args!(
                "read {files}: {} rows, {} columns ({}) in {seconds:.1} s",
                thousands(rows as u64),
                thousands(columns as u64),
                kinds(&frame),
            )),
            Style::Json => {
                note(json!({ "event": "read", "file": files, "rows": rows, "columns": columns, "seconds": seconds }));
            }
            Style::Off => {}
        }
        Ok(frame)
    }

    /// Watches a run over so many rows and epochs.
    pub fn training(&self, category: Category, rows: usize, epochs: f64) -> TrainingReporter {
        let bar = (self.style == Style::Bar).then(|| {
            let bar = bar(TRAINING);
            bar.set_length((rows as f64 * epochs) as u64);
            bar
        });
        TrainingReporter {
            style: self.style,
            bar,
            stop: Arc::clone(&self.stop),
            metric: match category {
                Category::Binomial | Category::Multinomial => Metric::Logloss,
                Category::Regression => Metric::Rmse,
                Category::AutoEncoder => Metric::Mse,
            },
            epochs,
            rows,
            figures: String::new(),
            last_event: None,
        }
    }
}

/// Tells how far a run is.
pub struct TrainingReporter {
    style: Style,
    bar: Option<ProgressBar>,
    stop: Arc<AtomicBool>,
    metric: Metric,
    epochs: f64,
    rows: usize,
    /// The metrics of the last scoring.
    figures: String,
    last_event: Option<Instant>,
}

impl TrainingReporter {
    /// Ends the bar.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn figure(&self, name: &str, metrics: Option<&Metrics>) -> Option<String> {
        let value = metrics?.get(self.metric)?;
        Some(format!("{name} {} {}", self.metric, significant(value)))
    }
}

impl Observer for TrainingReporter {
    fn spilled(&mut self, bytes: u64, folder: &Path) {
        let warn = || warning(memory::rows_notice(bytes, folder));
        match &self.bar {
            Some(bar) => bar.suspend(warn),
            None => warn(),
        }
    }

    fn progress(&mut self, progress: trainer::Progress) {
        let speed = progress.samples as f64 / progress.training.as_secs_f64().max(1e-9);
        let left = (self.rows as f64 * self.epochs - progress.samples as f64).max(0.0) / speed.max(1e-9);
        if let Some(bar) = &self.bar {
            bar.set_position(progress.samples);
            bar.set_message(format!(
                "epoch {:.2}/{}, {}/s, {}{} left",
                progress.epochs,
                self.epochs,
                thousands(speed as u64),
                self.figures,
                seconds(left),
            ));
            return;
        }
        if self.style != Style::Json || self.last_event.is_some_and(|last| last.elapsed() < EVENT_INTERVAL) {
            return;
        }
        self.last_event = Some(Instant::now());
        note(json!({
            "event": "training",
            "samples": progress.samples,
            "epochs": progress.epochs,
            "samples_per_second": speed,
            "seconds_left": left,
        }));
    }

    fn scored(&mut self, row: &HistoryRow) {
        let figures =
            [self.figure("training", row.training.as_ref()), self.figure("validation", row.validation.as_ref())];
        let figures: Vec<String> = figures.into_iter().flatten().collect();
        // On the bar, which has to fit a line, the two numbers stand side by side.
        let values = [row.training.as_ref(), row.validation.as_ref()].into_iter().flatten();
        let values: Vec<String> = values.filter_map(|metrics| metrics.get(self.metric)).map(significant).collect();
        self.figures = format!("{} {}, ", self.metric, values.join(" | "));
        match self.style {
            Style::Lines => match (row.best_epochs, row.training_speed) {
                (Some(epochs), _) => note(format_args!("best model, of epoch {epochs:.2}: {}", figures.join(", "))),
                (None, None) => note(format_args!("untrained: {}", figures.join(", "))),
                (None, Some(speed)) => note(format_args!(
                    "epoch {:.2} of {}: {} samples/s, {}",
                    row.epochs,
                    self.epochs,
                    thousands(speed as u64),
                    figures.join(", "),
                )),
            },
            Style::Json => note(json!({
                "event": "scored",
                "epochs": row.epochs,
                "iterations": row.iterations,
                "samples": row.samples,
                "training": row.training,
                "validation": row.validation,
                "best_epochs": row.best_epochs,
            })),
            Style::Bar | Style::Off => {}
        }
    }

    fn tuned(&mut self, tuning: Tuning) {
        let Tuning { row, synchronisation, rows_per_iteration } = tuning;
        let micros = |duration: Duration| significant(duration.as_secs_f64() * 1e6);
        let told = format!(
            "auto-tuning: {} us a row, {} us a synchronisation: {} rows an iteration",
            micros(row),
            micros(synchronisation),
            thousands(rows_per_iteration),
        );
        match self.style {
            Style::Lines => note(told),
            Style::Bar => {
                if let Some(bar) = &self.bar {
                    bar.println(told);
                }
            }
            Style::Json => note(json!({
                "event": "tuned",
                "row_seconds": row.as_secs_f64(),
                "synchronisation_seconds": synchronisation.as_secs_f64(),
                "rows_per_iteration": rows_per_iteration,
            })),
            Style::Off => {}
        }
    }

    fn should_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

const READING: &str = "reading {bar:20} {bytes} of {total_bytes}, {msg}";
const TRAINING: &str = "{bar:16} {msg}";
const EVENT_INTERVAL: Duration = Duration::from_secs(1);

/// How many columns there are of each type.
fn kinds(frame: &Frame) -> String {
    let all = [ColumnType::Numeric, ColumnType::Enum, ColumnType::Time, ColumnType::String, ColumnType::Uuid];
    let count = |kind| frame.columns().iter().filter(|column| column.kind() == kind).count();
    let counts = all.into_iter().map(|kind| (kind, count(kind))).filter(|&(_, count)| count > 0);
    counts.map(|(kind, count)| format!("{} {kind}", thousands(count as u64))).collect::<Vec<_>>().join(", ")
}

fn bar(template: &str) -> ProgressBar {
    let style =
        ProgressStyle::with_template(template).expect("the two templates are right, which the test below shows");
    let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
    bar.set_style(style.progress_chars("=> "));
    bar
}

fn seconds(seconds: f64) -> String {
    match seconds as u64 {
        s if s >= 3600 => format!("{} h {} min", s / 3600, s / 60 % 60),
        s if s >= 60 => format!("{} min {} s", s / 60, s % 60),
        s => format!("{s} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_templates_of_the_bars_are_right() {
        for template in [READING, TRAINING] {
            bar(template).finish_and_clear();
        }
        assert_eq!([5.9, 65.0, 7265.0].map(seconds), ["5 s", "1 min 5 s", "2 h 1 min"]);
    }
}
