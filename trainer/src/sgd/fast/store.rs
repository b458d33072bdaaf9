//! The rows that train, encoded once and packed: what all threads read.
//!
//! A row costs 2 bytes for each categorical (4 where the net has more than 65,535 inputs), 4 for each number, and for the
//! numbers of columns that are mostly zero 3 for each that is not (5 where they are not whole numbers up to 255 on the scale of
//! the column), besides 8 for the response.

use model::Category;
use rayon::prelude::*;

use super::forward::List;
use crate::kernel::prefetch;
use crate::plan::TrainPlan;
use crate::sgd::step::Target;

/// A column with a smaller share of numbers that are not zero is stored by those.
const DENSE: f64 = 0.4;
/// Rows that are packed at a time, and that tell which columns are dense.
const BLOCK: usize = 4096;

/// Rows of inputs with their targets.
#[derive(Debug)]
pub(super) struct RowStore {
    rows: usize,
    /// The row here for each row of the plan, `None` where all of them train.
    places: Option<Vec<u32>>,
    responses: Vec<f64>,
    /// Of a regression with offsets.
    offsets: Option<Vec<f64>>,
    category: Category,
    codes: Codes,
    dense: Dense,
    sparse: Sparse,
    /// For each categorical whether a row set its missing bucket.
    buckets: Vec<bool>,
}

/// For each row the inputs that its categoricals set to 1.
#[derive(Debug, Default)]
struct Codes {
    width: usize,
    places: Places,
}

/// For each row a number for each dense column.
#[derive(Debug, Default)]
struct Dense {
    columns: Vec<u32>,
    numbers: Vec<f32>,
}

/// For each row the numbers that are not zero.
#[derive(Debug, Default)]
struct Sparse {
    starts: Vec<u64>,
    places: Places,
    values: Values,
}

/// Numbers of inputs; the largest stands for none.
#[derive(Debug)]
enum Places {
    Narrow(Vec<u16>),
    Wide(Vec<u32>),
}

#[derive(Debug)]
enum Values {
    /// To be multiplied by the scale of their input.
    Bytes {
        numbers: Vec<u8>,
        scales: Vec<f32>,
    },
    Singles(Vec<f32>),
}

impl Default for Places {
    fn default() -> Self {
        Self::Narrow(Vec::new())
    }
}

impl Default for Values {
    fn default() -> Self {
        Self::Singles(Vec::new())
    }
}

/// A part of the rows on its way into the store.
struct Block {
    trains: Vec<bool>,
    responses: Vec<f64>,
    offsets: Vec<f64>,
    codes: Vec<u32>,
    dense: Vec<f32>,
    counts: Vec<u32>,
    places: Vec<u32>,
    values: Vec<f32>,
    buckets: Vec<bool>,
}

impl RowStore {
    /// Packs the rows of a plan that train.
    pub fn new(plan: &TrainPlan<'_>) -> Self {
        let packer = Packer::new(plan);
        let starts: Vec<usize> = (0..plan.training.len()).step_by(BLOCK).collect();
        let blocks: Vec<Block> = starts.into_par_iter().map(|start| packer.block(start)).collect();
        packer.store(blocks)
    }

    /// Rows that train.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The row here for a row of the plan; `None` where it does not train.
    pub fn place(&self, row: usize) -> Option<u32> {
        match &self.places {
            None => Some(row as u32),
            Some(places) => places.get(row).copied().filter(|&place| place != u32::MAX),
        }
    }

    /// What a row teaches.
    pub fn target(&self, row: u32) -> Target {
        let response = self.responses.get(row as usize).copied().unwrap_or(0.0);
        match self.category {
            Category::Binomial | Category::Multinomial => Target::Class(response as usize),
            Category::Regression => {
                let offset = self.offsets.as_ref().map_or(0.0, |offsets| offsets[row as usize]);
                Target::Value { value: response, offset }
            }
            Category::AutoEncoder => Target::Inputs,
        }
    }

    /// For each categorical whether a row set its missing bucket.
    pub fn buckets_trained(&self) -> &[bool] {
        &self.buckets
    }

    /// Inputs of a row that are not zero, on average.
    pub fn entries(&self) -> f64 {
        let dense = self.dense.columns.len() + self.codes.width;
        dense as f64 + self.sparse.starts.last().map_or(0.0, |&end| end as f64 / self.rows.max(1) as f64)
    }

