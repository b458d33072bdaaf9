//! `predict --contributions`: every row adds up to what is explained of it.

use libtest_mimic::{Failed, Trial};
use model::{
    Activation, Algorithm, Category, ContributionFormat, ExplainOptions, ExplainWorkspace, Explainer, Model,
    Prediction, Schema, SpecialColumns, Workspace,
};

use crate::support::archive::with_entry;
use crate::support::models::{kinds, random};
use crate::support::random::Random;
use crate::support::table::{Table, number};
use crate::support::{Folder, data, trials};

/// What contributions and bias may miss of what they explain, or of 1 where that is more.
const ADDS_UP: f64 = 1e-6;
/// What they may miss of the largest of them, where random models have means of 1e16 and more.
const ROUNDING: f64 = 1e-14;

pub fn tests() -> Vec<Trial> {
    let mut tests = trials![
        two_classes_add_up_to_the_second_probability,
        three_classes_each_add_up,
        columns_are_inputs_or_what_they_belong_to,
        references_are_written_one_by_one,
        without_a_background_the_mean_row_is_the_reference,
        an_archive_of_h2o_has_its_means_in_its_scaling,
        levels_that_share_slots_are_told_apart,
        an_offset_is_a_column_where_defects_are_fixed,
        what_is_odd_in_the_background_is_reported,
        contributions_go_to_standard_output,
        an_autoencoder_has_none,
        a_model_that_does_not_know_its_means_asks_for_a_background,
    ];
    let kinds = kinds().into_iter().filter(|(category, _)| *category != Category::AutoEncoder);
    tests.extend(kinds.map(|(category, activation)| {
        let name = format!("contributions::add_up::{activation}_{category}").to_lowercase();
        Trial::test(name, move || add_up(category, activation))
    }));
    tests
}

/// Random models, rows and references: whatever the encoding, and with cells missing in both.
fn add_up(category: Category, activation: Activation) -> Result<(), Failed> {
    const MODELS: usize = 40;
    let mut source = Random::new(activation.name().len() as u64 * 31 + category.name().len() as u64);
    for _ in 0..MODELS {
        let mut model = random(&mut source, category, activation)?;
        let special = SpecialColumns { offset: Some("the offset".to_owned()), ..SpecialColumns::default() };
        model.schema = Schema::new(model.schema.features().to_vec(), model.schema.response().cloned(), special);
        let Algorithm::DeepLearning(net) = model.algorithm.clone() else { return Err("no net".into()) };
        let written_out = net.unhashed(1_000_000).ok_or("it has many weights")?;
        let explained = Model { algorithm: Algorithm::DeepLearning(written_out), ..model.clone() };
        let options = ExplainOptions {
            format: *source.pick(&[ContributionFormat::Original, ContributionFormat::Compact]),
            output_space: source.once_in(2),
            mended: source.once_in(2),
        };
        let mut explainer = Explainer::new(&explained, options)?;
        let rows: Vec<Vec<f64>> = (0..6).map(|_| row(&mut source, &model)).collect();
        for reference in &rows[..=source.below(3)] {
            explainer.add_reference(reference, source.unit());
        }
        let mut workspace = ExplainWorkspace::default();
        for row in &rows {
            let offset = source.unit();
            let contributions = explainer.explain(row, offset, &mut workspace);
            assert_eq!(contributions.len(), explainer.names().len());
            check(&model, options, row, offset, contributions)?;
        }
    }
    Ok(())
}

fn row(random: &mut Random, model: &Model) -> Vec<f64> {
    let features = model.schema.features().iter();
    let cell = |feature: &model::Feature| match &feature.domain {
        _ if random.once_in(5) => f64::NAN,
        Some(domain) => random.below(domain.len()) as f64,
        None => 60.0 * random.unit() - 30.0,
    };
    features.map(cell).collect()
}

