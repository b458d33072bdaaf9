//! Variable importances.

/// Importance of each input by Gedeon's method (1997), the largest being 1, in `f32` as H2O computes it.
///
/// `w1` holds the weights of the first layer, one row of `inputs` a unit, `hidden1` rows; `w2` those of the second, one
/// row of `hidden1` a unit, with its number of units. With `A_j` and `B_k` the sums of the absolute weights of a row:
///
/// ```text
/// Q_ik = sum_j |W1_ji| / A_j * |W2_kj| / B_k       v_i = sum_k (Q_ik / sum_i Q_ik)       v_i / max v
/// ```
///
/// Without a second layer `v_i = sum_j |W1_ji|`. For Maxout H2O reads the interleaved channels as if they were plain rows,
/// so only the first half of each array counts: pass the arrays as they are. Inputs for missing values that training
/// never saw are the caller's to set to 0.
pub fn gedeon(w1: &[f32], inputs: usize, hidden1: usize, w2: Option<(&[f32], usize)>) -> Vec<f32> {
    let rows1 = || w1.chunks_exact(inputs.max(1)).take(hidden1);
    let mut importance = vec![0.0f32; inputs];
    let Some((w2, units)) = w2 else {
        for row in rows1() {
            for (v, w) in importance.iter_mut().zip(row) {
                *v += w.abs();
            }
        }
        return relative_to_largest(importance);
    };
    let sums1: Vec<f32> = rows1().map(absolute_sum).collect();
    let mut share = vec![0.0f32; inputs];
    for row2 in w2.chunks_exact(hidden1.max(1)).take(units) {
        let sum2 = absolute_sum(row2);
        share.fill(0.0);
        for ((row1, &sum1), &w2) in rows1().zip(&sums1).zip(row2) {
            for (q, w1) in share.iter_mut().zip(row1) {
                *q += w1.abs() / sum1 * w2.abs() / sum2;
            }
        }
        let total = sum(&share);
        for (v, q) in importance.iter_mut().zip(&share) {
            *v += q / total;
        }
    }
    relative_to_largest(importance)
}

fn absolute_sum(row: &[f32]) -> f32 {
    row.iter().fold(0.0, |sum, w| sum + w.abs())
}

fn sum(values: &[f32]) -> f32 {
    values.iter().fold(0.0, |sum, value| sum + value)
}

fn relative_to_largest(mut importance: Vec<f32>) -> Vec<f32> {
    let largest = importance.iter().copied().fold(0.0, f32::max);
    for v in &mut importance {
        *v /= largest;
    }
    importance
}

#[cfg(test)]
mod tests {
    use super::*;

    // Weights and importances of models that real H2O 3.46.0.11 trained (reproducible, seed 1, hidden 3,2 on three
    // numbers, exported weights): equal to the bit.

    #[test]
    fn two_hidden_layers() {
        let w1 = [
            0.729_287_7,
            -0.049_745_49,
            -0.359_597_03,
            -0.546_206_8,
            0.061_856_53,
            0.171_567_56,
            0.802_049_1,
            -0.407_698_63,
            -0.530_628_8,
        ];
        let w2 = [0.056_707_766, -0.809_714_14, -0.845_173_4, 0.617_494_2, 0.424_080_64, -0.169_128_8];
        assert_eq!(gedeon(&w1, 3, 3, Some((&w2, 2))), [1.0, 0.195_168_21, 0.448_661_48]);
    }

    #[test]
    fn maxout_reads_the_first_half_of_each_array() {
        let w1 = [
            0.851_916_1,
            -0.103_902_35,
            -0.366_912_07,
            -0.515_043_14,
            0.043_176_018,
            0.137_654_45,
            0.731_733_6,
            -0.374_017_9,
            -0.535_024_34,
            0.388_335_56,
            -0.072_838_44,
            0.261_914_82,
            0.132_816_87,
            0.037_220_344,
            -0.747_594_7,
            0.689_154_2,
            0.963_708_9,
            -0.257_638_8,
        ];
        let w2 = [
            0.037_479_356,
            -0.832_268_06,
            -0.861_668_8,
            0.627_056_96,
            0.179_322_29,
            -0.213_651_25,
            -0.856_252_8,
            0.699_485_3,
            0.896_346,
            0.036_387_295,
            0.818_719_7,
            0.629_565_4,
        ];
        assert_eq!(gedeon(&w1, 3, 3, Some((&w2, 2))), [1.0, 0.207_999_1, 0.443_367_06]);
    }

    #[test]
    fn no_hidden_layer() {
        let w = [0.956_405_4, -0.197_186_4, -0.271_091_22];
        assert_eq!(gedeon(&w, 3, 1, None), [1.0, 0.206_174_5, 0.283_448_04]);
    }
}
