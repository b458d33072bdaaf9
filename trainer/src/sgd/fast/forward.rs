//! The net inputs of a layer's units, in either layout.

use super::layer::{FastLayer, Layout};
use super::sums::add_rows;
use crate::kernel::{Kernel, LANES, Lanes, Simd};

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

/// Sets `nets` to biases plus weights times inputs.
pub(super) struct Forward<'a> {
    pub layer: &'a FastLayer,
    /// The inputs that are not zero, for a layer by input.
    pub list: &'a List,
    /// All inputs, for a layer by unit.
    pub dense: &'a [Lanes],
    pub nets: &'a mut [Lanes],
}

impl Kernel for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let lines = self.layer.output_lines();
        self.nets[..lines].copy_from_slice(&self.layer.biases[..lines]);
        match self.layer.layout {
            Layout::ByInput => {
                let (layer, list) = (self.layer, self.list);
                add_rows(simd, &layer.matrix, layer.stride(), list.places(), list.values(), &mut self.nets[..lines]);
            }
            Layout::ByUnit => by_unit(simd, self.layer, self.dense, self.nets),
        }
    }
}

#[inline(always)]
fn by_unit<S: Simd>(simd: S, layer: &FastLayer, dense: &[Lanes], nets: &mut [Lanes]) {
    let padded = Lanes::count(layer.units);
    for channel in 0..layer.channels {
        let nets = &mut nets[channel * padded..(channel + 1) * padded];
        let mut unit = 0;
        while unit + 8 <= layer.units {
            units::<S, 8>(simd, layer, dense, nets, channel * padded * LANES, unit);
            unit += 8;
        }
        while unit < layer.units {
            units::<S, 1>(simd, layer, dense, nets, channel * padded * LANES, unit);
            unit += 1;
        }
    }
}

/// The products of the inputs with the rows of some units, each line of inputs loaded once for all of them.
#[inline(always)]
fn units<S: Simd, const N: usize>(
    simd: S,
    layer: &FastLayer,
    dense: &[Lanes],
    nets: &mut [Lanes],
    first_row: usize,
    unit: usize,
) {
    let (stride, lines) = (layer.stride(), layer.lines);
    let rows: [&[Lanes]; N] = std::array::from_fn(|n| {
        let start = (first_row + unit + n) * stride;
        &layer.matrix[start..start + lines]
    });
    let dense = &dense[..lines];
    let mut sums = [simd.splat(0.0); N];
    for line in 0..lines {
        let x = simd.load(&dense[line]);
        for n in 0..N {
            sums[n] = simd.mul_add(x, simd.load(&rows[n][line]), sums[n]);
        }
    }
    for (n, &sum) in sums.iter().enumerate() {
        let net = &mut nets[(unit + n) / LANES].0[(unit + n) % LANES];
        *net += simd.sum(sum);
    }
}
