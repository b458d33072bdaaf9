//! `aqueduct serve`: a MOJO behind HTTP.

use std::process::ExitCode;

use serve::{AppState, Limits, Registry, Service};

use crate::args::ServeArgs;
use crate::output;

pub fn run(args: &ServeArgs) -> anyhow::Result<ExitCode> {
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
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
