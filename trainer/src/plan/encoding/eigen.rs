//! The projection of `categorical_encoding = Eigen`.

use super::counts;
use crate::frame::Column;

/// The projections of a column of so many levels, whose codes may be other ones to the model.
///
/// A row without a level counts for the most frequent one; but where the first levels have no row, H2O counts the place of
/// that one from the first that has.
pub(super) fn projections_of(column: &Column, levels: usize, codes: Option<&[u32]>) -> Vec<f64> {
    let mut of_model = vec![0; levels];
    for (code, count) in counts(column, column.domain().map_or(0, <[String]>::len)).into_iter().enumerate() {
        of_model[codes.map_or(code, |codes| codes[code] as usize)] += count;
    }
    let first = of_model.iter().position(|&count| count > 0);
    let most = (0..levels).rev().max_by_key(|&code| of_model[code]);
    if let (Some(first), Some(most)) = (first, most) {
        of_model[most - first] += column.missing_count() as u64;
    }
    projections(&of_model)
}

/// A number for each level, given how many rows have it.
///
/// H2O takes the symmetric matrix
///
/// ```text
/// u_ij = (N_i if i = j else 0 - N_i N_j / n) / sqrt(N_i N_j)        0 where that is not a number
/// ```
///
/// and of its eigenvectors, as columns by rising eigenvalue, the row (not the column) whose number is that of the largest
/// eigenvalue. All eigenvalues but one are 1, so that row depends on how the eigenvectors are found: by Householder
/// reflections to three diagonals and implicit QL steps, as in EISPACK's tred2 and tql2.
fn projections(counts: &[u64]) -> Vec<f64> {
    let n = counts.iter().sum::<u64>() as f64;
    // Through frequencies of single precision.
    let counts: Vec<f64> = counts.iter().map(|&count| f64::from((count as f64 / n) as f32) * n).collect();
    let entry = |i: usize, j: usize| {
        let own = if i == j { counts[i] } else { 0.0 };
        let u = (own - counts[i] * counts[j] / n) / (counts[i] * counts[j]).sqrt();
        if u.is_nan() { 0.0 } else { u }
    };
    let size = counts.len();
    let matrix = (0..size).map(|i| (0..size).map(|j| entry(i, j)).collect()).collect();
    let (values, vectors) = eigen(matrix);
    let mut largest = 0;
    for (i, value) in values.iter().enumerate() {
        if *value > values[largest] {
            largest = i;
        }
    }
    vectors.into_iter().nth(largest).unwrap_or_default()
}

/// Rising eigenvalues of a symmetric matrix, and its eigenvectors as columns.
fn eigen(mut v: Vec<Vec<f64>>) -> (Vec<f64>, Vec<Vec<f64>>) {
    let (mut d, mut e) = tridiagonal(&mut v);
    diagonal(&mut v, &mut d, &mut e);
    sort(&mut v, &mut d);
    (d, v)
}

/// Householder's reduction: `v` becomes the transformation, the answer is the diagonal and what is below it.
fn tridiagonal(v: &mut [Vec<f64>]) -> (Vec<f64>, Vec<f64>) {
    let n = v.len();
    let (mut d, mut e) = (v.last().cloned().unwrap_or_default(), vec![0.0; n]);
    for i in (1..n).rev() {
        let scale: f64 = d[..i].iter().fold(0.0, |sum, x| sum + x.abs());
        let mut h = 0.0;
        if scale == 0.0 {
            e[i] = d[i - 1];
            for j in 0..i {
                d[j] = v[i - 1][j];
                v[i][j] = 0.0;
                v[j][i] = 0.0;
            }
        } else {
            h = reflect(v, &mut d, &mut e, i, scale);
        }
        d[i] = h;
    }
    accumulate(v, &mut d);
    if let Some(first) = e.first_mut() {
        *first = 0.0;
    }
    (d, e)
}

/// One reflection, which clears row `i` but for its last number before the diagonal.
fn reflect(v: &mut [Vec<f64>], d: &mut [f64], e: &mut [f64], i: usize, scale: f64) -> f64 {
    let mut h = 0.0;
    for x in &mut d[..i] {
        *x /= scale;
        h += *x * *x;
    }
    let f = d[i - 1];
    let g = if f > 0.0 { -h.sqrt() } else { h.sqrt() };
    e[i] = scale * g;
    h -= f * g;
    d[i - 1] = f - g;
    e[..i].fill(0.0);
    for j in 0..i {
        let f = d[j];
        v[j][i] = f;
        let mut g = e[j] + v[j][j] * f;
        for k in j + 1..i {
            g += v[k][j] * d[k];
            e[k] += v[k][j] * f;
        }
        e[j] = g;
    }
    let mut f = 0.0;
    for j in 0..i {
        e[j] /= h;
        f += e[j] * d[j];
    }
    let share = f / (h + h);
    for j in 0..i {
        e[j] -= share * d[j];
    }
    for j in 0..i {
        let (f, g) = (d[j], e[j]);
        for k in j..i {
            v[k][j] -= f * e[k] + g * d[k];
        }
        d[j] = v[i - 1][j];
        v[i][j] = 0.0;
    }
    h
}

