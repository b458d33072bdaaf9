//! Archives that somebody has changed.

use std::io::{Cursor, Read, Write};

use libtest_mimic::Failed;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

/// The archive with another text of one entry, all else as it was; none leaves the entry out.
pub fn with_entry(
    archive: Vec<u8>,
    entry: &str,
    change: impl FnOnce(String) -> Result<Option<String>, Failed>,
) -> Result<Vec<u8>, Failed> {
    let mut archive = ZipArchive::new(Cursor::new(archive))?;
    let mut changed = ZipWriter::new(Cursor::new(Vec::new()));
    let mut change = Some(change);
    for index in 0..archive.len() {
        let mut file = archive.by_index(index)?;
        let name = file.name()?.into_owned();
        let mut content = Vec::new();
        file.read_to_end(&mut content)?;
        if let Some(change) = change.take_if(|_| name == entry) {
            let Some(text) = change(String::from_utf8(content)?)? else { continue };
            content = text.into_bytes();
        }
        changed.start_file(name, SimpleFileOptions::default())?;
        changed.write_all(&content)?;
    }
    if change.is_some() {
        return Err(format!("there is no entry {entry}").into());
    }
    Ok(changed.finish()?.into_inner())
}

/// The archive with one entry more.
pub fn with_added(archive: Vec<u8>, entry: &str, content: &str) -> Result<Vec<u8>, Failed> {
    let mut archive = ZipWriter::new_append(Cursor::new(archive))?;
    archive.start_file(entry, SimpleFileOptions::default())?;
    archive.write_all(content.as_bytes())?;
    Ok(archive.finish()?.into_inner())
}

/// An archive with one entry that has no content.
pub fn with_one(entry: &str) -> Result<Vec<u8>, Failed> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    archive.start_file(entry, SimpleFileOptions::default())?;
    Ok(archive.finish()?.into_inner())
}
