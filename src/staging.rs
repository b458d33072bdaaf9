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
        let folder = tempfile::Builder::new().prefix(".aqueduct-run-").tempdir_in(parent);
        // The kind alone: the message would name the staging folder, which says nothing to anybody.
        let folder = folder.map_err(|error| io::Error::from(error.kind())).with_context(failed)?;
        Ok(Self { flag, target, folder })
    }

    /// Puts the folder in its place. A folder that is there is replaced.
    pub fn finish(self) -> anyhow::Result<()> {
        let shown = self.shown();
        let failed = || format!("cannot write {shown}");
        set_readable(self.folder.path()).with_context(failed)?;
        let old = self.target.exists().then(|| self.folder.path().with_extension("old"));
        if let Some(old) = &old {
            // Moved aside first, so that at every moment the old folder or the new one is whole.
            fs::rename(&self.target, old).with_context(failed)?;
        }
        if let Err(error) = fs::rename(self.folder.path(), &self.target) {
            if let Some(old) = &old {
                fs::rename(old, &self.target).with_context(failed)?;
            }
            return Err(error).with_context(failed);
        }
        // It has another name now: there is nothing left to remove.
        let _ = self.folder.keep();
        if let Some(old) = old
            && let Err(error) = fs::remove_dir_all(&old)
        {
            output::warning(format_args!("what was there before stays as {}: {error}", old.display()));
        }
        Ok(())
    }

    /// Leaves the folder where it is, for whoever made it to be told.
    pub fn keep(self) -> io::Result<PathBuf> {
        let kept = self.folder.keep();
        set_readable(&kept)?;
        Ok(kept)
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

/// Temporary folders are for their owner only; these are as readable as any folder.
#[cfg(unix)]
fn set_readable(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn set_readable(_folder: &Path) -> io::Result<()> {
    Ok(())
}
