//! From the rows of a plan to blocks.

use std::io;

use rayon::prelude::*;

use super::{Block, Places, RowStore, Values};
use crate::frame::{Data, Plain, SpillFile, SpillOptions};
use crate::plan::TrainPlan;
use crate::sgd::TrainError;
use crate::sgd::step::Target;

/// A column with a smaller share of numbers that are not zero is stored by those.
const DENSE: f64 = 0.4;
/// Rows that tell which columns are dense.
const SAMPLE: usize = 4096;
/// Rows of a block at most, and numbers in one if its rows are not very long: 8 MB while it is packed.
const MOST_ROWS: usize = 4096;
const NUMBERS: usize = 1 << 20;
const FEWEST_ROWS: usize = 16;

/// Turns rows of a plan into blocks.
pub(super) struct Packer<'a, 'p> {
    plan: &'a TrainPlan<'p>,
    inputs: usize,
    first_numeric: usize,
    /// For each input whether it is a dense column.
    is_dense: Vec<bool>,
    dense: Vec<u32>,
    /// Categoricals set inputs to 1 and to nothing else.
    has_codes: bool,
    /// The factor of each input's numbers, which are whole before they are multiplied by it if they are stored in bytes.
    scales: Vec<f32>,
}

/// A block and what the store has to know of its rows.
struct Packed {
    block: Block,
    trains: Vec<bool>,
    buckets: Vec<bool>,
}

impl<'a, 'p> Packer<'a, 'p> {
    pub fn new(plan: &'a TrainPlan<'p>) -> Self {
        let (inputs, first_numeric) = (plan.layout.inputs(), plan.layout.first_numeric());
        let mut scales = vec![1.0_f32; first_numeric];
        match &plan.layout.scaling {
            Some(scaling) => scales.extend(scaling.mul.iter().map(|&mul| mul as f32)),
            None => scales.resize(inputs, 1.0),
        }
        let mut packer = Self {
            plan,
            inputs,
            first_numeric,
            is_dense: vec![false; inputs],
            dense: Vec::new(),
            // Levels that share a slot set it to more than 1.
            has_codes: plan.layout.hashing.is_none(),
            scales,
        };
        // A look at rows from everywhere.
        let step = plan.training.len().div_ceil(SAMPLE).max(1);
        let (mut seen, mut rows) = (vec![0_u32; inputs], 0);
        packer.each_row((0..plan.training.len()).step_by(step), |_, _, entries| {
            rows += 1;
            for &(place, _) in entries {
                seen[place] += 1;
            }
        });
        for (is_dense, seen) in packer.is_dense.iter_mut().zip(seen).skip(first_numeric) {
            *is_dense = f64::from(seen) >= DENSE * f64::from(rows);
        }
        packer.dense =
            (first_numeric..inputs).filter(|&place| packer.is_dense[place]).map(|place| place as u32).collect();
        packer
    }

    /// All rows, in a file if they take more memory than they may.
    pub fn store(self, spill: Option<&SpillOptions>) -> Result<RowStore, TrainError> {
        let block_bits = self.block_bits();
        let starts: Vec<usize> = (0..self.plan.training.len()).step_by(1 << block_bits).collect();
        let mut store = RowStore {
            rows: 0,
            places: None,
            block_bits,
            blocks: Vec::with_capacity(starts.len()),
            category: self.plan.category,
            code_width: self.code_width(),
            dense: self.dense.clone(),
            scales: self.scales.clone(),
            buckets: vec![false; self.plan.layout.categoricals()],
            entries: 0.0,
            spilled_bytes: 0,
        };
        let (mut bytes, mut numbers) = (0, 0);
        let mut file = None;
        for starts in starts.chunks(2 * rayon::current_num_threads()) {
            let batch: Vec<Packed> = starts.par_iter().map(|&start| self.pack(start, 1 << block_bits)).collect();
            let first = store.blocks.len();
            for (packed, &start) in batch.into_iter().zip(starts) {
                bytes += packed.block.bytes();
                numbers += packed.block.values.len();
                store.take(packed, start);
            }
            if let Some(options) = spill.filter(|options| bytes > options.limit) {
                // What was held until now goes first.
                let first = if file.is_some() { first } else { 0 };
                let mut moved = || {
                    let file = match &mut file {
                        Some(file) => file,
                        none => none.insert(SpillFile::create(&options.folder)?),
                    };
                    store.blocks[first..].iter_mut().try_for_each(|block| block.spill(file))
                };
                moved().map_err(|source| failed(options, &source))?;
            }
        }
        if let (Some(file), Some(options)) = (file, spill) {
            store.spilled_bytes = bytes;
            file.finish().map_err(|source| failed(options, &source))?;
        }
        let of_sparse = numbers as f64 / store.rows.max(1) as f64;
        store.entries = (store.dense.len() + store.code_width) as f64 + of_sparse;
        Ok(store)
    }

