//! Doubles in JSON, which has no numbers for NaN and the infinities.

use std::fmt;

use serde::de::{Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A double that survives JSON: a number, or one of the texts `NaN`, `Infinity` and `-Infinity`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JsonNumber(pub f64);

impl Serialize for JsonNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            x if x.is_finite() => serializer.serialize_f64(x),
            x if x.is_nan() => serializer.serialize_str("NaN"),
            x if x > 0.0 => serializer.serialize_str("Infinity"),
            _ => serializer.serialize_str("-Infinity"),
        }
    }
}

impl<'de> Deserialize<'de> for JsonNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberVisitor).map(Self)
    }
}

struct NumberVisitor;

impl Visitor<'_> for NumberVisitor {
    type Value = f64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, \"NaN\", \"Infinity\" or \"-Infinity\"")
    }

    fn visit_f64<E>(self, value: f64) -> Result<f64, E> {
        Ok(value)
    }

    fn visit_u64<E>(self, value: u64) -> Result<f64, E> {
        Ok(value as f64)
    }

    fn visit_i64<E>(self, value: i64) -> Result<f64, E> {
        Ok(value as f64)
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<f64, E> {
        match text {
            "NaN" => Ok(f64::NAN),
            "Infinity" => Ok(f64::INFINITY),
            "-Infinity" => Ok(f64::NEG_INFINITY),
            _ => Err(E::invalid_value(Unexpected::Str(text), &self)),
        }
    }
}

/// For `#[serde(with = …)]` on an `f64`.
pub(crate) mod one {
    use super::{Deserialize, Deserializer, JsonNumber, Serialize, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    pub(crate) fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        JsonNumber(*value).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Ok(JsonNumber::deserialize(deserializer)?.0)
    }
}

/// For `#[serde(with = …)]` on an `Option<Vec<f64>>`.
pub(crate) mod many_or_none {
    use super::{Deserialize, Deserializer, JsonNumber, Serialize, Serializer};

    #[expect(clippy::ref_option, reason = "serde passes a reference")]
    pub(crate) fn serialize<S: Serializer>(values: &Option<Vec<f64>>, serializer: S) -> Result<S::Ok, S::Error> {
        let numbers = values.as_ref().map(|values| values.iter().map(|&value| JsonNumber(value)).collect::<Vec<_>>());
        numbers.serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<f64>>, D::Error> {
        let numbers = Option::<Vec<JsonNumber>>::deserialize(deserializer)?;
        Ok(numbers.map(|numbers| numbers.into_iter().map(|number| number.0).collect()))
    }
}

/// For `#[serde(with = …)]` on a `Vec<f64>`.
pub(crate) mod many {
    use super::{Deserialize, Deserializer, JsonNumber, Serializer};

    pub(crate) fn serialize<S: Serializer>(values: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(values.iter().map(|&value| JsonNumber(value)))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<f64>, D::Error> {
        let numbers = Vec::<JsonNumber>::deserialize(deserializer)?;
        Ok(numbers.into_iter().map(|number| number.0).collect())
    }
}

#[cfg(test)]
mod tests {
    use serde::de::IntoDeserializer;
    use serde::de::value::Error;

    use super::*;

    fn read<'de, T: IntoDeserializer<'de, Error>>(value: T) -> Result<f64, Error> {
        JsonNumber::deserialize(value.into_deserializer()).map(|number| number.0)
    }

    #[test]
    fn numbers_and_the_three_texts_are_read() {
        assert_eq!(read(1.5), Ok(1.5));
        assert_eq!(read(7_u64), Ok(7.0));
        assert_eq!(read(-7_i64), Ok(-7.0));
        assert_eq!(read("-Infinity"), Ok(f64::NEG_INFINITY));
        assert!(read("NaN").is_ok_and(f64::is_nan));
        assert!(read("inf").is_err() && read(true).is_err());
    }
}
