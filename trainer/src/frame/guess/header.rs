use std::collections::HashSet;

use super::super::{number, time, uuid};
use super::SampleRow;

/// Whether the first row holds names: it has no number, time or UUID, and the second has one. A lone row is a header if
/// it is all text.
pub(super) fn guess(sample: &[SampleRow]) -> bool {
    let Some(first) = sample.first() else { return false };
    let all_text = !first.cells.iter().any(|text| is_value(text));
    match sample.get(1) {
        Some(second) => all_text && second.cells.iter().any(|text| is_value(text)),
        None => all_text && first.cells.first().is_some_and(|text| !text.is_empty()),
    }
}

/// Whether the first row is these names.
pub(super) fn repeats(sample: &[SampleRow], names: &[String]) -> bool {
    let is_name = |(cell, name): (&Vec<u8>, &String)| cell.as_slice() == name.as_bytes();
    sample.first().is_some_and(|row| row.cells.len() == names.len() && row.cells.iter().zip(names).all(is_name))
}

/// The number of columns: the cells of the first row if no other has more, else the most common number of cells.
pub(super) fn width(sample: &[SampleRow]) -> usize {
    let widths: Vec<usize> = sample.iter().map(|row| row.cells.len()).collect();
    let first = widths.first().copied().unwrap_or(0);
    if widths.iter().all(|&width| width <= first) {
        return first;
    }
    let frequency = |width: usize| widths.iter().filter(|&&other| other == width).count();
    // Of equally common ones the first.
    widths.iter().rev().copied().max_by_key(|&width| frequency(width)).unwrap_or(first)
}

/// The names in the first row, those that are blank by position.
///
/// A row that ends in a separator has an empty last cell. Where all rows but the header end so, the last column is
/// there, without a name. In every other case of more or fewer names than columns, their number is the error.
pub(super) fn names(header: &SampleRow, rows: &[SampleRow], width: usize) -> Result<Vec<String>, usize> {
    let found = header.cells.len();
    let surplus_is_blank = found == width + 1 && header.cells[width].is_empty();
    let lack_is_blank = found + 1 == width && rows.iter().all(|row| row.cells.get(found).is_none_or(Vec::is_empty));
    if found != width && !surplus_is_blank && !lack_is_blank {
        return Err(found);
    }
    let text = |position: usize| header.cells.get(position).map_or(&[][..], Vec::as_slice);
    let mut names: Vec<String> = (0..width).map(|at| String::from_utf8_lossy(text(at)).into_owned()).collect();
    let mut taken: HashSet<String> = names.iter().cloned().collect();
    for (position, name) in names.iter_mut().enumerate().filter(|(_, name)| name.is_empty()) {
        *name = format!("C{}", position + 1);
        while !taken.insert(name.clone()) {
            *name = name.repeat(2);
        }
    }
    Ok(names)
}

/// `C1`, `C2`, ..
pub(super) fn positions(width: usize) -> Vec<String> {
    (1..=width).map(|number| format!("C{number}")).collect()
}

fn is_value(text: &[u8]) -> bool {
    number::parse(text.trim_ascii(), false).is_some() || time::parse(text).is_some() || uuid::is_uuid(text)
}
