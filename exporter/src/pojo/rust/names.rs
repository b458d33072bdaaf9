//! Identifiers for columns and levels, whatever those are called.
//!
//! A name is spelled in ASCII (`größe` is `grosse`, `数` is `shu`), split into words at other characters and where
//! capitals begin, and written as Rust writes what it names: `inner_blank` for a field, `InnerBlank` for a type or a level.
//! Signs that tell levels apart are words: `>50K` is `Above50K`. What would begin with a digit gets a word before it
//! (`column_1st`, `N7`), a keyword a `_` behind it. Of equal names the first is as it is, and the others are numbered from 2.

use std::collections::{HashMap, HashSet};

use deunicode::deunicode_with_tofu;

/// Words are left out once a name is this long: some levels are whole sentences.
const LONG: usize = 40;

/// What no field may be called in some edition, but for `Self`: a field has no capital.
const KEYWORDS: [&str; 50] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod",
    "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static", "struct", "super", "trait", "true",
    "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "yield",
];

/// Signs that are words, longer ones before their beginnings.
const SIGNS: [(&str, &str); 7] = [
    ("<=", "at most"),
    (">=", "at least"),
    ("<", "below"),
    (">", "above"),
    ("+", "plus"),
    ("%", "percent"),
    ("&", "and"),
];

/// Modules and crates that there are already, or that are something else.
const OTHER_MODULES: [&str; 6] = ["alloc", "core", "lib", "main", "std", "test"];

/// The name of the module, and before `.rs` of the file, for a model that is called like this.
pub fn rust_module_name(model: &str) -> String {
    match snake_case(model, "model") {
        other if OTHER_MODULES.contains(&other.as_str()) => format!("{other}_model"),
        name => name,
    }
}

/// A field for each column.
pub(super) fn fields<'a>(columns: impl Iterator<Item = &'a str>) -> Vec<String> {
    unique(columns.map(|column| snake_case(column, "column")).collect(), &[], "_")
}

/// A type for each column, none of them called like one of the reserved.
pub(super) fn types<'a>(columns: impl Iterator<Item = &'a str>, reserved: &[&str]) -> Vec<String> {
    unique(columns.map(|column| camel_case(column, "Column", "Column")).collect(), reserved, "")
}

/// A variant for each level, none of them called like one of the reserved.
pub(super) fn variants<'a>(levels: impl Iterator<Item = &'a str>, reserved: &[&str]) -> Vec<String> {
    let variant = |level: &str| match level {
        "" => "Empty".to_owned(),
        blank if blank.trim().is_empty() => "Blank".to_owned(),
        level => camel_case(level, "N", "Level"),
    };
    unique(levels.map(variant).collect(), reserved, "")
}

fn snake_case(name: &str, instead: &str) -> String {
    match words(name).join("_").to_ascii_lowercase() {
        none if none.is_empty() => instead.to_owned(),
        number if starts_with_digit(&number) => format!("{instead}_{number}"),
        keyword if KEYWORDS.contains(&keyword.as_str()) => format!("{keyword}_"),
        name => name,
    }
}

fn camel_case(name: &str, before_digit: &str, instead: &str) -> String {
    let mut joined = String::new();
    for word in words(name) {
        // 1.5 is not 15.
        if joined.ends_with(|c: char| c.is_ascii_digit()) && starts_with_digit(&word) {
            joined.push('_');
        }
        joined.push_str(&capitalised(&word));
    }
    match joined.as_str() {
        "" => instead.to_owned(),
        "Self" => "Self_".to_owned(),
        number if starts_with_digit(number) => format!("{before_digit}{number}"),
        _ => joined,
    }
}

/// A capital, then small letters; what follows a digit stays: `State`, `50K`, `2nd`.
fn capitalised(word: &str) -> String {
    let mut before = None;
    let letter = |c: char| {
        let letter = match before {
            None => c.to_ascii_uppercase(),
            Some('0'..='9') => c,
            Some(_) => c.to_ascii_lowercase(),
        };
        before = Some(c);
        letter
    };
    word.chars().map(letter).collect()
}

