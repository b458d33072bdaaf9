//! Classes as the command writes and verifies them.

use std::process::Command;
use std::time::Duration;

use exporter::{Artifact, JavaOptions, Jdk, Outcome};
use libtest_mimic::{Failed, Trial};
use model::{
    Activation, Algorithm, Category, DeepLearning, Distribution, Domain, Encoding, Feature, InputLayout, Labelling,
    Layer, Model, Network, Response, Schema, SpecialColumns,
};

use crate::support::java::{self, Runtime};
use crate::support::random::Random;
use crate::support::{Folder, archive, classes, outcome, survey};

const TIMESTAMP: &str = "2026-11-30T15:00:36.751Z";

pub fn tests() -> Vec<Trial> {
    let trial = |name: &str, test: fn(&Runtime) -> Result<(), Failed>| java::trial(format!("java_class::{name}"), test);
    let mut tests = vec![
        trial("a_changed_weight_is_found", a_changed_weight_is_found),
        trial("a_model_that_is_not_what_its_rows_say_is_not_exported", not_what_its_rows_say),
        trial("a_class_compiles_whatever_its_name", every_name_compiles),
        trial("lists_and_texts_of_any_length_compile", long_lists_compile),
        trial("a_large_net_compiles", a_large_net_compiles),
        trial("another_file_is_not_written_over", another_file),
        trial("without_a_jdk_nothing_is_verified", without_a_jdk),
    ];
    for category in Category::ALL {
        let name = format!("java_class::{category}_is_verified_as_it_is_exported").to_lowercase();
        tests.push(java::trial(name, move |runtime| exported_and_verified(runtime, category)));
    }
    tests
}

/// With names and levels as odd as they get, in both kinds of class.
fn exported_and_verified(runtime: &Runtime, category: Category) -> Result<(), Failed> {
    let folder = Folder::new()?;
    train(&folder, category)?;
    let jar = runtime.jar.display().to_string();
    for (genmodel, scorer) in [(None, "generated Java: "), (Some("--genmodel"), "generated Java (genmodel): ")] {
        let class = ["--pojo", "java", "--name", "odd one", "--output", "new/folder", "--h2o-jar", &jar];
        let said = folder.succeed(["export", "run"].into_iter().chain(class).chain(genmodel))?.stdout;
        let lines: Vec<&str> = said.lines().collect();
        assert!(lines.len() == 2 && lines[0].starts_with("wrote new/folder/OddOne.java ("), "{said}");
        assert!(lines[1].trim_start().starts_with(scorer) && lines[1].contains(" rows agree"), "{said}");
        let first = folder.bytes("new/folder/OddOne.java")?;
        folder.succeed(["verify", "new/folder/OddOne.java", "--h2o-jar", &jar])?;
        // The same again, over itself.
        folder.succeed(["export", "run"].into_iter().chain(class).chain(genmodel))?;
        assert!(folder.bytes("new/folder/OddOne.java")? == first, "the classes differ");
    }
    Ok(())
}

fn train(folder: &Folder, category: Category) -> Result<(), Failed> {
    folder.write("training.csv", survey::training(category).to_csv())?;
    let what = ["train", "--training-frame", "training.csv", "--output", "run"];
    let net = ["--activation", "Tanh", "--hidden", "6,5", "--epochs", "4", "--seed", "7"];
    folder.succeed(what.into_iter().chain(survey::goal(category).iter().copied()).chain(net))?;
    Ok(())
}

fn a_changed_weight_is_found(_: &Runtime) -> Result<(), Failed> {
    let folder = Folder::new()?;
    train(&folder, Category::Multinomial)?;
    folder.succeed(["export", "run", "--pojo", "java", "--output", "."])?;
    let whole = folder.read("Run.java")?;
    // The second character of a piece of Base64 holds the exponent of its first weight.
    let (before, weights) = whole.split_once("WEIGHTS = weights(").ok_or("no weights")?;
    let start = before.len() + whole[before.len()..].find('"').ok_or("no piece")? + 2;
    assert!(weights.len() > 100);
    let mut changed = whole.clone().into_bytes();
    changed[start] = if changed[start] == b'A' { b'B' } else { b'A' };
    folder.write("Run.java", changed)?;
    let outcome = folder.run(["verify", "Run.java", "--json"])?;
    let report: serde_json::Value = serde_json::from_str(&outcome.stdout)?;
    assert_eq!((outcome.code, &report["scorers"][0]["outcome"]), (Some(1), &"disagrees".into()), "{outcome:?}");
    Ok(())
}

