use std::fs::{self, File};
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::FrameError;
use super::columnar::ColumnarFormat;

/// A file whose first bytes have been looked at.
pub(super) struct Opened<'r> {
    pub input: Input<'r>,
    /// The format, if it is one of typed columns.
    pub format: Option<ColumnarFormat>,
}

pub(super) enum Input<'r> {
    /// A file that lies on disk, from its start, and its length.
    File(File, u64),
    /// Anything else, which can be read once.
    Stream(Box<dyn Read + Send + 'r>),
}

impl<'r> Input<'r> {
    pub fn into_reader(self) -> Box<dyn Read + Send + 'r> {
        match self {
            Self::File(file, _) => Box::new(file),
            Self::Stream(reader) => reader,
        }
    }

    /// The length, where that is known.
    pub fn length(&self) -> Option<u64> {
        match self {
            Self::File(_, length) => Some(*length),
            Self::Stream(_) => None,
        }
    }
}

/// Opens a file.
pub(super) fn open(path: &Path, name: &str) -> Result<Opened<'static>, FrameError> {
    let failed = |source| FrameError::Open { file: name.to_owned(), source };
    let mut file = File::open(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    if !metadata.is_file() {
        return from_reader(file, name);
    }
    let first = first_bytes(&mut file).and_then(|first| file.seek(SeekFrom::Start(0)).map(|_| first));
    let first = first.map_err(|source| FrameError::Read { file: name.to_owned(), source })?;
    Ok(Opened { input: Input::File(file, metadata.len()), format: ColumnarFormat::of(&first) })
}

/// The same for what is no file.
pub(super) fn from_reader<'r>(mut reader: impl Read + Send + 'r, name: &str) -> Result<Opened<'r>, FrameError> {
    let first = first_bytes(&mut reader).map_err(|source| FrameError::Read { file: name.to_owned(), source })?;
    let format = ColumnarFormat::of(&first);
    Ok(Opened { input: Input::Stream(Box::new(Cursor::new(first).chain(reader))), format })
}

fn first_bytes(reader: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut first = Vec::new();
    reader.take(ColumnarFormat::MAGIC_BYTES as u64).read_to_end(&mut first)?;
    Ok(first)
}

/// The files that paths name: a folder stands for the files in it, in bytewise order of their names. What begins with
/// `.` or `_` is passed over, as the marks that other tools leave beside their files.
pub(super) fn in_folders<P: AsRef<Path>>(paths: &[P]) -> Result<Vec<PathBuf>, FrameError> {
    let mut files = Vec::with_capacity(paths.len());
    for path in paths.iter().map(AsRef::as_ref) {
        if path.is_dir() {
            files.extend(in_folder(path)?);
        } else {
            files.push(path.to_owned());
        }
    }
    Ok(files)
}

fn in_folder(folder: &Path) -> Result<Vec<PathBuf>, FrameError> {
    let shown = || folder.display().to_string();
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let entries = entries.map_err(|source| FrameError::Open { file: shown(), source })?;
    let mut names: Vec<_> = entries.into_iter().map(|entry| entry.file_name()).collect();
    names.retain(|name| !matches!(name.as_encoded_bytes(), [b'.' | b'_', ..]));
    names.sort_unstable();
    let files: Vec<PathBuf> = names.iter().map(|name| folder.join(name)).collect();
    match files.iter().find(|file| file.is_dir()) {
        Some(inner) => Err(FrameError::IsFolder { file: inner.display().to_string() }),
        None if files.is_empty() => Err(FrameError::EmptyFolder { folder: shown() }),
        None => Ok(files),
    }
}
