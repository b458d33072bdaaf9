//! Files that are there whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

/// Has a neighbour of the path written, and renames it to the path when it is whole and on disk. Whatever fails, the
/// neighbour is gone and the path is as it was.
pub fn write<T, E: From<io::Error>>(
    path: &Path,
    content: impl FnOnce(&mut BufWriter<&mut File>) -> Result<T, E>,
) -> Result<T, E> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::metadata(folder)?;
    let mut neighbour = neighbour_in(folder)?;
    let mut buffered = BufWriter::new(neighbour.as_file_mut());
    let result = content(&mut buffered)?;
    buffered.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    neighbour.persist(path).map_err(|failed| failed.error)?;
    Ok(result)
}

/// A temporary file with the permissions of an ordinary one: `tempfile` keeps its files from everybody else.
fn neighbour_in(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".aqueduct-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    // The kind alone: the message would name the neighbour, which says nothing to anybody.
    builder.tempfile_in(folder).map_err(|error| error.kind().into())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_file_that_fails_half_way_leaves_the_old_one_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.zip");
        write(&path, |file| file.write_all(b"old")).unwrap();
        let failed: io::Result<()> = write(&path, |file| {
            file.write_all(b"new")?;
            Err(io::Error::other("the disk is full"))
        });
        assert_eq!(failed.unwrap_err().to_string(), "the disk is full");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_that_is_not_there_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        assert!(write(&folder.path().join("none/model.zip"), |_| Ok::<(), io::Error>(())).is_err());
        assert!(write(folder.path(), |_| Ok::<(), io::Error>(())).is_err());
    }
}
