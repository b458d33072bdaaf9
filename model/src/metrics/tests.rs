//! Expected numbers are those of real H2O 3.46.0.11: `h2o.make_metrics(predicted, actual, domain, weights)` on the
//! same rows, imported from CSV as one chunk. All values have few enough decimals to be parsed exactly.

use super::*;
use crate::schema::Domain;

/// Sums of up to 5000 terms in the same order, with an `exp` and `ln` of our own.
const AS_H2O: f64 = 1e-12;

#[track_caller]
fn assert_close(ours: f64, expected: f64) {
    assert!((ours - expected).abs() <= AS_H2O * expected.abs(), "{ours} instead of {expected}");
}

struct Draws(u64);

impl Draws {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }
}

fn domain(levels: &[&str]) -> Domain {
    Domain::new(levels.iter().map(|&level| level.to_owned()).collect())
}

/// Predictions (low + r) / scale for r drawn below `span`; class 1 is more frequent where they are high.
struct Rows {
    seed: u64,
    count: usize,
    low: u64,
    span: u64,
    scale: u64,
    weighted: bool,
}

impl Rows {
    fn report(&self) -> BinomialReport {
        let mut draws = Draws(self.seed);
        let mut accumulator = BinomialAccumulator::new(LiftGroups::Automatic);
        for _ in 0..self.count {
            let r = draws.next() % self.span;
            let class = draws.next() % (2 * self.span) < r + self.span / 2;
            let weight = if self.weighted { 1 + draws.next() % 3 } else { 1 };
            let p1 = (self.low + r) as f64 / self.scale as f64;
            accumulator.add(f64::from(u8::from(class)), [1.0 - p1, p1], weight as f64);
        }
        accumulator.finish(&domain(&["0", "1"]))
    }
}

/// Every threshold and its true positives, bit for bit.
fn fingerprint(table: &ThresholdTable) -> u64 {
    let numbers = table.rows().iter().flat_map(|row| [row.threshold, row.true_positives]);
    numbers.fold(0xcbf2_9ce4_8422_2325, |hash, x| (hash ^ x.to_bits()).wrapping_mul(0x0100_0000_01b3))
}

/// The place of the maximum of the first ten criteria.
fn maxima(table: &ThresholdTable) -> Vec<usize> {
    Criterion::ALL[..10].iter().map(|&criterion| table.maximum(criterion).unwrap().index).collect()
}

#[test]
fn few_distinct_predictions_are_thresholds_of_their_own() {
    let rows = Rows { seed: 1, count: 300, low: 0, span: 1_000_000, scale: 1_000_000, weighted: false };
    let BinomialReport { metrics, confusion, thresholds, .. } = rows.report();
    assert_eq!(metrics.nobs, 300);
    assert_close(metrics.mse, 0.256_129_477_242_916_74);
    assert_close(metrics.logloss, 0.761_472_753_579_302_1);
    assert_close(metrics.classification_error, 125.0 / 300.0);
    assert_close(metrics.mean_per_class_error, 0.416_666_666_666_666_63);
    assert_close(metrics.auc, 0.649_644_444_444_444_5);
    assert_close(metrics.pr_auc, 0.608_925_363_694_109_9);
    assert_close(metrics.gini, 0.299_288_888_888_888_94);
    assert_close(metrics.r2, -0.024_517_908_971_666_946);
    assert_close(metrics.lift_top_group, 0.666_666_666_666_666_6);
    assert_eq!(metrics.max_f1_threshold, 0.15841);
    assert_eq!(confusion.unwrap().counts, [[37.0, 113.0], [12.0, 138.0]]);
    assert_eq!(thresholds.rows().len(), 300);
    assert_eq!(fingerprint(&thresholds), 0x405f_2fc9_1e89_62e5);
    assert_eq!(maxima(&thresholds), [250, 295, 121, 121, 10, 295, 0, 121, 147, 121]);
    assert_close(thresholds.maximum(Criterion::AbsoluteMcc).unwrap().value, 0.257_865_760_453_847_35);
    assert_close(thresholds.maximum(Criterion::F2).unwrap().value, 0.837_053_571_428_571_5);
    assert_close(thresholds.maximum(Criterion::F0point5).unwrap().value, 0.626_959_247_648_902_8);
}

