//! Whatever is in a table, it trains or is refused.

use model::Metric;
use proptest::prelude::*;

use super::{TrainError, train};
use crate::frame::{Column, Frame};
use crate::params::TrainParams;
use crate::plan::TrainPlan;

/// Numbers as they are found in tables, the largest and the smallest there are among them, and missing ones.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        8 => -100.0..100.0_f64,
        2 => Just(f64::NAN),
        1 => Just(0.0),
        1 => prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL,
    ]
}

fn table() -> impl Strategy<Value = Frame> {
    let rows = prop::collection::vec((number(), number(), prop::option::weighted(0.9, 0..3_u32)), 1..40);
    rows.prop_map(|rows| {
        let levels = ["a", "b", "c"].map(str::to_owned).to_vec();
        let codes: Vec<_> = rows.iter().map(|row| row.2).collect();
        Frame::from_columns(vec![
            Column::numeric("x", rows.iter().map(|row| row.0)),
            Column::categorical("c", levels, codes).expect("the codes are in the domain"),
            Column::numeric("n", rows.iter().map(|row| row.1)),
        ])
        .expect("the columns fit")
    })
}

proptest! {
    #[test]
    fn any_table_has_an_autoencoder_or_a_refusal(
        frame in table(), sparse: bool, skips: bool, standardize: bool, sparsity: bool,
    ) {
        let mut params = TrainParams { autoencoder: true, sparse, standardize, seed: 7, ..TrainParams::default() };
        params.training_frame.0.push("t.csv".into());
        (params.hidden, params.epochs) = (vec![3], 2.0);
        let handling = if skips { "Skip" } else { "MeanImputation" };
        params.set_text("missing_values_handling", handling).expect("it is a value of it");
        if sparsity {
            (params.sparsity_beta, params.average_activation) = (0.5, 0.1);
        }
        // A refusal is tested where it is made; here there is just no panic.
        let Ok(plan) = TrainPlan::new(params, &frame, Some(&frame)) else { return Ok(()) };
        match train(&plan, &mut ()) {
            Ok(trained) => {
                trained.model.check().expect("its parts fit");
                let mse = trained.reports.training.metrics().get(Metric::Mse);
                prop_assert!(mse.is_some_and(|mse| mse >= 0.0), "{:?}", mse);
            }
            Err(TrainError::Unstable { .. }) => {}
            Err(error @ TrainError::Spill { .. }) => prop_assert!(false, "{}", error),
        }
    }
}
