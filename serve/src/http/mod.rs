//! What the protocols over HTTP share: bodies, replies, and what is noted of each request.

pub(crate) mod answer;
mod body;
mod encoding;
mod observe;
mod outgoing;
mod path;
pub(crate) mod reply;

pub(crate) use self::body::{Incoming, read_json};
pub(crate) use self::observe::{Observe, Scored};
pub(crate) use self::path::Named;
