//! The configuration of a server as a file: TOML, every key optional, none unknown.
//!
//! ```toml
//! listen = "0.0.0.0:8080"
//! repository = "models"         # NAME.zip, NAME/VERSION.zip
//! watch_seconds = 2
//! access_log = true
//!
//! [limits]
//! body_bytes = 16777216
//! request_timeout_seconds = 5
//!
//! [policy]                      # of every model
//! unknown_levels = "error"
//!
//! [models.credit]               # of one
//! threshold = 0.3
//! labels = { default = "1" }
//! ```

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

use crate::error::ServeError;
use crate::limits::Limits;
use crate::registry::{ModelOptions, RegistryError, Repository};
use crate::service::{Policy, Setting};

/// What a configuration file says.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each is a flag of the same name, and documented there")]
pub struct Config {
    pub files: Option<Vec<PathBuf>>,
    pub repository: Option<PathBuf>,
    pub watch_seconds: Option<f64>,
    pub listen: Option<String>,
    pub grpc_listen: Option<String>,
    pub admin: Option<bool>,
    pub access_log: Option<bool>,
    #[serde(default)]
    pub limits: LimitsConfig,
    #[serde(default)]
    policy: OptionsConfig,
    #[serde(default)]
    models: BTreeMap<String, ModelConfig>,
}

