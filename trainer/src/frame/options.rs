use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use super::FrameError;

/// How a file is read where the guesses from its first 4 MiB are not wanted.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReadOptions {
    /// Types by column name, or by position as `C1`, `C2`, .. where no column has that name. The last of several wins.
    pub column_types: Vec<(String, ColumnType)>,
    /// Types of columns where they are there, such as those of the table that a model was trained on.
    pub known_types: Vec<(String, ColumnType)>,
    /// The byte between cells. Default: guessed among 0x01, comma, semicolon, bar, tab and space.
    pub separator: Option<u8>,
    /// Whether the first line holds names. Default: guessed; a table of text only has none.
    pub header: Option<bool>,
    /// Further texts that mean a missing value, in every column. Default: none; an empty cell is always missing.
    pub na_strings: Vec<String>,
    /// Threads that parse. Default: as many as there are cores. The table does not depend on it.
    pub threads: Option<usize>,
    /// What happens to a table that is too large for memory. Default: it is held in memory all the same.
    pub spill: Option<SpillOptions>,
}

/// When the values of a table go to a file that is mapped into memory, and where that is. It has no name and is gone with
/// the table, however the process ends. SVMLight is always held in memory.
#[derive(Debug, Clone, PartialEq)]
pub struct SpillOptions {
    /// The most memory, in bytes, that values may take.
    pub limit: u64,
    /// The folder for the file.
    pub folder: PathBuf,
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ColumnType {
    /// Numbers.
    Numeric,
    /// One of a fixed set of texts, the levels.
    Enum,
    /// Points in time; a number of milliseconds to the model.
    Time,
    /// Free text, which no predictor can use.
    String,
    /// Universally unique identifiers, which no predictor can use either.
    Uuid,
}

impl FromStr for ColumnType {
    type Err = FrameError;

    /// Reads H2O's names for column types, in any case.
    fn from_str(given: &str) -> Result<Self, FrameError> {
        match given.to_ascii_lowercase().as_str() {
            "numeric" | "real" | "int" | "double" | "float" | "long" => Ok(Self::Numeric),
            "enum" | "factor" | "categorical" => Ok(Self::Enum),
            "string" => Ok(Self::String),
            "time" => Ok(Self::Time),
            "uuid" => Ok(Self::Uuid),
            _ => Err(FrameError::UnknownType { given: given.to_owned() }),
        }
    }
}

impl fmt::Display for ColumnType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Numeric => "numeric",
            Self::Enum => "enum",
            Self::Time => "time",
            Self::String => "string",
            Self::Uuid => "uuid",
        })
    }
}

/// How far reading has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadProgress {
    /// Bytes taken from the file as it lies on disk, compressed or not.
    pub bytes_read: u64,
    /// The size of the file on disk, if it is a file.
    pub bytes_total: Option<u64>,
    /// Rows complete so far.
    pub rows: usize,
}
