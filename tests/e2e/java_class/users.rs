//! What users of a class rely on, and the tools that take it for a model of H2O's.

use libtest_mimic::{Failed, Trial};

use crate::support::java::{self, Runtime};
use crate::support::table::Table;
use crate::support::{Folder, classes, data};

/// Looks at everything that a class promises.
const CONTRACT: &str = include_str!("Contract.java");

pub fn tests() -> Vec<Trial> {
    let trial = |name: &str, test: fn(&Runtime) -> Result<(), Failed>| java::trial(format!("java_class::{name}"), test);
    vec![
        trial("a_class_keeps_its_contract", contract),
        trial("the_example_of_the_readme_answers_as_predict", the_example_of_the_readme),
        trial("predict_csv_takes_it_for_a_model", predict_csv),
    ]
}

fn contract(runtime: &Runtime) -> Result<(), Failed> {
    let folder = Folder::new()?;
    let row = |i: usize| format!("{},{},{}\n", 20 + i % 37, ["a", "b", "3", "true"][i % 4], ["no", "yes"][i % 5 % 2]);
    folder.write("training.csv", "age,plan,paid\n".to_owned() + &(0..80).map(row).collect::<String>())?;
    let what = ["train", "--training-frame", "training.csv", "--response-column", "paid", "--output", "run"];
    let net = ["--hidden", "5,4", "--epochs", "2", "--seed", "1", "--activation", "Tanh"];
    folder.succeed(what.into_iter().chain(net))?;
    folder.succeed(["export", "run", "--pojo", "java", "--name", "small", "--output", "."])?;
    folder.write("Contract.java", CONTRACT)?;
    classes::compile(runtime, &folder)?;
    assert_eq!(classes::java(runtime, &folder, &["Contract"])?, "kept\n");
    Ok(())
}

fn the_example_of_the_readme(runtime: &Runtime) -> Result<(), Failed> {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md"))?;
    let example = readme.split("```java\n").nth(1).and_then(|text| text.split("```").next()).ok_or("no example")?;
    let folder = Folder::new()?;
    train(&folder, "credit.csv", &["--response-column", "Status"])?;
    folder.succeed(["export", "run", "--pojo", "java", "--name", "Credit", "--output", "."])?;
    folder.write("Loan.java", example)?;
    classes::compile(runtime, &folder)?;
    let said = classes::java(runtime, &folder, &["Loan"])?;
    folder.write("loan.csv", "Seniority,Home,Age,Records,Job,Income\n3,rent,27,yes,partime,90\n")?;
    folder.succeed(["predict", "run", "--input", "loan.csv", "--output", "answer.csv"])?;
    let answer = &Table::read(&folder.path("answer.csv"))?.rows[0];
    let (label, probability) = said.trim().split_once(' ').ok_or("no label and no probability")?;
    assert_eq!((label, probability.parse::<f64>()?), (answer[0].as_str(), answer[1].parse::<f64>()?));
    Ok(())
}

/// The rows that a model was trained on, in the runtime's own tool for tables.
fn predict_csv(runtime: &Runtime) -> Result<(), Failed> {
    for (table, goal) in [
        ("credit.csv", &["--response-column", "Status"][..]),
        ("iris.csv", &["--response-column", "class"]),
        ("prostate.csv", &["--response-column", "VOL"]),
        ("credit.csv", &["--autoencoder"]),
    ] {
        let folder = Folder::new()?;
        train(&folder, table, goal)?;
        // An empty line at the end is one more row to the runtime's tool.
        folder.write("rows.csv", std::fs::read_to_string(data(table))?.trim_end())?;
        let rows = folder.path("rows.csv").display().to_string();
        folder.succeed(["predict", "run", "--input", &rows, "--output", "ours.csv"])?;
        let jar = runtime.jar.display().to_string();
        let class = ["--pojo", "java", "--genmodel", "--name", "Model", "--h2o-jar", &jar];
        let said = folder.succeed(["export", "run", "--output", "."].into_iter().chain(class))?.stdout;
        assert!(said.contains("\n  generated Java (genmodel): 1") && said.contains(" rows agree"), "{said}");
        classes::compile(runtime, &folder)?;
        let output = folder.path("theirs.csv").display().to_string();
        let files = ["--pojo", "Model", "--input", &rows, "--output", &output, "--decimal"];
        classes::java(runtime, &folder, &[&["hex.genmodel.tools.PredictCsv"][..], &files].concat())?;
        let (mut ours, theirs) = (Table::read(&folder.path("ours.csv"))?, Table::read(&folder.path("theirs.csv"))?);
        if goal == ["--autoencoder"] {
            // The runtime has its error for MOJOs alone.
            ours.header.pop();
            for row in &mut ours.rows {
                row.pop();
            }
        }
        assert_eq!(theirs.header, ours.header);
        assert_eq!(theirs.rows.len(), ours.rows.len(), "{table}");
        let same = |(a, b): (&String, &String)| match (a.parse::<f64>(), b.parse::<f64>()) {
            (Ok(a), Ok(b)) => a == b,
            _ => a == b,
        };
        for (theirs, ours) in theirs.rows.iter().zip(&ours.rows) {
            assert!(theirs.iter().zip(ours).all(same), "{theirs:?}, {ours:?}");
        }
    }
    Ok(())
}

fn train(folder: &Folder, table: &str, goal: &[&str]) -> Result<(), Failed> {
    let table = data(table).display().to_string();
    let what = ["train", "--training-frame", &table, "--output", "run", "--progress", "off"];
    let net = ["--hidden", "8,5", "--epochs", "2", "--seed", "42", "--activation", "TanhWithDropout"];
    folder.succeed(what.into_iter().chain(goal.iter().copied()).chain(net))?;
    Ok(())
}
