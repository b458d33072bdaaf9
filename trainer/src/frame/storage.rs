use std::io;

use super::spill::{Data, Plain, SpillFile};

/// Numbers in the narrowest type that holds all of them exactly; it widens when a value does not fit.
///
/// The type depends on the set of values only, not on their order: the first of `U8`, `I16`, `I32`, `F32`, `F64` that
/// holds each of them. Negative zero counts as zero, as in H2O.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Numbers {
    U8(Data<u8>),
    I16(Data<i16>),
    I32(Data<i32>),
    F32(Data<f32>),
    F64(Data<f64>),
}

impl Numbers {
    pub fn new() -> Self {
        Self::U8(Data::Held(Vec::new()))
    }

    /// With room for this many numbers, whatever their type will be.
    pub fn with_capacity(capacity: usize) -> Self {
        Self::U8(Data::with_capacity(capacity))
    }

    /// Appends a small whole number: the common case of `push`, without a detour over floating point.
    #[inline]
    pub fn push_whole(&mut self, value: u32) {
        match self {
            Self::U8(values) => {
                if let Ok(value) = u8::try_from(value) {
                    return values.push(value);
                }
            }
            Self::I16(values) => {
                if let Ok(value) = i16::try_from(value) {
                    return values.push(value);
                }
            }
            Self::I32(values) => {
                if let Ok(value) = i32::try_from(value) {
                    return values.push(value);
                }
            }
            Self::F32(_) | Self::F64(_) => {}
        }
        self.push(f64::from(value));
    }

    pub fn push(&mut self, value: f64) {
        loop {
            match self {
                Self::U8(values) if f64::from(value as u8) == value => return values.push(value as u8),
                Self::I16(values) if f64::from(value as i16) == value => return values.push(value as i16),
                Self::I32(values) if f64::from(value as i32) == value => return values.push(value as i32),
                Self::F32(values) if f64::from(value as f32) == value => return values.push(value as f32),
                Self::F64(values) => return values.push(value),
                _ => self.widen(),
            }
        }
    }

    /// Appends all of the other numbers.
    pub fn append(&mut self, mut other: Self) {
        loop {
            match (&mut *self, &mut other) {
                (Self::U8(values), Self::U8(others)) => return values.held().append(others.held()),
                (Self::I16(values), Self::I16(others)) => return values.held().append(others.held()),
                (Self::I32(values), Self::I32(others)) => return values.held().append(others.held()),
                (Self::F32(values), Self::F32(others)) => return values.held().append(others.held()),
                (Self::F64(values), Self::F64(others)) => return values.held().append(others.held()),
                (wide, narrow) if wide.rank() > narrow.rank() => narrow.widen(),
                (narrow, _) => narrow.widen(),
            }
        }
    }

    /// The same numbers, of one or more parts behind each other, in a file.
    pub fn spilled<I: Iterator<Item = f64>>(values: impl Fn() -> I, file: &mut SpillFile) -> io::Result<Self> {
        let (mut fits_u8, mut fits_i16, mut fits_i32, mut fits_f32) = (true, true, true, true);
        for value in values() {
            fits_u8 &= f64::from(value as u8) == value;
            fits_i16 &= f64::from(value as i16) == value;
            fits_i32 &= f64::from(value as i32) == value;
            fits_f32 &= f64::from(value as f32) == value;
        }
        let values = values();
        Ok(match () {
            () if fits_u8 => Self::U8(file.put(values.map(|value| value as u8))?),
            () if fits_i16 => Self::I16(file.put(values.map(|value| value as i16))?),
            () if fits_i32 => Self::I32(file.put(values.map(|value| value as i32))?),
            () if fits_f32 => Self::F32(file.put(values.map(|value| value as f32))?),
            () => Self::F64(file.put(values)?),
        })
    }

    /// Appends something for a row whose value is missing.
    pub fn push_placeholder(&mut self) {
        match self {
            Self::U8(values) => values.push(0),
            Self::I16(values) => values.push(0),
            Self::I32(values) => values.push(0),
            Self::F32(values) => values.push(0.0),
            Self::F64(values) => values.push(0.0),
        }
    }

    pub fn shrink_to_fit(&mut self) {
        match self {
            Self::U8(values) => values.shrink_to_fit(),
            Self::I16(values) => values.shrink_to_fit(),
            Self::I32(values) => values.shrink_to_fit(),
            Self::F32(values) => values.shrink_to_fit(),
            Self::F64(values) => values.shrink_to_fit(),
        }
    }

    #[inline]
    pub fn get(&self, row: usize) -> f64 {
        match self {
            Self::U8(values) => f64::from(values[row]),
            Self::I16(values) => f64::from(values[row]),
            Self::I32(values) => f64::from(values[row]),
            Self::F32(values) => f64::from(values[row]),
            Self::F64(values) => values[row],
        }
    }

