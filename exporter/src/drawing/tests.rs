use model::{Activation, Algorithm, Category, DeepLearning, Feature, InputLayout, Layer, Model, Network, Schema};
use roxmltree::Document;

use super::*;
use crate::samples;

/// The texts of a drawing.
fn texts(drawing: &str) -> Vec<String> {
    let document = Document::parse(drawing).expect("it is XML");
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    texts.map(|node| node.text().unwrap_or_default().to_owned()).collect()
}

/// A regression on so many numbers, with so many units in each layer.
fn net(columns: usize, hidden: &[usize]) -> Model {
    let mut below = columns;
    let layers = hidden.iter().chain([&1]).map(|&units| {
        let weights = (0..units * below).map(|i| (i % 7) as f32 - 3.0).collect();
        let layer = Layer { inputs: below, units, channels: 1, weights, biases: vec![0.0; units], dropout_ratio: 0.25 };
        below = units;
        layer
    });
    let layers = layers.collect();
    let features = (0..columns).map(|i| Feature { name: format!("column {i}"), domain: None }).collect();
    let model = samples::model(Activation::Tanh, Category::Regression);
    let Algorithm::DeepLearning(net) = model.algorithm else { unreachable!("it is one") };
    let network = Network::new(Activation::RectifierWithDropout, layers).expect("it fits");
    let layout = InputLayout::new(&[], columns, true, None);
    let schema = Schema::new(features, model.schema.response().cloned(), model.schema.special().clone());
    Model { schema, algorithm: Algorithm::DeepLearning(DeepLearning { layout, network, ..net }), ..model }
}

#[test]
fn every_kind_of_model_is_drawn() {
    for category in Category::ALL {
        for activation in [Activation::Tanh, Activation::RectifierWithDropout, Activation::Maxout] {
            if category == Category::AutoEncoder && activation == Activation::Maxout {
                continue;
            }
            let drawing = render(&samples::model(activation, category));
            assert!(drawing.starts_with(DRAWING_START) && !drawing.contains("NaN"), "{category} {activation}");
            assert!(texts(&drawing).len() > 20, "{category} {activation}");
        }
    }
    for encoding in samples::encodings() {
        let name = encoding.name();
        let texts = texts(&render(&samples::encoded(encoding)));
        assert!(texts.iter().any(|text| text.ends_with(&format!("{name} encoding"))), "{texts:?}");
    }
}

#[test]
fn names_are_escaped_and_shortened() {
    let mut model = net(3, &[2]);
    let names = [
        "<script>alert(\"&\")</script>",
        "\u{202e}\u{0}0123456789012345678901234567890",
        "🦀🦀🦀🦀🦀🦀🦀🦀🦀🦀🦀🦀🦀🦀🦀",
    ];
    let features = names.map(|name| Feature { name: name.to_owned(), domain: None }).to_vec();
    model.schema = Schema::new(features, None, model.schema.special().clone());
    let texts = texts(&render(&model));
    assert!(texts.contains(&"<script>alert(\"&\")</scr…".to_owned()), "{texts:?}");
    assert!(texts.contains(&"\\u{202e}\\u{0}01234567890…".to_owned()), "{texts:?}");
    assert!(texts.contains(&"🦀🦀🦀🦀🦀🦀🦀🦀🦀🦀🦀🦀…".to_owned()), "{texts:?}");
}

#[test]
fn a_large_net_has_a_small_drawing() {
    let drawing = render(&net(1000, &[1024; 40]));
    assert!(drawing.len() < 400_000, "{}", drawing.len());
    let texts = texts(&drawing);
    for counted in ["⋮ 976 more columns", "1,012 more units", "30 more layers", "1,048,576 weights", "25% dropped"] {
        assert!(texts.iter().any(|text| text == counted), "{counted}: {texts:?}");
    }
    // Of what is just too long for its place nothing is left out.
    let texts = self::texts(&render(&net(25, &[13])));
    assert!(!texts.iter().any(|text| text.contains("more")), "{texts:?}");
}

#[test]
fn lines_are_the_largest_weights() {
    let drawing = render(&net(1, &[1]));
    // The only weight of each layer is -3, as large as weights get there.
    let document = Document::parse(&drawing).expect("it is XML");
    let edges = document.descendants().filter(|node| node.attribute("class") == Some("edge down"));
    let lines: Vec<_> = edges.filter(|node| node.attribute("opacity") == Some("1")).collect();
    assert_eq!(lines.len(), 1, "one path has them all");
    assert_eq!(lines[0].attribute("d").map(|path| path.matches('M').count()), Some(2));
}
