//! The entries of our own.

use std::io::{Read, Seek};

use model::{Model, Profile};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::archive::Archive;
use super::error::ReadError;
use super::layout::entry::{GOLDEN, OWN_VERSION, PROFILE};
use crate::golden::Golden;

#[derive(Deserialize)]
struct Versioned {
    version: u32,
}

#[derive(Serialize, Deserialize)]
struct ProfileEntry<P> {
    version: u32,
    profile: P,
}

#[derive(Serialize, Deserialize)]
struct GoldenEntry<G> {
    version: u32,
    golden: G,
}

pub(super) fn profile_text(profile: &Profile) -> serde_json::Result<String> {
    serde_json::to_string(&ProfileEntry { version: OWN_VERSION, profile })
}

pub(super) fn golden_text(golden: &Golden) -> serde_json::Result<String> {
    serde_json::to_string(&GoldenEntry { version: OWN_VERSION, golden })
}

pub(super) fn read_profile<R: Read + Seek>(
    archive: &mut Archive<R>,
    model: &Model,
) -> Result<Option<Profile>, ReadError> {
    let Some(ProfileEntry::<Profile> { profile, .. }) = read(archive, PROFILE)? else { return Ok(None) };
    match profile.check(&model.schema) {
        Err(error) => Err(ReadError::OwnEntry { entry: PROFILE, reason: error.to_string() }),
        Ok(()) => Ok(Some(profile)),
    }
}

pub(super) fn read_golden<R: Read + Seek>(
    archive: &mut Archive<R>,
    model: &Model,
) -> Result<Option<Golden>, ReadError> {
    let Some(GoldenEntry::<Golden> { golden, .. }) = read(archive, GOLDEN)? else { return Ok(None) };
    match golden.problem(model) {
        Some(reason) => Err(ReadError::OwnEntry { entry: GOLDEN, reason }),
        None => Ok(Some(golden)),
    }
}

fn read<T: DeserializeOwned, R: Read + Seek>(
    archive: &mut Archive<R>,
    entry: &'static str,
) -> Result<Option<T>, ReadError> {
    let Some(text) = archive.optional_text(entry)? else { return Ok(None) };
    let problem = |error: serde_json::Error| ReadError::OwnEntry { entry, reason: error.to_string() };
    let Versioned { version } = serde_json::from_str(&text).map_err(problem)?;
    if version != OWN_VERSION {
        return Err(ReadError::OwnVersion { entry, found: version, read: OWN_VERSION });
    }
    serde_json::from_str(&text).map(Some).map_err(problem)
}