/// Checks that contributions and bias add up to the answer.
fn check(
    model: &Model,
    options: ExplainOptions,
    row: &[f64],
    offset: f64,
    contributions: &[f64],
) -> Result<(), Failed> {
    let mut model = model.clone();
    // H2O explains the probability before it is corrected.
    model.labelling.balance_classes &= options.mended || model.category == Category::Multinomial;
    let mut workspace = Workspace::default();
    let prediction =
        if options.mended { model.score_mended(row, offset, &mut workspace) } else { model.score(row, &mut workspace) };
    let Algorithm::DeepLearning(net) = &model.algorithm else { return Err("no net".into()) };
    let (answers, is_link) = match prediction {
        Prediction::Value(value) => (vec![value], !options.output_space),
        Prediction::Class { probabilities: [_, second], .. } => (vec![*second], false),
        Prediction::Class { probabilities, .. } => (probabilities.to_vec(), false),
        Prediction::Reconstruction { .. } => return Err("an autoencoder".into()),
    };
    for (answer, contributions) in answers.iter().zip(contributions.chunks_exact(contributions.len() / answers.len())) {
        let sum: f64 = contributions.iter().sum();
        let found = if is_link { net.distribution.link_inverse(sum) } else { sum };
        let largest = contributions.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
        let close = (found - answer).abs() <= ADDS_UP * answer.abs().max(1.0) + ROUNDING * largest;
        assert!(close, "{contributions:?} add up to {found} and not to {answer}: {row:?}, {options:?}, {model:?}");
    }
    Ok(())
}

fn two_classes_add_up_to_the_second_probability() -> Result<(), Failed> {
    let folder = trained(&["--response-column", "Status"])?;
    for flags in [&["--output-format", "compact"][..], &["--background-frame", "some.csv"], &["--fix-defects"]] {
        let found = contributions(&folder, "run", flags)?;
        folder.succeed(["predict", "run", "--input", "some.csv", "--output", "predicted.csv"])?;
        let predicted = Table::read(&folder.path("predicted.csv"))?;
        adds_up(&found, "", &predicted.column("good")?)?;
    }
    Ok(())
}

fn three_classes_each_add_up() -> Result<(), Failed> {
    let folder = Folder::new()?;
    std::fs::copy(data("iris.csv"), folder.path("some.csv"))?;
    train(&folder, "some.csv", &["--response-column", "class"])?;
    let found = contributions(&folder, "run", &["--background-frame", "some.csv"])?;
    folder.succeed(["predict", "run", "--input", "some.csv", "--output", "predicted.csv"])?;
    let predicted = Table::read(&folder.path("predicted.csv"))?;
    assert_eq!(found.header.len(), 3 * 5);
    for class in &predicted.header[1..] {
        adds_up(&found, &format!("{class}."), &predicted.column(class)?)?;
    }
    // What one class gains the others lose.
    for row in &found.rows {
        let age = row[0].parse::<f64>()? + row[5].parse::<f64>()? + row[10].parse::<f64>()?;
        assert!(age.abs() < ADDS_UP, "{age}");
    }
    Ok(())
}

fn columns_are_inputs_or_what_they_belong_to() -> Result<(), Failed> {
    let folder = trained(&["--response-column", "Status", "--x", "Records,Age"])?;
    let original = contributions(&folder, "run", &[])?;
    assert_eq!(original.header, ["Records.no", "Records.yes", "Records.missing(NA)", "Age", "BiasTerm"]);
    let compact = contributions(&folder, "run", &["--output-format", "compact"])?;
    assert_eq!(compact.header, ["Records", "Age", "BiasTerm"]);
    for (original, compact) in original.rows.iter().zip(&compact.rows) {
        let levels: f64 = original[..3].iter().map(|cell| number(cell)).sum::<Result<_, _>>()?;
        assert!((levels - number(&compact[0])?).abs() < 1e-12);
        assert_eq!(original[3..], compact[1..]);
    }
    Ok(())
}

fn references_are_written_one_by_one() -> Result<(), Failed> {
    let folder = trained(&["--response-column", "Status", "--x", "Records,Age"])?;
    let background = ["--background-frame", "few.csv"];
    let mean = contributions(&folder, "run", &background)?;
    let each = contributions(&folder, "run", &[&background[..], &["--output-per-reference"]].concat())?;
    assert_eq!(each.header[5..], ["RowIdx", "BackgroundRowIdx"]);
    assert_eq!(each.rows.len(), 3 * mean.rows.len());
    for (i, row) in mean.rows.iter().enumerate() {
        for (column, cell) in row.iter().enumerate() {
            let of_row = &each.rows[3 * i..3 * i + 3];
            let sum: f64 = of_row.iter().map(|row| number(&row[column])).sum::<Result<_, _>>()?;
            assert!((sum / 3.0 - number(cell)?).abs() < 1e-12, "row {i}, column {column}");
            assert_eq!(of_row[2][5..], [i.to_string(), "2".to_owned()]);
        }
    }
    Ok(())
}

