//! Points in time: how cells spell them, and how a column keeps them.

mod parse;
mod storage;

pub(super) use parse::{parse, parse_declared};
pub(super) use storage::Times;

#[cfg(test)]
mod tests;
