use std::collections::HashSet;
use std::fs;

use model::{
    Activation, Algorithm, Category, Domain, Encoding, Feature, Labelling, Model, Nonlinearity, Schema, SpecialColumns,
};
use prost::Message;

use super::graph::ML_DOMAIN;
use super::levels::Levels;
use super::metadata::key;
use super::proto::{GraphProto, ModelProto};
use super::*;
use crate::artifact::Artifact;
use crate::samples;

/// The file of an artifact.
fn bytes(artifact: &Artifact, options: OnnxOptions) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.onnx");
    write_onnx(artifact, &options, &path).unwrap();
    fs::read(path).unwrap()
}

fn decoded(artifact: &Artifact, options: OnnxOptions) -> ModelProto {
    ModelProto::decode(bytes(artifact, options).as_slice()).unwrap()
}

fn every_option() -> Vec<OnnxOptions> {
    let of = |precision| OnnxInputs::ALL.map(|inputs| OnnxOptions { precision, inputs });
    OnnxPrecision::ALL.into_iter().flat_map(of).collect()
}

fn samples() -> Vec<Model> {
    let kinds = Category::ALL.into_iter().flat_map(|category| Activation::ALL.map(|activation| (activation, category)));
    let is_one = |(activation, category): &(Activation, Category)| {
        *category != Category::AutoEncoder || activation.nonlinearity() != Nonlinearity::Maxout
    };
    let plain = kinds.filter(is_one).map(|(activation, category)| samples::model(activation, category));
    plain.chain(samples::encodings().map(samples::encoded)).chain([balanced()]).collect()
}

/// A model that learned from balanced classes.
fn balanced() -> Model {
    let minimal = samples::minimal();
    let model_class_distrib = Some(vec![0.5, 0.5]);
    Model { labelling: Labelling { balance_classes: true, model_class_distrib, ..minimal.labelling }, ..minimal }
}

/// The model with other names of its columns.
fn renamed(model: &Model, names: &[&str]) -> Model {
    let features = model.schema.features().iter().zip(names);
    let features = features.map(|(feature, &name)| Feature { name: name.to_owned(), domain: feature.domain.clone() });
    let schema = Schema::new(features.collect(), model.schema.response().cloned(), SpecialColumns::default());
    Model { schema, ..model.clone() }
}

/// Checks that each value is made once, before it is used.
fn check(graph: &GraphProto) {
    let mut made = HashSet::new();
    let inputs = graph.input.iter().map(|input| &input.name);
    for name in inputs.chain(graph.initializer.iter().map(|constant| &constant.name)) {
        assert!(made.insert(name.clone()), "{name} is there twice");
    }
    for node in &graph.node {
        for input in &node.input {
            assert!(made.contains(input), "{} reads {input} before it is made", node.name);
        }
        for output in &node.output {
            assert!(made.insert(output.clone()), "{output} is made twice");
        }
    }
    for output in &graph.output {
        assert!(made.contains(&output.name), "nothing makes {}", output.name);
    }
    // What nobody reads would be computed, or carried, for nothing.
    let read: HashSet<&String> = graph.node.iter().flat_map(|node| &node.input).collect();
    let asked: HashSet<&String> = graph.output.iter().map(|output| &output.name).collect();
    for name in made.iter().filter(|name| !read.contains(name) && !asked.contains(name)) {
        assert!(
            graph.node.iter().any(|node| node.op_type == "Split" && node.output.contains(name)),
            "{name} is unread"
        );
    }
}

fn names(graph: &GraphProto) -> (Vec<&str>, Vec<&str>) {
    let inputs = graph.input.iter().map(|input| input.name.as_str()).collect();
    (inputs, graph.output.iter().map(|output| output.name.as_str()).collect())
}

#[test]
fn graphs_of_every_kind_hang_together() {
    for model in samples() {
        let artifact = Artifact::new(model, samples::TIMESTAMP);
        for options in every_option() {
            let file = decoded(&artifact, options);
            check(file.graph.as_ref().unwrap());
            let ml = file.graph.unwrap().node.iter().any(|node| node.domain == ML_DOMAIN);
            assert_eq!(ml, options.inputs == OnnxInputs::Columns);
            assert_eq!(file.opset_import.len(), 1 + usize::from(ml));
        }
    }
}