#[test]
fn many_distinct_predictions_are_merged_into_400_bins() {
    let rows = Rows { seed: 2, count: 5000, low: 0, span: 1_000_000, scale: 1_000_000, weighted: false };
    let BinomialReport { metrics, confusion, thresholds, .. } = rows.report();
    assert_close(metrics.logloss, 0.750_729_065_920_342_8);
    assert_close(metrics.auc, 0.667_034_173_669_467_8);
    assert_close(metrics.pr_auc, 0.659_401_277_607_486_2);
    assert_close(metrics.r2, 0.000_546_924_863_257_025_6);
    assert_close(metrics.lift_top_group, 1.490_196_078_431_372_6);
    assert_eq!(metrics.max_f1_threshold, 0.226_492_384_615_384_65);
    assert_eq!(confusion.unwrap().counts, [[754.0, 1696.0], [333.0, 2217.0]]);
    assert_eq!(fingerprint(&thresholds), 0x4e6b_7f5e_e398_bc50);
    assert_eq!(maxima(&thresholds), [306, 399, 219, 219, 0, 399, 0, 219, 194, 219]);
}

#[test]
fn evenly_spaced_predictions_merge_in_the_order_of_h2o() {
    let rows = Rows { seed: 3, count: 3000, low: 1, span: 1022, scale: 1024, weighted: true };
    let BinomialReport { metrics, confusion, thresholds, .. } = rows.report();
    assert_close(metrics.mse, 0.261_191_877_058_750_63);
    assert_close(metrics.logloss, 0.791_978_945_090_502_5);
    assert_close(metrics.auc, 0.646_819_892_009_238);
    assert_close(metrics.pr_auc, 0.610_657_495_187_173);
    assert_close(metrics.lift_top_group, 1.130_053_163_417_791);
    assert_eq!(confusion.unwrap().counts, [[663.0, 2369.0], [277.0, 2674.0]]);
    assert_eq!(fingerprint(&thresholds), 0xfcd5_aaa9_4c38_7e96);
    assert_eq!(maxima(&thresholds), [339, 399, 211, 184, 0, 399, 0, 219, 202, 211]);
}

#[test]
fn predictions_equal_as_f32_merge_in_the_order_of_h2o() {
    // A well trained model: everything close to 1, where neighbouring centers are the same f32.
    let rows = Rows { seed: 4, count: 3000, low: 99_997_000, span: 3000, scale: 100_000_000, weighted: true };
    let BinomialReport { metrics, confusion, thresholds, .. } = rows.report();
    assert_close(metrics.auc, 0.671_044_984_850_698_7);
    assert_close(metrics.pr_auc, 0.665_416_638_453_892_5);
    assert_eq!(metrics.max_f1_threshold, 0.999_973_537_142_857_2);
    assert_eq!(confusion.unwrap().counts, [[510.0, 2388.0], [200.0, 2903.0]]);
    assert_eq!(fingerprint(&thresholds), 0xc61c_4370_8275_11b0);
}

#[test]
fn gains_and_lift_drop_the_fractions_of_weights() {
    let mut accumulator = BinomialAccumulator::new(LiftGroups::Automatic);
    let rows = [
        (0.0, 0.7964, 0.5),
        (1.0, 0.5125, 1.25),
        (0.0, 0.7712, 1.25),
        (1.0, 0.5775, 1.25),
        (0.0, 0.8092, 1.0),
        (0.0, 0.5783, 1.0),
        (0.0, 0.7819, 3.0),
        (0.0, 0.7562, 3.0),
        (0.0, 0.5331, 1.25),
        // Without weight it still is the end of the first histogram.
        (0.0, 0.8685, 0.0),
    ];
    for (actual, p1, weight) in rows {
        accumulator.add(actual, [1.0 - p1, p1], weight);
    }
    let report = accumulator.finish(&domain(&["0", "1"]));
    assert_eq!((report.metrics.nobs, report.metrics.lift_top_group), (9, 0.0));
    let groups = report.gains_lift.groups();
    let column = |figure: fn(&GainsLiftGroup) -> f64| groups.iter().map(figure).collect::<Vec<_>>();
    let thresholds = [
        0.868_500_000_000_000_2,
        0.861_087_5,
        0.824_025,
        0.798_962_5,
        0.7819,
        0.776_55,
        0.759_95,
        0.7562,
        0.711_725,
        0.5779,
        0.5442,
        0.5125,
    ];
    column(|group| group.lower_threshold).into_iter().zip(thresholds).for_each(|(ours, h2o)| assert_close(ours, h2o));
    let scores = [0.0, 0.0, 0.0, 0.8092, 0.914_633_333_333_333_3, 0.0, 0.964, 0.7562, 0.0, 0.5783, 0.721_875, 0.6535];
    column(|group| group.score).into_iter().zip(scores).for_each(|(ours, h2o)| assert_close(ours, h2o));
    assert_eq!(column(|group| group.lift), [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 6.0, 3.0]);
    assert!(groups[0].cumulative_lift.is_nan());
    assert_close(groups[8].kolmogorov_smirnov, -0.8);
    assert_close(groups[10].cumulative_gain, -40.0);
    assert_eq!((groups[11].capture_rate, groups[11].cumulative_capture_rate), (0.5, 1.0));
}

