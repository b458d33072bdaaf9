//! `predict --contributions`: what the rows that are scored are compared with.

use std::path::Path;

use anyhow::bail;
use model::{Category, ExplainOptions, Explainer, Model, Profile, listed};

use crate::args::PredictArgs;
use crate::output;
use crate::remarks::Remarks;
use crate::table_file::TableFile;

/// Rows of a background that are read together.
const BATCH: usize = 1024;

/// Bytes that a background may take.
const MOST_BYTES: usize = 1 << 30;

/// An explainer with its references: the rows of the background frame, or the row that the model knows.
pub fn explainer<'m>(args: &PredictArgs, model: &'m Model, profile: Option<&Profile>) -> anyhow::Result<Explainer<'m>> {
    let shown = args.model.display();
    if model.category == Category::AutoEncoder {
        bail!(
            "--contributions: {shown} is an autoencoder, whose answer is a row: --per-feature says how far each input is off"
        );
    }
    let options = ExplainOptions {
        format: args.explain.output_format.format(),
        output_space: args.explain.output_space,
        mended: args.fix_defects,
    };
    let mut explainer = Explainer::new(model, options)?;
    match &args.explain.background_frame {
        Some(file) => read(args, file, model, &mut explainer)?,
        None => match model.reference_row(profile) {
            Some(row) => explainer.add_reference(&row, 0.0),
            None => bail!(
                "--contributions: {shown} does not say what the means of its numbers are: add --background-frame FILE, rows to \
                 compare with"
            ),
        },
    }
    Ok(explainer)
}

/// Adds the rows of a file as references.
fn read(args: &PredictArgs, file: &Path, model: &Model, explainer: &mut Explainer<'_>) -> anyhow::Result<()> {
    let shown = format!("--background-frame {}", file.display());
    let mut table = TableFile::open(file, &model.schema, args.header)?;
    let absent = table.absent(&model.schema);
    if !absent.is_empty() {
        bail!("{shown}: there is no column {}, expected all of the model's columns", listed(&absent));
    }
    if let Some(column) = offset_column(args, model).filter(|column| !table.find_offset(column)) {
        bail!("{shown}: there is no offset column `{column}`, which --fix-defects adds");
    }
    let most = MOST_BYTES / explainer.reference_bytes();
    let mut remarks = Remarks::default();
    loop {
        let rows = table.read(BATCH)?;
        if rows.is_empty() {
            break;
        }
        for row in rows {
            let (raw, noticed) = table.raw_row(&row, model);
            if args.strict {
                noticed.refuse(&format!("{shown}, line {}", row.line), model, &table, &row)?;
            }
            if explainer.references() == most {
                bail!("{shown} has more rows than the {most} that 1 GiB holds for this model: take a sample of them");
            }
            remarks.take(&noticed, true);
            explainer.add_reference(&raw, table.offset(&row));
        }
    }
    if let Some(sentence) = remarks.sentence(model) {
        output::warning(format_args!("{shown}: {sentence}"));
    }
    Ok(())
}

/// The column whose offset counts, if any does.
pub fn offset_column<'m>(args: &PredictArgs, model: &'m Model) -> Option<&'m str> {
    model.schema.special().offset.as_deref().filter(|_| args.fix_defects)
}
