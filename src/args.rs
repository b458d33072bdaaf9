//! Flags. Those of training parameters are made from the trainer's table.

use std::path::PathBuf;
use std::time::Duration;

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, FromArgMatches, Parser, Subcommand, ValueEnum};
use exporter::{OnnxInputs, OnnxOptions, OnnxPrecision, WeightsFormat};
use trainer::{PARAMETERS, Tier};

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

#[derive(Debug, clap::Args)]
#[command(group(ArgGroup::new("targets").required(true).multiple(true)))]
pub struct ExportArgs {
    /// Folder that `train` wrote, or a Deep Learning MOJO, H2O's too
    pub model: PathBuf,
    /// Write a MOJO zip, which H2O's own runtime loads
    #[arg(long, value_name = "FILE", group = "targets")]
    pub mojo: Option<PathBuf>,
    /// Write an ONNX file, which onnxruntime and many others run
    #[arg(long, value_name = "FILE", group = "targets")]
    pub onnx: Option<PathBuf>,
    /// What the ONNX file computes in
    #[arg(long, value_enum, default_value_t = OnnxTypeKind::F64, requires = "onnx")]
    pub onnx_type: OnnxTypeKind,
    /// What callers of the ONNX file send
    #[arg(long, value_enum, default_value_t = OnnxInputsKind::Columns, requires = "onnx")]
    pub onnx_inputs: OnnxInputsKind,
    /// Write source code that scores by itself
    #[arg(long, value_enum, value_name = "LANGUAGE", group = "targets", requires = "output")]
    pub pojo: Option<PojoLanguage>,
    /// Folder to write the source code to
    #[arg(long, value_name = "DIR", requires = "pojo")]
    pub output: Option<PathBuf>,
    /// Name of the class or module, made one that the language accepts [default: that of MODEL]
    #[arg(long, value_name = "NAME", requires = "pojo")]
    pub name: Option<String>,
    /// Make the Java class a model of H2O's runtime, for what takes such classes: h2o-genmodel.jar and all that builds on it
    #[arg(long, requires = "pojo")]
    pub genmodel: bool,
    /// Make the Rust source a crate without std: with a Cargo.toml and a src/lib.rs
    #[arg(long = "crate", requires = "pojo")]
    pub as_crate: bool,
    /// Write a folder with the weights and biases of each layer, tables that are named as H2O names its frames
    #[arg(long, value_name = "DIR", group = "targets")]
    pub weights: Option<PathBuf>,
    /// What the tables of weights are written as
    #[arg(long, value_enum, default_value_t = WeightsFormatKind::Csv, requires = "weights")]
    pub weights_format: WeightsFormatKind,
    #[command(flatten)]
    pub java: JavaArgs,
    #[command(flatten)]
    pub python: PythonArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OnnxTypeKind {
    /// Double precision: the model's answers to 9 digits
    F64,
    /// Single precision: half the size, probabilities to 5 digits
    F32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OnnxInputsKind {
    /// The raw columns by their names: texts for levels, doubles for numbers
    Columns,
    /// A matrix of level codes and one of numbers, in ONNX's own operators alone: for tract, onnx2c and other small runtimes
    Matrices,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum WeightsFormatKind {
    /// Text, a file a table, which train --initial-weights and --initial-biases take
    Csv,
    /// Apache Parquet, a file a table
    Parquet,
    /// One file of tensors
    Safetensors,
}

impl WeightsFormatKind {
    pub fn format(self) -> WeightsFormat {
        match self {
            Self::Csv => WeightsFormat::Csv,
            Self::Parquet => WeightsFormat::Parquet,
            Self::Safetensors => WeightsFormat::Safetensors,
        }
    }
}

impl ExportArgs {
    pub fn onnx_options(&self) -> OnnxOptions {
        OnnxOptions {
            precision: match self.onnx_type {
                OnnxTypeKind::F64 => OnnxPrecision::F64,
                OnnxTypeKind::F32 => OnnxPrecision::F32,
            },
            inputs: match self.onnx_inputs {
                OnnxInputsKind::Columns => OnnxInputs::Columns,
                OnnxInputsKind::Matrices => OnnxInputs::Matrices,
            },
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PojoLanguage {
    /// A class for Java 8 and later that needs nothing else
    Java,
    /// A file for Rust of any edition from 2018 on that needs nothing but core
    Rust,
}

#[derive(Debug, clap::Args)]
pub struct PredictArgs {
    /// Folder that `train` wrote, or a MOJO
    pub model: PathBuf,
    /// CSV file with the rows, plain or gzip, its columns found by name
    #[arg(long, value_name = "FILE")]
    pub input: PathBuf,
    /// CSV file to write the predictions to, - for standard output
    #[arg(long, value_name = "FILE")]
    pub output: PathBuf,
    /// Write how far an autoencoder is off at each of its inputs, squared, instead of the reconstruction
    #[arg(long, conflicts_with = "deep_features")]
    pub per_feature: bool,
    /// Write the outputs of a hidden layer, counted from 0, instead of the prediction
    #[arg(long, value_name = "LAYER", allow_negative_numbers = true, value_parser = hidden_layer)]
    pub deep_features: Option<usize>,
    /// Give the answers that the model was trained to give where H2O's runtime has defects: it leaves offsets out, takes a
    /// missing level of the Binary encoding for missing bits, has no error of an autoencoder where a number is missing, and
    /// may decide ties between classes for one of smaller probability
    #[arg(long, conflicts_with_all = ["per_feature", "deep_features"])]
    pub fix_defects: bool,
    /// Refuse unseen levels, unreadable numbers and rows with a cell too few or too many, instead of taking what is
    /// wrong as missing
    #[arg(long)]
    pub strict: bool,
    /// Whether the first line holds column names: auto says yes, unless the model was trained without names and the line
    /// has none of them
    #[arg(long, value_enum, default_value_t = HeaderKind::Auto)]
    pub header: HeaderKind,
}

/// Reads which hidden layer is meant.
fn hidden_layer(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "expected the number of a hidden layer, counted from 0".to_owned())
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
}

#[derive(Debug, clap::Args)]
pub struct VerifyArgs {
    /// Folder that `train` wrote, a MOJO, or an ONNX file, Java or Rust source that `export` wrote; source is compiled and run
    pub model: PathBuf,
    #[command(flatten)]
    pub java: JavaArgs,
    #[command(flatten)]
    pub python: PythonArgs,
    /// Which scorers to ask besides our own, of a run or a MOJO [default: all]
    #[arg(long, value_enum, value_delimiter = ',', value_name = "SCORER", default_values_t = ScorerKind::ALL, hide_default_value = true)]
    pub scorers: Vec<ScorerKind>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ScorerKind {
    /// H2O's own runtime
    H2oGenmodel,
    /// The Java class that the model becomes, compiled
    Java,
    /// The Rust source that the model becomes, compiled
    Rust,
    /// The ONNX files that the model becomes, in onnxruntime
    Onnx,
}

impl ScorerKind {
    const ALL: [Self; 4] = [Self::H2oGenmodel, Self::Java, Self::Rust, Self::Onnx];
}

/// How long a scorer of somebody else's may take.
const SCORER_TIMEOUT: Duration = Duration::from_mins(2);

/// How to reach H2O's own runtime.
#[derive(Debug, clap::Args)]
pub struct JavaArgs {
    /// Also score in H2O's own runtime
    #[arg(
        long,
        value_name = "JAR",
        help = "h2o-genmodel.jar or h2o.jar: also score in H2O's own runtime [env: AQUEDUCT_H2O_JAR]"
    )]
    pub h2o_jar: Option<PathBuf>,
    /// Java 11 or later, a JDK
    #[arg(long, value_name = "FILE", default_value = "java")]
    pub java: PathBuf,
}

impl JavaArgs {
    /// The runtime, where a jar was given.
    pub fn runtime(&self) -> Option<exporter::JavaRuntime> {
        Some(exporter::JavaRuntime { java: self.java.clone(), jar: self.jar()?, timeout: SCORER_TIMEOUT })
    }

    /// What compiles and runs classes.
    pub fn jdk(&self) -> exporter::Jdk {
        exporter::Jdk { java: self.java.clone(), jar: self.jar(), timeout: SCORER_TIMEOUT }
    }

    fn jar(&self) -> Option<PathBuf> {
        let of_environment = || std::env::var_os("AQUEDUCT_H2O_JAR").filter(|jar| !jar.is_empty()).map(PathBuf::from);
        self.h2o_jar.clone().or_else(of_environment)
    }
}

/// How to reach onnxruntime.
#[derive(Debug, clap::Args)]
pub struct PythonArgs {
    /// Python 3; where it has onnxruntime, ONNX files are scored in that
    #[arg(
        long,
        value_name = "FILE",
        help = "Python 3; where it has onnxruntime, ONNX files are scored in that [env: AQUEDUCT_PYTHON] [default: python3]"
    )]
    pub python: Option<PathBuf>,
}

impl PythonArgs {
    /// The runtime, which may be found not to be there.
    pub fn runtime(&self) -> exporter::OnnxRuntime {
        let of_environment = || std::env::var_os("AQUEDUCT_PYTHON").filter(|python| !python.is_empty());
        let python = self.python.clone().or_else(|| of_environment().map(PathBuf::from));
        exporter::OnnxRuntime { python: python.unwrap_or_else(|| "python3".into()), timeout: SCORER_TIMEOUT }
    }
}

#[derive(Debug, clap::Args)]
pub struct ServeArgs {
    /// MOJO files; with more than one, each is at /models/NAME by its file's name
    #[arg(required = true, value_name = "MODEL")]
    pub models: Vec<PathBuf>,
    /// Address to listen on; port 0 takes a free one
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:8080")]
    pub listen: String,
    /// Largest body of a request, in bytes
    #[arg(
        long,
        value_name = "BYTES",
        default_value_t = serve::Limits::default().body_bytes,
        allow_negative_numbers = true,
        value_parser = body_bytes
    )]
    pub body_limit: usize,
}