fn without_a_background_the_mean_row_is_the_reference() -> Result<(), Failed> {
    for flags in [&[][..], &["--standardize", "false"]] {
        let folder = trained(&[&["--response-column", "Status"], flags].concat())?;
        folder.succeed(["export", "run", "--mojo", "model.zip"])?;
        let described: serde_json::Value = serde_json::from_str(&folder.succeed(["inspect", "run", "--json"])?.stdout)?;
        let columns = described["profile"]["columns"].as_array().ok_or("no profile")?;
        let cell = |column: &serde_json::Value| column["values"]["mean"].as_f64().map(|mean| mean.to_string());
        let reference = Table {
            header: columns.iter().map(|column| column["name"].as_str().unwrap_or_default().to_owned()).collect(),
            rows: vec![columns.iter().map(|column| cell(column).unwrap_or_default()).collect()],
        };
        folder.write("reference.csv", reference.to_csv())?;
        let wanted = contributions(&folder, "run", &["--background-frame", "reference.csv"])?;
        for model in ["run", "model.zip"] {
            assert_eq!(contributions(&folder, model, &[])?, wanted, "{model}");
        }
    }
    Ok(())
}

fn an_archive_of_h2o_has_its_means_in_its_scaling() -> Result<(), Failed> {
    let folder = trained(&["--response-column", "Status"])?;
    folder.succeed(["export", "run", "--mojo", "ours.zip"])?;
    let without = with_entry(folder.bytes("ours.zip")?, "aqueduct/profile.json", |_| Ok(None))?;
    folder.write("theirs.zip", without)?;
    let (ours, theirs) = (contributions(&folder, "ours.zip", &[])?, contributions(&folder, "theirs.zip", &[])?);
    for (ours, theirs) in ours.rows.iter().flatten().zip(theirs.rows.iter().flatten()) {
        assert!((number(ours)? - number(theirs)?).abs() < 1e-9, "{ours} is not {theirs}");
    }
    Ok(())
}

fn levels_that_share_slots_are_told_apart() -> Result<(), Failed> {
    let folder = trained(&["--response-column", "Status", "--max-categorical-features", "5"])?;
    let found = contributions(&folder, "run", &["--background-frame", "few.csv"])?;
    assert!(found.header.contains(&"Home.rent".to_owned()), "{:?}", found.header);
    folder.succeed(["predict", "run", "--input", "some.csv", "--output", "predicted.csv"])?;
    adds_up(&found, "", &Table::read(&folder.path("predicted.csv"))?.column("good")?)
}

fn an_offset_is_a_column_where_defects_are_fixed() -> Result<(), Failed> {
    let folder = trained(&["--response-column", "Amount", "--offset-column", "Expenses"])?;
    for fixed in [&[][..], &["--fix-defects"]] {
        let flags = [&["--background-frame", "few.csv"], fixed].concat();
        let found = contributions(&folder, "run", &flags)?;
        assert_eq!(found.header.iter().any(|name| name == "Expenses"), !fixed.is_empty());
        let scored = ["predict", "run", "--input", "some.csv", "--output", "predicted.csv"];
        folder.succeed(scored.iter().chain(fixed).copied())?;
        adds_up(&found, "", &Table::read(&folder.path("predicted.csv"))?.column("predict")?)?;
    }
    Ok(())
}

fn what_is_odd_in_the_background_is_reported() -> Result<(), Failed> {
    let folder = trained(&["--response-column", "Status", "--x", "Records,Age"])?;
    folder.write("odd.csv", "Age,Records\n30,maybe\nyoung,no\n")?;
    let flags = ["--contributions", "--background-frame", "odd.csv"];
    let scored = ["predict", "run", "--input", "few.csv", "--output", "out.csv"];
    let said = folder.succeed(scored.iter().chain(&flags).copied())?.stderr;
    let sentence = "warning: --background-frame odd.csv: taken as missing: 1 unseen level in `Records`, 1 unreadable number in `Age`";
    assert!(said.contains(sentence), "{said}");
    let strict = folder.run(scored.iter().chain(&flags).chain(&["--strict"]).copied())?;
    let refusal =
        "error: --background-frame odd.csv, line 2, column `Records`: a level that the model was not trained on\n";
    assert_eq!((strict.code, &*strict.stderr), (Some(1), refusal));
    Ok(())
}

