//! What a request, or the operator for a model, wants done with rows that are not as the model was trained on.

use crate::error::ServeError;

/// The contract between rows and a model, where there is a choice. The default is what H2O's runtime does.
///
/// | name | values | default | what it changes |
/// |---|---|---|---|
/// | `unknown_levels` | `h2o`, `error`, `zero` | `h2o` | a level that the model does not know is missing, refused, or adds nothing to the net |
/// | `invalid_numbers` | `missing`, `error` | `missing` | a text in a numeric column that is no number is missing, or refused |
/// | `strict_columns` | `true`, `false` | `false` | whether rows that lack a column of the model, or have others, are refused |
/// | `strict_types` | `true`, `false` | `false` | whether a number in a categorical column, and a boolean in any, is refused |
/// | `threshold` | 0 to 1 | the model's | the probability from which on the second of two classes is predicted |
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Policy {
    /// What a level is that the model does not know.
    pub unknown_levels: UnknownLevels,
    /// What a text in a numeric column is that is no number.
    pub invalid_numbers: InvalidNumbers,
    /// Whether rows with other columns than the model's are refused.
    pub strict_columns: bool,
    /// Whether a value of another type than the column's is refused, though it could be read as one.
    pub strict_types: bool,
    /// The probability from which on the second of two classes is predicted; `None` for the model's.
    pub threshold: Option<f64>,
}

/// What a level is that the model does not know.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum UnknownLevels {
    /// A missing value, as in H2O's runtime.
    #[default]
    H2o,
    /// A mistake: the request is refused.
    Error,
    /// Nothing: it adds nothing to the net, where a missing value has a weight of its own.
    Zero,
}

/// What a text in a numeric column is that is no number.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum InvalidNumbers {
    /// A missing value.
    #[default]
    Missing,
    /// A mistake: the request is refused.
    Error,
}

/// The value of an option, as protocols have it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Setting<'a> {
    /// A boolean.
    Bool(bool),
    /// A number.
    Number(f64),
    /// A text, of which numbers and booleans are read.
    Text(&'a str),
}

impl Policy {
    /// The names of the options.
    pub const OPTIONS: [&'static str; 5] =
        ["unknown_levels", "invalid_numbers", "strict_columns", "strict_types", "threshold"];

    /// Sets an option by its name; false where it is none of [`Self::OPTIONS`].
    pub fn set(&mut self, name: &str, value: Setting<'_>) -> Result<bool, ServeError> {
        match name {
            "unknown_levels" => self.unknown_levels = value.choice(name, UnknownLevels::CHOICES)?,
            "invalid_numbers" => self.invalid_numbers = value.choice(name, InvalidNumbers::CHOICES)?,
            "strict_columns" => self.strict_columns = value.switch(name)?,
            "strict_types" => self.strict_types = value.switch(name)?,
            "threshold" => self.threshold = Some(value.probability(name)?),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl UnknownLevels {
    const CHOICES: &'static [(&'static str, Self)] =
        &[("h2o", Self::H2o), ("error", Self::Error), ("zero", Self::Zero)];
}

impl InvalidNumbers {
    const CHOICES: &'static [(&'static str, Self)] = &[("missing", Self::Missing), ("error", Self::Error)];
}

impl<'a> Setting<'a> {
    /// The value in JSON, if it is one.
    pub(crate) fn of_json(value: &'a serde_json::Value) -> Option<Self> {
        use serde_json::Value;
        match value {
            Value::Bool(value) => Some(Self::Bool(*value)),
            Value::Number(number) => number.as_f64().map(Self::Number),
            Value::String(text) => Some(Self::Text(text)),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        }
    }

    fn choice<T: Copy>(self, name: &str, choices: &[(&'static str, T)]) -> Result<T, ServeError> {
        let found = match self {
            Self::Text(text) => choices.iter().find(|(name, _)| *name == text),
            Self::Bool(_) | Self::Number(_) => None,
        };
        let names = || choices.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        found.map(|&(_, value)| value).ok_or_else(|| invalid(name, names()))
    }

    pub(crate) fn switch(self, name: &str) -> Result<bool, ServeError> {
        match self {
            Self::Bool(value) => Ok(value),
            Self::Text("true" | "1") => Ok(true),
            Self::Text("false" | "0") => Ok(false),
            Self::Number(_) | Self::Text(_) => Err(invalid(name, "true or false".to_owned())),
        }
    }

    fn probability(self, name: &str) -> Result<f64, ServeError> {
        let number = match self {
            Self::Number(number) => Some(number),
            Self::Text(text) => text.parse().ok(),
            Self::Bool(_) => None,
        };
        let probability = number.filter(|number| (0.0..=1.0).contains(number));
        probability.ok_or_else(|| invalid(name, "a number from 0 to 1".to_owned()))
    }
}

fn invalid(name: &str, expected: String) -> ServeError {
    ServeError::InvalidOption { option: name.to_owned(), expected }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_is_set_by_its_name_and_takes_what_it_says() {
        let mut policy = Policy::default();
        for (name, value) in Policy::OPTIONS.into_iter().zip(["zero", "error", "true", "1", "0.25"].map(Setting::Text))
        {
            assert_eq!(policy.set(name, value), Ok(true), "{name}");
            let refusal = policy.set(name, Setting::Text("much")).expect_err("no option takes this");
            assert!(refusal.to_string().starts_with(&format!("option `{name}`: expected ")), "{refusal}");
        }
        let expected = Policy {
            unknown_levels: UnknownLevels::Zero,
            invalid_numbers: InvalidNumbers::Error,
            strict_columns: true,
            strict_types: true,
            threshold: Some(0.25),
        };
        assert_eq!(policy, expected);
        assert_eq!(policy.set("treshold", Setting::Number(0.5)), Ok(false));
    }

    #[test]
    fn a_threshold_is_a_probability() {
        for value in [Setting::Number(1.5), Setting::Number(f64::NAN), Setting::Text("NaN"), Setting::Bool(true)] {
            assert!(Policy::default().set("threshold", value).is_err(), "{value:?}");
        }
    }
}