/// Reads how large a body may be.
fn body_bytes(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "expected a whole number of bytes".to_owned())
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

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn every_flag_has_help() {
        Args::command().debug_assert();
        for command in Args::command().get_subcommands() {
            for arg in command.get_arguments() {
                assert!(arg.get_help().is_some(), "{} {}", command.get_name(), arg.get_id());
            }
        }
    }

    #[test]
    fn a_mistake_is_told_in_one_sentence() {
        let told =
            |words: &[&str]| one_sentence(&Args::try_parse_from(words).expect_err("something is wrong").to_string());
        assert_eq!(
            told(&["aqueduct", "predict", "m.zip", "--input", "x.csv"]),
            "the following required arguments were not provided: --output <FILE>"
        );
        assert_eq!(
            told(&["aqueduct", "inspect", "m.zip", "--jsn"]),
            "unexpected argument '--jsn' found; a similar argument exists: '--json'"
        );
    }

    #[test]
    fn switches_may_stand_alone_and_numbers_may_be_negative() {
        let args = Args::try_parse_from([
            "aqueduct",
            "train",
            "--sparse",
            "--seed",
            "-5",
            "--standardize",
            "false",
            "--output",
            "r",
        ]);
        let Command::Train(train) = args.expect("the flags are right").command else { unreachable!("it says train") };
        let given = [("seed", "-5"), ("standardize", "false"), ("sparse", "true")];
        assert_eq!(train.given.0, given.map(|(name, value)| (name, value.to_owned())));
    }

    #[test]
    fn a_frame_may_be_several_files_whatever_their_names() {
        let words = ["aqueduct", "train", "--training-frame", "a.csv", "b,\"c\".csv", "--output", "r"];
        let args = Args::try_parse_from(words.iter().chain(&["--training-frame", "d.csv", "--seed", "1"]));
        let Command::Train(train) = args.expect("the flags are right").command else { unreachable!("it says train") };
        let mut params = trainer::TrainParams::default();
        for (name, text) in &train.given.0 {
            params.set_text(name, text).expect("a value");
        }
        assert_eq!(params.training_frame.0, ["a.csv", "b,\"c\".csv", "d.csv"].map(PathBuf::from));
    }
}
