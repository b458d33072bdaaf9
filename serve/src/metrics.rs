//! What is counted: by atomics of fixed number, so that nobody waits and nothing grows with the traffic.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use crate::registry::Registry;
use crate::service::WarningKind;

/// How requests came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// The native API.
    Rest,
    /// The Open Inference Protocol over REST.
    InferenceRest,
    /// The Open Inference Protocol over gRPC.
    InferenceGrpc,
    /// `MLflow`'s.
    Mlflow,
}

impl Protocol {
    const ALL: [Self; 4] = [Self::Rest, Self::InferenceRest, Self::InferenceGrpc, Self::Mlflow];

    pub fn name(self) -> &'static str {
        match self {
            Self::Rest => "rest",
            Self::InferenceRest => "oip_rest",
            Self::InferenceGrpc => "oip_grpc",
            Self::Mlflow => "mlflow",
        }
    }
}

/// What is counted of a version of a model.
#[derive(Debug, Default)]
pub(crate) struct ModelMetrics {
    by_protocol: [Outcomes; Protocol::ALL.len()],
    latency: Histogram,
    /// Nanoseconds of all requests that were refused or failed.
    failed_nanos: AtomicU64,
    rows: AtomicU64,
    /// Nanoseconds in which the model scored.
    scoring_nanos: AtomicU64,
    warnings: [AtomicU64; WarningKind::ALL.len()],
    /// When a request was last answered, in milliseconds since 1970.
    last_millis: AtomicU64,
}

#[derive(Debug, Default)]
struct Outcomes {
    answered: AtomicU64,
    refused: AtomicU64,
    failed: AtomicU64,
}

/// What came of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It was answered.
    Answered,
    /// It was the client's fault.
    Refused,
    /// It was the server's fault.
    Failed,
}

/// Counts of durations, each bound twice or two and a half times the one before.
#[derive(Debug, Default)]
struct Histogram {
    counts: [AtomicU64; BOUNDS.len() + 1],
    nanos: AtomicU64,
}

/// Seconds, as they are spelled on the wire, and nanoseconds.
const BOUNDS: [(&str, u64); 15] = [
    ("0.00005", 50_000),
    ("0.0001", 100_000),
    ("0.00025", 250_000),
    ("0.0005", 500_000),
    ("0.001", 1_000_000),
    ("0.0025", 2_500_000),
    ("0.005", 5_000_000),
    ("0.01", 10_000_000),
    ("0.025", 25_000_000),
    ("0.05", 50_000_000),
    ("0.1", 100_000_000),
    ("0.25", 250_000_000),
    ("0.5", 500_000_000),
    ("1", 1_000_000_000),
    ("10", 10_000_000_000),
];

impl ModelMetrics {
    /// Counts a request.
    pub fn count(&self, protocol: Protocol, outcome: Outcome, took: Duration) {
        let outcomes = &self.by_protocol[protocol as usize];
        let nanos = nanos(took);
        match outcome {
            Outcome::Answered => {
                add(&outcomes.answered, 1);
                self.latency.count(nanos);
                let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
                self.last_millis.store(now.as_millis() as u64, Ordering::Relaxed);
            }
            Outcome::Refused => add(&outcomes.refused, 1),
            Outcome::Failed => add(&outcomes.failed, 1),
        }
        if outcome != Outcome::Answered {
            add(&self.failed_nanos, nanos);
        }
    }

    /// Counts rows that were scored.
    pub fn count_rows(&self, rows: usize, took: Duration) {
        add(&self.rows, rows as u64);
        add(&self.scoring_nanos, nanos(took));
    }

    /// Counts cells or columns about which there was a warning.
    pub fn count_warnings(&self, kind: WarningKind, count: usize) {
        add(&self.warnings[kind as usize], count as u64);
    }

    /// Requests that were answered, and nanoseconds that they took.
    pub fn answered(&self) -> (u64, u64) {
        let answered = self.by_protocol.iter().map(|outcomes| read(&outcomes.answered)).sum();
        (answered, read(&self.latency.nanos))
    }

    /// Requests that were not, and nanoseconds that they took.
    pub fn failed(&self) -> (u64, u64) {
        let failed = self.by_protocol.iter().map(|outcomes| read(&outcomes.refused) + read(&outcomes.failed)).sum();
        (failed, read(&self.failed_nanos))
    }

    /// Rows that were scored, and nanoseconds of scoring.
    pub fn scored(&self) -> (u64, u64) {
        (read(&self.rows), read(&self.scoring_nanos))
    }

    /// When a request was last answered, in milliseconds since 1970; 0 for never.
    pub fn last_millis(&self) -> u64 {
        read(&self.last_millis)
    }
}

