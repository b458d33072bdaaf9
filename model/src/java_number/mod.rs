//! Numbers as Java reads and prints them: so are those of a MOJO, and of the tables that H2O's tools write.

mod parse;
mod print;

pub use parse::parse_java_double;
pub use print::JavaNumber;
