use std::time::Duration;

use model::JsonNumber;

use super::*;
use crate::golden::GoldenCell;
use crate::samples;

const NO_MOJO: &str = "nowhere.zip";

fn of_java(runtime: &JavaRuntime) -> Scorers {
    Scorers { runtime: Some(runtime.clone()), ..Scorers::default() }
}

#[test]
fn an_artifact_agrees_with_its_own_rows() {
    let report = verify(&samples::artifact(), Path::new(NO_MOJO), &Scorers::default()).unwrap();
    assert!(report.agrees());
    assert_eq!(report.scorers[0].outcome, Outcome::Agrees);
    assert_eq!(report.scorers[0].largest_relative_difference, 0.0);
    let lines: Vec<String> = report.scorers.iter().map(ToString::to_string).collect();
    assert!(lines[0].starts_with("aqueduct: 1") && lines[0].ends_with("rows agree, largest relative difference 0.0e0"));
    assert_eq!(lines[1], "h2o-genmodel: skipped, no jar of H2O's runtime was given");
}

#[test]
fn one_changed_digit_is_found() {
    let mut artifact = samples::artifact();
    let Answer::Class { probabilities, .. } = &mut artifact.golden.as_mut().unwrap().rows[4].answer else {
        unreachable!("the sample is a classifier")
    };
    probabilities[1] = JsonNumber(probabilities[1].0.next_up());
    let report = verify(&artifact, Path::new(NO_MOJO), &Scorers::default()).unwrap();
    assert!(!report.agrees());
    let line = report.scorers[0].to_string();
    assert!(
        line.starts_with("aqueduct: row 5 of 1") && line.contains("disagrees in column `yes`: expected 0."),
        "{line}"
    );
    assert!(report.scorers[0].largest_relative_difference < 1e-15);
}

#[test]
fn another_label_is_found() {
    let mut artifact = samples::artifact();
    let Answer::Class { label, .. } = &mut artifact.golden.as_mut().unwrap().rows[0].answer else {
        unreachable!("the sample is a classifier")
    };
    *label = label.map(|label| 1 - label);
    let line = verify(&artifact, Path::new(NO_MOJO), &Scorers::default()).unwrap().scorers[0].to_string();
    assert!(
        line.contains("row 1 of") && line.contains("disagrees in column `predict`: expected `yes`, found `no`"),
        "{line}"
    );
}

#[test]
fn an_archive_without_rows_leaves_our_scorer_nothing_to_do() {
    let artifact = Artifact::new(samples::minimal(), samples::TIMESTAMP);
    let report = verify(&artifact, Path::new(NO_MOJO), &Scorers::default()).unwrap();
    assert_eq!(report.scorers[0].to_string(), "aqueduct: skipped, the archive holds no golden rows to compare with");
}

#[test]
fn a_jar_that_is_none_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let jar = folder.path().join("other.jar");
    let runtime = JavaRuntime { java: "java".into(), jar: jar.clone(), timeout: Duration::from_secs(1) };
    let refusal = || verify(&samples::artifact(), Path::new(NO_MOJO), &of_java(&runtime)).unwrap_err().to_string();
    assert!(refusal().starts_with(&format!("cannot read the jar `{}`: ", jar.display())), "{}", refusal());
    fs::write(&jar, "no zip").unwrap();
    assert!(refusal().starts_with("cannot read the jar"), "{}", refusal());
    crate::mojo::write_mojo(&samples::artifact(), &jar).unwrap();
    assert!(refusal().ends_with("does not hold H2O's runtime, hex.genmodel: expected h2o-genmodel.jar or h2o.jar"));
}

#[test]
fn numbers_and_texts_cross_to_java_and_back() {
    let model = samples::minimal();
    let rows = vec![
        vec![GoldenCell::Missing, GoldenCell::Number(0.1)],
        vec![GoldenCell::Text("a\tb\n\\".into()), GoldenCell::Missing],
    ];
    let golden = Golden::answered(&model, rows);
    assert_eq!(java::rows_text(&golden), "c\tn\n\t#1e-1\n=a\\tb\\n\\\\\t\n");

    let read = |text| java::read_answers(text, &model, 2);
    let answers = read("1.0\t0.25\t7.5E-1\n!Predicted class probability NaN!\n").unwrap();
    assert_eq!((answers[0].label(), answers[0].numbers()), (Some(1), vec![0.25, 0.75]));
    assert!(answers[1].label().is_none() && answers[1].numbers().iter().all(|p| p.is_nan()));
    for (text, message) in [
        ("1.0\t0.25\t0.75\n", "H2O's runtime gave 1 answers to 2 rows"),
        ("1.0\t0.25\t0.75\n!no\n", "H2O's runtime refused row 2: no"),
        ("1.0\n\n", "H2O's runtime gave an answer to row 1 that is none: `1.0`"),
    ] {
        assert_eq!(read(text).unwrap_err().to_string(), message);
    }
}

