//! The rows that train, encoded once and packed: what all threads read.
//!
//! A row costs 2 bytes for each categorical (4 where the net has more than 65,535 inputs), 4 for each number, and for the
//! numbers of columns that are mostly zero 3 for each that is not (5 where they are not whole numbers up to 255 on the scale of
//! the column) and 4 for where they begin, besides 8 for the response and 8 for an offset. Where some rows of the table do not
//! train, each row of it costs 4 more.
//!
//! Rows are packed block by block, with a few blocks at a time on their way. Where [`RunOptions::spill`] allows less than they
//! take, all of them go to a file, which is gone with the store: there the same bytes lie in the same order, so that the model
//! does not depend on it, and a row is read by the same slices. What lies in the file costs no memory but what the system
//! keeps of it; the 4 bytes of rows that do not train, and a few hundred for each block, stay in memory.
//!
//! [`RunOptions::spill`]: crate::RunOptions::spill

mod packer;
#[cfg(test)]
mod tests;

use model::Category;

use self::packer::Packer;
use super::forward::List;
use crate::frame::Data;
use crate::kernel::{Kernel, LANES, Lanes, Simd, prefetch};
use crate::plan::TrainPlan;
use crate::sgd::TrainError;
use crate::sgd::step::Target;

/// Rows of inputs with their targets.
#[derive(Debug)]
pub(super) struct RowStore {
    rows: usize,
    /// The place here for each row of the plan, `None` where all of them train. A place is the number of a row in its block
    /// behind the number of the block.
    places: Option<Vec<u32>>,
    /// Bits of the number of a row in its block.
    block_bits: u32,
    blocks: Vec<Block>,
    category: Category,
    /// Categoricals that set inputs to 1.
    code_width: usize,
    /// The inputs that each row has a number for.
    dense: Vec<u32>,
    /// What [bytes](Values::Bytes) of each input are multiplied by.
    scales: Vec<f32>,
    /// For each categorical whether a row set its missing bucket.
    buckets: Vec<bool>,
    /// Inputs of a row that are not zero, on average.
    entries: f64,
    /// What lies in a file.
    spilled_bytes: u64,
}

/// Rows behind each other.
#[derive(Debug)]
struct Block {
    responses: Data<f64>,
    /// Of a regression with offsets.
    offsets: Data<f64>,
    /// For each row the inputs that its categoricals set to 1.
    codes: Places,
    /// For each row a number for each dense column.
    dense: Data<f32>,
    /// Where the other numbers of each row begin and, last, where they end; empty where no row has any.
    starts: Data<u32>,
    places: Places,
    values: Values,
}

/// Numbers of inputs; the largest stands for none.
#[derive(Debug)]
enum Places {
    Narrow(Data<u16>),
    Wide(Data<u32>),
}

#[derive(Debug)]
enum Values {
    /// To be multiplied by the scale of their input.
    Bytes(Data<u8>),
    Singles(Data<f32>),
}

impl RowStore {
    /// Packs the rows of a plan that train.
    pub fn new(plan: &TrainPlan<'_>) -> Result<Self, TrainError> {
        Packer::new(plan).store(plan.options.spill.as_ref())
    }

    /// Rows that train.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The place here of a row of the plan; `None` where it does not train.
    pub fn place(&self, row: usize) -> Option<u32> {
        match &self.places {
            None => Some(row as u32),
            Some(places) => places.get(row).copied().filter(|&place| place != u32::MAX),
        }
    }

