//! The grammar of `model.ini`, and typed access to its keys.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use model::parse_java_double;

use super::error::ReadError;
use super::layout::{key, section};
use super::values::{elements, lines, trim};

/// Columns that an archive may have; H2O gets slow beyond some ten thousand.
const MAX_COLUMNS: usize = 1_000_000;

/// What `model.ini` says, section by section.
pub(super) struct Ini<'t> {
    entry: &'t str,
    info: HashMap<&'t str, (usize, &'t str)>,
    /// The names of the columns, empty where the archive lost one.
    pub(super) columns: Vec<&'t str>,
    /// Which columns are categorical.
    pub(super) domains: Vec<DomainLine<'t>>,
}

/// `column: levels file`
pub(super) struct DomainLine<'t> {
    pub(super) column: usize,
    pub(super) levels: usize,
    pub(super) file: &'t str,
}

#[derive(Clone, Copy)]
enum Section {
    Info,
    Columns { count: usize },
    Domains { columns: usize },
}

impl<'t> Ini<'t> {
    /// Reads the text of this entry in one pass, line by line, as H2O does: a column whose name is the header of a
    /// section begins that section, and the names after it are lost.
    pub(super) fn parse(entry: &'t str, text: &'t str) -> Result<Self, ReadError> {
        let mut ini = Self { entry, info: HashMap::new(), columns: Vec::new(), domains: Vec::new() };
        let mut section = None;
        let mut count = 0_usize;
        let (mut columns_seen, mut domains_seen) = (None, false);
        for (number, line) in (1..).zip(lines(text)) {
            let line = trim(line);
            count += usize::from(!line.is_empty());
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match (line, section) {
                (section::INFO, _) => section = Some(Section::Info),
                (section::COLUMNS, _) => {
                    let columns = ini.column_count()?;
                    ini.columns.clear();
                    columns_seen = Some(columns);
                    section = Some(Section::Columns { count: columns });
                }
                (section::DOMAINS, _) => {
                    domains_seen = true;
                    section = Some(Section::Domains { columns: ini.column_count()? });
                }
                (_, None) => return Err(ini.line_error(number, "the section `[info]`", line)),
                (_, Some(Section::Info)) => ini.push_info(number, line)?,
                (_, Some(Section::Columns { count })) if ini.columns.len() == count => {
                    return Err(ini.too_many(number, "names", count));
                }
                (_, Some(Section::Columns { .. })) => ini.columns.push(line),
                (_, Some(Section::Domains { columns })) if ini.domains.len() == columns => {
                    return Err(ini.too_many(number, "domains", columns));
                }
                (_, Some(Section::Domains { .. })) => ini.push_domain(number, line)?,
            }
        }
        let missing = |section| ReadError::MissingSection { entry: entry.to_owned(), section };
        let columns = columns_seen.ok_or_else(|| missing(section::COLUMNS))?;
        if !domains_seen {
            return Err(missing(section::DOMAINS));
        }
        // A name that was lost has left a line with something on it behind: more columns than such lines are a lie.
        if columns > count {
            return Err(ReadError::Length {
                key: key::N_COLUMNS.to_owned(),
                expected: columns,
                found: ini.columns.len(),
            });
        }
        ini.columns.resize(columns, "");
        Ok(ini)
    }

