//! What can go wrong between a model and its archive.

use std::io;
use std::path::PathBuf;

use model::{NetworkError, ShapeError};

use super::layout::MOJO_VERSION;

/// An archive that cannot be read. The messages do not name the archive: whoever opened it does.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the fields are what the messages say")]
pub enum ReadError {
    #[error("it cannot be read: {0}")]
    Io(#[from] io::Error),
    #[error("it is no zip archive, or one that is cut off or damaged ({reason})")]
    Zip { reason: String },
    #[error("it holds {found} entries, more than the {limit} that are read")]
    TooManyEntries { found: usize, limit: usize },
    #[error("two of its entries have the same name")]
    DuplicateEntries,
    #[error("entry `{entry}` is missing")]
    MissingEntry { entry: String },
    #[error("entry `{entry}` cannot be unpacked: {reason}")]
    DamagedEntry { entry: String, reason: String },
    #[error(
        "entry `{entry}`: its unpacked texts are longer than the {limit} bytes that are read of so small an archive"
    )]
    TooLarge { entry: String, limit: u64 },
    #[error("entry `{entry}`, line {line}: not UTF-8")]
    NotUtf8 { entry: String, line: usize },
    #[error("entry `{entry}`, line {line}: expected {expected}, found `{found}`")]
    Line { entry: String, line: usize, expected: &'static str, found: String },
    #[error("its `n_columns` is {found}; up to {limit} are read")]
    TooManyColumns { found: usize, limit: usize },
    #[error("entry `{entry}`, line {line}: more {what} than `n_columns`, which is {columns}")]
    TooManyLines { entry: String, line: usize, what: &'static str, columns: usize },
    #[error("entry `{entry}`: section `{section}` is missing")]
    MissingSection { entry: String, section: &'static str },
    #[error("entry `{entry}`: key `{key}` is missing")]
    MissingKey { entry: String, key: String },
    #[error("entry `{entry}`, line {line}, key `{key}`: expected {expected}, found `{found}`")]
    Value { entry: String, line: usize, key: String, expected: String, found: String },
    #[error("key `{key}`: expected {expected} numbers, found {found}")]
    Length { key: String, expected: usize, found: usize },
    #[error("entry `{entry}`: expected {expected} names, found {found}")]
    NameCount { entry: String, expected: usize, found: usize },
    #[error("entry `{entry}`: expected {expected} levels, found {found}")]
    DomainLength { entry: String, expected: usize, found: usize },
    #[error("entry `{entry}`: it is to hold {found} levels, more than the {limit} that there is room for")]
    TooManyLevels { entry: String, found: usize, limit: usize },
    #[error("its `mojo_version` is {found}; from 1.00 to {MOJO_VERSION} are read")]
    MojoVersion { found: String },
    #[error("it holds a {found} model; Deep Learning models are read")]
    Algorithm { found: String },
    #[error(
        "it holds a Deep Learning model of category {found}; Binomial, Multinomial, Regression and AutoEncoder are read"
    )]
    Category { found: String },
    #[error(
        "its categorical encoding is {found}; AUTO, OneHotInternal, SortByResponse, Binary, Eigen and LabelEncoder are read"
    )]
    Encoding { found: String },
    #[error("its distribution is {found}; {read} are read")]
    Distribution { found: String, read: String },
    #[error(
        "its columns make {expected} inputs and its network has {found}: H2O hashed them (max_categorical_features), and no archive says how"
    )]
    HashedColumns { expected: usize, found: usize },
    #[error(transparent)]
    Shape(#[from] ShapeError),
    #[error(transparent)]
    Network(#[from] NetworkError),
    #[error("entry `{entry}`: {reason}")]
    OwnEntry { entry: &'static str, reason: String },
    #[error("entry `{entry}`: its version is {found}; version {read} is read")]
    OwnVersion { entry: &'static str, found: u32, read: u32 },
}

/// An archive that cannot be written. Nothing of it remains.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the fields are what the messages say")]
pub enum WriteError {
    #[error("column `{column}`: a MOJO cannot carry its name, which {reason}; rename it in the training frame")]
    ColumnName { column: String, reason: &'static str },
    #[error(
        "column `{column}`: a MOJO cannot carry its level `{level}` where levels are encoded, as it begins or ends with a blank"
    )]
    Level { column: String, level: String },
    #[error("two columns are named `{column}`: a MOJO finds columns by their names; rename one in the training frame")]
    DuplicateColumn { column: String },
    #[error("{what} `{text}`: a MOJO cannot carry it, as it {reason}")]
    Text { what: &'static str, text: String, reason: &'static str },
    #[error("no MOJO can be written for a model of algorithm {algorithm}")]
    Algorithm { algorithm: &'static str },
    #[error(
        "no MOJO can be written of categorical_encoding {encoding}, as H2O's runtime cannot load one; train with AUTO, \
         SortByResponse, Binary, Eigen or LabelEncoder"
    )]
    Encoding { encoding: &'static str },
    #[error("no MOJO can be written of levels that share slots (max_categorical_features): write the net out first")]
    Hashed,
    #[error(
        "a MOJO cannot carry it: it would hold {unpacked} bytes of text, and of an archive of its size {limit} are read"
    )]
    TooLarge { unpacked: u64, limit: u64 },
    #[error(transparent)]
    Shape(#[from] ShapeError),
    #[error("cannot write `{}`: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
}
