use std::io::Read;
use std::path::{Path, PathBuf};

use super::columnar::{self, ColumnarFormat, Columns};
use super::files::{Input, Opened, from_reader, in_folders, open};
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
    /// The most rows: they are counted in 32 bits where they train.
    pub rows: u32,
    /// The least bytes of values that are worth moving to a file while others come in.
    pub spilled: u64,
}

impl Default for Sizes {
    fn default() -> Self {
        Self {
            preview: 4 << 20,
            block: 1 << 18,
            longest: 1 << 28,
            levels: 10_000_000,
            rows: u32::MAX,
            spilled: 1 << 20,
        }
    }
}

impl Frame {
    /// Reads a file, or a folder of files: Parquet, Arrow, or CSV, ARFF or SVMLight, plain or packed by gzip, zip or zstd.
    /// Which it is is told from its content.
    pub fn read(
        path: &Path,
        options: &ReadOptions,
        progress: &mut dyn FnMut(ReadProgress),
    ) -> Result<Self, FrameError> {
        Self::read_all(&[path], options, progress)
    }

    /// Reads several files as one table, the rows of each behind those of the one before. A folder stands for its files in
    /// the order of their names. They have to agree in format, separator, number of columns and names, and Parquet and
    /// Arrow in types; only one of those of text needs to have names.
    pub fn read_all<P: AsRef<Path>>(
        paths: &[P],
        options: &ReadOptions,
        progress: &mut dyn FnMut(ReadProgress),
    ) -> Result<Self, FrameError> {
        let paths = in_folders(paths)?;
        let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        let files: Vec<(&Path, &str)> =
            paths.iter().map(PathBuf::as_path).zip(names.iter().map(String::as_str)).collect();
        match files[..] {
            [] => Err(FrameError::NoFile),
            [(path, name)] => read_opened(open(path, name)?, name, options, progress, Sizes::default()),
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
        read(reader, source_name, options, progress, Sizes::default())
    }
}

/// Reads a table from anywhere.
pub(super) fn read(
    reader: impl Read + Send,
    file: &str,
    options: &ReadOptions,
    progress: &mut dyn FnMut(ReadProgress),
    sizes: Sizes,
) -> Result<Frame, FrameError> {
    read_opened(from_reader(reader, file)?, file, options, progress, sizes)
}

/// Reads a table in one pass: the layout is guessed from the first bytes, which are then read like the rest.
fn read_opened(
    opened: Opened<'_>,
    file: &str,
    options: &ReadOptions,
    progress: &mut dyn FnMut(ReadProgress),
    sizes: Sizes,
) -> Result<Frame, FrameError> {
    check(options)?;
    let bytes_total = opened.input.length();
    let mut told = |bytes_read, rows| progress(ReadProgress { bytes_read, bytes_total, rows });
    if let Some(format) = opened.format {
        let mut columns = Columns::new(opened.input, file, format)?;
        let survey = columns.survey(options)?;
        let mut table = columnar::table(&survey, options, sizes)?;
        columns.take_all(&mut table, survey.contents(), &mut told)?;
        return columnar::finish(table, &survey, options);
    }
    let mut source = Source::new(opened.input.into_reader(), file)?;
    let survey = fill_preview(&mut source, file, sizes)?.survey(options, None)?;
    let layout = survey.layout;
    let mut rows = Rows::new(survey, options, sizes)?;
    rows.take_file(source, file, &layout, sizes, options.threads, &mut told)?;
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
    let formats = files.iter().map(|&(path, name)| open(path, name).map(|opened| opened.format));
    let formats = formats.collect::<Result<Vec<_>, _>>()?;
    let name = |format: Option<ColumnarFormat>| format.map(ColumnarFormat::name);
    if let Some(at) = formats.iter().position(|&format| name(format) != name(formats[0])) {
        let is = |format| format!("is {}", name(format).unwrap_or("text"));
        let (first, other) = (files[0].1.to_owned(), files[at].1.to_owned());
        return Err(FrameError::FilesDiffer { first, other, expected: is(formats[0]), found: is(formats[at]) });
    }
    match formats.into_iter().collect::<Option<Vec<_>>>() {
        Some(formats) => read_columnar(files, &formats, options, progress, sizes),
        None => read_texts(files, options, progress, sizes),
    }
}

fn read_columnar(
    files: &[(&Path, &str)],
    formats: &[ColumnarFormat],
    options: &ReadOptions,
    progress: &mut dyn FnMut(ReadProgress),
    sizes: Sizes,
) -> Result<Frame, FrameError> {
    let files = || files.iter().zip(formats).map(|(&(path, name), format)| (path, name, *format));
    let mut agreed: Option<columnar::Survey> = None;
    let mut bytes_total = 0_u64;
    for (path, name, format) in files() {
        let (input, length) = open_regular(path, name)?;
        bytes_total = bytes_total.saturating_add(length);
        let survey = Columns::new(input, name, format)?.survey(options)?;
        agreed = Some(match agreed {
            Some(first) => first.agreed(survey)?,
            None => survey,
        });
    }
    let survey = agreed.ok_or(FrameError::NoFile)?;
    let mut table = columnar::table(&survey, options, sizes)?;
    let mut bytes_before = 0;
    for (path, name, format) in files() {
        let columns = Columns::new(open_regular(path, name)?.0, name, format)?;
        bytes_before += columns.take_all(&mut table, survey.contents(), &mut |bytes, rows| {
            progress(ReadProgress { bytes_read: bytes_before + bytes, bytes_total: Some(bytes_total), rows });
        })?;
    }
    columnar::finish(table, &survey, options)
}

fn read_texts(
    files: &[(&Path, &str)],
    options: &ReadOptions,
    progress: &mut dyn FnMut(ReadProgress),
    sizes: Sizes,
) -> Result<Frame, FrameError> {
    let mut surveys: Vec<Survey<'_>> = Vec::with_capacity(files.len());
    let mut bytes_total = 0_u64;
    for &(path, name) in files {
        let (input, length) = open_regular(path, name)?;
        bytes_total = bytes_total.saturating_add(length);
        let known = surveys.iter().find_map(Survey::names);
        let mut source = Source::new(input.into_reader(), name)?;
        let survey = fill_preview(&mut source, name, sizes)?.survey(options, known)?;
        surveys.push(survey);
    }
    let layouts: Vec<FileLayout> = surveys.iter().map(|survey| survey.layout).collect();
    let mut rows = Rows::new(agree(surveys)?, options, sizes)?;
    let mut bytes_before = 0;
    for (&(path, name), layout) in files.iter().zip(&layouts) {
        let source = Source::new(open(path, name)?.input.into_reader(), name)?;
        bytes_before += rows.take_file(source, name, layout, sizes, options.threads, &mut |bytes, rows| {
            progress(ReadProgress { bytes_read: bytes_before + bytes, bytes_total: Some(bytes_total), rows });
        })?;
    }
    rows.finish(files[0].1, options)
}

/// Opens a file that can be read twice, and tells its length.
fn open_regular(path: &Path, name: &str) -> Result<(Input<'static>, u64), FrameError> {
    let input = open(path, name)?.input;
    let length = input.length().ok_or_else(|| FrameError::NotRegular { file: name.to_owned() })?;
    Ok((input, length))
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
