//! `aqueduct export`: a trained model as artifacts that others can run.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use exporter::{Artifact, Outcome, ScorerReport, Scorers};

use super::verify;
use crate::args::{ExportArgs, PojoLanguage};
use crate::{loaded, output, weights_folder};

pub fn run(args: &ExportArgs) -> anyhow::Result<ExitCode> {
    let targets = targets(args);
    for target in &targets {
        target.check_place(&args.model)?;
    }
    if let Some(folder) = &args.weights {
        weights_folder::check_place(folder)?;
    }
    let artifact = loaded::artifact(&args.model)?;
    warn_of_offset(&artifact);
    for target in &targets {
        target.write(&artifact)?;
    }
    if let Some(folder) = &args.weights {
        weights_folder::write(&artifact, args.weights_format.format(), folder)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What is asked for, in the order in which it is written.
fn targets(args: &ExportArgs) -> Vec<Target<'_>> {
    let mojo = args.mojo.as_deref().map(|path| mojo(path, args));
    let onnx = args.onnx.as_deref().map(|path| onnx(path, args));
    let java =
        args.output.as_deref().filter(|_| args.pojo == Some(PojoLanguage::Java)).map(|folder| java(folder, args));
    [mojo, java, onnx].into_iter().flatten().collect()
}

fn mojo<'a>(path: &Path, args: &'a ExportArgs) -> Target<'a> {
    Target::new("--mojo", path, "MOJO", b"PK", |artifact, draft| {
        exporter::write_mojo(artifact, draft)?;
        Ok(verify::verify(draft, &Scorers { runtime: args.java.runtime(), ..Scorers::default() })?.scorers)
    })
}

fn onnx<'a>(path: &Path, args: &'a ExportArgs) -> Target<'a> {
    Target::new("--onnx", path, "ONNX file", &[loaded::ONNX_START], |artifact, draft| {
        exporter::write_onnx(artifact, &args.onnx_options(), draft)?;
        Ok(vec![verify::verify_onnx(draft, &args.python.runtime())?])
    })
}

/// A class, compiled and run where there is a compiler.
fn java<'a>(folder: &'a Path, args: &'a ExportArgs) -> Target<'a> {
    let class = exporter::java_class_name(&args.name.clone().unwrap_or_else(|| name_of(&args.model)));
    let path = folder.join(&class).with_extension("java");
    let options = exporter::JavaOptions { class, genmodel: args.genmodel };
    let target =
        Target::new("--output", path, "class of ours", exporter::JAVA_START.as_bytes(), move |artifact, draft| {
            exporter::write_java(artifact, &options, draft)?;
            Ok(vec![exporter::verify_java(artifact, &options, draft, &args.java.jdk())?])
        });
    Target { folder: Some(folder), ..target }
}

/// What a model is called: as its folder or its file, without the extension.
fn name_of(model: &Path) -> String {
    let model = model.canonicalize().unwrap_or_else(|_| model.to_owned());
    let name = if model.is_dir() { model.file_name() } else { model.file_stem() };
    name.unwrap_or_default().to_string_lossy().into_owned()
}

/// A file to write.
struct Target<'a> {
    flag: &'static str,
    path: PathBuf,
    /// The folder to make if there is none; without it the folder has to be there.
    folder: Option<&'a Path>,
    /// What is written, and how every such file starts: another file is not written over.
    kind: &'static str,
    start: &'static [u8],
    write_and_verify: Box<WriteAndVerify<'a>>,
}

/// Writes the artifact to a place that is thrown away, and has its golden rows replayed there.
type WriteAndVerify<'a> = dyn Fn(&Artifact, &Path) -> anyhow::Result<Vec<ScorerReport>> + 'a;

impl<'a> Target<'a> {
    fn new(
        flag: &'static str,
        path: impl Into<PathBuf>,
        kind: &'static str,
        start: &'static [u8],
        write_and_verify: impl Fn(&Artifact, &Path) -> anyhow::Result<Vec<ScorerReport>> + 'a,
    ) -> Self {
        Self { flag, path: path.into(), folder: None, kind, start, write_and_verify: Box::new(write_and_verify) }
    }

    /// Refuses to write over data, or into the folder of the run.
    fn check_place(&self, model: &Path) -> anyhow::Result<()> {
        let (flag, path) = (self.flag, self.path.display());
        let of_target = self.path.parent().map(|p| if p.as_os_str().is_empty() { Path::new(".") } else { p });
        let of_target = of_target.and_then(|folder| folder.canonicalize().ok());
        if of_target.is_some() && of_target == model.canonicalize().ok() {
            bail!("{flag} {path} is in the folder of the run itself: choose another place");
        }
        if starts_otherwise(&self.path, self.start) {
            bail!("{flag} {path} exists and is no {}: choose another file", self.kind);
        }
        Ok(())
    }

    /// Writes the file, unless a scorer that reads it disagrees with the model: then what was there stays.
    fn write(&self, artifact: &Artifact) -> anyhow::Result<()> {
        let path = self.path.display();
        let folder = tempfile::tempdir().context("no temporary folder can be made")?;
        let draft = folder.path().join(self.path.file_name().unwrap_or(self.kind.as_ref()));
        let reports = (self.write_and_verify)(artifact, &draft)?;
        if let Some(report) = reports.iter().find(|report| matches!(report.outcome, Outcome::Disagrees { .. })) {
            bail!("{path} was not written, as it does not say what the model says: {report}");
        }
        if let Some(folder) = self.folder {
            fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        }
        let bytes = exporter::write_atomically(&self.path, |file| io::copy(&mut File::open(&draft)?, file))
            .map_err(unwritten(&self.path))?;
        output::line(format_args!("wrote {path} ({} bytes)", output::thousands(bytes)));
        // Who was not asked is of interest only where nobody was.
        let skipped = |report: &ScorerReport| matches!(report.outcome, Outcome::Skipped { .. });
        let nobody = reports.iter().all(skipped);
        for report in reports.iter().filter(|report| nobody || !skipped(report)) {
            output::line(format_args!("  {report}"));
        }
        Ok(())
    }
}

fn unwritten(path: &Path) -> impl Fn(io::Error) -> anyhow::Error {
    move |error| anyhow::anyhow!("cannot write `{}`: {error}", path.display())
}

fn warn_of_offset(artifact: &Artifact) {
    if let Some(column) = &artifact.model.schema.special().offset {
        output::warning(format_args!(
            "the offset `{column}` counts in training alone: H2O's runtime leaves it out of every answer, and we do as well but for \
             predict --fix-defects"
        ));
    }
}

/// Whether a file stands there that does not start like this: data, say, that would be lost.
fn starts_otherwise(path: &Path, expected: &[u8]) -> bool {
    let Ok(mut file) = File::open(path).map(|file| file.take(expected.len() as u64)) else { return false };
    let mut start = Vec::new();
    path.is_file() && file.read_to_end(&mut start).is_ok() && !start.is_empty() && start != expected
}
