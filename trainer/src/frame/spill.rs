//! Columns that are larger than memory: values in a file that is mapped into it.
//!
//! The file has no name: it is gone when the last column that lies in it is dropped, however the process ends.
#![expect(unsafe_code, reason = "the room for the memory map, and for slices of numbers in it")]

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::marker::PhantomData;
use std::ops::Deref;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use memmap2::Mmap;

/// Values of one type behind each other, in memory or in a file.
#[derive(Debug, Clone)]
pub(crate) enum Data<T: Plain> {
    Held(Vec<T>),
    Mapped(Mapped<T>),
}

impl<T: Plain> Data<T> {
    pub fn with_capacity(capacity: usize) -> Self {
        Self::Held(Vec::with_capacity(capacity))
    }

    #[inline]
    pub fn push(&mut self, value: T) {
        self.held().push(value);
    }

    /// The values in memory, which they are brought into if need be.
    #[inline]
    pub fn held(&mut self) -> &mut Vec<T> {
        if let Self::Mapped(mapped) = self {
            *self = Self::Held(mapped.to_vec());
        }
        match self {
            Self::Held(values) => values,
            Self::Mapped(_) => unreachable!("it has just been replaced"),
        }
    }

    pub fn shrink_to_fit(&mut self) {
        if let Self::Held(values) = self {
            values.shrink_to_fit();
        }
    }

    /// Moves the values to a file. They can be looked at when it is finished.
    pub fn spill(&mut self, file: &mut SpillFile) -> io::Result<()> {
        if let Self::Held(values) = self {
            *self = file.put(values.iter().copied())?;
        }
        Ok(())
    }

    /// How many values fit into the memory that is taken.
    pub fn capacity(&self) -> usize {
        match self {
            Self::Held(values) => values.capacity(),
            Self::Mapped(mapped) => mapped.len,
        }
    }

    /// The bytes of values in a file.
    pub fn mapped_bytes(&self) -> usize {
        match self {
            Self::Held(_) => 0,
            Self::Mapped(mapped) => mapped.len * size_of::<T>(),
        }
    }
}

impl<T: Plain> Deref for Data<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match self {
            Self::Held(values) => values,
            Self::Mapped(mapped) => mapped,
        }
    }
}

impl<T: Plain + PartialEq> PartialEq for Data<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

/// Values in a file, of which there is a map once it is written.
#[derive(Debug)]
pub(crate) struct Mapped<T> {
    map: Arc<OnceLock<Mmap>>,
    /// Where the first value is: a multiple of [`ALIGNMENT`].
    start: usize,
    len: usize,
    kind: PhantomData<T>,
}

impl<T> Clone for Mapped<T> {
    fn clone(&self) -> Self {
        Self { map: Arc::clone(&self.map), start: self.start, len: self.len, kind: PhantomData }
    }
}

impl<T: Plain> Deref for Mapped<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        if self.len == 0 {
            return &[];
        }
        let map = self.map.get().expect("files are finished before their columns are looked at");
        let bytes = &map[self.start..self.start + self.len * size_of::<T>()];
        // SAFETY: the slice was just checked to be that long. A map begins at a page and `start` is a multiple of
        // `ALIGNMENT`, so the values are aligned. They are `Plain`: any bytes are values. The map outlives the borrow, as
        // `self` holds it, and nobody writes to its file: that has no name, and its only handle was dropped.
        unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast::<T>(), self.len) }
    }
}

/// A file without a name, while values are written to it.
#[derive(Debug)]
pub(crate) struct SpillFile {
    output: BufWriter<File>,
    length: usize,
    map: Arc<OnceLock<Mmap>>,
}

impl SpillFile {
    pub fn create(folder: &Path) -> io::Result<Self> {
        const BUFFER: usize = 1 << 20;
        let output = BufWriter::with_capacity(BUFFER, tempfile::tempfile_in(folder)?);
        Ok(Self { output, length: 0, map: Arc::default() })
    }

    /// Appends values. They can be looked at when the file is finished.
    pub fn put<T: Plain>(&mut self, values: impl Iterator<Item = T>) -> io::Result<Data<T>> {
        const CHUNK: usize = 8192;
        let gap = self.length.next_multiple_of(ALIGNMENT) - self.length;
        self.write(&[0; ALIGNMENT][..gap])?;
        let (start, mut len) = (self.length, 0);
        let mut values = values.peekable();
        let mut chunk = Vec::with_capacity(CHUNK);
        while values.peek().is_some() {
            chunk.clear();
            chunk.extend(values.by_ref().take(CHUNK));
            self.write(bytes_of(&chunk))?;
            len += chunk.len();
        }
        Ok(Data::Mapped(Mapped { map: Arc::clone(&self.map), start, len, kind: PhantomData }))
    }

    /// Maps what was written.
    pub fn finish(self) -> io::Result<()> {
        let file = self.output.into_inner().map_err(io::IntoInnerError::into_error)?;
        // There is no map of nothing.
        if self.length > 0 {
            // SAFETY: nobody else can shorten or write the file, as it has no name, and we drop our handle here.
            let map = unsafe { Mmap::map(&file)? };
            self.map.get_or_init(|| map);
        }
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.output.write_all(bytes)?;
        self.length += bytes.len();
        Ok(())
    }
}

/// No type of [`Plain`] is larger, and so each begins at a multiple of its size.
const ALIGNMENT: usize = 8;

/// Numbers without padding, of which every pattern of bits is one, no larger than [`ALIGNMENT`].
pub(crate) trait Plain: Copy + sealed::Sealed {}

mod sealed {
    pub trait Sealed {}
}

macro_rules! plain {
    ($($number:ty),*) => {$(
        impl sealed::Sealed for $number {}
        impl Plain for $number {}
    )*};
}
plain!(u8, u16, i16, u32, i32, f32, f64);

fn bytes_of<T: Plain>(values: &[T]) -> &[u8] {
    // SAFETY: numbers without padding are as many bytes as they are large, and a byte needs no alignment.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast::<u8>(), size_of_val(values)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_back_from_a_file_that_has_no_name() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut file = SpillFile::create(folder.path()).expect("a file");
        let bytes = file.put([1_u8, 2, 3].into_iter()).expect("room");
        let none = file.put(std::iter::empty::<f32>()).expect("room");
        let numbers = file.put((0..20_000).map(f64::from)).expect("room");
        file.finish().expect("a map");
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
        assert_eq!((&*bytes, &*none), (&[1, 2, 3][..], &[][..]));
        assert!(numbers.iter().enumerate().all(|(row, &value)| value == row as f64));
        assert_eq!((numbers.mapped_bytes(), bytes.clone()), (160_000, Data::Held(vec![1, 2, 3])));
        let mut held = bytes;
        held.push(4);
        assert!(matches!(held, Data::Held(ref values) if values == &[1, 2, 3, 4]));
    }

    #[test]
    fn a_file_without_values_is_none() {
        let mut file = SpillFile::create(&std::env::temp_dir()).expect("a file");
        let none = file.put(std::iter::empty::<i32>()).expect("room");
        file.finish().expect("nothing to map");
        assert!(none.is_empty());
    }
}