    /// What a row teaches.
    pub fn target(&self, place: u32) -> Target {
        let (block, row) = self.locate(place);
        let response = block.responses[row];
        match self.category {
            Category::Binomial | Category::Multinomial => Target::Class(response as usize),
            Category::Regression => {
                Target::Value { value: response, offset: block.offsets.get(row).copied().unwrap_or(0.0) }
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
        self.entries
    }

    /// The bytes that lie in a file.
    pub fn spilled_bytes(&self) -> u64 {
        self.spilled_bytes
    }

    /// Asks for where the numbers of a row begin.
    pub fn prefetch_start(&self, place: u32) {
        let (block, row) = self.locate(place);
        prefetch(&block.starts, row);
    }

    /// Asks for a row ahead of its reading.
    pub fn prefetch(&self, place: u32) {
        let (block, row) = self.locate(place);
        prefetch(&block.responses, row);
        if self.code_width > 0 {
            match &block.codes {
                Places::Narrow(places) => prefetch(places, row * self.code_width),
                Places::Wide(places) => prefetch(places, row * self.code_width),
            }
        }
        let width = self.dense.len();
        for number in (0..width).step_by(16) {
            prefetch(&block.dense, row * width + number);
        }
        let Some(&[start, end]) = block.starts.get(row..row + 2) else { return };
        let (start, end) = (start as usize, end as usize);
        for i in (start..end).step_by(32) {
            match &block.places {
                Places::Narrow(places) => prefetch(places, i),
                Places::Wide(places) => prefetch(places, i),
            }
        }
        for i in (start..end).step_by(64) {
            match &block.values {
                Values::Bytes(numbers) => prefetch(numbers, i),
                Values::Singles(numbers) => prefetch(numbers, i),
            }
        }
    }

    /// The block of a place and the number of the row in it.
    fn locate(&self, place: u32) -> (&Block, usize) {
        let block = place >> self.block_bits;
        (&self.blocks[block as usize], (place - (block << self.block_bits)) as usize)
    }
}

/// Lists the inputs of a row that are not zero.
pub(super) struct ReadRow<'a> {
    pub store: &'a RowStore,
    pub row: u32,
    pub list: &'a mut List,
}

impl Kernel for ReadRow<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { store, list, .. } = self;
        let (block, row) = store.locate(self.row);
        let codes = row * store.code_width..(row + 1) * store.code_width;
        let mut count = 0;
        match &block.codes {
            Places::Narrow(codes_of_rows) => {
                for &code in &codes_of_rows[codes] {
                    list.places[count] = u32::from(code);
                    list.values[count] = 1.0;
                    count += usize::from(code != u16::MAX);
                }
            }
            Places::Wide(codes_of_rows) => {
                for &code in &codes_of_rows[codes] {
                    list.places[count] = code;
                    list.values[count] = 1.0;
                    count += usize::from(code != u32::MAX);
                }
            }
        }
        let width = store.dense.len();
        let (place_lines, places) = store.dense.as_chunks::<LANES>();
        let (number_lines, numbers) = block.dense[row * width..(row + 1) * width].as_chunks::<LANES>();
        for (places, &numbers) in place_lines.iter().zip(number_lines) {
            let numbers = simd.load(&Lanes(numbers));
            count += simd.append(simd.nonzero(numbers), places, numbers, count, &mut list.places, &mut list.values);
        }
        for (&place, &x) in places.iter().zip(numbers) {
            list.places[count] = place;
            list.values[count] = x;
            count += usize::from(x != 0.0);
        }
        if let Some(&[start, end]) = block.starts.get(row..row + 2) {
            let range = start as usize..end as usize;
            let to = count..count + range.len();
            let (places, values) = (&mut list.places[to.clone()], &mut list.values[to]);
            count += range.len();
            match &block.places {
                Places::Narrow(numbers) => {
                    for (place, &number) in places.iter_mut().zip(&numbers[range.clone()]) {
                        *place = u32::from(number);
                    }
                }
                Places::Wide(numbers) => places.copy_from_slice(&numbers[range.clone()]),
            }
            match &block.values {
                Values::Bytes(numbers) => {
                    for (value, &number) in values.iter_mut().zip(&numbers[range]) {
                        *value = f32::from(number);
                    }
                    for (value, &place) in values.iter_mut().zip(&*places) {
                        *value *= store.scales[place as usize];
                    }
                }
                Values::Singles(numbers) => values.copy_from_slice(&numbers[range]),
            }
        }
        list.count = count;
    }
}