    /// Lists the inputs of a row that are not zero.
    pub fn read(&self, row: u32, list: &mut List) {
        let row = row as usize;
        let mut count = 0;
        let mut push = |place: u32, value: f32, counts: bool| {
            list.places[count] = place;
            list.values[count] = value;
            count += usize::from(counts);
        };
        match &self.codes.places {
            Places::Narrow(places) => {
                for &place in &places[row * self.codes.width..(row + 1) * self.codes.width] {
                    push(u32::from(place), 1.0, place != u16::MAX);
                }
            }
            Places::Wide(places) => {
                for &place in &places[row * self.codes.width..(row + 1) * self.codes.width] {
                    push(place, 1.0, place != u32::MAX);
                }
            }
        }
        let width = self.dense.columns.len();
        for (&place, &x) in self.dense.columns.iter().zip(&self.dense.numbers[row * width..(row + 1) * width]) {
            push(place, x, x != 0.0);
        }
        if !self.sparse.starts.is_empty() {
            let range = self.sparse.starts[row] as usize..self.sparse.starts[row + 1] as usize;
            match (&self.sparse.places, &self.sparse.values) {
                (Places::Narrow(places), Values::Bytes { numbers, scales }) => {
                    for (&place, &x) in places[range.clone()].iter().zip(&numbers[range]) {
                        push(u32::from(place), f32::from(x) * scales[usize::from(place)], true);
                    }
                }
                (places, values) => {
                    for i in range {
                        let place = places.get(i);
                        push(place, values.get(i, place), true);
                    }
                }
            }
        }
        list.count = count;
    }

    /// Asks for a row ahead of its reading.
    pub fn prefetch(&self, row: u32) {
        let row = row as usize;
        prefetch(&self.responses, row);
        if self.codes.width > 0 {
            match &self.codes.places {
                Places::Narrow(places) => prefetch(places, row * self.codes.width),
                Places::Wide(places) => prefetch(places, row * self.codes.width),
            }
        }
        for number in (0..self.dense.columns.len()).step_by(16) {
            prefetch(&self.dense.numbers, row * self.dense.columns.len() + number);
        }
        let Some(&[start, end]) = self.sparse.starts.get(row..row + 2).and_then(|range| range.first_chunk()) else {
            return;
        };
        let (start, end) = (start as usize, end as usize);
        for i in (start..end).step_by(32) {
            match &self.sparse.places {
                Places::Narrow(places) => prefetch(places, i),
                Places::Wide(places) => prefetch(places, i),
            }
        }
        for i in (start..end).step_by(64) {
            match &self.sparse.values {
                Values::Bytes { numbers, .. } => prefetch(numbers, i),
                Values::Singles(numbers) => prefetch(numbers, i),
            }
        }
    }
}

impl Places {
    fn with_room_for(inputs: usize) -> Self {
        if u16::try_from(inputs).is_ok() { Self::Narrow(Vec::new()) } else { Self::Wide(Vec::new()) }
    }

    fn extend(&mut self, places: &[u32]) {
        match self {
            // The number that stands for none stays the largest.
            Self::Narrow(all) => all.extend(places.iter().map(|&place| place.min(u32::from(u16::MAX)) as u16)),
            Self::Wide(all) => all.extend_from_slice(places),
        }
    }

    fn get(&self, i: usize) -> u32 {
        match self {
            Self::Narrow(places) => u32::from(places[i]),
            Self::Wide(places) => places[i],
        }
    }
}

impl Values {
    fn get(&self, i: usize, place: u32) -> f32 {
        match self {
            Self::Bytes { numbers, scales } => f32::from(numbers[i]) * scales[place as usize],
            Self::Singles(numbers) => numbers[i],
        }
    }
}

/// Turns rows of a plan into blocks.
struct Packer<'a, 'p> {
    plan: &'a TrainPlan<'p>,
    inputs: usize,
    first_numeric: usize,
    /// For each input whether it is a dense column.
    is_dense: Vec<bool>,
    dense: Vec<u32>,
    /// Categoricals set inputs to 1 and to nothing else.
    has_codes: bool,
}

