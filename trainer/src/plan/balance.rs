//! Class balancing: which rows are taken how often.

use super::PlanError;
use crate::params::TrainParams;
use crate::rng::Rng;

const SHUFFLE: i64 = 0x580_FF13;
/// H2O gives up after so many seeds that leave a class empty.
const ATTEMPTS: i64 = 10;

/// The rows of the balanced frame, each a row of the original one.
///
/// `responses` has the class of each row, NaN where it is missing: such rows vanish.
pub(super) fn balanced_rows(
    params: &TrainParams,
    responses: &[f64],
    weights: Option<&[f64]>,
    levels: &[String],
) -> Result<Vec<u32>, PlanError> {
    let ratios = ratios(params, responses, weights, levels)?;
    let mut attempt = 0;
    loop {
        let seed = params.seed.wrapping_add(attempt);
        let mut rows = draw(responses, &ratios, seed);
        let mut seen = vec![false; levels.len()];
        for &row in &rows {
            seen[responses[row as usize] as usize] = true;
        }
        match seen.iter().position(|&seen| !seen) {
            None => {
                Rng::new(seed.wrapping_add(SHUFFLE)).shuffle(&mut rows);
                return Ok(rows);
            }
            Some(class) if attempt == ATTEMPTS => return Err(PlanError::EmptyClass { class: levels[class].clone() }),
            Some(_) => attempt += 1,
        }
    }
}

/// How often a row of each class is taken, in the single precision that H2O computes it in.
fn ratios(
    params: &TrainParams,
    responses: &[f64],
    weights: Option<&[f64]>,
    levels: &[String],
) -> Result<Vec<f32>, PlanError> {
    let mut counts = vec![0.0; levels.len()];
    for (row, &class) in responses.iter().enumerate().filter(|(_, class)| !class.is_nan()) {
        counts[class as usize] += weights.map_or(1.0, |weights| weights[row]);
    }
    let rows: f64 = responses.len() as f64;
    let mut ratios: Vec<f32> = match &params.class_sampling_factors {
        Some(factors) if factors.len() != levels.len() => {
            return Err(PlanError::FactorsPerClass { found: factors.len(), classes: levels.len() });
        }
        Some(factors) => factors.iter().map(|&factor| factor as f32).collect(),
        None => {
            let even: Vec<f32> =
                counts.iter().map(|&count| (rows as f32 / levels.len() as f32) / count as f32).collect();
            let least = even.iter().copied().fold(f32::INFINITY, f32::min);
            even.iter().map(|ratio| ratio / least).collect()
        }
    };
    let expected: f32 = ratios.iter().zip(&counts).map(|(&ratio, &count)| ratio * count as f32).sum();
    let most = (f64::from(params.max_after_balance_size) * rows).floor();
    let target = most.min(f64::from(expected.round())) as f32;
    if target != expected {
        for ratio in &mut ratios {
            *ratio *= target / expected;
        }
    }
    Ok(ratios)
}

/// Each row as often as its class's ratio says, the fraction by chance.
fn draw(responses: &[f64], ratios: &[f32], seed: i64) -> Vec<u32> {
    let mut rows = Vec::new();
    for (row, &class) in (0_u32..).zip(responses) {
        if class.is_nan() {
            continue;
        }
        let ratio = ratios[class as usize];
        let chance = Rng::new(seed.wrapping_add(i64::from(row))).next_f32();
        let times = ratio.floor() as u32 + u32::from(chance < ratio.fract());
        rows.extend(std::iter::repeat_n(row, times as usize));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn balanced(settings: &[(&str, &str)], responses: &[f64]) -> Result<Vec<u32>, PlanError> {
        let mut params = TrainParams { seed: 7, ..TrainParams::default() };
        for (name, value) in settings {
            params.set_text(name, value).expect("the parameter exists");
        }
        balanced_rows(&params, responses, None, &["a".into(), "b".into()])
    }

    #[test]
    fn the_rarer_class_is_repeated_and_rows_without_a_class_vanish() {
        let responses: Vec<f64> = (0..1000).map(|i| if i % 10 == 0 { 1.0 } else { 0.0 }).chain([f64::NAN; 5]).collect();
        let rows = balanced(&[], &responses).expect("both classes are there");
        let of_class = |class: f64| rows.iter().filter(|&&row| responses[row as usize] == class).count();
        assert_eq!(of_class(0.0), 900);
        assert!((880..920).contains(&of_class(1.0)), "{}", of_class(1.0));
        assert!(rows.iter().all(|&row| row < 1000));
    }

    #[test]
    fn factors_are_one_for_each_class_and_leave_none_empty() {
        let wrong = balanced(&[("class_sampling_factors", "1,1,1")], &[0.0, 1.0]);
        assert_eq!(wrong, Err(PlanError::FactorsPerClass { found: 3, classes: 2 }));
        let empty = balanced(&[("class_sampling_factors", "1,0")], &[0.0, 1.0]);
        assert_eq!(empty, Err(PlanError::EmptyClass { class: "b".into() }));
    }
}