/// The limits of a configuration file: see [`Limits`].
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "`Limits` says what each is")]
pub struct LimitsConfig {
    pub body_bytes: Option<usize>,
    pub rows: Option<usize>,
    pub answer_bytes: Option<usize>,
    pub connections: Option<usize>,
    pub streams: Option<u32>,
    pub waiting_jobs: Option<usize>,
    pub header_timeout_seconds: Option<f64>,
    pub body_timeout_seconds: Option<f64>,
    pub write_timeout_seconds: Option<f64>,
    pub request_timeout_seconds: Option<f64>,
    pub shutdown_seconds: Option<f64>,
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct ModelConfig {
    #[serde(default)]
    labels: BTreeMap<String, String>,
    unknown_levels: Option<OptionValue>,
    invalid_numbers: Option<OptionValue>,
    strict_columns: Option<OptionValue>,
    strict_types: Option<OptionValue>,
    threshold: Option<OptionValue>,
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct OptionsConfig {
    unknown_levels: Option<OptionValue>,
    invalid_numbers: Option<OptionValue>,
    strict_columns: Option<OptionValue>,
    strict_types: Option<OptionValue>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
enum OptionValue {
    Bool(bool),
    Number(f64),
    Text(String),
}

/// A configuration that cannot be followed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what each variant is, the fields are what they name")]
pub enum ConfigError {
    #[error("{}: it cannot be read", path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error("{}: {problem}", path.display())]
    Syntax { path: PathBuf, problem: String },
    #[error("[{table}]: {problem}")]
    Option { table: String, problem: ServeError },
    #[error("{key}: expected a number of seconds above 0")]
    Seconds { key: &'static str },
    #[error("{key}: expected a number above 0")]
    Zero { key: &'static str },
    #[error(transparent)]
    Repository(#[from] RegistryError),
}

impl Config {
    /// Reads a file. Its paths are meant from where it lies.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| ConfigError::Unreadable { path: path.to_owned(), source })?;
        let mut config =
            Self::parse(&text).map_err(|problem| ConfigError::Syntax { path: path.to_owned(), problem })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let from_there = |path: PathBuf| folder.join(path);
        config.repository = config.repository.map(from_there);
        config.files = config.files.map(|files| files.into_iter().map(from_there).collect());
        Ok(config)
    }

    fn parse(text: &str) -> Result<Self, String> {
        // One sentence of what is several lines with a picture.
        toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| text[..span.start.min(text.len())].matches('\n').count() + 1);
            format!("line {line}: {}", error.message().lines().collect::<Vec<_>>().join(", "))
        })
    }

    /// The files to serve, with what is wanted of each model.
    pub fn repository(&self) -> Result<Repository, ConfigError> {
        let mut repository = Repository::files(self.files.as_deref().unwrap_or_default())?;
        if let Some(folder) = &self.repository {
            repository = repository.with_folder(folder.clone())?;
        }
        let every = &self.policy;
        let mut policy = Policy::default();
        let options = [
            ("unknown_levels", &every.unknown_levels),
            ("invalid_numbers", &every.invalid_numbers),
            ("strict_columns", &every.strict_columns),
            ("strict_types", &every.strict_types),
        ];
        set(&mut policy, "policy", &options)?;
        repository = repository.with_policy(policy);
        for (name, model) in &self.models {
            let mut own = policy;
            let options = [
                ("unknown_levels", &model.unknown_levels),
                ("invalid_numbers", &model.invalid_numbers),
                ("strict_columns", &model.strict_columns),
                ("strict_types", &model.strict_types),
                ("threshold", &model.threshold),
            ];
            set(&mut own, &format!("models.{name}"), &options)?;
            repository = repository.with_options(name, ModelOptions { policy: own, labels: model.labels.clone() });
        }
        Ok(repository)
    }

    /// The limits, the default where it says nothing.
    pub fn limits(&self) -> Result<Limits, ConfigError> {
        let (given, default) = (&self.limits, Limits::default());
        Ok(Limits {
            body_bytes: above_0("limits.body_bytes", given.body_bytes, default.body_bytes)?,
            rows: above_0("limits.rows", given.rows, default.rows)?,
            answer_bytes: above_0("limits.answer_bytes", given.answer_bytes, default.answer_bytes)?,
            connections: above_0("limits.connections", given.connections, default.connections)?,
            streams: given.streams.unwrap_or(default.streams).max(1),
            waiting_jobs: given.waiting_jobs.unwrap_or(default.waiting_jobs),
            header_timeout: seconds(
                "limits.header_timeout_seconds",
                given.header_timeout_seconds,
                default.header_timeout,
            )?,
            body_timeout: seconds("limits.body_timeout_seconds", given.body_timeout_seconds, default.body_timeout)?,
            write_timeout: seconds("limits.write_timeout_seconds", given.write_timeout_seconds, default.write_timeout)?,
            request_timeout: seconds(
                "limits.request_timeout_seconds",
                given.request_timeout_seconds,
                default.request_timeout,
            )?,
            shutdown_deadline: seconds("limits.shutdown_seconds", given.shutdown_seconds, default.shutdown_deadline)?,
        })
    }

    /// How often to look at the repository; `None` for never.
    pub fn watch(&self) -> Result<Option<Duration>, ConfigError> {
        match self.watch_seconds {
            None | Some(0.0) => Ok(None),
            given => seconds("watch_seconds", given, Duration::ZERO).map(Some),
        }
    }
}

fn set(policy: &mut Policy, table: &str, options: &[(&str, &Option<OptionValue>)]) -> Result<(), ConfigError> {
    for (name, value) in options {
        let Some(value) = value else { continue };
        let setting = match value {
            OptionValue::Bool(value) => Setting::Bool(*value),
            OptionValue::Number(value) => Setting::Number(*value),
            OptionValue::Text(text) => Setting::Text(text),
        };
        policy.set(name, setting).map_err(|problem| ConfigError::Option { table: table.to_owned(), problem })?;
    }
    Ok(())
}

fn seconds(key: &'static str, given: Option<f64>, default: Duration) -> Result<Duration, ConfigError> {
    match given {
        None => Ok(default),
        Some(seconds) => {
            let duration = Duration::try_from_secs_f64(seconds).ok().filter(|duration| !duration.is_zero());
            duration.ok_or(ConfigError::Seconds { key })
        }
    }
}

fn above_0(key: &'static str, given: Option<usize>, default: usize) -> Result<usize, ConfigError> {
    match given {
        Some(0) => Err(ConfigError::Zero { key }),
        given => Ok(given.unwrap_or(default)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::UnknownLevels;

    #[test]
    fn the_example_of_the_documentation_is_read() {
        let documentation = include_str!("config.rs").lines().skip_while(|line| *line != "//! ```toml").skip(1);
        let example: Vec<&str> = documentation.take_while(|line| *line != "//! ```").map(|line| &line[3..]).collect();
        let config = Config::parse(&example.join("\n")).expect("an example that is right");
        assert_eq!(config.watch().expect("seconds"), Some(Duration::from_secs(2)));
        let limits = config.limits().expect("limits");
        assert_eq!((limits.body_bytes, limits.request_timeout), (16 << 20, Duration::from_secs(5)));
        assert_eq!(limits.connections, Limits::default().connections);
    }

    #[test]
    fn a_model_has_the_options_of_all_and_its_own() {
        let text = "[policy]\nunknown_levels = \"error\"\n[models.m]\nthreshold = 0.25\nlabels = { default = \"1\" }";
        let repository = Config::parse(text).expect("TOML").repository().expect("options");
        let all = Policy { unknown_levels: UnknownLevels::Error, ..Policy::default() };
        assert_eq!(repository.options("other").policy, all);
        let own = repository.options("m");
        assert_eq!(own.policy, Policy { threshold: Some(0.25), ..all });
        assert_eq!(own.labels["default"], "1");
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, expected) in [
            ("lsiten = \"x\"", "line 1: unknown field `lsiten`, expected one of `files`"),
            ("[limits]\nbody = 1", "line 2: unknown field `body`, expected one of `body_bytes`"),
            ("[models.m]\ntreshold = 0.5", "line 2: unknown field `treshold`"),
            ("admin = 1", "line 1: invalid type: integer `1`, expected a boolean"),
        ] {
            let problem = Config::parse(text).expect_err("it is wrong");
            assert!(problem.starts_with(expected), "{problem}");
        }
        let problem = |text: &str| {
            let config = Config::parse(text).expect("TOML");
            let problem = config.limits().map(drop).and_then(|()| config.watch().map(drop));
            problem.and_then(|()| config.repository().map(drop)).expect_err("it is wrong").to_string()
        };
        assert_eq!(problem("[limits]\nbody_bytes = 0"), "limits.body_bytes: expected a number above 0");
        let expected = "limits.body_timeout_seconds: expected a number of seconds above 0";
        assert_eq!(problem("[limits]\nbody_timeout_seconds = -1.0"), expected);
        assert_eq!(problem("watch_seconds = nan"), "watch_seconds: expected a number of seconds above 0");
        let expected = "[models.m]: option `threshold`: expected a number from 0 to 1";
        assert_eq!(problem("[models.m]\nthreshold = 2.0"), expected);
        assert_eq!(problem("repository = \"nowhere\""), "nowhere: expected a folder of MOJO files");
    }
}
