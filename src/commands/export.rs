//! `aqueduct export`: a trained model as artifacts that others can run.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use anyhow::{Context, anyhow, bail};
use exporter::{Artifact, JavaOptions, Outcome, RustCompiler, RustOptions, ScorerReport, Scorers};

use super::{UsageError, starts_otherwise, verify};
use crate::args::{ExportArgs, PojoLanguage};
use crate::interrupt::Interrupt;
use crate::{loaded, output, report, weights_folder};

pub fn run(args: &ExportArgs) -> anyhow::Result<ExitCode> {
    check_language(args)?;
    let targets = targets(args);
    check_places(args, &targets)?;
    let report = args.report.as_deref().map(|path| anyhow::Ok((path, report::facts(&args.model)?)));
    let report = report.transpose()?;
    if !targets.is_empty() || args.weights.is_some() {
        let artifact = loaded::artifact(&args.model)?;
        warn_of_offset(&artifact);
        // What is begun is ended, or thrown away: no draft is left, and no compiler goes on alone.
        let interrupt = Interrupt::watch("stopping; what is not whole is not written");
        interrupt.finish_first(true);
        let interrupted = interrupt.flag();
        let go_on = || if interrupted.load(Ordering::Relaxed) { Err(anyhow!("interrupted")) } else { Ok(()) };
        for target in &targets {
            go_on()?;
            target.write(&artifact)?;
        }
        go_on()?;
        if let Some(folder) = &args.weights {
            weights_folder::write(&artifact, args.weights_format.format(), folder)?;
        }
        interrupt.finish_first(false);
    }
    if let Some((path, facts)) = report {
        let bytes = exporter::write_report(&facts, path).map_err(unwritten(path))?;
        output::line(format_args!("wrote {} ({} bytes)", path.display(), output::thousands(bytes)));
    }
    Ok(ExitCode::SUCCESS)
}

/// Refuses a flag of the other language.
fn check_language(args: &ExportArgs) -> Result<(), UsageError> {
    match args.pojo {
        Some(PojoLanguage::Rust) if args.genmodel => Err(UsageError("--genmodel is for --pojo java".to_owned())),
        Some(PojoLanguage::Java) if args.as_crate => Err(UsageError("--crate is for --pojo rust".to_owned())),
        _ => Ok(()),
    }
}

/// What is asked for, in the order in which it is written.
fn targets(args: &ExportArgs) -> Vec<Target<'_>> {
    let mojo = args.mojo.as_deref().map(|path| mojo(path, args));
    let onnx = args.onnx.as_deref().map(|path| onnx(path, args));
    let pojo = args.pojo.zip(args.output.as_deref()).map(|(language, folder)| match language {
        PojoLanguage::Java => java(folder, args),
        PojoLanguage::Rust => rust(folder, args),
    });
    [mojo, pojo, onnx].into_iter().flatten().collect()
}

fn mojo<'a>(path: &Path, args: &'a ExportArgs) -> Target<'a> {
    Target::file("--mojo", path, "MOJO", b"PK", |artifact, draft| {
        exporter::write_mojo(artifact, draft)?;
        Ok(verify::verify(draft, &Scorers { runtime: args.java.runtime(), ..Scorers::default() })?.scorers)
    })
}

fn onnx<'a>(path: &Path, args: &'a ExportArgs) -> Target<'a> {
    Target::file("--onnx", path, "ONNX file", &[loaded::ONNX_START], |artifact, draft| {
        exporter::write_onnx(artifact, &args.onnx_options(), draft)?;
        Ok(vec![verify::verify_onnx(draft, &args.python.runtime())?])
    })
}

/// A class, compiled and run where there is a compiler.
fn java<'a>(folder: &Path, args: &'a ExportArgs) -> Target<'a> {
    let options = JavaOptions { class: exporter::java_class_name(&name(args)), genmodel: args.genmodel };
    let path = folder.join(&options.class).with_extension("java");
    let target =
        Target::file("--output", &path, "class of ours", exporter::JAVA_START.as_bytes(), move |artifact, draft| {
            exporter::write_java(artifact, &options, draft)?;
            Ok(vec![exporter::verify_java(artifact, &options, draft, &args.java.jdk())?])
        });
    Target { makes_folder: true, ..target }
}

/// A module or a crate, compiled and run where there is a compiler.
fn rust<'a>(folder: &Path, args: &ExportArgs) -> Target<'a> {
    let options = RustOptions { module: exporter::rust_module_name(&name(args)), as_crate: args.as_crate };
    Target {
        flag: "--output",
        folder: folder.to_owned(),
        makes_folder: true,
        files: options.files(),
        kind: "Rust source of ours",
        write_and_verify: Box::new(move |artifact, draft| {
            let source = exporter::write_rust(artifact, &options, draft)?;
            Ok(vec![exporter::verify_rust(artifact, &source, &RustCompiler::default())?])
        }),
    }
}

/// What source code is called: as it is wanted, or as the model's folder or file without the extension.
fn name(args: &ExportArgs) -> String {
    args.name.clone().unwrap_or_else(|| {
        let model = args.model.canonicalize().unwrap_or_else(|_| args.model.clone());
        let name = if model.is_dir() { model.file_name() } else { model.file_stem() };
        name.unwrap_or_default().to_string_lossy().into_owned()
    })
}

