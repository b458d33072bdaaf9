use std::fmt::Write;
use std::path::Path;

use proptest::prelude::*;

use super::super::{ReadOptions, SpillOptions};
use super::*;

/// The same text read by a process that may hold hardly anything, its blocks small.
fn spilled(text: &[u8], limit: u64, folder: &Path) -> Result<Frame, FrameError> {
    let sizes = Sizes { block: 64, spilled: 16, ..Sizes::default() };
    let spill = Some(SpillOptions { limit, folder: folder.to_owned() });
    read(text, "t.csv", &ReadOptions { spill, ..ReadOptions::default() }, &mut |_| {}, sizes)
}

#[test]
fn a_table_beyond_the_limit_lies_in_a_file_without_a_name() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = "a,b\n1,x\n2.5,y\n".to_owned() + &"300,x\n".repeat(1000);
    let held = frame(&text);
    let frame = spilled(text.as_bytes(), 100, folder.path()).expect("a table");
    assert_eq!(frame, held);
    assert_eq!((held.spilled_bytes(), frame.spilled_bytes()), (0, 1002 * 5));
    assert!(frame.memory_bytes() < 100);
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
    assert_eq!(spilled(text.as_bytes(), 1 << 20, folder.path()).expect("a table").spilled_bytes(), 0);
}

#[test]
fn a_table_that_has_no_place_is_refused() {
    let refused = spilled(b"a,b\n1,x\n2,y\n", 0, Path::new("/nonexistent")).expect_err("no folder").to_string();
    assert_eq!(
        refused,
        "t.csv is larger than the memory limit, and cannot be put into a file in /nonexistent: No such file or \
         directory (os error 2)"
    );
}

proptest! {
    #[test]
    fn the_limit_does_not_matter(
        rows in prop::collection::vec(
            (
                prop::sample::select(vec!["1", "300", "70000", "0.5", "0.1", "-7", "16777217", ""]),
                prop::sample::select(vec!["x", "y", "zz", "", "\"a\nb\""]),
                prop::sample::select(vec!["2024-01-05", "2024-01-05 10:00:00", "", "1999-12-31 23:59:59.5"]),
            ),
            1..60,
        ),
        limit in 0_u64..200,
    ) {
        let mut text = "a,b,c\n1,x,2020-01-01\n".to_owned();
        for (number, level, time) in rows {
            writeln!(text, "{number},{level},{time}").expect("a string");
        }
        let frame = spilled(text.as_bytes(), limit, &std::env::temp_dir()).expect("a table");
        prop_assert_eq!(&frame, &super::frame(&text));
        prop_assert!(frame.spilled_bytes() == 0 || frame.spilled_bytes() as u64 > limit);
    }
}
