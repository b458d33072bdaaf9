//! Lists of values in JSON, of one column or of several.

use std::borrow::Cow;
use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, SeqAccess, Visitor};

use crate::service::Value;

/// A value that may have text of its own.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Element<'a> {
    Missing,
    Bool(bool),
    Integer(i128),
    Number(f64),
    Text(Cow<'a, str>),
}

impl Element<'_> {
    /// The value as it is scored.
    pub fn value(&self) -> Value<'_> {
        match self {
            Self::Missing => Value::Missing,
            Self::Bool(value) => Value::Bool(*value),
            Self::Integer(value) => Value::Integer(*value),
            Self::Number(value) => Value::Number(*value),
            Self::Text(text) => Value::Text(text),
        }
    }
}

/// The values of a list, or of lists in it down to a depth, one after the other; `None` where the text is none.
pub(crate) fn elements(text: &str, depth: usize) -> Option<Vec<Element<'_>>> {
    let mut values = Vec::new();
    let mut json = serde_json::Deserializer::from_str(text);
    let is_list = text.trim_ascii_start().starts_with('[');
    let read = List { values: &mut values, depth }.deserialize(&mut json).and_then(|()| json.end());
    read.ok().filter(|()| is_list).map(|()| values)
}

/// A list whose elements are values, or lists again.
struct List<'v, 'a> {
    values: &'v mut Vec<Element<'a>>,
    /// How many lists there may be inside of each other.
    depth: usize,
}

impl<'de> DeserializeSeed<'de> for List<'_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for List<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list or a value")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<(), A::Error> {
        let Self { values, depth } = self;
        let depth = depth.checked_sub(1).ok_or_else(|| serde::de::Error::custom("too deep"))?;
        while elements.next_element_seed(List { values, depth })?.is_some() {}
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.values.push(Element::Missing);
        Ok(())
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        self.values.push(Element::Bool(value));
        Ok(())
    }

    fn visit_i64<E>(self, value: i64) -> Result<(), E> {
        self.values.push(Element::Integer(value.into()));
        Ok(())
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        self.values.push(Element::Integer(value.into()));
        Ok(())
    }

    fn visit_f64<E>(self, value: f64) -> Result<(), E> {
        self.values.push(Element::Number(value));
        Ok(())
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<(), E> {
        self.values.push(Element::Text(Cow::Borrowed(text)));
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        self.values.push(Element::Text(Cow::Owned(text.to_owned())));
        Ok(())
    }
}
