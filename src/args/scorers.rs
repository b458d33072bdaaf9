//! Flags of `verify`, and of whatever asks scorers besides ours.

use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;

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