/// Multiplies the reflections.
fn accumulate(v: &mut [Vec<f64>], d: &mut [f64]) {
    let Some(last) = v.len().checked_sub(1) else { return };
    for i in 0..last {
        v[last][i] = v[i][i];
        v[i][i] = 1.0;
        let h = d[i + 1];
        if h != 0.0 {
            for k in 0..=i {
                d[k] = v[k][i + 1] / h;
            }
            for j in 0..=i {
                let g = (0..=i).fold(0.0, |g, k| g + v[k][i + 1] * v[k][j]);
                for k in 0..=i {
                    v[k][j] -= g * d[k];
                }
            }
        }
        for row in &mut v[..=i] {
            row[i + 1] = 0.0;
        }
    }
    for j in 0..=last {
        d[j] = v[last][j];
        v[last][j] = 0.0;
    }
    v[last][last] = 1.0;
}

/// Implicit QL steps: `d` becomes the eigenvalues.
fn diagonal(v: &mut [Vec<f64>], d: &mut [f64], e: &mut [f64]) {
    let n = d.len();
    if n == 0 {
        return;
    }
    e.rotate_left(1);
    e[n - 1] = 0.0;
    let (mut shift, mut largest) = (0.0, 0.0_f64);
    for l in 0..n {
        largest = largest.max(d[l].abs() + e[l].abs());
        let is_small = |x: f64| x.abs() <= f64::EPSILON * largest;
        let m = (l..n).find(|&m| is_small(e[m])).unwrap_or(n - 1);
        if m > l {
            loop {
                shift += step(v, d, e, l, m);
                if is_small(e[l]) {
                    break;
                }
            }
        }
        d[l] += shift;
        e[l] = 0.0;
    }
}

/// One step on the numbers from `l` to `m`; the answer is what was taken off the diagonal.
fn step(v: &mut [Vec<f64>], d: &mut [f64], e: &mut [f64], l: usize, m: usize) -> f64 {
    let g = d[l];
    let p = (d[l + 1] - g) / (2.0 * e[l]);
    let r = if p < 0.0 { -hypotenuse(p, 1.0) } else { hypotenuse(p, 1.0) };
    d[l] = e[l] / (p + r);
    d[l + 1] = e[l] * (p + r);
    let next = d[l + 1];
    let shift = g - d[l];
    for x in &mut d[l + 2..] {
        *x -= shift;
    }
    let mut p = d[m];
    let (mut c, mut c2, mut c3) = (1.0, 1.0, 1.0);
    let (mut s, mut s2) = (0.0, 0.0);
    let below = e[l + 1];
    for i in (l..m).rev() {
        c3 = c2;
        c2 = c;
        s2 = s;
        let g = c * e[i];
        let h = c * p;
        let r = hypotenuse(p, e[i]);
        e[i + 1] = s * r;
        s = e[i] / r;
        c = p / r;
        p = c * d[i] - s * g;
        d[i + 1] = h + s * (c * g + s * d[i]);
        for row in v.iter_mut() {
            let h = row[i + 1];
            row[i + 1] = s * row[i] + c * h;
            row[i] = c * row[i] - s * h;
        }
    }
    let p = -s * s2 * c3 * below * e[l] / next;
    e[l] = s * p;
    d[l] = c * p;
    shift
}

/// Eigenvalues rise, their columns follow.
fn sort(v: &mut [Vec<f64>], d: &mut [f64]) {
    for i in 0..d.len() {
        let mut least = i;
        for j in i + 1..d.len() {
            if d[j] < d[least] {
                least = j;
            }
        }
        if least != i {
            d.swap(i, least);
            for row in &mut *v {
                row.swap(i, least);
            }
        }
    }
}

/// `sqrt(a^2 + b^2)` without overflow, in the order of operations that H2O's results show.
fn hypotenuse(a: f64, b: f64) -> f64 {
    let (large, small) = if a.abs() > b.abs() { (a, b) } else { (b, a) };
    if large == 0.0 {
        return 0.0;
    }
    let ratio = small / large;
    large.abs() * (1.0 + ratio * ratio).sqrt()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_counts_have_projections(counts in prop::collection::vec(prop_oneof![Just(0), 1..5_u64, any::<u32>().prop_map(u64::from)], 0..40)) {
            let projections = projections(&counts);
            prop_assert_eq!(projections.len(), counts.len());
            prop_assert!(projections.iter().all(|x| x.abs() <= 1.0 + 1e-9));
        }
    }

    /// Of `tests/oracle/data/policies.csv`, as real H2O wrote them into a MOJO.
    #[test]
    fn projections_are_those_of_h2o() {
        let vehicle = projections(&[47, 78, 54, 61]);
        let of_vehicle =
            [-0.474_341_646_276_496_4, 0.660_116_792_958_021_6, -0.512_415_696_064_130_7, -0.276_904_273_512_764_8];
        assert_eq!(vehicle, of_vehicle);
        assert_eq!(projections(&[121, 119]), [-0.704_154_341_964_157_9, 0.710_046_944_006_538]);
        let region = projections(&[4, 21, 8, 1, 22, 14, 1, 16, 9, 62, 11, 8, 38, 25]);
        assert_eq!(region[0], -0.322_748_608_486_779_6);
    }
}
