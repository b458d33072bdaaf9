//! H2O's MOJO archive: a zip of texts that H2O's runtime, and we, can load and score.
//!
//! # Entries
//!
//! | entry | content |
//! |---|---|
//! | `model.ini` | the model itself, in three sections |
//! | `domains/dNNN.txt` | the levels of one categorical column, one per line, in the order of their codes |
//! | `_orig_names` | the columns that a user sends, where they are not the model's own |
//! | `_orig_domain_values_N` | the levels of one of those |
//! | `aqueduct/profile.json` | ours: `{"version": 1, "profile": …}`, what the training columns looked like |
//! | `aqueduct/golden.json` | ours: `{"version": 1, "golden": …}`, rows and the answers they got |
//! | `experimental/modelDetails.json` | H2O's: parameters, metrics, history and importances, see [`ModelDetails`] |
//!
//! H2O's runtime ignores entries that it does not know, and ours are optional on reading: an archive of H2O has none.
//! All entries are deflated and carry the date 1980-01-01, so that the same model makes the same bytes.
//!
//! # `model.ini`
//!
//! ```text
//! [info]
//! key = value
//!
//! [columns]
//! the name of a column, as it stands; features first, then weights, offset and fold, the response last
//!
//! [domains]
//! 0: 3 d000.txt      the column's index, its number of levels, its entry; only for categorical columns
//! ```
//!
//! Lines are trimmed, and empty ones and those that start with `#` are skipped, in every section. Nothing is escaped: a
//! column name that such a line cannot carry is refused by the writer, and lost to the reader. In `domains/` lines are
//! not trimmed, and backslash, line feed and carriage return are written `\\`, `\n` and `\r` where the key
//! `escape_domain_values` is true.
//!
//! Numbers are spelled as Java spells them: H2O's runtime tells an integer from a double by the spelling alone, so a
//! double always has a point. An absent list is `null`.
//!
//! # Keys
//!
//! `layout` names them all. For Deep Learning: `nums` and `cats` count the features; categoricals come first.
//! `cat_offsets` has the first input of each categorical and then that of the numbers; the last input of each
//! categorical is its bucket for missing and unseen levels. `norm_mul` and `norm_sub` scale the numbers, `(x - sub) *
//! mul`; `null` or empty where nothing is scaled. `norm_resp_mul` and `norm_resp_sub` do the same for the response of a
//! regression. `neural_network_sizes` counts the units of each layer, inputs included. `weight_layerL` holds, row by row
//! of the layer above, a single-precision weight for each unit below; in a hidden Maxout layer two, interleaved.
//! `bias_layerL` holds a double for each unit. `hidden_dropout_ratios` has one for each layer, 0 for the last;
//! it scales the outputs of a `…WithDropout` activation.
//!
//! An autoencoder has `category = AutoEncoder` and `supervised = false`: no column is its response, `n_classes` is 1, and
//! its last layer has a unit for each input and the activation of the others.
//!
//! `_genmodel_encoding` says how the columns that a user sends become the model's own. Where they are not the same,
//! `[columns]` and all the keys above have the model's own, which are numeric. The others are in `_orig_names`, a line
//! each, the response last, `_n_orig_names` in all; `_m_orig_domain_values_N` counts the levels of one, 0 for a
//! number, and `_orig_domain_values_N` has them. These lines are escaped, and they are trimmed when they are read: levels
//! with outer blanks are refused by the writer, and lost to the reader. `_orig_projection_array` has a number for each
//! level, one column after the other; only `Eigen` needs it, which replaces levels by them.
//!
//! # Limits
//!
//! An archive may unpack to 16 MiB and a hundred times its own length, 4 GiB at most: the writer makes none that holds
//! more, the reader refuses one. Up to 1,000,000 columns and 10,000 layers are read, 10,000,000 levels a column, and no
//! more levels in all than the network has inputs and outputs, or 1,000,000 where columns are encoded. Counts are checked
//! before anything is kept for them.
//!
//! # Versions
//!
//! 1.00 has no `_genmodel_encoding`: the model's own columns are those that a user has to send. 1.10, which we write, has:
//! `AUTO` (or `OneHotInternal`, `SortByResponse`, which are the same to a scorer) says the same; `Binary`, `Eigen` and
//! `LabelEncoder` are read, too, and others refused. A version that is newer than [`MOJO_VERSION`] is refused, as H2O's
//! runtime refuses it. Of our own entries there is version 1.

mod archive;
mod deep_learning;
mod details;
mod error;
mod ini;
mod layout;
mod names;
mod original;
mod own;
mod reader;
mod values;
mod writer;

pub use details::{ModelDetails, read_mojo_details};
pub use error::{ReadError, WriteError};
pub use layout::{H2O_VERSION, MOJO_VERSION};
pub use reader::{read_mojo, read_mojo_from};
pub(crate) use writer::check;
pub use writer::write_mojo;

#[cfg(test)]
mod tests;