fn not_what_its_rows_say(_: &Runtime) -> Result<(), Failed> {
    let folder = Folder::new()?;
    train(&folder, Category::Regression)?;
    folder.succeed(["export", "run", "--mojo", "model.zip"])?;
    let changed = archive::with_entry(folder.bytes("model.zip")?, "model.ini", |text| {
        let (before, weights) = text.split_once("weight_layer1 = [").ok_or("no weights")?;
        let (_, after) = weights.split_once(',').ok_or("one weight")?;
        Ok(Some(format!("{before}weight_layer1 = [0.625,{after}")))
    })?;
    folder.write("model.zip", changed)?;
    let before = folder.contents()?;
    let outcome = folder.run(["export", "model.zip", "--pojo", "java", "--output", "new"])?;
    let refusal = "error: new/Model.java was not written, as it does not say what the model says: generated Java: row ";
    assert!(outcome.code == Some(1) && outcome.stderr.starts_with(refusal), "{outcome:?}");
    assert!(folder.contents()? == before, "something is left");
    Ok(())
}

/// Those that are no names of classes, those that Java itself has, and those that the class has within it.
fn every_name_compiles(runtime: &Runtime) -> Result<(), Failed> {
    let folder = Folder::new()?;
    let artifact = Artifact::new(model(net(&[2, 3, 1], 1)?, vec![number("x"), number("y")])?, TIMESTAMP).adopted();
    for (number, name) in [
        "class", "void", "enum", "record", "_", "日本", "2024-11", "", "a\nb", "String", "System", "Map", "Output",
        "Golden", "hidden 1", "Hidden99", "x\"y", "Consumer", "Double",
    ]
    .into_iter()
    .enumerate()
    {
        let class = exporter::java_class_name(name);
        for genmodel in [false, true] {
            // Two kinds of one name cannot be compiled together.
            let own = Folder::new()?;
            classes::write(&artifact, &class, genmodel, &own)?;
            let package = format!("p{number}{}", if genmodel { "g" } else { "" });
            let text = format!("package {package};\n{}", own.read(&format!("{class}.java"))?);
            folder.write(&format!("{package}_{class}/{class}.java"), text)?;
        }
    }
    let sources = folder.contents()?.into_iter().filter(|(_, content)| content.is_some());
    let mut javac = Command::new("javac");
    javac.arg("-cp").arg(&runtime.jar).arg("-d").arg(folder.path("")).args(sources.map(|(path, _)| path));
    let outcome = outcome(javac)?;
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    Ok(())
}

/// More columns than a method can set, more levels than a class can name, and a level that no constant can hold.
fn long_lists_compile(runtime: &Runtime) -> Result<(), Failed> {
    let many = |count: usize| (0..count).map(|i| format!("level {i}")).collect::<Vec<_>>();
    let long = vec!["x".repeat(70_000), "日".repeat(30_000), "a|b<0>".to_owned(), String::new()];
    let mut features = vec![levels("many", many(40_000)), levels("more", many(40_000)), levels("long", long)];
    features.extend((0..700).map(|i| number(&format!("column {i}"))));
    let inputs = 40_001 + 40_001 + 5 + 700;
    verify_both(runtime, model(net(&[inputs, 2, 1], 3)?, features)?)
}

/// In the memory that `javac` gets from `classes::compile`, half a gigabyte.
fn a_large_net_compiles(runtime: &Runtime) -> Result<(), Failed> {
    let folder = Folder::new()?;
    let features: Vec<Feature> = (0..784).map(|i| number(&format!("C{i}"))).collect();
    let artifact = Artifact::new(model(net(&[784, 1024, 1024, 1024, 10], 5)?, features)?, TIMESTAMP).adopted();
    classes::write(&artifact, "Large", false, &folder)?;
    classes::compile(runtime, &folder)?;
    let said = classes::java(runtime, &folder, &["-Xmx512m", "Large"])?;
    assert!(said.ends_with(" rows agree\n"), "{said}");
    Ok(())
}