    /// Every row's number.
    pub fn iter(&self) -> impl Iterator<Item = f64> + '_ {
        (0..self.len()).map(|row| self.get(row))
    }

    pub fn len(&self) -> usize {
        match self {
            Self::U8(values) => values.len(),
            Self::I16(values) => values.len(),
            Self::I32(values) => values.len(),
            Self::F32(values) => values.len(),
            Self::F64(values) => values.len(),
        }
    }

    /// What they take in memory, and in a file.
    pub fn bytes(&self) -> usize {
        self.width() * self.len()
    }

    /// What they take in a file.
    pub fn mapped_bytes(&self) -> usize {
        match self {
            Self::U8(values) => values.mapped_bytes(),
            Self::I16(values) => values.mapped_bytes(),
            Self::I32(values) => values.mapped_bytes(),
            Self::F32(values) => values.mapped_bytes(),
            Self::F64(values) => values.mapped_bytes(),
        }
    }

    /// The bytes of a number.
    pub fn width(&self) -> usize {
        match self {
            Self::U8(_) => 1,
            Self::I16(_) => 2,
            Self::I32(_) | Self::F32(_) => 4,
            Self::F64(_) => 8,
        }
    }

    /// The types from narrow to wide.
    fn rank(&self) -> u8 {
        match self {
            Self::U8(_) => 0,
            Self::I16(_) => 1,
            Self::I32(_) => 2,
            Self::F32(_) => 3,
            Self::F64(_) => 4,
        }
    }

    /// Moves to the next wider type that holds every value so far.
    fn widen(&mut self) {
        *self = match self {
            Self::U8(values) => Self::I16(converted(values, i16::from)),
            Self::I16(values) => Self::I32(converted(values, i32::from)),
            Self::I32(values) if values.iter().all(|&value| f64::from(value as f32) == f64::from(value)) => {
                Self::F32(converted(values, |value| value as f32))
            }
            Self::I32(values) => Self::F64(converted(values, f64::from)),
            Self::F32(values) => Self::F64(converted(values, f64::from)),
            Self::F64(_) => return,
        };
    }
}

/// The values in another type, with as much room for more.
fn converted<T: Plain, U: Plain>(values: &Data<T>, convert: impl Fn(T) -> U) -> Data<U> {
    let mut converted = Vec::with_capacity(values.capacity());
    converted.extend(values.iter().map(|&value| convert(value)));
    Data::Held(converted)
}

/// Category codes in the narrowest type that holds the largest of them.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Codes {
    U8(Data<u8>),
    U16(Data<u16>),
    U32(Data<u32>),
}

impl Codes {
    pub fn new() -> Self {
        Self::U8(Data::Held(Vec::new()))
    }

    /// With room for this many codes, whatever their type will be.
    pub fn with_capacity(capacity: usize) -> Self {
        Self::U8(Data::with_capacity(capacity))
    }

    #[inline]
    pub fn push(&mut self, code: u32) {
        if let Self::U8(codes) = self {
            if let Ok(code) = u8::try_from(code) {
                return codes.push(code);
            }
            *self = Self::U16(converted(codes, u16::from));
        }
        if let Self::U16(codes) = self {
            if let Ok(code) = u16::try_from(code) {
                return codes.push(code);
            }
            *self = Self::U32(converted(codes, u32::from));
        }
        if let Self::U32(codes) = self {
            codes.push(code);
        }
    }

    /// The codes of so many levels in a file.
    pub fn spilled(codes: impl Iterator<Item = u32>, levels: usize, file: &mut SpillFile) -> io::Result<Self> {
        Ok(if levels <= 1 << 8 {
            Self::U8(file.put(codes.map(|code| code as u8))?)
        } else if levels <= 1 << 16 {
            Self::U16(file.put(codes.map(|code| code as u16))?)
        } else {
            Self::U32(file.put(codes)?)
        })
    }

    /// Replaces every code, given its row, by another of the same number of levels.
    pub fn remap(&mut self, new_code: impl Fn(usize, u32) -> u32) {
        match self {
            Self::U8(codes) => {
                codes
                    .held()
                    .iter_mut()
                    .enumerate()
                    .for_each(|(row, code)| *code = new_code(row, u32::from(*code)) as u8);
            }
            Self::U16(codes) => {
                codes
                    .held()
                    .iter_mut()
                    .enumerate()
                    .for_each(|(row, code)| *code = new_code(row, u32::from(*code)) as u16);
            }
            Self::U32(codes) => {
                codes.held().iter_mut().enumerate().for_each(|(row, code)| *code = new_code(row, *code));
            }
        }
    }

    pub fn shrink_to_fit(&mut self) {
        match self {
            Self::U8(codes) => codes.shrink_to_fit(),
            Self::U16(codes) => codes.shrink_to_fit(),
            Self::U32(codes) => codes.shrink_to_fit(),
        }
    }

