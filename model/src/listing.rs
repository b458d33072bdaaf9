//! Names in a sentence.

/// The first names in quotes, and how many more there are: a table of a thousand columns still gives a sentence.
pub fn listed<T: AsRef<str>>(names: &[T]) -> String {
    const SHOWN: usize = 8;
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{}`", name.as_ref())).collect();
    let shown = shown.join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_cut() {
        assert_eq!(listed(&["a", "b"]), "`a`, `b`");
        assert!(listed(&["x"; 20]).ends_with("`x` and 12 more"));
    }
}
