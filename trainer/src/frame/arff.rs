//! The header of an ARFF file; its rows are CSV with two kinds of quotes, `%` for comments and `?` for missing values.

use super::text::{line_length, readable};
use super::{ColumnType, FrameError};

/// What an ARFF file says about itself before its rows.
#[derive(Debug, PartialEq)]
pub(super) struct Header {
    pub attributes: Vec<(String, ColumnType)>,
    /// The bytes and lines before the first row.
    pub length: usize,
    pub lines: u64,
}

/// Whether the first line that says anything is `@relation` or `@attribute`.
pub(super) fn is_arff(text: &[u8]) -> bool {
    let first = lines(text).find(Line::says_anything);
    first.is_some_and(|line| matches!(line.keyword(), Keyword::Relation | Keyword::Attribute(_)))
}

/// Whether the header ends in this text.
pub(super) fn has_data(text: &[u8]) -> bool {
    lines(text).any(|line| matches!(line.keyword(), Keyword::Data))
}

/// Reads the header. The type of a column is what its attribute says: numeric, real, integer or int; date or time; enum
/// or a list of levels in braces; string; uuid. As in H2O the list only decides the type: the levels are those that
/// occur, in bytewise order.
pub(super) fn header(file: &str, text: &[u8]) -> Result<Header, FrameError> {
    let mut attributes = Vec::new();
    for line in lines(text).filter(Line::says_anything) {
        match line.keyword() {
            Keyword::Relation => {}
            Keyword::Attribute(rest) => attributes.push(attribute(file, line.number, rest)?),
            Keyword::Data => return Ok(Header { attributes, length: line.end, lines: line.number }),
            Keyword::Other => return Err(unexpected(file, &line)),
        }
    }
    Err(FrameError::ArffWithoutData { file: file.to_owned() })
}

fn attribute(file: &str, line: u64, text: &[u8]) -> Result<(String, ColumnType), FrameError> {
    let text = text.trim_ascii();
    let (name, kind) = match text.first() {
        Some(&quote @ (b'"' | b'\'')) => {
            let end = memchr::memchr(quote, &text[1..]).map(|length| length + 1);
            end.map_or((&text[..0], text), |end| (&text[1..end], &text[end + 1..]))
        }
        _ => text.split_at(text.iter().position(|&b| b.is_ascii_whitespace() || b == b'{').unwrap_or(text.len())),
    };
    if name.is_empty() {
        return Err(FrameError::ArffAttribute { file: file.to_owned(), line, found: readable(text) });
    }
    let kind = kind.trim_ascii_start();
    let word = kind.split(|&byte| byte.is_ascii_whitespace() || b"[%,".contains(&byte)).next().unwrap_or_default();
    let kind = match word.to_ascii_lowercase().as_slice() {
        [b'{', ..] | b"enum" => ColumnType::Enum,
        b"numeric" | b"real" | b"integer" | b"int" => ColumnType::Numeric,
        b"date" | b"time" => ColumnType::Time,
        b"string" => ColumnType::String,
        b"uuid" => ColumnType::Uuid,
        _ => return Err(FrameError::ArffType { file: file.to_owned(), line, found: readable(word) }),
    };
    Ok((readable(name), kind))
}

fn unexpected(file: &str, line: &Line<'_>) -> FrameError {
    const SHOWN: usize = 40;
    let shown = &line.text[..line.text.len().min(SHOWN)];
    FrameError::ArffLine { file: file.to_owned(), line: line.number, found: readable(shown) }
}

enum Keyword<'a> {
    Relation,
    /// With what follows.
    Attribute(&'a [u8]),
    Data,
    Other,
}

struct Line<'a> {
    /// Without blanks around it.
    text: &'a [u8],
    /// From 1.
    number: u64,
    /// Where the next line begins.
    end: usize,
}

impl<'a> Line<'a> {
    fn says_anything(&self) -> bool {
        !self.text.is_empty() && self.text[0] != b'%'
    }

    fn keyword(&self) -> Keyword<'a> {
        let length = self.text.iter().position(u8::is_ascii_whitespace).unwrap_or(self.text.len());
        let (word, rest) = self.text.split_at(length);
        match word.to_ascii_lowercase().as_slice() {
            b"@relation" => Keyword::Relation,
            b"@attribute" => Keyword::Attribute(rest),
            b"@data" => Keyword::Data,
            _ => Keyword::Other,
        }
    }
}

fn lines(text: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let (mut start, mut number) = (0, 0);
    std::iter::from_fn(move || {
        let rest = text.get(start..).filter(|rest| !rest.is_empty())?;
        let (length, next) = line_length(rest, true)?;
        start += next;
        number += 1;
        Some(Line { text: rest[..length].trim_ascii(), number, end: start })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_has_names_types_and_an_end() {
        use ColumnType::{Enum, Numeric, String, Time, Uuid};
        let text = b"% about\n\n @RELATION 'a b'\r\n@attribute a REAL [0,1]\n@Attribute\t'my name' {x, y} % two\n\
            @attribute \"q\" date \"yyyy\"\n@attribute b{1,2}\n@attribute c String\n@attribute d UUID\n@DATA here\n1,x\n";
        assert!(is_arff(text) && has_data(text));
        let header = header("t.arff", text).expect("a header");
        let expected = [("a", Numeric), ("my name", Enum), ("q", Time), ("b", Enum), ("c", String), ("d", Uuid)];
        assert_eq!(header.attributes, expected.map(|(name, kind)| (name.to_owned(), kind)));
        assert_eq!(&text[header.length..], b"1,x\n");
        assert_eq!(header.lines, 10);
    }

    #[test]
    fn other_text_is_no_arff() {
        for text in ["", "%", "@data\n1\n", "@foo\n1\n", "@relationship,b\n1,2\n", "a\n@relation\n"] {
            assert!(!is_arff(text.as_bytes()), "{text:?}");
        }
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        let refusal = |text: &str| header("t.arff", text.as_bytes()).expect_err("no header").to_string();
        assert_eq!(
            refusal("@relation r\n@attribute a real\n"),
            "t.arff has ARFF attributes but no line @data below them"
        );
        assert_eq!(
            refusal("@attribute a real\nnote\n@data\n"),
            "t.arff, line 2: expected @attribute NAME TYPE or @data, found \"note\""
        );
        assert_eq!(
            refusal("@attribute a relational\n@data\n"),
            "t.arff, line 1: unknown attribute type \"relational\", expected numeric, real, integer, date, string, uuid \
             or {levels}"
        );
        assert!(refusal("@attribute a\n").contains("unknown attribute type \"\""));
        assert_eq!(
            refusal("@attribute 'a real\n@data\n"),
            "t.arff, line 1: expected a name and a type behind @attribute, found \"'a real\""
        );
    }
}
