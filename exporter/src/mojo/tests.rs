//! Both directions: what is written is read back, and what is no such archive is refused.

use std::fs;
use std::io::{Cursor, Read, Write};
use std::path::Path;

use model::{Activation, Category, Nonlinearity, Schema, Workspace};
use proptest::prelude::*;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::*;
use crate::artifact::Artifact;
use crate::samples;

fn write(artifact: &Artifact) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.zip");
    write_mojo(artifact, &path).unwrap();
    fs::read(path).unwrap()
}

fn read(bytes: &[u8]) -> Result<Artifact, ReadError> {
    read_mojo_from(Cursor::new(bytes))
}

fn entries(bytes: &[u8]) -> Vec<(String, String)> {
    let mut zip = ZipArchive::new(Cursor::new(bytes)).unwrap();
    let entry = |i| {
        let mut file = zip.by_index(i).unwrap();
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        (file.name().unwrap().into_owned(), text)
    };
    (0..ZipArchive::new(Cursor::new(bytes)).unwrap().len()).map(entry).collect()
}

fn zip(entries: &[(String, Vec<u8>)]) -> Vec<u8> {
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in entries {
        zip.start_file(name.as_str(), options).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// The minimal archive with the text of one entry changed.
fn edited(entry: &str, edit: impl Fn(&str) -> Vec<u8>) -> Vec<u8> {
    let changed = entries(&write(&samples::artifact())).into_iter().map(|(name, text)| {
        let content = if name == entry { edit(&text) } else { text.into_bytes() };
        (name, content)
    });
    zip(&changed.collect::<Vec<_>>())
}

#[test]
fn every_activation_and_category_comes_back_as_it_went_in() {
    for activation in Activation::ALL {
        for category in Category::ALL {
            if (category, activation.nonlinearity()) == (Category::AutoEncoder, Nonlinearity::Maxout) {
                continue;
            }
            let model = samples::model(activation, category);
            let profile = samples::profile(&model);
            let artifact = Artifact::new(model, samples::TIMESTAMP).with_profile(profile);
            let back = read(&write(&artifact)).unwrap();
            assert_eq!(back.model, artifact.model);
            assert_eq!(back.info, artifact.info);
            // A NaN is not equal to itself: profiles have them, and errors of autoencoders.
            assert_eq!(format!("{:?}", back.golden), format!("{:?}", artifact.golden));
            assert_eq!(format!("{:?}", back.profile), format!("{:?}", artifact.profile));
        }
    }
}

#[test]
fn every_encoding_comes_back_as_it_went_in() {
    for encoding in samples::encodings() {
        let model = samples::encoded(encoding);
        let profile = samples::profile(&model);
        let artifact = Artifact::new(model, samples::TIMESTAMP).with_profile(profile);
        let back = read(&write(&artifact)).unwrap();
        assert_eq!(back.model, artifact.model);
        assert_eq!(back.golden, artifact.golden);
    }
}

#[test]
fn the_original_columns_of_a_model_of_bits() {
    let artifact = Artifact::new(samples::encoded(model::Encoding::Binary), samples::TIMESTAMP);
    let entries = entries(&write(&artifact));
    let (_, ini) = &entries[0];
    let expected = "_genmodel_encoding = Binary
_n_orig_names = 5
_n_orig_domain_values = 5
_m_orig_domain_values_0 = 0
_m_orig_domain_values_1 = 3
_m_orig_domain_values_2 = 0
_m_orig_domain_values_3 = 11
_m_orig_domain_values_4 = 2
_orig_projection_array = null

[columns]
a=b = c
comma, \"quote\"
inner blank:0
inner blank:1
naïve 日本 🦀:0
naïve 日本 🦀:1
naïve 日本 🦀:2
naïve 日本 🦀:3
w
y

[domains]
9: 2 d000.txt
";
    assert!(ini.ends_with(expected), "{ini}");
    let text = |name: &str| entries.iter().find(|(entry, _)| entry == name).map(|(_, text)| text.as_str());
    assert_eq!(text("_orig_names"), Some("a=b = c\ninner blank\ncomma, \"quote\"\nnaïve 日本 🦀\ny\n"));
    assert_eq!(text("_orig_domain_values_1"), Some("10\nx\n-7\n"));
    assert_eq!(text("_orig_domain_values_4"), Some("no\nyes\n"));
    assert_eq!(text("_orig_domain_values_0"), None);
}

#[test]
fn an_encoded_level_with_outer_blanks_is_refused() {
    let mut model = samples::encoded(model::Encoding::LabelEncoder);
    let mut features = model.schema.features().to_vec();
    features[1].domain = Some(samples::domain(&["10", " padded ", "-7"]));
    model.schema = Schema::new(features, model.schema.response().cloned(), model.schema.special().clone());
    let folder = tempfile::tempdir().unwrap();
    let refused = write_mojo(&Artifact::new(model, samples::TIMESTAMP), &folder.path().join("model.zip"));
    let expected = "column `inner blank`: a MOJO cannot carry its level ` padded ` where levels are encoded, as it begins or ends with a blank";
    assert_eq!(refused.unwrap_err().to_string(), expected);
}

#[test]
fn encoded_archives_that_lie_are_refused_and_say_where() {
    let cases = [
        ("= Eigen", "= OneHotExplicit", "its categorical encoding is OneHotExplicit; AUTO, "),
        ("_n_orig_names = 5", "_n_orig_names = 4", "entry `_orig_names`: expected 4 names, found 5"),
        ("_n_orig_names = 5", "_n_orig_names = 7", "key `_n_orig_names`: expected no more than `n_columns`, found `7`"),
        ("values_1 = 3", "values_1 = 2", "entry `_orig_domain_values_1`: expected 2 levels, found 3"),
        ("values_1 = 3", "values_1 = 1000001", "it is to hold 1000001 levels, more than the 1000000 that"),
        ("projection_array = [", "projection_array = null # [", "expected a list of numbers"),
        ("_m_orig_domain_values_2 = 0\n", "", "key `_m_orig_domain_values_2` is missing"),
        ("projection_array = [", "projection_array = [x, ", "expected a list of numbers"),
    ];
    let [_, eigen, _] = samples::encodings();
    let whole = entries(&write(&Artifact::new(samples::encoded(eigen), samples::TIMESTAMP)));
    for (from, to, message) in cases {
        let mut changed: Vec<_> = whole.iter().map(|(name, text)| (name.clone(), text.clone().into_bytes())).collect();
        assert!(whole[0].1.contains(from), "{from}");
        changed[0].1 = whole[0].1.replacen(from, to, 1).into_bytes();
        let refused = read(&zip(&changed)).expect_err(to).to_string();
        assert!(refused.contains(message), "{from} -> {to}: {refused}");
    }
}

#[test]
fn the_same_model_makes_the_same_bytes() {
    assert_eq!(write(&samples::artifact()), write(&samples::artifact()));
    let mut other = samples::minimal();
    other.labelling.default_threshold = 0.25;
    assert_ne!(Artifact::new(other, samples::TIMESTAMP).info.uuid, samples::artifact().info.uuid);
}

#[test]
fn the_text_of_the_minimal_model() {
    let artifact = samples::artifact();
    let expected = format!(
        "[info]
h2o_version = 3.46.0.11-aqueduct-{version}
mojo_version = 1.10
license = Apache License Version 2.0
algo = deeplearning
algorithm = Deep Learning
endianness = LITTLE_ENDIAN
category = Binomial
uuid = {uuid}
supervised = true
n_features = 2
n_classes = 2
n_columns = 3
n_domains = 2
balance_classes = false
default_threshold = 0.5
prior_class_distrib = [0.4, 0.6]
model_class_distrib = null
timestamp = 2026-11-30T15:00:36.751Z
escape_domain_values = true
mini_batch_size = 1
nums = 1
cats = 1
cat_offsets = [0, 3]
norm_mul = [2.0]
norm_sub = [1.0]
norm_resp_mul = null
norm_resp_sub = null
use_all_factor_levels = true
activation = Rectifier
distribution = bernoulli
mean_imputation = true
cat_modes = [2]
neural_network_sizes = [4, 2, 2]
weight_layer0 = [0.1, 0.2, 0.3, 0.4, -0.1, 0.2, -0.3, 0.4]
bias_layer0 = [0.5, 0.25]
weight_layer1 = [1.5, -0.5, 0.25, 0.75]
bias_layer1 = [0.1, -0.1]
hidden_dropout_ratios = [0.0, 0.0]
_genmodel_encoding = AUTO
_orig_projection_array = null

[columns]
c
n
y

[domains]
0: 2 d000.txt
2: 2 d001.txt
",
        version = env!("CARGO_PKG_VERSION"),
        uuid = artifact.info.uuid,
    );
    let entries = entries(&write(&artifact));
    let names: Vec<&str> = entries.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        ["model.ini", "domains/d000.txt", "domains/d001.txt", "aqueduct/profile.json", "aqueduct/golden.json"]
    );
    assert_eq!(entries[0].1, expected);
    assert_eq!(entries[1].1, "a\nb\n");
}

fn with_names(features: [&str; 2], response: &str, offset: Option<&str>) -> Artifact {
    let mut model = samples::minimal();
    let mut columns = model.schema.features().to_vec();
    for (column, name) in columns.iter_mut().zip(features) {
        name.clone_into(&mut column.name);
    }
    let mut answer = model.schema.response().unwrap().clone();
    response.clone_into(&mut answer.name);
    let special = model::SpecialColumns { offset: offset.map(str::to_owned), ..Default::default() };
    model.schema = Schema::new(columns, Some(answer), special);
    Artifact::new(model, samples::TIMESTAMP)
}

#[test]
fn names_that_no_line_can_carry_are_refused() {
    let cases = [
        ("", "column ``: a MOJO cannot carry its name, which is empty"),
        (" a", "which begins or ends with a blank or a control character"),
        ("a\u{1}", "which begins or ends with a blank or a control character"),
        ("a\nb", "which contains a line end"),
        ("a\rb", "which contains a line end"),
        ("#a", "which begins with `#`, as comments do"),
        ("[info]", "which is the header of a section of `model.ini`"),
        ("[domains]", "which is the header of a section of `model.ini`"),
        ("y", "two columns are named `y`"),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (name, message) in cases {
        let refused = write_mojo(&with_names([name, "n"], "y", None), &folder.path().join("model.zip"));
        let refused = refused.expect_err(name).to_string();
        assert!(refused.contains(message), "{name:?}: {refused}");
    }
    let refused = write_mojo(&with_names(["c", "n"], "y", Some("7")), &folder.path().join("model.zip"));
    assert_eq!(
        refused.unwrap_err().to_string(),
        "offset_column `7`: a MOJO cannot carry it, as it looks like a number, a list, `null`, `true` or `false`"
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_folder_that_cannot_take_the_archive_is_named() {
    let refused = write_mojo(&samples::artifact(), Path::new("/nowhere/model.zip")).unwrap_err().to_string();
    assert_eq!(refused, "cannot write `/nowhere/model.zip`: No such file or directory (os error 2)");
}

#[test]
fn an_archive_that_would_not_be_read_again_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let name = "n".repeat(20 << 20);
    let refused = write_mojo(&with_names(["c", &name], "y", None), &folder.path().join("model.zip"));
    assert!(matches!(refused, Err(WriteError::TooLarge { unpacked, .. }) if unpacked > 20 << 20), "{refused:?}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    let short = "n".repeat(10 << 20);
    read(&write(&with_names(["c", &short], "y", None))).unwrap();
}

#[test]
fn an_archive_for_a_device_need_not_be_sought_there() {
    write_mojo(&samples::artifact(), Path::new("/dev/null")).unwrap();
}

#[test]
fn of_two_columns_with_one_name_the_last_is_found() {
    let mut entries = entries(&write(&Artifact::new(samples::minimal(), samples::TIMESTAMP)));
    entries[0].1 = entries[0].1.replace("\nc\nn\n", "\nn\nn\n");
    let entries: Vec<_> = entries.into_iter().map(|(name, text)| (name, text.into_bytes())).collect();
    assert_eq!(read(&zip(&entries)).unwrap().model.schema.index_of("n"), Some(1));
}

#[test]
fn version_1_00_names_no_encoding() {
    let old = edited("model.ini", |text| {
        text.replace("= 1.10", "= 1.00").replace("_genmodel_encoding = AUTO\n", "").into_bytes()
    });
    assert_eq!(read(&old).unwrap().model, samples::minimal());
}

#[test]
fn archives_that_lie_are_refused_and_say_where() {
    let cases = [
        ("mojo_version = 1.10", "mojo_version = 1.20", "its `mojo_version` is 1.20; from 1.00 to 1.10 are read"),
        ("mojo_version = 1.10\n", "", "entry `model.ini`: key `mojo_version` is missing"),
        ("Deep Learning", "K-means", "it holds a K-means model; Deep Learning models are read"),
        (
            "Binomial",
            "Clustering",
            "of category Clustering; Binomial, Multinomial, Regression and AutoEncoder are read",
        ),
        ("Binomial", "AutoEncoder", "a model of category AutoEncoder needs none as its response, found a column of 2 "),
        ("= AUTO", "= Eigen", "entry `model.ini`: key `_n_orig_names` is missing"),
        (
            "= AUTO",
            "= Enum",
            "its categorical encoding is Enum; AUTO, OneHotInternal, SortByResponse, Binary, Eigen and ",
        ),
        ("= bernoulli", "= ordinal", "its distribution is ordinal; "),
        ("= Rectifier", "= Relu", "line 30, key `activation`: expected one of Tanh, "),
        ("n_columns = 3", "n_columns = 99", "key `n_columns`: expected 99 numbers, found 3"),
        ("n_columns = 3", "n_columns = 2", "more names than `n_columns`, which is 2"),
        (
            "n_features = 2",
            "n_features = 3",
            "key `n_features`: expected no more than the columns that are no response, found `3`",
        ),
        ("n_features = 2", "n_features = 1", "key `n_features`: expected 2, by `cats` and `nums`, found `1`"),
        ("n_classes = 2", "n_classes = 3", "key `n_classes`: expected 2, by the domain of the response, found `3`"),
        ("supervised = true", "supervised = yes", "key `supervised`: expected `true` or `false`, found `yes`"),
        ("0: 2 d000", "0: 3 d000", "entry `domains/d000.txt`: expected 3 levels, found 2"),
        ("n_columns = 3", "n_columns = 1000001", "its `n_columns` is 1000001; up to 1000000 are read"),
        ("n_columns = 3", "n_columns = 20", "expected up to 16 columns besides features and response, found `20`"),
        (
            "0: 2 d000",
            "0: 40000000 d000",
            "entry `domains/d000.txt`: it is to hold 40000000 levels, more than the 6 that there is room for",
        ),
        ("0: 2 d000", "1: 2 d000", "column 1 (counted from 0) is categorical and follows a numeric one"),
        ("0: 2 d000", "0: 2 d009", "entry `domains/d009.txt` is missing"),
        (
            "cats = 1",
            "cats = 18446744073709551615",
            "key `cat_offsets`: expected 18446744073709551615 numbers, found 2",
        ),
        ("cat_offsets = [0, 3]", "cat_offsets = [0, 2]", "`cat_offsets`: number 1 should be 3 by the domains, found 2"),
        ("cat_offsets = [0, 3]", "cat_offsets = [3, 0]", "`cat_offsets`: number 0 should be 0 by the domains, found 3"),
        ("cat_offsets = [0, 3]", "cat_offsets = 3", "key `cat_offsets`: expected a list of whole numbers, found `3`"),
        ("sizes = [4, 2, 2]", "sizes = [3, 2, 2]", "key `weight_layer0`: expected 6 numbers, found 8"),
        ("sizes = [4, 2, 2]", "sizes = [4, 0, 2]", "expected the units of two layers or more"),
        ("sizes = [4, 2, 2]", "sizes = [4]", "expected the units of two layers or more"),
        (
            "sizes = [4, 2, 2]",
            "sizes = [9223372036854775807, 2, 2]",
            "key `weight_layer0`: expected 18446744073709551614 numbers, found 8",
        ),
        ("nums = 1", "nums = 2", "its columns make 5 inputs and its network has 4"),
        ("norm_mul = [2.0]", "norm_mul = [2.0, 1.0]", "key `norm_mul`: expected 1 numbers, found 2"),
        ("norm_sub = [1.0]", "norm_sub = null", "the scaling of inputs, `sub`: expected 1 numbers, found 0"),
        ("norm_resp_mul = null", "norm_resp_mul = [1.0]", "key `norm_resp_sub`: expected 1 numbers, found 0"),
        ("bias_layer1 = [0.1, -0.1]", "bias_layer1 = [0.1, x]", "key `bias_layer1`: expected a list of numbers"),
        (
            "prior_class_distrib = [0.4, 0.6]",
            "prior_class_distrib = [1.0]",
            "`prior_class_distrib`: expected 2 numbers",
        ),
        ("[domains]\n0: 2 d000.txt\n2: 2 d001.txt\n", "", "section `[domains]` is missing"),
    ];
    for (from, to, message) in cases {
        let bytes = edited("model.ini", |text| {
            assert!(text.contains(from), "{from}");
            text.replacen(from, to, 1).into_bytes()
        });
        let refused = read(&bytes).expect_err(to).to_string();
        assert!(refused.contains(message), "{from} -> {to}: {refused}");
    }
}

#[test]
fn entries_of_ours_that_do_not_fit_are_refused() {
    let cases = [
        ("aqueduct/golden.json", "\"version\":1", "\"version\":2", "its version is 2; version 1 is read"),
        ("aqueduct/golden.json", "[\"c\",\"n\"]", "[\"c\",\"m\"]", "its columns are not those of the model"),
        ("aqueduct/golden.json", "[\"c\",\"n\"]", "[\"c\"", "entry `aqueduct/golden.json`: "),
        ("aqueduct/golden.json", "\"cells\":[", "\"cells\":[1,", "row 1: expected 2 cells, found 3"),
        ("aqueduct/golden.json", "\"label\":0", "\"label\":7", "its answer is none that the model could give"),
        ("aqueduct/profile.json", "\"name\":\"n\"", "\"name\":\"m\"", "column `m` does not fit the model's column `n`"),
        ("aqueduct/profile.json", "\"counts\":[0,1]", "\"counts\":[0]", "column `c` does not fit"),
        ("aqueduct/profile.json", "\"rows\":1000", "\"rows\":-1", "entry `aqueduct/profile.json`: "),
    ];
    for (entry, from, to, message) in cases {
        let bytes = edited(entry, |text| {
            assert!(text.contains(from), "{from} in {text}");
            text.replacen(from, to, 1).into_bytes()
        });
        let refused = read(&bytes).expect_err(to).to_string();
        assert!(refused.contains(message), "{from} -> {to}: {refused}");
    }
}

#[test]
fn text_that_is_not_utf8_and_entries_that_are_missing_are_named() {
    let latin1 = edited("domains/d000.txt", |_| b"a\n\xe4\n".to_vec());
    assert_eq!(read(&latin1).unwrap_err().to_string(), "entry `domains/d000.txt`, line 2: not UTF-8");
    let nothing = zip(&[]);
    assert_eq!(read(&nothing).unwrap_err().to_string(), "entry `model.ini` is missing");
}

/// Whatever is read scores without a panic.
fn read_and_score(bytes: &[u8]) {
    if let Ok(artifact) = read(bytes) {
        let features = artifact.model.schema.features().len();
        for value in [f64::NAN, 0.0, 1.0, 1e300] {
            artifact.model.score(&vec![value; features], &mut Workspace::default());
        }
    }
}

#[test]
fn an_archive_cut_off_anywhere_is_refused() {
    let whole = write(&samples::artifact());
    for length in 0..whole.len() {
        assert!(read(&whole[..length]).is_err(), "cut off at {length}");
    }
}

#[test]
fn an_archive_with_any_byte_changed_is_read_or_refused() {
    let mut bytes = write(&samples::artifact());
    for position in 0..bytes.len() {
        for flip in [0x01, 0x80, 0xff] {
            bytes[position] ^= flip;
            read_and_score(&bytes);
            bytes[position] ^= flip;
        }
    }
}

#[test]
fn a_model_ini_with_any_byte_changed_is_read_or_refused() {
    let entries: Vec<_> = entries(&write(&samples::artifact()))
        .into_iter()
        .filter(|(name, _)| !name.starts_with("aqueduct/"))
        .map(|(name, text)| (name, text.into_bytes()))
        .collect();
    for position in 0..entries[0].1.len() {
        for byte in *b"09-.[],=#\n \xff" {
            let mut entries = entries.clone();
            entries[0].1[position] = byte;
            read_and_score(&zip(&entries));
        }
    }
}

proptest! {
    #[test]
    fn entries_with_many_bytes_changed_are_read_or_refused(
        changes in prop::collection::vec((0..5_usize, any::<prop::sample::Index>(), any::<u8>()), 1..12)
    ) {
        let mut entries: Vec<_> = entries(&write(&samples::artifact()))
            .into_iter()
            .map(|(name, text)| (name, text.into_bytes()))
            .collect();
        for (entry, position, byte) in changes {
            let content = &mut entries[entry].1;
            let position = position.index(content.len());
            content[position] = byte;
        }
        read_and_score(&zip(&entries));
    }

    #[test]
    fn any_bytes_are_refused(bytes: Vec<u8>) {
        prop_assert!(read(&bytes).is_err());
    }
}