#[test]
fn gains_and_lift_need_groups_and_whole_weights() {
    let report = |groups, actual, weight| {
        let mut accumulator = BinomialAccumulator::new(groups);
        (0..20).for_each(|i| accumulator.add(actual, [1.0 - f64::from(i) / 20.0, f64::from(i) / 20.0], weight));
        accumulator.finish(&domain(&["0", "1"]))
    };
    for (groups, weight) in [(LiftGroups::Off, 1.0), (LiftGroups::Automatic, 0.75)] {
        let report = report(groups, 1.0, weight);
        assert!(report.gains_lift.groups().is_empty() && report.metrics.lift_top_group.is_nan());
    }
    let positives = report(LiftGroups::Equal(4), 1.0, 1.0);
    let shares: Vec<f64> = positives.gains_lift.groups().iter().map(|group| group.kolmogorov_smirnov).collect();
    assert_eq!(shares, [0.25, 0.5, 0.75, 1.0]);
    let negatives = report(LiftGroups::Equal(4), 0.0, 1.0);
    let first = negatives.gains_lift.groups()[0];
    assert!(first.lift.is_nan() && first.kolmogorov_smirnov.is_nan() && first.response_rate == 0.0);
}

fn binomial(rows: &[(f64, f64)]) -> BinomialReport {
    let mut accumulator = BinomialAccumulator::new(LiftGroups::Automatic);
    for &(actual, p1) in rows {
        accumulator.add(actual, [1.0 - p1, p1], 1.0);
    }
    accumulator.finish(&domain(&["0", "1"]))
}

#[test]
fn one_class_only() {
    let BinomialReport { metrics, confusion, .. } = binomial(&[(0.0, 0.1), (0.0, 0.2), (0.0, 0.3)]);
    assert_eq!((metrics.auc, metrics.pr_auc, metrics.gini), (0.0, 0.0, -1.0));
    assert!(metrics.mean_per_class_error.is_nan() && metrics.max_f1_threshold.is_nan());
    assert_eq!(confusion, None);

    let BinomialReport { metrics, confusion, .. } = binomial(&[(1.0, 0.1), (1.0, 0.2), (1.0, 0.3)]);
    assert_eq!((metrics.auc, metrics.pr_auc, metrics.mean_per_class_error), (1.0, 1.0, 0.0));
    assert_close(metrics.logloss, 1.705_331_936_584_694_2);
    assert_eq!(confusion.unwrap().counts, [[0.0, 0.0], [0.0, 3.0]]);
}

#[test]
fn certain_and_wrong_costs_a_bounded_loss() {
    let BinomialReport { metrics, thresholds, .. } = binomial(&[(0.0, 1.0), (1.0, 0.0), (1.0, 0.5)]);
    assert_close(metrics.logloss, 23.256_899_990_127_106);
    assert_close(metrics.pr_auc, 0.450_693_855_665_945_16);
    assert_eq!((metrics.auc, metrics.r2), (0.0, -2.375));
    let first = thresholds.rows()[0];
    assert!(first.score(Criterion::F1).is_nan());
    assert_eq!(first.score(Criterion::AbsoluteMcc), 1.0);
}

#[test]
fn equal_predictions_are_one_threshold() {
    let BinomialReport { metrics, thresholds, .. } = binomial(&[(0.0, 0.5), (1.0, 0.5), (0.0, 0.5), (1.0, 0.5)]);
    assert_eq!((metrics.auc, metrics.pr_auc, metrics.r2), (0.5, 0.5, 0.0));
    assert_eq!(thresholds.rows().len(), 1);
}

fn regression(weighted: bool, offset: f64) -> RegressionMetrics {
    let mut draws = Draws(11);
    let mut accumulator = RegressionAccumulator::new();
    for _ in 0..300 {
        let actual = offset + (draws.next() % 100_000) as f64 / 1000.0;
        let predicted = offset + (draws.next() % 100_000) as f64 / 1000.0;
        let weight = draws.next() % 4;
        let deviance = (f64::from(actual as f32) - predicted).powi(2);
        accumulator.add(actual, predicted, deviance, if weighted { weight as f64 } else { 1.0 });
    }
    accumulator.finish()
}

