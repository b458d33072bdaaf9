/// Whether a cell spells a UUID: 8-4-4-4-12 hexadecimal digits.
pub(super) fn is_uuid(text: &[u8]) -> bool {
    const DASHES: [usize; 4] = [8, 13, 18, 23];
    const LENGTH: usize = 36;
    let text = text.trim_ascii();
    let fits = |(at, byte): (usize, &u8)| if DASHES.contains(&at) { *byte == b'-' } else { byte.is_ascii_hexdigit() };
    text.len() == LENGTH && text.iter().enumerate().all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uuids_have_five_groups_of_hexadecimal_digits() {
        assert!(is_uuid(b"f47ac10b-58cc-4372-a567-0e02b2c3d479"));
        assert!(is_uuid(b"F47AC10B-58CC-4372-A567-0E02B2C3D479 "));
        for text in ["", "f47ac10b58cc4372a5670e02b2c3d479", "f47ac10b-58cc-4372-a567-0e02b2c3d47g", "{f47ac10b-58cc}"]
        {
            assert!(!is_uuid(text.as_bytes()), "{text}");
        }
    }
}