    /// The text of a key, `None` where it is absent or `null`.
    pub(super) fn optional_text(&self, key: &str) -> Option<&'t str> {
        self.info.get(key).map(|&(_, text)| text).filter(|&text| text != "null")
    }

    pub(super) fn text(&self, key: &str) -> Result<&'t str, ReadError> {
        let missing = || ReadError::MissingKey { entry: self.entry.to_owned(), key: key.to_owned() };
        self.optional_text(key).ok_or_else(missing)
    }

    pub(super) fn count(&self, key: &str) -> Result<usize, ReadError> {
        let text = self.text(key)?;
        text.parse().map_err(|_| self.value_error(key, "a whole number"))
    }

    pub(super) fn flag(&self, key: &str) -> Result<bool, ReadError> {
        match self.text(key)? {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(self.value_error(key, "`true` or `false`")),
        }
    }

    pub(super) fn number(&self, key: &str) -> Result<f64, ReadError> {
        parse_java_double(self.text(key)?).ok_or_else(|| self.value_error(key, "a number"))
    }

    /// A list of whole numbers, of a length in this range.
    pub(super) fn counts(&self, key: &str, lengths: RangeInclusive<usize>) -> Result<Vec<usize>, ReadError> {
        self.list(key, self.text(key)?, lengths, "a list of whole numbers", |text| text.parse().ok())
    }

    /// A list of exactly so many numbers.
    pub(super) fn numbers(&self, key: &str, expected: usize) -> Result<Vec<f64>, ReadError> {
        self.list(key, self.text(key)?, expected..=expected, "a list of numbers", parse_java_double)
    }

    /// A list of exactly so many numbers, narrowed: H2O, too, reads weights as doubles first.
    pub(super) fn weights(&self, key: &str, expected: usize) -> Result<Vec<f32>, ReadError> {
        let narrowed = |text: &str| parse_java_double(text).map(|weight| weight as f32);
        self.list(key, self.text(key)?, expected..=expected, "a list of numbers", narrowed)
    }

    /// A list of up to so many numbers, `None` where it is absent or `null`.
    pub(super) fn optional_numbers(&self, key: &str, most: usize) -> Result<Option<Vec<f64>>, ReadError> {
        let Some(text) = self.optional_text(key) else { return Ok(None) };
        self.list(key, text, 0..=most, "a list of numbers", parse_java_double).map(Some)
    }

    /// The error that the value of a key is none of what was expected.
    pub(super) fn value_error(&self, key: &str, expected: impl Into<String>) -> ReadError {
        let (line, found) = self.info.get(key).copied().unwrap_or_default();
        ReadError::Value {
            entry: self.entry.to_owned(),
            line,
            key: key.to_owned(),
            expected: expected.into(),
            found: excerpt(found),
        }
    }

    /// The elements of a list, whose length is checked before anything is kept of it.
    fn list<T>(
        &self,
        key: &str,
        text: &str,
        lengths: RangeInclusive<usize>,
        expected: &'static str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Vec<T>, ReadError> {
        let (found, list) = elements(text).ok_or_else(|| self.value_error(key, expected))?;
        if !lengths.contains(&found) {
            let expected = if found < *lengths.start() { *lengths.start() } else { *lengths.end() };
            return Err(ReadError::Length { key: key.to_owned(), expected, found });
        }
        let mut values = Vec::with_capacity(found);
        for element in list {
            values.push(read(element).ok_or_else(|| self.value_error(key, expected))?);
        }
        Ok(values)
    }

    fn column_count(&self) -> Result<usize, ReadError> {
        let found = self.count(key::N_COLUMNS)?;
        if found > MAX_COLUMNS { Err(ReadError::TooManyColumns { found, limit: MAX_COLUMNS }) } else { Ok(found) }
    }

    fn push_info(&mut self, number: usize, line: &'t str) -> Result<(), ReadError> {
        let (key, value) = line.split_once('=').ok_or_else(|| self.line_error(number, "`key = value`", line))?;
        self.info.insert(trim(key), (number, trim(value)));
        Ok(())
    }

    fn push_domain(&mut self, number: usize, line: &'t str) -> Result<(), ReadError> {
        let parsed = line.split_once(':').and_then(|(column, rest)| {
            let (levels, file) = trim(rest).split_once(' ')?;
            Some(DomainLine { column: column.parse().ok()?, levels: levels.parse().ok()?, file: trim(file) })
        });
        let domain = parsed.ok_or_else(|| self.line_error(number, "`column: levels file`", line))?;
        self.domains.push(domain);
        Ok(())
    }

    fn too_many(&self, line: usize, what: &'static str, columns: usize) -> ReadError {
        ReadError::TooManyLines { entry: self.entry.to_owned(), line, what, columns }
    }

    fn line_error(&self, line: usize, expected: &'static str, found: &str) -> ReadError {
        ReadError::Line { entry: self.entry.to_owned(), line, expected, found: excerpt(found) }
    }
}

