//! MOJOs that are cut off, or that lie: whoever reads them says so in one sentence.

use libtest_mimic::{Failed, Trial};

use super::make_model;
use crate::support::archive::with_entry;
use crate::support::{Folder, Outcome, trials};

pub fn tests() -> Vec<Trial> {
    trials![
        a_zip_cut_off_anywhere,
        a_zip_that_lies_about_a_size,
        a_zip_with_damaged_content,
        a_zip_without_an_entry,
        a_zip_whose_numbers_do_not_fit,
        a_model_of_another_algorithm,
    ]
}

fn a_zip_cut_off_anywhere() -> Result<(), Failed> {
    let folder = Folder::new()?;
    make_model(&folder)?;
    let whole = folder.bytes("model.zip")?;
    for length in (0..whole.len()).step_by(whole.len() / 60).chain([whole.len() - 1]) {
        refused(&folder, &whole[..length], &format!("{length} bytes"))?;
    }
    Ok(())
}

/// Sizes and places stand in the central directory, at these distances from its marks.
fn a_zip_that_lies_about_a_size() -> Result<(), Failed> {
    const MARK: &[u8] = b"PK\x01\x02";
    const FIELDS: [(&str, usize); 4] = [("checksum", 16), ("packed size", 20), ("unpacked size", 24), ("place", 42)];
    let folder = Folder::new()?;
    make_model(&folder)?;
    let whole = folder.bytes("model.zip")?;
    // `model.ini` is the first.
    let start = whole.windows(4).position(|bytes| bytes == MARK).ok_or("no central directory")?;
    for (field, offset) in FIELDS {
        for lie in [1_u32, 0x7fff_ffff, 0xffff_fffe] {
            let mut changed = whole.clone();
            changed[start + offset..start + offset + 4].copy_from_slice(&lie.to_le_bytes());
            refused(&folder, &changed, &format!("{field} {lie}"))?;
        }
    }
    Ok(())
}

fn a_zip_with_damaged_content() -> Result<(), Failed> {
    let folder = Folder::new()?;
    make_model(&folder)?;
    let whole = folder.bytes("model.zip")?;
    for place in [100, 200, 400] {
        let mut changed = whole.clone();
        changed[place] ^= 0x55;
        refused(&folder, &changed, &format!("byte {place}"))?;
    }
    Ok(())
}

fn a_zip_without_an_entry() -> Result<(), Failed> {
    let folder = Folder::new()?;
    make_model(&folder)?;
    let whole = folder.bytes("model.zip")?;
    for entry in ["model.ini", "domains/d000.txt"] {
        let changed = with_entry(whole.clone(), entry, |_| Ok(None))?;
        let said = refused(&folder, &changed, entry)?;
        assert_eq!(said, format!("error: changed.zip: entry `{entry}` is missing\n"));
    }
    Ok(())
}

fn a_zip_whose_numbers_do_not_fit() -> Result<(), Failed> {
    let folder = Folder::new()?;
    make_model(&folder)?;
    let whole = folder.bytes("model.zip")?;
    for (key, lie) in [
        ("n_columns", "4294967295"),
        ("n_features", "1"),
        ("n_classes", "3"),
        ("cats", "-1"),
        ("nums", "1000000000000"),
        ("cat_offsets", "[0, 2000000000]"),
        ("neural_network_sizes", "[4, 2000000000, 2]"),
        ("neural_network_sizes", "[4, 3, 0]"),
        ("weight_layer0", "[1.0, 2.0]"),
        ("weight_layer0", "[one]"),
        ("bias_layer1", "[]"),
        ("norm_mul", "null"),
        ("activation", "Softplus"),
        ("distribution", "cauchy"),
        ("mojo_version", "9.90"),
        ("default_threshold", "half"),
    ] {
        let changed = with_entry(whole.clone(), "model.ini", |text| Ok(Some(with_value(&text, key, lie)?)))?;
        refused(&folder, &changed, &format!("{key} = {lie}"))?;
    }
    Ok(())
}

fn a_model_of_another_algorithm() -> Result<(), Failed> {
    let folder = Folder::new()?;
    make_model(&folder)?;
    let changed = with_entry(folder.bytes("model.zip")?, "model.ini", |text| {
        Ok(Some(with_value(&with_value(&text, "algo", "gbm")?, "algorithm", "Gradient Boosting Machine")?))
    })?;
    let said = refused(&folder, &changed, "gbm")?;
    assert!(said.contains("it holds a Gradient Boosting Machine model; Deep Learning models are read"), "{said}");
    Ok(())
}

/// `model.ini` with another value of a key.
fn with_value(text: &str, key: &str, value: &str) -> Result<String, Failed> {
    let start = text.find(&format!("\n{key} = ")).ok_or_else(|| format!("there is no {key}"))? + 1;
    let end = start + text[start..].find('\n').ok_or("no end of the line")?;
    Ok(format!("{}{key} = {value}{}", &text[..start], &text[end..]))
}

/// Each command that reads a MOJO refuses this one; returns what `predict` says.
fn refused(folder: &Folder, mojo: &[u8], what: &str) -> Result<String, Failed> {
    folder.write("changed.zip", mojo)?;
    let before = folder.contents()?;
    let commands: [&[&str]; 3] = [
        &["predict", "changed.zip", "--input", "rows.csv", "--output", "out.csv"],
        &["inspect", "changed.zip"],
        &["serve", "changed.zip", "--listen", "127.0.0.1:0"],
    ];
    let mut said = String::new();
    for command in commands {
        let Outcome { code, stdout, stderr } = folder.run(command.iter().copied())?;
        let names_it = stderr.starts_with("error: changed.zip: ") && stderr.lines().count() == 1;
        assert!(names_it && code == Some(1) && stdout.is_empty(), "{what}: {command:?}: {code:?}, {stdout}{stderr}");
        said = stderr;
    }
    assert!(folder.contents()? == before, "{what}: something is left");
    Ok(said)
}
