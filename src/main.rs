//! `aqueduct`: trains deep-learning models on tables, exports them as H2O MOJOs, and serves MOJOs without a JVM.

mod answers;
mod args;
mod commands;
mod contributions;
mod interrupt;
mod loaded;
mod memory;
mod output;
mod params_file;
mod remarks;
mod report;
mod run_folder;
mod staging;
mod table_file;
mod weights_folder;

use std::process::ExitCode;

use args::{Args, Command};

fn main() -> ExitCode {
    let outcome = match Args::read().command {
        Command::Quickstart(args) => commands::quickstart::run(&args),
        Command::Train(args) => commands::train::run(&args),
        Command::Export(args) => commands::export::run(&args),
        Command::Predict(args) => commands::predict::run(&args),
        Command::Inspect(args) => commands::inspect::run(&args),
        Command::Verify(args) => commands::verify::run(&args),
        Command::Serve(args) => commands::serve::run(&args),
    };
    match outcome {
        Ok(code) => code,
        Err(error) => {
            output::error(&error);
            commands::exit_code(&error)
        }
    }
}
