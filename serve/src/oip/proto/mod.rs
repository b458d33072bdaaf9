//! The messages and the service, generated from `proto/inference.proto`.

#[rustfmt::skip]
#[expect(
    clippy::all,
    clippy::pedantic,
    unused_qualifications,
    reason = "generated"
)]
mod inference;

pub(super) use self::inference::*;

/// The descriptors, for clients that ask what there is.
pub(super) const DESCRIPTORS: &[u8] = include_bytes!("inference.bin");