#[test]
fn regression_figures_are_those_of_h2o() {
    let metrics = regression(false, 0.0);
    assert_eq!(metrics.nobs, 300);
    assert_close(metrics.mse, 1_828.755_953_986_755_7);
    assert_close(metrics.rmse, 42.763_956_248_068_95);
    assert_close(metrics.mae, 35.846_210_021_474_37);
    assert_close(metrics.rmsle, 1.323_855_483_563_228);
    assert_close(metrics.r2, -1.136_010_305_596_172_6);
    assert_close(metrics.mean_residual_deviance, 1_828.755_953_986_755_7);
}

#[test]
fn regression_rows_of_weight_zero_do_not_count() {
    let metrics = regression(true, 0.0);
    assert_eq!(metrics.nobs, 230);
    assert_close(metrics.mse, 1_873.650_823_002_048);
    assert_close(metrics.mae, 35.886_772_759_457_29);
    assert_close(metrics.rmsle, 1.336_368_800_166_034_3);
    assert_close(metrics.r2, -1.168_055_688_964_283_2);
}

#[test]
fn actual_values_pass_through_f32() {
    // Around 100 000 an f32 has steps of 1/128. R2 also shows H2O's way to the variance: the exact one gives ..615.
    let metrics = regression(false, 100_000.0);
    assert_close(metrics.mse, 1_828.778_163_190_865_6);
    assert_close(metrics.rmsle, 0.000_427_422_195_582_070_45);
    assert!((metrics.r2 + 1.136_000_719_050_830_6).abs() < 1e-9);
}

#[test]
fn missing_values_do_not_count() {
    let mut accumulator = RegressionAccumulator::new();
    for (actual, predicted) in [(1.0, 1.5), (f64::NAN, 2.0), (3.0, f64::NAN), (4.0, 4.25)] {
        accumulator.add(actual, predicted, 0.0, 1.0);
    }
    let metrics = accumulator.finish();
    assert_eq!((metrics.nobs, metrics.mse, metrics.mae), (2, 0.156_25, 0.375));
    assert_close(metrics.rmsle, 0.161_513_969_384_690_6);

    let BinomialReport { metrics, .. } =
        binomial(&[(f64::NAN, 0.5), (1.0, f64::NAN), (2.0, 0.5), (-1.0, 0.5), (0.5, 0.5)]);
    assert_eq!(metrics.nobs, 0);
    assert!(metrics.mse.is_nan() && metrics.auc.is_nan() && metrics.lift_top_group.is_nan());
}

#[test]
fn rmsle_is_nan_when_a_prediction_is_below_minus_one() {
    let mut accumulator = RegressionAccumulator::new();
    for (actual, predicted) in [(1.0, 0.5), (2.0, -1.5), (3.0, 2.0)] {
        accumulator.add(actual, predicted, 0.0, 1.0);
    }
    let metrics = accumulator.finish();
    assert!(metrics.rmsle.is_nan());
    assert_eq!(metrics.mse, 4.5);
}

fn multinomial(weighted: bool) -> MultinomialReport {
    let mut draws = Draws(21);
    let mut accumulator = MultinomialAccumulator::new(3, None).unwrap();
    for _ in 0..300 {
        let first = draws.next() % 1000;
        let second = draws.next() % (1001 - first);
        let parts = [first, second, 1000 - first - second];
        let label = (0..3).rev().max_by_key(|&class| parts[class]).unwrap();
        let actual = if draws.next() % 2 == 1 { draws.next() as usize % 3 } else { label };
        let drawn = draws.next() % 4;
        let weight = if weighted { drawn } else { 1 };
        accumulator.add(actual as f64, label, &parts.map(|part| part as f64 / 1000.0), weight as f64);
    }
    accumulator.finish(&domain(&["a", "b", "c"]))
}

#[test]
fn multinomial_figures_are_those_of_h2o() {
    let MultinomialReport { metrics, confusion, hit_ratios, .. } = multinomial(false);
    assert_eq!(metrics.nobs, 300);
    assert_close(metrics.mse, 0.344_478_476_666_666_6);
    assert_close(metrics.logloss, 1.075_985_971_387_895_2);
    assert_close(metrics.r2, 0.505_501_740_142_911_8);
    assert_close(metrics.classification_error, 110.0 / 300.0);
    assert_close(metrics.mean_per_class_error, 0.411_436_532_036_003_1);
    assert_eq!(confusion.counts, [[114.0, 8.0, 13.0], [28.0, 38.0, 16.0], [34.0, 11.0, 38.0]]);
    assert_eq!(hit_ratios, [0.633_333_3, 0.813_333_33, 1.0]);
}

