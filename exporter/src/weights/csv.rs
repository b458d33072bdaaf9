//! Tables as text.

use std::fmt::LowerExp;
use std::io::{self, Write};

use model::JavaNumber;

use super::{Numbers, Table};

pub(super) fn write(table: &Table<'_>, out: &mut dyn Write) -> io::Result<()> {
    // Names in quotes are names, whatever is in them; H2O writes them so, too.
    let names: Vec<String> = table.columns.iter().map(|name| format!("\"{}\"", name.replace('"', "\"\""))).collect();
    writeln!(out, "{}", names.join(","))?;
    match table.numbers {
        Numbers::Single(numbers) => rows(numbers, names.len(), out),
        Numbers::Double(numbers) => rows(numbers, names.len(), out),
    }
}

fn rows<T: Into<f64> + LowerExp + Copy>(numbers: &[T], columns: usize, out: &mut dyn Write) -> io::Result<()> {
    for row in numbers.chunks(columns.max(1)) {
        for (column, &number) in row.iter().enumerate() {
            let separator = if column == 0 { "" } else { "," };
            write!(out, "{separator}{}", JavaNumber(number))?;
        }
        writeln!(out)?;
    }
    Ok(())
}
