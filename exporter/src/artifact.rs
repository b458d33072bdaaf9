//! What an archive holds, whoever wrote it.

use std::borrow::Cow;

use model::{Model, Profile};

use crate::checksum::checksum;
use crate::golden::Golden;
use crate::mojo::{H2O_VERSION, MOJO_VERSION};

/// A model as it travels: with its papers, and with the means to check it on arrival.
#[derive(Debug, Clone, PartialEq)]
pub struct Artifact {
    /// What scores.
    pub model: Model,
    /// Where it comes from.
    pub info: ArtifactInfo,
    /// What its training columns looked like; `None` in an archive that H2O wrote.
    pub profile: Option<Profile>,
    /// Rows with the answers that the model gave when it was written; `None` in an archive that H2O wrote.
    pub golden: Option<Golden>,
}

/// Where a model comes from, in the words of its archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArtifactInfo {
    /// The release that wrote the archive; see [`H2O_VERSION`] for ours.
    pub h2o_version: String,
    /// The version of the format in the archive that was read. What we write is always [`MOJO_VERSION`].
    pub mojo_version: String,
    /// The long name of the algorithm, such as `Deep Learning`.
    pub algorithm: String,
    /// Tells models apart: a checksum of the model, as a signed decimal number.
    pub uuid: String,
    /// When the model was trained, in ISO 8601: H2O writes UTC to the millisecond, `2026-11-30T15:00:36.751Z`.
    pub timestamp: String,
}

impl Artifact {
    /// A model of ours that was trained at this time. The same model with the same time makes the same archive, byte for
    /// byte.
    pub fn new(model: Model, timestamp: impl Into<String>) -> Self {
        let info = ArtifactInfo {
            h2o_version: H2O_VERSION.to_owned(),
            mojo_version: MOJO_VERSION.to_owned(),
            algorithm: "Deep Learning".to_owned(),
            uuid: checksum(&model).cast_signed().to_string(),
            timestamp: timestamp.into(),
        };
        Self { model, info, profile: None, golden: None }
    }

    /// Adds the profile of the training frame, and golden rows that are drawn from it.
    #[must_use]
    pub fn with_profile(mut self, profile: Profile) -> Self {
        self.golden = Some(Golden::draw(&self.model, &profile, checksum(&self.model)));
        self.profile = Some(profile);
        self
    }

    /// The same model as we write it anew: under our release, and with golden rows, drawn from its schema where it came
    /// without any.
    #[must_use]
    pub fn adopted(mut self) -> Self {
        H2O_VERSION.clone_into(&mut self.info.h2o_version);
        MOJO_VERSION.clone_into(&mut self.info.mojo_version);
        if let Cow::Owned(drawn) = self.golden_rows() {
            self.golden = Some(drawn);
        }
        self
    }

    /// The golden rows; where the artifact has none, rows that are drawn from its schema.
    pub(crate) fn golden_rows(&self) -> Cow<'_, Golden> {
        match self.golden.as_ref().filter(|golden| !golden.rows.is_empty()) {
            Some(golden) => Cow::Borrowed(golden),
            None => Cow::Owned(Golden::draw_without_profile(&self.model, checksum(&self.model))),
        }
    }
}

impl ArtifactInfo {
    /// The release of ours that wrote the archive; `None` where H2O did.
    pub fn aqueduct_version(&self) -> Option<&str> {
        self.h2o_version.split_once("-aqueduct-").map(|(_, version)| version)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_archives_tell_themselves_from_those_of_h2o() {
        let mut info = crate::samples::artifact().info;
        assert_eq!(info.aqueduct_version(), Some(env!("CARGO_PKG_VERSION")));
        info.h2o_version = "3.46.0.11".to_owned();
        assert_eq!(info.aqueduct_version(), None);
    }

    #[test]
    fn an_archive_of_h2o_is_adopted_with_rows_of_its_own() {
        let ours = crate::samples::artifact();
        let adopted = ours.clone().adopted();
        assert_eq!((adopted.info, adopted.golden), (ours.info, ours.golden));
        let mut theirs = Artifact::new(crate::samples::minimal(), crate::samples::TIMESTAMP);
        theirs.info.h2o_version = "3.46.0.11".to_owned();
        let adopted = theirs.clone().adopted();
        assert_eq!(adopted.info.aqueduct_version(), Some(env!("CARGO_PKG_VERSION")));
        assert_eq!((&adopted.info.uuid, &adopted.model), (&theirs.info.uuid, &theirs.model));
        assert!(adopted.golden.is_some_and(|golden| !golden.rows.is_empty()));
    }
}
