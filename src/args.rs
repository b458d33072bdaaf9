//! Flags. Those of training parameters are made from the trainer's table.

mod export;
mod predict;
mod scorers;
mod serve;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, FromArgMatches, Parser, Subcommand, ValueEnum};
use trainer::{PARAMETERS, Tier};

pub use self::export::{ExportArgs, PojoLanguage};
pub use self::predict::PredictArgs;
pub use self::scorers::{JavaArgs, ScorerKind, VerifyArgs};
pub use self::serve::ServeArgs;
use crate::{memory, output};

/// Train deep-learning models on tables, export them as H2O MOJOs, and serve MOJOs without a JVM.
#[derive(Debug, Parser)]
#[command(name = "aqueduct", version, max_term_width = 120)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

impl Args {
    /// Reads the command line; on a mistake says in one sentence what is wrong and exits with 2.
    pub fn read() -> Self {
        Self::try_parse().unwrap_or_else(|error| {
            // Help that was asked for, or that answers a bare `aqueduct`.
            if !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
                error.exit();
            }
            output::failure(&one_sentence(&error.to_string()));
            std::process::exit(2);
        })
    }
}

/// What clap spreads over several lines, without the usage that follows.
fn one_sentence(text: &str) -> String {
    let text = text.strip_prefix("error: ").unwrap_or(text);
    let lines = text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
    let mut sentence = String::new();
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with("For more information")) {
        match line.strip_prefix("tip: ") {
            Some(tip) => sentence.push_str(&["; ", tip].concat()),
            None if sentence.is_empty() => sentence.push_str(line),
            None => sentence.push_str(&[" ", line].concat()),
        }
    }
    sentence
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Train, export, verify, serve and score on bundled real data, in under a minute
    Quickstart(QuickstartArgs),
    /// Train a model on a table: CSV, Parquet, Arrow, ARFF or SVMLight
    Train(Box<TrainArgs>),
    /// Write a trained model as an artifact that others can run
    Export(ExportArgs),
    /// Score the rows of a CSV file
    Predict(PredictArgs),
    /// Show what is in a model
    Inspect(InspectArgs),
    /// Replay the golden rows of a model through every scorer there is
    Verify(VerifyArgs),
    /// Answer scoring requests over HTTP
    Serve(ServeArgs),
}