/// The words of a name, in ASCII letters and digits.
fn words(name: &str) -> Vec<String> {
    let text: Vec<char> = deunicode_with_tofu(&with_signs_as_words(name), " ").chars().collect();
    let mut words = vec![String::new()];
    let mut length = 0;
    for (at, &c) in text.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| text[before]);
        let after = text.get(at + 1);
        let begins = c.is_ascii_uppercase()
            && (before.is_some_and(|c| c.is_ascii_lowercase())
                || before.is_some_and(|c| c.is_ascii_uppercase()) && after.is_some_and(char::is_ascii_lowercase));
        if begins || !c.is_ascii_alphanumeric() {
            if length >= LONG {
                break;
            }
            words.push(String::new());
        }
        if let (true, Some(word)) = (c.is_ascii_alphanumeric(), words.last_mut()) {
            word.push(c);
            length += 1;
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn with_signs_as_words(name: &str) -> String {
    let mut text = String::new();
    let mut rest = name;
    while let Some(c) = rest.chars().next() {
        if let Some((sign, word)) = SIGNS.into_iter().find(|(sign, _)| rest.starts_with(sign)) {
            text.extend([" ", word, " "]);
            rest = &rest[sign.len()..];
            continue;
        }
        rest = &rest[c.len_utf8()..];
        // Not a hyphen, as in `x-1`.
        if c == '-' && starts_with_digit(rest) && !text.ends_with(char::is_alphanumeric) {
            text.push_str("minus ");
        } else {
            text.push(c);
        }
    }
    text
}

fn starts_with_digit(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

/// Numbers the later ones of equal names, and those that are reserved; never by a name that another one has by itself.
fn unique(names: Vec<String>, reserved: &[&str], joint: &str) -> Vec<String> {
    let mut taken: HashSet<String> = reserved.iter().map(|&name| name.to_owned()).collect();
    let is_first: Vec<bool> = names.iter().map(|name| taken.insert(name.clone())).collect();
    let mut next: HashMap<String, usize> = HashMap::new();
    let numbered = |(name, is_first): (String, bool)| {
        if is_first {
            return name;
        }
        let joint = match name.chars().last() {
            Some('0'..='9') => "_",
            Some('_') => "",
            _ => joint,
        };
        let number = next.entry(name.clone()).or_insert(2);
        loop {
            let numbered = format!("{name}{joint}{number}");
            *number += 1;
            if taken.insert(numbered.clone()) {
                return numbered;
            }
        }
    };
    names.into_iter().zip(is_first).map(numbered).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields<const N: usize>(columns: [&str; N]) -> Vec<String> {
        super::fields(columns.into_iter())
    }

    fn variants<const N: usize>(levels: [&str; N]) -> Vec<String> {
        super::variants(levels.into_iter(), &["Unseen", "Missing"])
    }

    #[test]
    fn fields_are_spelled_as_rust_spells_them() {
        assert_eq!(
            fields([
                "Age",
                "inner blank",
                "YearsAtCompany",
                "HTTPCode",
                "größe",
                "数",
                "a=b = c",
                "R&D",
                "x-1",
                "C785"
            ]),
            ["age", "inner_blank", "years_at_company", "http_code", "grosse", "shu", "a_b_c", "r_and_d", "x_1", "c785"]
        );
        assert_eq!(
            fields(["type", "Self", "1stFlrSF", "", "!?"]),
            ["type_", "self_", "column_1st_flr_sf", "column", "column_2"]
        );
    }

    #[test]
    fn a_module_is_called_like_the_model() {
        assert_eq!(
            ["Credit-Risk 2", "core", "mod", "", "2024"].map(rust_module_name),
            ["credit_risk_2", "core_model", "mod_", "model", "model_2024"]
        );
    }

    #[test]
    fn variants_are_spelled_as_rust_spells_them() {
        assert_eq!(
            variants(["rent", "CA", "two words", "", " ", "0", "-7", "1.5", ">50K", "<=50K", "Self", "unseen", "[]"]),
            [
                "Rent",
                "Ca",
                "TwoWords",
                "Empty",
                "Blank",
                "N0",
                "Minus7",
                "N1_5",
                "Above50K",
                "AtMost50K",
                "Self_",
                "Unseen2",
                "Level"
            ]
        );
        assert_eq!(types(["Row", "T", "2019", "s t"].into_iter(), &["Row"]), ["Row2", "T", "Column2019", "ST"]);
    }

    #[test]
    fn equal_names_are_numbered_and_none_is_taken_from_its_owner() {
        assert_eq!(fields(["a", "A", "a 2", "a!", "if", "If"]), ["a", "a_3", "a_2", "a_4", "if_", "if_2"]);
        assert_eq!(variants(["x", "X", "x2", "7", "+7", "7."]), ["X", "X3", "X2", "N7", "Plus7", "N7_2"]);
    }

    #[test]
    fn a_long_name_is_cut_after_a_word() {
        let sentence = "a level of so many words that nobody would spell them all out in one identifier";
        assert_eq!(variants([sentence]), ["ALevelOfSoManyWordsThatNobodyWouldSpellThem"]);
    }

    #[test]
    fn keywords_of_every_edition_are_no_fields() {
        assert!(KEYWORDS.is_sorted());
        for keyword in KEYWORDS {
            assert_eq!(fields([keyword]), [format!("{keyword}_")]);
        }
    }
}
