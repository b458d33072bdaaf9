//! `aqueduct serve`: a MOJO behind HTTP.

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use anyhow::bail;
use serve::{AppState, Limits, Registry, Service};

use crate::args::ServeArgs;
use crate::{output, run_folder};

pub fn run(args: &ServeArgs) -> anyhow::Result<ExitCode> {
    if let Some(run) = args.models.iter().find(|path| run_folder::is_run(path)) {
        let run = run.display();
        bail!("{run} is a run, expected a MOJO file: write one first with `aqueduct export {run} --mojo FILE.zip`");
    }
    tracing_subscriber::fmt().with_ansi(io::stderr().is_terminal()).with_writer(io::stderr).init();
    let registry = Registry::load(&args.models)?;
    let names = registry.names();
    let limits = Limits { body_bytes: args.body_limit, ..Limits::default() };
    let state = AppState::new(Service::new(registry), limits);
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        let shutdown = serve::shutdown_signal()?;
        let listener = serve::bind(&args.listen).await?;
        if let Ok(address) = listener.local_addr() {
            output::announcement(format_args!("serving {names} on http://{address}"));
        }
        serve::run(listener, state, shutdown).await;
        anyhow::Ok(())
    })?;
    // A batch whose client has left may still be computed: nobody waits for it.
    runtime.shutdown_background();
    Ok(ExitCode::SUCCESS)
}
