use jiff::civil::{Date, DateTime, Time, datetime};

const MILLIS_OF_MINUTE: i64 = 60_000;

/// The point in time that a cell spells, in milliseconds since 1970 in UTC, or `None` if it is anything else.
///
/// A date is one of the following; month names are English, short or full, in any case, and years of two digits lie
/// between 1969 and 2068.
/// - `yyyy-MM-dd` or `yyyy-MM`
/// - `yyyyMMdd-`, with a time
/// - `[dd][-]MMM[-]yyyy` or the same with `yy`
/// - `yy-MMM`
/// - `MM/dd/yyyy`, `MM-dd-yyyy` or the same with `yy`: the month comes first
///
/// A time of day is `HH:mm:ss[.SSS..][ AM| PM]`, with dots for colons as well. It follows behind blanks or (behind the
/// forms that do not begin with the year) behind a colon, or stands alone for a time on 1970-01-01.
///
/// All of that is H2O's. Other than in H2O, `yyyy-MM-dd` may be followed as ISO 8601 has it, by `T` or a blank, a time
/// with or without seconds behind `T`, and `Z` or an offset such as `+02:00`; the digits behind the seconds are a
/// fraction (H2O reads `.5` as 5 ms); 12 AM is midnight and 12 PM noon (H2O has 12 AM for noon); `June-08` is of the year
/// 2008 (in H2O of the year -1).
pub fn parse(text: &[u8]) -> Option<i64> {
    let text = text.trim_ascii();
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut cursor = Cursor(text);
    let millis = match (digits, text.get(digits)?, text.get(digits + 1)) {
        (4, b'-', _) => year_first(&mut cursor),
        (8, b'-', _) => compact(&mut cursor),
        (1 | 2, b'/', _) | (1 | 2, b'-', Some(b'0'..=b'9')) => month_first(&mut cursor),
        (1 | 2, b':' | b'.', _) => time_alone(&mut cursor),
        (0..=2, b'-' | b'a'..=b'z' | b'A'..=b'Z', _) => month_name(&mut cursor),
        _ => None,
    }?;
    cursor.0.is_empty().then_some(millis)
}

/// As [`parse`], in a column that is declared to hold times: `dd.MM.yyyy`, with or without a time, is one as well.
pub fn parse_declared(text: &[u8]) -> Option<i64> {
    parse(text).or_else(|| {
        let mut cursor = Cursor(text.trim_ascii());
        let millis = day_first(&mut cursor)?;
        cursor.0.is_empty().then_some(millis)
    })
}

fn year_first(cursor: &mut Cursor<'_>) -> Option<i64> {
    let year = cursor.number(4, 4)?;
    cursor.expect(b'-')?;
    let month = cursor.number(1, 2)?;
    if cursor.0.is_empty() {
        return date(year, month, 1).map(midnight);
    }
    cursor.expect(b'-')?;
    let date = date(year, month, cursor.number(1, 2)?)?;
    if cursor.0.is_empty() {
        return Some(midnight(date));
    }
    let time = if cursor.accept(b'T') {
        iso_time(cursor)?
    } else {
        cursor.blanks().then_some(())?;
        time_of_day(cursor)?
    };
    Some(millis(date, time) - offset(cursor)?)
}

fn compact(cursor: &mut Cursor<'_>) -> Option<i64> {
    let digits = cursor.number(8, 8)?;
    cursor.expect(b'-')?;
    let date = date(digits / 10_000, digits / 100 % 100, digits % 100)?;
    Some(millis(date, time_of_day(cursor)?))
}

fn month_first(cursor: &mut Cursor<'_>) -> Option<i64> {
    let month = cursor.number(1, 2)?;
    let separator = if cursor.accept(b'/') { b'/' } else { b'-' };
    if separator == b'-' {
        cursor.expect(separator)?;
    }
    let day = cursor.number(1, 2)?;
    cursor.expect(separator)?;
    let date = date(cursor.year()?, month, day)?;
    optional_time(cursor, date)
}

fn month_name(cursor: &mut Cursor<'_>) -> Option<i64> {
    let digits = cursor.0.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let day = if digits > 0 { Some(cursor.number(1, 2)?) } else { None };
    let dashed = day.is_some() && cursor.accept(b'-');
    let month = cursor.month()?;
    if let (Some(year), true, 2, []) = (day, dashed, digits, cursor.0) {
        return date(full_year(year), month, 1).map(midnight);
    }
    cursor.accept(b'-');
    let date = date(cursor.year()?, month, day.unwrap_or(1))?;
    optional_time(cursor, date)
}

fn day_first(cursor: &mut Cursor<'_>) -> Option<i64> {
    let day = cursor.number(1, 2)?;
    cursor.expect(b'.')?;
    let month = cursor.number(1, 2)?;
    cursor.expect(b'.')?;
    let date = date(cursor.number(4, 4)?, month, day)?;
    optional_time(cursor, date)
}

/// A time without a date, unless it is an IP address: four numbers between dots.
fn time_alone(cursor: &mut Cursor<'_>) -> Option<i64> {
    let text = cursor.0;
    let time = time_of_day(cursor)?;
    let dots = memchr::memchr_iter(b'.', text).count();
    let is_address = dots == 3 && text.iter().all(|&byte| byte == b'.' || byte.is_ascii_digit());
    (!is_address).then(|| millis(Date::constant(1970, 1, 1), time))
}

fn optional_time(cursor: &mut Cursor<'_>, date: Date) -> Option<i64> {
    if cursor.0.is_empty() {
        return Some(midnight(date));
    }
    (cursor.accept(b':') || cursor.blanks()).then_some(())?;
    Some(millis(date, time_of_day(cursor)?))
}