#[test]
fn weights_count_neither_in_the_matrix_nor_for_first_hits() {
    let MultinomialReport { metrics, confusion, hit_ratios, .. } = multinomial(true);
    assert_eq!(metrics.nobs, 227);
    assert_close(metrics.mse, 0.361_493_855_579_868_63);
    assert_close(metrics.logloss, 1.126_654_246_476_133_5);
    assert_close(metrics.r2, 0.488_976_226_536_165_57);
    assert_close(metrics.mean_per_class_error, 0.439_290_867_862_296_4);
    assert_eq!(confusion.counts, [[80.0, 6.0, 12.0], [25.0, 24.0, 14.0], [26.0, 8.0, 32.0]]);
    assert_eq!(hit_ratios, [0.297_593, 0.492_341_34, 0.698_030_6]);
}

#[test]
fn areas_of_many_classes_are_means_over_pairs() {
    let rows = [
        (0.0, [0.7, 0.2, 0.1], 1.5),
        (0.0, [0.3, 0.4, 0.3], 1.0),
        (1.0, [0.4, 0.5, 0.1], 2.0),
        (1.0, [0.6, 0.3, 0.1], 1.0),
        (f64::NAN, [0.6, 0.3, 0.1], 1.0),
    ];
    let report = |mean| {
        let mut accumulator = MultinomialAccumulator::new(3, Some(mean)).unwrap();
        for (actual, probabilities, weight) in &rows {
            accumulator.add(*actual, 0, probabilities, *weight);
        }
        accumulator.finish(&domain(&["a", "b", "c"]))
    };
    let table = report(AucMean::MacroOvr).auc_table;
    let auc = |name: &str| table.iter().find(|row| row.name == name).unwrap().auc;
    assert_eq!(table[5].first.as_deref().zip(table[5].second.as_deref()), Some(("a", "b")));
    // Of the pairs a before b 1.5 x 3 of 2.5 x 3 are in order, of b before a 2 x 2.5 + 1 x 1.5.
    assert_close(auc("a vs Rest"), 4.5 / 7.5);
    assert_close(auc("b vs Rest"), 6.5 / 7.5);
    // No row is of class c: nothing is found of it, and nothing against it.
    assert_eq!((auc("c vs Rest"), auc("Class a vs. c"), auc("Class b vs. c")), (0.0, 0.5, 0.5));
    assert_close(auc("Class a vs. b"), 11.0 / 15.0);
    assert_close(auc("Macro OVR"), 11.0 / 22.5);
    assert_close(auc("Weighted OVR"), (4.5 * 2.5 + 6.5 * 3.0) / 7.5 / 5.5);
    assert_close(auc("Macro OVO"), (11.0 / 15.0 + 1.0) / 3.0);
    assert_close(auc("Weighted OVO"), (11.0 / 15.0 * 5.5 + 0.5 * 5.5) / 11.0);
    for (mean, name) in [
        (AucMean::MacroOvr, "Macro OVR"),
        (AucMean::WeightedOvr, "Weighted OVR"),
        (AucMean::MacroOvo, "Macro OVO"),
        (AucMean::WeightedOvo, "Weighted OVO"),
    ] {
        assert_eq!(report(mean).metrics.auc, Some(auc(name)));
    }
    let many = MAX_AUC_CLASSES + 1;
    let report = MultinomialAccumulator::new(many, Some(AucMean::MacroOvr)).unwrap().finish(&domain(&[]));
    assert!(report.auc_table.is_empty() && report.metrics.auc.is_none());
}

#[test]
fn json_has_null_for_nan_and_reads_back() {
    let all = [
        Metrics::Binomial(binomial(&[(0.0, 0.25), (1.0, 0.5)]).metrics),
        Metrics::Multinomial(multinomial(false).metrics),
        Metrics::Regression(regression(false, 0.0)),
    ];
    for metrics in all {
        let json = serde_json::to_string(&metrics).unwrap();
        assert_eq!(serde_json::from_str::<Metrics>(&json).unwrap(), metrics, "{json}");
    }
    let nothing = Metrics::Regression(RegressionAccumulator::new().finish());
    let json = serde_json::to_value(&nothing).unwrap();
    assert!(json["mse"].is_null() && json["nobs"] == 0);
    let back: Metrics = serde_json::from_value(json).unwrap();
    assert!(back.get(Metric::Mse).unwrap().is_nan() && back.get(Metric::Auc).is_none());
}

#[test]
fn more_classes_than_h2o_has_metrics_for_are_refused() {
    assert!(MultinomialAccumulator::new(MAX_CLASSES + 1, None).is_none());
    assert!(MultinomialAccumulator::new(0, None).is_none());
}
