//! The net inputs of a layer's units, in either layout.

use super::layer::{FastLayer, Layout};
use super::sums::add_rows;
use crate::kernel::{Kernel, LANES, Lanes, Simd, flat_mut};

/// The numbers that are not zero, by their places, with room behind them for one line more.
#[derive(Debug, Clone, Default)]
pub(super) struct List {
    pub places: Vec<u32>,
    pub values: Vec<f32>,
    pub count: usize,
}

impl List {
    /// Room for so many numbers.
    pub fn with_room(numbers: usize) -> Self {
        let room = (Lanes::count(numbers) + 1) * LANES;
        Self { places: vec![0; room], values: vec![0.0; room], count: 0 }
    }

    pub fn places(&self) -> &[u32] {
        &self.places[..self.count]
    }

    pub fn values(&self) -> &[f32] {
        &self.values[..self.count]
    }
}

/// Sets the `nets` of some samples to biases plus weights times inputs.
pub(super) struct Forward<'a> {
    pub layer: &'a FastLayer,
    /// The inputs of each sample that are not zero, for a layer by input.
    pub lists: &'a [List],
    /// All inputs of the samples, for a layer by unit.
    pub dense: &'a [Lanes],
    pub nets: &'a mut [Lanes],
}

impl Kernel for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { layer, lists, dense, nets } = self;
        let lines = layer.output_lines();
        for nets in nets.chunks_mut(lines) {
            nets.copy_from_slice(&layer.biases[..lines]);
        }
        match layer.layout {
            Layout::ByInput => {
                for (list, nets) in lists.iter().zip(nets.chunks_mut(lines)) {
                    add_rows(simd, &layer.matrix, layer.stride(), list.places(), list.values(), nets);
                }
            }
            Layout::ByUnit => by_unit(simd, layer, dense, nets),
        }
    }
}

/// Samples that go through the units together.
const TOGETHER: usize = 4;

#[inline(always)]
fn by_unit<S: Simd>(simd: S, layer: &FastLayer, dense: &[Lanes], nets: &mut [Lanes]) {
    let lines = layer.output_lines();
    let several = if S::LINES == TOGETHER { TOGETHER } else { 1 };
    let tiles = dense.chunks(layer.lines * several).zip(nets.chunks_mut(lines * several));
    for (dense, nets) in tiles {
        if nets.len() == lines * TOGETHER {
            tile::<S, TOGETHER, 4>(simd, layer, dense, nets);
        } else {
            for (dense, nets) in dense.chunks(layer.lines).zip(nets.chunks_mut(lines)) {
                tile::<S, 1, 8>(simd, layer, dense, nets);
            }
        }
    }
}

/// Adds the products of all units with some samples.
#[inline(always)]
fn tile<S: Simd, const SAMPLES: usize, const UNITS: usize>(
    simd: S,
    layer: &FastLayer,
    dense: &[Lanes],
    nets: &mut [Lanes],
) {
    let padded = Lanes::count(layer.units) * LANES;
    for channel in 0..layer.channels {
        let first = channel * padded;
        let (several, rest) = (layer.units / UNITS, layer.units % UNITS);
        for unit in 0..several {
            units::<S, SAMPLES, UNITS>(simd, layer, dense, nets, first + unit * UNITS);
        }
        for unit in 0..rest {
            units::<S, SAMPLES, 1>(simd, layer, dense, nets, first + several * UNITS + unit);
        }
    }
}

/// Adds the products of samples with the rows of some units, each line loaded once for all of them.
#[inline(always)]
fn units<S: Simd, const SAMPLES: usize, const UNITS: usize>(
    simd: S,
    layer: &FastLayer,
    dense: &[Lanes],
    nets: &mut [Lanes],
    first: usize,
) {
    let (stride, lines, outputs) = (layer.stride(), layer.lines, layer.output_lines());
    let rows: [&[Lanes]; UNITS] = std::array::from_fn(|unit| {
        let start = (first + unit) * stride;
        &layer.matrix[start..start + lines]
    });
    let samples: [&[Lanes]; SAMPLES] = std::array::from_fn(|sample| &dense[sample * lines..(sample + 1) * lines]);
    let mut sums = [[simd.splat(0.0); UNITS]; SAMPLES];
    for line in 0..lines {
        let weights: [S::V; UNITS] = std::array::from_fn(|unit| simd.load(&rows[unit][line]));
        for (sums, sample) in sums.iter_mut().zip(samples) {
            let x = simd.load(&sample[line]);
            for unit in 0..UNITS {
                sums[unit] = simd.mul_add(x, weights[unit], sums[unit]);
            }
        }
    }
    for (sums, nets) in sums.iter().zip(nets.chunks_mut(outputs)) {
        let nets = &mut flat_mut(nets)[first..first + UNITS];
        for (net, &sum) in nets.iter_mut().zip(sums) {
            *net += simd.sum(sum);
        }
    }
}
