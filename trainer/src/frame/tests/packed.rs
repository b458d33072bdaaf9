use std::io::{self, Cursor, Read, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::super::{FrameError, ReadOptions};
use super::*;

const TEXT: &str = "a,b\n1,x\n2,y\n";

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).expect("memory");
    encoder.finish().expect("memory")
}

fn zstd(text: &[u8]) -> Vec<u8> {
    zstd::encode_all(text, 1).expect("memory")
}

fn zip(entries: &[(&str, &[u8])], method: CompressionMethod) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    write_entries(&mut writer, entries, method);
    writer.finish().expect("memory").into_inner()
}

/// With the sizes behind the data, as Java writes archives.
fn streamed_zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = ZipWriter::new_stream(&mut bytes);
    write_entries(&mut writer, entries, CompressionMethod::Deflated);
    writer.finish().expect("memory");
    bytes
}

fn write_entries<W: Write + io::Seek>(writer: &mut ZipWriter<W>, entries: &[(&str, &[u8])], method: CompressionMethod) {
    let options = SimpleFileOptions::default().compression_method(method);
    for (name, text) in entries {
        if name.ends_with('/') {
            writer.add_directory(*name, options).expect("memory");
        } else {
            writer.start_file(*name, options).expect("memory");
            writer.write_all(text).expect("memory");
        }
    }
}

fn every_packing(text: &[u8]) -> [Vec<u8>; 5] {
    let entries: &[(&str, &[u8])] = &[("data/", b""), ("data/t.csv", text), ("other.csv", b"z\n1\n")];
    [
        gzip(text),
        zstd(text),
        zip(entries, CompressionMethod::Deflated),
        zip(entries, CompressionMethod::Stored),
        streamed_zip(entries),
    ]
}

#[test]
fn packed_files_are_unpacked_whatever_their_name() {
    for packed in every_packing(TEXT.as_bytes()) {
        assert_eq!(frame(packed), frame(TEXT));
    }
}

#[test]
fn gzip_members_and_zstd_frames_follow_each_other() {
    let (first, second) = TEXT.as_bytes().split_at(8);
    assert_eq!(frame([gzip(first), gzip(second)].concat()), frame(TEXT));
    let skippable = [0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3];
    assert_eq!(frame([&zstd(first)[..], &skippable, &zstd(second)].concat()), frame(TEXT));
}

#[test]
fn a_packed_file_that_is_cut_at_any_byte_is_refused() {
    let text = TEXT.repeat(50).into_bytes();
    for (packed, name) in [
        (gzip(&text), "gzip"),
        (zstd(&text), "zstd"),
        (zip(&[("t.csv", &text)], CompressionMethod::Deflated), "zip"),
        (zip(&[("t.csv", &text)], CompressionMethod::Stored), "zip"),
        (streamed_zip(&[("t.csv", &text)]), "zip"),
    ] {
        // Behind the first entry of a zip archive nothing is looked at.
        let end =
            if name == "zip" { memchr::memmem::find(&packed, b"PK\x01\x02").expect("a list") } else { packed.len() };
        let first = if name == "gzip" { 2 } else { 4 };
        for length in first..end {
            if name == "zip" && frame_with(&packed[..length], &ReadOptions::default()).is_ok() {
                assert!(end - length <= 8, "{name} {length}: only the sizes behind the checksum may be missing");
                continue;
            }
            let message = refusal(&packed[..length]);
            assert!(message.starts_with(&format!("t.csv is not a whole {name} file: ")), "{name} {length}: {message}");
        }
    }
}

#[test]
fn damaged_content_does_not_pass_the_checksum() {
    let text = TEXT.repeat(50).into_bytes();
    let mut packed = zip(&[("t.csv", &text)], CompressionMethod::Stored);
    let at = packed.len() / 2;
    packed[at] = b'7';
    assert_eq!(refusal(packed), "t.csv is not a whole zip file: the checksum does not fit");
}

#[test]
fn zip_archives_without_a_table_are_refused() {
    assert_eq!(refusal(zip(&[], CompressionMethod::Stored)), "t.csv is a zip archive without a file in it");
    assert_eq!(refusal(zip(&[("d/", b"")], CompressionMethod::Stored)), "t.csv is a zip archive without a file in it");
    let mut encrypted = zip(&[("secret.csv", TEXT.as_bytes())], CompressionMethod::Deflated);
    encrypted[6] |= 1;
    assert_eq!(refusal(&encrypted), "cannot unpack \"secret.csv\" in t.csv: it is encrypted");
    encrypted[6] = 0;
    encrypted[8] = 12;
    assert_eq!(
        refusal(&encrypted),
        "cannot unpack \"secret.csv\" in t.csv: its compression is not known, expected deflate"
    );
}

#[test]
fn workbooks_are_refused() {
    let message = "t.csv is an Excel workbook, expected CSV, ARFF or SVMLight: save the sheet as CSV";
    assert_eq!(refusal(zip(&[("[Content_Types].xml", b"<xml/>")], CompressionMethod::Deflated)), message);
    assert_eq!(refusal(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0\0\0"), message);
}

/// An endless file: what is unpacked has to be looked at as it comes, and refused when it is no table.
#[test]
fn a_bomb_is_refused_without_being_held() {
    let zeros = io::repeat(b'x').take(1 << 30);
    let mut encoder = flate2::read::GzEncoder::new(zeros, Compression::fast());
    let sizes = Sizes { preview: 1 << 12, block: 1 << 12, longest: 1 << 16, ..Sizes::default() };
    let refused = read(&mut encoder, "t.csv", &ReadOptions::default(), &mut |_| {}, sizes);
    assert!(matches!(refused, Err(FrameError::TooLong { limit: 65_536, .. })));
    assert!(encoder.get_ref().limit() > (1 << 30) - (1 << 24), "no more was read than was looked at");
}

proptest! {
    #[test]
    fn damaged_archives_are_a_table_or_a_sentence(
        which in 0_usize..5, at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<prop::sample::Index>()
    ) {
        let mut packed = every_packing(&TEXT.repeat(9).into_bytes())[which].clone();
        let place = at.index(packed.len());
        packed[place] = byte;
        if byte % 2 == 0 {
            packed.truncate(cut.index(packed.len()));
        }
        let _ = frame_with(packed, &ReadOptions::default());
    }

    #[test]
    fn bytes_behind_a_magic_number_are_a_table_or_a_sentence(
        magic in prop::sample::select(vec![&b"\x1f\x8b"[..], b"PK\x03\x04", b"\x28\xb5\x2f\xfd"]),
        bytes in prop::collection::vec(any::<u8>(), 0..300),
    ) {
        let _ = frame_with([magic, &bytes].concat(), &ReadOptions::default());
    }
}
