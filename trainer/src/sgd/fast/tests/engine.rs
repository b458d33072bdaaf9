//! Whole runs of the engine.

use std::time::Duration;

use model::{Algorithm, Network};

use crate::frame::{Column, Frame};
use crate::kernel::Tier;
use crate::params::TrainParams;
use crate::plan::TrainPlan;
use crate::sgd::fast::FastEngine;
use crate::sgd::pass::Pass;
use crate::sgd::{AutoTune, EngineChoice, Observer, StoppedBy, TrainError, Tuning, start, train};

/// Classes by a line through two of the numbers, and a level that says little.
fn frame(rows: usize) -> Frame {
    let x = |row: usize, factor: usize| ((row * factor) % 1009) as f64 / 504.5 - 1.0;
    let class = |row: usize| Some(u32::from(x(row, 7) + 0.5 * x(row, 131) > 0.1));
    let levels = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
    let columns = vec![
        Column::numeric("a", (0..rows).map(|row| x(row, 7))),
        Column::numeric("b", (0..rows).map(|row| if row % 50 == 0 { f64::NAN } else { x(row, 131) })),
        Column::numeric("zeros", (0..rows).map(|row| if row % 9 == 0 { (row % 200) as f64 } else { 0.0 })),
        Column::categorical(
            "level",
            levels(&["p", "q", "r"]),
            (0..rows).map(|row| Some((row % 3) as u32)).collect::<Vec<_>>(),
        )
        .expect("the codes fit"),
        Column::categorical("class", levels(&["no", "yes"]), (0..rows).map(class).collect::<Vec<_>>())
            .expect("the codes fit"),
    ];
    Frame::from_columns(columns).expect("the columns fit")
}

fn params(settings: &[(&str, &str)]) -> TrainParams {
    let mut params = TrainParams::default();
    let usual = [("training_frame", "t.csv"), ("response_column", "class"), ("seed", "5"), ("hidden", "12,7")];
    for (name, value) in usual.iter().chain(settings) {
        params.set_text(name, value).expect("the parameter exists");
    }
    params
}

/// The net after three epochs on so many threads, each late at some meetings.
fn trained(frame: &Frame, settings: &[(&str, &str)], threads: usize, delay: Option<fn(usize)>) -> Network {
    let mut plan = TrainPlan::new(params(settings), frame, None).expect("a plan");
    plan.options.threads = threads;
    let mut network = start::network(&plan.effective, &plan.layer_sizes(), true);
    let mut engine = FastEngine::new(&plan, &network).expect("rows in memory");
    assert_eq!(engine.threads(), threads);
    engine.set_delay(delay);
    let mut samples = 0;
    for iteration in 1..=3 {
        let pass = Pass {
            rows: plan.training.len(),
            rows_per_iteration: plan.training.len() as u64,
            shuffle: true,
            weights: None,
            seed: 5,
            iteration,
            samples,
        };
        samples += engine.iterate(pass, &mut |_| {});
    }
    engine.write(&mut network);
    network
}

#[test]
fn the_same_seed_and_threads_give_the_same_bits_however_late_a_thread_is() {
    let frame = frame(40_000);
    let late: fn(usize) = |number| std::thread::sleep(Duration::from_millis((number as u64 * 7) % 4));
    let early: fn(usize) = |number| std::thread::sleep(Duration::from_millis((17 - number as u64) % 3));
    for settings in [
        &[("activation", "RectifierWithDropout"), ("input_dropout_ratio", "0.1")][..],
        &[("adaptive_rate", "false"), ("momentum_start", "0.5"), ("activation", "Tanh")],
        &[("elastic_averaging", "true")],
    ] {
        let mut nets: Vec<Network> = Vec::new();
        for threads in [1, 2, 3, 8] {
            let net = trained(&frame, settings, threads, Some(late));
            assert_eq!(net, trained(&frame, settings, threads, Some(early)), "{settings:?}, {threads} threads");
            assert!(!nets.contains(&net), "{threads} threads train as fewer do");
            nets.push(net);
        }
    }
}

#[test]
fn batches_are_whole_where_progress_is_told_and_replicas_meet() {
    const BATCH: u64 = 500;
    let frame = frame(40_000);
    for threads in [1, 2] {
        let mut plan = TrainPlan::new(params(&[("mini_batch_size", "500")]), &frame, None).expect("a plan");
        plan.options.threads = threads;
        let network = start::network(&plan.effective, &plan.layer_sizes(), true);
        let mut engine = FastEngine::new(&plan, &network).expect("rows in memory");
        let (rows, shuffle, weights) = (plan.training.len(), true, None);
        let pass = Pass { rows, rows_per_iteration: rows as u64, shuffle, weights, seed: 5, iteration: 1, samples: 0 };
        let mut ticks = Vec::new();
        engine.iterate(pass, &mut |done| ticks.push(done));
        assert!(
            ticks.len() > 10 && ticks.iter().all(|done| done.is_multiple_of(BATCH)),
            "{threads} threads: {ticks:?}"
        );
    }
}

#[test]
fn nobody_waits_for_a_thread_that_panics() {
    let frame = frame(40_000);
    for gone in [0, 1, 2] {
        let delays: [fn(usize); 3] =
            [|n| assert_ne!(n, 0, "gone"), |n| assert_ne!(n, 1, "gone"), |n| assert_ne!(n, 2, "gone")];
        let run = || trained(&frame, &[], 3, Some(delays[gone]));
        assert!(std::panic::catch_unwind(run).is_err(), "it goes on without thread {gone}");
    }
}

