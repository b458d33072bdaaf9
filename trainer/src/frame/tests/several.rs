use std::path::PathBuf;

use super::super::{ColumnType, Frame, FrameError, ReadOptions};
use super::*;

/// Files in a folder of their own, `0`, `1`, ..
struct Files {
    folder: tempfile::TempDir,
    paths: Vec<PathBuf>,
}

impl Files {
    fn new(texts: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let paths: Vec<PathBuf> = (0..texts.len()).map(|at| folder.path().join(at.to_string())).collect();
        for (path, text) in paths.iter().zip(texts) {
            std::fs::write(path, text).expect("written");
        }
        Self { folder, paths }
    }

    fn read(&self, options: &ReadOptions) -> Result<Frame, FrameError> {
        Frame::read_all(&self.paths, options, &mut |_| {})
    }

    fn frame(&self) -> Frame {
        self.read(&ReadOptions::default()).expect("a table")
    }

    /// The refusal, with the folder's name left out.
    fn refusal(&self) -> String {
        let refused = self.read(&ReadOptions::default()).expect_err("no table").to_string();
        refused.replace(&format!("{}/", self.folder.path().display()), "")
    }
}

#[test]
fn rows_follow_each_other_and_domains_are_merged() {
    let frame = Files::new(&["a,b\n1,x\n2,y\n", "a,b\n300,z\n0.5,x\n"]).frame();
    assert_eq!(values(&frame, 0), ["1", "2", "300", "0.5"]);
    assert_eq!(frame.columns()[1].domain(), Some(&["x", "y", "z"].map(String::from)[..]));
    assert_eq!(values(&frame, 1), ["x", "y", "z", "x"]);
}

#[test]
fn a_folder_stands_for_its_files_in_the_order_of_their_names() {
    let files = Files::new(&["a,b\n1,x\n2,y\n", "a,b\n300,z\n0.5,x\n"]);
    std::fs::write(files.folder.path().join(".0.crc"), b"\0").expect("written");
    let read = |paths: &[&std::path::Path]| Frame::read_all(paths, &ReadOptions::default(), &mut |_| {});
    assert_eq!(read(&[files.folder.path()]).expect("a table"), files.frame());
    let rows = read(&[files.folder.path(), &files.paths[0]]).expect("a table").rows();
    assert_eq!(rows, 6, "a folder may stand beside files");
}

#[test]
fn one_header_is_enough() {
    for texts in [["a,b\n1,x\n2,y\n", "3,z\n4,x\n"], ["1,x\n2,y\n", "a,b\n3,z\n4,x\n"]] {
        let frame = Files::new(&texts).frame();
        assert_eq!(names(&frame), ["a", "b"]);
        assert_eq!(values(&frame, 0), ["1", "2", "3", "4"]);
    }
    assert_eq!(names(&Files::new(&["1,x\n2,y\n", "3,z\n4,x\n"]).frame()), ["C1", "C2"]);
}

#[test]
fn a_header_that_is_repeated_is_no_row() {
    let frame = Files::new(&["a,b\n1,x\n2,x\n", "a,b\n", "a,b\nx,x\n"]).frame();
    assert_eq!(values(&frame, 0), ["1", "2", "."]);
}

#[test]
fn types_are_guessed_from_all_files() {
    let frame = Files::new(&["a,b\n1,x\n2,y\n", "a,b\nfoo,z\nbar,x\nbar,y\nfoo,y\n"]).frame();
    assert_eq!(kinds(&frame), [ColumnType::Enum; 2]);
    assert_eq!(values(&frame, 0), ["1", "2", "foo", "bar", "bar", "foo"]);
    let frame = Files::new(&["a,b\n1,x\n2,y\n", "a,b\n2024-01-05,z\n2024-01-05,x\n2024-01-05,x\n"]).frame();
    assert_eq!(kinds(&frame), [ColumnType::Time, ColumnType::Enum]);
}

#[test]
fn files_that_differ_are_both_named() {
    let csv = "a,b\n1,x\n2,y\n";
    for (other, difference) in [
        ("c,b\n3,z\n4,x\n", "1 calls column 1 \"c\", but 0 calls column 1 \"a\""),
        ("b,a\n1,2\n", "1 calls column 1 \"b\", but 0 calls column 1 \"a\""),
        ("a;b\n3;z\n4;x\n", "1 separates cells by semicolon, but 0 separates cells by comma"),
        ("a,b,c\n3,z,1\n4,x,1\n", "1 has 3 columns, but 0 has 2 columns"),
        ("@attribute a real\n@attribute b real\n@data\n1,2\n", "1 is ARFF, but 0 is CSV"),
    ] {
        assert_eq!(Files::new(&[csv, other]).refusal(), format!("{difference}: the files of a table have to agree"));
    }
    let arff = |kind: &str| format!("@attribute a {kind}\n@data\n1\n2\n");
    assert_eq!(
        Files::new(&[&arff("real"), &arff("{1,2}")]).refusal(),
        "1 declares attribute 1 enum, but 0 declares attribute 1 numeric: the files of a table have to agree"
    );
    assert_eq!(
        Files::new(&[csv, "a,b\n1,x\n3\n"]).refusal(),
        "1, line 3: expected 2 cells separated by comma, found 1"
    );
    assert!(matches!(Files::new(&[]).read(&ReadOptions::default()), Err(FrameError::NoFile)));
}

#[test]
fn arff_and_svmlight_come_in_several_files_too() {
    let arff = "@attribute a real\n@attribute b {x}\n@data\n";
    let frame = Files::new(&[&(arff.to_owned() + "1,x\n"), &(arff.to_owned() + "?,y\n")]).frame();
    assert_eq!((values(&frame, 0), values(&frame, 1)), (vec!["1".into(), ".".into()], vec!["x".into(), "y".into()]));
    let frame = Files::new(&["1 1:1\n0 2:1\n", "1 3:1\n0 2:5\n"]).frame();
    assert_eq!(values(&frame, 2), ["0", "1", "0", "5"]);
    assert_eq!(values(&frame, 3), ["0", "0", "1", "0"]);
}

#[test]
fn progress_counts_all_files() {
    let files = Files::new(&["a,b\n1,x\n2,y\n", "a,b\n3,z\n"]);
    let mut steps = Vec::new();
    Frame::read_all(&files.paths, &ReadOptions::default(), &mut |step| steps.push(step)).expect("a table");
    assert!(steps.is_sorted_by_key(|step| (step.bytes_read, step.rows)));
    let last = steps.last().expect("a step");
    assert_eq!((last.bytes_read, last.bytes_total, last.rows), (20, Some(20), 3));
}

#[cfg(unix)]
#[test]
fn what_can_be_read_once_only_is_refused_among_several() {
    let files = Files::new(&["a\n1\n2\n"]);
    let refused =
        Frame::read_all(&[&files.paths[0], &PathBuf::from("/dev/null")], &ReadOptions::default(), &mut |_| {});
    assert_eq!(
        refused.expect_err("no table").to_string(),
        "/dev/null is not a regular file, which it has to be where a table has several files"
    );
}