#[derive(Debug, clap::Args)]
pub struct QuickstartArgs {
    /// Folder for the data, the trained model and the MOJO
    #[arg(long, value_name = "DIR", default_value = "aqueduct-quickstart")]
    pub output: PathBuf,
    #[command(flatten)]
    pub java: JavaArgs,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Parameters have H2O's names, meaning and defaults. A flag wins over --params.")]
pub struct TrainArgs {
    #[command(flatten)]
    pub given: GivenParams,
    /// File of parameters, TOML or JSON, under H2O's names in snake or kebab case
    #[arg(long, value_name = "FILE")]
    pub params: Option<PathBuf>,
    /// Folder to write the trained model, its metrics and its history to
    #[arg(long, value_name = "RUN")]
    pub output: PathBuf,
    /// Replace the output folder of an earlier run
    #[arg(long)]
    pub overwrite: bool,
    /// Whether the first line of a CSV file holds column names: auto guesses as H2O does, and takes a table of texts alone
    /// for one without names
    #[arg(long, value_enum, default_value_t = HeaderKind::Auto)]
    pub header: HeaderKind,
    /// Which engine trains: plain follows H2O's reproducible mode operation by operation
    #[arg(long, value_enum, default_value_t = Engine::Auto)]
    pub engine: Engine,
    /// Threads that read, train and score; the fast engine trains on fewer where the data are small, and the model depends on how
    /// many they are [default: all cores]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = threads)]
    pub threads: Option<u16>,
    /// Instructions that the fast engine uses: avx512, avx2 or portable [default: the fastest that the machine has]
    #[arg(long, value_name = "TIER", value_parser = tier)]
    pub kernel: Option<Tier>,
    /// How momentum rises: as in H2O's code or as in its manual
    #[arg(long, value_enum, default_value_t = Schedule::H2o)]
    pub momentum_schedule: Schedule,
    /// Memory that the tables and the rows packed for training may take, in bytes or with a unit (`8GiB`): what is more lies in
    /// files without a name in `$TMPDIR` or beside the output, mapped into memory. The result does not depend on it [default:
    /// three quarters of what the machine or the control group has]
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true, value_parser = memory::parse_size)]
    pub memory_limit: Option<u64>,
    /// What the automatic size of iterations goes by
    #[arg(long, value_enum, default_value_t = Tune::Counted)]
    pub auto_tune: Tune,
    /// How to report progress, on standard error
    #[arg(long, value_enum, default_value_t = ProgressKind::Auto)]
    pub progress: ProgressKind,
    /// Print one line of JSON instead of tables
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Tune {
    /// The size of the data, so that a seed repeats
    Counted,
    /// The measured time of a row and of a synchronisation of the fast engine: no two runs need to be the same
    Measured,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Schedule {
    /// As in H2O's code: it stays at its start
    H2o,
    /// As in H2O's manual: it rises to its stable value over the ramp
    Documented,
}

/// Reads how many threads to take.
fn threads(text: &str) -> Result<u16, String> {
    const MOST: u16 = 256;
    let threads = text.parse().ok().filter(|threads| (1..=MOST).contains(threads));
    threads.ok_or_else(|| format!("expected a whole number from 1 to {MOST}"))
}

/// Reads the name of a tier that the machine has.
fn tier(name: &str) -> Result<Tier, String> {
    Tier::named(name).ok_or_else(|| {
        let here: Vec<_> = Tier::NAMES.into_iter().filter(|name| Tier::named(name).is_some()).collect();
        format!("expected {}, which this machine has", here.join(", "))
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// The fast one, unless the run is reproducible
    Auto,
    /// Vectors of numbers and several threads; the same seed, threads and kernel give the same model
    Fast,
    /// One thread, H2O's order and random numbers
    Plain,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ProgressKind {
    /// A bar on a terminal, otherwise a line for each event
    Auto,
    /// A bar
    Bar,
    /// A line for each event
    Lines,
    /// A JSON object on a line for each event
    Json,
    /// None
    Off,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum HeaderKind {
    /// To be found out
    Auto,
    /// It does
    True,
    /// It does not: the columns are C1, C2, ...
    False,
}

#[derive(Debug, clap::Args)]
pub struct InspectArgs {
    /// Folder that `train` wrote, or a MOJO
    pub model: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Draw the net: columns, inputs, layers and answer, as an SVG file for browsers and documents
    #[arg(long, value_name = "FILE")]
    pub drawing: Option<PathBuf>,
}

/// The training parameters that flags gave, as text.
#[derive(Debug, Default)]
pub struct GivenParams(pub Vec<(&'static str, String)>);

impl clap::Args for GivenParams {
    fn augment_args(command: clap::Command) -> clap::Command {
        command.args(PARAMETERS.iter().map(|parameter| {
            let default = match (parameter.default)() {
                none if none.is_empty() => none,
                default => format!(" [default: {default}]"),
            };
            let arg = Arg::new(parameter.name)
                .long(parameter.name.replace('_', "-"))
                .value_name("VALUE")
                .help(format!("{}: {}{default}", parameter.help, parameter.expected));
            // Summaries leave out what does nothing here.
            let arg = arg.hide_short_help(parameter.help.contains("without effect"));
            if parameter.is_switch {
                arg.num_args(0..=1).default_missing_value("true").value_name("BOOL")
            } else if parameter.is_list {
                arg.num_args(1..).action(ArgAction::Append).value_name("FILE")
            } else {
                arg.num_args(1).allow_hyphen_values(true)
            }
        }))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for GivenParams {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = PARAMETERS.iter().filter_map(|parameter| {
            let mut texts = matches.get_many::<String>(parameter.name)?;
            let text = if parameter.is_list { csv_line(texts) } else { texts.next()?.clone() };
            Some((parameter.name, text))
        });
        Ok(Self(given.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Values as the fields of a line of CSV, which is how a parameter takes several.
fn csv_line<'a>(values: impl Iterator<Item = &'a String>) -> String {
    let quoted = |value: &String| format!("\"{}\"", value.replace('"', "\"\""));
    values.map(quoted).collect::<Vec<_>>().join(",")
}