/// The error of a run through the whole of `train`.
fn error(frame: &Frame, settings: &[(&str, &str)], threads: usize) -> f64 {
    let mut plan = TrainPlan::new(params(settings), frame, None).expect("a plan");
    plan.options.threads = threads;
    plan.options.engine = EngineChoice::Fast;
    let trained = train(&plan, &mut ());
    assert!(trained.is_ok(), "{settings:?}: {trained:?}");
    let trained = trained.expect("it did");
    assert_eq!(trained.summary.engine, "fast");
    trained.reports.training.metrics().get(model::Metric::ClassificationError).expect("a classifier has one")
}

#[test]
fn each_optimiser_and_activation_learns_what_a_line_divides() {
    let frame = frame(3_000);
    for activation in ["Rectifier", "Tanh", "Maxout", "ExpRectifier", "RectifierWithDropout", "TanhWithDropout"] {
        for optimiser in [
            &[("adaptive_rate", "true")][..],
            &[("adaptive_rate", "false"), ("rate", "0.01")],
            &[("adaptive_rate", "false"), ("rate", "0.01"), ("momentum_start", "0.5"), ("momentum_stable", "0.5")],
            &[("mini_batch_size", "8"), ("epochs", "40")],
            &[("max_w2", "10")],
            &[("fast_mode", "false"), ("l2", "1e-5")],
        ] {
            let mut settings = vec![("activation", activation), ("epochs", "20"), ("stopping_rounds", "0")];
            settings.extend(optimiser);
            let error = error(&frame, &settings, 8);
            assert!(error < 0.1, "{activation}, {optimiser:?}: {error}");
        }
    }
}

#[test]
fn several_threads_learn_what_one_does() {
    let frame = frame(40_000);
    for optimiser in [&[("adaptive_rate", "true")][..], &[("adaptive_rate", "false"), ("rate", "0.01")]] {
        let settings = [&[("epochs", "5")][..], optimiser].concat();
        for threads in [1, 2, 8] {
            let error = error(&frame, &settings, threads);
            assert!(error < 0.03, "{threads} threads, {optimiser:?}: {error}");
        }
    }
}

#[test]
fn small_data_train_on_one_thread_whatever_was_asked() {
    let frame = frame(3_000);
    let plan = |threads: usize| {
        let mut plan = TrainPlan::new(params(&[]), &frame, None).expect("a plan");
        plan.options.threads = threads;
        plan
    };
    let net = |plan: &TrainPlan<'_>| {
        let trained = train(plan, &mut ()).expect("it trains");
        assert_eq!(trained.summary.threads, 1);
        let Algorithm::DeepLearning(net) = trained.model.algorithm else { unreachable!("a net") };
        net.network
    };
    assert_eq!(net(&plan(1)), net(&plan(8)));
}

/// A rate that grows ends what a smaller one began.
#[test]
fn the_last_good_model_of_a_run_that_runs_away_is_kept() {
    let frame = frame(3_000);
    let settings = [("adaptive_rate", "false"), ("rate", "0.01"), ("rate_annealing", "-4.99e-5"), ("epochs", "50")];
    let settings = [&settings[..], &[("score_each_iteration", "true"), ("stopping_rounds", "0")]].concat();
    let plan = TrainPlan::new(params(&settings), &frame, None).expect("a plan");
    let trained = train(&plan, &mut ()).expect("a model is kept");
    assert_eq!(trained.summary.stopped_by, StoppedBy::Unstable);
    let Some(TrainError::Unstable { samples, .. }) = trained.fault else { unreachable!("it says why it ended") };
    let kept = trained.summary.best_epochs.expect("it returned to a model");
    assert!(kept > 0.0 && kept * 3_000.0 < samples as f64, "{kept} epochs, {samples} samples");
    let error = trained.reports.training.metrics().get(model::Metric::ClassificationError);
    assert!(error.is_some_and(|error| error < 0.1), "{error:?}");
}

#[test]
fn iterations_take_the_rows_that_measured_costs_ask_for() {
    #[derive(Default)]
    struct Heard(Option<Tuning>);
    impl Observer for Heard {
        fn tuned(&mut self, tuning: Tuning) {
            self.0 = Some(tuning);
        }
    }
    let frame = frame(3_000);
    let mut plan = TrainPlan::new(params(&[("epochs", "20")]), &frame, None).expect("a plan");
    let mut heard = Heard::default();
    train(&plan, &mut heard).expect("it trains");
    assert!(heard.0.is_none());
    plan.options.auto_tune = AutoTune::Measured;
    train(&plan, &mut heard).expect("it trains");
    let tuning = heard.0.expect("it was measured");
    let wanted = (tuning.synchronisation.as_secs_f64() * 19.0 / tuning.row.as_secs_f64()).floor() as u64;
    assert!(tuning.rows_per_iteration <= wanted.max(1), "{tuning:?}");
    assert_eq!(plan.tuned_rows_per_iteration(1e-6, 1e-4), 1_900);
    assert_eq!(plan.tuned_rows_per_iteration(1e-6, 1.0), 6_000);
}

#[test]
fn a_net_that_runs_away_is_found_within_an_iteration() {
    let frame = frame(3_000);
    let settings = [("adaptive_rate", "false"), ("rate", "1e30"), ("epochs", "1000"), ("score_interval", "1e9")];
    let mut plan = TrainPlan::new(params(&settings), &frame, None).expect("a plan");
    for name in Tier::NAMES {
        let Some(tier) = Tier::named(name) else { continue };
        plan.options.tier = tier;
        let error = train(&plan, &mut ()).expect_err("it runs away");
        let TrainError::Unstable { samples, .. } = error else { unreachable!("the rows are in memory") };
        assert!(samples < 100_000, "{tier}: {error}");
    }
}
