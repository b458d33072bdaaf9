//! What is refused: with an exit code, one sentence on standard error that names the thing, and nothing left behind.

mod archive;
mod contributions;
mod export;
mod permissions;
mod predict;
mod serve;
mod train;
mod verify;

use libtest_mimic::{Failed, Trial};

use crate::support::{Folder, Outcome};

/// A flag or a rule of a parameter is broken.
const USAGE: i32 = 2;

/// The data or the job are at fault.
const JOB: i32 = 1;

pub fn tests() -> Vec<Trial> {
    let mut refusals = train::refusals();
    refusals.extend(export::refusals());
    refusals.extend(predict::refusals());
    refusals.extend(contributions::refusals());
    refusals.extend(verify::refusals());
    refusals.extend(serve::refusals());
    let mut tests: Vec<Trial> = refusals.into_iter().map(Refusal::trial).collect();
    tests.extend(archive::tests());
    tests.extend(export::tests());
    tests.extend(serve::tests());
    tests.extend(permissions::tests());
    tests.extend(verify::tests());
    tests
}

/// A command that is refused.
struct Refusal {
    name: &'static str,
    args: Vec<&'static str>,
    code: i32,
    sentence: &'static str,
    files: Vec<(&'static str, Vec<u8>)>,
    has_model: bool,
    goes_on: bool,
}

impl Refusal {
    /// A command, its words between blanks, with its exit code and its sentence.
    fn new(name: &'static str, command: &'static str, code: i32, sentence: &'static str) -> Self {
        let args = command.split_whitespace().collect();
        Self { name, args, code, sentence, files: Vec::new(), has_model: false, goes_on: false }
    }

    /// A command line that the parser of flags refuses; its sentence goes on with what would be right.
    fn of_flags(name: &'static str, command: &'static str, sentence: &'static str) -> Self {
        Self { goes_on: true, ..Self::new(name, command, USAGE, sentence) }
    }

    /// A file that is there.
    fn with(mut self, name: &'static str, content: impl Into<Vec<u8>>) -> Self {
        self.files.push((name, content.into()));
        self
    }

    /// The folder of a run, `run`, and its MOJO, `model.zip`, are there, and `rows.csv` to score.
    fn with_model(mut self) -> Self {
        self.has_model = true;
        self
    }

    fn trial(self) -> Trial {
        Trial::test(format!("refusals::{}", self.name), move || {
            let folder = Folder::new()?;
            if self.has_model {
                make_model(&folder)?;
            }
            for (name, content) in &self.files {
                folder.write(name, content)?;
            }
            let before = folder.contents()?;
            let outcome = folder.run(self.args.iter().copied())?;
            self.check(&outcome)?;
            assert!(folder.contents()? == before, "something is left");
            Ok(())
        })
    }

    fn check(&self, outcome: &Outcome) -> Result<(), Failed> {
        let said = outcome.stderr.strip_suffix('\n').ok_or("it says nothing")?;
        let expected = format!("error: {}", self.sentence);
        if self.goes_on {
            assert!(said.starts_with(&expected) && !said.contains('\n'), "{outcome:?}");
        } else {
            assert_eq!(said, expected, "{outcome:?}");
        }
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(self.code), ""), "{outcome:?}");
        Ok(())
    }
}

/// Trains on `training.csv` and exports, and writes `rows.csv`.
fn make_model(folder: &Folder) -> Result<(), Failed> {
    folder.write("training.csv", training_data())?;
    let data = ["--training-frame", "training.csv", "--response-column", "paid"];
    let net = ["--hidden", "3", "--epochs", "1", "--seed", "1", "--output", "run"];
    folder.succeed(["train"].into_iter().chain(data).chain(net))?;
    folder.succeed(["export", "run", "--mojo", "model.zip"])?;
    folder.write("rows.csv", "age,town\n33,a\n44,b\n")
}

/// A small table without any fault.
fn training_data() -> String {
    let row = |i: usize| format!("{},{},{}\n", 20 + i % 37, ["a", "b", "c"][i % 3], ["no", "yes"][i % 5 % 2]);
    "age,town,paid\n".to_owned() + &(0..60).map(row).collect::<String>()
}
