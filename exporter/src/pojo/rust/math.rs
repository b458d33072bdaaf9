//! The source of `exp`, as a program carries it.

use model::EXP_SOURCE;

/// The items of `model`'s `exp` for a module of one file: without imports from each other, and with no more than `exp`
/// visible outside. Indented by four.
pub(super) fn exp_source() -> String {
    let mut items = String::new();
    for line in EXP_SOURCE.iter().flat_map(|source| source.lines()) {
        if ["//!", "#![", "use "].into_iter().any(|start| line.starts_with(start)) {
            continue;
        }
        let line = line.strip_prefix("pub(super) ").unwrap_or(line);
        // Of the lines left out no blank ones are to remain.
        let is_second_blank = line.is_empty() && (items.is_empty() || items.ends_with("\n\n"));
        if !is_second_blank {
            items.extend([if line.is_empty() { "" } else { "    " }, line, "\n"]);
        }
    }
    items.truncate(items.trim_end().len());
    items
}
