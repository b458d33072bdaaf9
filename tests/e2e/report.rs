//! `report.html`: what training writes, and `export --report` writes again.

use libtest_mimic::{Completion, Failed, Trial};
use model::Category;
use roxmltree::{Document, ParsingOptions};

use crate::support::{Folder, data, survey, trials};
use crate::zoo;

pub fn tests() -> Vec<Trial> {
    let mut tests = trials![
        every_kind_of_run_has_a_report_that_export_repeats,
        a_report_says_what_the_files_of_the_run_say,
        a_report_of_a_mojo_says_what_is_not_known,
        an_earlier_report_is_replaced,
    ];
    tests.push(Trial::ignorable_test("report::archives_of_h2o_have_reports", archives_of_h2o_have_reports));
    tests
}

/// Trains on the survey, whose names are odd.
fn train(folder: &Folder, category: Category, more: &[&str]) -> Result<(), Failed> {
    folder.write("training.csv", survey::training(category).to_csv())?;
    let what = ["train", "--training-frame", "training.csv", "--output", "run", "--overwrite"];
    let net = ["--hidden", "4", "--epochs", "2", "--seed", "3"];
    folder.succeed(
        what.into_iter().chain(net).chain(survey::goal(category).iter().copied()).chain(more.iter().copied()),
    )?;
    Ok(())
}

fn check_well_formed(page: &str) -> Result<(), Failed> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(page, options)?;
    Ok(())
}

fn every_kind_of_run_has_a_report_that_export_repeats() -> Result<(), Failed> {
    for category in Category::ALL {
        let folder = Folder::new()?;
        train(&folder, category, &["--validation-frame", "training.csv"])?;
        let page = folder.read("run/report.html")?;
        check_well_formed(&page)?;
        // What a folder is called is nothing that its report says.
        std::fs::rename(folder.path("run"), folder.path("moved"))?;
        folder.succeed(["export", "moved", "--report", "again.html"])?;
        assert_eq!(folder.read("again.html")?, page, "{category}");
        assert!(!page.contains("NaN") && !page.contains("id=\"unknown\""), "{category}");
    }
    Ok(())
}

fn a_report_says_what_the_files_of_the_run_say() -> Result<(), Failed> {
    let folder = Folder::new()?;
    let credit = data("credit.csv").display().to_string();
    let what = ["train", "--training-frame", &credit, "--validation-frame", &credit, "--response-column", "Status"];
    let how = ["--hidden", "5", "--epochs", "2", "--rate", "0.1", "--seed", "8", "--output", "run"];
    folder.succeed(what.into_iter().chain(how))?;
    let page = folder.read("run/report.html")?;
    let metrics = folder.json("run/metrics.json")?;
    for frame in ["training", "validation"] {
        for (name, value) in metrics[frame].as_object().into_iter().flatten() {
            assert!(page.contains(&format!("<data value=\"{value}\">")), "{frame} {name} is not {value}");
        }
    }
    let summary = folder.json("run/summary.json")?;
    let warning = summary["warnings"][0].as_str().unwrap_or_default();
    assert_eq!(warning, "rate is without effect while adaptive_rate is true");
    assert!(page.contains(warning) && page.contains("<dt>Seed</dt><dd><bdi>8</bdi></dd>"));
    assert!(page.len() < 200_000, "{} bytes", page.len());
    Ok(())
}

fn a_report_of_a_mojo_says_what_is_not_known() -> Result<(), Failed> {
    let folder = Folder::new()?;
    train(&folder, Category::Binomial, &[])?;
    folder.succeed(["export", "run", "--mojo", "m.zip"])?;
    let outcome = folder.succeed(["export", "m.zip", "--report", "m.html"])?;
    let page = folder.read("m.html")?;
    assert!(outcome.stdout.starts_with("wrote m.html (") && outcome.stdout.ends_with(" bytes)\n"), "{outcome:?}");
    check_well_formed(&page)?;
    assert!(page.contains("<li>Scoring history</li>") && page.contains("240 rows of training data"), "{page}");
    Ok(())
}

fn an_earlier_report_is_replaced() -> Result<(), Failed> {
    let folder = Folder::new()?;
    train(&folder, Category::Regression, &[])?;
    folder.succeed(["export", "run", "--report", "r.html"])?;
    train(&folder, Category::AutoEncoder, &[])?;
    folder.succeed(["export", "run", "--report", "r.html"])?;
    assert_eq!(folder.read("r.html")?, folder.read("run/report.html")?);
    Ok(())
}

fn archives_of_h2o_have_reports() -> Result<Completion, Failed> {
    let zoo = zoo::folders();
    if zoo.is_empty() {
        return Ok(Completion::ignored_with(zoo::MISSING));
    }
    let folder = Folder::new()?;
    for case in zoo {
        let mojo = case.join("model.zip").display().to_string();
        folder.succeed(["export", &mojo, "--report", "report.html"])?;
        let page = folder.read("report.html")?;
        check_well_formed(&page).map_err(|error| format!("{mojo}: {error:?}"))?;
        assert!(page.contains("by H2O 3."), "{mojo}");
        for title in ["Metrics", "Scoring history", "Parameters"] {
            // One of the archives is of a model that was never trained.
            assert!(page.contains(&format!(">{title}</h2>")) || mojo.contains("dl-untrained"), "{mojo} has no {title}");
        }
    }
    Ok(Completion::Completed)
}
