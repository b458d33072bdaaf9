//! Files that are there whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Seek};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

/// Has a neighbour of the path written, and renames it to the path when it is whole and on disk. Whatever fails, the
/// neighbour is gone and the path is as it was.
///
/// A symbolic link stays: the file that it leads to is replaced. A device or a pipe stays, too: it is sent the content
/// once that is whole.
pub fn write<T, E: From<io::Error>>(
    path: &Path,
    content: impl FnOnce(&mut BufWriter<&mut File>) -> Result<T, E>,
) -> Result<T, E> {
    match Target::of(path)? {
        Target::File(path) => {
            let mut neighbour = neighbour_of(&path)?;
            let result = fill(neighbour.as_file_mut(), content)?;
            neighbour.as_file().sync_all()?;
            neighbour.persist(&path).map_err(|failed| failed.error)?;
            Ok(result)
        }
        Target::Stream => {
            // Through a file, because a zip is not written in one go from front to back, and a pipe only is.
            let mut whole = tempfile::tempfile()?;
            let result = fill(&mut whole, content)?;
            whole.rewind()?;
            io::copy(&mut whole, &mut OpenOptions::new().write(true).open(path)?)?;
            Ok(result)
        }
    }
}

/// What a path leads to.
enum Target {
    /// A file at this path, there already or not.
    File(PathBuf),
    /// A device, a pipe or the like.
    Stream,
}

impl Target {
    fn of(path: &Path) -> io::Result<Self> {
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(found) if found.is_file() => fs::canonicalize(path).map(Self::File),
            Ok(_) => Ok(Self::Stream),
            Err(error) if error.kind() == io::ErrorKind::NotFound => match fs::read_link(path) {
                Ok(link) => Self::of(&folder_of(path).join(link)),
                Err(_) => Ok(Self::File(path.to_owned())),
            },
            Err(error) => Err(error),
        }
    }
}

fn fill<T, E: From<io::Error>>(
    file: &mut File,
    content: impl FnOnce(&mut BufWriter<&mut File>) -> Result<T, E>,
) -> Result<T, E> {
    let mut buffered = BufWriter::new(file);
    let result = content(&mut buffered)?;
    buffered.into_inner().map_err(io::IntoInnerError::into_error)?;
    Ok(result)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A temporary file with the permissions of an ordinary one: `tempfile` keeps its files from everybody else.
fn neighbour_of(path: &Path) -> io::Result<NamedTempFile> {
    let folder = folder_of(path);
    fs::metadata(folder)?;
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

    #[test]
    fn a_folder_is_no_file_to_write() {
        let folder = tempfile::tempdir().unwrap();
        let refused = write(folder.path(), |_| Ok::<(), io::Error>(())).unwrap_err();
        assert_eq!((refused.kind(), refused.to_string()), (io::ErrorKind::IsADirectory, "is a directory".to_owned()));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_and_what_it_leads_to_is_written() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("inner");
        fs::create_dir(&inner).unwrap();
        let (link, file) = (folder.path().join("latest.zip"), inner.join("model.zip"));
        symlink("inner/model.zip", &link).unwrap();
        // The first time the link leads nowhere yet.
        for content in [b"one", b"two"] {
            write(&link, |out| out.write_all(content)).unwrap();
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
            assert_eq!(fs::read(&file).unwrap(), content);
        }
        assert_eq!(fs::read_dir(&inner).unwrap().count(), 1);
        let circle = folder.path().join("circle");
        symlink("circle", &circle).unwrap();
        assert!(write(&circle, |out| out.write_all(b"x")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_device_stays_a_device() {
        use std::os::unix::fs::{FileTypeExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("nothing");
        symlink("/dev/null", &link).unwrap();
        for path in [Path::new("/dev/null"), &link] {
            write(path, |out| out.write_all(b"x").and_then(|()| out.rewind())).unwrap();
            assert!(fs::metadata(path).unwrap().file_type().is_char_device());
        }
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_gets_the_whole_or_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        // Nobody reads yet: opening the pipe would wait for ever.
        let failed: io::Result<()> = write(&pipe, |out| {
            out.write_all(b"half")?;
            Err(io::Error::other("no more"))
        });
        assert!(failed.is_err());
        std::thread::scope(|scope| {
            let reader = scope.spawn(|| fs::read(&pipe).unwrap());
            write(&pipe, |out| out.write_all(b"whole")).unwrap();
            assert_eq!(reader.join().unwrap(), b"whole");
        });
    }
}
