use std::io::{self, BufRead, ErrorKind, Read, Take};

use flate2::Crc;
use flate2::bufread::DeflateDecoder;

use super::super::FrameError;
use super::super::text::readable;
use super::describe;

/// The content of the first file in a zip archive, as a stream.
///
/// The `zip` crate wants a file in which it can go to the end and back, or sizes in front of the data; a pipe has no
/// end to go to, and Java writes sizes behind the data.
pub struct ZipEntry<R> {
    data: Data<R>,
    crc: Crc,
    /// Known beforehand, unless it follows the data.
    expected_crc: Option<u32>,
}

enum Data<R> {
    Stored(Take<R>),
    Deflated(DeflateDecoder<R>),
    Ended(R),
    /// Between two of the others.
    Moving,
}

impl<R: BufRead> ZipEntry<R> {
    /// Passes over folders to the first file.
    pub fn first(mut reader: R, file: &str) -> Result<Self, FrameError> {
        let damaged = |source| describe(file, "zip", source);
        loop {
            let Some(header) = Header::read(&mut reader).map_err(damaged)? else {
                return Err(FrameError::EmptyZip { file: file.to_owned() });
            };
            if header.is_of_workbook() {
                return Err(FrameError::Workbook { file: file.to_owned() });
            }
            let mut entry = Self::new(reader, &header).map_err(|problem| FrameError::ZipEntry {
                file: file.to_owned(),
                entry: readable(&header.name),
                problem,
            })?;
            if !header.is_folder() {
                return Ok(entry);
            }
            if entry.read(&mut [0]).map_err(damaged)? > 0 {
                return Err(damaged(invalid("a folder with content")));
            }
            reader = match entry.data {
                Data::Ended(reader) => reader,
                _ => return Err(damaged(ErrorKind::UnexpectedEof.into())),
            };
        }
    }

    fn new(reader: R, header: &Header) -> Result<Self, &'static str> {
        if header.has(Header::ENCRYPTED) {
            return Err("it is encrypted");
        }
        let size_follows = header.has(Header::SIZE_FOLLOWS);
        let data = match header.method {
            0 if size_follows && !header.is_folder() => return Err("it is stored without its size, expected deflate"),
            0 if header.packed_size == u32::MAX => return Err("it is stored and larger than 4 GiB, expected deflate"),
            0 => Data::Stored(reader.take(u64::from(header.packed_size))),
            8 => Data::Deflated(DeflateDecoder::new(reader)),
            _ => return Err("its compression is not known, expected deflate"),
        };
        Ok(Self { data, crc: Crc::new(), expected_crc: (!size_follows).then_some(header.crc) })
    }

    /// Compares the checksum at the end of the data.
    fn finish(&mut self) -> io::Result<()> {
        let mut reader = match std::mem::replace(&mut self.data, Data::Moving) {
            Data::Stored(take) if take.limit() > 0 => return Err(ErrorKind::UnexpectedEof.into()),
            Data::Stored(take) => take.into_inner(),
            Data::Deflated(decoder) => decoder.into_inner(),
            Data::Ended(reader) => {
                self.data = Data::Ended(reader);
                return Ok(());
            }
            Data::Moving => return Err(invalid("a failure before")),
        };
        let expected = match self.expected_crc {
            Some(crc) => crc,
            None => trailing_crc(&mut reader)?,
        };
        if self.crc.sum() != expected {
            return Err(invalid("the checksum does not fit"));
        }
        self.data = Data::Ended(reader);
        Ok(())
    }
}

impl<R: BufRead> Read for ZipEntry<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = match &mut self.data {
            Data::Stored(take) => take.read(buffer)?,
            Data::Deflated(decoder) => decoder.read(buffer)?,
            Data::Ended(_) => return Ok(0),
            Data::Moving => 0,
        };
        self.crc.update(&buffer[..count]);
        if count == 0 && !buffer.is_empty() {
            self.finish()?;
        }
        Ok(count)
    }
}

/// What stands before the data of an entry.
struct Header {
    flags: u16,
    method: u16,
    crc: u32,
    packed_size: u32,
    name: Vec<u8>,
}

impl Header {
    const ENCRYPTED: u16 = 1;
    const SIZE_FOLLOWS: u16 = 1 << 3;

    /// `None` where the list of entries begins instead.
    fn read(reader: &mut impl Read) -> io::Result<Option<Self>> {
        if read_array(reader)? != *b"PK\x03\x04" {
            return Ok(None);
        }
        let fixed: [u8; 26] = read_array(reader)?;
        let short = |at: usize| u16::from_le_bytes([fixed[at], fixed[at + 1]]);
        let long = |at: usize| u32::from_le_bytes([fixed[at], fixed[at + 1], fixed[at + 2], fixed[at + 3]]);
        let mut name = vec![0; usize::from(short(22))];
        reader.read_exact(&mut name)?;
        let extra = u64::from(short(24));
        if io::copy(&mut reader.take(extra), &mut io::sink())? < extra {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        Ok(Some(Self { flags: short(2), method: short(4), crc: long(10), packed_size: long(14), name }))
    }

    fn has(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }

    fn is_folder(&self) -> bool {
        self.name.ends_with(b"/")
    }

    /// Whether the archive is a workbook of a spreadsheet program.
    fn is_of_workbook(&self) -> bool {
        [&b"[Content_Types].xml"[..], b"_rels/", b"docProps/", b"xl/"].iter().any(|start| self.name.starts_with(start))
    }
}

/// The checksum behind the data, with or without a signature before it, and the sizes that follow it.
fn trailing_crc(reader: &mut impl Read) -> io::Result<u32> {
    let mut crc = read_array(reader)?;
    if crc == *b"PK\x07\x08" {
        crc = read_array(reader)?;
    }
    let _sizes: [u8; 8] = read_array(reader)?;
    Ok(u32::from_le_bytes(crc))
}

fn read_array<const N: usize>(reader: &mut impl Read) -> io::Result<[u8; N]> {
    let mut array = [0; N];
    reader.read_exact(&mut array)?;
    Ok(array)
}

fn invalid(problem: &'static str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, problem)
}
