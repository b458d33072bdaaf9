//! Pages as a whole: they are well-formed, name nothing outside, and say what the facts say.

use std::collections::{HashMap, HashSet};

use model::{Activation, Category, ColumnProfile, Profile, ValueProfile};
use roxmltree::{Document, Node, ParsingOptions};

use super::{FrameFacts, ParameterFacts, ReportFacts, RunFacts, Table, render};
use crate::samples;

/// What a page must not take for its own.
const EVIL: [&str; 6] =
    ["<script>alert(1)</script>", "\"'>&amp;", "{{ evil }}", "\u{202e}turned", "nul\u{0}\u{1b}[31m\u{fffe}", ""];

fn table(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> Table {
    Table { header: header.iter().map(|&name| name.to_owned()).collect(), rows: rows.into_iter().collect() }
}

fn numbers<const N: usize>(values: [f64; N]) -> Vec<String> {
    values.map(|value| value.to_string()).to_vec()
}

/// A frame with every table that there is.
fn frame(figure: f64) -> FrameFacts {
    let thresholds = [
        [0.9, 3.0, 1.0, 0.3, 0.1, 0.3, 0.75],
        [0.5, 6.0, 2.0, 0.6, 0.2, 0.6, 0.75],
        [0.1, 10.0, 10.0, 1.0, 1.0, 1.0, 0.5],
    ];
    let confusion = (0..6).map(|class| {
        let mut row = vec![EVIL[class].to_owned()];
        row.extend((0..6).map(|other| (class * 7 + other).to_string()));
        row.extend(["0.5".to_owned(), "1 / 2".to_owned()]);
        row
    });
    let mut head = vec!["actual"];
    head.extend(EVIL);
    head.extend(["Error", "Rate"]);
    let names = ["auc", "pr_auc", "logloss", "classification_error", "rmse", "nobs", "r2"];
    FrameFacts {
        metrics: names.iter().map(|&name| (name.to_owned(), if name == "r2" { f64::NAN } else { figure })).collect(),
        confusion: table(&head, confusion.chain([vec!["Totals".to_owned(); 9]])),
        thresholds: table(&["threshold", "tps", "fps", "tpr", "fpr", "recall", "precision"], thresholds.map(numbers)),
        gains_lift: table(
            &["cumulative_data_fraction", "lift", "cumulative_lift", "cumulative_capture_rate"],
            [[0.1, 2.0, 2.0, 0.2], [1.0, 1.0, 1.0, 1.0]].map(numbers),
        ),
        hit_ratios: table(&["k", "hit_ratio"], [[1.0, 0.9], [2.0, 1.0]].map(numbers)),
        multinomial_auc: table(
            &["type", "first_class_domain", "second_class_domain", "auc", "auc_pr"],
            EVIL.map(|name| [name, name, "", "0.9", "0.8"].map(str::to_owned).to_vec()),
        ),
        residuals: table(&["lower", "upper", "rows"], [[f64::NEG_INFINITY, 0.0, 2.0], [0.0, 1.0, 5.0]].map(numbers)),
        predicted_actual: table(&["actual", "predicted", "side", "rows"], [[0.0, 1.0, 1.0, 3.0]].map(numbers)),
        reconstruction_errors: table(
            &["lower", "upper", "rows"],
            [[0.0, 1e-12, 1.0], [0.5, 0.511, 90.0], [4.0, 4.09, 9.0]].map(numbers),
        ),
    }
}

/// All that can be known of a model, with names that are not meant well.
fn everything(category: Category) -> ReportFacts {
    let model = samples::model(Activation::Tanh, category);
    let columns = model.schema.features().iter().map(|feature| ColumnProfile {
        name: feature.name.clone(),
        missing: 3,
        values: match &feature.domain {
            Some(domain) => ValueProfile::Categorical { counts: (0..domain.len() as u64).collect() },
            None => ValueProfile::Numeric {
                mean: 1.5,
                sigma: 0.5,
                quantiles: (0..41).map(f64::from).collect(),
                whole: true,
            },
        },
    });
    let profile = Profile { rows: 100, columns: columns.collect() };
    let history = [[0.0, f64::NAN, f64::NAN], [1.0, 0.6, 0.7], [2.0, 0.5, 0.65], [3.0, 0.55, 0.8], [3.0, 0.5, 0.65]];
    let parameter = |name: &str, given: &str, effective: &str| ParameterFacts {
        name: name.to_owned(),
        given: given.to_owned(),
        effective: effective.to_owned(),
        default: "-1".to_owned(),
    };
    ReportFacts {
        model,
        profile: Some(profile),
        trained_by: "Aqueduct 0.1.0".to_owned(),
        timestamp: samples::TIMESTAMP.to_owned(),
        run: Some(RunFacts {
            engine: "fast, avx2".to_owned(),
            threads: 2,
            samples: 71_280,
            epochs: 20.0,
            training_seconds: 0.42,
            samples_per_second: 169_714.2,
            stopped_by: "all epochs are done".to_owned(),
        }),
        warnings: Some(EVIL.map(str::to_owned).to_vec()),
        parameters: vec![
            parameter("seed", "-1", "42"),
            parameter("training_frame", EVIL[0], EVIL[0]),
            parameter("unchanged", "-1", "-1"),
        ],
        history: table(&["epochs", "training_logloss", "validation_logloss"], history.map(numbers)),
        layers: table(
            &["layer", "units", "type", "dropout", "l1", "mean_rate"],
            [["1", "14", "Input", "0", "0", ""], ["2", "3", EVIL[0], "", "0", "0.001"]]
                .map(|r| r.map(str::to_owned).to_vec()),
        ),
        importances: table(
            &["variable", "relative_importance", "scaled_importance", "percentage"],
            (0..30).map(|i| vec![EVIL[i % 6].to_owned(), "1".to_owned(), "0.5".to_owned(), (1.0 / 30.0).to_string()]),
        ),
        training: frame(0.75),
        validation: frame(0.687_512_345),
        cross_validation: FrameFacts::default(),
    }
}

/// What H2O's archive says of a model without its `experimental` folder.
fn nothing_but_the_model(category: Category) -> ReportFacts {
    ReportFacts {
        profile: None,
        run: None,
        warnings: None,
        parameters: Vec::new(),
        history: Table::default(),
        layers: Table::default(),
        importances: Table::default(),
        training: FrameFacts::default(),
        validation: FrameFacts::default(),
        ..everything(category)
    }
}

#[test]
fn pages_are_well_formed_and_need_nothing_else() {
    for category in Category::ALL {
        let three_frames = ReportFacts { cross_validation: frame(0.7), ..everything(category) };
        for facts in [everything(category), three_frames, nothing_but_the_model(category)] {
            let page = render(&facts);
            let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
            let document = Document::parse_with_options(&page, options).expect("the page is well-formed");
            check_references(&document);
            check_names(&document);
            for forbidden in ["NaN", "inf", "\u{202e}", "\u{0}", "\u{1b}", "\u{fffe}"] {
                assert!(!page.contains(forbidden), "{category}: {forbidden:?} in {page}");
            }
        }
    }
}

/// Nothing is loaded or run, and every reference leads to an element of the page.
fn check_references(document: &Document<'_>) {
    let ids: Vec<&str> = document.descendants().filter_map(|node| node.attribute("id")).collect();
    let unique: HashSet<&str> = ids.iter().copied().collect();
    assert_eq!(unique.len(), ids.len(), "an id is there twice: {ids:?}");
    for node in document.descendants().filter(Node::is_element) {
        let name = node.tag_name().name();
        assert!(!["script", "link", "img", "iframe", "object", "embed"].contains(&name), "<{name}>");
        for attribute in node.attributes() {
            let value = attribute.value();
            match attribute.name() {
                "href" => assert!(value.strip_prefix('#').is_some_and(|id| unique.contains(id)), "{value}"),
                "aria-labelledby" => assert!(value.split(' ').all(|id| unique.contains(id)), "{value}"),
                other => assert!(!other.starts_with("on") && other != "src" && other != "style", "{other}={value}"),
            }
        }
    }
    let style = document.descendants().find(|node| node.has_tag_name("style")).and_then(|node| node.text());
    assert!(style.is_some_and(|style| !style.contains("url(") && !style.contains("@import")));
}

/// Drawings and tables say what they are.
fn check_names(document: &Document<'_>) {
    for drawing in document.descendants().filter(|node| node.has_tag_name("svg")) {
        let is_decoration = drawing.attribute("aria-hidden") == Some("true");
        let text = |name: &str| drawing.children().find(|node| node.has_tag_name(name)).and_then(|node| node.text());
        assert!(is_decoration || text("title").is_some() && text("desc").is_some(), "{drawing:?}");
    }
    for table in document.descendants().filter(|node| node.has_tag_name("table")) {
        assert!(table.first_element_child().is_some_and(|node| node.has_tag_name("caption") && node.text().is_some()));
        let rows = table.descendants().filter(|node| node.has_tag_name("tr"));
        let widths: HashSet<usize> = rows.map(|row| row.children().filter(Node::is_element).count()).collect();
        assert_eq!(widths.len(), 1, "rows of {widths:?} cells");
    }
    assert_eq!(document.descendants().filter(|node| node.has_tag_name("h1")).count(), 1);
}

#[test]
fn a_page_says_what_the_facts_say() {
    let page = render(&everything(Category::Binomial));
    for text in [
        "<data value=\"0.687512345\">0.6875</data>",
        "<data value=\"0.687512345\">0.68751</data>",
        "2026-11-30 15:00 UTC by Aqueduct 0.1.0",
        "20 epochs in 0.42 s; all epochs are done",
        "71,280 rows",
        "fast, avx2, 2 threads",
        "validation, AUC 0.6875",
        "training, AUC 0.7500",
        "threshold 0.4170",
        "10 others together",
        "Training returned to the best model",
        "Training warned",
        "Parameters at their defaults (1)",
        "nul\\u{0}\\u{1b}[31m\\u{fffe}",
        "&lt;script&gt;alert(1)&lt;",
    ] {
        assert!(page.contains(text), "no {text:?} in {page}");
    }
    assert!(!page.contains("id=\"unknown\""));
}

#[test]
fn what_is_not_known_is_said() {
    let page = render(&nothing_but_the_model(Category::Binomial));
    let (_, unknown) = page.split_once("id=\"unknown\"").expect("a section");
    for title in
        ["Metrics", "Scoring history", "Curves and calibration", "Confusion", "Variable importances", "Parameters"]
    {
        assert!(unknown.contains(&format!("<li>{title}</li>")), "no {title}");
    }
    assert!(!unknown.contains("Residuals") && page.contains("What their values were like is not known."));
}

/// Cells that no writer of ours has made.
const NONSENSE: [&str; 14] =
    ["", "NaN", "inf", "-inf", "1e308", "-1e308", "5e-324", "-0", "0", "1", "0.3", "-7", "1e999", "\u{202e}<b>"];

proptest::proptest! {
    // A page takes a while.
    #![proptest_config(proptest::test_runner::Config::with_cases(48))]
    #[test]
    fn tables_of_nonsense_make_a_page(category in 0..4usize, cells in proptest::collection::vec(0..NONSENSE.len(), 64)) {
        let mut cells = cells.into_iter().cycle();
        let mut facts = everything(Category::ALL[category]);
        let ReportFacts { history, layers, importances, training: t, validation: v, .. } = &mut facts;
        let tables = [history, layers, importances];
        let of_frames = [t, v].into_iter().flat_map(|frame| {
            [
                &mut frame.confusion,
                &mut frame.thresholds,
                &mut frame.gains_lift,
                &mut frame.hit_ratios,
                &mut frame.multinomial_auc,
                &mut frame.residuals,
                &mut frame.predicted_actual,
                &mut frame.reconstruction_errors,
            ]
        });
        for cell in tables.into_iter().chain(of_frames).flat_map(|table| table.rows.iter_mut().flatten()) {
            NONSENSE[cells.next().unwrap()].clone_into(cell);
        }
        let page = render(&facts);
        let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
        let document = Document::parse_with_options(&page, options).expect("the page is well-formed");
        for node in document.descendants() {
            for drawn in ["d", "cx", "cy", "x", "y", "width"].iter().filter_map(|name| node.attribute(*name)) {
                assert!(!drawn.contains("NaN") && !drawn.contains("inf"), "{drawn}");
            }
        }
    }
}

#[test]
fn the_same_facts_make_the_same_page() {
    let facts = everything(Category::Multinomial);
    assert_eq!(render(&facts), render(&facts.clone()));
}

/// Colours of a theme by their names, as red, green and blue.
fn colours(theme: &str) -> HashMap<&str, [f64; 3]> {
    let entries = theme.split([';', '{']).filter_map(|entry| entry.trim().strip_prefix("--")?.split_once(": #"));
    let wide = |hex: &str| if hex.len() == 3 { hex.chars().flat_map(|c| [c, c]).collect() } else { hex.to_owned() };
    entries
        .map(|(name, hex)| {
            let hex = wide(hex);
            (name, [0, 2, 4].map(|at| f64::from(u8::from_str_radix(&hex[at..at + 2], 16).expect("two digits")) / 255.0))
        })
        .collect()
}

/// The contrast of two colours as WCAG 2 defines it.
fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
    let luminance = |colour: [f64; 3]| {
        let [red, green, blue] =
            colour.map(|x| if x <= 0.040_45 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    };
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn texts_and_marks_stand_out_in_light_and_dark() {
    const TEXT: f64 = 4.5;
    const MARK: f64 = 3.0;
    let style = include_str!("../../../templates/report/style.css");
    let themes: Vec<&str> = style.split(":root {").skip(1).map(|theme| theme.split('}').next().unwrap()).collect();
    assert_eq!(themes.len(), 2);
    for theme in themes.into_iter().map(colours) {
        let pairs =
            [("ink", "paper"), ("soft", "paper"), ("soft", "card"), ("ink", "card"), ("ink", "warn"), ("a", "paper")];
        let shades = ["h1", "h2", "h3", "h4"].map(|shade| ("ink", shade));
        let strong = [("t5", "h5"), ("t6", "h6"), ("t6", "h7"), ("t6", "h8")];
        for (front, back) in pairs.into_iter().chain(shades).chain(strong) {
            let contrast = contrast(theme[front], theme[back]);
            assert!(contrast >= TEXT, "{front} on {back} has {contrast}");
        }
        assert!(["b", "c"].iter().all(|line| contrast(theme[line], theme["paper"]) >= MARK));
    }
}
