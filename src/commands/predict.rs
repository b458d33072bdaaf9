//! `aqueduct predict`: rows in, predictions out.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail};
use model::{Model, listed};
use rayon::prelude::*;

use crate::answers::{Answer, Answers, Workspace};
use crate::args::PredictArgs;
use crate::interrupt::Interrupt;
use crate::loaded::{self, Loaded};
use crate::output;
use crate::remarks::{Noticed, Remarks};
use crate::table_file::{Row, TableFile};

pub fn run(args: &PredictArgs) -> anyhow::Result<ExitCode> {
    refuse_own_files(args)?;
    let loaded = Loaded::read(&args.model)?;
    let profile = loaded.profile().cloned();
    let mut model = loaded.into_model();
    if args.explain.contributions {
        // Levels that share a slot have contributions of their own.
        model = loaded::written_out(model, &args.model)?;
    }
    let answers = Answers::of(args, &model, profile.as_ref())?;
    let mut table = TableFile::open(&args.input, &model.schema, args.header)?;
    if let Some(column) = answers.offset_column().filter(|column| !table.find_offset(column)) {
        bail!("{}: there is no offset column `{column}`, which --fix-defects adds", args.input.display());
    }
    let absent = table.absent(&model.schema);
    if args.strict && !absent.is_empty() {
        bail!("{}: there is no column {}", args.input.display(), listed(&absent));
    }
    if !absent.is_empty() {
        output::warning(format_args!("{}: no column {}, missing in every row", args.input.display(), listed(&absent)));
    }
    let remarks = if args.output == Path::new("-") {
        write(args, &model, &answers, &mut table, &mut output::stdout(), &AtomicBool::new(false))?
    } else {
        let interrupt = Interrupt::watch("stopping; nothing is written");
        interrupt.finish_first(true);
        let interrupted = interrupt.flag();
        exporter::write_atomically(&args.output, |file| write(args, &model, &answers, &mut table, file, &interrupted))
            .map_err(|error| name_output(error, &args.output))?
    };
    if let Some(sentence) = remarks.sentence(&model) {
        output::warning(sentence);
    }
    Ok(ExitCode::SUCCESS)
}

/// An output that is the input or the model would destroy it.
fn refuse_own_files(args: &PredictArgs) -> anyhow::Result<()> {
    let Ok(output) = args.output.canonicalize() else { return Ok(()) };
    let background = args.explain.background_frame.iter().map(|file| ("background frame", file));
    for (what, path) in [("input", &args.input), ("model", &args.model)].into_iter().chain(background) {
        // A device may be read and written at once.
        if output.is_file() && path.canonicalize().is_ok_and(|path| output == path || output.parent() == Some(&path)) {
            bail!("--output {} is the {what} itself: choose another file", args.output.display());
        }
    }
    Ok(())
}

/// An error of the file system itself does not say which file it is about.
fn name_output(error: anyhow::Error, output: &Path) -> anyhow::Error {
    if error.is::<io::Error>() { error.context(format!("cannot write --output {}", output.display())) } else { error }
}

/// Scores all rows and writes their answers.
fn write(
    args: &PredictArgs,
    model: &Model,
    answers: &Answers<'_>,
    table: &mut TableFile,
    out: &mut dyn Write,
    interrupted: &AtomicBool,
) -> anyhow::Result<Remarks> {
    let failed = || format!("cannot write --output {}", args.output.display());
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(answers.names()).with_context(failed)?;
    let mut remarks = Remarks::default();
    let mut read = 0;
    loop {
        let rows = table.read(answers.batch())?;
        if rows.is_empty() {
            break;
        }
        if interrupted.load(Ordering::Relaxed) {
            bail!("interrupted: nothing was written to --output {}", args.output.display());
        }
        let score = |workspace: &mut Workspace, (number, row): (u64, &Row)| {
            let (raw, noticed) = table.raw_row(row, model);
            Scored { answer: answers.answer(number, &raw, table.offset(row), workspace), noticed }
        };
        let numbered = (read..).zip(&rows).collect::<Vec<_>>();
        let scored: Vec<Scored> = numbered.into_par_iter().map_init(Workspace::default, score).collect();
        read += rows.len() as u64;
        for (row, scored) in rows.iter().zip(scored) {
            if args.strict {
                refuse(args, model, table, row, &scored)?;
            }
            remarks.take(&scored.noticed, scored.answer.is_number);
            scored.answer.rows.iter().try_for_each(|cells| writer.write_record(cells)).with_context(failed)?;
        }
    }
    writer.flush().with_context(failed)?;
    Ok(remarks)
}

/// Rows of the answer to a row, and what was noticed about it.
struct Scored {
    answer: Answer,
    noticed: Noticed,
}

fn refuse(args: &PredictArgs, model: &Model, table: &TableFile, row: &Row, scored: &Scored) -> anyhow::Result<()> {
    let place = format!("{}, line {}", args.input.display(), row.line);
    scored.noticed.refuse(&place, model, table, row)?;
    if !scored.answer.is_number {
        bail!("{place}: its prediction is not a number");
    }
    Ok(())
}
