//! The versions of a model.

use std::cmp::Ordering;
use std::fmt;

/// The name of a version. Numbers come in their order, and before other names: `9`, `10`, `2026-11-30`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version(String);

impl Version {
    /// A version of this name.
    pub fn new(name: impl Into<String>) -> Self {
        Self(name.into())
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn number(&self) -> Option<u64> {
        self.0.parse().ok()
    }
}

/// The version of a model that has only one.
impl Default for Version {
    fn default() -> Self {
        Self("1".to_owned())
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        let order = match (self.number(), other.number()) {
            (Some(a), Some(b)) => a.cmp(&b),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => Ordering::Equal,
        };
        order.then_with(|| self.0.cmp(&other.0))
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