fn verify_both(runtime: &Runtime, model: Model) -> Result<(), Failed> {
    let folder = Folder::new()?;
    let artifact = Artifact::new(model, TIMESTAMP).adopted();
    let jdk = Jdk { java: "java".into(), jar: Some(runtime.jar.clone()), timeout: Duration::from_mins(5) };
    for genmodel in [false, true] {
        let options = JavaOptions { class: "Model".to_owned(), genmodel };
        let path = folder.path("Model.java");
        exporter::write_java(&artifact, &options, &path)?;
        let report = exporter::verify_java(&artifact, &options, &path, &jdk)?;
        assert_eq!(report.outcome, Outcome::Agrees, "{report}");
    }
    Ok(())
}

fn another_file(_: &Runtime) -> Result<(), Failed> {
    let folder = Folder::new()?;
    train(&folder, Category::Regression)?;
    folder.write("Run.java", "class Run {}\n")?;
    let outcome = folder.run(["export", "run", "--pojo", "java", "--output", "."])?;
    assert_eq!(outcome.stderr, "error: --output ./Run.java exists and is no class of ours: choose another file\n");
    assert_eq!((outcome.code, folder.read("Run.java")?.as_str()), (Some(1), "class Run {}\n"));
    let outcome = folder.run(["verify", "Run.java"])?;
    let refusal = "error: `Run.java` is no source of ours: expected it to begin with `// Written by Aqueduct`\n";
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(1), refusal));
    Ok(())
}

fn without_a_jdk(_: &Runtime) -> Result<(), Failed> {
    let folder = Folder::new()?;
    train(&folder, Category::Binomial)?;
    let said = folder.succeed(["export", "run", "--pojo", "java", "--output", ".", "--java", "nowhere/java"])?.stdout;
    let skipped = "\n  generated Java: skipped, cannot run `nowhere/javac`: No such file or directory (os error 2)\n";
    assert!(said.starts_with("wrote ./Run.java (") && said.ends_with(skipped), "{said}");
    let outcome = folder.run(["verify", "Run.java", "--java", "nowhere/java"])?;
    assert!(outcome.code == Some(1) && outcome.stderr.starts_with("error: nothing was compared: "), "{outcome:?}");
    Ok(())
}

fn number(name: &str) -> Feature {
    Feature { name: name.to_owned(), domain: None }
}

fn levels(name: &str, levels: Vec<String>) -> Feature {
    Feature { name: name.to_owned(), domain: Some(Domain::new(levels)) }
}

/// A net of so many units in its layers.
fn net(units: &[usize], seed: u64) -> Result<Network, Failed> {
    let mut random = Random::new(seed);
    let layers = units.windows(2).map(|pair| Layer {
        inputs: pair[0],
        units: pair[1],
        channels: 1,
        weights: (0..pair[0] * pair[1]).map(|_| (random.unit() - 0.5) as f32 / 8.0).collect(),
        biases: (0..pair[1]).map(|_| random.unit()).collect(),
        dropout_ratio: 0.0,
    });
    Ok(Network::new(Activation::Rectifier, layers.collect())?)
}

/// A regression, or a classifier where the net has several outputs.
fn model(network: Network, features: Vec<Feature>) -> Result<Model, Failed> {
    let counts: Vec<usize> = features.iter().filter_map(|feature| feature.domain.as_ref()).map(Domain::len).collect();
    let classes: Vec<String> = (0..network.outputs()).map(|class| class.to_string()).collect();
    let is_classifier = classes.len() > 1;
    let (category, distribution) = if is_classifier {
        (Category::Multinomial, Distribution::Multinomial)
    } else {
        (Category::Regression, Distribution::Gaussian)
    };
    let response = Response { name: "y".to_owned(), domain: is_classifier.then(|| Domain::new(classes)) };
    let layout = InputLayout::new(&counts, features.len() - counts.len(), true, None);
    let model = Model {
        schema: Schema::new(features, Some(response), SpecialColumns::default()),
        encoding: Encoding::Auto,
        category,
        labelling: Labelling {
            default_threshold: 0.5,
            prior_class_distrib: None,
            model_class_distrib: None,
            balance_classes: false,
        },
        algorithm: Algorithm::DeepLearning(DeepLearning {
            layout,
            network,
            distribution,
            response_scaling: None,
            mean_imputation: true,
        }),
    };
    model.check()?;
    Ok(model)
}
