//! The central promise: the same row gets the same answer from a run, from its MOJO and from a server, to the last bit.

use exporter::Parity;
use libtest_mimic::{Failed, Trial};
use model::Category;
use serde_json::{Map, Value, json};

use crate::support::answers::compare;
use crate::support::http::{Request, Server};
use crate::support::process::until;
use crate::support::table::Table;
use crate::support::{Folder, survey, trials};

pub fn tests() -> Vec<Trial> {
    trials![
        binomial,
        multinomial,
        regression,
        autoencoder,
        a_request_in_flight_is_answered_before_the_server_ends,
        a_server_tells_how_it_is_and_what_it_takes,
        two_models_are_served_by_name,
    ]
}

fn binomial() -> Result<(), Failed> {
    every_scorer_agrees(Category::Binomial)
}

fn multinomial() -> Result<(), Failed> {
    every_scorer_agrees(Category::Multinomial)
}

fn regression() -> Result<(), Failed> {
    every_scorer_agrees(Category::Regression)
}

fn autoencoder() -> Result<(), Failed> {
    every_scorer_agrees(Category::AutoEncoder)
}

fn every_scorer_agrees(category: Category) -> Result<(), Failed> {
    let folder = Folder::new()?;
    train(&folder, category)?;
    let rows = survey::to_score(300);
    folder.write("rows.csv", rows.to_csv())?;
    folder.succeed(["predict", "run", "--input", "rows.csv", "--output", "run.csv"])?;
    folder.succeed(["predict", "model.zip", "--input", "rows.csv", "--output", "mojo.csv"])?;
    assert_eq!(folder.read("run.csv")?, folder.read("mojo.csv")?);

    let mut by_run = Table::read(&folder.path("run.csv"))?;
    let server = Server::start(&folder, &["model.zip"])?;
    let answers = server.post("/score", &Value::from(objects(&rows)).to_string())?;
    assert_eq!(answers.status, 200, "{}", answers.body);
    let by_server = served(&answers.json()?, &by_run)?;
    // JSON has no infinity, which is an autoencoder's error where a number is too large to be squared.
    for cell in by_run.rows.iter_mut().flatten().filter(|cell| *cell == "Infinity") {
        "NA".clone_into(cell);
    }
    let model = exporter::read_mojo(&folder.path("model.zip"))?.model;
    compare(&model, Parity::exact(&model), &by_run.rows, &by_server)?;
    // One row at a time is answered as in a batch.
    let one = server.post("/score", &objects(&rows)[7].to_string())?;
    assert_eq!(one.json()?, answers.json()?[7]);
    Ok(())
}

pub fn train(folder: &Folder, category: Category) -> Result<(), Failed> {
    folder.write("training.csv", survey::training(category).to_csv())?;
    let what = ["train", "--training-frame", "training.csv", "--output", "run"];
    let net = ["--activation", "Tanh", "--hidden", "8,4", "--epochs", "5", "--seed", "3"];
    folder.succeed(what.into_iter().chain(survey::goal(category).iter().copied()).chain(net))?;
    folder.succeed(["export", "run", "--mojo", "model.zip"])?;
    Ok(())
}

/// The rows as a client sends them.
fn objects(table: &Table) -> Vec<Value> {
    let object = |row: &Vec<String>| {
        let cell = |(name, cell): (&String, &String)| match cell.as_str() {
            "" | "NA" | "N/A" | "-" => (name.clone(), Value::Null),
            cell => (name.clone(), Value::from(cell)),
        };
        Value::Object(table.header.iter().zip(row).map(cell).collect::<Map<_, _>>())
    };
    table.rows.iter().map(object).collect()
}

/// The server's answers as rows of a table of predictions.
fn served(answers: &Value, like: &Table) -> Result<Vec<Vec<String>>, Failed> {
    let text = |value: &Value| match value {
        Value::Null => "NA".to_owned(),
        Value::String(text) => text.clone(),
        number => number.to_string(),
    };
    let row = |answer: &Value| {
        let numbers = |key: &str| answer[key].as_object().into_iter().flatten().map(|(_, number)| number);
        let row: Vec<String> = if like.header[0] == "predict" {
            std::iter::once(&answer["predict"]).chain(numbers("probabilities")).map(text).collect()
        } else {
            numbers("reconstruction").chain([&answer["mse"]]).map(text).collect()
        };
        if row.len() == like.header.len() { Ok(row) } else { Err(format!("{answer}").into()) }
    };
    answers.as_array().ok_or("no array")?.iter().map(row).collect()
}

fn a_request_in_flight_is_answered_before_the_server_ends() -> Result<(), Failed> {
    let folder = Folder::new()?;
    train(&folder, Category::Regression)?;
    let server = Server::start(&folder, &["model.zip"])?;
    let body = Value::from(objects(&survey::to_score(50))).to_string();
    let request = Request::new(server.address, "POST", "/score", &body)?;
    server.signal("TERM")?;
    until("no new connections", || std::net::TcpStream::connect(server.address).is_err())?;
    let answer = request.answer()?;
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(answer.json()?.as_array().map(Vec::len), Some(50));
    assert_eq!(server.end()?.code(), Some(0));
    Ok(())
}

fn a_server_tells_how_it_is_and_what_it_takes() -> Result<(), Failed> {
    let folder = Folder::new()?;
    train(&folder, Category::Binomial)?;
    let server = Server::start(&folder, &["model.zip"])?;
    let live = server.get("/health/live")?;
    assert_eq!((live.status, live.json()?), (200, json!({ "live": true })));
    let ready = server.get("/health/ready")?;
    assert_eq!((ready.status, ready.json()?), (200, json!({ "ready": true })));

    let schema = server.get("/schema")?.json()?;
    assert_eq!(schema["name"], "model");
    assert_eq!(schema["response"]["name"], survey::RESPONSE);
    assert_eq!(schema["response"]["levels"], json!(["b,\"c\"", "à la carte"]));
    let mut columns: Vec<&str> =
        schema["features"].as_array().ok_or("no features")?.iter().filter_map(|f| f["name"].as_str()).collect();
    columns.sort_unstable();
    let mut trained = survey::training(Category::Binomial).header;
    trained.retain(|name| name != survey::RESPONSE);
    trained.sort_unstable();
    assert_eq!(columns, trained);

    let answer = server.post("/score", &schema["example"].to_string())?.json()?;
    assert!(answer["probabilities"].is_object() && answer.get("warnings").is_none(), "{answer}");
    let unseen = server.post("/score", r#"{"k = v": "never seen", "größe": "ten"}"#)?.json()?;
    assert!(unseen["warnings"].as_array().is_some_and(|warnings| warnings.len() >= 2), "{unseen}");

    let broken = server.post("/score", "{")?;
    assert_eq!((broken.status, &broken.json()?["error"]["code"]), (400, &json!("invalid_json")));
    let lost = server.get("/scores")?;
    assert_eq!((lost.status, &lost.json()?["error"]["code"]), (404, &json!("no_route")));
    Ok(())
}

fn two_models_are_served_by_name() -> Result<(), Failed> {
    let folder = Folder::new()?;
    train(&folder, Category::Regression)?;
    folder.write("second.zip", folder.bytes("model.zip")?)?;
    let server = Server::start(&folder, &["model.zip", "second.zip"])?;
    assert_eq!(server.post("/score", "{}")?.status, 400);
    let (first, second) = (server.post("/models/model/score", "{}")?, server.post("/models/second/score", "{}")?);
    assert_eq!((first.status, first.json()?), (200, second.json()?));
    assert_eq!(server.get("/models/third/schema")?.status, 404);
    Ok(())
}