/// Files to write.
struct Target<'a> {
    flag: &'static str,
    folder: PathBuf,
    /// Whether the folder is made if there is none.
    makes_folder: bool,
    /// The files, by their paths in the folder, and how each of the kind starts: another file is not written over.
    files: Vec<(PathBuf, &'static [u8])>,
    kind: &'static str,
    write_and_verify: Box<WriteAndVerify<'a>>,
}

/// Writes the files to a folder that is thrown away, and has golden rows replayed there.
type WriteAndVerify<'a> = dyn Fn(&Artifact, &Path) -> anyhow::Result<Vec<ScorerReport>> + 'a;
impl<'a> Target<'a> {
    /// A single file in a folder that is there.
    fn file(
        flag: &'static str,
        path: &Path,
        kind: &'static str,
        start: &'static [u8],
        write_and_verify: impl Fn(&Artifact, &Path) -> anyhow::Result<Vec<ScorerReport>> + 'a,
    ) -> Self {
        let name = PathBuf::from(path.file_name().unwrap_or_default());
        Self {
            flag,
            folder: path.parent().unwrap_or(path).to_owned(),
            makes_folder: false,
            files: vec![(name.clone(), start)],
            kind,
            write_and_verify: Box::new(move |artifact, draft| write_and_verify(artifact, &draft.join(&name))),
        }
    }

    /// Where the files go.
    fn paths(&self) -> impl Iterator<Item = PathBuf> {
        self.files.iter().map(|(name, _)| self.folder.join(name))
    }

    /// Refuses to write over data.
    fn check_files(&self) -> anyhow::Result<()> {
        self.paths().zip(&self.files).try_for_each(|(path, (_, start))| check_file(self.flag, &path, start, self.kind))
    }

    /// Writes the files, unless a scorer that reads them disagrees with the model: then what was there stays.
    fn write(&self, artifact: &Artifact) -> anyhow::Result<()> {
        let draft = tempfile::tempdir().context("no temporary folder can be made")?;
        let reports = (self.write_and_verify)(artifact, draft.path())?;
        if let Some(report) = reports.iter().find(|report| matches!(report.outcome, Outcome::Disagrees { .. })) {
            let paths: Vec<String> = self.paths().map(|path| path.display().to_string()).collect();
            bail!("{} was not written, as it does not say what the model says: {report}", paths.join(", "));
        }
        for (path, (name, _)) in self.paths().zip(&self.files) {
            if let Some(folder) = path.parent().filter(|_| self.makes_folder) {
                fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
            }
            let written = draft.path().join(name);
            let bytes = exporter::write_atomically(&path, |file| io::copy(&mut File::open(&written)?, file))
                .map_err(unwritten(&path))?;
            output::line(format_args!("wrote {} ({} bytes)", path.display(), output::thousands(bytes)));
        }
        // Who was not asked is of interest only where nobody was.
        let skipped = |report: &ScorerReport| matches!(report.outcome, Outcome::Skipped { .. });
        let nobody = reports.iter().all(skipped);
        for report in reports.iter().filter(|report| nobody || !skipped(report)) {
            output::line(format_args!("  {report}"));
        }
        Ok(())
    }
}

/// Refuses to write over data or over the model, into its folder, or two things to one place.
fn check_places(args: &ExportArgs, targets: &[Target<'_>]) -> anyhow::Result<()> {
    let files = targets.iter().flat_map(|target| target.paths().map(|path| (target.flag, path)));
    let weights = args.weights.iter().map(|folder| ("--weights", folder.clone()));
    let report = args.report.iter().map(|path| ("--report", path.clone()));
    let model = place(&args.model);
    let mut taken = Vec::new();
    for (flag, path) in files.chain(weights).chain(report) {
        let (place, shown) = (place(&path), path.display());
        if place == model {
            bail!("{flag} {shown} is the model itself: choose another place");
        }
        if place.starts_with(&model) {
            bail!("{flag} {shown} is in the folder of the run itself: choose another place");
        }
        let is_within = |(_, other): &&(_, PathBuf)| other.starts_with(&place) || place.starts_with(other);
        if let Some((other, _)) = taken.iter().find(is_within) {
            bail!("{flag} {shown} is where {other} goes as well: choose another place");
        }
        taken.push((flag, place));
    }

    for target in targets {
        target.check_files()?;
    }
    if let Some(folder) = &args.weights {
        weights_folder::check_place(folder)?;
    }
    if let Some(path) = &args.report {
        check_file("--report", path, exporter::REPORT_START.as_bytes(), "report of ours")?;
    }
    Ok(())
}

/// A path without links, as far as it is there.
fn place(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) if folder.as_os_str().is_empty() => place(Path::new(".")).join(name),
        (Some(folder), Some(name)) => place(folder).join(name),
        _ => path.to_owned(),
    })
}

/// Refuses to write over a file that does not start as its kind does.
fn check_file(flag: &str, path: &Path, start: &[u8], kind: &str) -> anyhow::Result<()> {
    let shown = path.display();
    if path.file_name().is_none() {
        bail!("cannot write `{shown}`: is a directory");
    }
    if starts_otherwise(path, start) {
        bail!("{flag} {shown} exists and is no {kind}: choose another file");
    }
    Ok(())
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
