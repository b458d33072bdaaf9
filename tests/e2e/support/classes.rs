//! Generated Java classes, compiled together and asked by one program.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use exporter::{Artifact, JavaOptions};
use libtest_mimic::Failed;
use model::parse_java_double;

use super::java::{Runtime, escaped};
use super::{Folder, outcome};

/// The program that scores.
const CLASSES: &str = include_str!("Classes.java");

/// Rows for a class.
pub struct Job {
    pub asked: Asked,
    pub class: String,
    pub columns: Vec<String>,
    pub rows: Vec<Vec<Cell>>,
}

/// How a class is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// For a row of numbers.
    ByValues,
    /// For cells by the names of their columns.
    ByCells,
    /// For the same, by H2O's runtime.
    InTheRuntime,
}

/// What a cell is when Java sends it.
#[derive(Debug, Clone)]
pub enum Cell {
    Missing,
    Text(String),
    Number(f64),
    Whole(i64),
    Bool(bool),
}

/// Writes the class of a model into a folder.
pub fn write(artifact: &Artifact, class: &str, genmodel: bool, folder: &Folder) -> Result<(), Failed> {
    let options = JavaOptions { class: class.to_owned(), genmodel };
    Ok(exporter::write_java(artifact, &options, &folder.path(&format!("{class}.java")))?)
}

/// Compiles all sources of a folder into it: for Java 8, and without a warning.
pub fn compile(runtime: &Runtime, folder: &Folder) -> Result<(), Failed> {
    let is_source = |path: &Path| path.extension().is_some_and(|extension| extension == "java");
    let sources = fs::read_dir(folder.path(""))?.filter_map(Result::ok).map(|entry| entry.path());
    let mut javac = Command::new("javac");
    // Of Java 8 alone newer compilers say that it is old.
    javac.args([
        "--release",
        "8",
        "-Xlint:all,-options",
        "-Werror",
        "-proc:none",
        "-encoding",
        "US-ASCII",
        "-J-Xmx512m",
        "-cp",
    ]);
    javac.arg(&runtime.jar).arg("-d").arg(folder.path("")).args(sources.filter(|path| is_source(path)));
    let outcome = outcome(javac)?;
    if outcome.code == Some(0) { Ok(()) } else { Err(format!("javac: {}", outcome.stderr).into()) }
}

/// Runs a class of a folder.
pub fn java(runtime: &Runtime, folder: &Folder, arguments: &[&str]) -> Result<String, Failed> {
    let path: OsString = [folder.path("").as_os_str(), runtime.jar.as_os_str()].join(":".as_ref());
    let mut java = Command::new("java");
    java.args(["-XX:TieredStopAtLevel=1", "-cp"]).arg(path).args(arguments);
    let outcome = outcome(java)?;
    if outcome.code == Some(0) { Ok(outcome.stdout) } else { Err(format!("{arguments:?}: {outcome:?}").into()) }
}

/// Compiles the classes of a folder, and gives their answers to the rows of each job: the label's index before the
/// probabilities of a classifier.
pub fn answers<'a>(
    runtime: &Runtime,
    folder: &Folder,
    jobs: impl ExactSizeIterator<Item = &'a Job>,
) -> Result<Vec<Vec<Vec<f64>>>, Failed> {
    let count = jobs.len();
    folder.write("Classes.java", CLASSES)?;
    compile(runtime, folder)?;
    let mut list = String::new();
    for (number, job) in jobs.enumerate() {
        let (rows, answers) = (folder.path(&format!("rows{number}")), folder.path(&format!("answers{number}")));
        fs::write(&rows, job.text())?;
        let asked = match job.asked {
            Asked::ByValues => "values",
            Asked::ByCells => "cells",
            Asked::InTheRuntime => "genmodel",
        };
        writeln!(list, "{asked}\t{}\t{}\t{}", job.class, rows.display(), answers.display())?;
    }
    folder.write("jobs", list)?;
    java(runtime, folder, &["Classes", &folder.path("jobs").display().to_string()])?;
    (0..count).map(|number| read(&folder.read(&format!("answers{number}"))?)).collect()
}

fn read(text: &str) -> Result<Vec<Vec<f64>>, Failed> {
    let number = |cell: &str| parse_java_double(cell).ok_or_else(|| format!("`{cell}` is no number").into());
    text.lines().map(|line| line.split('\t').map(number).collect()).collect()
}

impl Job {
    /// A line of names and a line for each row, cells between tabs.
    fn text(&self) -> String {
        let names: Vec<String> = self.columns.iter().map(|name| escaped(name)).collect();
        let row = |row: &Vec<Cell>| row.iter().map(|cell| self.cell(cell)).collect::<Vec<_>>().join("\t");
        let lines: Vec<String> = std::iter::once(names.join("\t")).chain(self.rows.iter().map(row)).collect();
        lines.join("\n") + "\n"
    }

    fn cell(&self, cell: &Cell) -> String {
        match cell {
            Cell::Number(value) if self.asked == Asked::ByValues => model::JavaNumber(*value).to_string(),
            Cell::Missing => String::new(),
            Cell::Text(text) => format!("={}", escaped(text)),
            Cell::Number(value) => format!("#{}", model::JavaNumber(*value)),
            Cell::Whole(value) => format!("%{value}"),
            Cell::Bool(value) => format!("?{value}"),
        }
    }
}
