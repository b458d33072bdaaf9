//! `export --weights`: tables that training can start from again.

use libtest_mimic::{Failed, Trial};
use model::Category;

use crate::support::table::{Table, number};
use crate::support::{Folder, survey, trials};

pub fn tests() -> Vec<Trial> {
    trials![
        training_goes_on_from_tables_of_odd_names,
        training_goes_on_from_tables_of_two_channels,
        training_goes_on_from_names_that_are_numbers,
        an_earlier_export_is_replaced_as_a_whole,
    ]
}

/// The flags that make the net of every run here.
const NET: [&str; 6] = ["--hidden", "4,3", "--seed", "5", "--sparse", "false"];

fn training_goes_on_from_tables_of_odd_names() -> Result<(), Failed> {
    let folder = Folder::new()?;
    folder.write("training.csv", survey::training(Category::Multinomial).to_csv())?;
    goes_on(&folder, survey::RESPONSE, "Tanh", "csv")?;
    goes_on(&folder, survey::RESPONSE, "Tanh", "parquet")
}

fn training_goes_on_from_tables_of_two_channels() -> Result<(), Failed> {
    let folder = Folder::new()?;
    folder.write("training.csv", survey::training(Category::Binomial).to_csv())?;
    goes_on(&folder, survey::RESPONSE, "Maxout", "csv")
}

fn training_goes_on_from_names_that_are_numbers() -> Result<(), Failed> {
    let folder = Folder::new()?;
    let row = |i: usize| format!("{},{},{}\n", i % 7, i % 11, (i % 7) * 3 + i % 11);
    folder.write("training.csv", "1,2,y\n".to_owned() + &(0..50).map(row).collect::<String>())?;
    goes_on(&folder, "y", "Rectifier", "csv")
}

/// Trains, exports the tables in a format, and has a net without training start from them, which answers as the first.
fn goes_on(folder: &Folder, response: &str, activation: &str, format: &str) -> Result<(), Failed> {
    let train = |more: &[&str]| {
        let data = ["train", "--training-frame", "training.csv", "--header", "true", "--response-column", response];
        let net = ["--activation", activation, "--overwrite"];
        folder.succeed(data.into_iter().chain(net).chain(NET).chain(more.iter().copied()))
    };
    train(&["--epochs", "3", "--output", "run"])?;
    folder.succeed(["export", "run", "--weights", "tables", "--weights-format", format])?;
    let files =
        |kind: &str| (0..3).map(|layer| format!("tables/{kind}.{layer}.{format}")).collect::<Vec<_>>().join(",");
    let (weights, biases) = (files("weights"), files("biases"));
    let from_tables = ["--initial-weights", &weights, "--initial-biases", &biases];
    train(&[&["--epochs", "0", "--output", "again"][..], &from_tables].concat())?;
    let predict = |run: &str| -> Result<Table, Failed> {
        folder.succeed(["predict", run, "--input", "training.csv", "--output", "predicted.csv"])?;
        Table::read(&folder.path("predicted.csv"))
    };
    let (first, second) = (predict("run")?, predict("again")?);
    assert_eq!(first.rows.len(), second.rows.len(), "{activation}");
    let is_class = first.header.len() > 1;
    for (a, b) in first.rows.iter().zip(&second.rows) {
        for (a, b) in a.iter().zip(b).skip(usize::from(is_class)) {
            // Biases start from single precision.
            assert!((number(a)? - number(b)?).abs() < 1e-5 * number(a)?.abs().max(1.0), "{activation}: {a} and {b}");
        }
    }
    Ok(())
}

fn an_earlier_export_is_replaced_as_a_whole() -> Result<(), Failed> {
    let folder = Folder::new()?;
    folder.write("training.csv", survey::training(Category::Regression).to_csv())?;
    let data = ["train", "--training-frame", "training.csv", "--response-column", survey::RESPONSE, "--output", "run"];
    folder.succeed(data.into_iter().chain(NET).chain(["--epochs", "1"]))?;
    folder.succeed(["export", "run", "--weights", "tables"])?;
    let outcome = folder.succeed(["export", "run", "--weights", "tables", "--weights-format", "safetensors"])?;
    assert_eq!(outcome.stdout, "wrote tables (1 file)\n");
    let files: Vec<_> = std::fs::read_dir(folder.path("tables"))?.collect::<Result<_, _>>()?;
    assert_eq!(files.iter().map(std::fs::DirEntry::file_name).collect::<Vec<_>>(), ["weights.safetensors"]);
    Ok(())
}
