//! Flags of `aqueduct serve`.

use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(after_help = "A flag wins over its variable, and that over --config.")]
pub struct ServeArgs {
    /// MOJO files; with more than one, each is at /models/NAME by its file's name
    #[arg(value_name = "MODEL")]
    pub models: Vec<PathBuf>,
    /// Folder of MOJO files: NAME.zip, or NAME/VERSION.zip where a model has several versions
    #[arg(long, value_name = "DIR", env = "AQUEDUCT_REPOSITORY")]
    pub repository: Option<PathBuf>,
    /// Seconds between two looks at that folder for new, changed and removed files; 0 for never [default: 0]
    #[arg(long, value_name = "SECONDS", env = "AQUEDUCT_WATCH", allow_negative_numbers = true, value_parser = seconds)]
    pub watch: Option<f64>,
    /// Address to listen on; port 0 takes a free one [default: 127.0.0.1:8080]
    #[arg(long, value_name = "HOST:PORT", env = "AQUEDUCT_LISTEN")]
    pub listen: Option<String>,
    /// Address for gRPC alone; without it gRPC shares that of --listen
    #[arg(long, value_name = "HOST:PORT", env = "AQUEDUCT_GRPC_LISTEN")]
    pub grpc_listen: Option<String>,
    /// TOML file with these settings, limits and policies by model
    #[arg(long, value_name = "FILE", env = "AQUEDUCT_CONFIG")]
    pub config: Option<PathBuf>,
    /// Read the configuration and the models, say whether they are right, and exit
    #[arg(long)]
    pub check: bool,
    /// Let requests load and unload models and move their labels
    #[arg(long, env = "AQUEDUCT_ADMIN")]
    pub admin: bool,
    /// Log each request as a line of JSON on standard error
    #[arg(long, env = "AQUEDUCT_ACCESS_LOG")]
    pub access_log: bool,
    /// Largest body of a request that is held in memory, in bytes [default: 67108864]
    #[arg(long, value_name = "BYTES", allow_negative_numbers = true, value_parser = body_bytes)]
    pub body_limit: Option<usize>,
}

/// Reads how large a body may be.
fn body_bytes(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "expected a whole number of bytes".to_owned())
}

/// Reads how long to wait.
fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds: &f64| seconds.is_finite() && *seconds >= 0.0);
    seconds.ok_or_else(|| "expected a number of seconds".to_owned())
}