    #[inline]
    pub fn get(&self, row: usize) -> u32 {
        match self {
            Self::U8(codes) => u32::from(codes[row]),
            Self::U16(codes) => u32::from(codes[row]),
            Self::U32(codes) => codes[row],
        }
    }

    /// Every row's code.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.len()).map(|row| self.get(row))
    }

    pub fn len(&self) -> usize {
        match self {
            Self::U8(codes) => codes.len(),
            Self::U16(codes) => codes.len(),
            Self::U32(codes) => codes.len(),
        }
    }

    /// What they take in memory, and in a file.
    pub fn bytes(&self) -> usize {
        let width = match self {
            Self::U8(_) => 1,
            Self::U16(_) => 2,
            Self::U32(_) => 4,
        };
        width * self.len()
    }

    /// What they take in a file.
    pub fn mapped_bytes(&self) -> usize {
        match self {
            Self::U8(codes) => codes.mapped_bytes(),
            Self::U16(codes) => codes.mapped_bytes(),
            Self::U32(codes) => codes.mapped_bytes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn numbers(values: &[f64]) -> Numbers {
        let mut numbers = Numbers::new();
        for &value in values {
            numbers.push(value);
        }
        numbers
    }

    #[test]
    fn each_type_holds_what_the_narrower_ones_cannot() {
        assert!(matches!(numbers(&[0.0, 255.0]), Numbers::U8(_)));
        assert!(matches!(numbers(&[0.0, 256.0]), Numbers::I16(_)));
        assert!(matches!(numbers(&[255.0, -1.0]), Numbers::I16(_)));
        assert!(matches!(numbers(&[-32_768.0, 32_767.0]), Numbers::I16(_)));
        assert!(matches!(numbers(&[32_768.0]), Numbers::I32(_)));
        assert!(matches!(numbers(&[2_147_483_647.0]), Numbers::I32(_)));
        assert!(matches!(numbers(&[1.0, 0.5]), Numbers::F32(_)));
        assert!(matches!(numbers(&[1.0, f64::INFINITY]), Numbers::F32(_)));
        assert!(matches!(numbers(&[2_147_483_648.0]), Numbers::F32(_)));
        assert!(matches!(numbers(&[16_777_217.0, 0.5]), Numbers::F64(_)));
        assert!(matches!(numbers(&[0.5, 16_777_217.0]), Numbers::F64(_)));
        assert!(matches!(numbers(&[0.1]), Numbers::F64(_)));
        assert!(matches!(numbers(&[1e300]), Numbers::F64(_)));
    }

    #[test]
    fn whole_numbers_go_the_short_way_to_the_same_type() {
        let values = [0, 7, 255, 256, 40_000, 3_000_000_000];
        for end in 1..=values.len() {
            let mut short = Numbers::new();
            let mut long = Numbers::new();
            for &value in &values[..end] {
                short.push_whole(value);
                long.push(f64::from(value));
            }
            assert_eq!(short, long);
        }
    }

    #[test]
    fn codes_widen_with_the_number_of_levels() {
        let mut codes = Codes::new();
        for code in 0..70_000 {
            codes.push(code);
            let expected_width = if code < 256 {
                1
            } else if code < 65_536 {
                2
            } else {
                4
            };
            assert_eq!(codes.bytes(), expected_width * codes.len());
        }
        assert!((0..70_000).all(|row| codes.get(row) == row as u32));
    }

    fn any_number() -> impl Strategy<Value = f64> {
        prop_oneof![
            (-300_i32..300).prop_map(f64::from),
            any::<i32>().prop_map(f64::from),
            any::<f32>().prop_filter("a number", |value| !value.is_nan()).prop_map(f64::from),
            any::<f64>().prop_filter("a number", |value| !value.is_nan()),
        ]
    }

    proptest! {
        #[test]
        fn parts_behind_each_other_are_the_whole(
            values in prop::collection::vec(any_number(), 1..40), cut in any::<prop::sample::Index>()
        ) {
            let (first, rest) = values.split_at(cut.index(values.len()));
            let mut appended = numbers(first);
            appended.append(numbers(rest));
            prop_assert_eq!(appended, numbers(&values));
        }

        #[test]
        fn every_value_comes_back_and_the_order_does_not_matter(values in prop::collection::vec(any_number(), 1..40)) {
            let forward = numbers(&values);
            for (row, value) in values.iter().enumerate() {
                prop_assert_eq!(forward.get(row), *value);
            }
            let reversed: Vec<f64> = values.iter().rev().copied().collect();
            prop_assert_eq!(std::mem::discriminant(&forward), std::mem::discriminant(&numbers(&reversed)));
        }
    }
}