#[cfg(unix)]
mod processes {
    use std::io::Write;
    use std::process::Command;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    /// What verify says with this program in the place of Java.
    fn refusal(java: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let jar = folder.path().join("h2o-genmodel.jar");
        let mut zip = ZipWriter::new(fs::File::create(&jar).unwrap());
        zip.start_file(java::RUNTIME_CLASS, SimpleFileOptions::default()).unwrap();
        zip.write_all(b"a class").unwrap();
        zip.finish().unwrap();
        let runtime = JavaRuntime { java: java.into(), jar, timeout: Duration::from_mins(1) };
        verify(&samples::artifact(), Path::new(NO_MOJO), &of_java(&runtime)).unwrap_err().to_string()
    }

    #[test]
    fn java_that_is_not_there_fails_or_babbles_is_an_error() {
        assert!(refusal("no-such-java").starts_with("cannot run `no-such-java`, Java 11 or later is needed: "));
        assert!(refusal("false").contains("H2O's runtime failed (exit status: 1): it said nothing"));
        assert!(refusal("echo").starts_with("H2O's runtime gave 1 answers to 1"));
    }

    #[test]
    fn java_that_hangs_is_stopped() {
        let child = Command::new("sleep").arg("600").spawn().unwrap();
        let id = child.id();
        let process = process::Process { scorer: "H2O's runtime", needs: "Java", timeout: Duration::from_millis(50) };
        let stopped = process.wait(child).unwrap_err().to_string();
        assert_eq!(stopped, "H2O's runtime took longer than 0 seconds and was stopped");
        assert!(!Path::new(&format!("/proc/{id}")).exists());
    }
}

#[test]
fn an_archive_whose_golden_rows_were_taken_out_has_nothing_to_compare() {
    let model = samples::model(model::Activation::Tanh, model::Category::Regression);
    let profile = samples::profile(&model);
    let mut artifact = Artifact::new(model, samples::TIMESTAMP).with_profile(profile);
    assert!(verify(&artifact, Path::new(NO_MOJO), &Scorers::default()).unwrap().compared());
    artifact.golden.as_mut().unwrap().rows.clear();
    assert!(!verify(&artifact, Path::new(NO_MOJO), &Scorers::default()).unwrap().compared());
}

#[test]
fn an_autoencoder_is_verified_by_its_error_too() {
    let model = samples::model(model::Activation::Tanh, model::Category::AutoEncoder);
    let profile = samples::profile(&model);
    let mut artifact = Artifact::new(model, samples::TIMESTAMP).with_profile(profile);
    assert!(verify(&artifact, Path::new(NO_MOJO), &Scorers::default()).unwrap().agrees());
    let Answer::Reconstruction { values, mse } = &mut artifact.golden.as_mut().unwrap().rows[0].answer else {
        unreachable!("the sample is an autoencoder")
    };
    let line = values.iter().chain([&*mse]).map(|value| value.0.to_string()).collect::<Vec<_>>().join("\t");
    let read = java::read_answers(&line, &artifact.model, 1).unwrap();
    assert_eq!(read, [Answer::Reconstruction { values: values.clone(), mse: *mse }]);
    *mse = JsonNumber(mse.0.next_up());
    let report = verify(&artifact, Path::new(NO_MOJO), &Scorers::default()).unwrap();
    assert!(report.scorers[0].to_string().contains("disagrees in column `mse`"));
}

#[test]
fn a_source_that_is_not_there_or_another_is_named() {
    let jdk = Jdk { java: "java".into(), jar: None, timeout: Duration::from_secs(1) };
    let java = |path: &Path| verify_java_file(path, &jdk).unwrap_err().to_string();
    let rust = |path: &Path| verify_rust_file(path, &RustCompiler::default()).unwrap_err().to_string();
    let nowhere = Path::new("nowhere/Model.java");
    for refused in [java(nowhere), rust(nowhere)] {
        assert!(refused.starts_with("cannot read `nowhere/Model.java`: "), "{refused}");
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other");
    fs::write(&path, b"// caf\xe9").unwrap();
    for refused in [java(&path), rust(&path)] {
        assert!(refused.starts_with(&format!("`{}` is no source of ours", path.display())), "{refused}");
    }
}

#[test]
fn a_compiler_that_takes_too_long_says_nothing_against_a_source() {
    let folder = tempfile::tempdir().unwrap();
    let options = crate::pojo::RustOptions { module: "model".to_owned(), as_crate: false };
    let source = crate::pojo::write_rust(&samples::artifact(), &options, folder.path()).unwrap();
    let hasty = RustCompiler { timeout: Duration::ZERO, ..RustCompiler::default() };
    let skipped = Outcome::Skipped { reason: "rustc took longer than 0 seconds and was stopped".to_owned() };
    assert_eq!(verify_rust(&samples::artifact(), &source, &hasty).unwrap().outcome, skipped);
    assert_eq!(verify_rust_file(&source, &hasty).unwrap().outcome, skipped);
}
