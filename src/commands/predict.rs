//! `aqueduct predict`: rows in, predictions out.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail};
use model::{Model, Remark, Workspace, listed};
use rayon::prelude::*;

use crate::answers::{Answer, Answers};
use crate::args::PredictArgs;
use crate::interrupt::Interrupt;
use crate::loaded::Loaded;
use crate::output;
use crate::table_file::{Row, TableFile};

/// Rows that are scored together.
const BATCH: usize = 4096;

pub fn run(args: &PredictArgs) -> anyhow::Result<ExitCode> {
    refuse_own_files(args)?;
    let model = Loaded::read(&args.model)?.into_model();
    let answers = Answers::of(args, &model)?;
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
    for (what, path) in [("input", &args.input), ("model", &args.model)] {
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
    loop {
        let rows = table.read(BATCH)?;
        if rows.is_empty() {
            break;
        }
        if interrupted.load(Ordering::Relaxed) {
            bail!("interrupted: nothing was written to --output {}", args.output.display());
        }
        let scored: Vec<Scored> = rows
            .par_iter()
            .map_init(Workspace::default, |workspace, row| score(model, answers, table, row, workspace))
            .collect();
        for (row, scored) in rows.iter().zip(scored) {
            if args.strict {
                refuse(args, model, table, row, &scored)?;
            }
            remarks.take(&scored);
            writer.write_record(&scored.answer.cells).with_context(failed)?;
        }
    }
    writer.flush().with_context(failed)?;
    Ok(remarks)
}

struct Scored {
    answer: Answer,
    remarks: Vec<(usize, Remark)>,
    is_whole: bool,
}

fn score(model: &Model, answers: &Answers<'_>, table: &TableFile, given: &Row, workspace: &mut Workspace) -> Scored {
    let mut remarks = Vec::new();
    let mut row = Vec::with_capacity(model.schema.features().len());
    for (index, feature) in model.schema.features().iter().enumerate() {
        let (value, remark) = model.encoding.raw_value(feature, table.cell(given, index));
        row.push(value);
        remarks.extend(remark.map(|remark| (index, remark)));
    }
    Scored { answer: answers.answer(&row, table.offset(given), workspace), remarks, is_whole: table.is_whole(given) }
}

fn refuse(args: &PredictArgs, model: &Model, table: &TableFile, row: &Row, scored: &Scored) -> anyhow::Result<()> {
    let place = format!("{}, line {}", args.input.display(), row.line);
    if !scored.is_whole {
        bail!("{place}: expected {} cells, found {}", table.width(), row.cells.len());
    }
    if !scored.answer.is_number {
        bail!("{place}: its prediction is not a number");
    }
    let Some(&(column, remark)) = scored.remarks.first() else { return Ok(()) };
    let column = &model.schema.features()[column].name;
    match remark {
        Remark::UnseenLevel => bail!("{place}, column `{column}`: a level that the model was not trained on"),
        Remark::InvalidNumber => bail!("{place}, column `{column}`: not a number"),
        Remark::NumberForLevel => Ok(()),
    }
}

/// What was taken as missing, counted by column.
#[derive(Default)]
struct Remarks {
    columns: BTreeMap<(usize, Remark), u64>,
    broken_rows: u64,
    not_numbers: u64,
}

impl Remarks {
    fn take(&mut self, scored: &Scored) {
        self.broken_rows += u64::from(!scored.is_whole);
        self.not_numbers += u64::from(!scored.answer.is_number);
        for &remark in &scored.remarks {
            *self.columns.entry(remark).or_default() += 1;
        }
    }

    fn sentence(&self, model: &Model) -> Option<String> {
        let mut parts = Vec::new();
        for (&(column, remark), &count) in &self.columns {
            let what = match remark {
                Remark::UnseenLevel => "unseen level",
                Remark::InvalidNumber => "unreadable number",
                Remark::NumberForLevel => continue,
            };
            parts.push(format!("{} in `{}`", counted(count, what), model.schema.features()[column].name));
        }
        if self.broken_rows > 0 {
            parts.push(counted(self.broken_rows, "row of another length than the first line"));
        }
        let mut sentences = Vec::new();
        if !parts.is_empty() {
            sentences.push(format!("taken as missing: {}", parts.join(", ")));
        }
        if self.not_numbers > 0 {
            sentences
                .push(format!("{} without a number, as some input is too large", counted(self.not_numbers, "row")));
        }
        (!sentences.is_empty()).then(|| sentences.join("; "))
    }
}

fn counted(count: u64, what: &str) -> String {
    let plural = if count == 1 {
        what.to_owned()
    } else {
        what.replacen("level", "levels", 1).replacen("number", "numbers", 1).replacen("row", "rows", 1)
    };
    format!("{} {plural}", output::thousands(count))
}