impl<'a, 'p> Packer<'a, 'p> {
    fn new(plan: &'a TrainPlan<'p>) -> Self {
        let (inputs, first_numeric) = (plan.layout.inputs(), plan.layout.first_numeric());
        // Levels that share a slot set it to more than 1.
        let has_codes = plan.layout.hashing.is_none();
        let mut packer =
            Self { plan, inputs, first_numeric, is_dense: vec![false; inputs], dense: Vec::new(), has_codes };
        // A look at rows from everywhere.
        let step = plan.training.len().div_ceil(BLOCK).max(1);
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

    fn block(&self, start: usize) -> Block {
        let end = (start + BLOCK).min(self.plan.training.len());
        let mut block = Block {
            trains: vec![false; end - start],
            responses: Vec::new(),
            offsets: Vec::new(),
            codes: Vec::new(),
            dense: Vec::new(),
            counts: Vec::new(),
            places: Vec::new(),
            values: Vec::new(),
            buckets: vec![false; self.plan.layout.categoricals()],
        };
        let code_width = self.code_width();
        let mut dense = vec![0.0_f32; self.inputs - self.first_numeric];
        self.each_row(start..end, |row, raw, entries| {
            block.trains[row - start] = true;
            match self.plan.target(row) {
                Target::Class(class) => block.responses.push(class as f64),
                Target::Value { value, offset } => {
                    block.responses.push(value);
                    block.offsets.push(offset);
                }
                Target::Inputs => block.responses.push(0.0),
            }
            for (bucket, code) in block.buckets.iter_mut().zip(raw) {
                *bucket |= code.is_nan() && self.plan.layout.use_all_factor_levels;
            }
            let (codes, before) = (block.codes.len() + code_width, block.places.len());
            dense.fill(0.0);
            for &(place, value) in entries {
                if place < self.first_numeric && self.has_codes {
                    block.codes.push(place as u32);
                } else if self.is_dense[place] {
                    dense[place - self.first_numeric] = value as f32;
                } else {
                    block.places.push(place as u32);
                    block.values.push(value as f32);
                }
            }
            block.codes.resize(codes, u32::MAX);
            block.dense.extend(self.dense.iter().map(|&place| dense[place as usize - self.first_numeric]));
            block.counts.push((block.places.len() - before) as u32);
        });
        block
    }

    fn code_width(&self) -> usize {
        if self.has_codes { self.plan.layout.categoricals() } else { 0 }
    }

    fn store(&self, blocks: Vec<Block>) -> RowStore {
        let mut store = RowStore {
            rows: blocks.iter().map(|block| block.responses.len()).sum(),
            places: None,
            responses: Vec::new(),
            offsets: self.plan.training.has_offsets().then(Vec::new),
            category: self.plan.category,
            codes: Codes { width: self.code_width(), places: Places::with_room_for(self.inputs) },
            dense: Dense { columns: self.dense.clone(), numbers: Vec::new() },
            sparse: Sparse::default(),
            buckets: vec![false; self.plan.layout.categoricals()],
        };
        if store.rows < self.plan.training.len() {
            let mut next = 0..;
            let trains = blocks.iter().flat_map(|block| &block.trains);
            let place = |&trains: &bool| if trains { next.next() } else { None }.unwrap_or(u32::MAX);
            store.places = Some(trains.map(place).collect());
        }
        let scales = self.byte_scales(&blocks);
        let has_sparse = blocks.iter().any(|block| !block.places.is_empty());
        if has_sparse {
            store.sparse = Sparse {
                starts: vec![0],
                places: Places::with_room_for(self.inputs),
                values: match &scales {
                    Some(scales) => Values::Bytes { numbers: Vec::new(), scales: scales.clone() },
                    None => Values::Singles(Vec::new()),
                },
            };
        }
        for block in blocks {
            store.responses.extend(block.responses);
            if let Some(offsets) = &mut store.offsets {
                offsets.extend(block.offsets);
            }
            store.codes.places.extend(&block.codes);
            store.dense.numbers.extend(block.dense);
            for (all, one) in store.buckets.iter_mut().zip(block.buckets) {
                *all |= one;
            }
            if !has_sparse {
                continue;
            }
            let mut end = store.sparse.starts.last().copied().unwrap_or(0);
            store.sparse.starts.extend(block.counts.iter().map(|&count| {
                end += u64::from(count);
                end
            }));
            store.sparse.places.extend(&block.places);
            match &mut store.sparse.values {
                Values::Bytes { numbers, scales } => {
                    let byte = |(&place, &value): (&u32, &f32)| (value / scales[place as usize]).round() as u8;
                    numbers.extend(block.places.iter().zip(&block.values).map(byte));
                }
                Values::Singles(numbers) => numbers.extend(block.values),
            }
        }
        store
    }

    /// The factor of each input's numbers, where all that are stored by themselves are whole numbers up to 255 times it.
    fn byte_scales(&self, blocks: &[Block]) -> Option<Vec<f32>> {
        if !self.has_codes {
            return None;
        }
        let mut scales = vec![1.0_f32; self.first_numeric];
        match &self.plan.layout.scaling {
            Some(scaling) => scales.extend(scaling.mul.iter().map(|&mul| mul as f32)),
            None => scales.resize(self.inputs, 1.0),
        }
        let is_byte = |place: u32, value: f32| {
            let scale = scales[place as usize];
            let number = (value / scale).round();
            (1.0..=255.0).contains(&number) && (number * scale - value).abs() <= f32::EPSILON * value.abs()
        };
        let all_bytes = blocks
            .par_iter()
            .all(|block| block.places.iter().zip(&block.values).all(|(&place, &value)| is_byte(place, value)));
        all_bytes.then_some(scales)
    }
}
