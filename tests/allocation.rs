//! Scoring a row takes nothing from the heap once the buffers are there, whatever the net and the encoding.

use model::Workspace;
use trainer::{Column, Frame, TrainParams, TrainPlan, train};

const ROWS: usize = 40;

#[test]
fn a_row_is_scored_without_an_allocation() {
    let encodings = ["AUTO", "Binary", "Eigen", "LabelEncoder", "EnumLimited"];
    for encoding in encodings {
        check(&[("response_column", "class"), ("categorical_encoding", encoding)]);
    }
    for activation in ["Tanh", "Rectifier", "Maxout", "ExpRectifierWithDropout"] {
        check(&[("response_column", "class"), ("activation", activation)]);
    }
    check(&[("response_column", "class"), ("sparse", "true")]);
    check(&[("response_column", "class"), ("max_categorical_features", "5")]);
    check(&[("response_column", "x0"), ("distribution", "poisson"), ("standardize", "false")]);
    check(&[("autoencoder", "true")]);
}

fn check(given: &[(&str, &str)]) {
    let frame = frame();
    let mut params = TrainParams::default();
    for (name, value) in
        [("training_frame", "-"), ("seed", "1"), ("epochs", "1"), ("hidden", "20,10")].iter().chain(given)
    {
        params.set_text(name, value).expect("the parameter exists and takes the value");
    }
    let plan = TrainPlan::new(params, &frame, None).expect("the frame can be trained on");
    let model = train(&plan, &mut ()).expect("it stays stable").model;
    let row: Vec<f64> = (0..model.schema.features().len()).map(|column| (column % 3) as f64).collect();
    let missing = vec![f64::NAN; row.len()];

    let mut workspace = Workspace::default();
    model.score(&row, &mut workspace);
    let allocated = allocation_counter::measure(|| {
        for _ in 0..10 {
            model.score(&row, &mut workspace);
            model.score(&missing, &mut workspace);
        }
    });
    assert_eq!(allocated.count_total, 0, "{given:?}");
}

/// Numbers, levels and a class.
fn frame() -> Frame {
    let value = |row: usize, column: usize| ((row * 31 + column * 17) as f64).sin().abs();
    let code = |row: usize, column: usize, levels: usize| Some((row * (7 + column) % levels) as u32);
    let names = |levels: usize| (0..levels).map(|level| format!("level {level}")).collect();
    let number = |column: usize| Column::numeric(format!("x{column}"), (0..ROWS).map(move |row| value(row, column)));
    let levels = |name: String, column: usize, levels: usize| {
        Column::categorical(name, names(levels), (0..ROWS).map(|row| code(row, column, levels)))
            .expect("the codes are in the domain")
    };
    let mut columns: Vec<Column> = (0..30).map(number).collect();
    columns.extend((0..3).map(|column| levels(format!("c{column}"), column, 12)));
    columns.push(levels("class".to_owned(), 4, 3));
    Frame::from_columns(columns).expect("the columns are of one length")
}