#[test]
fn probabilities_that_sum_to_nothing_are_not_divided_by_it() {
    let graph = decoded(&Artifact::new(balanced(), samples::TIMESTAMP), OnnxOptions::default()).graph.unwrap();
    let maker = |name: &str| graph.node.iter().find(|node| node.output == [name]).unwrap();
    let divided = graph.node.iter().find(|node| node.op_type == "Div").unwrap();
    assert_eq!(maker(&divided.input[1]).op_type, "Where");
}

#[test]
fn names_stay_short_however_many_columns_are_encoded() {
    const COLUMNS: usize = 300;
    let artifact = Artifact::new(samples::wide(COLUMNS), samples::TIMESTAMP);
    for options in every_option() {
        let graph = decoded(&artifact, options).graph.unwrap();
        check(&graph);
        let outputs = graph.node.iter().flat_map(|node| &node.output);
        let names = outputs.chain(graph.initializer.iter().map(|constant| &constant.name));
        assert!(names.map(String::len).max() < Some(32));
        let axes = graph.initializer.iter().filter(|constant| constant.name.starts_with("second.axis"));
        assert_eq!(axes.count(), 1);
    }
}

#[test]
fn the_same_model_makes_the_same_bytes() {
    for options in every_option() {
        assert_eq!(bytes(&samples::artifact(), options), bytes(&samples::artifact(), options));
    }
}

#[test]
fn columns_keep_their_names_and_outputs_give_way() {
    let model = renamed(&samples::minimal(), &["label", "probabilities"]);
    let file = decoded(&Artifact::new(model, samples::TIMESTAMP), OnnxOptions::default());
    let graph = file.graph.unwrap();
    check(&graph);
    assert_eq!(names(&graph), (vec!["label", "probabilities"], vec!["label_", "probabilities_"]));

    let odd = Artifact::new(samples::model(Activation::Tanh, Category::Regression), samples::TIMESTAMP);
    let graph = decoded(&odd, OnnxOptions::default()).graph.unwrap();
    assert_eq!(names(&graph), (samples::ODD_NAMES.to_vec(), vec!["predict"]));
    let matrices = OnnxOptions { inputs: OnnxInputs::Matrices, ..OnnxOptions::default() };
    let graph = decoded(&odd, matrices).graph.unwrap();
    assert_eq!(names(&graph), (vec!["numbers", "codes"], vec!["predict"]));
}

#[test]
fn a_column_without_a_name_is_no_input() {
    for names_given in [["", "n"], ["c", ""], ["x", "x"]] {
        let model = renamed(&samples::minimal(), &names_given);
        let file = decoded(&Artifact::new(model, samples::TIMESTAMP), OnnxOptions::default());
        let graph = file.graph.unwrap();
        check(&graph);
        let named = names_given.into_iter().find(|name| !name.is_empty()).unwrap();
        assert_eq!(names(&graph).0, [named]);
    }
    let nameless = Artifact::new(renamed(&samples::minimal(), &["", ""]), samples::TIMESTAMP);
    let refused = write_onnx(&nameless, &OnnxOptions::default(), "nowhere/m.onnx".as_ref()).unwrap_err();
    assert!(refused.to_string().ends_with("without a named column: ONNX finds inputs by their names"), "{refused}");
}

#[test]
fn weights_that_are_no_numbers_are_refused() {
    let mut infinite = samples::minimal();
    let Algorithm::DeepLearning(net) = &mut infinite.algorithm else { unreachable!("it is one") };
    net.network.parameters_mut(1).0[0] = f32::INFINITY;
    let artifact = Artifact::new(infinite, samples::TIMESTAMP);
    let refused = write_onnx(&artifact, &OnnxOptions::default(), "nowhere/m.onnx".as_ref()).unwrap_err();
    assert_eq!(refused.to_string(), "layer 1 has weights that are no finite numbers: its answers would mean nothing");
}

