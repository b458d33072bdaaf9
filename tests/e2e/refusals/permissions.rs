//! Folders and files that may not be written or read. Root may do anything, so as root the command runs as somebody else.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use libtest_mimic::{Completion, Failed, Trial};

use super::{make_model, training_data};
use crate::support::{Folder, outcome};

/// The user that owns nothing.
const NOBODY: &str = "65534";

pub fn tests() -> Vec<Trial> {
    vec![
        trial("a_folder_that_may_not_be_written", |somebody| {
            for (command, sentence) in [
                (
                    "train --progress off --training-frame ../data.csv --response-column paid --output new",
                    "cannot write --output new: cannot create a folder in .: permission denied",
                ),
                ("export ../run --mojo m.zip", "cannot write `m.zip`: permission denied"),
                ("export ../run --report r.html", "cannot write `r.html`: permission denied"),
                (
                    "predict ../model.zip --input ../rows.csv --output out.csv",
                    "cannot write --output out.csv: permission denied",
                ),
                ("quickstart", "cannot write --output aqueduct-quickstart: Permission denied (os error 13)"),
            ] {
                somebody.is_refused(command, sentence)?;
            }
            Ok(())
        }),
        trial("a_file_that_may_not_be_read", |somebody| {
            for name in ["data.csv", "model.zip", "rows.csv"] {
                fs::set_permissions(somebody.folder.path(name), Permissions::from_mode(0o000))?;
            }
            for (command, sentence) in [
                (
                    "train --progress off --training-frame ../data.csv --response-column paid --output new",
                    "cannot open ../data.csv: Permission denied (os error 13)",
                ),
                (
                    "predict ../run --input ../rows.csv --output out.csv",
                    "cannot open ../rows.csv: Permission denied (os error 13)",
                ),
                ("serve ../model.zip", "../model.zip: it cannot be read: Permission denied (os error 13)"),
            ] {
                fs::set_permissions(somebody.folder.path("here"), Permissions::from_mode(0o777))?;
                somebody.is_refused(command, sentence)?;
            }
            Ok(())
        }),
    ]
}

fn trial(name: &str, test: fn(&Somebody) -> Result<(), Failed>) -> Trial {
    Trial::ignorable_test(format!("refusals::permissions::{name}"), move || match Somebody::new()? {
        Some(somebody) => test(&somebody).map(|()| Completion::Completed),
        None => Ok(Completion::ignored_with("root may do anything, and there is no setpriv to become somebody else")),
    })
}

/// A user who is not root, in the folder `here` that belongs to others.
struct Somebody {
    folder: Folder,
    is_root: bool,
}

impl Somebody {
    fn new() -> Result<Option<Self>, Failed> {
        let mut id = Command::new("id");
        id.arg("-u");
        let is_root = outcome(id)?.stdout.trim() == "0";
        if is_root && Command::new("setpriv").arg("--version").output().is_err() {
            return Ok(None);
        }
        let folder = Folder::new()?;
        make_model(&folder)?;
        folder.write("data.csv", training_data())?;
        fs::create_dir(folder.path("here"))?;
        // Where the command was built, only its builder may go.
        fs::copy(env!("CARGO_BIN_EXE_aqueduct"), folder.path("aqueduct"))?;
        fs::set_permissions(folder.path("."), Permissions::from_mode(0o755))?;
        fs::set_permissions(folder.path("here"), Permissions::from_mode(0o555))?;
        Ok(Some(Self { folder, is_root }))
    }

    fn is_refused(&self, command: &str, sentence: &str) -> Result<(), Failed> {
        let before = self.folder.path("here").read_dir()?.count();
        let mut process = if self.is_root {
            let mut process = Command::new("setpriv");
            process.args(["--reuid", NOBODY, "--regid", NOBODY, "--clear-groups", "../aqueduct"]);
            process
        } else {
            Command::new("../aqueduct")
        };
        process.args(command.split_whitespace()).current_dir(self.folder.path("here")).env_remove("AQUEDUCT_H2O_JAR");
        let outcome = outcome(process)?;
        assert_eq!(outcome.stderr, format!("error: {sentence}\n"), "{outcome:?}");
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(1), ""));
        assert_eq!(self.folder.path("here").read_dir()?.count(), before, "something is left");
        Ok(())
    }
}
