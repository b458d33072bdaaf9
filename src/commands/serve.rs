//! `aqueduct serve`: MOJOs behind HTTP.

use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::bail;
use serve::{AppState, Config, Listeners, Options, Registry, Service};
use tokio::net::TcpListener;

use crate::args::ServeArgs;
use crate::{output, run_folder};

const LISTEN: &str = "127.0.0.1:8080";

pub fn run(args: &ServeArgs) -> anyhow::Result<ExitCode> {
    if let Some(run) = args.models.iter().find(|path| run_folder::is_run(path)) {
        let run = run.display();
        bail!("{run} is a run, expected a MOJO file: write one first with `aqueduct export {run} --mojo FILE.zip`");
    }
    let config = configuration(args)?;
    let (limits, watch) = (config.limits()?, config.watch()?);
    let options = Options { admin: config.admin.unwrap_or(false), access_log: config.access_log.unwrap_or(false) };
    log(options);
    let registry = Arc::new(Registry::open(config.repository()?)?);
    if args.check {
        return Ok(check(&registry));
    }
    let names = registry.names();
    let state = AppState::new(Service::new(registry, limits), options);
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        let shutdown = serve::shutdown_signal()?;
        let web = serve::bind(config.listen.as_deref().unwrap_or(LISTEN)).await?;
        let grpc = match &config.grpc_listen {
            Some(address) => Some(serve::bind(address).await?),
            None => None,
        };
        let address = web.local_addr()?;
        match grpc.as_ref().map(TcpListener::local_addr).transpose()? {
            Some(grpc) => output::announcement(format_args!("serving {names} on http://{address}, gRPC on {grpc}")),
            None => output::announcement(format_args!("serving {names} on http://{address}")),
        }
        serve::run(Listeners { web, grpc }, state, watch, shutdown).await;
        anyhow::Ok(())
    })?;
    // A batch whose client has left may still be computed: nobody waits for it.
    runtime.shutdown_background();
    Ok(ExitCode::SUCCESS)
}

/// What the file says, and the flags instead of it.
fn configuration(args: &ServeArgs) -> anyhow::Result<Config> {
    let mut config = match &args.config {
        Some(path) => Config::read(path)?,
        None => Config::default(),
    };
    if !args.models.is_empty() {
        config.files = Some(args.models.clone());
    }
    config.repository = args.repository.clone().or(config.repository);
    config.watch_seconds = args.watch.or(config.watch_seconds);
    config.listen = args.listen.clone().or(config.listen);
    config.grpc_listen = args.grpc_listen.clone().or(config.grpc_listen);
    config.admin = args.admin.then_some(true).or(config.admin);
    config.access_log = args.access_log.then_some(true).or(config.access_log);
    config.limits.body_bytes = args.body_limit.or(config.limits.body_bytes);
    Ok(config)
}

/// Says what would be served; whether all of it can be.
fn check(registry: &Registry) -> ExitCode {
    let listed = registry.list();
    for model in &listed {
        match &model.failure {
            Some(reason) => output::failure(&format!("`{}`, version {}: {reason}", model.name, model.version)),
            None => output::announcement(format_args!("`{}`, version {}: ready", model.name, model.version)),
        }
    }
    let failed = listed.iter().any(|model| model.failure.is_some());
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Lines for people, unless a machine reads what the access log has in them.
fn log(options: Options) {
    let lines = tracing_subscriber::fmt().with_writer(io::stderr);
    if options.access_log {
        lines.json().flatten_event(true).with_current_span(false).init();
    } else {
        lines.with_ansi(io::stderr().is_terminal()).init();
    }
}