impl Histogram {
    fn count(&self, nanos: u64) {
        let bucket = BOUNDS.iter().position(|&(_, bound)| nanos <= bound).unwrap_or(BOUNDS.len());
        add(&self.counts[bucket], 1);
        add(&self.nanos, nanos);
    }
}

/// All of it in the text format of Prometheus.
pub(crate) fn exposition(registry: &Registry, ready: bool) -> String {
    let mut text = Text(String::with_capacity(4 << 10));
    let served: Vec<_> = registry.models().iter().flat_map(|name| registry.versions(name)).collect();
    let labels = |served: &crate::registry::ServedModel| {
        format!("model=\"{}\",version=\"{}\"", escaped(served.name()), escaped(served.version().as_str()))
    };

    text.family("aqueduct_ready", "gauge", "whether the server takes requests");
    text.sample("aqueduct_ready", "", u64::from(ready));
    text.family("aqueduct_build_info", "gauge", "the version of the server");
    text.sample("aqueduct_build_info", concat!("version=\"", env!("CARGO_PKG_VERSION"), "\""), 1);
    if let Some(bytes) = resident_bytes() {
        text.family("process_resident_memory_bytes", "gauge", "memory that the process holds");
        text.sample("process_resident_memory_bytes", "", bytes);
    }

    text.family("aqueduct_requests_total", "counter", "requests to score, by what came of them");
    for served in &served {
        for protocol in Protocol::ALL {
            let outcomes = &served.metrics().by_protocol[protocol as usize];
            for (outcome, count) in
                [("answered", &outcomes.answered), ("refused", &outcomes.refused), ("failed", &outcomes.failed)]
            {
                let labels = format!("{},protocol=\"{}\",outcome=\"{outcome}\"", labels(served), protocol.name());
                text.sample("aqueduct_requests_total", &labels, read(count));
            }
        }
    }
    text.family("aqueduct_request_duration_seconds", "histogram", "time from a request's header to its answer");
    for served in &served {
        let (latency, labels) = (&served.metrics().latency, labels(served));
        let mut cumulative = 0;
        for (count, bound) in latency.counts.iter().zip(BOUNDS.iter().map(|(text, _)| *text).chain(["+Inf"])) {
            cumulative += read(count);
            text.sample("aqueduct_request_duration_seconds_bucket", &format!("{labels},le=\"{bound}\""), cumulative);
        }
        text.seconds("aqueduct_request_duration_seconds_sum", &labels, read(&latency.nanos));
        text.sample("aqueduct_request_duration_seconds_count", &labels, cumulative);
    }
    text.family("aqueduct_rows_total", "counter", "rows that were scored");
    for served in &served {
        text.sample("aqueduct_rows_total", &labels(served), read(&served.metrics().rows));
    }
    text.family("aqueduct_scoring_seconds_total", "counter", "time in which the model scored");
    for served in &served {
        text.seconds("aqueduct_scoring_seconds_total", &labels(served), read(&served.metrics().scoring_nanos));
    }
    text.family("aqueduct_warnings_total", "counter", "cells and columns about which there was a warning");
    for served in &served {
        for (kind, count) in WarningKind::ALL.iter().zip(&served.metrics().warnings) {
            let labels = format!("{},warning=\"{}\"", labels(served), kind.code());
            text.sample("aqueduct_warnings_total", &labels, read(count));
        }
    }
    text.0
}

struct Text(String);

impl Text {
    fn family(&mut self, name: &str, kind: &str, help: &str) {
        self.line(format_args!("# HELP {name} {help}\n# TYPE {name} {kind}"));
    }

    fn sample(&mut self, name: &str, labels: &str, value: u64) {
        self.labelled(name, labels, format_args!("{value}"));
    }

    fn seconds(&mut self, name: &str, labels: &str, nanos: u64) {
        self.labelled(name, labels, format_args!("{}", nanos as f64 / 1e9));
    }

    fn labelled(&mut self, name: &str, labels: &str, value: std::fmt::Arguments<'_>) {
        match labels {
            "" => self.line(format_args!("{name} {value}")),
            labels => self.line(format_args!("{name}{{{labels}}} {value}")),
        }
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // A `String` takes everything.
        let _ = writeln!(self.0, "{line}");
    }
}

fn escaped(label: &str) -> String {
    label.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

/// The memory that Linux says the process holds.
fn resident_bytes() -> Option<u64> {
    const PAGE: u64 = 4096;
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    statm.split(' ').nth(1)?.parse::<u64>().ok().map(|pages| pages * PAGE)
}

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

fn add(counter: &AtomicU64, more: u64) {
    counter.fetch_add(more, Ordering::Relaxed);
}

fn read(counter: &AtomicU64) -> u64 {
    counter.load(Ordering::Relaxed)
}
