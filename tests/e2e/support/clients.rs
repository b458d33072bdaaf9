//! Clients of the server that others wrote, where the machine has a Python with them.

use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use libtest_mimic::{Completion, Failed, Trial};
use serde_json::{Value, json};

/// The environment that `tests/setup clients` makes.
const ENVIRONMENT: &str = "clients-2.73.0-0.21.0-3.17.2";

/// The program that asks.
const ASK: &str = include_str!("clients.py");

/// A test that is ignored, with the reason, where there are no clients.
pub fn trial(name: &str, test: impl FnOnce(&Clients) -> Result<(), Failed> + Send + 'static) -> Trial {
    Trial::ignorable_test(name, move || match clients() {
        Ok(clients) => test(clients).map(|()| Completion::Completed),
        Err(reason) => Ok(Completion::ignored_with(format!("{reason}; `tests/setup clients` installs what is needed"))),
    })
}

/// A Python that has the clients.
pub struct Clients(PathBuf);

fn clients() -> Result<&'static Clients, &'static str> {
    static CLIENTS: OnceLock<Result<Clients, String>> = OnceLock::new();
    CLIENTS.get_or_init(Clients::find).as_ref().map_err(String::as_str)
}

impl Clients {
    fn find() -> Result<Self, String> {
        let python = match super::variable("AQUEDUCT_CLIENTS") {
            Some(python) => python,
            None => super::cache("AQUEDUCT_CLIENTS_VENV", ENVIRONMENT)
                .ok_or("AQUEDUCT_CLIENTS is not set")?
                .join("bin/python"),
        };
        let mut command = Command::new(&python);
        let looks = "import importlib.util as u; assert all(map(u.find_spec, ['tritonclient', 'kserve', 'mlflow']))";
        let found = command.args(["-c", looks]).output().is_ok_and(|output| output.status.success());
        if found {
            Ok(Self(python))
        } else {
            Err(format!("{} has no tritonclient, kserve and mlflow", python.display()))
        }
    }

    /// What one of the clients answers for columns: rows of the prediction's columns, whose names are given.
    pub fn ask(
        &self,
        client: &str,
        address: SocketAddr,
        columns: &[Column],
        outputs: &[String],
    ) -> Result<Vec<Vec<String>>, Failed> {
        let columns: Vec<Value> = columns
            .iter()
            .map(|column| json!({"name": column.name, "is_number": column.is_number, "values": column.values}))
            .collect();
        let mut command = Command::new(&self.0);
        command.args(["-c", ASK, client]).arg(address.to_string()).args(outputs);
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        if let Some(mut stdin) = process.stdin.take() {
            stdin.write_all(Value::from(columns).to_string().as_bytes())?;
        }
        let output = process.wait_with_output()?;
        if !output.status.success() {
            return Err(format!("{client}: {}", String::from_utf8_lossy(&output.stderr)).into());
        }
        // What the libraries print stands before the answer.
        let text = String::from_utf8_lossy(&output.stdout);
        let rows: Vec<Vec<Value>> = serde_json::from_str(text.lines().last().unwrap_or_default())?;
        let cell = |cell: Value| match cell {
            Value::String(text) => text,
            Value::Null => "NA".to_owned(),
            number => number.to_string(),
        };
        Ok(rows.into_iter().map(|row| row.into_iter().map(cell).collect()).collect())
    }
}

/// A column as a client is to send it; numbers as Python reads them.
pub struct Column {
    pub name: String,
    pub is_number: bool,
    pub values: Vec<Option<String>>,
}
