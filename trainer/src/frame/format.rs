use super::{arff, svmlight};

/// How the text of a file spells a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Csv,
    Arff,
    SvmLight,
}

impl Format {
    /// Tells the format from the beginning of the text (`whole`: from all of it); names of files do not matter.
    pub fn of(text: &[u8], whole: bool) -> Self {
        if arff::is_arff(text) {
            Self::Arff
        } else if svmlight::is_svmlight(text, whole) {
            Self::SvmLight
        } else {
            Self::Csv
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Csv => "CSV",
            Self::Arff => "ARFF",
            Self::SvmLight => "SVMLight",
        }
    }
}
