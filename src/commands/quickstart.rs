//! `aqueduct quickstart`: the whole path on bundled data, each step shown as the command that does it.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Parser;
use serve::{AppState, Limits, Options, Registry, Service};

use super::{export, train, verify};
use crate::args::{Args, Command, QuickstartArgs};
use crate::{output, run_folder};

/// Loans of a bank, and whether they were paid back; `tests/data/README.md` says where they come from.
const CREDIT: &str = include_str!("../../tests/data/credit.csv");
const ROW: &str = r#"{"Seniority": 3, "Home": "rent", "Age": 27, "Records": "yes", "Job": "partime", "Income": 90}"#;

pub fn run(args: &QuickstartArgs) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let folder = &args.output;
    let file = |name: &str| folder.join(name).display().to_string();
    check_own(folder)?;
    fs::create_dir_all(folder).with_context(|| format!("cannot write --output {}", folder.display()))?;
    split(folder)?;

    step("Train a classifier: will a loan be paid back? (3,564 loans to learn from, 890 to check with)");
    let (training, validation, run, mojo) = (file("train.csv"), file("valid.csv"), file("run"), file("credit.zip"));
    execute(&[
        "train",
        "--training-frame",
        &training,
        "--validation-frame",
        &validation,
        "--response-column",
        "Status",
        "--hidden",
        "32,16",
        "--activation",
        "RectifierWithDropout",
        "--hidden-dropout-ratios",
        "0.2,0.2",
        "--epochs",
        "20",
        "--seed",
        "42",
        "--output",
        &run,
        "--overwrite",
    ])?;
    step("Export it as a MOJO, which H2O's own runtime loads");
    execute(&["export", &run, "--mojo", &mojo])?;
    step("Replay the golden rows that travel with it");
    let mut command = vec!["verify", &mojo];
    let java = args.java.java.display().to_string();
    let jar = args.java.runtime().map(|runtime| runtime.jar.display().to_string());
    if let Some(jar) = &jar {
        command.extend(["--h2o-jar", jar, "--java", &java]);
    }
    execute(&command)?;
    step("Serve it, and score a loan");
    serve_and_score(&mojo)?;

    output::line(format_args!(
        "\nThat took {:.1} s. Next: `aqueduct inspect {mojo}`, `aqueduct serve {mojo}`, or `aqueduct train --help`.",
        start.elapsed().as_secs_f64()
    ));
    Ok(ExitCode::SUCCESS)
}

/// Only a folder of an earlier quickstart is written over.
fn check_own(folder: &Path) -> anyhow::Result<()> {
    let is_own = run_folder::is_run(&folder.join("run")) && folder.join("credit.zip").is_file();
    let is_empty = || fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
    if folder.exists() && !is_own && !is_empty() {
        bail!(
            "--output {} exists and is not the folder of an earlier quickstart: choose another one",
            folder.display()
        );
    }
    Ok(())
}

/// Every fifth loan is kept for validation.
fn split(folder: &Path) -> anyhow::Result<()> {
    let mut lines = CREDIT.lines();
    let header = lines.next().unwrap_or_default();
    let (mut training, mut validation) = (format!("{header}\n"), format!("{header}\n"));
    for (row, line) in lines.enumerate() {
        let part = if row % 5 == 4 { &mut validation } else { &mut training };
        part.push_str(line);
        part.push('\n');
    }
    for (name, text) in [("train.csv", training), ("valid.csv", validation)] {
        let path = folder.join(name);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

fn step(title: &str) {
    output::line(format_args!("\n=== {title}\n"));
}

/// Shows a command and does what it does.
fn execute(command: &[&str]) -> anyhow::Result<()> {
    output::line(format_args!("$ aqueduct {}\n", command.join(" ")));
    let words = std::iter::once("aqueduct").chain(command.iter().copied()).map(OsString::from);
    let code = match Args::try_parse_from(words)?.command {
        Command::Train(args) => train::run(&args)?,
        Command::Export(args) => export::run(&args)?,
        Command::Verify(args) => verify::run(&args)?,
        _ => bail!("{} is no step of the quickstart", command[0]),
    };
    if code != ExitCode::SUCCESS {
        bail!("`aqueduct {}` failed", command.join(" "));
    }
    Ok(())
}

/// Starts the server on a free port, asks it once and stops it.
fn serve_and_score(mojo: &str) -> anyhow::Result<()> {
    let registry = Arc::new(Registry::load(&[mojo.into()])?);
    let state = AppState::new(Service::new(registry, Limits::default()), Options::default());
    let runtime = tokio::runtime::Runtime::new()?;
    let listener = runtime.block_on(serve::bind("127.0.0.1:0"))?;
    let address = listener.local_addr()?;
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let server = runtime.spawn(serve::run(listener, state, None, async {
        // An error means that the sender is gone, which is a reason to stop as well.
        let _ = stopped.await;
    }));
    output::line(format_args!(
        "$ aqueduct serve {mojo} --listen {address} &\n$ curl http://{address}/score -d '{ROW}'\n"
    ));
    let start = Instant::now();
    let answer = post(address, "/score", ROW)?;
    let millis = start.elapsed().as_secs_f64() * 1e3;
    output::line(format_args!("{answer}\n\n(answered in {millis:.1} ms, connection included)"));
    let _ = stop.send(());
    runtime.block_on(server)?;
    Ok(())
}

/// One request over a connection of its own.
fn post(address: SocketAddr, path: &str, body: &str) -> anyhow::Result<String> {
    const TIMEOUT: Duration = Duration::from_secs(10);
    let exchange = || -> io::Result<String> {
        let mut stream = TcpStream::connect_timeout(&address, TIMEOUT)?;
        stream.set_read_timeout(Some(TIMEOUT))?;
        let length = body.len();
        write!(
            stream,
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\
             Connection: close\r\n\r\n{body}"
        )?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer)
    };
    let answer = exchange().with_context(|| format!("no answer from http://{address}{path}"))?;
    let (head, body) = answer.split_once("\r\n\r\n").context("the server's answer has no body")?;
    if !head.starts_with("HTTP/1.1 200") {
        bail!("the server answered {}: {body}", head.lines().next().unwrap_or_default());
    }
    Ok(body.to_owned())
}
