use std::path::PathBuf;

use super::*;
use crate::frame::{Column, Frame, SpillOptions};
use crate::kernel::Portable;
use crate::params::TrainParams;

const ROWS: usize = 9_000;

/// A categorical, a dense column, a column of bytes that is mostly 0, one of fractions far down, and rows that miss something.
fn frame() -> Frame {
    let level = (0..ROWS).map(|row| (row % 7 != 0).then_some(row as u32 % 3));
    let dense = (0..ROWS).map(|row| if row % 50 == 9 { f64::NAN } else { (row as f64).sin() });
    let bytes = (0..ROWS).map(|row| if row % 5 == 0 { (row % 256) as f64 } else { 0.0 });
    let fractions = (0..ROWS).map(|row| if row > 5_000 && row % 11 == 0 { 0.3 } else { 0.0 });
    let names = ["a", "b", "c"].map(String::from).to_vec();
    let columns = vec![
        Column::categorical("level", names, level).expect("the codes fit"),
        Column::numeric("dense", dense),
        Column::numeric("bytes", bytes),
        Column::numeric("fractions", fractions),
        Column::numeric("y", (0..ROWS).map(|row| row as f64)),
    ];
    Frame::from_columns(columns).expect("the columns fit")
}

fn plan<'f>(frame: &'f Frame, missing: &str) -> TrainPlan<'f> {
    let mut params = TrainParams::default();
    let settings = [("training_frame", "t.csv"), ("response_column", "y"), ("missing_values_handling", missing)];
    for (name, value) in settings {
        params.set_text(name, value).expect("the parameter exists");
    }
    TrainPlan::new(params, frame, None).expect("a plan")
}

fn store(frame: &Frame, missing: &str, spill: Option<SpillOptions>) -> Result<RowStore, TrainError> {
    let mut plan = plan(frame, missing);
    plan.options.spill = spill;
    RowStore::new(&plan)
}

fn read(store: &RowStore, row: u32, list: &mut List) {
    Portable.run(ReadRow { store, row, list });
}

#[test]
fn rows_in_a_file_are_those_in_memory() {
    let frame = frame();
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (missing, rows) in [("MeanImputation", ROWS), ("Skip", ROWS - ROWS / 50 - (ROWS / 7 + 1) + ROWS / 350)] {
        let held = store(&frame, missing, None).expect("memory");
        assert_eq!((held.rows(), held.spilled_bytes()), (rows, 0), "{missing}");
        for limit in [0, 100_000] {
            let options = SpillOptions { limit, folder: folder.path().to_owned() };
            let filed = store(&frame, missing, Some(options)).expect("room");
            assert_eq!((filed.rows(), filed.entries()), (rows, held.entries()));
            assert!(filed.spilled_bytes() > 100_000);
            let (mut one, mut other) = (List::with_room(10), List::with_room(10));
            let places: Vec<u32> = (0..ROWS).filter_map(|row| held.place(row)).collect();
            assert_eq!(places.len(), rows);
            for place in places {
                read(&held, place, &mut one);
                read(&filed, place, &mut other);
                assert_eq!((one.places(), one.values()), (other.places(), other.values()));
                assert_eq!(held.target(place), filed.target(place));
            }
        }
    }
    let plenty = SpillOptions { limit: 1 << 30, folder: folder.path().to_owned() };
    assert_eq!(store(&frame, "Skip", Some(plenty)).expect("memory").spilled_bytes(), 0);
}

#[test]
fn a_row_has_the_inputs_of_the_encoder() {
    let frame = frame();
    let plan = plan(&frame, "MeanImputation");
    let store = RowStore::new(&plan).expect("memory");
    let encoder = plan.encoder();
    let (mut raw, mut entries) = (Vec::new(), Vec::new());
    let mut list = List::with_room(10);
    for row in 0..ROWS {
        plan.training.read(row, &mut raw);
        encoder.entries(&raw, &mut entries);
        read(&store, store.place(row).expect("all rows train"), &mut list);
        let mut read: Vec<(usize, f32)> =
            list.places().iter().zip(list.values()).map(|(&place, &value)| (place as usize, value)).collect();
        read.sort_by_key(|&(place, _)| place);
        assert_eq!(read.len(), entries.len(), "row {row}");
        for (read, entry) in read.iter().zip(&entries) {
            let close = (f64::from(read.1) - entry.1).abs() <= 2.0 * f64::from(f32::EPSILON) * entry.1.abs();
            assert!(read.0 == entry.0 && close, "row {row}: {read:?}, {entry:?}");
        }
    }
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let options = SpillOptions { limit: 0, folder: PathBuf::from("/nonexistent") };
    let refused = store(&frame(), "Skip", Some(options)).expect_err("no folder").to_string();
    let start = "the packed rows are larger than the memory limit, and cannot be put into a file in /nonexistent: ";
    assert!(refused.starts_with(start), "{refused}");
}
