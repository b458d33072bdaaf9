use clap::CommandFactory;

use super::*;

#[test]
fn every_flag_has_help() {
    Args::command().debug_assert();
    for command in Args::command().get_subcommands() {
        for arg in command.get_arguments() {
            assert!(arg.get_help().is_some(), "{} {}", command.get_name(), arg.get_id());
        }
    }
}

#[test]
fn a_mistake_is_told_in_one_sentence() {
    let told = |words: &[&str]| one_sentence(&Args::try_parse_from(words).expect_err("something is wrong").to_string());
    assert_eq!(
        told(&["aqueduct", "predict", "m.zip", "--input", "x.csv"]),
        "the following required arguments were not provided: --output <FILE>"
    );
    assert_eq!(
        told(&["aqueduct", "inspect", "m.zip", "--jsn"]),
        "unexpected argument '--jsn' found; a similar argument exists: '--json'"
    );
}

#[test]
fn switches_may_stand_alone_and_numbers_may_be_negative() {
    let args = Args::try_parse_from([
        "aqueduct",
        "train",
        "--sparse",
        "--seed",
        "-5",
        "--standardize",
        "false",
        "--output",
        "r",
    ]);
    let Command::Train(train) = args.expect("the flags are right").command else { unreachable!("it says train") };
    let given = [("seed", "-5"), ("standardize", "false"), ("sparse", "true")];
    assert_eq!(train.given.0, given.map(|(name, value)| (name, value.to_owned())));
}

#[test]
fn a_frame_may_be_several_files_whatever_their_names() {
    let words = ["aqueduct", "train", "--training-frame", "a.csv", "b,\"c\".csv", "--output", "r"];
    let args = Args::try_parse_from(words.iter().chain(&["--training-frame", "d.csv", "--seed", "1"]));
    let Command::Train(train) = args.expect("the flags are right").command else { unreachable!("it says train") };
    let mut params = trainer::TrainParams::default();
    for (name, text) in &train.given.0 {
        params.set_text(name, text).expect("a value");
    }
    assert_eq!(params.training_frame.0, ["a.csv", "b,\"c\".csv", "d.csv"].map(PathBuf::from));
}
