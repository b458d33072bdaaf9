//! Names that Java accepts, for names that are any text.

/// What a class may not be called: names that the generated class uses, its own nested ones among them.
const TAKEN: [&str; 38] = [
    "Arrays",
    "Base64",
    "BigDecimal",
    "BigInteger",
    "Boolean",
    "ByteBuffer",
    "CategoricalEncoding",
    "Consumer",
    "Double",
    "Float",
    "FloatBuffer",
    "GenModel",
    "Golden",
    "HashMap",
    "IllegalArgumentException",
    "IllegalStateException",
    "Integer",
    "List",
    "Long",
    "Map",
    "Math",
    "ModelCategory",
    "ModelPojo",
    "Number",
    "NumberFormatException",
    "Object",
    "Output",
    "Override",
    "Pattern",
    "Random",
    "String",
    "System",
    "ThreadLocal",
    "ArrayList",
    "Void",
    "Class",
    "Enum",
    "Record",
];

/// The name of the class of a model: the words of a text, of ASCII letters and digits alone, so that a file of that name is
/// found on every system. `credit-risk 2` becomes `CreditRisk2`, and what Java would not take gets `Model` before or
/// after it.
pub fn java_class_name(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut name: String = words.map(capitalised).collect();
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name.insert_str(0, "Model");
    }
    let is_hidden_layer = name.strip_prefix("Hidden").is_some_and(|rest| rest.parse::<u32>().is_ok());
    if is_hidden_layer || TAKEN.contains(&name.as_str()) {
        name.push_str("Model");
    }
    name
}

fn capitalised(word: &str) -> String {
    let (first, rest) = word.split_at(1);
    first.to_ascii_uppercase() + rest
}

/// A text as a comment may hold it: nothing ends the comment or begins an escape, and documentation shows it as it is.
pub(super) fn comment(text: &str) -> String {
    let plain =
        |c: char| (c == ' ' || c.is_ascii_graphic()) && !matches!(c, '\\' | '*' | '<' | '>' | '&' | '@' | '{' | '}');
    text.chars().map(|c| if plain(c) { c } else { '?' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_has_a_name_whatever_the_model_is_called() {
        for (text, name) in [
            ("credit-risk 2", "CreditRisk2"),
            ("run", "Run"),
            ("XGBoost", "XGBoost"),
            ("class", "ClassModel"),
            ("string", "StringModel"),
            ("hidden1", "Hidden1Model"),
            ("2024-11", "Model202411"),
            ("größe", "GrE"),
            ("日本", "Model"),
            ("", "Model"),
            ("a\nb\"c", "ABC"),
        ] {
            assert_eq!(java_class_name(text), name, "{text}");
        }
    }

    #[test]
    fn nothing_in_a_comment_ends_it() {
        assert_eq!(comment("a*/ \\u000a<b> \u{e9}\n"), "a?/ ?u000a?b? ??");
    }
}
