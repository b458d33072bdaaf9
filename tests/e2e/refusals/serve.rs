//! `aqueduct serve`.

use std::net::TcpListener;

use libtest_mimic::{Failed, Trial};

use super::{JOB, Refusal, USAGE, make_model};
use crate::support::{Folder, trials};

pub fn refusals() -> Vec<Refusal> {
    vec![
        Refusal::new("serve::no_model", "serve", JOB, "no model to serve: expected at least one MOJO file"),
        Refusal::new(
            "serve::a_repository_that_is_none",
            "serve --repository nowhere",
            JOB,
            "nowhere: expected a folder of MOJO files",
        ),
        Refusal::new(
            "serve::a_repository_without_models",
            "serve --repository papers",
            JOB,
            "papers: no model to serve: expected NAME.zip or NAME/VERSION.zip",
        )
        .with("papers/letter.txt", "dear"),
        Refusal::new(
            "serve::a_configuration_with_a_key_that_is_none",
            "serve --config serve.toml",
            JOB,
            "serve.toml: line 2: unknown field `body`, expected one of `body_bytes`, `rows`, `answer_bytes`, `connections`, \
             `streams`, `waiting_jobs`, `header_timeout_seconds`, `body_timeout_seconds`, `write_timeout_seconds`, \
             `request_timeout_seconds`, `shutdown_seconds`",
        )
        .with("serve.toml", "[limits]\nbody = 1\n"),
        Refusal::new(
            "serve::a_configuration_with_a_value_that_is_none",
            "serve --config serve.toml",
            JOB,
            "[models.model]: option `threshold`: expected a number from 0 to 1",
        )
        .with("serve.toml", "[models.model]\nthreshold = 30\n"),
        Refusal::new(
            "serve::a_model_that_is_missing",
            "serve model.zip",
            JOB,
            "model.zip: it cannot be read: No such file or directory (os error 2)",
        ),
        Refusal::new(
            "serve::a_model_that_is_a_table",
            "serve model.zip",
            JOB,
            "model.zip: it is no zip archive, or one that is cut off or damaged (Could not find EOCD)",
        )
        .with("model.zip", "age,town\n"),
        Refusal::new("serve::a_folder", "serve papers", JOB, "papers: expected a MOJO file, found a folder")
            .with("papers/letter.txt", "dear"),
        Refusal::new(
            "serve::a_run",
            "serve run",
            JOB,
            "run is a run, expected a MOJO file: write one first with `aqueduct export run --mojo FILE.zip`",
        )
        .with_model(),
        Refusal::new(
            "serve::two_models_of_one_name",
            "serve model.zip run/../model.zip",
            JOB,
            "run/../model.zip: another file is already served as `model`: rename one of them",
        )
        .with_model(),
        Refusal::new(
            "serve::an_address_without_a_port",
            "serve model.zip --listen localhost",
            USAGE,
            "`localhost` is no address: expected HOST:PORT such as 127.0.0.1:8080",
        )
        .with_model(),
        Refusal::new(
            "serve::a_port_that_is_none",
            "serve model.zip --listen 127.0.0.1:99999",
            USAGE,
            "`127.0.0.1:99999` is no address: expected HOST:PORT such as 127.0.0.1:8080",
        )
        .with_model(),
        // 192.0.2.0/24 is for documents: no machine has such an address.
        Refusal::new(
            "serve::an_address_of_another_machine",
            "serve model.zip --listen 192.0.2.1:8080",
            JOB,
            "address 192.0.2.1:8080 is not one of this machine: choose another with --listen",
        )
        .with_model(),
        Refusal::of_flags(
            "serve::a_limit_that_is_no_number",
            "serve model.zip --body-limit much",
            "invalid value 'much' for '--body-limit <BYTES>': expected a whole number of bytes",
        ),
    ]
}

pub fn tests() -> Vec<Trial> {
    trials![a_port_in_use]
}

fn a_port_in_use() -> Result<(), Failed> {
    let folder = Folder::new()?;
    make_model(&folder)?;
    let other = TcpListener::bind("127.0.0.1:0")?;
    let address = other.local_addr()?.to_string();
    let outcome = folder.run(["serve", "model.zip", "--listen", &address])?;
    assert_eq!(outcome.stderr, format!("error: address {address} is already in use: choose another with --listen\n"));
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(1), ""));
    Ok(())
}
