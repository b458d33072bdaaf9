//! The sums of a layer, by groups that stay in registers.

use super::packed::{LANES, Packed};
use super::simd::Simd;
use super::terms::{Term, Terms};

/// See [`Tier::nets`](super::Tier::nets). As many vectors are summed up at a time as there is room for: none has to wait for its
/// last addition, and they share the loads of their inputs.
#[inline(always)]
pub(super) fn nets<S: Simd>(simd: S, layer: &Packed, terms: &Terms, out: &mut [f64]) {
    let (out, _) = out.as_chunks_mut::<LANES>();
    let mut first = 0;
    while first < out.len() {
        // Each width is compiled for itself.
        first += match (out.len() - first).min(S::WIDEST) {
            16.. => group::<S, 16>(simd, layer, first, terms, out),
            8.. => group::<S, 8>(simd, layer, first, terms, out),
            4.. => group::<S, 4>(simd, layer, first, terms, out),
            2.. => group::<S, 2>(simd, layer, first, terms, out),
            _ => group::<S, 1>(simd, layer, first, terms, out),
        };
    }
}

/// `WIDTH` vectors from the one with the number `first` on, in the order of [`dot`](crate::dot): the partial sums as two fours,
/// then the rest, one by one.
#[inline(always)]
fn group<S: Simd, const WIDTH: usize>(
    simd: S,
    layer: &Packed,
    first: usize,
    terms: &Terms,
    out: &mut [[f64; LANES]],
) -> usize {
    let zero = [simd.zero(); WIDTH];
    let mut total = zero;
    for [one, others @ ..] in terms.fours() {
        let mut four = add_products(simd, zero, layer, first, one);
        for other in others {
            four = add(simd, four, add_products(simd, zero, layer, first, other));
        }
        total = add(simd, total, four);
    }
    total = add_products(simd, total, layer, first, terms.rest());
    for (total, out) in total.into_iter().zip(&mut out[first..]) {
        simd.store(total, out);
    }
    WIDTH
}

#[inline(always)]
fn add<S: Simd, const WIDTH: usize>(simd: S, mut sums: [S::V; WIDTH], others: [S::V; WIDTH]) -> [S::V; WIDTH] {
    for (sum, other) in sums.iter_mut().zip(others) {
        *sum = simd.add(*sum, other);
    }
    sums
}

/// Adds the products of some inputs, one after the other.
#[inline(always)]
fn add_products<S: Simd, const WIDTH: usize>(
    simd: S,
    mut sums: [S::V; WIDTH],
    layer: &Packed,
    first: usize,
    terms: &[Term],
) -> [S::V; WIDTH] {
    for term in terms {
        let (weights, _) = layer.weights_of(term.place, first * LANES).as_chunks::<LANES>();
        for (sums, weights) in sums.iter_mut().zip(&weights[..WIDTH]) {
            *sums = simd.add_products(*sums, weights, term.value);
        }
    }
    sums
}
