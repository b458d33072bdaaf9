//! Folders that are there whole or not at all.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context;
use tempfile::TempDir;

use crate::output;

/// A folder under construction beside its place. Dropped without [`finish`](Self::finish) it leaves nothing.
pub struct Staging {
    flag: &'static str,
    target: PathBuf,
    folder: TempDir,
}

impl Staging {
    /// A folder that is to stand where this flag says.
    pub fn create(flag: &'static str, target: &Path) -> anyhow::Result<Self> {
        // A link is followed: its target is what is replaced.
        let target = target.canonicalize().unwrap_or_else(|_| target.to_owned());
        let parent = target.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let shown = target.display();
        let failed = || format!("cannot write {flag} {shown}: cannot create a folder in {}", parent.display());
        fs::metadata(parent).with_context(failed)?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(".aqueduct-");
        // As readable as any folder: `tempfile` keeps its own from everybody else.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
        let folder = builder.tempdir_in(parent);
        // The kind alone: the message would name the staging folder, which says nothing to anybody.
        let folder = folder.map_err(|error| io::Error::from(error.kind())).with_context(failed)?;
        Ok(Self { flag, target, folder })
    }

    /// Puts the folder in its place. A folder that is there is replaced. What cannot be put there stays where it was made.
    pub fn finish(self) -> anyhow::Result<()> {
        let shown = self.shown();
        let moved = self.exchange();
        // Either it has another name now, and there is nothing left to remove, or it is to stay.
        let made = self.folder.keep();
        let failed = || format!("cannot write {shown}, what was to stand there is {}", made.display());
        if let Some(old) = moved.with_context(failed)?
            && let Err(error) = fs::remove_dir_all(&old)
        {
            output::warning(format_args!("what was there before stays as {}: {error}", old.display()));
        }
        Ok(())
    }

    /// Gives the folder its place, and returns where that leaves the one that was there.
    fn exchange(&self) -> anyhow::Result<Option<PathBuf>> {
        let old = self.target.exists().then(|| self.folder.path().with_extension("old"));
        if let Some(old) = &old {
            // Moved aside first: it is not removed before the new one is in its place.
            fs::rename(&self.target, old)?;
        }
        if let Err(error) = fs::rename(self.folder.path(), &self.target) {
            if let Some(old) = &old {
                fs::rename(old, &self.target)
                    .with_context(|| format!("what was there before is {} now", old.display()))?;
            }
            return Err(error.into());
        }
        Ok(old)
    }

    /// Leaves the folder where it is, for whoever made it to be told.
    pub fn keep(self) -> PathBuf {
        self.folder.keep()
    }

    /// Where the folder is for now.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The flag and what it says.
    pub fn shown(&self) -> String {
        format!("{} {}", self.flag, self.target.display())
    }
}
