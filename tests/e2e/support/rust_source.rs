//! Generated Rust source, compiled with a program that sends it the rows of tables.

use std::fmt::Write as _;
use std::process::Command;

use libtest_mimic::Failed;
use model::{Category, Domain, Model, parse_java_double};

use super::table::Table;
use super::{Folder, outcome};

/// A source, the model that it was written of, and rows for it.
pub struct Source {
    pub text: String,
    pub model: Model,
    pub rows: Table,
}

/// The answers of each source to its rows, as cells of a table of predictions. One run of rustc compiles all of them.
pub fn answers(sources: &[Source]) -> Result<Vec<Vec<Vec<String>>>, Failed> {
    let folder = Folder::new()?;
    let (mut modules, mut calls) = (String::new(), String::new());
    for (index, source) in sources.iter().enumerate() {
        folder.write(&format!("model_{index}.rs"), &source.text)?;
        folder.write(&format!("rows_{index}"), rows_text(&source.model, &source.rows))?;
        folder.write(&format!("client_{index}.rs"), client(index, source))?;
        writeln!(modules, "mod client_{index};\nmod model_{index};")?;
        writeln!(calls, "print!({BORDER:?});\nclient_{index}::run(&read(\"rows_{index}\"));")?;
    }
    let read = "fn read(rows: &str) -> String {\nstd::fs::read_to_string(rows).expect(\"rows\")\n}";
    folder.write("main.rs", format!("{modules}{read}\nfn main() {{\n{calls}}}\n"))?;
    let said = compiled(&folder, "main.rs")?;
    let tables = said.split(BORDER).skip(1).zip(sources);
    Ok(tables.map(|(lines, source)| lines.lines().map(|line| cells(line, &source.model)).collect()).collect())
}

/// What a program in a folder says, compiled without a warning.
pub fn compiled(folder: &Folder, main: &str) -> Result<String, Failed> {
    let mut rustc = Command::new("rustc");
    rustc.args(["--edition", "2021", "-D", "warnings", "-o", "program", main]);
    succeed(folder, rustc)?;
    succeed(folder, Command::new(folder.path("program")))
}

/// Stands between the answers of two sources.
const BORDER: &str = "==\n";

fn succeed(folder: &Folder, mut command: Command) -> Result<String, Failed> {
    command.current_dir(folder.path(""));
    let outcome = outcome(command)?;
    if outcome.code == Some(0) { Ok(outcome.stdout) } else { Err(outcome.stderr.into()) }
}

/// The cells of a line, a label first that is as Rust shows it.
fn cells(line: &str, model: &Model) -> Vec<String> {
    let classes = model.schema.classes().map_or(&[][..], Domain::levels);
    let cell = |cell: &str| match classes.iter().find(|class| format!("{class:?}") == cell) {
        Some(class) => class.clone(),
        None => cell.trim_matches('"').to_owned(),
    };
    line.trim_start_matches('\t').split('\t').map(cell).collect()
}

/// What a program does that reads CSV: it takes numbers by their texts, levels by theirs, and leaves out what is missing.
fn client(index: usize, Source { text, model, .. }: &Source) -> String {
    let fields = text.split("pub struct Row {").nth(1).and_then(|text| text.split('}').next()).unwrap_or_default();
    let fields =
        fields.lines().filter_map(|line| line.trim().strip_prefix("pub ")?.strip_suffix(',')?.split_once(": "));
    let mut set = String::new();
    for (column, (field, kind)) in fields.enumerate() {
        let value = if kind == "f64" {
            "f64::from_bits(u64::from_str_radix(cell, 16).unwrap())".to_owned()
        } else {
            format!("model::{kind}::from(text(cell).as_str())")
        };
        let _ = writeln!(set, "if let Some(cell) = cells[{column}].strip_prefix('=') {{\nrow.{field} = {value};\n}}");
    }
    let print = match model.category {
        Category::Regression => "print(&[answer.value]);",
        Category::AutoEncoder => "print(&answer.reconstruction);\nprint(&[answer.mse]);",
        Category::Binomial | Category::Multinomial => {
            "print!(\"{:?}\", answer.label.map_or(\"NA\", |label| label.text()));\nprint(&answer.probabilities);"
        }
    };
    format!(
        "use crate::model_{index} as model;

pub fn run(rows: &str) {{
for line in rows.lines() {{
let cells: Vec<&str> = line.split('\\t').collect();
let mut row = model::Row::MISSING;
{set}let answer = model::score(&row);
{print}
println!();
}}
}}

#[allow(dead_code)]
fn text(hexadecimal: &str) -> String {{
let byte = |place: usize| u8::from_str_radix(&hexadecimal[2 * place..2 * place + 2], 16).unwrap();
String::from_utf8((0..hexadecimal.len() / 2).map(byte).collect()).unwrap()
}}

fn print(numbers: &[f64]) {{
for number in numbers {{
if number.is_nan() {{
print!(\"\\tNA\");
}} else {{
print!(\"\\t{{:?}}\", number);
}}
}}
}}
"
    )
}

/// Cells between tabs: nothing where one is missing, else `=` and the bits of the number or the bytes of the text, in
/// hexadecimal.
fn rows_text(model: &Model, rows: &Table) -> String {
    let features = model.schema.features();
    let columns: Vec<Option<usize>> =
        features.iter().map(|feature| rows.header.iter().position(|name| *name == feature.name)).collect();
    let mut text = String::new();
    for row in &rows.rows {
        for (place, (feature, column)) in features.iter().zip(&columns).enumerate() {
            text.push_str(if place == 0 { "" } else { "\t" });
            let cell = column.and_then(|column| row.get(column)).map_or("", String::as_str);
            if matches!(cell, "" | "NA" | "N/A" | "-") {
                continue;
            }
            if feature.domain.is_none() {
                if let Some(number) = parse_java_double(cell) {
                    let _ = write!(text, "={:x}", number.to_bits());
                }
                continue;
            }
            text.push('=');
            for byte in cell.bytes() {
                let _ = write!(text, "{byte:02x}");
            }
        }
        text.push('\n');
    }
    text
}