#[test]
fn texts_are_found_as_the_runtime_finds_them() {
    let texts = |encoding: Encoding, levels: &[&str]| -> Vec<(String, usize)> {
        let feature = Feature { name: "c".into(), domain: Some(samples::domain(levels)) };
        let schema = Schema::new(vec![feature], None, SpecialColumns::default());
        Levels::all(&Model { schema, encoding, ..samples::minimal() })[0].texts()
    };
    let named = |texts: &[(&str, usize)]| texts.iter().map(|&(text, at)| (text.to_owned(), at)).collect::<Vec<_>>();
    let missing = [("", 0), ("NA", 0), ("N/A", 0), ("-", 0)];
    let expected = |levels: &[(&str, usize)]| named(&[levels, &missing].concat());
    assert_eq!(texts(Encoding::Auto, &["c.a", "b"]), expected(&[("c.a", 1), ("b", 2), ("a", 1)]));
    // A level comes before another one that is named by its end.
    assert_eq!(texts(Encoding::Auto, &["c.a", "a"]), expected(&[("c.a", 1), ("a", 2)]));
    assert_eq!(texts(Encoding::Binary, &["c.a", "b"]), expected(&[("c.a", 1), ("b", 2)]));
    // The first of two equal levels is found.
    assert_eq!(texts(Encoding::Auto, &["b", "b"]), expected(&[("b", 1)]));
    let all_known = texts(Encoding::Binary, &["", "NA", "N/A", "-", "missing(NA)"]);
    assert_eq!(all_known.last(), Some(&("missing(NA)!".to_owned(), 0)));
}

#[test]
fn papers_are_read_back() {
    for model in samples() {
        let artifact = Artifact::new(model, samples::TIMESTAMP).adopted();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.onnx");
        for options in every_option() {
            write_onnx(&artifact, &options, &path).unwrap();
            let file = read_onnx(&path).unwrap();
            assert_eq!(
                (file.category, file.precision, file.inputs),
                (artifact.model.category, options.precision, options.inputs)
            );
            // As text, in which a NaN is equal to another.
            let text = |golden| serde_json::to_string(golden).unwrap();
            assert!(text(&file.golden) == text(&artifact.golden));
            let classes = artifact.model.schema.classes().map_or(&[][..], Domain::levels);
            assert_eq!(file.classes, classes);
            assert_eq!(file.columns.len(), artifact.model.schema.features().len());
        }
    }
}

#[test]
fn a_file_that_is_longer_than_any_of_ours_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.onnx");
    // A hole, which takes no room on the disk.
    fs::File::create(&path).unwrap().set_len(MOST_BYTES as u64 + 1).unwrap();
    let refused = read_onnx(&path).unwrap_err().to_string();
    assert_eq!(refused, "it is no ONNX file: it has 2147483648 bytes, and protobuf has room for 2147483647");
}

fn entry<'m>(model: &'m mut ModelProto, key: &str) -> &'m mut String {
    &mut model.metadata_props.iter_mut().find(|entry| entry.key == key).unwrap().value
}

#[test]
fn a_file_that_is_cut_off_or_another_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.onnx");
    let refusal = |content: &[u8]| {
        fs::write(&path, content).unwrap();
        read_onnx(&path).unwrap_err().to_string()
    };
    let whole = bytes(&samples::artifact(), OnnxOptions::default());
    for length in (0..whole.len()).step_by(7) {
        fs::write(&path, &whole[..length]).unwrap();
        let refused = read_onnx(&path).unwrap_err();
        // Between two fields it is cut off where a shorter file would end.
        let expected = matches!(refused, OnnxReadError::Damaged { .. } | OnnxReadError::MissingKey { .. });
        assert!(expected, "{length}: {refused}");
    }
    let changed = |change: fn(&mut ModelProto)| {
        let mut model = ModelProto::decode(whole.as_slice()).unwrap();
        change(&mut model);
        model.encode_to_vec()
    };
    let none = refusal(&changed(|model| model.metadata_props.clear()));
    assert_eq!(none, "it is no ONNX file of aqueduct: its metadata has no `aqueduct.version`");
    let newer = refusal(&changed(|model| *entry(model, key::VERSION) = "2".to_owned()));
    assert_eq!(newer, "its metadata `aqueduct.version`: version 1 is read, found `2`");
    let other = refusal(&changed(|model| *entry(model, key::PRECISION) = "f16".to_owned()));
    assert_eq!(other, "its metadata `aqueduct.precision`: expected one of f64, f32, found `f16`");
    let broken = refusal(&changed(|model| *entry(model, key::COLUMNS) = "[".to_owned()));
    assert!(broken.starts_with("its metadata `aqueduct.columns`: EOF"), "{broken}");
    let fewer = refusal(&changed(|model| *entry(model, key::COLUMNS) = r#"[{"name":"c"}]"#.to_owned()));
    assert_eq!(fewer, "its metadata `aqueduct.golden`: row 1: expected 1 cells, found 2");
}