    /// Calls `take` with each row that trains, its raw cells and its inputs that are not zero.
    fn each_row(&self, rows: impl Iterator<Item = usize>, mut take: impl FnMut(usize, &[f64], &[(usize, f64)])) {
        let encoder = self.plan.encoder();
        let (mut raw, mut entries) = (Vec::new(), Vec::new());
        for row in rows {
            self.plan.training.read(row, &mut raw);
            if !self.plan.leaves_out(row, &raw, &encoder) {
                encoder.entries(&raw, &mut entries);
                take(row, &raw, &entries);
            }
        }
    }

    /// Packs the rows of a block.
    fn pack(&self, start: usize, rows: usize) -> Packed {
        let end = (start + rows).min(self.plan.training.len());
        let rows = end - start;
        let (mut trains, mut buckets) = (vec![false; rows], vec![false; self.plan.layout.categoricals()]);
        let mut responses = Vec::with_capacity(rows);
        let mut offsets = Vec::new();
        let code_width = self.code_width();
        let (mut codes, mut dense) =
            (Vec::with_capacity(rows * code_width), Vec::with_capacity(rows * self.dense.len()));
        let mut starts = Vec::with_capacity(rows + 1);
        starts.push(0);
        let (mut places, mut values) = (Vec::new(), Vec::new());
        let mut numbers = vec![0.0_f32; self.inputs - self.first_numeric];
        self.each_row(start..end, |row, raw, entries| {
            trains[row - start] = true;
            match self.plan.target(row) {
                Target::Class(class) => responses.push(class as f64),
                Target::Value { value, offset } => {
                    responses.push(value);
                    if self.plan.training.has_offsets() {
                        offsets.push(offset);
                    }
                }
                Target::Inputs => responses.push(0.0),
            }
            for (bucket, code) in buckets.iter_mut().zip(raw) {
                *bucket |= code.is_nan() && self.plan.layout.use_all_factor_levels;
            }
            let codes_end = codes.len() + code_width;
            numbers.fill(0.0);
            for &(place, value) in entries {
                if place < self.first_numeric && self.has_codes {
                    codes.push(place as u32);
                } else if self.is_dense[place] {
                    numbers[place - self.first_numeric] = value as f32;
                } else {
                    places.push(place as u32);
                    values.push(value as f32);
                }
            }
            codes.resize(codes_end, u32::MAX);
            dense.extend(self.dense.iter().map(|&place| numbers[place as usize - self.first_numeric]));
            starts.push(places.len() as u32);
        });
        if places.is_empty() {
            starts.clear();
            starts.shrink_to_fit();
        }
        let values = self.values(&places, values);
        let (codes, places) = (self.places(codes), self.places(places));
        let (responses, offsets, dense, starts) = (held(responses), held(offsets), held(dense), held(starts));
        Packed { block: Block { responses, offsets, codes, dense, starts, places, values }, trains, buckets }
    }