fn contributions_go_to_standard_output() -> Result<(), Failed> {
    let folder = trained(&["--response-column", "Status", "--x", "Age"])?;
    let said = folder.succeed(["predict", "run", "--input", "few.csv", "--output", "-", "--contributions"])?.stdout;
    assert!(said.starts_with("Age,BiasTerm\n") && said.lines().count() == 4, "{said}");
    Ok(())
}

fn an_autoencoder_has_none() -> Result<(), Failed> {
    let folder = trained(&["--autoencoder", "true", "--x", "Age,Amount"])?;
    let refused = folder.run(["predict", "run", "--input", "few.csv", "--output", "out.csv", "--contributions"])?;
    let sentence = "error: --contributions: run is an autoencoder, whose answer is a row: --per-feature says how far each input is off\n";
    assert_eq!((refused.code, &*refused.stderr), (Some(1), sentence));
    Ok(())
}

fn a_model_that_does_not_know_its_means_asks_for_a_background() -> Result<(), Failed> {
    let folder = trained(&["--response-column", "Status", "--standardize", "false"])?;
    folder.succeed(["export", "run", "--mojo", "model.zip"])?;
    folder.write("bare.zip", with_entry(folder.bytes("model.zip")?, "aqueduct/profile.json", |_| Ok(None))?)?;
    let refused =
        folder.run(["predict", "bare.zip", "--input", "few.csv", "--output", "out.csv", "--contributions"])?;
    let sentence = "error: --contributions: bare.zip does not say what the means of its numbers are: add --background-frame FILE, \
                    rows to compare with\n";
    assert_eq!((refused.code, &*refused.stderr), (Some(1), sentence));
    let found = contributions(&folder, "bare.zip", &["--background-frame", "few.csv"])?;
    assert_eq!(found, contributions(&folder, "model.zip", &["--background-frame", "few.csv"])?);
    Ok(())
}

/// Whether the contributions of each row, those whose names begin so, add up to its prediction.
fn adds_up(found: &Table, prefix: &str, predicted: &[&str]) -> Result<(), Failed> {
    assert_eq!(found.rows.len(), predicted.len());
    for (row, wanted) in found.rows.iter().zip(predicted) {
        let cells = found.header.iter().zip(row).filter(|(name, _)| name.starts_with(prefix));
        let sum: f64 = cells.map(|(_, cell)| number(cell)).sum::<Result<_, _>>()?;
        let wanted = number(wanted)?;
        assert!((sum - wanted).abs() <= ADDS_UP * wanted.abs().max(1.0), "{sum} is not {wanted}");
    }
    Ok(())
}

fn contributions(folder: &Folder, model: &str, flags: &[&str]) -> Result<Table, Failed> {
    let scored = ["predict", model, "--input", "some.csv", "--output", "contributions.csv", "--contributions"];
    folder.succeed(scored.iter().chain(flags).copied())?;
    Table::read(&folder.path("contributions.csv"))
}

/// A folder with a run on loans, `some.csv` of them to explain and a `few.csv` to compare with.
fn trained(flags: &[&str]) -> Result<Folder, Failed> {
    let folder = Folder::new()?;
    let loans = std::fs::read_to_string(data("credit.csv"))?;
    let first = |rows: usize| loans.lines().take(1 + rows).flat_map(|line| [line, "\n"]).collect::<String>();
    folder.write("some.csv", first(60))?;
    folder.write("few.csv", first(3))?;
    folder.write("loans.csv", first(400))?;
    train(&folder, "loans.csv", flags)?;
    Ok(folder)
}

fn train(folder: &Folder, file: &str, flags: &[&str]) -> Result<(), Failed> {
    let net = ["--hidden", "8,6", "--epochs", "2", "--seed", "3", "--activation", "TanhWithDropout", "--output", "run"];
    folder.succeed(["train", "--training-frame", file].iter().chain(flags).chain(&net).copied())?;
    Ok(())
}