fn time_of_day(cursor: &mut Cursor<'_>) -> Option<Time> {
    let hour = cursor.number(1, 2)?;
    cursor.colon_or_dot()?;
    let minute = cursor.number(1, 2)?;
    cursor.colon_or_dot()?;
    let second = cursor.number(1, 2)?;
    let fraction = if cursor.colon_or_dot().is_some() { cursor.thousandths() } else { 0 };
    let half = cursor.0.strip_prefix(b" ").unwrap_or(cursor.0);
    let half = (half == b"AM" || half == b"PM").then_some(half);
    let hour = match half {
        None => hour,
        Some(_) if !(1..=12).contains(&hour) => return None,
        Some(half) => hour % 12 + if half == b"PM" { 12 } else { 0 },
    };
    if half.is_some() {
        cursor.0 = &[];
    }
    time(hour, minute, second, fraction)
}

/// The time of day behind `T`, whose seconds may be left out.
fn iso_time(cursor: &mut Cursor<'_>) -> Option<Time> {
    let hour = cursor.number(2, 2)?;
    cursor.expect(b':')?;
    let minute = cursor.number(2, 2)?;
    if !cursor.accept(b':') {
        return time(hour, minute, 0, 0);
    }
    let second = cursor.number(2, 2)?;
    let fraction = if cursor.accept(b'.') { cursor.thousandths() } else { 0 };
    time(hour, minute, second, fraction)
}

/// The milliseconds by which local time is ahead of UTC: nothing, `Z`, `+hh`, `+hhmm` or `+hh:mm`.
fn offset(cursor: &mut Cursor<'_>) -> Option<i64> {
    if cursor.0.is_empty() || cursor.accept(b'Z') {
        return Some(0);
    }
    cursor.accept(b' ');
    let sign = match cursor.take()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let (hours, minutes) = match *cursor.0 {
        [a, b, c, d] | [a, b, b':', c, d] => (number_of(&[a, b])?, number_of(&[c, d])?),
        [a, b] => (number_of(&[a, b])?, 0),
        _ => return None,
    };
    cursor.0 = &[];
    (hours < 24 && minutes < 60).then(|| sign * i64::from(hours * 60 + minutes) * MILLIS_OF_MINUTE)
}

fn date(year: u32, month: u32, day: u32) -> Option<Date> {
    Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

fn time(hour: u32, minute: u32, second: u32, millis: u32) -> Option<Time> {
    const NANOS: i32 = 1_000_000;
    let small = |value: u32| i8::try_from(value).ok();
    Time::new(small(hour)?, small(minute)?, small(second)?, i32::try_from(millis).ok()? * NANOS).ok()
}

fn midnight(date: Date) -> i64 {
    millis(date, Time::midnight())
}

fn millis(date: Date, time: Time) -> i64 {
    const EPOCH: DateTime = datetime(1970, 1, 1, 0, 0, 0, 0);
    // Years of four digits are no more than 3e14 milliseconds away.
    DateTime::from_parts(date, time).duration_since(EPOCH).as_millis() as i64
}

/// Years of two digits lie between 1969 and 2068, as in H2O.
fn full_year(two_digits: u32) -> u32 {
    if two_digits >= 69 { 1900 + two_digits } else { 2000 + two_digits }
}

fn number_of(digits: &[u8]) -> Option<u32> {
    let add = |number: u32, digit: &u8| digit.is_ascii_digit().then(|| number * 10 + u32::from(digit - b'0'));
    digits.iter().try_fold(0, add)
}

/// What is left to be read.
struct Cursor<'a>(&'a [u8]);

impl Cursor<'_> {
    fn take(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    fn accept(&mut self, byte: u8) -> bool {
        let found = self.0.first() == Some(&byte);
        if found {
            self.0 = &self.0[1..];
        }
        found
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        self.accept(byte).then_some(())
    }

    fn colon_or_dot(&mut self) -> Option<()> {
        (self.accept(b':') || self.accept(b'.')).then_some(())
    }

    /// Whether there was a blank.
    fn blanks(&mut self) -> bool {
        let before = self.0.len();
        while self.accept(b' ') {}
        self.0.len() < before
    }

    /// A number of so many digits, at most nine.
    fn number(&mut self, least: usize, most: usize) -> Option<u32> {
        let length = self.0.iter().take(most + 1).take_while(|byte| byte.is_ascii_digit()).count();
        if length < least || length > most {
            return None;
        }
        let (digits, rest) = self.0.split_at(length);
        self.0 = rest;
        number_of(digits)
    }

    /// A year of two or four digits.
    fn year(&mut self) -> Option<u32> {
        match self.0.iter().take_while(|byte| byte.is_ascii_digit()).count() {
            2 => self.number(2, 2).map(full_year),
            4 => self.number(4, 4),
            _ => None,
        }
    }

    /// The number, from 1, of the month whose name follows.
    fn month(&mut self) -> Option<u32> {
        const NAMES: [&[u8]; 12] = [
            b"january",
            b"february",
            b"march",
            b"april",
            b"may",
            b"june",
            b"july",
            b"august",
            b"september",
            b"october",
            b"november",
            b"december",
        ];
        let length = self.0.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let (word, rest) = self.0.split_at(length);
        let is_name = |name: &&[u8]| word.eq_ignore_ascii_case(name) || word.eq_ignore_ascii_case(&name[..3]);
        let month = NAMES.iter().position(is_name)?;
        self.0 = rest;
        Some(month as u32 + 1)
    }

    /// The digits of a fraction, of which three count.
    fn thousandths(&mut self) -> u32 {
        let mut value = 0;
        let mut scale = 100;
        while let [digit @ b'0'..=b'9', rest @ ..] = self.0 {
            value += u32::from(digit - b'0') * scale;
            scale /= 10;
            self.0 = rest;
        }
        value
    }
}
