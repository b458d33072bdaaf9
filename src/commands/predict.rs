//! `aqueduct predict`: rows in, predictions out.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail};
use model::{JavaNumber, Model, Prediction, Remark, Workspace, listed};
use rayon::prelude::*;

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
    let mut table = TableFile::open(&args.input, &model.schema, args.header)?;
    let absent = table.absent(&model.schema);
    if args.strict && !absent.is_empty() {
        bail!("{}: there is no column {}", args.input.display(), listed(&absent));
    }
    if !absent.is_empty() {
        output::warning(format_args!("{}: no column {}, missing in every row", args.input.display(), listed(&absent)));
    }
    let remarks = if args.output == Path::new("-") {
        write(args, &model, &mut table, &mut output::stdout(), &AtomicBool::new(false))?
    } else {
        let interrupt = Interrupt::watch("stopping; nothing is written");
        interrupt.finish_first(true);
        let interrupted = interrupt.flag();
        exporter::write_atomically(&args.output, |file| write(args, &model, &mut table, file, &interrupted))
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

/// Scores all rows and writes their predictions.
fn write(
    args: &PredictArgs,
    model: &Model,
    table: &mut TableFile,
    out: &mut dyn Write,
    interrupted: &AtomicBool,
) -> anyhow::Result<Remarks> {
    let failed = || format!("cannot write --output {}", args.output.display());
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(model.output_names()).with_context(failed)?;
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
            .map_init(Workspace::default, |workspace, row| score(model, table, row, workspace))
            .collect();
        for (row, scored) in rows.iter().zip(scored) {
            if args.strict {
                refuse(args, model, table, row, &scored)?;
            }
            remarks.take(&scored);
            writer.write_record(&scored.cells).with_context(failed)?;
        }
    }
    writer.flush().with_context(failed)?;
    Ok(remarks)
}

struct Scored {
    cells: Vec<String>,
    remarks: Vec<(usize, Remark)>,
    is_whole: bool,
    /// Whether the prediction is a number.
    is_number: bool,
}

fn score(model: &Model, table: &TableFile, given: &Row, workspace: &mut Workspace) -> Scored {
    let mut remarks = Vec::new();
    let mut row = Vec::with_capacity(model.schema.features().len());
    for (index, feature) in model.schema.features().iter().enumerate() {
        let (value, remark) = model.encoding.raw_value(feature, table.cell(given, index));
        row.push(value);
        remarks.extend(remark.map(|remark| (index, remark)));
    }
    let prediction = model.score(&row, workspace);
    let is_number = match prediction {
        Prediction::Value(value) => value.is_finite(),
        Prediction::Class { label, .. } => label.is_some(),
        // The error of a row with a missing number is none, and that is in order.
        Prediction::Reconstruction { values, .. } => values.iter().all(|value| value.is_finite()),
    };
    let cells = match prediction {
        Prediction::Value(value) => vec![number(value)],
        Prediction::Class { label, probabilities } => {
            let levels = model.schema.classes().map_or(&[][..], model::Domain::levels);
            let label = label.and_then(|label| levels.get(label)).cloned().unwrap_or_else(|| "NA".to_owned());
            std::iter::once(label).chain(probabilities.iter().map(|&p| number(p))).collect()
        }
        Prediction::Reconstruction { values, mse } => values.iter().chain([&mse]).map(|&v| number(v)).collect(),
    };
    Scored { cells, remarks, is_whole: table.is_whole(given), is_number }
}

/// The shortest decimal that reads back as the same double, spelled as H2O spells it; `NA` for none.
fn number(value: f64) -> String {
    if value.is_nan() { "NA".to_owned() } else { JavaNumber(value).to_string() }
}

fn refuse(args: &PredictArgs, model: &Model, table: &TableFile, row: &Row, scored: &Scored) -> anyhow::Result<()> {
    let place = format!("{}, line {}", args.input.display(), row.line);
    if !scored.is_whole {
        bail!("{place}: expected {} cells, found {}", table.width(), row.cells.len());
    }
    if !scored.is_number {
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
        self.not_numbers += u64::from(!scored.is_number);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_spelled_as_h2o_spells_them() {
        let spelled = [0.1 + 0.2, 1.0, 1e300, -5e-324, f64::INFINITY, f64::NAN].map(number);
        assert_eq!(spelled, ["0.30000000000000004", "1.0", "1.0E300", "-5.0E-324", "Infinity", "NA"]);
    }
}