/// Enough of a text to find it, and no more: a line may be a hundred megabytes of weights.
fn excerpt(text: &str) -> String {
    let mut chars = text.chars();
    let start: String = chars.by_ref().take(60).collect();
    if chars.next().is_some() { format!("{start}…") } else { start }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Ini<'_>, ReadError> {
        Ini::parse("model.ini", text)
    }

    fn message(text: &str) -> String {
        parse(text).err().expect("it is refused").to_string()
    }

    #[test]
    fn comments_blanks_and_line_ends_do_not_matter() {
        let ini =
            parse("# made by hand\r\n[info]\r  a=b = c\nn_columns = 1\n\n[columns]\n x = y \n[domains]\n0: 2 d000.txt");
        let ini = ini.unwrap();
        assert_eq!(ini.text("a").unwrap(), "b = c");
        assert_eq!(ini.columns, ["x = y"]);
        assert_eq!((ini.domains[0].column, ini.domains[0].levels, ini.domains[0].file), (0, 2, "d000.txt"));
    }

    #[test]
    fn a_column_named_like_a_section_loses_the_names_after_it() {
        let ini = parse("[info]\nn_columns = 4\n[columns]\na\n[info]\nb = c\nd = e\n[domains]\n").unwrap();
        assert_eq!(ini.columns, ["a", "", "", ""]);
    }

    #[test]
    fn a_column_that_looks_like_a_comment_moves_the_names_up() {
        let ini = parse("[info]\nn_columns = 3\n[columns]\na\n#b\nc\n[domains]\n").unwrap();
        assert_eq!(ini.columns, ["a", "c", ""]);
    }

    #[test]
    fn errors_name_the_line() {
        assert_eq!(
            message("[info]\nn_columns 3"),
            "entry `model.ini`, line 2: expected `key = value`, found `n_columns 3`"
        );
        assert_eq!(message("a = b"), "entry `model.ini`, line 1: expected the section `[info]`, found `a = b`");
        assert_eq!(
            message("[info]\nn_columns = 1\n[columns]\na\nb\n"),
            "entry `model.ini`, line 5: more names than `n_columns`, which is 1"
        );
        assert_eq!(
            message("[info]\nn_columns = -1\n[columns]\n"),
            "entry `model.ini`, line 2, key `n_columns`: expected a whole number, found `-1`"
        );
        assert_eq!(
            message("[info]\nn_columns = 1\n[columns]\na\n[domains]\n0 2 d000.txt"),
            "entry `model.ini`, line 6: expected `column: levels file`, found `0 2 d000.txt`"
        );
    }

    #[test]
    fn missing_sections_are_named() {
        assert_eq!(message("[info]\n"), "entry `model.ini`: section `[columns]` is missing");
        assert_eq!(message("[info]\nn_columns = 0\n[columns]\n"), "entry `model.ini`: section `[domains]` is missing");
        assert_eq!(message("[columns]\n"), "entry `model.ini`: key `n_columns` is missing");
    }

    #[test]
    fn counts_that_lie_are_told_before_anything_is_kept() {
        let lie =
            |columns: usize| format!("[info]\nn_columns = {columns}\n[columns]\n{}[domains]\n", "\n".repeat(2000));
        assert_eq!(message(&lie(usize::MAX)), format!("its `n_columns` is {}; up to 1000000 are read", usize::MAX));
        // Blank lines are no columns.
        assert_eq!(message(&lie(1000)), "key `n_columns`: expected 1000 numbers, found 0");
        assert_eq!(
            message("[info]\nn_columns = 1\n[columns]\na\n[domains]\n0: 1 d000.txt\n0: 1 d000.txt\n"),
            "entry `model.ini`, line 7: more domains than `n_columns`, which is 1"
        );
    }

    #[test]
    fn the_length_of_a_list_is_checked_before_its_elements() {
        let ini = parse("[info]\nn_columns = 0\na = [x, y, z]\n[columns]\n[domains]\n").unwrap();
        let too_long = "key `a`: expected 2 numbers, found 3";
        assert_eq!(ini.numbers("a", 2).unwrap_err().to_string(), too_long);
        assert_eq!(ini.weights("a", 2).unwrap_err().to_string(), too_long);
        assert_eq!(ini.optional_numbers("a", 2).unwrap_err().to_string(), too_long);
        assert_eq!(ini.counts("a", 1..=2).unwrap_err().to_string(), too_long);
        assert!(ini.counts("a", 1..=3).unwrap_err().to_string().contains("expected a list of whole numbers, found"));
    }
}
