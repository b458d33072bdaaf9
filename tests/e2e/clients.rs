//! The server asked by the clients of other projects, whose answers are those of `predict`.

use exporter::Parity;
use libtest_mimic::{Failed, Trial};
use model::{Category, Feature, Model, parse_java_double};

use crate::parity::train;
use crate::support::answers::compare;
use crate::support::clients::{self, Clients, Column};
use crate::support::http::Server;
use crate::support::table::Table;
use crate::support::{Folder, survey};

const CLIENTS: [&str; 4] = ["triton_http", "triton_grpc", "kserve", "mlflow"];

pub fn tests() -> Vec<Trial> {
    CLIENTS.map(|client| clients::trial(&format!("clients::{client}"), move |clients| agrees(clients, client))).into()
}

fn agrees(clients: &Clients, client: &str) -> Result<(), Failed> {
    let folder = Folder::new()?;
    train(&folder, Category::Binomial)?;
    let mut rows = survey::to_score(100);
    // JSON has no infinity, and Python writes one all the same.
    let is_infinite = |cell: &&mut String| parse_java_double(cell).is_some_and(f64::is_infinite);
    rows.rows.iter_mut().flatten().filter(is_infinite).for_each(String::clear);
    folder.write("rows.csv", rows.to_csv())?;
    folder.succeed(["predict", "model.zip", "--input", "rows.csv", "--output", "answers.csv"])?;
    let expected = Table::read(&folder.path("answers.csv"))?;
    let model = exporter::read_mojo(&folder.path("model.zip"))?.model;
    let server = Server::start(&folder, &["model.zip"])?;
    let found = clients.ask(client, server.address, &columns(&model, &rows), &expected.header)?;
    compare(&model, Parity::exact(&model), &expected.rows, &found)
}

/// The model's columns of a table; what is no number in a column of numbers is missing.
fn columns(model: &Model, table: &Table) -> Vec<Column> {
    let column = |feature: &Feature| {
        let at = table.header.iter().position(|name| *name == feature.name)?;
        let is_number = feature.domain.is_none();
        let value = |row: &Vec<String>| match row[at].as_str() {
            "" | "NA" | "N/A" | "-" => None,
            text if is_number => {
                parse_java_double(text).filter(|number| !number.is_nan()).map(|number| format!("{number:?}"))
            }
            text => Some(text.to_owned()),
        };
        let values = table.rows.iter().map(value).collect();
        Some(Column { name: feature.name.clone(), is_number, values })
    };
    model.schema.features().iter().filter_map(column).collect()
}
