//! Any schema and encoding: rows of the promised length, without a NaN where none may be.

use model::Workspace;
use proptest::prelude::*;

use crate::frame::{Column, Frame};
use crate::params::TrainParams;
use crate::plan::{PlanError, Rows, TrainPlan, frame_rows};
use crate::{ParamError, train};

const ENCODINGS: [&str; 7] =
    ["AUTO", "OneHotInternal", "Binary", "Eigen", "LabelEncoder", "SortByResponse", "EnumLimited"];

/// Codes of a categorical column of these levels, or numbers.
#[derive(Debug, Clone)]
enum Cells {
    Levels { levels: usize, are_numbers: bool, codes: Vec<Option<u32>> },
    Numbers(Vec<f64>),
}

fn cells(rows: usize) -> impl Strategy<Value = Cells> {
    let levels = (1_usize..20, any::<bool>()).prop_flat_map(move |(levels, are_numbers)| {
        let codes = prop::collection::vec(prop::option::weighted(0.9, 0..levels as u32), rows);
        codes.prop_map(move |codes| Cells::Levels { levels, are_numbers, codes })
    });
    let number = prop_oneof![9 => -1e6..1e6_f64, 2 => Just(f64::NAN), 4 => Just(0.0)];
    prop_oneof![levels, prop::collection::vec(number, rows).prop_map(Cells::Numbers)]
}

fn table() -> impl Strategy<Value = (Vec<Cells>, Vec<f64>)> {
    (2_usize..40).prop_flat_map(|rows| {
        (prop::collection::vec(cells(rows), 1..6), prop::collection::vec(-100.0..100.0_f64, rows))
    })
}

fn frame(columns: Vec<Cells>, response: Vec<f64>) -> Frame {
    let column = |(i, cells): (usize, Cells)| match cells {
        Cells::Numbers(numbers) => Column::numeric(format!("n{i}"), numbers),
        Cells::Levels { levels, are_numbers, codes } => {
            let name = |level: usize| if are_numbers { level.to_string() } else { format!("l{level}") };
            Column::categorical(format!("c{i}"), (0..levels).map(name).collect(), codes).expect("the codes fit")
        }
    };
    let columns = columns.into_iter().enumerate().map(column);
    Frame::from_columns(columns.chain([Column::numeric("y", response)]).collect()).expect("the columns fit")
}

fn params(settings: &[(&str, &str)]) -> Result<TrainParams, ParamError> {
    let mut params = TrainParams::default();
    let fixed = [
        ("training_frame", "t.csv"),
        ("response_column", "y"),
        ("hidden", "3"),
        ("epochs", "1"),
        ("reproducible", "true"),
        ("seed", "5"),
    ];
    for (name, value) in fixed.iter().chain(settings) {
        params.set_text(name, value)?;
    }
    Ok(params)
}

#[test]
fn levels_without_a_number_are_refused() {
    let refusal = |encoding: &str, levels: Vec<String>| {
        let codes = (0..levels.len() as u32).map(Some);
        let y = Column::numeric("y", (0..levels.len()).map(|y| y as f64));
        let c = Column::categorical("c", levels, codes).expect("the codes fit");
        let frame = Frame::from_columns(vec![c, y]).expect("the columns fit");
        let params = params(&[("categorical_encoding", encoding)]).expect("the encoding exists");
        TrainPlan::new(params, &frame, None).expect_err("it is refused").to_string()
    };
    assert_eq!(
        refusal("LabelEncoder", vec!["1".into(), "x".into()]),
        "categorical_encoding LabelEncoder: level `x` of column `c` is no whole number as its first level `1` is"
    );
    assert_eq!(
        refusal("Eigen", (0..1025).map(|level| level.to_string()).collect()),
        "categorical_encoding Eigen: column `c` has 1025 levels, more than 1024; choose another encoding"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn rows_have_their_inputs_and_all_of_them_are_numbers(
        (columns, response) in table(),
        encoding in prop::sample::select(&ENCODINGS[..]),
        all_levels: bool,
        sparse: bool,
        slots in prop_oneof![Just(i32::MAX), 1..8],
    ) {
        let (frame, switch) = (frame(columns, response), |on: bool| if on { "true" } else { "false" });
        let slots = slots.to_string();
        let params = params(&[
            ("categorical_encoding", encoding),
            ("max_categorical_levels", "4"),
            ("use_all_factor_levels", switch(all_levels)),
            ("sparse", switch(sparse)),
            ("max_categorical_features", &slots),
        ]).expect("the test names parameters that exist");
        let plan = match TrainPlan::new(params, &frame, Some(&frame)) {
            Err(PlanError::NoPredictor { .. } | PlanError::ConstantResponse { .. }) => return Ok(()),
            plan => plan.expect("it can train"),
        };
        let width = plan.layer_sizes()[0];
        let (encoder, mut row, mut inputs) = (plan.encoder(), Vec::new(), vec![f64::NAN; width]);
        let own_columns = plan.encoding.columns(plan.schema.features()).len();
        let mut check = |rows: &Rows<'_>| {
            for index in 0..rows.len() {
                rows.read(index, &mut row);
                prop_assert_eq!(row.len(), own_columns);
                encoder.fill(&row, &mut inputs);
                prop_assert!(inputs.iter().all(|x| x.is_finite()), "{:?}", inputs);
            }
            Ok(())
        };
        check(&plan.training)?;
        check(plan.validation.as_ref().expect("it was given"))?;

        let model = train(&plan, &mut ()).expect("an epoch is harmless").model;
        prop_assert!(model.check().is_ok());
        for row in frame_rows(&model, &frame).expect("it is the training frame") {
            let mut workspace = Workspace::default();
            let model::Prediction::Value(value) = model.score_columns(&row, &mut workspace) else {
                unreachable!("a regression")
            };
            prop_assert!(value.is_finite());
        }
    }
}
