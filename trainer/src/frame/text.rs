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
}
