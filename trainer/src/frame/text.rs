use std::fmt::Write;

/// Text for people: bytes that are not UTF-8 appear as H2O shows them, a run of them as `<0xEFBB>`.
pub(super) fn readable(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    let mut in_hex = false;
    for chunk in bytes.utf8_chunks() {
        if in_hex && !chunk.valid().is_empty() {
            text.push('>');
            in_hex = false;
        }
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() && !in_hex {
            text.push_str("<0x");
            in_hex = true;
        }
        for byte in chunk.invalid() {
            write!(text, "{byte:02X}").expect("writing to a string cannot fail");
        }
    }
    if in_hex {
        text.push('>');
    }
    text
}

/// How many lines end in these bytes: at LF, CR LF, or CR alone.
pub(super) fn line_ends(bytes: &[u8]) -> u64 {
    let feeds = memchr::memchr_iter(b'\n', bytes).count();
    let lone_returns = memchr::memchr_iter(b'\r', bytes).filter(|&at| bytes.get(at + 1) != Some(&b'\n')).count();
    (feeds + lone_returns) as u64
}

/// The length of the line that these bytes begin with, and where the next one begins; `None` if there is no line, or
/// its end is not there and more bytes follow (they are not the `whole`).
pub(super) fn line_length(bytes: &[u8], whole: bool) -> Option<(usize, usize)> {
    match memchr::memchr2(b'\n', b'\r', bytes) {
        Some(end) if bytes[end] == b'\n' => Some((end, end + 1)),
        Some(end) => match bytes.get(end + 1) {
            Some(b'\n') => Some((end, end + 2)),
            None if !whole => None,
            _ => Some((end, end + 1)),
        },
        None => (whole && !bytes.is_empty()).then_some((bytes.len(), bytes.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_not_utf8_are_shown_as_hex() {
        assert_eq!(readable("é".as_bytes()), "é");
        assert_eq!(readable(b"x\xefy"), "x<0xEF>y");
        assert_eq!(readable(b"\xff\xfe"), "<0xFFFE>");
        assert_eq!(readable(b"\xe2\x82"), "<0xE282>");
        assert_eq!(readable(b"\xffa\xfe"), "<0xFF>a<0xFE>");
    }

    #[test]
    fn each_kind_of_line_end_counts_once() {
        assert_eq!(line_ends(b"a\nb\r\nc\rd"), 3);
        assert_eq!(line_ends(b"\r\r\n\n"), 3);
    }

    #[test]
    fn a_line_is_whole_when_its_end_is_there() {
        assert_eq!(line_length(b"a\nb", false), Some((1, 2)));
        assert_eq!(line_length(b"a\r\nb", false), Some((1, 3)));
        assert_eq!(line_length(b"a\rb", false), Some((1, 2)));
        assert_eq!(line_length(b"a\r", false), None);
        assert_eq!(line_length(b"a\r", true), Some((1, 2)));
        assert_eq!(line_length(b"a", false), None);
        assert_eq!(line_length(b"a", true), Some((1, 1)));
        assert_eq!(line_length(b"", true), None);
    }
}
