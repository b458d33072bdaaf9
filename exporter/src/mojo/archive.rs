//! The entries of a zip from outside: capped, and nothing believed that its headers say.

use std::io::{Read, Seek, SeekFrom};

use zip::ZipArchive;
use zip::result::ZipError;

use super::error::ReadError;

/// Entries that an archive may have. H2O's largest forests have two entries for each of some ten thousand trees.
const MAX_ENTRIES: usize = 250_000;

/// Bytes that are unpacked from an archive of this length, all entries together; the writer makes none that holds more.
///
/// Texts of weights shrink to a third or a half, and levels to a tenth. What shrinks to less than a hundredth is made to
/// fill memory, unless it is small anyway. In any archive there is room for the largest net that H2O trains, of 10^8
/// connections: twice as many weights for Maxout, up to 16 bytes each.
pub(super) fn most_unpacked(archive: u64) -> u64 {
    const ALWAYS: u64 = 16 << 20;
    const RATIO: u64 = 100;
    const MOST: u64 = u32::MAX as u64;
    archive.saturating_mul(RATIO).saturating_add(ALWAYS).min(MOST)
}

pub(super) struct Archive<R> {
    zip: ZipArchive<R>,
    limit: u64,
    unpacked: u64,
}

impl<R: Read + Seek> Archive<R> {
    pub(super) fn open(mut reader: R) -> Result<Self, ReadError> {
        let length = reader.seek(SeekFrom::End(0))?;
        Self::with_limit(reader, most_unpacked(length))
    }

    fn with_limit(reader: R, limit: u64) -> Result<Self, ReadError> {
        let zip = ZipArchive::new(reader).map_err(|error| match error {
            ZipError::Io(error) => ReadError::Io(error),
            ZipError::InvalidArchive(reason) => ReadError::Zip { reason: reason.into_owned() },
            error => ReadError::Zip { reason: error.to_string() },
        })?;
        if zip.len() > MAX_ENTRIES {
            return Err(ReadError::TooManyEntries { found: zip.len(), limit: MAX_ENTRIES });
        }
        if zip.has_duplicate_names() {
            return Err(ReadError::DuplicateEntries);
        }
        Ok(Self { zip, limit, unpacked: 0 })
    }

    /// The text of an entry that has to be there.
    pub(super) fn text(&mut self, entry: &str) -> Result<String, ReadError> {
        self.optional_text(entry)?.ok_or_else(|| ReadError::MissingEntry { entry: entry.to_owned() })
    }

    /// The text of an entry, `None` where there is no such entry.
    pub(super) fn optional_text(&mut self, entry: &str) -> Result<Option<String>, ReadError> {
        let damaged = |reason: String| ReadError::DamagedEntry { entry: entry.to_owned(), reason };
        let end_of_entries = self.zip.central_directory_start();
        let file = match self.zip.by_name(entry) {
            Ok(file) => file,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(error) => return Err(damaged(error.to_string())),
        };
        let declared = file.size();
        let end = file.data_start().and_then(|start| start.checked_add(file.compressed_size()));
        if end.is_none_or(|end| end > end_of_entries) {
            return Err(damaged(format!("its {} packed bytes do not fit the archive", file.compressed_size())));
        }
        let left = self.limit - self.unpacked;
        let mut bytes = Vec::new();
        file.take(left + 1).read_to_end(&mut bytes).map_err(|error| damaged(error.to_string()))?;
        let length = bytes.len() as u64;
        if length > left {
            return Err(ReadError::TooLarge { entry: entry.to_owned(), limit: self.limit });
        }
        if length != declared {
            return Err(damaged(format!("{declared} bytes are declared, {length} are there")));
        }
        self.unpacked += length;
        let text = String::from_utf8(bytes).map_err(|error| {
            let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = 1 + valid.split(|&byte| byte == b'\n').skip(1).count();
            ReadError::NotUtf8 { entry: entry.to_owned(), line }
        })?;
        Ok(Some(text))
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    fn zip(entries: &[(&str, &[u8])]) -> Cursor<Vec<u8>> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in entries {
            writer.start_file(*name, SimpleFileOptions::default()).unwrap();
            writer.write_all(content).unwrap();
        }
        writer.finish().unwrap()
    }

    #[test]
    fn the_cap_is_on_all_entries_together() {
        let mut archive = Archive::with_limit(zip(&[("a", b"12345"), ("b", b"123456")]), 10).unwrap();
        assert_eq!(archive.text("a").unwrap(), "12345");
        assert!(matches!(archive.text("b"), Err(ReadError::TooLarge { limit: 10, .. })));
        assert!(matches!(archive.text("c"), Err(ReadError::MissingEntry { .. })));
    }

    #[test]
    fn a_small_archive_unpacks_to_little() {
        let bomb = zip(&[("a", &vec![b' '; 32 << 20])]);
        let length = bomb.get_ref().len() as u64;
        assert!(length < 40_000, "{length}");
        let mut archive = Archive::open(bomb).unwrap();
        assert!(matches!(archive.text("a"), Err(ReadError::TooLarge { limit, .. }) if limit < 20 << 20));
        assert_eq!(most_unpacked(700_000_000), u64::from(u32::MAX));
    }

    #[test]
    fn a_bomb_is_cut_off_at_the_cap() {
        let mut archive = Archive::with_limit(zip(&[("a", &vec![b' '; 1 << 20])]), 1000).unwrap();
        assert!(matches!(archive.text("a"), Err(ReadError::TooLarge { .. })));
    }

    #[test]
    fn text_that_is_not_utf8_is_refused_with_its_line() {
        let mut archive = Archive::open(zip(&[("a", b"one\ntwo \xff\n")])).unwrap();
        assert!(matches!(archive.text("a"), Err(ReadError::NotUtf8 { line: 2, .. })));
    }

    #[test]
    fn what_is_no_zip_is_refused() {
        for bytes in [&b""[..], b"PK", &[0; 100]] {
            assert!(Archive::open(Cursor::new(bytes)).is_err());
        }
    }
}
