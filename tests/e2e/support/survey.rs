//! A table whose names, levels and numbers are as odd as a MOJO can carry, made by a fixed generator.

use model::Category;

use super::random::Random;
use super::table::Table;

/// The response's name.
pub const RESPONSE: &str = "Ergebnis = [ß], 100 %";

/// Names with what `model.ini` might mistake: blanks, quotes, commas, `=`, brackets, `#`, characters of many bytes.
const NUMBERS: [&str; 4] = ["größe", "inner  blanks and\ttab", "a,b = [1, 2]", "数"];
const CATEGORIES: [&str; 4] = ["k = v", "\"quoted\" 'name'", "[list]", "not # first"];

/// Levels with what CSV, `domains/*.txt` or a parser might mistake.
const LEVELS: [&[&str]; 4] = [
    &["plain", "ß and 日本", "say \"hi\"", "a,b", "=", "[x]", "# no comment", "null", "true", "back\\nslash", "\\"],
    &["two\nlines", "two\r\nlines", "tab\there", "'single'", "😀", "x"],
    &[" padded ", "padded", "PADDED", "\u{a0}no-break\u{a0}", "z"],
    &["no", "yes"],
];
const CLASSES: [&str; 4] = ["à la carte", "b,\"c\"", "new\nline", "ÿ"];

/// Text that is no level of any column.
const UNSEEN: [&str; 5] = ["never seen", "Plain", "plain ", "two\rlines", "0"];
const MISSING: [&str; 4] = ["", "NA", "N/A", "-"];

/// Numbers as Java reads them, and what it does not read.
const ODD_NUMBERS: [&str; 20] = [
    "1e300", "-1e300", "1e-320", "4.9e-324", "0", "-0", "  12.5 ", "+5", "1d", "2.5F", "0x1p3", ".5", "5.", "1e400",
    "12,5", "1_000", "ten", "1e", "0x10", "٣",
];

/// What a model of this kind is trained for, as flags.
pub fn goal(category: Category) -> &'static [&'static str] {
    match category {
        Category::AutoEncoder => &["--autoencoder"],
        _ => &["--response-column", RESPONSE],
    }
}

/// Rows to train a model of this kind on; those of an autoencoder have no response.
pub fn training(category: Category) -> Table {
    let mut random = Random::new(20_250_101);
    let mut header: Vec<String> = names().map(str::to_owned).collect();
    if category != Category::AutoEncoder {
        header.push(RESPONSE.to_owned());
    }
    let rows = (0..240).map(|_| {
        let numbers: Vec<f64> = NUMBERS.iter().map(|_| (random.unit() * 200.0).round() / 4.0 - 20.0).collect();
        let codes: Vec<usize> = LEVELS.iter().map(|levels| random.below(levels.len())).collect();
        let signal = numbers[0] - 0.5 * numbers[1] + 6.0 * codes[0] as f64 - 9.0 * (codes[1] % 3) as f64;
        let signal = signal + 10.0 * random.unit();
        let mut row: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        row.extend(codes.iter().zip(LEVELS).map(|(&code, levels)| levels[code].to_owned()));
        for cell in &mut row {
            if random.once_in(12) {
                cell.clear();
            }
        }
        row.extend(match category {
            Category::Regression => Some(signal.to_string()),
            Category::Binomial => Some(CLASSES[usize::from(signal > 15.0)].to_owned()),
            Category::Multinomial => Some(CLASSES[((signal + 20.0) / 20.0).clamp(0.0, 3.0) as usize].to_owned()),
            Category::AutoEncoder => None,
        });
        row
    });
    Table { header, rows: rows.collect() }
}

/// Rows to score: known cells, missing ones, unseen levels, far numbers and unreadable ones, with a column that no model
/// knows in their midst.
pub fn to_score(count: usize) -> Table {
    let mut random = Random::new(4_711);
    let mut header: Vec<String> = names().map(str::to_owned).collect();
    header.insert(3, "unknown to the model".to_owned());
    let rows = (0..count).map(|_| {
        let mut row: Vec<String> = NUMBERS.iter().map(|_| number(&mut random)).collect();
        row.extend(LEVELS.iter().map(|levels| level(&mut random, levels)));
        row.insert(3, "ignored".to_owned());
        row
    });
    Table { header, rows: rows.collect() }
}

fn names() -> impl Iterator<Item = &'static str> {
    NUMBERS.into_iter().chain(CATEGORIES)
}

fn number(random: &mut Random) -> String {
    match random.below(10) {
        0 => (*random.pick(&MISSING)).to_owned(),
        1 => (*random.pick(&ODD_NUMBERS)).to_owned(),
        2 => ((random.unit() - 0.5) * 1e6).to_string(),
        _ => (random.unit() * 60.0 - 25.0).to_string(),
    }
}

fn level(random: &mut Random, levels: &[&str]) -> String {
    match random.below(10) {
        0 => (*random.pick(&MISSING)).to_owned(),
        1 => (*random.pick(&UNSEEN)).to_owned(),
        _ => (*random.pick(levels)).to_owned(),
    }
}