    fn places(&self, places: Vec<u32>) -> Places {
        if u16::try_from(self.inputs).is_ok() {
            // The number that stands for none stays the largest.
            Places::Narrow(Data::Held(places.iter().map(|&place| place.min(u32::from(u16::MAX)) as u16).collect()))
        } else {
            Places::Wide(held(places))
        }
    }

    /// In bytes where all are whole numbers up to 255 times the scale of their input.
    fn values(&self, places: &[u32], values: Vec<f32>) -> Values {
        let byte = |(&place, &value): (&u32, &f32)| {
            let scale = self.scales[place as usize];
            let number = (value / scale).round();
            let is_byte =
                (1.0..=255.0).contains(&number) && (number * scale - value).abs() <= f32::EPSILON * value.abs();
            is_byte.then_some(number as u8)
        };
        match places.iter().zip(&values).map(byte).collect() {
            Some(bytes) => Values::Bytes(held(bytes)),
            None => Values::Singles(held(values)),
        }
    }

    fn code_width(&self) -> usize {
        if self.has_codes { self.plan.layout.categoricals() } else { 0 }
    }

    /// The logarithm of how many rows a block has.
    fn block_bits(&self) -> u32 {
        let numbers = self.code_width() + self.inputs - if self.has_codes { self.first_numeric } else { 0 };
        (NUMBERS / numbers.max(1)).clamp(FEWEST_ROWS, MOST_ROWS).ilog2()
    }
}

fn failed(options: &SpillOptions, source: &io::Error) -> TrainError {
    TrainError::Spill { folder: options.folder.display().to_string(), reason: source.to_string() }
}

fn held<T: Plain>(mut values: Vec<T>) -> Data<T> {
    values.shrink_to_fit();
    Data::Held(values)
}

impl RowStore {
    /// Appends the block whose first row is `start`.
    fn take(&mut self, packed: Packed, start: usize) {
        let Packed { block, trains, buckets } = packed;
        self.rows += block.responses.len();
        if self.places.is_none() && trains.contains(&false) {
            self.places = Some((0..start as u32).collect());
        }
        if let Some(places) = &mut self.places {
            let mut next = start as u32..;
            places.extend(trains.iter().map(|&trains| if trains { next.next() } else { None }.unwrap_or(u32::MAX)));
        }
        for (all, one) in self.buckets.iter_mut().zip(buckets) {
            *all |= one;
        }
        self.blocks.push(block);
    }
}

impl Block {
    fn bytes(&self) -> u64 {
        let numbers = size_of_val(&*self.responses) + size_of_val(&*self.offsets) + size_of_val(&*self.dense);
        let sparse = size_of_val(&*self.starts) + self.places.bytes() + self.values.bytes();
        (numbers + self.codes.bytes() + sparse) as u64
    }

    /// Moves all arrays to a file.
    fn spill(&mut self, file: &mut SpillFile) -> io::Result<()> {
        self.responses.spill(file)?;
        self.offsets.spill(file)?;
        self.codes.spill(file)?;
        self.dense.spill(file)?;
        self.starts.spill(file)?;
        self.places.spill(file)?;
        self.values.spill(file)
    }
}

impl Places {
    fn bytes(&self) -> usize {
        match self {
            Self::Narrow(places) => size_of_val(&**places),
            Self::Wide(places) => size_of_val(&**places),
        }
    }

    fn spill(&mut self, file: &mut SpillFile) -> io::Result<()> {
        match self {
            Self::Narrow(places) => places.spill(file),
            Self::Wide(places) => places.spill(file),
        }
    }
}

impl Values {
    fn len(&self) -> usize {
        match self {
            Self::Bytes(numbers) => numbers.len(),
            Self::Singles(numbers) => numbers.len(),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Bytes(numbers) => size_of_val(&**numbers),
            Self::Singles(numbers) => size_of_val(&**numbers),
        }
    }

    fn spill(&mut self, file: &mut SpillFile) -> io::Result<()> {
        match self {
            Self::Bytes(numbers) => numbers.spill(file),
            Self::Singles(numbers) => numbers.spill(file),
        }
    }
}
