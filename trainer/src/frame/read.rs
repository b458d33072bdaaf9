use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::guess::{FileLayout, Preview, Survey, agree};
use super::intake::Rows;
use super::source::Source;
use super::{Frame, FrameError, ReadOptions, ReadProgress};

/// How many bytes are looked at and read at a time, and the most of anything that is believed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sizes {
    /// What the guesses are made from.
    pub preview: usize,
    /// What is read at a time behind it.
    pub block: usize,
    /// The longest cell that is believed, and the most that is looked at for two lines.
    pub longest: usize,
    /// The most levels of a categorical column, as in H2O.
    pub levels: usize,
}

impl Default for Sizes {
    fn default() -> Self {
        Self { preview: 4 << 20, block: 1 << 18, longest: 1 << 28, levels: 10_000_000 }
    }
}

impl Frame {
    /// Reads a file: CSV, ARFF or SVMLight, plain or packed by gzip, zip or zstd, which is told from its content.
    pub fn read(
        path: &Path,
        options: &ReadOptions,
        progress: &mut dyn FnMut(ReadProgress),
    ) -> Result<Self, FrameError> {
        Self::read_all(&[path], options, progress)
    }

    /// Reads several files as one table, the rows of each behind those of the one before. They have to agree in format,
    /// separator, number of columns and names; only one of them needs to have names.
    pub fn read_all<P: AsRef<Path>>(
        paths: &[P],
        options: &ReadOptions,
        progress: &mut dyn FnMut(ReadProgress),
    ) -> Result<Self, FrameError> {
        let names: Vec<String> = paths.iter().map(|path| path.as_ref().display().to_string()).collect();
        let files: Vec<(&Path, &str)> = paths.iter().map(AsRef::as_ref).zip(names.iter().map(String::as_str)).collect();
        match files[..] {
            [] => Err(FrameError::NoFile),
            [(path, name)] => {
                let (file, bytes_total) = open(path, name)?;
                read(file, name, bytes_total, options, progress, Sizes::default())
            }
            _ => read_several(&files, options, progress, Sizes::default()),
        }
    }

    /// Reads a table as [`read`](Self::read) does, from anywhere; errors call it `source_name`.
    pub fn read_from(
        reader: impl Read + Send,
        source_name: &str,
        options: &ReadOptions,
        progress: &mut dyn FnMut(ReadProgress),
    ) -> Result<Self, FrameError> {
        read(reader, source_name, None, options, progress, Sizes::default())
    }
}

/// Reads a table in one pass: the layout is guessed from the first bytes, which are then read like the rest.
pub(super) fn read(
    reader: impl Read + Send,
    file: &str,
    bytes_total: Option<u64>,
    options: &ReadOptions,
    progress: &mut dyn FnMut(ReadProgress),
    sizes: Sizes,
) -> Result<Frame, FrameError> {
    check(options)?;
    let mut source = Source::new(reader, file)?;
    let survey = fill_preview(&mut source, file, sizes)?.survey(options, None)?;
    let layout = survey.layout;
    let mut rows = Rows::new(survey, options, sizes)?;
    rows.take_file(source, file, &layout, sizes, options.threads, &mut |bytes_read, rows| {
        progress(ReadProgress { bytes_read, bytes_total, rows });
    })?;
    rows.finish(file, options)
}

/// Reads a table in two passes, as the layout depends on the first bytes of every file.
pub(super) fn read_several(
    files: &[(&Path, &str)],
    options: &ReadOptions,
    progress: &mut dyn FnMut(ReadProgress),
    sizes: Sizes,
) -> Result<Frame, FrameError> {
    check(options)?;
    let mut surveys: Vec<Survey<'_>> = Vec::with_capacity(files.len());
    let mut bytes_total = Some(0);
    for &(path, name) in files {
        let (file, length) = open(path, name)?;
        let length = length.ok_or_else(|| FrameError::NotRegular { file: name.to_owned() })?;
        bytes_total = bytes_total.map(|total: u64| total.saturating_add(length));
        let known = surveys.iter().find_map(Survey::names);
        let mut source = Source::new(file, name)?;
        let survey = fill_preview(&mut source, name, sizes)?.survey(options, known)?;
        surveys.push(survey);
    }
    let layouts: Vec<FileLayout> = surveys.iter().map(|survey| survey.layout).collect();
    let mut rows = Rows::new(agree(surveys)?, options, sizes)?;
    let mut bytes_before = 0;
    for (&(path, name), layout) in files.iter().zip(&layouts) {
        let source = Source::new(open(path, name)?.0, name)?;
        bytes_before += rows.take_file(source, name, layout, sizes, options.threads, &mut |bytes, rows| {
            progress(ReadProgress { bytes_read: bytes_before + bytes, bytes_total, rows });
        })?;
    }
    rows.finish(files[0].1, options)
}

/// Opens a file and finds out how large it is, if it is one.
fn open(path: &Path, name: &str) -> Result<(File, Option<u64>), FrameError> {
    let opened = File::open(path).and_then(|file| Ok((file.metadata()?, file)));
    match opened {
        Err(source) => Err(FrameError::Open { file: name.to_owned(), source }),
        Ok((metadata, _)) if metadata.is_dir() => Err(FrameError::IsFolder { file: name.to_owned() }),
        Ok((metadata, file)) => Ok((file, metadata.is_file().then_some(metadata.len()))),
    }
}

fn check(options: &ReadOptions) -> Result<(), FrameError> {
    match options.separator {
        Some(separator) if is_part_of_cells(separator) => Err(FrameError::Separator { separator }),
        _ => Ok(()),
    }
}

/// Whether a byte means something within cells or rows, so that it cannot stand between cells.
fn is_part_of_cells(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || !byte.is_ascii() || b"\0\n\r\"#+-.$%".contains(&byte)
}

/// Reads what the guesses need: 4 MiB, or more if that is less than two lines.
fn fill_preview<'a, 'f>(
    source: &'a mut Source<'_>,
    file: &'f str,
    sizes: Sizes,
) -> Result<Preview<'a, 'f>, FrameError> {
    let mut length = sizes.preview;
    loop {
        source.fill_to(length, 1)?;
        let preview = Preview { file, text: source.bytes(), whole: source.ended() };
        if preview.is_enough() || length >= sizes.longest {
            break;
        }
        length = (length * 2).min(sizes.longest);
    }
    Ok(Preview { file, text: source.bytes(), whole: source.ended() })
}
